// Package webhook tells merchants what became of payments. Events and jobs are written by the indexer's transactions; here
// the jobs are worked on: the stored bytes of an event are signed and sent to the merchant's endpoint until a 2xx comes
// back or the schedule is at its end, and every attempt is written down.
//
// Each endpoint has a queue of its own, with a bound of attempts at once, so that a receiver that hangs keeps nobody
// else waiting. An endpoint that only fails is left alone for a while: its queue stands still and what is in it waits.
//
// Delivery is at least once. A receiver tells repetitions by the header webhook-id, which is the same over all attempts,
// repetitions by hand and replays. Events of one payment go out in their order.
package webhook
