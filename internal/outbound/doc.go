// Package outbound sends HTTP requests to addresses that strangers chose: a token's metadata, a subscriber's webhook.
//
// Such an address may be written to make this program talk to what only it can reach: itself, its neighbours, the cloud's
// metadata service. Nothing in the text of an address can be trusted to tell, because names resolve to what their owner
// likes and servers redirect. So the decision falls where it cannot be evaded: at each connect, on the address the
// socket is about to use. What can be seen in the text is refused earlier, for a clearer answer and no traffic at all.
//
// The answer is bounded in every direction: time from the first DNS question to the last byte, bytes of headers, bytes of
// body before and after decompression, redirects. Nothing of ours goes along: no proxy of the environment, no cookies,
// no credentials, no referrer.
package outbound
