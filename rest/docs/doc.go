// Package docs is the page that shows an interface to people: its OpenAPI document as Swagger UI, where requests can be
// tried. The page comes from the binary and talks to this server only.
package docs
