package details

import "tonql/internal/chain"

var layerZeroKinds = []Details{
	&LayerZeroSend{}, &LayerZeroSendTokens{}, &LayerZeroReceive{}, &LayerZeroCommitPacket{}, &LayerZeroDvnVerify{},
}

// LzSend is the set of parameters with which a message was sent to another chain. Fees are in nanotons.
type LzSend struct {
	SendRequestID *Integer       `json:"send_request_id"`
	MsglibManager *string        `json:"msglib_manager"`
	Msglib        *string        `json:"msglib"`
	Uln           *chain.Address `json:"uln"`
	NativeFee     *Integer       `json:"native_fee"`
	ZroFee        *Integer       `json:"zro_fee"`
	Endpoint      *chain.Address `json:"endpoint"`
	Channel       *chain.Address `json:"channel"`
}

// LzPacket is a LayerZero message between chains. Texts are 0x and hexadecimal digits.
type LzPacket struct {
	SrcOapp *string  `json:"src_oapp"`
	DstOapp *string  `json:"dst_oapp"`
	SrcEid  *uint32  `json:"src_eid"`
	DstEid  *uint32  `json:"dst_eid"`
	Nonce   *Integer `json:"nonce"`
	GUID    *string  `json:"guid"`
	Message *string  `json:"message"`
}

// LayerZeroSend is a LayerZero message to another chain.
type LayerZeroSend struct {
	Initiator           *chain.Address `json:"initiator" from:"source"`
	LayerzeroSendData   LzSend         `json:"layerzero_send_data" from:"-"`
	LayerzeroPacketData LzPacket       `json:"layerzero_packet_data" from:"-"`
}

// Kind implements [Details].
func (*LayerZeroSend) Kind() string { return "layerzero_send" }

func (s *LayerZeroSend) complete(r *row) {
	r.layerZero(&s.LayerzeroSendData, &s.LayerzeroPacketData)
}

// LayerZeroSendTokens is a transfer of Jettons to another chain over LayerZero.
type LayerZeroSendTokens struct {
	Sender              *chain.Address `json:"sender" from:"source"`
	SenderWallet        *chain.Address `json:"sender_wallet" from:"source_secondary"`
	Oapp                *chain.Address `json:"oapp" from:"destination"`
	OappWallet          *chain.Address `json:"oapp_wallet" from:"destination_secondary"`
	Asset               *chain.Address `json:"asset"`
	Amount              *Number        `json:"amount"`
	LayerzeroSendData   LzSend         `json:"layerzero_send_data" from:"-"`
	LayerzeroPacketData LzPacket       `json:"layerzero_packet_data" from:"-"`
}

// Kind implements [Details].
func (*LayerZeroSendTokens) Kind() string { return "layerzero_send_tokens" }

func (s *LayerZeroSendTokens) complete(r *row) {
	r.layerZero(&s.LayerzeroSendData, &s.LayerzeroPacketData)
}

// LayerZeroReceive is the delivery of a LayerZero message from another chain.
type LayerZeroReceive struct {
	Sender              *chain.Address `json:"sender" from:"source"`
	Oapp                *chain.Address `json:"oapp" from:"destination"`
	Channel             *chain.Address `json:"channel" from:"destination_secondary"`
	LayerzeroPacketData LzPacket       `json:"layerzero_packet_data" from:"-"`
}

// Kind implements [Details].
func (*LayerZeroReceive) Kind() string { return "layerzero_receive" }

func (p *LayerZeroReceive) complete(r *row) { r.layerZero(nil, &p.LayerzeroPacketData) }

// LayerZeroCommitPacket is the commit of a verified LayerZero message from another chain.
type LayerZeroCommitPacket struct {
	Sender              *chain.Address `json:"sender" from:"source"`
	Endpoint            *chain.Address `json:"endpoint" from:"source_secondary"`
	Uln                 *chain.Address `json:"uln" from:"destination"`
	UlnConnection       *chain.Address `json:"uln_connection" from:"destination_secondary"`
	Channel             *chain.Address `json:"channel" from:"asset"`
	MsglibConnection    *chain.Address `json:"msglib_connection" from:"asset_secondary"`
	LayerzeroPacketData LzPacket       `json:"layerzero_packet_data" from:"-"`
}

// Kind implements [Details].
func (*LayerZeroCommitPacket) Kind() string { return "layerzero_commit_packet" }

func (p *LayerZeroCommitPacket) complete(r *row) {
	r.layerZero(nil, &p.LayerzeroPacketData)
}

// LayerZeroDvnVerify is the verification of a LayerZero message by one decentralized verifier network (DVN).
type LayerZeroDvnVerify struct {
	Initiator     *chain.Address `json:"initiator" from:"source"`
	Nonce         *Integer       `json:"nonce" from:"layerzero_dvn_verify_data."`
	Status        *string        `json:"status" from:"layerzero_dvn_verify_data."`
	Dvn           *chain.Address `json:"dvn" from:"layerzero_dvn_verify_data."`
	Proxy         *chain.Address `json:"proxy" from:"layerzero_dvn_verify_data."`
	Uln           *chain.Address `json:"uln" from:"layerzero_dvn_verify_data."`
	UlnConnection *chain.Address `json:"uln_connection" from:"layerzero_dvn_verify_data."`
}

// Kind implements [Details].
func (*LayerZeroDvnVerify) Kind() string { return "layerzero_dvn_verify" }

func (r *row) layerZero(send *LzSend, packet *LzPacket) {
	if send != nil {
		r.into(send, "layerzero_send_data")
	}
	r.into(packet, "layerzero_packet_data")
}
