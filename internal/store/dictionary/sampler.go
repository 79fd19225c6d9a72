package dictionary

import "math/rand/v2"

const (
	// firstTrial and trialEvery are the numbers of transactions after which a new dictionary is tried: without one, and with one.
	firstTrial = 1 << 10
	trialEvery = 1 << 16
	// sampleSize is the number of transactions in the sample: every second one is for the next dictionary, the others try it.
	sampleSize = 512
	maxSample  = 4 << 10 // bytes; longer transactions are left out
	// worthwhile is how much shorter, in parts of a hundred, a new dictionary must make the bytes.
	worthwhile = 5
)

// Sampler holds a random sample of the transactions, or of the details of actions, that are written and proposes dictionaries. The zero value is ready. It holds at
// most 2 MiB. It is not safe for concurrent use.
type Sampler struct {
	sample [][]byte
	seen   int // since the last trial
}

// Add offers a transaction to the sample. It copies those that it takes.
func (s *Sampler) Add(boc []byte) {
	s.seen++
	if len(boc) == 0 || len(boc) > maxSample {
		return
	}
	if len(s.sample) < sampleSize {
		s.sample = append(s.sample, append([]byte(nil), boc...))
		return
	}
	// Every transaction since the last trial has the same chance to be in the sample.
	if n := rand.IntN(max(sampleSize, s.seen)); n < sampleSize {
		s.sample[n] = append(s.sample[n][:0], boc...)
	}
}

// Propose returns the content of a dictionary that makes transactions at least a twentieth shorter than present, which may be nil.
// It is nil most of the time: a trial, which takes about a millisecond, is made once in many transactions.
func (s *Sampler) Propose(present *Dictionary) []byte {
	if s.seen < trialEvery && (present != nil || s.seen < firstTrial) {
		return nil
	}
	s.seen = 0
	content := make([]byte, 0, MaxContent)
	for i := 0; i < len(s.sample) && len(content)+len(s.sample[i]) <= MaxContent; i += 2 {
		content = append(content, s.sample[i]...)
	}
	next, err := New(content)
	if err != nil {
		return nil // too few bytes
	}
	before, after := 0, 0
	var buffer []byte
	for i := 1; i < len(s.sample); i += 2 {
		buffer = present.Append(buffer[:0], s.sample[i])
		before += len(buffer)
		buffer = next.Append(buffer[:0], s.sample[i])
		after += len(buffer)
	}
	if after*100 > before*(100-worthwhile) {
		return nil
	}
	return content
}
