package conformance_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"tonql/graph/exec/conformance"
	"tonql/graph/exec/conformance/inline"
	"tonql/graph/exec/conformance/stock"
)

// The resolvers are the same for both executors.
type (
	personResolver   struct{}
	placeResolver    struct{}
	queryResolver    struct{}
	mutationResolver struct{ calls *int }
)

func (personResolver) Boss(_ context.Context, p *conformance.Person) (*conformance.Person, error) {
	runtime.Gosched()
	if p.Number%6 == 0 {
		return nil, nil
	}
	return conformance.NewPerson(p.Number * 3), nil
}

func (personResolver) Mentor(_ context.Context, p *conformance.Person) (*conformance.Person, error) {
	runtime.Gosched()
	if p.Number%11 == 0 {
		return nil, nil
	}
	return conformance.NewPerson(p.Number + 1), nil
}

func (personResolver) Friends(_ context.Context, p *conformance.Person, first *int, color *conformance.Color) ([]*conformance.Person, error) {
	runtime.Gosched()
	if first == nil {
		return []*conformance.Person{}, nil
	}
	if *first < 0 {
		return nil, errors.New("first must not be negative")
	}
	people := []*conformance.Person{}
	for i := range *first {
		if f := conformance.NewPerson(p.Number*10 + i); color == nil || f.Color() == *color {
			people = append(people, f)
		}
	}
	return people, nil
}

func (personResolver) Secret(_ context.Context, p *conformance.Person) (*string, error) {
	if p.Number%5 == 1 {
		return nil, fmt.Errorf("person %d has no secret", p.Number)
	}
	return new("s"), nil
}

func (personResolver) Strict(_ context.Context, p *conformance.Person) (string, error) {
	if p.Number%13 == 2 {
		return "", fmt.Errorf("person %d is too strict", p.Number)
	}
	return "strict", nil
}

func (personResolver) Things(_ context.Context, p *conformance.Person) ([]conformance.Thing, error) {
	if p.Number%8 == 0 {
		return nil, nil
	}
	return []conformance.Thing{conformance.NewPerson(p.Number + 5), conformance.NewPlace(p.Number)}, nil
}

func (personResolver) Risky(_ context.Context, p *conformance.Person) (*int, error) {
	if p.Number%9 == 4 {
		panic("risky")
	}
	return &p.Number, nil
}

func (placeResolver) People(_ context.Context, p *conformance.Place) ([]*conformance.Person, error) {
	return []*conformance.Person{conformance.NewPerson(p.Number), nil, conformance.NewPerson(p.Number + 2)}, nil
}

func (placeResolver) Owners(_ context.Context, p *conformance.Place) ([]*conformance.Person, error) {
	if p.Number%5 == 0 {
		return []*conformance.Person{conformance.NewPerson(p.Number), nil}, nil
	}
	return []*conformance.Person{conformance.NewPerson(p.Number)}, nil
}

func (queryResolver) Person(_ context.Context, id int) (*conformance.Person, error) {
	if id < 0 {
		return nil, nil
	}
	return conformance.NewPerson(id), nil
}

func (queryResolver) People(_ context.Context, f *conformance.Filter) ([]*conformance.Person, error) {
	if f == nil {
		f = &conformance.Filter{Limit: 1}
	}
	people := []*conformance.Person{}
	for i := range max(0, f.Limit) {
		if p := conformance.NewPerson(i * 17); f.Color == nil || p.Color() == *f.Color {
			people = append(people, p)
		}
	}
	return people, nil
}

func (queryResolver) Place(_ context.Context, city *bool) (*conformance.Place, error) {
	if city != nil && *city {
		return conformance.NewPlace(10), nil
	}
	return conformance.NewPlace(11), nil
}

func (queryResolver) Thing(_ context.Context, c conformance.Color) (conformance.Thing, error) {
	switch c {
	case conformance.Red:
		return conformance.NewPerson(1), nil
	case conformance.Green:
		return conformance.NewPlace(4), nil
	default:
		return nil, nil
	}
}

func (queryResolver) Named(_ context.Context, first int) ([]conformance.Named, error) {
	if first > 3 {
		return nil, errors.New("first must be at most 3")
	}
	return []conformance.Named{conformance.NewPerson(20), conformance.NewPlace(7), conformance.NewPerson(22)}[:max(0, first)], nil
}

func (queryResolver) Echo(_ context.Context, text string, list []int) (string, error) {
	return fmt.Sprint(text, list), nil
}

func (mutationResolver) Rename(_ context.Context, id int, name string) (*conformance.Person, error) {
	p := conformance.NewPerson(id)
	p.Name = name
	return p, nil
}

func (m mutationResolver) Next(context.Context) (int, error) {
	*m.calls++
	return *m.calls, nil
}

// stockRoot and inlineRoot implement the resolver interfaces of the two generated packages with the same resolvers.
type (
	stockRoot  struct{ mutation mutationResolver }
	inlineRoot struct{ mutation mutationResolver }
)

func (stockRoot) Person() stock.PersonResolver       { return personResolver{} }
func (stockRoot) Place() stock.PlaceResolver         { return placeResolver{} }
func (stockRoot) Query() stock.QueryResolver         { return queryResolver{} }
func (r stockRoot) Mutation() stock.MutationResolver { return r.mutation }

func (inlineRoot) Person() inline.PersonResolver       { return personResolver{} }
func (inlineRoot) Place() inline.PlaceResolver         { return placeResolver{} }
func (inlineRoot) Query() inline.QueryResolver         { return queryResolver{} }
func (r inlineRoot) Mutation() inline.MutationResolver { return r.mutation }
