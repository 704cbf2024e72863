(* Reads a line of JSON, answers with one: { "world", "clocks", "questions" } with the list of verdicts,
   { "before", "after", "at" } with the witness of new access, or null. What is read here is not proved: names, instants,
   addresses and the keys of conditions (docs/semantics.md); what is decided is. *)

open Evaluator

(* JSON *)

type json = Null | Bool of bool | Number of float | Text of string | List of json list | Map of (string * json) list

exception Bad of string

let parse (s : string) : json =
  let i = ref 0 in
  let bad what = raise (Bad (Printf.sprintf "%s at byte %d" what !i)) in
  let peek () = if !i < String.length s then s.[!i] else bad "end of text" in
  let rec blank () =
    if !i < String.length s && (match s.[!i] with ' ' | '\n' | '\t' | '\r' -> true | _ -> false) then (incr i; blank ()) in
  let word text value =
    let n = String.length text in
    if !i + n <= String.length s && String.sub s !i n = text then (i := !i + n; value) else bad "no value" in
  let hex () = let n = int_of_string ("0x" ^ String.sub s !i 4) in i := !i + 4; n in
  let text () =
    let out = Buffer.create 32 in
    incr i;
    let rec go () =
      match peek () with
      | '"' -> incr i
      | '\\' ->
        incr i;
        let c = peek () in
        incr i;
        (match c with
         | 'n' -> Buffer.add_char out '\n' | 't' -> Buffer.add_char out '\t' | 'r' -> Buffer.add_char out '\r'
         | 'b' -> Buffer.add_char out '\b' | 'f' -> Buffer.add_char out '\012'
         | 'u' ->
           let unit = hex () in
           let code =
             if unit >= 0xd800 && unit < 0xdc00 && !i + 6 <= String.length s && String.sub s !i 2 = "\\u" then begin
               i := !i + 2;
               0x10000 + ((unit - 0xd800) lsl 10) + (hex () - 0xdc00)
             end else unit in
           if code >= 0xd800 && code < 0xe000 then bad "half of a pair" else Buffer.add_utf_8_uchar out (Uchar.of_int code)
         | c -> Buffer.add_char out c);
        go ()
      | c -> Buffer.add_char out c; incr i; go () in
    go ();
    Buffer.contents out in
  let rec value () =
    blank ();
    match peek () with
    | '"' -> Text (text ())
    | '{' -> incr i; Map (items '}' (fun () -> blank (); let key = text () in blank (); word ":" (); (key, value ())))
    | '[' -> incr i; List (items ']' value)
    | 't' -> word "true" (Bool true)
    | 'f' -> word "false" (Bool false)
    | 'n' -> word "null" Null
    | _ ->
      let from = !i in
      while !i < String.length s && (match s.[!i] with '0' .. '9' | '-' | '+' | '.' | 'e' | 'E' -> true | _ -> false) do incr i done;
      if !i = from then bad "no value" else Number (float_of_string (String.sub s from (!i - from)))
  and items : 'a. char -> (unit -> 'a) -> 'a list = fun close item ->
    blank ();
    if peek () = close then (incr i; [])
    else begin
      let rec more found =
        let found = item () :: found in
        blank ();
        let c = peek () in
        incr i;
        if c = ',' then more found else if c = close then List.rev found else bad "no comma" in
      more []
    end in
  let read = value () in
  blank ();
  if !i < String.length s then bad "more than one value" else read

let field key = function Map fields -> List.assoc_opt key fields | _ -> None
let texts = function Some (List l) -> List.filter_map (function Text t -> Some t | _ -> None) l | _ -> []
let list = function Some (List l) -> l | _ -> []
let text_of = function Some (Text t) -> Some t | _ -> None
let need what = function Some x -> x | None -> raise (Bad ("no " ^ what))

(* Texts and numbers of the evaluator *)

let text (s : string) : text = List.init (String.length s) (fun i -> Char.code s.[i])
let pattern (s : string) : pattern = List.init (String.length s) (fun i -> if s.[i] = '*' then Star else Lit (Char.code s.[i]))

let rec positive k = if k = 1 then XH else if k land 1 = 1 then XI (positive (k lsr 1)) else XO (positive (k lsr 1))
let number k = if k = 0 then N0 else Npos (positive k)

(* Numbers of addresses do not fit a machine word: their bits, the highest first. *)
let number_of_bits bits =
  List.fold_left (fun n bit -> match n, bit with
      | N0, false -> N0 | N0, true -> Npos XH
      | Npos p, false -> Npos (XO p) | Npos p, true -> Npos (XI p)) N0 bits

let bits width k = List.init width (fun i -> (k lsr (width - 1 - i)) land 1 = 1)

let is_digits s = s <> "" && String.for_all (fun c -> c >= '0' && c <= '9') s
let decimal limit s = if is_digits s && String.length s <= 3 && (s = "0" || s.[0] <> '0') && int_of_string s <= limit then Some (int_of_string s) else None

let all_some l = if List.for_all Option.is_some l then Some (List.map Option.get l) else None

let v4 s = match String.split_on_char '.' s with
  | [ _; _; _; _ ] as parts -> Option.map (fun l -> List.concat_map (bits 8) l) (all_some (List.map (decimal 255) parts))
  | _ -> None

let find_sub s sub =
  let n = String.length sub in
  let rec go i = if i + n > String.length s then None else if String.sub s i n = sub then Some i else go (i + 1) in
  go 0

let v6 s =
  let group g =
    if String.length g >= 1 && String.length g <= 4 && String.for_all (function '0' .. '9' | 'a' .. 'f' | 'A' .. 'F' -> true | _ -> false) g
    then Some (bits 16 (int_of_string ("0x" ^ g))) else None in
  (* The last group may be an address of version 4. *)
  let side s =
    if s = "" then Some []
    else
      let parts = String.split_on_char ':' s in
      let last = List.length parts - 1 in
      Option.map List.concat (all_some (List.mapi (fun i p -> if i = last && String.contains p '.' then v4 p else group p) parts)) in
  match find_sub s "::" with
  | Some i ->
    let rest = String.sub s (i + 2) (String.length s - i - 2) in
    let head = String.sub s 0 i in
    if find_sub rest "::" <> None || String.contains head '.' then None
    else (match side head, side rest with
        | Some a, Some b when List.length a + List.length b <= 112 ->
          Some (a @ List.init (128 - List.length a - List.length b) (fun _ -> false) @ b)
        | _ -> None)
  | None -> (match side s with Some b when List.length b = 128 -> Some b | _ -> None)

let rec drop n l = if n = 0 then l else match l with [] -> [] | _ :: l -> drop (n - 1) l
let rec take n l = if n = 0 then [] else match l with [] -> [] | x :: l -> x :: take (n - 1) l

let mapped bits = take 96 bits = List.init 96 (fun i -> i >= 80)

let address s : address option =
  if String.contains s ':' then
    Option.map (fun b -> if mapped b then (false, number_of_bits (drop 96 b)) else (true, number_of_bits b)) (v6 s)
  else Option.map (fun b -> (false, number_of_bits b)) (v4 s)

let block s : block option =
  match String.index_opt s '/' with
  | None -> None
  | Some slash ->
    let base = String.sub s 0 slash and length = String.sub s (slash + 1) (String.length s - slash - 1) in
    let six = String.contains base ':' in
    let width = if six then 128 else 32 in
    (match (if six then v6 base else v4 base), decimal width length with
     | Some b, Some n ->
       let from_mapped = six && n >= 96 && mapped b in
       let b, n, width = if from_mapped then (drop 96 b, n - 96, 32) else (b, n, width) in
       let with_rest bit = number_of_bits (take n b @ List.init (width - n) (fun _ -> bit)) in
       Some (six && not from_mapped, (with_rest false, with_rest true))
     | _ -> None)

(* Days and instants *)

let days_before y m d =
  let y' = if m <= 2 then y - 1 else y in
  let era = (if y' >= 0 then y' else y' - 399) / 400 in
  let yoe = y' - (era * 400) in
  let doy = ((153 * (m + (if m > 2 then -3 else 9))) + 2) / 5 + d - 1 in
  (era * 146097) + (yoe * 365) + (yoe / 4) - (yoe / 100) + doy - 719468

let leap y = (y mod 4 = 0 && y mod 100 <> 0) || y mod 400 = 0
let is_day y m d =
  m >= 1 && m <= 12 && d >= 1 && d <= (match m with 2 -> if leap y then 29 else 28 | 4 | 6 | 9 | 11 -> 30 | _ -> 31)

let date s =
  if String.length s = 10 && s.[4] = '-' && s.[7] = '-' && is_digits (String.sub s 0 4) && is_digits (String.sub s 5 2) && is_digits (String.sub s 8 2)
  then
    let y = int_of_string (String.sub s 0 4) and m = int_of_string (String.sub s 5 2) and d = int_of_string (String.sub s 8 2) in
    if is_day y m d then Some (y, m, d) else None
  else None

(* Milliseconds since the year 0, so that none is negative. *)
let instant_of s =
  let two i = int_of_string (String.sub s i 2) in
  let y, m, d = need "date" (date (String.sub s 0 10)) in
  let rest = String.sub s 19 (String.length s - 19) in
  let zone = let rec go i = match rest.[i] with '.' | '0' .. '9' -> go (i + 1) | _ -> i in go 0 in
  let fraction = if zone > 1 then int_of_string (String.sub (String.sub rest 1 (zone - 1) ^ "000") 0 3) else 0 in
  let offset = match rest.[zone] with
    | '+' | '-' as sign ->
      let minutes = (int_of_string (String.sub rest (zone + 1) 2) * 60) + int_of_string (String.sub rest (zone + 4) 2) in
      if sign = '-' then -minutes else minutes
    | _ -> 0 in
  let seconds = ((((days_before y m d * 24) + two 11) * 60 + two 14 - offset) * 60) + two 17 in
  ((seconds + 62_200_000_000) * 1000) + fraction

let weekdays = [ "monday"; "tuesday"; "wednesday"; "thursday"; "friday"; "saturday"; "sunday" ]

(* Conditions *)

type clocks = (string * json) list

let starts_with prefix s = String.length s >= String.length prefix && String.sub s 0 (String.length prefix) = prefix
let after_prefix prefix s = String.sub s (String.length prefix) (String.length s - String.length prefix)

(* The subject of a key, and its operator. *)
type subject = Tag of string | Name | Type | Ip | Clock of string * clock_field

let split_key (clocks : clocks) key : (subject * string) option =
  let operator rest = if rest = "" then Some "EQ" else if rest.[0] = '.' then Some (String.uppercase_ascii (after_prefix "." rest)) else None in
  let with_operator subject rest = Option.map (fun o -> (subject, o)) (operator rest) in
  if starts_with "resource.Tag(" key then
    Option.bind (String.rindex_opt key ')') (fun close ->
        let tag = String.sub key 13 (close - 13) in
        if tag = "" then None else with_operator (Tag tag) (String.sub key (close + 1) (String.length key - close - 1)))
  else if starts_with "resource.Name" key then with_operator Name (after_prefix "resource.Name" key)
  else if starts_with "resource.Type" key then with_operator Type (after_prefix "resource.Type" key)
  else if starts_with "request.IP" key then with_operator Ip (after_prefix "request.IP" key)
  else if starts_with "date" key then begin
    let zone, rest =
      if starts_with "date(" key then
        match String.index_opt key ')' with
        | Some close -> (String.sub key 5 (close - 5), String.sub key (close + 1) (String.length key - close - 1))
        | None -> ("", "")
      else ("", after_prefix "date" key) in
    let zone = if zone = "" then "UTC" else zone in
    if not (List.mem_assoc zone clocks) then None
    else
      List.find_map (fun (part, field) ->
          if rest = part || starts_with (part ^ ".") rest then with_operator (Clock (zone, field)) (after_prefix part rest) else None)
        [ (".Date", Day); (".Hour", Hour); (".WeekDay", WeekDay) ]
  end else None

let comparison clocks key value : leaf option =
  let items () = List.map String.trim (String.split_on_char ',' value) in
  let of_text make = function
    | "EQ" -> Some (make Equals [ text value ])
    | "STARTS_WITH" -> Some (make Starts [ text value ])
    | "ENDS_WITH" -> Some (make Ends [ text value ])
    | _ -> None in
  let of_list make operator = if operator = "IN" then Some (make Equals (List.map text (items ()))) else of_text make operator in
  Option.bind (split_key clocks key) (fun (subject, operator) ->
      match subject with
      | Tag tag -> of_text (fun o v -> TagTest (text tag, o, v)) operator
      | Name -> of_list (fun o v -> NameTest (o, v)) operator
      | Type -> of_list (fun o v -> TypeTest (o, v)) operator
      | Ip ->
        let one a = Option.map (fun (six, n) -> (six, (n, n))) (address a) in
        Option.map (fun blocks -> AddressTest blocks)
          (match operator with
           | "EQ" -> all_some [ one value ]
           | "IN" -> all_some (List.map one (items ()))
           | "IN_RANGE" -> all_some [ block value ]
           | _ -> None)
      | Clock (zone, field) ->
        let read s = match field with
          | Day -> Option.map (fun (y, m, d) -> (y * 10000) + (m * 100) + d) (date s)
          | Hour -> if is_digits s && String.length s <= 2 && int_of_string s <= 23 then Some (int_of_string s) else None
          | WeekDay -> List.find_map (fun (i, name) -> if name = String.lowercase_ascii s then Some i else None) (List.mapi (fun i name -> (i, name)) weekdays) in
        let order = match operator, field with
          | ("EQ" | "IN"), _ -> Some Is
          | "BEFORE", _ -> Some Before
          | "AFTER", _ -> Some AtLeast
          | "LT", (Hour | WeekDay) -> Some Before
          | "LE", (Hour | WeekDay) -> Some AtMost
          | "GT", (Hour | WeekDay) -> Some Later
          | "GE", (Hour | WeekDay) -> Some AtLeast
          | _ -> None in
        Option.bind order (fun order ->
            Option.map (fun numbers -> ClockTest (text zone, field, order, List.map number numbers))
              (all_some (List.map read (if operator = "IN" then items () else [ value ])))))

let rec printed = function
  | Null -> "null" | Bool b -> string_of_bool b | Number f -> string_of_float f
  | Text t -> Printf.sprintf "%S" t
  | List l -> "[" ^ String.concat "," (List.map printed l) ^ "]"
  | Map m -> "{" ^ String.concat "," (List.map (fun (k, v) -> Printf.sprintf "%S:%s" k (printed v)) m) ^ "}"

let rec condition clocks (j : json) : condition =
  let children = list (field "conditions" j) in
  let values = match field "values" j with Some (Map m) -> m | _ -> [] in
  let below () = List.map (condition clocks) children in
  match text_of (field "operator" j) with
  | Some "MATCH" when children = [] ->
    And (List.map (fun (key, value) ->
        match value with
        | Text value ->
          Leaf (match comparison clocks key value with Some leaf -> leaf | None -> NotUnderstood (text ("key:" ^ key ^ "=" ^ value)))
        | _ -> raise (Bad "value of a condition")) values)
  | Some "AND" when values = [] -> And (below ())
  | Some "OR" when values = [] -> Or (below ())
  | Some "NOT" when values = [] -> Not (below ())
  | _ -> Leaf (NotUnderstood (text (printed j)))

(* Policies *)

let actions j key = List.map (fun each -> pattern (need "action" (text_of (field "action" each)))) (list (field key j))
let permission_set j = { allow = actions j "allow"; except = actions j "except"; deny = actions j "deny" }
let no_permissions = { allow = []; except = []; deny = [] }

let entry urn = match String.split_on_char ':' urn with
  | _ :: _ :: _ :: "resourceGroup" :: _ -> Group (pattern urn)
  | _ -> Resource (pattern urn)
let urns key j = List.filter_map (fun each -> text_of (field "urn" each)) (list (field key j))

let policy clocks j = {
  identities = List.map pattern (texts (field "identities" j));
  resources = List.map entry (urns "resources" j);
  when0 = (match field "conditions" j with None | Some Null -> And [] | Some c -> condition clocks c);
  expires = Option.map (fun at -> number (instant_of at)) (text_of (field "expiredAt" j));
  own = (match field "permissions" j with Some p -> permission_set p | None -> no_permissions);
  named = List.map text (urns "permissionsGroups" j);
}

let regions = [ "eu"; "ca"; "us" ]

let world clocks j =
  let groups = List.concat_map (fun g ->
      let names = match text_of (field "urn" g), text_of (field "id" g) with
        | Some urn, _ -> [ urn ]
        | None, Some id -> List.map (fun region -> "urn:v1:" ^ region ^ ":resourceGroup:" ^ id) regions
        | None, None -> raise (Bad "resource group without a name") in
      let members = list (field "resources" g) in
      let known = List.filter_map (fun m -> text_of (field "urn" m)) members in
      let whole = field "resources" g <> None && List.length known = List.length members in
      List.map (fun name -> (text name, List.map text known, whole)) names) (list (field "resourceGroups" j)) in
  { policies = List.map (policy clocks) (list (field "policies" j));
    resource_groups = List.map (fun (name, members, _) -> (name, members)) groups;
    partly_known = List.filter_map (fun (name, _, whole) -> if whole then None else Some name) groups;
    permissions_groups = List.map (fun g ->
        (text (need "urn" (text_of (field "urn" g))), match field "permissions" g with Some p -> permission_set p | None -> no_permissions))
        (list (field "permissionsGroups" j)) }

(* Questions *)

let tags = function
  | Some (Map m) -> Some (List.filter_map (fun (k, v) -> match v with Text t -> Some (text k, text t) | _ -> None) m)
  | _ -> None

let question clocks (w : json) (q : json) : question =
  let identity = need "identity" (text_of (field "identity" q)) and resource = need "resource" (text_of (field "resource" q)) in
  (* What is described twice is described the same, in part or whole. *)
  let described key urn part = List.find_map (fun each -> if text_of (field "urn" each) = Some urn then field part each else None) (list (field key w)) in
  let of_resource = described "resources" resource in
  let first a b = match a with Some _ -> a | None -> b in
  let type_, name = match String.split_on_char ':' resource with
    | _ :: _ :: _ :: _ :: type_ :: name -> (type_, String.concat ":" name)
    | _ -> raise (Bad "resource") in
  let clock zone part = match field part (List.assoc zone clocks) with Some (Number n) -> number (int_of_float n) | _ -> raise (Bad "clock") in
  let zones = List.map (fun (zone, _) -> (text zone, zone)) clocks in
  { members = List.map text ((identity :: texts (field "groups" q)) @ texts (described "identities" identity "groups"));
    action = text (need "action" (text_of (field "action" q)));
    resource = text resource; resource_name = text name; resource_type = text type_;
    instant = number (instant_of (need "at" (text_of (field "at" q))));
    clock = (fun zone field -> clock (List.assoc zone zones) (match field with Day -> "date" | Hour -> "hour" | WeekDay -> "weekday"));
    asks_as = (match String.split_on_char ':' identity with
        | _ :: _ :: _ :: "identity" :: "account" :: account -> Some (text (String.concat ":" account))
        | _ -> None);
    owner = Option.map text (text_of (first (of_resource "owner") (field "account" w)));
    given_address = Option.map (fun a -> need "address" (address a)) (text_of (field "ip" q));
    given_tags = tags (first (field "tags" q) (of_resource "tags")) }

let verdict = function Allow -> "allow" | Deny -> "deny" | Unknown -> "unknown"

let users = List.concat_map (fun region -> List.map (fun kind -> pattern ("urn:v1:" ^ region ^ ":identity:" ^ kind ^ ":*")) [ "user"; "credential"; "account" ]) regions

(* Requests with names of the right shape; most texts are no names. *)
let universe = List.concat_map (fun region -> List.map (fun identity ->
    { whole = [ pattern ("urn:v1:" ^ region ^ ":identity:" ^ identity); pattern "urn:v1:*:resource:*:*"; pattern "*:*:*" ]; without = [] })
    [ "account:*"; "user:*/*"; "credential:*/*"; "group:*/*" ]) regions
let of_names s = { s with grants = List.concat_map (fun r -> List.concat_map (meet_region r) universe) s.grants }

(* A fresh letter may be one that names do not have: it is printed as a letter that no generated name holds. *)
let shown t = String.concat "" (List.map (fun c ->
    match if c < 256 then Char.chr c else '\000' with
    | 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | ':' | '/' | '-' | '_' | '.' | '?' | ' ' as c -> String.make 1 c
    | _ -> "z") t)

let answer line =
  let j = parse line in
  match field "questions" j with
  | Some (List questions) ->
    let clocks = fun q -> match field "clocks" q with Some (Map m) -> m | _ -> [] in
    let w = need "world" (field "world" j) in
    String.concat " " (List.map (fun q -> let c = clocks q in verdict (decide (world c w) (question c w q))) questions)
  | _ ->
    let at = number (instant_of (need "at" (text_of (field "at" j)))) in
    let world_of key = world [] (need key (field key j)) in
    let before = world_of "before" and after = world_of "after" in
    let new_access context = new_access_of_one_user users (of_names (side_of context at after)) (side_of context at before) in
    match field "unknown" j with
    | Some (Bool true) ->
      (* A digit for each truth of the conditions that are not known: whether there is new access then. *)
      let names = List.sort_uniq compare (unknown_names before @ unknown_names after) in
      String.concat "" (List.map (fun truth -> if new_access (truth_context truth) = None then "0" else "1") (truths names))
    | _ ->
      match new_access (fun _ -> raise (Bad "a condition in a difference")) with
      | None -> "none"
      | Some (members, rest) -> String.concat "\t" (List.map shown rest @ List.map shown members)

let () =
  try
    while true do
      let line = input_line stdin in
      print_endline (try answer line with Bad what -> "error: " ^ what)
    done
  with End_of_file -> ()
