package v2

import (
	"math"
	"net/http"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

func blockSignatures(c *call) error {
	seqno := c.p.seqno("seqno")
	c.p.required("seqno", seqno != nil)
	if err := c.p.end(); err != nil {
		return err
	}
	s, err := c.svc.BlockSignatures(c.ctx, *seqno)
	if err != nil {
		return err
	}
	kind := "blocks.blockSignatures"
	if s.SessionID != nil {
		kind += ".simplex"
	}
	b := handler.AppendString(append(c.b, `{"@type":`...), kind)
	b = append(appendBlockID(append(b, `,"id":`...), s.ID), `,"signatures":[`...)
	for i := range s.Signatures {
		if i > 0 {
			b = append(b, ',')
		}
		b = handler.AppendHash(append(b, `{"@type":"blocks.signature","node_id_short":`...), &s.Signatures[i].NodeIDShort)
		b = append(appendBOC(append(b, `,"signature":`...), s.Signatures[i].Signature), '}')
	}
	b = append(b, ']')
	if s.SessionID != nil {
		b = handler.AppendHash(append(b, `,"session_id":`...), s.SessionID)
		b = handler.AppendInt(append(b, `,"slot":`...), int32(s.Slot))
		b = appendBOC(append(b, `,"candidate":`...), s.Candidate)
	}
	c.b = append(b, '}')
	return nil
}

func shardBlockProof(c *call) error {
	workchain, shard := c.p.place()
	seqno := c.p.seqno("seqno")
	c.p.required("seqno", seqno != nil)
	var from *uint32
	if v := c.p.integer("from_seqno", 0, math.MaxInt32); v != nil {
		from = new(uint32(*v))
	}
	if err := c.p.end(); err != nil {
		return err
	}
	p, err := c.svc.ShardBlockProof(c.ctx, chain.BlockSearch{Workchain: workchain, Shard: shard, Seqno: seqno}, from)
	if err != nil {
		if chain.KindOf(err) == chain.Invalid { // the parameters are valid, but there is no such proof
			return &statusError{status: http.StatusInternalServerError, text: chain.PublicMessage(err), cause: err}
		}
		return err
	}
	b := appendBlockID(append(c.b, `{"@type":"blocks.shardBlockProof","from":`...), p.From)
	b = append(appendBlockID(append(b, `,"mc_id":`...), p.Master), `,"links":[`...)
	for i, link := range p.Links {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendBlockID(append(b, `{"@type":"blocks.shardBlockLink","id":`...), link.ID)
		b = append(appendBOC(append(b, `,"proof":`...), link.Proof), '}')
	}
	b = append(b, `],"mc_proof":[`...)
	if l := p.Back; l != nil {
		b = handler.AppendBool(append(b, `{"@type":"blocks.blockLinkBack","to_key_block":`...), l.ToKeyBlock)
		b = appendBlockID(append(b, `,"from":`...), l.From)
		b = appendBlockID(append(b, `,"to":`...), l.To)
		b = appendBOC(append(b, `,"dest_proof":`...), l.DestProof)
		b = appendBOC(append(b, `,"proof":`...), l.Proof)
		b = append(appendBOC(append(b, `,"state_proof":`...), l.StateProof), '}')
	}
	c.b = append(b, "]}"...)
	return nil
}

func queueSizes(c *call) error {
	if err := c.p.end(); err != nil {
		return err
	}
	sizes, err := c.svc.QueueSizes(c.ctx)
	if err != nil {
		return err
	}
	b := append(c.b, `{"@type":"blocks.outMsgQueueSizes","shards":[`...)
	for i, queue := range sizes.Shards {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendBlockID(append(b, `{"@type":"blocks.outMsgQueueSize","id":`...), queue.ID)
		b = append(handler.AppendUint(append(b, `,"size":`...), queue.Size), '}')
	}
	c.b = append(handler.AppendUint(append(b, `],"ext_msg_queue_size_limit":`...), sizes.Limit), '}')
	return nil
}

func shardAccountCell(c *call) error {
	account := c.p.address("address")
	seqno := c.p.seqno("seqno")
	if err := c.p.end(); err != nil {
		return err
	}
	root, err := c.svc.ShardAccount(c.ctx, account, seqno)
	if err == nil {
		c.b = append(appendCell(append(c.b, `{"@type":"tvm.cell","bytes":`...), root), '}')
	}
	return err
}
