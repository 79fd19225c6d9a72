package action

func init() { registerRecord("renew_dns") }
