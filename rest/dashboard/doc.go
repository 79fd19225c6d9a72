// Package dashboard serves the pages on which merchants see payments and configure webhooks and API keys. The server renders
// the pages from embedded templates; the only script refreshes pages with open payments or deliveries.
//
// The session cookie is HttpOnly and SameSite, with a new token at each sign-in. Every form carries a CSRF token, and
// cross-origin requests are refused. Passwords are stored as argon2id hashes. Attempts are limited by name and by address.
package dashboard
