
val negb : bool -> bool

val option_map : ('a1 -> 'a2) -> 'a1 option -> 'a2 option

val fst : ('a1 * 'a2) -> 'a1

val snd : ('a1 * 'a2) -> 'a2

val length : 'a1 list -> int

val app : 'a1 list -> 'a1 list -> 'a1 list

type comparison =
| Eq
| Lt
| Gt

val sub : int -> int -> int



val bool_dec : bool -> bool -> bool

val eqb : bool -> bool -> bool

module Nat :
 sig
 end

val concat : 'a1 list list -> 'a1 list

val list_eq_dec : ('a1 -> 'a1 -> bool) -> 'a1 list -> 'a1 list -> bool

val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list

val flat_map : ('a1 -> 'a2 list) -> 'a1 list -> 'a2 list

val fold_right : ('a2 -> 'a1 -> 'a1) -> 'a1 -> 'a2 list -> 'a1

val existsb : ('a1 -> bool) -> 'a1 list -> bool

val forallb : ('a1 -> bool) -> 'a1 list -> bool

val filter : ('a1 -> bool) -> 'a1 list -> 'a1 list

val firstn : int -> 'a1 list -> 'a1 list

val skipn : int -> 'a1 list -> 'a1 list

val seq : int -> int -> int list

val repeat : 'a1 -> int -> 'a1 list

type positive =
| XI of positive
| XO of positive
| XH

type n =
| N0
| Npos of positive

module Pos :
 sig
  val succ : positive -> positive

  val add : positive -> positive -> positive

  val add_carry : positive -> positive -> positive

  val mul : positive -> positive -> positive

  val iter : ('a1 -> 'a1) -> 'a1 -> positive -> 'a1

  val pow : positive -> positive -> positive

  val compare_cont : comparison -> positive -> positive -> comparison

  val compare : positive -> positive -> comparison

  val eqb : positive -> positive -> bool
 end

module N :
 sig
  val succ : n -> n

  val compare : n -> n -> comparison

  val eqb : n -> n -> bool

  val leb : n -> n -> bool

  val ltb : n -> n -> bool

  val pow : n -> n -> n
 end

type letter = int

type text = letter list

type token =
| Star
| Lit of letter

type pattern = token list

val literal : text -> pattern

val matches : pattern -> text -> bool

val after : text -> text -> text option

val before : text -> text -> text option

val fill : letter -> pattern -> text

val letters : pattern -> letter list

val above : letter list -> letter

val meet : pattern -> pattern -> pattern list

type request = text list

type box = pattern list

val in_box : box -> request -> bool

val point : letter -> box -> request

val box_letters : box -> letter list

val meet_box : box -> box -> box list

type region = { whole : box; without : box list }

val witness : region -> request option

val meet_region : region -> region -> region list

val minus : region -> region -> region list

val minus_all : region list -> region list -> region list

type side = { grants : region list; denies : region list }

val gained : side -> side -> region list

val text_eqb : text -> text -> bool

type text_operator =
| Equals
| Starts
| Ends

val starts : text -> text -> bool

val ends : text -> text -> bool

val text_holds : text_operator -> text -> text -> bool

type address = bool * n

type block = bool * (n * n)

val in_block : address -> block -> bool

type clock_field =
| Day
| Hour
| WeekDay

type order =
| Is
| Before
| AtMost
| AtLeast
| Later

val in_order : order -> n -> n -> bool

type leaf =
| TagTest of text * text_operator * text list
| NameTest of text_operator * text list
| TypeTest of text_operator * text list
| AddressTest of block list
| ClockTest of text * clock_field * order * n list
| NotUnderstood of text

type condition =
| Leaf of leaf
| And of condition list
| Or of condition list
| Not of condition list

val holds : (leaf -> bool) -> condition -> bool

val leaves : condition -> leaf list

type permission_set = { allow : pattern list; except : pattern list;
                        deny : pattern list }

type entry =
| Resource of pattern
| Group of pattern

type policy = { identities : pattern list; resources : entry list;
                when0 : condition; expires : n option; own : permission_set;
                named : text list }

type world = { policies : policy list;
               resource_groups : (text * text list) list;
               partly_known : text list;
               permissions_groups : (text * permission_set) list }

type question = { members : text list; action : text; resource : text;
                  resource_name : text; resource_type : text; instant : 
                  n; clock : (text -> clock_field -> n);
                  asks_as : text option; owner : text option;
                  given_address : address option;
                  given_tags : (text * text) list option }

type outcome =
| Allows_it
| Denies_it
| Says_nothing

type facts = { fact_address : address; fact_tag : (text -> text option);
               fact_groups : text list; fact_outcome : (text -> outcome);
               fact_truth : (text -> bool) }

val lookup : text -> (text * 'a1) list -> 'a1 option

val mem : text -> text list -> bool

type verdict =
| Root
| Denied
| Granted
| Default

val is_allowed : verdict -> bool

val leaf_holds : question -> facts -> leaf -> bool

val entry_holds : world -> question -> facts -> entry -> bool

val about : question -> policy -> bool

val applies : world -> question -> facts -> policy -> bool

val hits : question -> pattern list -> bool

val set_denies : question -> permission_set -> bool

val set_grants : question -> permission_set -> bool

val group_denies : world -> question -> facts -> text -> bool

val group_grants : world -> question -> facts -> text -> bool

val denies0 : world -> question -> facts -> policy -> bool

val grants0 : world -> question -> facts -> policy -> bool

val is_root : question -> bool

val decision : world -> question -> facts -> verdict

val described_names : world -> text list

val is_legal_address : address -> bool

val entries : world -> entry list

val world_leaves : world -> leaf list

val text_candidates : text list -> text list

val address_candidates : block list -> address list

val one_each : ('a1 -> bool list) -> 'a1 list -> 'a1 list

val text_class_of : text list -> text -> bool list

val texts_to_try : text list -> text list

val addresses_to_try : block list -> address list

val sublists : 'a1 list -> 'a1 list list

val group_patterns : world -> pattern list

val group_letter : world -> letter

val open_patterns : world -> pattern list

val group_candidates : world -> text list list

val assignments :
  text list -> (text -> 'a1 list) -> (text -> 'a1) -> (text -> 'a1) list

val tag_keys : world -> text list

val tag_values : world -> text -> text list

val blocks_of : world -> block list

val written_conditions : world -> text list

val completions : world -> question -> facts list

type answer =
| Allow
| Deny
| Unknown

val decide : world -> question -> answer

type truth = bool option

val some3 : ('a1 -> truth) -> 'a1 list -> truth

val not3 : truth -> truth

val every3 : ('a1 -> truth) -> 'a1 list -> truth

val both3 : truth -> truth -> truth

val holds3 : (leaf -> truth) -> condition -> truth

val leaf3 : question -> leaf -> truth

val entry3 : world -> question -> entry -> truth

val applies3 : world -> question -> policy -> truth

val group_denies3 : world -> question -> text -> truth

val group_grants3 : world -> question -> text -> truth

val denies3 : world -> question -> policy -> truth

val grants3 : world -> question -> policy -> truth

val combine : world -> question -> answer

val relevant : world -> question -> world

val answer_of : world -> question -> answer

val in_force : (leaf -> bool) -> n -> policy -> bool

val places : world -> entry -> pattern list

val sets : world -> policy -> permission_set list

val statements :
  world -> (permission_set -> pattern list) -> (permission_set -> pattern
  list) -> policy -> region list

val side_of : (leaf -> bool) -> n -> world -> side

val first_of : region -> region

val second_of : region -> region

val by_two : side -> side -> region list

val first_with : int -> region list -> request option

val both_users : pattern list -> int -> region list

val new_access_of_one_user :
  pattern list -> side -> side -> (text list * request) option
