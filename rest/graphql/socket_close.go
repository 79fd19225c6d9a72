package graphql

import (
	"github.com/coder/websocket"

	"tonql/rest/live"
)

// The reasons with which a connection is closed, as graphql-transport-ws defines them.
var (
	badMessage     = live.Reason{Code: 4400, Text: "Invalid message received"}
	unauthorized   = live.Reason{Code: 4401, Text: "Unauthorized"}
	unknownKey     = live.Reason{Code: 4401, Text: "API key does not exist"}
	foreignKey     = live.Reason{Code: 4403, Text: "Forbidden: network not allowed"}
	revokedKey     = live.Reason{Code: 4401, Text: "API key was revoked"}
	badSubprotocol = live.Reason{Code: 4406, Text: "Subprotocol not acceptable: use graphql-transport-ws"}
	initTimeout    = live.Reason{Code: 4408, Text: "Connection initialisation timeout"}
	initAgain      = live.Reason{Code: 4429, Text: "Too many initialisation requests"}
	internalError  = live.Reason{Code: websocket.StatusInternalError, Text: "Internal server error"}
	goingAway      = live.Reason{Code: websocket.StatusGoingAway, Text: "Server shuts down"}
	tooSlow        = live.Reason{Code: websocket.StatusTryAgainLater, Text: "Too slow: events were not read in time; resume after the last cursor"}
	tooMany        = live.Reason{Code: websocket.StatusTryAgainLater, Text: "Too many requests; try again later"}
	done           = live.Reason{Code: websocket.StatusNormalClosure, Text: ""}
)

// taken returns the close reason for a second operation with the same id, which contains the id.
func taken(id string) live.Reason {
	const maxID = 64
	if len(id) > maxID {
		id = "operation id"
	}
	return live.Reason{Code: 4409, Text: "Subscriber for " + id + " already exists"}
}
