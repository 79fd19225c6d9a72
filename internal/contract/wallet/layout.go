package wallet

import (
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// field is one part of a wallet's data.
type field uint8

const (
	seqno32 field = iota
	seqno16
	walletID
	publicKey
	flag      // is_signature_allowed
	skipped8  // the revision of Telegram's wallet
	skipped64 // last_cleaned
	skipped48 // the rest of v5 beta's wallet id
)

// The layouts, up to the last field we show.
var (
	layoutV1           = []field{seqno32, publicKey}
	layoutV3           = []field{seqno32, walletID, publicKey} // of v4 and vesting wallets too
	layoutV5           = []field{flag, seqno32, walletID, publicKey}
	layoutV5Beta       = []field{flag, seqno32, walletID, skipped48, publicKey}
	layoutHighloadV2   = []field{walletID, skipped64, publicKey}
	layoutHighloadV3   = []field{publicKey, walletID}
	layoutPreprocessed = []field{publicKey, seqno16}
	layoutTelegram     = []field{skipped8, seqno32, walletID, publicKey} // later revisions append fields
)

// layouts are the wallets by the name of their interface.
var layouts = map[string][]field{
	"wallet_v1r1": layoutV1, "wallet_v1r2": layoutV1, "wallet_v1r3": layoutV1,
	"wallet_v2r1": layoutV1, "wallet_v2r2": layoutV1,
	"wallet_v3r1": layoutV3, "wallet_v3r2": layoutV3,
	"wallet_v4r1": layoutV3, "wallet_v4r2": layoutV3,
	"wallet_v5_beta": layoutV5Beta, "wallet_v5r1": layoutV5,
	"wallet_highload_v1r1": layoutV3, "wallet_highload_v1r2": layoutV3,
	"wallet_highload_v2": layoutHighloadV2, "wallet_highload_v2r1": layoutHighloadV2,
	"wallet_highload_v2r2": layoutHighloadV2, "wallet_highload_v3r1": layoutHighloadV3,
	"wallet_preprocessed_v2": layoutPreprocessed,
	"wallet_vesting":         layoutV3,
	"wallet_tg":              layoutTelegram,
}

// read fills in info from the data; an error when they are too short.
func read(data *cell.Cell, layout []field, info *chain.WalletInfo) error {
	s, err := data.BeginParse()
	if err != nil {
		return chain.Invalidf("wallet data cannot be read")
	}
	for _, f := range layout {
		if err := f.read(s, info); err != nil {
			return chain.Invalidf("wallet data are cut short")
		}
	}
	return nil
}

func (f field) read(s *cell.Slice, info *chain.WalletInfo) error {
	switch f {
	case seqno32:
		return load32(s, 32, &info.Seqno)
	case seqno16:
		return load32(s, 16, &info.Seqno)
	case walletID:
		return load32(s, 32, &info.WalletID)
	case flag:
		allowed, err := s.LoadBoolBit()
		info.IsSignatureAllowed = &allowed
		return err
	case publicKey:
		key, err := s.LoadSlice(256)
		if err == nil {
			h := chain.HashFrom(key)
			info.PublicKey = &h
		}
		return err
	case skipped8:
		return s.SkipBits(8)
	case skipped64:
		return s.SkipBits(64)
	case skipped48:
		return s.SkipBits(48)
	}
	return nil
}

func load32(s *cell.Slice, bits uint, to **uint32) error {
	n, err := s.LoadUInt(bits)
	if err == nil {
		v := uint32(n)
		*to = &v
	}
	return err
}
