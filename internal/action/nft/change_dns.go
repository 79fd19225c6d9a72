package nft

func init() { registerRecord("change_dns") }
