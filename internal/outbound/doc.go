// Package outbound sends HTTP requests to untrusted addresses: the metadata of a token, the webhook of a merchant.
//
// Such an address may aim at servers that only this program can reach: itself, its network, the cloud's metadata service
// (server-side request forgery). The text of an address does not show that, because its owner controls what the name resolves
// to, and servers redirect. The check is therefore made at each connect, on the address that the socket will use. Addresses
// whose text is enough are refused earlier, with a clearer error and without traffic.
//
// Responses are bounded: time from the first DNS query to the last byte, bytes of headers, bytes of the body before and after
// decompression, redirects. Requests carry no proxy settings of the environment, no cookies, no credentials and no referrer.
package outbound
