package manual

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of a search. Longer queries are cut.
const (
	maxQueryBytes = 200
	maxQueryTerms = 8
	maxHits       = 40
	excerptBytes  = 240
)

// hit is a section that contains every term of a query.
type hit struct {
	Path, Page, Title string
	Excerpt           []fragment
	score             int
}

// fragment is a piece of an excerpt; Match marks the terms of the query.
type fragment struct {
	Text  string
	Match bool
}

// queryTerms returns the terms of a query in lower case, bounded.
func queryTerms(query string) []string {
	if len(query) > maxQueryBytes {
		query = query[:maxQueryBytes]
	}
	terms := strings.Fields(strings.ToLower(strings.ToValidUTF8(query, " ")))
	return terms[:min(len(terms), maxQueryTerms)]
}

// search returns the sections that contain all terms, best first: terms in titles weigh more than terms in text.
func search(pages []page, terms []string) []hit {
	if len(terms) == 0 {
		return nil
	}
	var hits []hit
	for i := range pages {
		p := &pages[i]
		pageTitle := strings.ToLower(p.Title)
		for j := range p.sections {
			s := &p.sections[j]
			score := score(s, pageTitle, terms)
			if score == 0 {
				continue
			}
			h := hit{Path: Prefix + p.Path, Page: p.Title, Title: s.title, Excerpt: excerpt(s.text, terms), score: score}
			if s.id != "" {
				h.Path += "#" + s.id
			}
			hits = append(hits, h)
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return b.score - a.score })
	return hits[:min(len(hits), maxHits)]
}

// score is 0 unless each term is in the section, or in the title of its page when another one is in the section.
func score(s *section, pageTitle string, terms []string) int {
	total, inSection := 0, false
	title := strings.ToLower(s.title)
	for _, term := range terms {
		switch {
		case strings.Contains(title, term):
			total += 20
			inSection = true
		case strings.Contains(s.lower, term):
			total += 1 + min(4, strings.Count(s.lower, term))
			inSection = true
		case !strings.Contains(pageTitle, term):
			return 0
		}
		if strings.Contains(pageTitle, term) {
			total += 5
		}
	}
	if !inSection {
		return 0
	}
	return total
}

// excerpt returns a part of a text around the first of the terms, with all of them marked.
func excerpt(text string, terms []string) []fragment {
	lower := strings.ToLower(text)
	if len(lower) != len(text) { // a letter whose lower case has another length: positions differ
		lower = text
	}
	first := len(text)
	for _, term := range terms {
		if at := strings.Index(lower, term); at >= 0 {
			first = min(first, at)
		}
	}
	if first == len(text) {
		first = 0
	}
	from := boundary(text, max(0, first-excerptBytes/3))
	to := boundary(text, min(len(text), from+excerptBytes))
	var list []fragment
	if from > 0 {
		list = append(list, fragment{Text: "… "})
	}
	for from < to {
		at, length := to, 0
		for _, term := range terms {
			if i := strings.Index(lower[from:to], term); i >= 0 && from+i < at {
				at, length = from+i, len(term)
			}
		}
		if at > from {
			list = append(list, fragment{Text: text[from:at]})
		}
		if length > 0 {
			list = append(list, fragment{Text: text[at : at+length], Match: true})
		}
		from = at + length
	}
	if to < len(text) {
		list = append(list, fragment{Text: " …"})
	}
	return list
}

// boundary returns the start of the rune that contains a position.
func boundary(text string, at int) int {
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}
