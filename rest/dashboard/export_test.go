package dashboard

import "tonql/internal/payment"

// Route is a route with the role that it needs, 0 for none.
type Route struct {
	Pattern string
	Need    payment.Role
}

// Routes lists the routes of merchants.
func Routes() (list []Route) {
	for _, r := range (&dashboard{}).table() {
		list = append(list, Route{r.pattern, r.need})
	}
	return list
}
