package feed

import (
	"sync"

	"tonql/internal/chain"
)

// mostAnswers bounds the memory for finished answers of one batch, in bytes. Beyond it everybody makes their own.
const mostAnswers = 1 << 20

// answers are what events of a batch look like in the words of those who asked: a thousand pages that show the same list
// ask in the same words.
type answers struct {
	mu    sync.Mutex
	bytes int
	made  map[question]*answer
}

type question struct {
	event chain.Cursor
	words string
}

type answer struct {
	mu   sync.Mutex
	done bool
	data []byte
}

// Answer gives the event in the form that words stand for, made once for all who ask in the same words. What produce does
// not want to be shared is made for everyone anew.
func (e *Event) Answer(words string, produce func() (data []byte, share bool)) []byte {
	a := e.Batch.shared.find(question{e.Cursor, words})
	if a == nil {
		data, _ := produce()
		return data
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.done {
		return a.data
	}
	data, share := produce()
	if share {
		a.done, a.data = true, data
		e.Batch.shared.grown(len(data))
	}
	return data
}

func (s *answers) find(q question) *answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a, ok := s.made[q]; ok {
		return a
	}
	if s.bytes > mostAnswers {
		return nil
	}
	if s.made == nil {
		s.made = map[question]*answer{}
	}
	const overhead = 256 // of a place in the map
	s.bytes += overhead
	a := &answer{}
	s.made[q] = a
	return a
}

func (s *answers) grown(n int) {
	s.mu.Lock()
	s.bytes += n
	s.mu.Unlock()
}
