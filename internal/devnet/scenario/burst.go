package scenario

import (
	"context"
	"fmt"

	"tonql/internal/devnet/contracts"
)

// burstValue is the value of each transfer of a burst: enough for the receiving wallet's gas.
const burstValue = oneTON / 100

// Burst sends up to n transfers between the burst wallets, up to 255 in each external message. It returns the number of
// transfers sent, which is below n when all wallets wait for the confirmation of their last message: call it again after
// the next block.
func (s *Scenario) Burst(ctx context.Context, n int) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	head := s.chain.Head()
	if head == nil {
		return 0, nil
	}
	v, err := newView(s.chain, head)
	if err != nil {
		return 0, fmt.Errorf("burst: %w", err)
	}
	sent := 0
	for i := range s.cast.burst {
		if sent >= n {
			break
		}
		count, err := s.burstOf(ctx, v, i, n-sent)
		if err != nil {
			return sent, fmt.Errorf("burst: %w", err)
		}
		sent += count
	}
	return sent, nil
}

// BurstCapacity is the number of transfers that one call of [Scenario.Burst] can send at most.
func BurstCapacity() int { return burstCount * contracts.V5R1.MaxMessages() }

// burstOf sends up to limit transfers from the i-th wallet; none while its last message is not confirmed.
func (s *Scenario) burstOf(ctx context.Context, v *view, i, most int) (int, error) {
	w := s.cast.burst[i]
	acc, err := v.account(w.Address)
	if err != nil || !acc.active || acc.balance < oneTON {
		return 0, err
	}
	seqno, err := w.Seqno(acc.data)
	if err != nil {
		return 0, err
	}
	if last, waiting := s.inFlight[i]; waiting && seqno <= last {
		return 0, nil
	}
	count := min(most, w.Version.MaxMessages())
	orders := make([]contracts.Order, count)
	for j := range orders {
		to := s.cast.burst[(i+1+j)%burstCount].Address
		orders[j].Message = contracts.Transfer(to, burstValue, "")
	}
	ticket := contracts.Ticket{Seqno: seqno, ValidUntil: v.block.GenUtime + externalLife}
	ext, err := w.External(ticket, orders...)
	if err != nil {
		return 0, err
	}
	accepted := s.stats.Externals
	if err = s.send(ctx, ext); err != nil || s.stats.Externals == accepted {
		return 0, err
	}
	s.inFlight[i] = seqno
	return count, nil
}
