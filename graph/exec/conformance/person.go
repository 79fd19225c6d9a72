// Package conformance compares the executor of package exec with the executor that gqlgen generates, on one schema that
// uses each feature of the executor: see the test. Both are generated from schema.graphqls: the one of gqlgen in package
// stock, ours in package inline.
package conformance

import (
	"fmt"
	"math/bits"
	"strconv"
)

//go:generate go tool gqlgen generate --config stock.yml
//go:generate go run ../../generate inline.yml

// Color is an enum of the schema.
type Color int

// The colors, in the order of the schema.
const (
	Red Color = iota
	Green
	Blue
)

// Thing is a [Person] or a [Place].
type Thing interface{ thing() }

// Named is an object with a name.
type Named interface{ named() }

// Person is an object whose fields all follow from its number.
type Person struct {
	Number int
	Name   string
}

func (*Person) thing() {}
func (*Person) named() {}

// Place is an object whose fields all follow from its number.
type Place struct {
	Number int
	City   bool
}

func (*Place) thing() {}
func (*Place) named() {}

// Name returns the name of the place.
func (p *Place) Name() string { return "Place " + strconv.Itoa(p.Number) }

// maxNumber bounds the numbers, so that documents meet the same people on several paths.
const maxNumber = 97

// NewPerson returns the person with a number that depends on n.
func NewPerson(n int) *Person {
	n = int(bits.RotateLeft32(uint32(n)*2654435761, 7) % maxNumber)
	return &Person{Number: n, Name: fmt.Sprintf("Person \"%d\"\n", n)}
}

// NewPlace returns the place with the number n, modulo maxNumber.
func NewPlace(n int) *Place { return &Place{Number: n % maxNumber, City: n%2 == 0} }

// ID returns the id of the person.
func (p *Person) ID() string { return "p" + strconv.Itoa(p.Number) }

// Nick returns nil for every third person.
func (p *Person) Nick() *string {
	if p.Number%3 == 0 {
		return nil
	}
	return new("nick" + strconv.Itoa(p.Number))
}

// Age returns nil for every fourth person.
func (p *Person) Age() *int {
	if p.Number%4 == 0 {
		return nil
	}
	return new(p.Number)
}

// Height returns a fraction.
func (p *Person) Height() float64 { return float64(p.Number) / 8 }

// Color returns one of the colors.
func (p *Person) Color() Color { return Color(p.Number % 3) }

// Tags returns up to three texts.
func (p *Person) Tags() []string { return []string{"a", "é", "<&>"}[:p.Number%4] }

// Notes returns nil for every fifth person, and a list with a null element for others.
func (p *Person) Notes() []*string {
	if p.Number%5 == 0 {
		return nil
	}
	return []*string{nil, new("note")}
}

// Matrix returns rows of different lengths.
func (p *Person) Matrix() [][]int { return [][]int{{}, {1}, {p.Number, -p.Number}}[:p.Number%4] }

// Left reports whether the number is even.
func (p *Person) Left() bool { return p.Number%2 == 0 }

// Home returns nil for every seventh person.
func (p *Person) Home() *Place {
	if p.Number%7 == 0 {
		return nil
	}
	return NewPlace(p.Number)
}

// Filter is an input object of the schema.
type Filter struct {
	Color *Color
	Limit int
	Names []string
}
