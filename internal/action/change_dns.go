package action

func init() { registerRecord("change_dns") }
