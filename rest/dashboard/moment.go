package dashboard

import (
	"html/template"
	"time"
)

// moment returns a time in UTC as an element, to which the script of the page adds the time in the zone of the browser.
func moment(t time.Time) template.HTML {
	t = t.UTC()
	return template.HTML(`<time datetime="` + t.Format(time.RFC3339) + `">` + t.Format("2006-01-02 15:04:05") + ` UTC</time>`) //nolint:gosec // digits and separators
}
