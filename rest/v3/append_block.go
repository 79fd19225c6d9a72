package v3

import (
	"math/bits"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

// appendBlock appends a Block with its members in the published order.
func appendBlock(b []byte, k *chain.Block) []byte {
	b = appendPlace(append(b, '{'), k.BlockID)
	b = handler.AppendHash(append(b, `,"root_hash":`...), &k.RootHash)
	b = handler.AppendHash(append(b, `,"file_hash":`...), &k.FileHash)
	b = handler.AppendInt(append(b, `,"global_id":`...), k.GlobalID)
	b = handler.AppendUint(append(b, `,"version":`...), k.Version)
	b = handler.AppendBool(append(b, `,"after_merge":`...), k.AfterMerge)
	b = handler.AppendBool(append(b, `,"before_split":`...), k.BeforeSplit)
	b = handler.AppendBool(append(b, `,"after_split":`...), k.AfterSplit)
	b = handler.AppendBool(append(b, `,"want_merge":`...), k.WantMerge)
	b = handler.AppendBool(append(b, `,"want_split":`...), k.WantSplit)
	b = handler.AppendBool(append(b, `,"key_block":`...), k.KeyBlock)
	b = handler.AppendBool(append(b, `,"vert_seqno_incr":`...), k.VertSeqnoIncr)
	b = handler.AppendUint(append(b, `,"flags":`...), k.Flags)
	b = handler.AppendDecimal(append(b, `,"gen_utime":`...), k.GenUtime)
	b = handler.AppendDecimal(append(b, `,"start_lt":`...), k.StartLT)
	b = handler.AppendDecimal(append(b, `,"end_lt":`...), k.EndLT)
	b = handler.AppendInt(append(b, `,"validator_list_hash_short":`...), int32(k.ValidatorListHashShort)) // published as signed
	b = handler.AppendUint(append(b, `,"gen_catchain_seqno":`...), k.GenCatchainSeqno)
	b = handler.AppendUint(append(b, `,"min_ref_mc_seqno":`...), k.MinRefMcSeqno)
	b = handler.AppendUint(append(b, `,"prev_key_block_seqno":`...), k.PrevKeyBlockSeqno)
	b = handler.AppendUint(append(b, `,"vert_seqno":`...), k.VertSeqno)
	var masterRef uint32 // 0 for masterchain blocks, as published
	if k.MasterRefSeqno != nil {
		masterRef = *k.MasterRefSeqno
	}
	b = handler.AppendUint(append(b, `,"master_ref_seqno":`...), masterRef)
	b = handler.AppendHash(append(b, `,"rand_seed":`...), &k.RandSeed)
	b = handler.AppendHash(append(b, `,"created_by":`...), &k.CreatedBy)
	b = handler.AppendInt(append(b, `,"tx_count":`...), k.TxCount)
	master := chain.BlockID{Workchain: chain.MasterchainID, Shard: chain.FullShard, Seqno: k.McSeqno}
	b = appendBlockID(append(b, `,"masterchain_block_ref":`...), master)
	b = append(b, `,"prev_blocks":[`...)
	for i, prev := range k.PrevBlocks {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendBlockID(b, prev)
	}
	return append(b, "]}"...)
}

func appendBlockID(b []byte, id chain.BlockID) []byte {
	return append(appendPlace(append(b, '{'), id), '}')
}

func appendPlace(b []byte, id chain.BlockID) []byte {
	b = handler.AppendInt(append(b, `"workchain":`...), id.Workchain)
	b = appendShard(append(b, `,"shard":"`...), id.Shard)
	return handler.AppendUint(append(b, `","seqno":`...), id.Seqno)
}

// appendShard appends upper-case hex without leading zeros.
func appendShard(b []byte, s chain.Shard) []byte {
	const digits = "0123456789ABCDEF"
	shift := max(0, (bits.Len64(uint64(s))-1)&^3)
	for ; shift >= 0; shift -= 4 {
		b = append(b, digits[s>>shift&15])
	}
	return b
}
