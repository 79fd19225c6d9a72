package handler

// NetworkTitle returns the name of a network as pages show it; other networks than the three usual ones have the name that their
// operator gave them.
func NetworkTitle(name string) string {
	switch name {
	case "mainnet":
		return "Mainnet"
	case "testnet":
		return "Testnet"
	case "devnet":
		return "Local chain"
	default:
		return name
	}
}
