package dashboard

import (
	"net/http"
	"strconv"
	"strings"

	"tonql/internal/chain"
	"tonql/internal/payment"
)

// listedLink is a row of the list of payment links.
type listedLink struct {
	payment.Link

	URL, Price, State string
}

// linkForm has what a user entered into the form of a payment link.
type linkForm struct {
	Title, Amount, Asset string
	Once                 bool
}

func (d *dashboard) links(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.showLinks(w, r, s, http.StatusOK, linkForm{Asset: payment.Native}, view{})
}

func (d *dashboard) showLinks(w http.ResponseWriter, r *http.Request, s *session, status int, form linkForm, v view) error {
	before, _ := strconv.ParseInt(r.URL.Query().Get("before"), 10, 64) // anything else is the first page
	list, err := d.Payments.Links(r.Context(), s.merchant.ID, max(before, 0), perPage)
	if err != nil {
		return err
	}
	rows := make([]listedLink, len(list))
	for i := range list {
		l := &list[i]
		rows[i] = listedLink{Link: *l, URL: d.origin(r) + PayPrefix + "/" + l.Page, Price: price(l.Amount, l.Asset), State: "open"}
		switch {
		case l.ClosedAt != nil:
			rows[i].State = "closed"
		case l.Ended():
			rows[i].State = "paid"
		}
	}
	more := ""
	if len(list) == perPage {
		more = Prefix + "/links?before=" + strconv.FormatInt(list[len(list)-1].ID, 10)
	}
	v.Title, v.Section = "Payment links", "links"
	v.Data = struct {
		List   []listedLink
		Form   linkForm
		More   string
		Assets []string
	}{rows, form, more, s.merchant.Assets}
	d.show(w, r, status, "links", s, v)
	return nil
}

func (d *dashboard) addLink(w http.ResponseWriter, r *http.Request, s *session) error {
	form := linkForm{
		Title: strings.TrimSpace(r.PostFormValue("title")), Amount: strings.TrimSpace(r.PostFormValue("amount")),
		Asset: strings.TrimSpace(r.PostFormValue("asset")), Once: r.PostFormValue("once") != "",
	}
	if err := d.admit(s, "link", maxMade); err != nil {
		return err
	}
	l, err := d.newLink(r, s, form)
	if err == nil {
		err = d.Payments.CreateLink(r.Context(), l)
	}
	if isInvalid(err) || chain.KindOf(err) == chain.NotFound && err != nil {
		return d.showLinks(w, r, s, http.StatusBadRequest, form, view{Error: chain.PublicMessage(err)})
	}
	if err != nil {
		return err
	}
	return redirect(w, r, "/links")
}

// newLink returns the payment link of a form. Its recipient is the merchant's default wallet, which only owners change.
func (d *dashboard) newLink(r *http.Request, s *session, form linkForm) (*payment.Link, error) {
	l := &payment.Link{
		Merchant: s.merchant.ID, Page: payment.NewPage(), Title: form.Title, Asset: payment.NativeAsset(), AssetText: payment.Native,
		RecipientText: s.merchant.Wallet, Once: form.Once,
	}
	if err := payment.CheckName("title", form.Title, true); err != nil {
		return nil, err
	}
	if l.RecipientText == "" {
		return nil, chain.Invalidf("there is no default wallet to pay to: an owner sets it on the page of the account")
	}
	var err error
	if l.Recipient, err = payment.ParseWallet(l.RecipientText); err != nil {
		return nil, err
	}
	if form.Asset != payment.Native && form.Asset != "" {
		if err := d.jettonLink(r, l, form.Asset); err != nil {
			return nil, err
		}
	}
	if !s.merchant.Accepts(l.Asset) {
		return nil, chain.Invalidf("the merchant does not take payments in %s", chain.Quote(form.Asset))
	}
	if l.Amount, err = payment.ParseAmount(form.Amount, l.Asset.Decimals); err != nil {
		return nil, err
	}
	if l.Asset.Master == nil && l.Amount.BitLen() > 63 {
		return nil, chain.Invalidf("the amount is larger than the supply of coins")
	}
	return l, nil
}

func (d *dashboard) jettonLink(r *http.Request, l *payment.Link, asset string) error {
	master, err := chain.ParseAddress(asset)
	if err != nil {
		return chain.Invalidf("an asset is %s or the address of a Jetton master, not %s", payment.Native, chain.Quote(asset))
	}
	if d.Jettons == nil {
		return chain.Invalidf("payment links in Jettons need the index")
	}
	if l.Asset, err = d.Jettons.Asset(r.Context(), master); err != nil {
		return err
	}
	wallet, err := d.Jettons.Wallet(r.Context(), master, l.Recipient)
	if err != nil {
		return err
	}
	l.AssetText, l.RecipientWallet = asset, &wallet
	return nil
}

func (d *dashboard) closeLink(w http.ResponseWriter, r *http.Request, s *session) error {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return notYours("link")
	}
	if err := d.Payments.CloseLink(r.Context(), s.merchant.ID, id); err != nil {
		return err
	}
	return redirect(w, r, "/links")
}
