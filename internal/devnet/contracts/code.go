package contracts

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

//go:embed manifest.json
var manifestJSON []byte

// walletsJSON has the published code of the common wallets, in the format of the manifest.
//
//go:embed wallets.json
var walletsJSON []byte

// manifest is the output of tolk/compile.mjs.
type manifest struct {
	Compiler  string `json:"compiler"`
	Contracts []struct {
		Name string `json:"name"`
		Hash string `json:"hash"` // representation hash of the code cell, hex
		Code string `json:"code"` // BoC, base64
	} `json:"contracts"`
}

// The names of the compiled contracts: the file in the folder tolk without its extension.
const (
	codeDNSCollection      = "dns-collection"
	codeDNSItem            = "dns-item"
	codeDNSRoot            = "dns-root"
	codeEmitter            = "emitter"
	codeHostile            = "hostile"
	codeJettonMaster       = "jetton-minter"
	codeStuckWallet        = "jetton-stuck-wallet"
	codeJettonWallet       = "jetton-wallet"
	codeLiarWallet         = "liar-jetton-wallet"
	codeLiarItem           = "liar-nft-item"
	codeLibrarian          = "librarian"
	codeMintlessMaster     = "mintless-minter"
	codeMintlessWallet     = "mintless-wallet"
	codeMultisig           = "multisig"
	codeMultisigOrder      = "multisig-order"
	codeNFTAuction         = "nft-auction"
	codeNFTCollection      = "nft-collection"
	codeNFTItem            = "nft-item"
	codeNFTMarket          = "nft-market"
	codeNFTSale            = "nft-sale"
	codeNominatorPool      = "nominator-pool"
	codeSBTItem            = "sbt-item"
	codeSubscription       = "subscription"
	codeTelemintCollection = "telemint-collection"
	codeTelemintItem       = "telemint-item"
	codeThrower            = "thrower"
	codeVestingWallet      = "vesting-wallet"

	codeWalletV3R2       = "v3r2"
	codeWalletV4R2       = "v4r2"
	codeWalletV5R1       = "v5r1"
	codeWalletHighloadV3 = "highload-v3"
)

var codes = sync.OnceValue(func() map[string]*cell.Cell {
	loaded := make(map[string]*cell.Cell)
	for _, data := range [][]byte{manifestJSON, walletsJSON} {
		if err := loadManifest(loaded, data); err != nil {
			panic(err) //nolint:forbidigo // the binary carries the manifests: a bad one is a bad build
		}
	}
	return loaded
})

// loadManifest decodes the codes into loaded and checks their hashes.
func loadManifest(loaded map[string]*cell.Cell, data []byte) error {
	var m manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return fmt.Errorf("contract manifest: %w", err)
	}
	for _, c := range m.Contracts {
		boc, err := base64.StdEncoding.DecodeString(c.Code)
		if err != nil {
			return fmt.Errorf("contract %s: %w", c.Name, err)
		}
		code, err := cell.FromBOC(boc)
		if err != nil {
			return fmt.Errorf("contract %s: %w", c.Name, err)
		}
		want, err := hex.DecodeString(c.Hash)
		if err != nil || !bytes.Equal(want, code.Hash()) {
			return fmt.Errorf("contract %s: code hash is %x, manifest says %q", c.Name, code.Hash(), c.Hash)
		}
		loaded[c.Name] = code
	}
	return nil
}

// Names returns the names of the contracts in the manifest, in its order.
func Names() []string {
	return []string{
		codeDNSCollection, codeDNSItem, codeDNSRoot, codeEmitter, codeHostile, codeJettonMaster, codeStuckWallet,
		codeJettonWallet, codeLiarWallet, codeLiarItem, codeLibrarian, codeMintlessMaster, codeMintlessWallet,
		codeMultisig, codeMultisigOrder, codeNFTAuction, codeNFTCollection, codeNFTItem, codeNFTMarket,
		codeNFTSale, codeNominatorPool, codeSBTItem, codeSubscription, codeTelemintCollection, codeTelemintItem,
		codeThrower, codeVestingWallet,
	}
}

// Code returns the code of a contract of the manifest or of a wallet version, by its name; nil for other names.
func Code(name string) *cell.Cell { return codes()[name] }

// LibraryCode returns the library cell that refers to code after its publication on the masterchain.
func LibraryCode(code *cell.Cell) *cell.Cell {
	body := cell.BeginCell().MustStoreUInt(2, 8).MustStoreSlice(code.Hash(), 256)
	library, err := body.EndCellSpecial(true)
	if err != nil {
		panic(fmt.Errorf("library cell: %w", err)) //nolint:forbidigo // the input is of our own making
	}
	return library
}
