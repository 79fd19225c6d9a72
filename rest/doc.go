// Package rest is the HTTP router. It mounts the APIs and pages of the gateway and adds CORS, request ids, request logs,
// metrics, size limits, rate limits, the landing page, health and readiness. It returns no chain data itself.
package rest
