package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

func to(t cty.Type) function.Function { return stdlib.MakeToFunc(t) }

func main() {
	_ = convert.Convert
	funcs := map[string]function.Function{
		"abs": stdlib.AbsoluteFunc, "ceil": stdlib.CeilFunc, "floor": stdlib.FloorFunc, "log": stdlib.LogFunc, "max": stdlib.MaxFunc, "min": stdlib.MinFunc,
		"parseint": stdlib.ParseIntFunc, "pow": stdlib.PowFunc, "signum": stdlib.SignumFunc,
		"chomp": stdlib.ChompFunc, "format": stdlib.FormatFunc, "formatlist": stdlib.FormatListFunc, "indent": stdlib.IndentFunc, "join": stdlib.JoinFunc,
		"lower": stdlib.LowerFunc, "regex": stdlib.RegexFunc, "regexall": stdlib.RegexAllFunc, "split": stdlib.SplitFunc, "strrev": stdlib.ReverseFunc,
		"substr": stdlib.SubstrFunc, "title": stdlib.TitleFunc, "trim": stdlib.TrimFunc, "trimprefix": stdlib.TrimPrefixFunc, "trimsuffix": stdlib.TrimSuffixFunc,
		"trimspace": stdlib.TrimSpaceFunc, "upper": stdlib.UpperFunc,
		"chunklist": stdlib.ChunklistFunc, "coalescelist": stdlib.CoalesceListFunc, "compact": stdlib.CompactFunc, "concat": stdlib.ConcatFunc,
		"contains": stdlib.ContainsFunc, "distinct": stdlib.DistinctFunc, "element": stdlib.ElementFunc, "flatten": stdlib.FlattenFunc, "keys": stdlib.KeysFunc,
		"merge": stdlib.MergeFunc, "range": stdlib.RangeFunc, "reverse": stdlib.ReverseListFunc, "setintersection": stdlib.SetIntersectionFunc,
		"setproduct": stdlib.SetProductFunc, "setsubtract": stdlib.SetSubtractFunc, "setunion": stdlib.SetUnionFunc, "slice": stdlib.SliceFunc, "sort": stdlib.SortFunc,
		"values": stdlib.ValuesFunc, "zipmap": stdlib.ZipmapFunc,
		"csvdecode": stdlib.CSVDecodeFunc, "jsondecode": stdlib.JSONDecodeFunc, "jsonencode": stdlib.JSONEncodeFunc, "formatdate": stdlib.FormatDateFunc, "timeadd": stdlib.TimeAddFunc,
		"tostring": to(cty.String), "tonumber": to(cty.Number), "tobool": to(cty.Bool), "toset": to(cty.Set(cty.DynamicPseudoType)), "tolist": to(cty.List(cty.DynamicPseudoType)), "tomap": to(cty.Map(cty.DynamicPseudoType)),
		"try": tryfunc.TryFunc, "can": tryfunc.CanFunc, "replace": stdlib.ReplaceFunc,
	}
	ctx := &hcl.EvalContext{Functions: funcs, Variables: map[string]cty.Value{}}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<26)
	for in.Scan() {
		var text string
		if err := json.Unmarshal(in.Bytes(), &text); err != nil {
			panic(err)
		}
		fmt.Println(answer(text, ctx))
	}
}

func answer(text string, ctx *hcl.EvalContext) (out string) {
	defer func() {
		if r := recover(); r != nil {
			out = `{"error":"panic"}`
		}
	}()
	// As the value of an attribute, so that texts of several lines may end with a line break.
	file, diags := hclsyntax.ParseConfig([]byte("it = "+text+"\n"), "main.tf", hcl.InitialPos)
	if diags.HasErrors() {
		return `{"error":"syntax"}`
	}
	attrs, diags := file.Body.JustAttributes()
	if diags.HasErrors() {
		return `{"error":"syntax"}`
	}
	attr, ok := attrs["it"]
	if !ok || len(attrs) != 1 {
		return `{"error":"syntax"}`
	}
	v, diags := attr.Expr.Value(ctx)
	if diags.HasErrors() {
		m, _ := json.Marshal(diags[0].Summary + ": " + diags[0].Detail)
		return `{"error":` + string(m) + `}`
	}
	if !v.IsWhollyKnown() {
		return `{"unknown":true}`
	}
	j, err := ctyjson.Marshal(v, v.Type())
	if err != nil {
		return `{"error":"json"}`
	}
	t, _ := json.Marshal(v.Type().FriendlyName())
	return `{"value":` + string(j) + `,"type":` + string(t) + `}`
}
