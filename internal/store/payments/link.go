package payments

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/payment"
	"tonql/internal/store/sqlbuild"
)

// Limits of payment links.
const (
	maxLinks = 500 // open ones of a merchant
	// maxOpenOfLink bounds the pending payments of a link before their expiry. All links together have at most half of what the
	// merchant may have, so that the visitors of pages cannot use up what the shop's server needs.
	maxOpenOfLink = 1000
)

const (
	linkColumns = `l.id, l.merchant_id, l.page, l.title, l.master, l.ticker, l.decimals, l.amount, l.recipient, l.recipient_wallet,
		l.recipient_text, l.asset_text, l.once, l.created_at, l.closed_at`
	// A link that is used once has few payments; the count of the others is not needed to decide anything.
	paidOfLink = `(SELECT count(*) FROM payment_pages g JOIN payments p ON p.reference = g.reference WHERE g.link_id = l.id AND p.status = 1)`

	selectLinkByPage = `SELECT ` + linkColumns + `, CASE WHEN l.once THEN ` + paidOfLink + ` ELSE 0 END FROM payment_links l WHERE l.page = $1`
	selectLinks      = `SELECT ` + linkColumns + `, ` + paidOfLink + ` FROM payment_links l WHERE l.merchant_id = $1 AND ($2::bigint = 0 OR l.id < $2)
		ORDER BY l.id DESC LIMIT $3`
	countLinks = `SELECT count(*) FROM payment_links WHERE merchant_id = $1 AND closed_at IS NULL`
	insertLink = `INSERT INTO payment_links (merchant_id, page, title, master, ticker, decimals, amount, recipient, recipient_wallet,
		recipient_text, asset_text, once) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING id`
	closeLink = `UPDATE payment_links SET closed_at = now() WHERE merchant_id = $1 AND id = $2 AND closed_at IS NULL`

	// Payments that are started at one link wait for one another, so that a link that is used once has one open payment.
	lockLink         = `SELECT closed_at IS NULL FROM payment_links WHERE id = $1 FOR UPDATE`
	selectOpenOfOnce = `SELECT g.page FROM payment_pages g JOIN payments p ON p.reference = g.reference
		WHERE g.link_id = $1 AND (p.status = 1 OR p.status = 0 AND p.expires_at > now()) ORDER BY p.status DESC, g.created_at DESC, g.reference LIMIT 1`
	insertPage      = `INSERT INTO payment_pages (reference, page, merchant_id, link_id) VALUES ($1, $2, $3, nullif($4::bigint, 0))`
	countOpenOfLink = `SELECT count(*) FROM payment_pages g JOIN payments p ON p.reference = g.reference
		WHERE g.link_id = $1 AND g.created_at > $2 AND p.status = 0 AND p.expires_at > now()`
	countOpenOfLinks = `SELECT count(*), (SELECT max_open / 2 FROM merchants WHERE id = $1) FROM payment_pages g JOIN payments p ON p.reference = g.reference
		WHERE g.merchant_id = $1 AND g.link_id IS NOT NULL AND g.created_at > $2 AND p.status = 0 AND p.expires_at > now()`

	selectPaymentOfPage = selectPayments + ` JOIN payment_pages g ON g.reference = p.reference WHERE g.page = $1`
	selectPageOf        = `SELECT g.page, coalesce(l.page, '') FROM payment_pages g LEFT JOIN payment_links l ON l.id = g.link_id WHERE g.reference = $1`
)

func scanLink(r *sqlbuild.Row, l *payment.Link) {
	l.ID, l.Merchant, l.Page, l.Title = r.Int8(), r.Int8(), r.Text(), r.Text()
	l.Asset.Master = r.SetAddress(new(chain.Address))
	l.Asset.Ticker, l.Asset.Decimals = r.Text(), int(r.Int2())
	l.Amount, l.Recipient = r.Numeric(), r.Address()
	l.RecipientWallet = r.SetAddress(new(chain.Address))
	l.RecipientText, l.AssetText, l.Once, l.CreatedAt = r.Text(), r.Text(), r.Bool(), r.Time()
	if r.Present(0) {
		l.ClosedAt = new(r.Time())
	} else {
		r.Skip(1)
	}
	l.Paid = int(r.Int8())
}

func (s *Store) links(ctx context.Context, query string, args ...any) ([]payment.Link, error) {
	rows, err := s.pool.Query(ctx, query, args...)
	if err != nil {
		return nil, sqlbuild.Fault(ctx, "payment links", err)
	}
	list, err := sqlbuild.ReadAll(rows, 8, scanLink)
	return list, sqlbuild.Fault(ctx, "payment links", err)
}

// Links lists the payment links of a merchant, the newest first, older than the link before, 0 for the newest.
func (s *Store) Links(ctx context.Context, merchant, before int64, limit int) ([]payment.Link, error) {
	return s.links(ctx, selectLinks, merchant, before, limit)
}

// LinkByPage finds a payment link by the id of its page, with the number of payments only if it is used once. NotFound when there is
// none.
func (s *Store) LinkByPage(ctx context.Context, page string) (*payment.Link, error) {
	list, err := s.links(ctx, selectLinkByPage, page)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, chain.NotFoundf("there is no such page")
	}
	return &list[0], nil
}

// CreateLink adds a payment link and sets its ID. A [payment.FullError] when the merchant has as many open ones as it may have.
func (s *Store) CreateLink(ctx context.Context, l *payment.Link) error {
	var master, wallet []byte
	if l.Asset.Master != nil {
		master = l.Asset.Master.Bytes()
	}
	if l.RecipientWallet != nil {
		wallet = l.RecipientWallet.Bytes()
	}
	return s.transaction(ctx, "payment link", func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockMerchant, l.Merchant); err != nil {
			return err
		}
		var open int
		if err := tx.QueryRow(ctx, countLinks, l.Merchant).Scan(&open); err != nil {
			return err
		}
		if open >= maxLinks {
			return &payment.FullError{Limit: maxLinks, Of: "open payment links", Remedy: "close one first"}
		}
		err := tx.QueryRow(ctx, insertLink, l.Merchant, l.Page, l.Title, master, l.Asset.Ticker, l.Asset.Decimals, l.Amount.String(), l.Recipient.Bytes(),
			wallet, l.RecipientText, l.AssetText, l.Once).Scan(&l.ID)
		if err != nil {
			return err
		}
		return s.note(ctx, tx, l.Merchant, "payment link "+l.Title+" made")
	})
}

// CloseLink lets a payment link start no further payments. NotFound when the merchant has no such open link.
func (s *Store) CloseLink(ctx context.Context, merchant, id int64) error {
	return s.transaction(ctx, "payment link", func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, closeLink, merchant, id)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return chain.NotFoundf("there is no such open link")
		}
		return s.note(ctx, tx, merchant, "payment link closed")
	})
}

// StartPayment registers a payment without a registered sender, which [payment.PrepareOpen] completed, under the id of its page. At a link
// that is used once it returns the id of the page of the payment that is open or paid already, if there is one. The link is nil for a
// payment without one. A [payment.FullError] when there are as many open payments as there may be, NotFound when the link is closed.
func (s *Store) StartPayment(ctx context.Context, merchant int64, l *payment.Link, t *payment.Transfer, page string) (opened string, err error) {
	opened = page
	err = s.transaction(ctx, "payment", func(tx pgx.Tx) error {
		var link int64
		if l != nil {
			link = l.ID
			existing, err := openOfLink(ctx, tx, l)
			if err != nil {
				return err
			}
			if existing != "" {
				opened = existing
				return nil
			}
		}
		if _, err := tx.Exec(ctx, insertPayment, paymentArgs(merchant, t)...); err != nil {
			return openFault(err)
		}
		if _, err := tx.Exec(ctx, insertPage, t.Reference, page, merchant, link); err != nil {
			return err
		}
		if l == nil {
			return nil
		}
		// The trigger of payments lets registrations of the merchant wait for one another, so that counts are exact.
		return checkOpen(ctx, tx, l, t.CreatedAt.Add(t.CreatedAt.Sub(t.ExpiresAt)))
	})
	return opened, err
}

// openOfLink locks a link. It returns the page of the payment that a link that is used once has already, "" for none.
func openOfLink(ctx context.Context, tx pgx.Tx, l *payment.Link) (page string, err error) {
	var open bool
	if err := tx.QueryRow(ctx, lockLink, l.ID).Scan(&open); err != nil {
		return "", err
	}
	if !open {
		return "", chain.NotFoundf("this link is closed")
	}
	if !l.Once {
		return "", nil
	}
	rows, err := tx.Query(ctx, selectOpenOfOnce, l.ID)
	if err != nil {
		return "", err
	}
	err = sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) { page = r.Text() })
	return page, err
}

// checkOpen returns an error when a link, or all links of the merchant, have more open payments than they may have. Payments before since
// have expired.
func checkOpen(ctx context.Context, tx pgx.Tx, l *payment.Link, since time.Time) error {
	var open, limit int
	if err := tx.QueryRow(ctx, countOpenOfLink, l.ID, since).Scan(&open); err != nil {
		return err
	}
	if open > maxOpenOfLink {
		return fullOfOpen(maxOpenOfLink)
	}
	if err := tx.QueryRow(ctx, countOpenOfLinks, l.Merchant, since).Scan(&open, &limit); err != nil {
		return err
	}
	if open > limit {
		return fullOfOpen(limit)
	}
	return nil
}

func fullOfOpen(limit int) error {
	return &payment.FullError{Limit: limit, Of: "open registrations", Remedy: "they end when they are paid, fail or expire"}
}

func openFault(err error) error {
	if limit, full := sqlbuild.LimitOf(err); full {
		return fullOfOpen(limit)
	}
	return err
}

// PaymentOfPage finds the payment of a page. NotFound when there is none.
func (s *Store) PaymentOfPage(ctx context.Context, page string) (*payment.Record, error) {
	return s.onePayment(ctx, selectPaymentOfPage, page)
}

// PageOf returns the id of the page of a payment, and that of the link that started it; "" for none.
func (s *Store) PageOf(ctx context.Context, reference string) (page, link string, err error) {
	rows, err := s.pool.Query(ctx, selectPageOf, reference)
	if err != nil {
		return "", "", sqlbuild.Fault(ctx, "page", err)
	}
	err = sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) { page, link = r.Text(), r.Text() })
	return page, link, sqlbuild.Fault(ctx, "page", err)
}
