// Package tracing sends spans of requests to an OpenTelemetry collector by OTLP over HTTP.
//
// A trace has the HTTP request, the operations of the APIs in it, and the statements of the database and the queries to
// liteservers that these made. Names and attributes are those of the program: routes, methods, statements without values, classes
// of errors. Nothing that a client sends is in a span, except the id of the request.
//
// Recording never waits for the receiver. Without a trace in the context, every function of this package returns at once and
// allocates nothing.
package tracing
