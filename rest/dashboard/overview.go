package dashboard

import (
	"net/http"
	"strconv"
	"time"

	"tonql/internal/payment"
	"tonql/internal/store/payments"
)

// rateDays is the number of days over which the overview compares the success rate of today.
const rateDays = 7

// rate formats the share of successful payments among those that ended, "–" without any.
func rate(c payments.Counts) string {
	if c.Ended() == 0 {
		return "–"
	}
	return strconv.FormatFloat(100*float64(c.Success)/float64(c.Ended()), 'f', 1, 64) + " %"
}

// volume is a row of the table of volumes.
type volume struct {
	Amount, Ticker string
	Master         string // "" for the native coin
	Count          int
}

func (d *dashboard) overview(w http.ResponseWriter, r *http.Request, s *session) error {
	ctx, now := r.Context(), d.Now().UTC()
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	sums, err := d.Payments.Volumes(ctx, s.merchant.ID, today)
	if err != nil {
		return err
	}
	volumes := make([]volume, len(sums))
	for i, v := range sums {
		volumes[i] = volume{Amount: payment.FormatAmount(v.Amount, v.Asset.Decimals), Ticker: v.Asset.Ticker, Count: v.Count}
		if v.Asset.Master != nil {
			volumes[i].Master = v.Asset.Master.Friendly(true, d.TestOnly)
		}
	}
	counts, err := d.Payments.Counts(ctx, s.merchant.ID, today)
	if err != nil {
		return err
	}
	week, err := d.Payments.Counts(ctx, s.merchant.ID, today.AddDate(0, 0, 1-rateDays))
	if err != nil {
		return err
	}
	all, present, err := d.endpoints(r, s)
	if err != nil {
		return err
	}
	failedToday, err := d.Payments.Exhausted(ctx, numbers(all[:present]), today)
	if err != nil {
		return err
	}
	failedWeek, err := d.Payments.Exhausted(ctx, numbers(all[:present]), d.Now().Add(-warningAge))
	if err != nil {
		return err
	}
	days, err := d.Payments.PaymentDays(ctx, s.merchant.ID, chartDays)
	if err != nil {
		return err
	}
	latest, err := d.Payments.List(ctx, payments.Filter{Merchant: s.merchant.ID, Limit: recent})
	if err != nil {
		return err
	}
	warnings, err := d.warnings(r, s)
	if err != nil {
		return err
	}
	d.show(w, r, http.StatusOK, "overview", s, view{Title: "Overview", Section: "overview", Live: true, Warnings: warnings, Data: struct {
		Day                     string
		Volumes                 []volume
		Counts, Week            payments.Counts
		Rate, WeekRate          string
		FailedToday, FailedWeek int
		Bars                    []bar
		First, Last             string
		Most                    int
		List                    []payment.Record
		NoEndpoint              bool
	}{
		today.Format(time.DateOnly), volumes, counts, week, rate(counts), rate(week), failedToday, failedWeek, bars(days), days[0].Date,
		days[len(days)-1].Date, busiest(days), latest, present == 0,
	}})
	return nil
}
