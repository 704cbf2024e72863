(** The evaluator as OCaml (oracle/main.ml reads its questions). Numbers of letters become machine integers; that and the
    types of OCaml's own library is all that extraction is trusted with. *)

From Grantwise Require Import Glob Regions Policies Completions Difference.
Require Import ExtrOcamlBasic ExtrOcamlNatInt.

Extraction Language OCaml.
Extraction "oracle/evaluator.ml" answer_of side_of new_access_of_one_user.
