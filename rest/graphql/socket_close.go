package graphql

import "github.com/coder/websocket"

// Why a connection of graphql-transport-ws is closed. The reasons are those of the protocol, at most 123 bytes.
type farewell struct {
	code   websocket.StatusCode
	reason string
}

var (
	badMessage     = farewell{4400, "Invalid message received"}
	unauthorized   = farewell{4401, "Unauthorized"}
	unknownKey     = farewell{4401, "API key does not exist"}
	foreignKey     = farewell{4403, "Forbidden: network not allowed"}
	revokedKey     = farewell{4401, "API key was revoked"}
	badSubprotocol = farewell{4406, "Subprotocol not acceptable: graphql-transport-ws is spoken here"}
	initTimeout    = farewell{4408, "Connection initialisation timeout"}
	initAgain      = farewell{4429, "Too many initialisation requests"}
	ranInto        = farewell{websocket.StatusInternalError, "Internal server error"}
	goingAway      = farewell{websocket.StatusGoingAway, "Server goes away"}
	tooSlow        = farewell{websocket.StatusTryAgainLater, "Too slow: events were not read in time; go on with the last cursor"}
	tooMany        = farewell{websocket.StatusTryAgainLater, "Too many requests; try again later"}
	done           = farewell{websocket.StatusNormalClosure, ""}
)

// taken is how a second operation of one id is answered. The protocol wants the id in the reason.
func taken(id string) farewell {
	const most = 64
	if len(id) > most {
		id = "operation id"
	}
	return farewell{4409, "Subscriber for " + id + " already exists"}
}
