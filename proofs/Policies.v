(** What a policy means (docs/semantics.md, Records, Decision, Conditions; src/simulate/reference.ts, facts.ts), for one
    complete set of facts; and the laws that decisions obey. *)

Require Import List Arith NArith Bool Lia.
Import ListNotations.
From Grantwise Require Import Glob.

Definition text_eqb (a b : text) : bool := if list_eq_dec Nat.eq_dec a b then true else false.

Lemma text_eqb_spec a b : reflect (a = b) (text_eqb a b).
Proof.
  unfold text_eqb. destruct list_eq_dec; constructor; auto.
Qed.

(** ** Conditions *)

Inductive text_operator := Equals | Starts | Ends.

Definition starts (v t : text) : bool := match after v t with Some _ => true | None => false end.
Definition ends (v t : text) : bool := match before v t with Some _ => true | None => false end.

Definition text_holds (o : text_operator) (v t : text) : bool :=
  match o with Equals => text_eqb t v | Starts => starts v t | Ends => ends v t end.

(** An address: whether it is of version 6, and its number. A block is a version, its first and its last number. *)
Definition address := (bool * N)%type.
Definition block := (bool * (N * N))%type.

Definition in_block (a : address) (b : block) : bool :=
  Bool.eqb (fst a) (fst b) && (fst (snd b) <=? snd a)%N && (snd a <=? snd (snd b))%N.

Inductive clock_field := Day | Hour | WeekDay.
Inductive order := Is | Before | AtMost | AtLeast | Later.

Definition in_order (o : order) (value shown : N) : bool :=
  match o with
  | Is => (shown =? value)%N
  | Before => (shown <? value)%N
  | AtMost => (shown <=? value)%N
  | AtLeast => (value <=? shown)%N
  | Later => (value <? shown)%N
  end.

(** A comparison holds when it holds of one of its values: `IN` has several. *)
Inductive leaf :=
  | TagTest (key : text) (o : text_operator) (values : list text)
  | NameTest (o : text_operator) (values : list text)
  | TypeTest (o : text_operator) (values : list text)
  | AddressTest (blocks : list block)
  | ClockTest (zone : text) (field : clock_field) (o : order) (values : list N)
  | NotUnderstood (written : text).

Inductive condition :=
  | Leaf (l : leaf)
  | And (cs : list condition)
  | Or (cs : list condition)
  | Not (cs : list condition).  (** none of them holds *)

Section Induction.
  Variable P : condition -> Prop.
  Hypothesis on_leaf : forall l, P (Leaf l).
  Hypothesis on_and : forall cs, Forall P cs -> P (And cs).
  Hypothesis on_or : forall cs, Forall P cs -> P (Or cs).
  Hypothesis on_not : forall cs, Forall P cs -> P (Not cs).

  Fixpoint condition_induction (c : condition) : P c :=
    let all := fix all (cs : list condition) : Forall P cs :=
      match cs with [] => Forall_nil P | c :: cs' => Forall_cons c (condition_induction c) (all cs') end in
    match c with
    | Leaf l => on_leaf l
    | And cs => on_and cs (all cs)
    | Or cs => on_or cs (all cs)
    | Not cs => on_not cs (all cs)
    end.
End Induction.

Fixpoint holds (f : leaf -> bool) (c : condition) : bool :=
  match c with
  | Leaf l => f l
  | And cs => forallb (holds f) cs
  | Or cs => existsb (holds f) cs
  | Not cs => negb (existsb (holds f) cs)
  end.

Fixpoint leaves (c : condition) : list leaf :=
  match c with
  | Leaf l => [l]
  | And cs | Or cs | Not cs => flat_map leaves cs
  end.

Lemma existsb_ext {A} (f g : A -> bool) l : (forall x, In x l -> f x = g x) -> existsb f l = existsb g l.
Proof.
  induction l as [|a l IH]; cbn; intro H; auto. rewrite (H a) by auto. rewrite IH; auto.
Qed.

Lemma forallb_ext {A} (f g : A -> bool) l : (forall x, In x l -> f x = g x) -> forallb f l = forallb g l.
Proof.
  induction l as [|a l IH]; cbn; intro H; auto. rewrite (H a) by auto. rewrite IH; auto.
Qed.

(** What holds of each comparison of a condition holds of the condition. *)
Lemma leaves_induction (Q : leaf -> Prop) (P : condition -> Prop) :
  (forall l, Q l -> P (Leaf l)) ->
  (forall cs, (forall c, In c cs -> P c) -> P (And cs)) ->
  (forall cs, (forall c, In c cs -> P c) -> P (Or cs)) ->
  (forall cs, (forall c, In c cs -> P c) -> P (Not cs)) ->
  forall c, (forall l, In l (leaves c) -> Q l) -> P c.
Proof.
  intros L A O N c. induction c as [l|cs IH|cs IH|cs IH] using condition_induction; cbn [leaves]; intro H; [apply L, H; cbn; auto|..];
    rewrite Forall_forall in IH; [apply A|apply O|apply N]; intros c I; apply IH; auto; intros l Il; apply H, in_flat_map; eauto.
Qed.

Lemma holds_ext f g c : (forall l, In l (leaves c) -> f l = g l) -> holds f c = holds g c.
Proof.
  apply (leaves_induction (fun l => f l = g l) (fun c => holds f c = holds g c)); cbn; auto using forallb_ext, existsb_ext.
  intros cs H. f_equal. apply existsb_ext, H.
Qed.

(** ** Policies, and what is known beside them *)

Record permission_set := { allow : list pattern; except : list pattern; deny : list pattern }.

(** What a policy is about: resources by name, or the members of the groups that a pattern names. *)
Inductive entry := Resource (p : pattern) | Group (p : pattern).

Record policy := {
  identities : list pattern;
  resources : list entry;
  when : condition;
  expires : option N;
  own : permission_set;
  named : list text;  (** permissions groups *)
}.

Record world := {
  policies : list policy;
  resource_groups : list (text * list text);  (** those that are described, with the members that are known *)
  partly_known : list text;  (** groups of which not all members are known *)
  permissions_groups : list (text * permission_set);
}.

Record question := {
  members : list text;  (** the identity, and its groups *)
  action : text;
  resource : text;
  resource_name : text;
  resource_type : text;
  instant : N;
  clock : text -> clock_field -> N;  (** what a clock in a zone shows at that instant *)
  asks_as : option text;  (** the account, where the identity is an account *)
  owner : option text;
  given_address : option address;
  given_tags : option (list (text * text));
}.

Inductive outcome := Allows_it | Denies_it | Says_nothing.

(** Facts that may be missing, complete. *)
Record facts := {
  fact_address : address;
  fact_tag : text -> option text;
  fact_groups : list text;  (** other groups that the resource is in: those that the world does not describe whole *)
  fact_outcome : text -> outcome;  (** of permissions groups that the world does not describe *)
  fact_truth : text -> bool;  (** of conditions that are not understood *)
}.

Fixpoint lookup {V} (key : text) (l : list (text * V)) : option V :=
  match l with
  | [] => None
  | (k, v) :: l' => if text_eqb k key then Some v else lookup key l'
  end.

Definition mem (t : text) (l : list text) : bool := existsb (text_eqb t) l.

(** ** The verdict for complete facts *)

Inductive verdict := Root | Denied | Granted | Default.
Definition is_allowed (v : verdict) : bool := match v with Root | Granted => true | Denied | Default => false end.

Section Decision.
  Variables (w : world) (q : question) (e : facts).

  Definition leaf_holds (l : leaf) : bool :=
    match l with
    | TagTest key o values =>
        match fact_tag e key with Some t => existsb (fun v => text_holds o v t) values | None => false end
    | NameTest o values => existsb (fun v => text_holds o v (resource_name q)) values
    | TypeTest o values => existsb (fun v => text_holds o v (resource_type q)) values
    | AddressTest blocks => existsb (in_block (fact_address e)) blocks
    | ClockTest zone field o values => existsb (fun v => in_order o v (clock q zone field)) values
    | NotUnderstood written => fact_truth e written
    end.

  Definition entry_holds (x : entry) : bool :=
    match x with
    | Resource p => matches p (resource q)
    | Group p =>
        existsb (fun g => matches p (fst g) && mem (resource q) (snd g)) (resource_groups w)
          || existsb (matches p) (fact_groups e)
    end.

  Definition about (p : policy) : bool :=
    match expires p with Some last => (instant q <=? last)%N | None => true end
      && existsb (fun i => existsb (matches i) (members q)) (identities p).

  Definition applies (p : policy) : bool := about p && existsb entry_holds (resources p) && holds leaf_holds (when p).

  Definition hits (l : list pattern) : bool := existsb (fun a => matches a (action q)) l.
  Definition set_denies (s : permission_set) : bool := hits (deny s).
  Definition set_grants (s : permission_set) : bool := hits (allow s) && negb (hits (except s)).

  Definition group_denies (g : text) : bool :=
    match lookup g (permissions_groups w) with
    | Some s => set_denies s
    | None => match fact_outcome e g with Denies_it => true | _ => false end
    end.
  Definition group_grants (g : text) : bool :=
    match lookup g (permissions_groups w) with
    | Some s => set_grants s
    | None => match fact_outcome e g with Allows_it => true | _ => false end
    end.

  Definition denies (p : policy) : bool := set_denies (own p) || existsb group_denies (named p).
  Definition grants (p : policy) : bool := set_grants (own p) || existsb group_grants (named p).

  Definition is_root : bool :=
    match asks_as q, owner q with Some a, Some b => text_eqb a b | _, _ => false end.

  Definition decision : verdict :=
    if is_root then Root
    else if existsb (fun p => applies p && denies p) (policies w) then Denied
    else if existsb (fun p => applies p && grants p) (policies w) then Granted
    else Default.
End Decision.

(** ** Laws, named as in test/simulate/laws.test.ts *)

Lemma existsb_same {A} (f : A -> bool) l k : (forall x, In x l <-> In x k) -> existsb f l = existsb f k.
Proof.
  intro H. apply eq_true_iff_eq. rewrite !existsb_exists. split; intros (x & I & E); exists x; split; auto; apply H; auto.
Qed.

Definition Same {A} (l k : list A) : Prop := forall x, In x l <-> In x k.

(** Lists of a policy with the same elements. *)
Definition Same_set (s s' : permission_set) : Prop :=
  Same (allow s) (allow s') /\ Same (except s) (except s') /\ Same (deny s) (deny s').

Definition Same_policy (p p' : policy) : Prop :=
  Same (identities p) (identities p') /\ Same (resources p) (resources p') /\ when p = when p' /\ expires p = expires p'
  /\ Same_set (own p) (own p') /\ Same (named p) (named p').

Lemma same_set_hits q s s' : Same_set s s' -> set_denies q s = set_denies q s' /\ set_grants q s = set_grants q s'.
Proof.
  intros (A & X & D). unfold set_denies, set_grants, hits.
  rewrite (existsb_same _ _ _ A), (existsb_same _ _ _ X), (existsb_same _ _ _ D). auto.
Qed.

Lemma same_policy w q e p p' : Same_policy p p' ->
  applies w q e p = applies w q e p' /\ denies w q e p = denies w q e p' /\ grants w q e p = grants w q e p'.
Proof.
  intros (I & R & W & X & S & N). destruct (same_set_hits q _ _ S) as [D G].
  unfold applies, about, denies, grants.
  rewrite W, X, D, G, (existsb_same _ _ _ I), (existsb_same _ _ _ R), !(existsb_same _ _ _ N). auto.
Qed.

(** The order of policies and of entries, and saying a thing twice, do not matter. *)
(* covers: M04, M05 *)
Theorem order_and_duplicates_do_not_matter w w' q e :
  resource_groups w = resource_groups w' -> permissions_groups w = permissions_groups w' ->
  (forall p, In p (policies w) -> exists p', In p' (policies w') /\ Same_policy p p') ->
  (forall p', In p' (policies w') -> exists p, In p (policies w) /\ Same_policy p p') ->
  decision w q e = decision w' q e.
Proof.
  intros RG PG F B.
  assert (E : forall f : world -> policy -> bool,
    (forall p p', Same_policy p p' -> f w p = f w' p') -> existsb (f w) (policies w) = existsb (f w') (policies w')).
  { intros f H. apply eq_true_iff_eq. rewrite !existsb_exists. split.
    - intros (p & I & T). destruct (F _ I) as (p' & I' & S). exists p'. split; auto. rewrite <- (H _ _ S). auto.
    - intros (p' & I & T). destruct (B _ I) as (p & I' & S). exists p. split; auto. rewrite (H _ _ S). auto. }
  assert (W : forall p, applies w q e p = applies w' q e p /\ denies w q e p = denies w' q e p /\ grants w q e p = grants w' q e p).
  { intro p. unfold applies, denies, grants, entry_holds, group_denies, group_grants. rewrite RG, PG. auto. }
  unfold decision. destruct (is_root q); auto.
  rewrite (E (fun w p => applies w q e p && denies w q e p)), (E (fun w p => applies w q e p && grants w q e p)); auto;
    intros p p' S; destruct (same_policy w q e _ _ S) as (A & D & G); destruct (W p') as (A' & D' & G'); congruence.
Qed.

(** Deny beats every allow, whatever else is written. *)
(* covers: M16 *)
Theorem deny_wins w q e p :
  is_root q = false -> In p (policies w) -> applies w q e p = true -> denies w q e p = true -> decision w q e = Denied.
Proof.
  intros R I A D. unfold decision. rewrite R.
  replace (existsb (fun p => applies w q e p && denies w q e p) (policies w)) with true; auto.
  symmetry. apply existsb_exists. exists p. rewrite A, D. auto.
Qed.

(** Nothing is allowed that no entry allows: some policy applies that has an allow entry for the action in a set without
    an except entry for it, or that names a permissions group that nobody describes and that allows it. *)
(* covers: M03 *)
Theorem nothing_is_allowed_that_no_entry_allows w q e :
  decision w q e = Granted ->
  exists p, In p (policies w) /\ applies w q e p = true /\
    ((exists s a, (s = own p \/ exists g, In g (named p) /\ lookup g (permissions_groups w) = Some s) /\
        In a (allow s) /\ Matches a (action q) /\ hits q (except s) = false)
     \/ exists g, In g (named p) /\ lookup g (permissions_groups w) = None /\ fact_outcome e g = Allows_it).
Proof.
  unfold decision. destruct is_root; [discriminate|]. destruct (existsb _ _) eqn:D; [discriminate|].
  destruct (existsb (fun p => applies w q e p && grants w q e p) (policies w)) eqn:G; [intros _|discriminate].
  apply existsb_exists in G as (p & I & H). apply andb_true_iff in H as [A G]. exists p. split; auto. split; auto.
  unfold grants in G. apply orb_true_iff in G as [G|G].
  - left. unfold set_grants, hits in G. apply andb_true_iff in G as [G X]. apply existsb_exists in G as (a & Ia & M).
    exists (own p), a. repeat split; auto; [apply matches_decides|apply negb_true_iff in X]; auto.
  - apply existsb_exists in G as (g & Ig & G). unfold group_grants in G.
    destruct (lookup g (permissions_groups w)) as [s|] eqn:L.
    + left. unfold set_grants, hits in G. apply andb_true_iff in G as [G X]. apply existsb_exists in G as (a & Ia & M).
      exists s, a. repeat split; eauto; [apply matches_decides|apply negb_true_iff in X]; auto.
    + right. exists g. repeat split; auto. destruct (fact_outcome e g); auto; discriminate.
Qed.

(** Except takes from the allow list of its own set only: what another set grants stays granted, and nothing is denied. *)
Definition with_except (p : policy) (x : list pattern) : policy :=
  {| identities := identities p; resources := resources p; when := when p; expires := expires p;
     own := {| allow := allow (own p); except := x ++ except (own p); deny := deny (own p) |}; named := named p |}.

(* covers: M14, M15 *)
Theorem except_subtracts_from_its_own_list_only w q e before p after x :
  policies w = before ++ p :: after ->
  let w' := {| policies := before ++ with_except p x :: after; resource_groups := resource_groups w; partly_known := partly_known w;
               permissions_groups := permissions_groups w |} in
  (decision w' q e = decision w q e \/ (decision w q e = Granted /\ decision w' q e = Default)) /\
  ((exists p', In p' (before ++ after) /\ applies w q e p' = true /\ grants w q e p' = true) \/
   existsb (group_grants w q e) (named p) = true \/ hits q x = false ->
   decision w' q e = decision w q e).
Proof.
  intros E w'.
  assert (A : forall p', applies w' q e p' = applies w q e p') by reflexivity.
  assert (G : forall p', grants w' q e p' = grants w q e p') by reflexivity.
  assert (D : forall p', denies w' q e p' = denies w q e p') by reflexivity.
  assert (Ax : applies w q e (with_except p x) = applies w q e p) by reflexivity.
  assert (Dx : denies w q e (with_except p x) = denies w q e p) by reflexivity.
  assert (Gx : grants w q e (with_except p x) = true -> grants w q e p = true).
  { unfold grants, set_grants, with_except, hits. cbn. rewrite existsb_app.
    destruct (existsb _ (allow (own p))), (existsb _ x), (existsb _ (except (own p))); cbn; auto. }
  assert (DD : existsb (fun p => applies w' q e p && denies w' q e p) (policies w')
             = existsb (fun p => applies w q e p && denies w q e p) (policies w)).
  { rewrite E. cbn [policies w']. rewrite !existsb_app. cbn. reflexivity. }
  unfold decision. rewrite DD. destruct (is_root q); [auto|].
  destruct (existsb (fun p => applies w q e p && denies w q e p) (policies w)); [auto|].
  rewrite E. cbn [policies w']. rewrite !existsb_app. cbn [existsb].
  change (existsb (fun p0 => applies w' q e p0 && grants w' q e p0)) with (existsb (fun p0 => applies w q e p0 && grants w q e p0)).
  rewrite A, G, Ax.
  destruct (existsb (fun p0 => applies w q e p0 && grants w q e p0) before) eqn:B; [cbn; auto|].
  destruct (existsb (fun p0 => applies w q e p0 && grants w q e p0) after) eqn:C; [rewrite !orb_true_r; auto|].
  rewrite !orb_false_r. cbn [orb]. split.
  - destruct (applies w q e p); cbn; auto. destruct (grants w q e (with_except p x)) eqn:H.
    + rewrite (Gx eq_refl). auto.
    + destruct (grants w q e p); auto.
  - intros [(p' & I & Ap & Gp)|[H|H]].
    + exfalso. apply in_app_iff in I as [I|I].
      * rewrite <- not_true_iff_false in B. apply B, existsb_exists. exists p'. rewrite Ap, Gp. auto.
      * rewrite <- not_true_iff_false in C. apply C, existsb_exists. exists p'. rewrite Ap, Gp. auto.
    + unfold grants. cbn. rewrite H, !orb_true_r. auto.
    + unfold grants, set_grants, hits in *. cbn. rewrite existsb_app, H. auto.
Qed.
