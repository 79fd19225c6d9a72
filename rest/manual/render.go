package manual

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Prefix is the path of the documentation.
const Prefix = "/docs"

// page is a rendered file.
type page struct {
	Path     string // below Prefix, such as /quick-start
	Title    string
	Body     template.HTML
	Headings []heading // of the second level, for the list at the top
	sections []section
}

type heading struct{ ID, Title string }

// section is what a search finds: the text from one heading to the next.
type section struct {
	id, title string // of the heading; the id of the page's first section is empty
	text      string // without markup, one line
	lower     string // of title and text, to search in
}

// pagePath returns the path of the page of a file, below Prefix.
func pagePath(file string) string { return "/" + strings.TrimSuffix(path.Base(file), ".md") }

// render converts a file of the documentation.
func render(files fs.FS, file string) (page, error) {
	source, err := fs.ReadFile(files, file)
	if err != nil {
		return page{}, err
	}
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	root := md.Parser().Parse(text.NewReader(source))
	p := page{Path: pagePath(file)}
	if err := errors.Join(p.read(root, source), redirectLinks(files, file, root, source)); err != nil {
		return page{}, fmt.Errorf("%s: %w", file, err)
	}
	var body bytes.Buffer
	if err := md.Renderer().Render(&body, source, root); err != nil {
		return page{}, fmt.Errorf("%s: %w", file, err)
	}
	// Wide tables and listings scroll in themselves, and the keyboard reaches them. Markup within text is escaped.
	html := strings.NewReplacer(
		"<table>", `<div class="wide" tabindex="0"><table>`, "</table>", "</table></div>", "<pre>", `<pre tabindex="0">`,
	).Replace(body.String())
	p.Body = template.HTML(html) //nolint:gosec // our own text; raw HTML in it is left out by goldmark
	return p, nil
}

// read collects title, headings and sections.
func (p *page) read(root ast.Node, source []byte) error {
	var current section
	var content strings.Builder
	end := func() {
		current.text = strings.Join(strings.Fields(content.String()), " ")
		current.lower = strings.ToLower(current.title + " " + current.text)
		p.sections = append(p.sections, current)
		content.Reset()
	}
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok {
			content.WriteString(plain(n, source))
			content.WriteByte(' ')
			continue
		}
		title, id := strings.TrimSpace(plain(h, source)), ""
		if v, ok := h.AttributeString("id"); ok {
			id = fmt.Sprintf("%s", v)
		}
		switch {
		case h.Level == 1 && p.Title == "":
			p.Title, current.title = title, title
			continue
		case h.Level == 1:
			return fmt.Errorf("a second title: %s", title)
		case h.Level == 2:
			p.Headings = append(p.Headings, heading{ID: id, Title: title})
		}
		end()
		current = section{id: id, title: title}
	}
	end()
	if p.Title == "" {
		return errors.New("no title")
	}
	return nil
}

// plain returns the text of a node without markup.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no errors
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(source))
				if n.SoftLineBreak() || n.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				b.Write(n.Value)
			}
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			if entering {
				for i := range n.Lines().Len() {
					line := n.Lines().At(i)
					b.Write(line.Value(source))
				}
			}
		default:
			if !entering && n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// redirectLinks makes links to other files of the documentation links to their pages. A link to a file outside of it, which
// the binary does not have, becomes text.
func redirectLinks(files fs.FS, file string, root ast.Node, source []byte) error {
	var outside []*ast.Link
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		link, ok := n.(*ast.Link)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		to, err := url.Parse(string(link.Destination))
		if err != nil {
			return ast.WalkStop, fmt.Errorf("link %s of %q: %w", link.Destination, plain(link, source), err)
		}
		if to.IsAbs() || to.Host != "" || to.Path == "" || strings.HasPrefix(to.Path, "/") {
			return ast.WalkContinue, nil
		}
		target := path.Join(path.Dir(file), to.Path)
		if _, err := fs.Stat(files, target); err != nil {
			outside = append(outside, link)
			return ast.WalkContinue, nil
		}
		to.Path = Prefix + "/" + path.Base(target)
		if strings.HasSuffix(target, ".md") {
			to.Path = Prefix + pagePath(target)
		}
		link.Destination = []byte(to.String())
		return ast.WalkContinue, nil
	})
	for _, link := range outside {
		parent := link.Parent()
		for child := link.FirstChild(); child != nil; {
			next := child.NextSibling()
			parent.InsertBefore(parent, link, child)
			child = next
		}
		parent.RemoveChild(parent, link)
	}
	return err
}
