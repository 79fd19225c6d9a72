// Package wallet reads the data of wallet contracts. A wallet is recognised by its code; what it holds is read from
// its data cell, because the oldest versions have no get-methods.
//
//	_ seqno:uint32 public_key:bits256 = V1Data;                                                          // v1, v2
//	_ seqno:uint32 wallet_id:uint32 public_key:bits256 = V3Data;                                         // v3, highload v1
//	_ seqno:uint32 wallet_id:uint32 public_key:bits256 plugins:(HashmapE 256 True) = V4Data;
//	_ is_signature_allowed:Bool seqno:uint32 wallet_id:uint32 public_key:bits256
//	  extensions:(HashmapE 256 int1) = V5Data;
//	_ seqno:uint33 network_id:int32 workchain:int8 version:uint8 subwallet:uint32 public_key:bits256
//	  extensions:(HashmapE 256 int8) = V5BetaData;
//	_ wallet_id:uint32 last_cleaned:uint64 public_key:bits256 queries:(HashmapE 64 True) = HighloadV2Data;
//	_ public_key:bits256 wallet_id:uint32 old_queries:(HashmapE 13 ^Cell) queries:(HashmapE 13 ^Cell)
//	  last_cleaned:uint64 timeout:uint22 = HighloadV3Data;
//	_ public_key:bits256 seqno:uint16 = PreprocessedV2Data;
//	_ seqno:uint32 wallet_id:uint32 public_key:bits256 whitelist:(HashmapE 264 int1) vesting:^Cell = VestingData;
//
// TON Center reads v5 beta with the layout of v5: the flag is always false and the wallet id is the network's. So do
// we, but the public key is the real one.
package wallet
