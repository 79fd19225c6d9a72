package action

func init() { registerRecord("delete_dns") }
