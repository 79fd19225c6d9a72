package payments

// Statements are the lookups and lists of the dashboard, by the names that the tests use.
var Statements = map[string]string{
	"volumes":               selectVolumes,
	"counts":                selectCounts,
	"refunds":               selectRefunds,
	"sums of refunds":       selectRefundSums,
	"stored refunds":        selectRefunded,
	"links":                 selectLinks,
	"link by page":          selectLinkByPage,
	"open links":            countLinks,
	"open payment of once":  selectOpenOfOnce,
	"open of a link":        countOpenOfLink,
	"open of all links":     countOpenOfLinks,
	"payment of a page":     selectPaymentOfPage,
	"page of a payment":     selectPageOf,
	"members":               selectMembers,
	"member":                selectMember,
	"password of a member":  selectMemberPassword,
	"session of a member":   selectMemberSession,
	"second factor":         selectTOTP,
	"recovery codes":        countRecovery,
	"matching, and refunds": selectMatching,
}
