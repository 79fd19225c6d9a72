package nft

func init() { registerRecord("renew_dns") }
