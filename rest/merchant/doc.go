// Package merchant is the merchant API at /api/merchant/v1. POST create-transfer registers a transfer and returns the
// message that the payer's wallet signs; GET transfer returns the status of a transfer. Paths, fields and responses are
// those that the public SDK for payments uses.
//
// A merchant's key (header x-api-key) creates and reads transfers only, so pages may contain it. Without a key a message is
// built but not registered: no webhook is sent and the transfer has no status.
package merchant
