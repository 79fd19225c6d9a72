package payment

import (
	"time"

	"tonql/internal/chain"
)

// Role is what a member may do. Each role includes those below it.
type Role uint8

// The roles. The numbers are on disk: never renumber.
const (
	RoleViewer    Role = iota + 1 // reads payments, deliveries and endpoints
	RoleDeveloper                 // also manages endpoints, API keys, payment links and deliveries
	RoleOwner                     // also manages members and the receiving wallet
)

var roleNames = [...]string{"", "viewer", "developer", "owner"}

// String returns the name of the role.
func (r Role) String() string { return roleNames[min(int(r), len(roleNames)-1)] }

// ParseRole returns the role of a name.
func ParseRole(name string) (Role, error) {
	for role := RoleViewer; role <= RoleOwner; role++ {
		if roleNames[role] == name {
			return role, nil
		}
	}
	return 0, chain.Invalidf("a role is viewer, developer or owner, not %s", chain.Quote(name))
}

// Member is a person who works for a merchant. The merchant's own account has the zero value of ID and the role of an owner.
type Member struct {
	ID        int64
	Merchant  int64
	Name      string // empty for the merchant's own account
	Role      Role
	HasLogin  bool // a password is set
	HasTOTP   bool // a second factor is confirmed
	CreatedAt time.Time
}
