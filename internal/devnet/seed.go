package devnet

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tonql/internal/chain"
)

const seedName = "seed"

// settleSeed returns the seed of a folder and stores a new one. All keys of the network
// are derived from it, including the faucet's and the liteserver's, so it must not
// change.
func settleSeed(dir string, wanted [32]byte) ([32]byte, error) {
	path := filepath.Join(dir, seedName)
	stored, err := readSeed(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if wanted == [32]byte{} {
			_, _ = rand.Read(wanted[:]) // never fails
		}
		text := hex.EncodeToString(wanted[:]) + "\n"
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return wanted, fmt.Errorf("devnet seed: %w", err)
		}
		return wanted, nil
	case err != nil:
		return wanted, err
	case wanted != [32]byte{} && wanted != stored:
		return wanted, chain.Invalidf("the devnet in %s was created with another seed", dir)
	}
	return stored, nil
}

func readSeed(path string) (seed [32]byte, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return seed, fmt.Errorf("devnet seed: %w", err)
	}
	raw, err := hex.DecodeString(strings.TrimSpace(string(data)))
	if err != nil || len(raw) != len(seed) {
		return seed, chain.Invalidf("%s must contain 64 hexadecimal digits", path)
	}
	return [32]byte(raw), nil
}
