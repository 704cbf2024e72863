(** The evaluator as OCaml (oracle/main.ml reads its questions). Extraction is trusted with two mappings of Coq's own library:
    booleans, lists, options and pairs are those of OCaml, and natural numbers are machine integers. *)

From Grantwise Require Import Glob Regions Policies Completions Difference Sides.
Require Import ExtrOcamlBasic ExtrOcamlNatInt.

Extraction Language OCaml.
Extraction "oracle/evaluator.ml" decide side_of new_access_of_one_user unknown_names truths truth_context.
