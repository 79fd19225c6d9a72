// Package getmethod has the arguments and results of the get-methods of published standards, and prints what get-methods return
// by these types: addresses, amounts of coins, times, texts, dictionaries.
//
// methods.tsv has one form of a method per line: name, arguments, results. The form of a method with several ones follows from its result,
// see [Method.Results]. The forms come from the schemas of tongo (github.com/tonkeeper/tongo/abi, MIT) and the TEPs. To add one,
// add a line in the order of names.
package getmethod
