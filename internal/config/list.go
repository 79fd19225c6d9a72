package config

import "go.yaml.in/yaml/v3"

// flowList is a list that is written on one line: [a, b].
type flowList []string

// MarshalYAML implements [yaml.Marshaler].
func (l flowList) MarshalYAML() (any, error) {
	var node yaml.Node
	if err := node.Encode([]string(l)); err != nil {
		return nil, err
	}
	node.Style = yaml.FlowStyle
	return &node, nil
}
