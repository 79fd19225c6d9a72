package nft

func init() { registerRecord("delete_dns") }
