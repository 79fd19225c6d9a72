// Package manual serves the documentation at /docs: pages in HTML, made from Markdown, and a search in them. Pages have no
// scripts and send no requests to other hosts.
package manual
