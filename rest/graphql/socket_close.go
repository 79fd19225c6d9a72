package graphql

import "github.com/coder/websocket"

// closeReason is the code and the reason with which a connection is closed, as graphql-transport-ws defines them. Reasons
// have at most 123 bytes.
type closeReason struct {
	code   websocket.StatusCode
	reason string
}

var (
	badMessage     = closeReason{4400, "Invalid message received"}
	unauthorized   = closeReason{4401, "Unauthorized"}
	unknownKey     = closeReason{4401, "API key does not exist"}
	foreignKey     = closeReason{4403, "Forbidden: network not allowed"}
	revokedKey     = closeReason{4401, "API key was revoked"}
	badSubprotocol = closeReason{4406, "Subprotocol not acceptable: use graphql-transport-ws"}
	initTimeout    = closeReason{4408, "Connection initialisation timeout"}
	initAgain      = closeReason{4429, "Too many initialisation requests"}
	internalError  = closeReason{websocket.StatusInternalError, "Internal server error"}
	goingAway      = closeReason{websocket.StatusGoingAway, "Server shuts down"}
	tooSlow        = closeReason{websocket.StatusTryAgainLater, "Too slow: events were not read in time; resume after the last cursor"}
	tooMany        = closeReason{websocket.StatusTryAgainLater, "Too many requests; try again later"}
	done           = closeReason{websocket.StatusNormalClosure, ""}
)

// taken returns the close reason for a second operation with the same id, which contains the id.
func taken(id string) closeReason {
	const maxID = 64
	if len(id) > maxID {
		id = "operation id"
	}
	return closeReason{4409, "Subscriber for " + id + " already exists"}
}
