package action

const elector = "-1:3333333333333333333333333333333333333333333333333333333333333333"

// toElector is a call to the contract that holds elections of validators.
func toElector(op uint32) *Pattern {
	return Where(func(b *Block) bool { return b.Calls(op) && AddressText(b.Account()) == elector }).Calling(op)
}
