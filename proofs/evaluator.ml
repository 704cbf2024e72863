
(** val negb : bool -> bool **)

let negb = function
| true -> false
| false -> true

(** val option_map : ('a1 -> 'a2) -> 'a1 option -> 'a2 option **)

let option_map f = function
| Some a -> Some (f a)
| None -> None

(** val fst : ('a1 * 'a2) -> 'a1 **)

let fst = function
| (x, _) -> x

(** val snd : ('a1 * 'a2) -> 'a2 **)

let snd = function
| (_, y) -> y

(** val length : 'a1 list -> int **)

let rec length = function
| [] -> 0
| _ :: l' -> Stdlib.Int.succ (length l')

(** val app : 'a1 list -> 'a1 list -> 'a1 list **)

let rec app l m =
  match l with
  | [] -> m
  | a :: l1 -> a :: (app l1 m)

type comparison =
| Eq
| Lt
| Gt

(** val sub : int -> int -> int **)

let rec sub = fun n m -> Stdlib.max 0 (n-m)



(** val bool_dec : bool -> bool -> bool **)

let bool_dec b1 b2 =
  if b1 then if b2 then true else false else if b2 then false else true

(** val eqb : bool -> bool -> bool **)

let eqb b1 b2 =
  if b1 then b2 else if b2 then false else true

module Nat =
 struct
 end

(** val concat : 'a1 list list -> 'a1 list **)

let rec concat = function
| [] -> []
| x :: l0 -> app x (concat l0)

(** val list_eq_dec : ('a1 -> 'a1 -> bool) -> 'a1 list -> 'a1 list -> bool **)

let rec list_eq_dec eq_dec l l' =
  match l with
  | [] -> (match l' with
           | [] -> true
           | _ :: _ -> false)
  | y :: l0 ->
    (match l' with
     | [] -> false
     | a :: l1 -> if eq_dec y a then list_eq_dec eq_dec l0 l1 else false)

(** val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list **)

let rec map f = function
| [] -> []
| a :: t -> (f a) :: (map f t)

(** val flat_map : ('a1 -> 'a2 list) -> 'a1 list -> 'a2 list **)

let rec flat_map f = function
| [] -> []
| x :: t -> app (f x) (flat_map f t)

(** val fold_right : ('a2 -> 'a1 -> 'a1) -> 'a1 -> 'a2 list -> 'a1 **)

let rec fold_right f a0 = function
| [] -> a0
| b :: t -> f b (fold_right f a0 t)

(** val existsb : ('a1 -> bool) -> 'a1 list -> bool **)

let rec existsb f = function
| [] -> false
| a :: l0 -> (||) (f a) (existsb f l0)

(** val forallb : ('a1 -> bool) -> 'a1 list -> bool **)

let rec forallb f = function
| [] -> true
| a :: l0 -> (&&) (f a) (forallb f l0)

(** val filter : ('a1 -> bool) -> 'a1 list -> 'a1 list **)

let rec filter f = function
| [] -> []
| x :: l0 -> if f x then x :: (filter f l0) else filter f l0

(** val firstn : int -> 'a1 list -> 'a1 list **)

let rec firstn n0 l =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> [])
    (fun n1 -> match l with
               | [] -> []
               | a :: l0 -> a :: (firstn n1 l0))
    n0

(** val skipn : int -> 'a1 list -> 'a1 list **)

let rec skipn n0 l =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> l)
    (fun n1 -> match l with
               | [] -> []
               | _ :: l0 -> skipn n1 l0)
    n0

(** val seq : int -> int -> int list **)

let rec seq start len =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> [])
    (fun len0 -> start :: (seq (Stdlib.Int.succ start) len0))
    len

(** val repeat : 'a1 -> int -> 'a1 list **)

let rec repeat x n0 =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> [])
    (fun k -> x :: (repeat x k))
    n0

type positive =
| XI of positive
| XO of positive
| XH

type n =
| N0
| Npos of positive

module Pos =
 struct
  (** val succ : positive -> positive **)

  let rec succ = function
  | XI p -> XO (succ p)
  | XO p -> XI p
  | XH -> XO XH

  (** val add : positive -> positive -> positive **)

  let rec add x y =
    match x with
    | XI p ->
      (match y with
       | XI q -> XO (add_carry p q)
       | XO q -> XI (add p q)
       | XH -> XO (succ p))
    | XO p ->
      (match y with
       | XI q -> XI (add p q)
       | XO q -> XO (add p q)
       | XH -> XI p)
    | XH -> (match y with
             | XI q -> XO (succ q)
             | XO q -> XI q
             | XH -> XO XH)

  (** val add_carry : positive -> positive -> positive **)

  and add_carry x y =
    match x with
    | XI p ->
      (match y with
       | XI q -> XI (add_carry p q)
       | XO q -> XO (add_carry p q)
       | XH -> XI (succ p))
    | XO p ->
      (match y with
       | XI q -> XO (add_carry p q)
       | XO q -> XI (add p q)
       | XH -> XO (succ p))
    | XH ->
      (match y with
       | XI q -> XI (succ q)
       | XO q -> XO (succ q)
       | XH -> XI XH)

  (** val mul : positive -> positive -> positive **)

  let rec mul x y =
    match x with
    | XI p -> add y (XO (mul p y))
    | XO p -> XO (mul p y)
    | XH -> y

  (** val iter : ('a1 -> 'a1) -> 'a1 -> positive -> 'a1 **)

  let rec iter f x = function
  | XI n' -> f (iter f (iter f x n') n')
  | XO n' -> iter f (iter f x n') n'
  | XH -> f x

  (** val pow : positive -> positive -> positive **)

  let pow x =
    iter (mul x) XH

  (** val compare_cont : comparison -> positive -> positive -> comparison **)

  let rec compare_cont r x y =
    match x with
    | XI p ->
      (match y with
       | XI q -> compare_cont r p q
       | XO q -> compare_cont Gt p q
       | XH -> Gt)
    | XO p ->
      (match y with
       | XI q -> compare_cont Lt p q
       | XO q -> compare_cont r p q
       | XH -> Gt)
    | XH -> (match y with
             | XH -> r
             | _ -> Lt)

  (** val compare : positive -> positive -> comparison **)

  let compare =
    compare_cont Eq

  (** val eqb : positive -> positive -> bool **)

  let rec eqb p q =
    match p with
    | XI p0 -> (match q with
                | XI q0 -> eqb p0 q0
                | _ -> false)
    | XO p0 -> (match q with
                | XO q0 -> eqb p0 q0
                | _ -> false)
    | XH -> (match q with
             | XH -> true
             | _ -> false)
 end

module N =
 struct
  (** val succ : n -> n **)

  let succ = function
  | N0 -> Npos XH
  | Npos p -> Npos (Pos.succ p)

  (** val compare : n -> n -> comparison **)

  let compare n0 m =
    match n0 with
    | N0 -> (match m with
             | N0 -> Eq
             | Npos _ -> Lt)
    | Npos n' -> (match m with
                  | N0 -> Gt
                  | Npos m' -> Pos.compare n' m')

  (** val eqb : n -> n -> bool **)

  let eqb n0 m =
    match n0 with
    | N0 -> (match m with
             | N0 -> true
             | Npos _ -> false)
    | Npos p -> (match m with
                 | N0 -> false
                 | Npos q -> Pos.eqb p q)

  (** val leb : n -> n -> bool **)

  let leb x y =
    match compare x y with
    | Gt -> false
    | _ -> true

  (** val ltb : n -> n -> bool **)

  let ltb x y =
    match compare x y with
    | Lt -> true
    | _ -> false

  (** val pow : n -> n -> n **)

  let pow n0 = function
  | N0 -> Npos XH
  | Npos p0 -> (match n0 with
                | N0 -> N0
                | Npos q -> Npos (Pos.pow q p0))
 end

type letter = int

type text = letter list

type token =
| Star
| Lit of letter

type pattern = token list

(** val literal : text -> pattern **)

let literal t =
  map (fun x -> Lit x) t

(** val matches : pattern -> text -> bool **)

let rec matches = function
| [] -> (fun t -> match t with
                  | [] -> true
                  | _ :: _ -> false)
| t :: rest ->
  (match t with
   | Star ->
     let rec star t0 =
       (||) (matches rest t0) (match t0 with
                               | [] -> false
                               | _ :: t' -> star t')
     in star
   | Lit a ->
     (fun t0 ->
       match t0 with
       | [] -> false
       | b :: t' -> (&&) ((=) a b) (matches rest t')))

(** val after : text -> text -> text option **)

let rec after prefix t =
  match prefix with
  | [] -> Some t
  | a :: prefix' ->
    (match t with
     | [] -> None
     | b :: t' -> if (=) a b then after prefix' t' else None)

(** val before : text -> text -> text option **)

let before suffix t =
  let n0 = sub (length t) (length suffix) in
  if (&&) ((<=) (length suffix) (length t))
       (if list_eq_dec (=) (skipn n0 t) suffix then true else false)
  then Some (firstn n0 t)
  else None

(** val fill : letter -> pattern -> text **)

let fill x p =
  map (fun token0 -> match token0 with
                     | Star -> x
                     | Lit a -> a) p

(** val letters : pattern -> letter list **)

let letters p =
  flat_map (fun token0 -> match token0 with
                          | Star -> []
                          | Lit a -> a :: []) p

(** val above : letter list -> letter **)

let above l =
  Stdlib.Int.succ (fold_right Stdlib.max 0 l)

(** val meet : pattern -> pattern -> pattern list **)

let rec meet p =
  let rec inner q =
    match p with
    | [] ->
      (match q with
       | [] -> [] :: []
       | t :: q' -> (match t with
                     | Star -> inner q'
                     | Lit _ -> []))
    | t :: p' ->
      (match t with
       | Star ->
         (match q with
          | [] -> meet p' []
          | t0 :: q' ->
            (match t0 with
             | Star ->
               app (map (fun x -> Star :: x) (meet p' (Star :: q')))
                 (map (fun x -> Star :: x) (inner q'))
             | Lit b ->
               app (meet p' ((Lit b) :: q'))
                 (map (fun x -> (Lit b) :: x) (inner q'))))
       | Lit a ->
         (match q with
          | [] -> []
          | t0 :: q' ->
            (match t0 with
             | Star ->
               app (inner q')
                 (map (fun x -> (Lit a) :: x) (meet p' (Star :: q')))
             | Lit b ->
               if (=) a b
               then map (fun x -> (Lit a) :: x) (meet p' q')
               else [])))
  in inner

type request = text list

type box = pattern list

(** val in_box : box -> request -> bool **)

let rec in_box b r =
  match b with
  | [] -> (match r with
           | [] -> true
           | _ :: _ -> false)
  | p :: b' ->
    (match r with
     | [] -> false
     | t :: r' -> (&&) (matches p t) (in_box b' r'))

(** val point : letter -> box -> request **)

let point x b =
  map (fill x) b

(** val box_letters : box -> letter list **)

let box_letters b =
  flat_map letters b

(** val meet_box : box -> box -> box list **)

let rec meet_box b c =
  match b with
  | [] -> (match c with
           | [] -> [] :: []
           | _ :: _ -> [])
  | p :: b' ->
    (match c with
     | [] -> []
     | q :: c' ->
       flat_map (fun m -> map (fun x -> m :: x) (meet_box b' c')) (meet p q))

type region = { whole : box; without : box list }

(** val witness : region -> request option **)

let witness r =
  let x = above (flat_map box_letters r.without) in
  let r0 = point x r.whole in
  if existsb (fun c -> in_box c r0) r.without then None else Some r0

(** val meet_region : region -> region -> region list **)

let meet_region r q =
  map (fun m -> { whole = m; without = (app r.without q.without) })
    (meet_box r.whole q.whole)

(** val minus : region -> region -> region list **)

let minus r q =
  { whole = r.whole; without =
    (q.whole :: r.without) } :: (flat_map (fun c ->
                                  map (fun m -> { whole = m; without =
                                    r.without }) (meet_box r.whole c))
                                  q.without)

(** val minus_all : region list -> region list -> region list **)

let rec minus_all rs = function
| [] -> rs
| q :: qs' -> minus_all (flat_map (fun r -> minus r q) rs) qs'

type side = { grants : region list; denies : region list }

(** val gained : side -> side -> region list **)

let gained a b =
  let own0 = minus_all a.grants a.denies in
  app (flat_map (fun r -> flat_map (meet_region r) b.denies) own0)
    (minus_all own0 b.grants)

(** val text_eqb : text -> text -> bool **)

let text_eqb a b =
  if list_eq_dec (=) a b then true else false

type text_operator =
| Equals
| Starts
| Ends

(** val starts : text -> text -> bool **)

let starts v t =
  match after v t with
  | Some _ -> true
  | None -> false

(** val ends : text -> text -> bool **)

let ends v t =
  match before v t with
  | Some _ -> true
  | None -> false

(** val text_holds : text_operator -> text -> text -> bool **)

let text_holds o v t =
  match o with
  | Equals -> text_eqb t v
  | Starts -> starts v t
  | Ends -> ends v t

type address = bool * n

type block = bool * (n * n)

(** val in_block : address -> block -> bool **)

let in_block a b =
  (&&) ((&&) (eqb (fst a) (fst b)) (N.leb (fst (snd b)) (snd a)))
    (N.leb (snd a) (snd (snd b)))

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

(** val in_order : order -> n -> n -> bool **)

let in_order o value shown =
  match o with
  | Is -> N.eqb shown value
  | Before -> N.ltb shown value
  | AtMost -> N.leb shown value
  | AtLeast -> N.leb value shown
  | Later -> N.ltb value shown

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

(** val holds : (leaf -> bool) -> condition -> bool **)

let rec holds f = function
| Leaf l -> f l
| And cs -> forallb (holds f) cs
| Or cs -> existsb (holds f) cs
| Not cs -> negb (existsb (holds f) cs)

(** val leaves : condition -> leaf list **)

let rec leaves = function
| Leaf l -> l :: []
| And cs -> flat_map leaves cs
| Or cs -> flat_map leaves cs
| Not cs -> flat_map leaves cs

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

(** val lookup : text -> (text * 'a1) list -> 'a1 option **)

let rec lookup key = function
| [] -> None
| p :: l' ->
  let (k, v) = p in if text_eqb k key then Some v else lookup key l'

(** val mem : text -> text list -> bool **)

let mem t l =
  existsb (text_eqb t) l

type verdict =
| Root
| Denied
| Granted
| Default

(** val is_allowed : verdict -> bool **)

let is_allowed = function
| Root -> true
| Granted -> true
| _ -> false

(** val leaf_holds : question -> facts -> leaf -> bool **)

let leaf_holds q e = function
| TagTest (key, o, values) ->
  (match e.fact_tag key with
   | Some t -> existsb (fun v -> text_holds o v t) values
   | None -> false)
| NameTest (o, values) ->
  existsb (fun v -> text_holds o v q.resource_name) values
| TypeTest (o, values) ->
  existsb (fun v -> text_holds o v q.resource_type) values
| AddressTest blocks -> existsb (in_block e.fact_address) blocks
| ClockTest (zone, field, o, values) ->
  existsb (fun v -> in_order o v (q.clock zone field)) values
| NotUnderstood written -> e.fact_truth written

(** val entry_holds : world -> question -> facts -> entry -> bool **)

let entry_holds w q e = function
| Resource p -> matches p q.resource
| Group p ->
  (||)
    (existsb (fun g -> (&&) (matches p (fst g)) (mem q.resource (snd g)))
      w.resource_groups) (existsb (matches p) e.fact_groups)

(** val about : question -> policy -> bool **)

let about q p =
  (&&)
    (match p.expires with
     | Some last -> N.leb q.instant last
     | None -> true)
    (existsb (fun i -> existsb (matches i) q.members) p.identities)

(** val applies : world -> question -> facts -> policy -> bool **)

let applies w q e p =
  (&&) ((&&) (about q p) (existsb (entry_holds w q e) p.resources))
    (holds (leaf_holds q e) p.when0)

(** val hits : question -> pattern list -> bool **)

let hits q l =
  existsb (fun a -> matches a q.action) l

(** val set_denies : question -> permission_set -> bool **)

let set_denies q s =
  hits q s.deny

(** val set_grants : question -> permission_set -> bool **)

let set_grants q s =
  (&&) (hits q s.allow) (negb (hits q s.except))

(** val group_denies : world -> question -> facts -> text -> bool **)

let group_denies w q e g =
  match lookup g w.permissions_groups with
  | Some s -> set_denies q s
  | None -> (match e.fact_outcome g with
             | Denies_it -> true
             | _ -> false)

(** val group_grants : world -> question -> facts -> text -> bool **)

let group_grants w q e g =
  match lookup g w.permissions_groups with
  | Some s -> set_grants q s
  | None -> (match e.fact_outcome g with
             | Allows_it -> true
             | _ -> false)

(** val denies0 : world -> question -> facts -> policy -> bool **)

let denies0 w q e p =
  (||) (set_denies q p.own) (existsb (group_denies w q e) p.named)

(** val grants0 : world -> question -> facts -> policy -> bool **)

let grants0 w q e p =
  (||) (set_grants q p.own) (existsb (group_grants w q e) p.named)

(** val is_root : question -> bool **)

let is_root q =
  match q.asks_as with
  | Some a -> (match q.owner with
               | Some b -> text_eqb a b
               | None -> false)
  | None -> false

(** val decision : world -> question -> facts -> verdict **)

let decision w q e =
  if is_root q
  then Root
  else if existsb (fun p -> (&&) (applies w q e p) (denies0 w q e p))
            w.policies
       then Denied
       else if existsb (fun p -> (&&) (applies w q e p) (grants0 w q e p))
                 w.policies
            then Granted
            else Default

(** val described_names : world -> text list **)

let described_names w =
  filter (fun g -> negb (mem g w.partly_known)) (map fst w.resource_groups)

(** val is_legal_address : address -> bool **)

let is_legal_address a =
  N.ltb (snd a)
    (N.pow (Npos (XO XH))
      (if fst a
       then Npos (XO (XO (XO (XO (XO (XO (XO XH)))))))
       else Npos (XO (XO (XO (XO (XO XH)))))))

(** val entries : world -> entry list **)

let entries w =
  flat_map (fun p -> p.resources) w.policies

(** val world_leaves : world -> leaf list **)

let world_leaves w =
  flat_map (fun p -> leaves p.when0) w.policies

(** val text_candidates : text list -> text list **)

let text_candidates vs =
  let x = above (concat vs) in
  let edges = [] :: vs in
  flat_map (fun p ->
    flat_map (fun s ->
      (app p (app (x :: []) s)) :: (map (fun k -> app p (skipn k s))
                                     (seq 0 (Stdlib.Int.succ (length s)))))
      edges) edges

(** val address_candidates : block list -> address list **)

let address_candidates bs =
  let numbers =
    N0 :: (flat_map (fun b ->
            (fst (snd b)) :: ((N.succ (snd (snd b))) :: [])) bs)
  in
  filter is_legal_address
    (flat_map (fun six -> map (fun n0 -> (six, n0)) numbers)
      (false :: (true :: [])))

(** val one_each : ('a1 -> bool list) -> 'a1 list -> 'a1 list **)

let rec one_each class0 = function
| [] -> []
| a :: l' ->
  a :: (filter (fun b ->
         if list_eq_dec bool_dec (class0 a) (class0 b) then false else true)
         (one_each class0 l'))

(** val text_class_of : text list -> text -> bool list **)

let text_class_of vs t =
  app (map (fun v -> text_holds Equals v t) vs)
    (app (map (fun v -> text_holds Starts v t) vs)
      (map (fun v -> text_holds Ends v t) vs))

(** val texts_to_try : text list -> text list **)

let texts_to_try vs =
  one_each (text_class_of vs) (text_candidates vs)

(** val addresses_to_try : block list -> address list **)

let addresses_to_try bs =
  one_each (fun a -> map (in_block a) bs) (address_candidates bs)

(** val sublists : 'a1 list -> 'a1 list list **)

let rec sublists = function
| [] -> [] :: []
| a :: l' -> app (sublists l') (map (fun x -> a :: x) (sublists l'))

(** val group_patterns : world -> pattern list **)

let group_patterns w =
  flat_map (fun x -> match x with
                     | Resource _ -> []
                     | Group p -> p :: []) (entries w)

(** val group_letter : world -> letter **)

let group_letter w =
  above
    (app (flat_map letters (group_patterns w)) (concat (described_names w)))

(** val open_patterns : world -> pattern list **)

let open_patterns w =
  filter (fun p -> negb (mem (fill (group_letter w) p) (described_names w)))
    (group_patterns w)

(** val group_candidates : world -> text list list **)

let group_candidates w =
  map (map (fill (group_letter w))) (sublists (open_patterns w))

(** val assignments :
    text list -> (text -> 'a1 list) -> (text -> 'a1) -> (text -> 'a1) list **)

let rec assignments keys values base =
  match keys with
  | [] -> base :: []
  | k :: keys' ->
    flat_map (fun v ->
      map (fun f k' -> if text_eqb k k' then v else f k')
        (assignments keys' values base)) (values k)

(** val tag_keys : world -> text list **)

let tag_keys w =
  flat_map (fun l -> match l with
                     | TagTest (k, _, _) -> k :: []
                     | _ -> []) (world_leaves w)

(** val tag_values : world -> text -> text list **)

let tag_values w key =
  flat_map (fun l ->
    match l with
    | TagTest (k, _, vs) -> if text_eqb k key then vs else []
    | _ -> []) (world_leaves w)

(** val blocks_of : world -> block list **)

let blocks_of w =
  flat_map (fun l -> match l with
                     | AddressTest bs -> bs
                     | _ -> []) (world_leaves w)

(** val written_conditions : world -> text list **)

let written_conditions w =
  flat_map (fun l -> match l with
                     | NotUnderstood t -> t :: []
                     | _ -> []) (world_leaves w)

(** val completions : world -> question -> facts list **)

let completions w q =
  let addresses =
    match q.given_address with
    | Some a -> a :: []
    | None -> addresses_to_try (blocks_of w)
  in
  let tags =
    match q.given_tags with
    | Some tags -> (fun key -> lookup key tags) :: []
    | None ->
      assignments (tag_keys w) (fun k ->
        None :: (map (fun x -> Some x) (texts_to_try (tag_values w k))))
        (fun _ -> None)
  in
  let outcomes =
    assignments (flat_map (fun p -> p.named) w.policies) (fun _ ->
      Allows_it :: (Denies_it :: (Says_nothing :: []))) (fun _ ->
      Says_nothing)
  in
  let truths =
    assignments (written_conditions w) (fun _ -> true :: (false :: []))
      (fun _ -> false)
  in
  flat_map (fun a ->
    flat_map (fun t ->
      flat_map (fun g ->
        flat_map (fun o ->
          map (fun c -> { fact_address = a; fact_tag = t; fact_groups = g;
            fact_outcome = o; fact_truth = c }) truths) outcomes)
        (group_candidates w)) tags) addresses

type answer =
| Allow
| Deny
| Unknown

(** val decide : world -> question -> answer **)

let decide w q =
  let all = map (fun e -> is_allowed (decision w q e)) (completions w q) in
  if forallb (fun b -> b) all
  then Allow
  else if forallb negb all then Deny else Unknown

type truth = bool option

(** val some3 : ('a1 -> truth) -> 'a1 list -> truth **)

let some3 f l =
  fold_right (fun x rest ->
    match f x with
    | Some b -> if b then Some true else rest
    | None ->
      (match rest with
       | Some b -> if b then Some true else None
       | None -> None)) (Some false) l

(** val not3 : truth -> truth **)

let not3 t =
  option_map negb t

(** val every3 : ('a1 -> truth) -> 'a1 list -> truth **)

let every3 f l =
  not3 (some3 (fun x -> not3 (f x)) l)

(** val both3 : truth -> truth -> truth **)

let both3 a b =
  match a with
  | Some b0 -> if b0 then b else Some false
  | None ->
    (match b with
     | Some b0 -> if b0 then None else Some false
     | None -> None)

(** val holds3 : (leaf -> truth) -> condition -> truth **)

let rec holds3 f = function
| Leaf l -> f l
| And cs -> every3 (holds3 f) cs
| Or cs -> some3 (holds3 f) cs
| Not cs -> not3 (some3 (holds3 f) cs)

(** val leaf3 : question -> leaf -> truth **)

let leaf3 q = function
| TagTest (key, o, values) ->
  (match q.given_tags with
   | Some tags ->
     Some
       (match lookup key tags with
        | Some t -> existsb (fun v -> text_holds o v t) values
        | None -> false)
   | None -> None)
| NameTest (o, values) ->
  Some (existsb (fun v -> text_holds o v q.resource_name) values)
| TypeTest (o, values) ->
  Some (existsb (fun v -> text_holds o v q.resource_type) values)
| AddressTest blocks ->
  (match q.given_address with
   | Some a -> Some (existsb (in_block a) blocks)
   | None -> None)
| ClockTest (zone, field, o, values) ->
  Some (existsb (fun v -> in_order o v (q.clock zone field)) values)
| NotUnderstood _ -> None

(** val entry3 : world -> question -> entry -> truth **)

let entry3 w q = function
| Resource p -> Some (matches p q.resource)
| Group p ->
  if existsb (fun g -> (&&) (matches p (fst g)) (mem q.resource (snd g)))
       w.resource_groups
  then Some true
  else if existsb (fun t -> match t with
                            | Star -> true
                            | Lit _ -> false) p
       then None
       else if mem (fill 0 p) (described_names w) then Some false else None

(** val applies3 : world -> question -> policy -> truth **)

let applies3 w q p =
  both3 (both3 (Some (about q p)) (some3 (entry3 w q) p.resources))
    (holds3 (leaf3 q) p.when0)

(** val group_denies3 : world -> question -> text -> truth **)

let group_denies3 w q g =
  option_map (set_denies q) (lookup g w.permissions_groups)

(** val group_grants3 : world -> question -> text -> truth **)

let group_grants3 w q g =
  option_map (set_grants q) (lookup g w.permissions_groups)

(** val denies3 : world -> question -> policy -> truth **)

let denies3 w q p =
  some3 (fun b -> b) ((Some
    (set_denies q p.own)) :: (map (group_denies3 w q) p.named))

(** val grants3 : world -> question -> policy -> truth **)

let grants3 w q p =
  some3 (fun b -> b) ((Some
    (set_grants q p.own)) :: (map (group_grants3 w q) p.named))

(** val combine : world -> question -> answer **)

let combine w q =
  if is_root q
  then Allow
  else (match some3 (fun p -> both3 (applies3 w q p) (denies3 w q p))
                w.policies with
        | Some b ->
          if b
          then Deny
          else (match some3 (fun p -> both3 (applies3 w q p) (grants3 w q p))
                        w.policies with
                | Some b0 -> if b0 then Allow else Deny
                | None -> Unknown)
        | None ->
          (match some3 (fun p -> both3 (applies3 w q p) (grants3 w q p))
                   w.policies with
           | Some b -> if b then Unknown else Deny
           | None -> Unknown))

(** val relevant : world -> question -> world **)

let relevant w q =
  { policies =
    (filter (fun p ->
      match applies3 w q p with
      | Some b ->
        if b
        then (match denies3 w q p with
              | Some b0 ->
                if b0
                then true
                else (match grants3 w q p with
                      | Some b1 -> b1
                      | None -> true)
              | None -> true)
        else false
      | None ->
        (match denies3 w q p with
         | Some b ->
           if b
           then true
           else (match grants3 w q p with
                 | Some b0 -> b0
                 | None -> true)
         | None -> true)) w.policies); resource_groups = w.resource_groups;
    partly_known = w.partly_known; permissions_groups = w.permissions_groups }

(** val answer_of : world -> question -> answer **)

let answer_of w q =
  match combine w q with
  | Unknown -> decide (relevant w q) q
  | x -> x

(** val in_force : (leaf -> bool) -> n -> policy -> bool **)

let in_force f at_ p =
  (&&) (match p.expires with
        | Some last -> N.leb at_ last
        | None -> true) (holds f p.when0)

(** val places : world -> entry -> pattern list **)

let places w = function
| Resource p -> p :: []
| Group p ->
  flat_map (fun g -> if matches p (fst g) then map literal (snd g) else [])
    w.resource_groups

(** val sets : world -> policy -> permission_set list **)

let sets w p =
  p.own :: (flat_map (fun g ->
             match lookup g w.permissions_groups with
             | Some s -> s :: []
             | None -> []) p.named)

(** val statements :
    world -> (permission_set -> pattern list) -> (permission_set -> pattern
    list) -> policy -> region list **)

let statements w entries_of left_out p =
  flat_map (fun i ->
    flat_map (fun x ->
      flat_map (fun r ->
        flat_map (fun s ->
          map (fun a -> { whole = (i :: (r :: (a :: []))); without =
            (map (fun n0 -> (Star :: []) :: ((Star :: []) :: (n0 :: [])))
              (left_out s)) }) (entries_of s)) (sets w p)) (places w x))
      p.resources) p.identities

(** val side_of : (leaf -> bool) -> n -> world -> side **)

let side_of f at_ w =
  { grants =
    (flat_map (statements w (fun p -> p.allow) (fun p -> p.except))
      (filter (in_force f at_) w.policies)); denies =
    (flat_map (statements w (fun p -> p.deny) (fun _ -> []))
      (filter (in_force f at_) w.policies)) }

(** val first_of : region -> region **)

let first_of r =
  { whole =
    (match r.whole with
     | [] -> []
     | p :: rest -> p :: ((Star :: []) :: rest)); without =
    (map (fun c ->
      match c with
      | [] -> []
      | p :: rest -> p :: ((Star :: []) :: rest)) r.without) }

(** val second_of : region -> region **)

let second_of r =
  { whole =
    (match r.whole with
     | [] -> []
     | p :: rest -> (Star :: []) :: (p :: rest)); without =
    (map (fun c ->
      match c with
      | [] -> []
      | p :: rest -> (Star :: []) :: (p :: rest)) r.without) }

(** val by_two : side -> side -> region list **)

let by_two a b =
  flat_map (fun r ->
    flat_map (fun d -> meet_region r d) (map second_of b.denies))
    (minus_all (map first_of a.grants)
      (app (map first_of a.denies) (map second_of a.denies)))

(** val first_with : int -> region list -> request option **)

let rec first_with parts = function
| [] -> None
| r :: rs' ->
  (match witness r with
   | Some r0 ->
     if (<=) parts (length r0) then Some r0 else first_with parts rs'
   | None -> first_with parts rs')

(** val both_users : pattern list -> int -> region list **)

let both_users users parts =
  flat_map (fun u ->
    map (fun v -> { whole = (u :: (v :: (repeat (Star :: []) parts)));
      without = [] }) users) users

(** val new_access_of_one_user :
    pattern list -> side -> side -> (text list * request) option **)

let new_access_of_one_user users a b =
  match first_with (Stdlib.Int.succ 0) (gained a b) with
  | Some r ->
    (match r with
     | [] ->
       (match first_with (Stdlib.Int.succ (Stdlib.Int.succ 0))
                (minus_all (by_two a b)
                  (both_users users (Stdlib.Int.succ (Stdlib.Int.succ 0)))) with
        | Some r0 ->
          (match r0 with
           | [] -> None
           | m :: l ->
             (match l with
              | [] -> None
              | n0 :: rest -> Some ((m :: (n0 :: [])), rest)))
        | None -> None)
     | m :: rest -> Some ((m :: []), rest))
  | None ->
    (match first_with (Stdlib.Int.succ (Stdlib.Int.succ 0))
             (minus_all (by_two a b)
               (both_users users (Stdlib.Int.succ (Stdlib.Int.succ 0)))) with
     | Some r ->
       (match r with
        | [] -> None
        | m :: l ->
          (match l with
           | [] -> None
           | n0 :: rest -> Some ((m :: (n0 :: [])), rest)))
     | None -> None)
