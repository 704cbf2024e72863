package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
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
	for name, f := range funcs {
		typedFuncs[name] = f
	}
	for name, f := range ofTool {
		typedFuncs[name] = f
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<26)
	for in.Scan() {
		if in.Bytes()[0] == '{' {
			var asked typedQuestion
			if err := json.Unmarshal(in.Bytes(), &asked); err != nil {
				panic(err)
			}
			fmt.Println(typedAnswer(asked))
			continue
		}
		var text string
		if err := json.Unmarshal(in.Bytes(), &text); err != nil {
			panic(err)
		}
		fmt.Println(answer(text, ctx))
	}
}

// An expression over a variable `var.x` of a type, with a default.
type typedQuestion struct {
	Type, Value, Expression string
}

var typedFuncs = map[string]function.Function{}

// Functions of the tool that are not part of the language's library, as far as types matter for them.
var ofTool = map[string]function.Function{
	"length": function.New(&function.Spec{
		Params: []function.Parameter{{Name: "value", Type: cty.DynamicPseudoType}},
		Type:   function.StaticReturnType(cty.Number),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			t := args[0].Type()
			if t == cty.String {
				return stdlib.Strlen(args[0])
			}
			if !(t.IsTupleType() || t.IsObjectType() || t.IsListType() || t.IsMapType() || t.IsSetType()) {
				return cty.NilVal, fmt.Errorf("a string or a collection is required")
			}
			return cty.NumberIntVal(int64(args[0].LengthInt())), nil
		},
	}),
	"lookup": function.New(&function.Spec{
		Params:   []function.Parameter{{Name: "map", Type: cty.DynamicPseudoType}, {Name: "key", Type: cty.String}},
		VarParam: &function.Parameter{Name: "default", Type: cty.DynamicPseudoType, AllowNull: true, AllowDynamicType: true},
		Type: func(args []cty.Value) (cty.Type, error) {
			t := args[0].Type()
			switch {
			case len(args) > 3:
				return cty.NilType, fmt.Errorf("too many arguments")
			case t.IsObjectType() && t.HasAttribute(args[1].AsString()):
				return t.AttributeType(args[1].AsString()), nil
			case t.IsObjectType() && len(args) == 3:
				return args[2].Type(), nil
			case t.IsMapType():
				if len(args) == 3 {
					if _, err := convert.Convert(args[2], t.ElementType()); err != nil {
						return cty.NilType, err
					}
				}
				return t.ElementType(), nil
			}
			return cty.NilType, fmt.Errorf("no such key, or no map")
		},
		Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
			key := args[1].AsString()
			if args[0].Type().IsObjectType() && args[0].Type().HasAttribute(key) {
				return args[0].GetAttr(key), nil
			}
			if args[0].Type().IsMapType() && args[0].HasIndex(args[1]).True() {
				return args[0].Index(args[1]), nil
			}
			if len(args) == 3 {
				return convert.Convert(args[2], t)
			}
			return cty.NilVal, fmt.Errorf("no such key")
		},
	}),
	"coalesce": function.New(&function.Spec{
		VarParam: &function.Parameter{Name: "vals", Type: cty.DynamicPseudoType, AllowUnknown: true, AllowDynamicType: true, AllowNull: true},
		Type: func(args []cty.Value) (cty.Type, error) {
			types := make([]cty.Type, len(args))
			for i, arg := range args {
				types[i] = arg.Type()
			}
			t, _ := convert.UnifyUnsafe(types)
			if t == cty.NilType {
				return t, fmt.Errorf("all arguments must have the same type")
			}
			return t, nil
		},
		Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
			for _, arg := range args {
				arg, err := convert.Convert(arg, t)
				if err != nil {
					return cty.NilVal, err
				}
				if !arg.IsNull() && !(t == cty.String && arg.RawEquals(cty.StringVal(""))) {
					return arg, nil
				}
			}
			return cty.NilVal, fmt.Errorf("no argument that counts")
		},
	}),
	"one": function.New(&function.Spec{
		Params: []function.Parameter{{Name: "list", Type: cty.DynamicPseudoType}},
		Type: func(args []cty.Value) (cty.Type, error) {
			t := args[0].Type()
			switch {
			case t.IsListType() || t.IsSetType():
				return t.ElementType(), nil
			case t.IsTupleType() && t.Length() == 0:
				return cty.DynamicPseudoType, nil
			case t.IsTupleType() && t.Length() == 1:
				return t.TupleElementType(0), nil
			}
			return cty.NilType, fmt.Errorf("a list, set or tuple with at most one item is required")
		},
		Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
			switch items := args[0].AsValueSlice(); len(items) {
			case 0:
				return cty.NullVal(t), nil
			case 1:
				return items[0], nil
			}
			return cty.NilVal, fmt.Errorf("more than one item")
		},
	}),
	"setsymmetricdifference": stdlib.SetSymmetricDifferenceFunc,
	"tostring":               toolTo(cty.String), "tonumber": toolTo(cty.Number), "tobool": toolTo(cty.Bool),
	"toset": toolTo(cty.Set(cty.DynamicPseudoType)), "tolist": toolTo(cty.List(cty.DynamicPseudoType)), "tomap": toolTo(cty.Map(cty.DynamicPseudoType)),
}

// Conversions as the tool has them: of null as well.
func toolTo(want cty.Type) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "v", Type: cty.DynamicPseudoType, AllowNull: true, AllowDynamicType: true}},
		Type: func(args []cty.Value) (cty.Type, error) {
			if !args[0].Type().Equals(want) && convert.GetConversionUnsafe(args[0].Type(), want) == nil {
				return cty.NilType, fmt.Errorf("no conversion")
			}
			return want, nil
		},
		Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) { return convert.Convert(args[0], t) },
	})
}

// The value of the variable, then that of the expression, each with its type.
func typedAnswer(asked typedQuestion) (out string) {
	defer func() {
		if r := recover(); r != nil {
			out = `{"error":"panic"}`
		}
	}()
	file, diags := hclsyntax.ParseConfig([]byte("t = "+asked.Type+"\nv = "+asked.Value+"\ne = "+asked.Expression+"\n"), "main.tf", hcl.InitialPos)
	if diags.HasErrors() {
		return `{"error":"syntax"}`
	}
	attrs, diags := file.Body.JustAttributes()
	if diags.HasErrors() {
		return `{"error":"syntax"}`
	}
	t, defaults, diags := typeexpr.TypeConstraintWithDefaults(attrs["t"].Expr)
	if diags.HasErrors() {
		return `{"error":"type"}`
	}
	ctx := &hcl.EvalContext{Functions: typedFuncs, Variables: map[string]cty.Value{}}
	v, diags := attrs["v"].Expr.Value(ctx)
	if diags.HasErrors() {
		return `{"error":"value"}`
	}
	if defaults != nil && !v.IsNull() {
		v = defaults.Apply(v)
	}
	v, err := convert.Convert(v, t)
	if err != nil {
		return `{"error":"unfit"}`
	}
	ctx.Variables["var"] = cty.ObjectVal(map[string]cty.Value{"x": v})
	v, diags = attrs["e"].Expr.Value(ctx)
	if diags.HasErrors() {
		return `{"error":"fails"}`
	}
	if !v.IsWhollyKnown() {
		return `{"unknown":true}`
	}
	j, err := ctyjson.Marshal(v, v.Type())
	if err != nil {
		return `{"error":"json"}`
	}
	name, _ := json.Marshal(typeexpr.TypeString(v.Type()))
	return `{"value":` + string(j) + `,"type":` + string(name) + `}`
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
