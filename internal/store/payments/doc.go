// Package payments stores merchants, their sessions, the transfers that they register, and the webhook events about these
// transfers with their endpoints, deliveries and jobs. A [Matcher] finds registered transfers in traces, in the
// database transaction that writes the traces.
package payments
