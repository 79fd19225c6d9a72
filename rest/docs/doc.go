// Package docs serves the documentation page of an API: Swagger UI with its OpenAPI document, where requests can be tried
// out. It also builds such documents from text. The page is embedded in the binary and sends requests to this server only.
package docs
