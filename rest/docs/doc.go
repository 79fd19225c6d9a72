// Package docs serves the documentation page of an API: the operations of its OpenAPI document, each with an example from the index
// that can be changed and sent. It also builds such documents from text. The page sends requests to this server only.
package docs
