// Package webhook delivers payment events to merchants. The indexer's transactions write events and jobs; this package
// works on the jobs: it signs the stored bytes of an event and sends them to the merchant's endpoint until the receiver
// responds with 2xx or the schedule of retries ends. It records every attempt.
//
// Each endpoint has its own queue with a limit of concurrent attempts, so that a receiver that hangs delays no other
// endpoint. The queue of an endpoint that fails repeatedly is paused for a while.
//
// Delivery is at least once. The header webhook-id identifies an event; it is the same in all attempts, repetitions by
// hand and replays. Events of one payment are delivered in order.
package webhook
