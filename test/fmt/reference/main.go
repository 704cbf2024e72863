// Formats texts with the reference implementation of HCL: a JSON string a line in, a JSON string a line out.
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go run test/fmt/reference/main.go
package main

import (
	"encoding/json"
	"os"

	"github.com/hashicorp/hcl/v2/hclwrite"
)

func main() {
	given := json.NewDecoder(os.Stdin)
	answers := json.NewEncoder(os.Stdout)
	answers.SetEscapeHTML(false)
	for {
		var text string
		if given.Decode(&text) != nil {
			return
		}
		answers.Encode(string(hclwrite.Format([]byte(text))))
	}
}
