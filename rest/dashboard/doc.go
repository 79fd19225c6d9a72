// Package dashboard serves the pages on which merchants see payments and configure webhooks and API keys. The server renders
// the pages from embedded templates; one script refreshes pages with open payments or deliveries. Pages of buyers have a second one, when
// there is a list of wallets: it connects to a wallet by TON Connect. It is written in app/ (TypeScript) and built into dist/ with
// `make connect`; dist is committed and embedded, so that building tonql needs no Node.
//
// The session cookie is HttpOnly and SameSite, with a new token at each sign-in. Every form carries a CSRF token, and
// cross-origin requests are refused. Passwords are stored as argon2id hashes. Attempts are limited by name and by address.
package dashboard
