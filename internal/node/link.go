package node

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/validator"
)

// checkBackward checks a link to an older block: the state after the newer one lists it.
func checkBackward(from chain.BlockIDExt, l ton.BlockLinkBackward) (to chain.BlockIDExt, isKey bool, err error) {
	to = fromTL(l.To)
	if fromTL(l.From) != from || to.BlockID != master(to.Seqno) || to.Seqno >= from.Seqno {
		return to, false, errors.New("a backward link joins other blocks")
	}
	headerProof, err := parseProof(l.Proof)
	if err != nil {
		return to, false, fmt.Errorf("block proof: %w", err)
	}
	stateProof, err := parseProof(l.StateProof)
	if err != nil {
		return to, false, fmt.Errorf("state proof: %w", err)
	}
	extra, err := ton.CheckShardMcStateExtraProof(toTL(from), []*cell.Cell{headerProof, stateProof})
	if err != nil {
		return to, false, err
	}
	old, isKey, err := oldBlock(extra, to.Seqno)
	if err != nil {
		return to, false, err
	}
	if old != to {
		return to, false, fmt.Errorf("the masterchain state lists another block %d", to.Seqno)
	}
	return to, isKey, nil
}

// oldBlock finds a masterchain block in the list of earlier blocks of a masterchain state.
func oldBlock(extra *tlb.McStateExtra, seqno uint32) (id chain.BlockIDExt, isKey bool, err error) {
	var info tlb.McStateExtraBlockInfo
	loader, err := extra.Info.BeginParse()
	if err != nil {
		return id, false, fmt.Errorf("masterchain state: %w", err)
	}
	if err := tlb.LoadFromCellAsProof(&info, loader); err != nil {
		return id, false, fmt.Errorf("masterchain state: %w", err)
	}
	value, _, err := info.PrevBlocks.LoadValueExtraByIntKey(big.NewInt(int64(seqno)))
	if err != nil {
		return id, false, fmt.Errorf("old block %d: %w", seqno, err)
	}
	var ref tlb.KeyExtBlkRef
	if err := tlb.LoadFromCellAsProof(&ref, value); err != nil {
		return id, false, fmt.Errorf("old block %d: %w", seqno, err)
	}
	id = chain.BlockIDExt{
		BlockID:  master(ref.BlkRef.SeqNo),
		RootHash: chain.HashFrom(ref.BlkRef.RootHash),
		FileHash: chain.HashFrom(ref.BlkRef.FileHash),
	}
	return id, ref.IsKey, nil
}

// checkForward checks a link to a newer block: the validators listed in the older one, a key block or the zerostate,
// signed it. The signatures of a block that is proven already are not checked again.
func checkForward(from chain.BlockIDExt, l ton.BlockLinkForward, t *trust) (b provenBlock, err error) {
	to := fromTL(l.To)
	b.id = to
	if fromTL(l.From) != from || to.BlockID != master(to.Seqno) || to.Seqno <= from.Seqno {
		return b, errors.New("a forward link joins other blocks")
	}
	proof, err := parseProof(l.DestProof)
	if err != nil {
		return b, fmt.Errorf("header proof: %w", err)
	}
	block, err := ton.CheckBlockProof(proof, to.RootHash[:])
	if err != nil {
		return b, fmt.Errorf("header proof: %w", err)
	}
	header := &block.BlockInfo
	if err := checkPlace(header, to); err != nil {
		return b, err
	}
	if header.NotMaster || header.KeyBlock != l.ToKeyBlock {
		return b, errors.New("the signed block is of another kind than the link says")
	}
	b.isKey = header.KeyBlock
	if t.isProven(to) {
		return b, nil
	}
	params, err := signersConfig(from, l.ConfigProof)
	if err != nil {
		return b, err
	}
	if err := checkSignatures(to, header, params, l.SignatureSet); err != nil {
		return b, err
	}
	if err := checkForm(from, header, params, l.SignatureSet); err != nil {
		return b, err
	}
	b.signed = true
	return b, nil
}

// signersConfig opens the configuration in a proof of a key block or of the zerostate.
func signersConfig(from chain.BlockIDExt, boc []byte) (*cell.Dictionary, error) {
	proof, err := parseProof(boc)
	if err != nil {
		return nil, fmt.Errorf("config proof: %w", err)
	}
	if from.Seqno == 0 {
		return zerostateConfig(from, proof)
	}
	block, err := ton.CheckBlockProof(proof, from.RootHash[:])
	if err != nil {
		return nil, fmt.Errorf("config proof: %w", err)
	}
	if block.Extra == nil || block.Extra.Custom == nil || block.Extra.Custom.ConfigParams == nil {
		return nil, errors.New("a forward link starts from a block that lists no validators")
	}
	return block.Extra.Custom.ConfigParams.Config.Params, nil
}

// zerostateConfig opens the configuration in a proof of the zerostate, whose root hash is that of the state itself.
func zerostateConfig(zero chain.BlockIDExt, proof *cell.Cell) (*cell.Dictionary, error) {
	body, err := cell.UnwrapProof(proof, zero.RootHash[:])
	if err != nil {
		return nil, fmt.Errorf("config proof of the zerostate: %w", err)
	}
	var state tlb.ShardStateUnsplit
	if err := loadProof(&state, body); err != nil {
		return nil, fmt.Errorf("config proof of the zerostate: %w", err)
	}
	if state.McStateExtra == nil {
		return nil, errors.New("the zerostate has no configuration")
	}
	var extra tlb.McStateExtra
	if err := loadProof(&extra, state.McStateExtra); err != nil {
		return nil, fmt.Errorf("config proof of the zerostate: %w", err)
	}
	return extra.ConfigParams.Config.Params, nil
}

// checkSignatures checks that enough of the listed validators signed the block.
func checkSignatures(to chain.BlockIDExt, header *tlb.BlockHeader, params *cell.Dictionary, set any) error {
	session, err := validator.MasterSession(params, header.GenCatchainSeqno)
	if err != nil {
		return err
	}
	if session.ListHash != header.GenValidatorListHashShort {
		return errors.New("the block is of another validator session than the configuration says")
	}
	switch sigs := set.(type) {
	case ton.SignatureSet:
		return sameSession(session, sigs.CatchainSeqno, sigs.ValidatorSetHash, func() error { return session.Verify(signedID(to), sigs.Signatures) })
	case ton.SignatureSetOrdinary:
		return sameSession(session, sigs.CatchainSeqno, sigs.ValidatorSetHash, func() error { return session.Verify(signedID(to), sigs.Signatures) })
	case ton.SignatureSetSimplex:
		return sameSession(session, sigs.CCSeqno, sigs.ValidatorSetHash, func() error { return checkSimplex(to, session, sigs) })
	default:
		return fmt.Errorf("signature set of type %T", set)
	}
}

// sameSession compares the validator session that the signatures name with that of the block.
func sameSession(session *validator.Session, seqno, listHash int32, check func() error) error {
	if uint32(seqno) != session.CatchainSeqno || uint32(listHash) != session.ListHash {
		return errors.New("the signatures are of another validator session than the block")
	}
	return check()
}

// signedID is what validators sign to confirm a block: its hashes, as ton.blockId#c50b6e70.
func signedID(id chain.BlockIDExt) []byte {
	b := binary.LittleEndian.AppendUint32(make([]byte, 0, 68), 0xc50b6e70)
	return append(append(b, id.RootHash[:]...), id.FileHash[:]...)
}

// loadProof parses a cell of a proof, in which parts that do not matter may be cut off.
func loadProof(into any, c *cell.Cell) error {
	loader, err := c.BeginParse()
	if err != nil {
		return err
	}
	return tlb.LoadFromCellAsProof(into, loader)
}
