// Package verdicts has the outcomes of executing indexed transactions again: their counts, differing results, and executions that exceeded
// their budget.
package verdicts
