package conformance

import (
	_ "embed"
	"html/template"
	"io"
)

//go:embed report.html
var page string

// pageTemplate escapes everything that the server sent.
var pageTemplate = template.Must(template.New("report").Parse(page))

// WriteHTML writes the report as one page without scripts and external parts.
func (r *Report) WriteHTML(w io.Writer, version string) error {
	return pageTemplate.Execute(w, struct {
		*Report

		Version                 string
		Passed, Failed, Skipped int
	}{r, version, r.Count(Pass), r.Count(Fail), r.Count(Skip)})
}
