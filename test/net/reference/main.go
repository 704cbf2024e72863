// What a configuration of Terraform makes of policies, by the reference implementation of its language: for each line with a
// folder and a program, all root modules below that folder are evaluated, and their policies printed as a line of JSON.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

type request struct{ Folder, Program string }

type policy struct {
	Name        string              `json:"name"`
	Identities  []string            `json:"identities"`
	Resources   []map[string]string `json:"resources"`
	Permissions map[string][]entry  `json:"permissions"`
}

type entry struct {
	Action string `json:"action"`
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<26)
	for in.Scan() {
		var asked request
		if err := json.Unmarshal(in.Bytes(), &asked); err != nil {
			panic(err)
		}
		policies, err := deployed(asked.Folder, asked.Program)
		out := map[string]any{"policies": policies}
		if err != nil {
			out = map[string]any{"error": err.Error()}
		}
		line, _ := json.Marshal(out)
		fmt.Println(string(line))
	}
}

// What the root modules below a folder describe: the folders that no other one calls.
func deployed(top, program string) ([]policy, error) {
	// A folder that has files for OpenTofu alone is applied with it.
	folders := map[string]string{}
	err := filepath.WalkDir(top, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && isConfiguration(entry.Name(), "tofu") {
			folder := filepath.Dir(path)
			if isConfiguration(entry.Name(), "terraform") {
				folders[folder] = program
			} else if folders[folder] == "" {
				folders[folder] = "tofu"
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	called := map[string]bool{}
	found := map[string][]policy{}
	failed := map[string]error{}
	names := make([]string, 0, len(folders))
	for folder := range folders {
		names = append(names, folder)
	}
	sort.Strings(names)
	for _, folder := range names {
		policies, calls, err := evaluated(folder, folders[folder], nil)
		found[folder] = policies
		failed[folder] = err
		for _, each := range calls {
			called[each] = true
		}
	}
	all := []policy{}
	for _, folder := range names {
		if called[folder] {
			continue
		}
		if err := failed[folder]; err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		all = append(all, found[folder]...)
	}
	return all, nil
}

func isConfiguration(name, program string) bool {
	if strings.HasPrefix(name, ".") {
		return false
	}
	for _, ending := range []string{".tf", ".tf.json"} {
		if strings.HasSuffix(name, ending) {
			return true
		}
	}
	return program == "tofu" && (strings.HasSuffix(name, ".tofu") || strings.HasSuffix(name, ".tofu.json"))
}

var schema = &hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{
	{Type: "resource", LabelNames: []string{"type", "name"}}, {Type: "variable", LabelNames: []string{"name"}},
	{Type: "module", LabelNames: []string{"name"}}, {Type: "locals"},
}}

// One module: what it describes, and the folders of the modules it calls.
func evaluated(folder, program string, inputs map[string]cty.Value) ([]policy, []string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, nil, err
	}
	names := map[string]bool{}
	for _, each := range entries {
		names[each.Name()] = true
	}
	blocks := map[string]hcl.Attributes{}
	order := []string{}
	for _, isOverride := range []bool{false, true} {
		for _, each := range entries {
			name := each.Name()
			stem := strings.TrimSuffix(name, ".json")
			instead := strings.TrimSuffix(stem, ".tf") + ".tofu" + strings.TrimPrefix(name, stem)
			if !isConfiguration(name, program) || (program == "tofu" && strings.HasSuffix(stem, ".tf") && names[instead]) {
				continue
			}
			base := strings.TrimSuffix(strings.TrimSuffix(stem, ".tf"), ".tofu")
			if (base == "override" || strings.HasSuffix(base, "_override")) != isOverride {
				continue
			}
			body, err := parsed(filepath.Join(folder, name))
			if err != nil {
				return nil, nil, err
			}
			content, _, diags := body.PartialContent(schema)
			if diags.HasErrors() {
				return nil, nil, diags
			}
			for i, block := range content.Blocks {
				attributes, diags := block.Body.JustAttributes()
				if diags.HasErrors() {
					return nil, nil, diags
				}
				key := block.Type + "." + strings.Join(block.Labels, ".")
				if block.Type == "locals" {
					key = fmt.Sprintf("locals.%s.%d", name, i)
				}
				if blocks[key] == nil {
					blocks[key] = hcl.Attributes{}
					order = append(order, key)
				}
				for name, attribute := range attributes {
					blocks[key][name] = attribute
				}
			}
		}
	}
	ctx := &hcl.EvalContext{Functions: functions(folder), Variables: map[string]cty.Value{
		"path": cty.ObjectVal(map[string]cty.Value{"module": cty.StringVal(folder), "root": cty.StringVal(folder)}),
	}}
	if inputs == nil {
		if inputs, err = values(folder, entries, ctx); err != nil {
			return nil, nil, err
		}
	}
	variables := map[string]cty.Value{}
	locals := map[string]hcl.Expression{}
	for _, key := range order {
		if name, is := strings.CutPrefix(key, "variable."); is {
			value, given := inputs[name]
			if attribute := blocks[key]["default"]; !given && attribute != nil {
				var diags hcl.Diagnostics
				if value, diags = attribute.Expr.Value(ctx); diags.HasErrors() {
					return nil, nil, diags
				}
				given = true
			}
			if !given {
				value = cty.DynamicVal
			}
			if attribute := blocks[key]["type"]; attribute != nil && given {
				// The only type that the repositories use.
				if value, err = convert.Convert(value, cty.List(cty.String)); err != nil {
					return nil, nil, err
				}
			}
			variables[name] = value
		} else if strings.HasPrefix(key, "locals.") {
			for name, attribute := range blocks[key] {
				locals[name] = attribute.Expr
			}
		}
	}
	ctx.Variables["var"] = cty.ObjectVal(variables)
	known := map[string]cty.Value{}
	for range locals {
		for name, expression := range locals {
			if value, diags := expression.Value(ctx); !diags.HasErrors() {
				known[name] = value
			}
		}
		ctx.Variables["local"] = cty.ObjectVal(known)
	}
	policies := []policy{}
	calls := []string{}
	for _, key := range order {
		attributes := blocks[key]
		if strings.HasPrefix(key, "resource.svc_iam_policy.") {
			made, err := instances(attributes, ctx)
			if err != nil {
				return nil, nil, err
			}
			policies = append(policies, made...)
		} else if strings.HasPrefix(key, "module.") {
			source, diags := attributes["source"].Expr.Value(nil)
			if diags.HasErrors() {
				return nil, nil, fmt.Errorf("%s: %v", key, diags)
			}
			// What is not in the repository is not read here: what it makes is in no side that is compared.
			if !strings.HasPrefix(source.AsString(), ".") {
				continue
			}
			given := map[string]cty.Value{}
			for name, attribute := range attributes {
				if name == "source" {
					continue
				}
				if given[name], diags = attribute.Expr.Value(ctx); diags.HasErrors() {
					return nil, nil, diags
				}
			}
			target := filepath.Join(folder, source.AsString())
			inner, deeper, err := evaluated(target, program, given)
			if err != nil {
				return nil, nil, err
			}
			policies = append(policies, inner...)
			calls = append(append(calls, target), deeper...)
		}
	}
	return policies, calls, nil
}

func parsed(path string) (hcl.Body, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file *hcl.File
	var diags hcl.Diagnostics
	if strings.HasSuffix(path, ".json") {
		file, diags = hcljson.Parse(text, path)
	} else {
		file, diags = hclsyntax.ParseConfig(text, path, hcl.InitialPos)
	}
	if diags.HasErrors() {
		return nil, diags
	}
	return file.Body, nil
}

// The values that the files of a root module give to its variables.
func values(folder string, entries []os.DirEntry, ctx *hcl.EvalContext) (map[string]cty.Value, error) {
	order := []string{"terraform.tfvars", "terraform.tfvars.json"}
	for _, each := range entries {
		if strings.HasSuffix(each.Name(), ".auto.tfvars") || strings.HasSuffix(each.Name(), ".auto.tfvars.json") {
			order = append(order, each.Name())
		}
	}
	given := map[string]cty.Value{}
	for _, name := range order {
		path := filepath.Join(folder, name)
		if _, err := os.Stat(path); err != nil {
			continue
		}
		body, err := parsed(path)
		if err != nil {
			return nil, err
		}
		attributes, diags := body.JustAttributes()
		if diags.HasErrors() {
			return nil, diags
		}
		for name, attribute := range attributes {
			if given[name], diags = attribute.Expr.Value(ctx); diags.HasErrors() {
				return nil, diags
			}
		}
	}
	return given, nil
}

// The policies of one resource: one, as many as `count` says, or one for each of `for_each`.
func instances(attributes hcl.Attributes, ctx *hcl.EvalContext) ([]policy, error) {
	contexts := []*hcl.EvalContext{ctx}
	if attribute := attributes["count"]; attribute != nil {
		value, diags := attribute.Expr.Value(ctx)
		if diags.HasErrors() {
			return nil, diags
		}
		count, _ := value.AsBigFloat().Int64()
		contexts = nil
		for ; count > 0; count-- {
			contexts = append(contexts, ctx)
		}
	}
	if attribute := attributes["for_each"]; attribute != nil {
		value, diags := attribute.Expr.Value(ctx)
		if diags.HasErrors() {
			return nil, diags
		}
		contexts = nil
		for it := value.ElementIterator(); it.Next(); {
			key, each := it.Element()
			inner := ctx.NewChild()
			inner.Variables = map[string]cty.Value{"each": cty.ObjectVal(map[string]cty.Value{"key": key, "value": each})}
			contexts = append(contexts, inner)
		}
	}
	made := []policy{}
	for _, each := range contexts {
		one := policy{Permissions: map[string][]entry{}, Resources: []map[string]string{}}
		for name, attribute := range attributes {
			if name == "count" || name == "for_each" {
				continue
			}
			value, diags := attribute.Expr.Value(each)
			if diags.HasErrors() {
				return nil, diags
			}
			if name == "name" {
				one.Name = value.AsString()
				continue
			}
			texts, err := textsOf(value)
			if err != nil {
				return nil, err
			}
			switch name {
			case "identities":
				one.Identities = texts
			case "resources":
				for _, urn := range texts {
					one.Resources = append(one.Resources, map[string]string{"urn": urn})
				}
			default:
				for _, action := range texts {
					one.Permissions[name] = append(one.Permissions[name], entry{action})
				}
			}
		}
		made = append(made, one)
	}
	return made, nil
}

func textsOf(value cty.Value) ([]string, error) {
	list, err := convert.Convert(value, cty.List(cty.String))
	if err != nil {
		return nil, err
	}
	text, err := ctyjson.Marshal(list, list.Type())
	if err != nil {
		return nil, err
	}
	texts := []string{}
	return texts, json.Unmarshal(text, &texts)
}

func functions(folder string) map[string]function.Function {
	file := function.New(&function.Spec{
		Params: []function.Parameter{{Name: "path", Type: cty.String}},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(given []cty.Value, _ cty.Type) (cty.Value, error) {
			path := given[0].AsString()
			if !filepath.IsAbs(path) {
				path = filepath.Join(folder, path)
			}
			text, err := os.ReadFile(path)
			return cty.StringVal(string(text)), err
		},
	})
	return map[string]function.Function{
		"file": file, "format": stdlib.FormatFunc, "jsondecode": stdlib.JSONDecodeFunc, "length": stdlib.LengthFunc, "split": stdlib.SplitFunc,
		"trimspace": stdlib.TrimSpaceFunc,
	}
}
