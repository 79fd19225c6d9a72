// Package rest is the router: it mounts every HTTP door of the product and what is around them: CORS, request ids, log
// lines, metrics, limits on what is sent to us, the landing page, health and readiness. It gives no answer of its own
// about the chain.
package rest
