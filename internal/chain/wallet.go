package chain

// walletTypes names the standard wallet contracts by the hash of their code, as v3 prints them.
var walletTypes = map[string]string{
	"oM/CxIruFqJx8s/AtzgtgXVs7LEBfQd/qqs7tgL2how=": "wallet v1 r1",
	"1JAvzJ+tdGmPqONTIgpo2g3PcuMryy657gQhfBfTBiw=": "wallet v1 r2",
	"WHzHie/xyE9G7DeX5F/ICaFP9a4k8eDHpqmcydyQYf8=": "wallet v1 r3",
	"XJpeaMEI4YchoHxC+ZVr+zmtd+xtYktgxXbsiO7mUyk=": "wallet v2 r1",
	"/pUw0yQ4Uwg+8u8LTCkIwKv2+hwx6iQ6rKpb+MfXU/E=": "wallet v2 r2",
	"thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE=": "wallet v3 r1",
	"hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=": "wallet v3 r2",
	"ZN1UgFUixb6KnbWc6gEFzPDQh4bKeb64y3nogKjXMi0=": "wallet v4 r1",
	"/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=": "wallet v4 r2",
	"89fKU0k97trCizgZhqhJQDy6w9LFhHea8IEGWvCsS5M=": "wallet v5 beta",
	"IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8=": "wallet v5 r1",
	// The code jumps to that in configuration parameter -123, so that all revisions have one hash.
	"kUmuUcHkaJcQzr94MCl7Fqz7rbNjqSClN4k+f/7sp2g=": "tg-wallet",
}

var walletTypeOf = func() map[Hash]string {
	types := make(map[Hash]string, len(walletTypes))
	for text, name := range walletTypes {
		hash, err := ParseHash(text)
		if err != nil {
			panic(err) //nolint:forbidigo // the table above is constant
		}
		types[hash] = name
	}
	return types
}()

// IsWallet reports whether the code is a standard wallet's, so that its addresses are shown as not bounceable.
func IsWallet(codeHash Hash) bool {
	_, ok := walletTypeOf[codeHash]
	return ok
}

// WalletType is the name of the standard wallet with this code; false when it is not one.
func WalletType(codeHash Hash) (string, bool) {
	name, ok := walletTypeOf[codeHash]
	return name, ok
}
