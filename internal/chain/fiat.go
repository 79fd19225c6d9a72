package chain

// FiatRates are prices in a currency of states, from the source that the operator has configured.
type FiatRates struct {
	Currency  string // code, such as USD
	UpdatedAt uint32 // unix time at which the source was written
	TON       *string
	Tokens    []FiatRate // ascending by account
}

// FiatRate is the price of one token.
type FiatRate struct {
	Account Address // the Jetton master
	Price   string  // decimal digits
}
