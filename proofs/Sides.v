(** Values that are not known, on the two sides of a comparison (docs/terraform.md, Unknown values; docs/analysis.md, Inclusion;
    src/unknown, src/answers/difference.ts): which values of the sides are the same, and what a comparison with them covers. *)

Require Import List Arith NArith Bool Lia.
Import ListNotations.
From Grantwise Require Import Glob Regions Policies Completions Difference.

Inductive one_side := Base | Change.

(** ** Which values are the same *)

Section Values.
  Variable value : Type.

  (** What is outside of the configurations: it makes a value of an expression and of what gives it, and knows no sides. *)
  Definition outside := text -> list text -> value.

  (** What gives a value on each side: arguments, versions, files that are read. *)
  Variable given : one_side -> text -> list text.

  Definition worth (o : outside) (s : one_side) (x : text) : value := o x (given s x).

  (** What stands for a value in a comparison: the expression together with what gives it on its side. *)
  Definition symbol (s : one_side) (x : text) : text * list text := (x, given s x).

  Lemma symbol_dec (a b : text * list text) : {a = b} + {a <> b}.
  Proof. repeat decide equality. Qed.

  (* covers: M41b *)
  Theorem equal_inputs_give_equal_values s x s' y : symbol s x = symbol s' y -> forall o, worth o s x = worth o s' y.
  Proof. unfold symbol, worth. intros E o. injection E as -> ->. reflexivity. Qed.

  (** Two values are the same whatever is outside only if they are given the same: where anything differs, some outside tells them apart. *)
  (* covers: M41b *)
  Theorem equality_needs_equal_inputs s x s' y (a b : value) :
    a <> b -> (forall o, worth o s x = worth o s' y) -> symbol s x = symbol s' y.
  Proof.
    intros D H. destruct (symbol_dec (symbol s x) (symbol s' y)) as [E|N]; auto. exfalso. apply D.
    specialize (H (fun e g => if symbol_dec (e, g) (symbol s x) then a else b)). unfold worth in H. fold (symbol s x) in H. fold (symbol s' y) in H.
    destruct (symbol_dec (symbol s x) (symbol s x)) as [_|C]; [|destruct C; reflexivity].
    destruct (symbol_dec (symbol s' y) (symbol s x)) as [E|_]; [destruct N; auto|auto].
  Qed.
End Values.

Arguments worth {value}.

(** ** Worlds with conditions whose truth is not known *)

(** The same condition with other names for what is not understood. *)
Fixpoint renamed (f : text -> text) (c : condition) : condition :=
  match c with
  | Leaf (NotUnderstood x) => Leaf (NotUnderstood (f x))
  | Leaf l => Leaf l
  | And cs => And (map (renamed f) cs)
  | Or cs => Or (map (renamed f) cs)
  | Not cs => Not (map (renamed f) cs)
  end.

Definition renamed_policy (f : text -> text) (p : policy) : policy :=
  {| identities := identities p; resources := resources p; when := renamed f (when p); expires := expires p; own := own p; named := named p |}.

Definition renamed_world (f : text -> text) (w : world) : world :=
  {| policies := map (renamed_policy f) (policies w); resource_groups := resource_groups w; partly_known := partly_known w;
     permissions_groups := permissions_groups w |}.

(** The same facts with another truth of conditions. *)
Definition with_truth (e : facts) (t : text -> bool) : facts :=
  {| fact_address := fact_address e; fact_tag := fact_tag e; fact_groups := fact_groups e; fact_outcome := fact_outcome e; fact_truth := t |}.

Lemma existsb_map {A B} (f : A -> B) (g : B -> bool) l : existsb g (map f l) = existsb (fun x => g (f x)) l.
Proof. induction l; cbn; congruence. Qed.

Lemma renamed_holds f t q e c :
  holds (leaf_holds q (with_truth e t)) (renamed f c) = holds (leaf_holds q (with_truth e (fun x => t (f x)))) c.
Proof.
  induction c as [l|cs IH|cs IH|cs IH] using condition_induction; [destruct l; reflexivity|..]; rewrite Forall_forall in IH; cbn [renamed holds].
  - induction cs as [|c cs IHcs]; cbn; auto. rewrite (IH c) by (cbn; auto). f_equal. apply IHcs. intros x I. apply IH. cbn. auto.
  - induction cs as [|c cs IHcs]; cbn; auto. rewrite (IH c) by (cbn; auto). f_equal. apply IHcs. intros x I. apply IH. cbn. auto.
  - f_equal. induction cs as [|c cs IHcs]; cbn; auto. rewrite (IH c) by (cbn; auto). f_equal. apply IHcs. intros x I. apply IH. cbn. auto.
Qed.

Lemma renamed_decision f t w q e :
  decision (renamed_world f w) q (with_truth e t) = decision w q (with_truth e (fun x => t (f x))).
Proof.
  assert (A : forall p, applies (renamed_world f w) q (with_truth e t) (renamed_policy f p) = applies w q (with_truth e (fun x => t (f x))) p).
  { intro p. unfold applies. cbn [when renamed_policy]. rewrite renamed_holds. reflexivity. }
  assert (D : forall p, denies (renamed_world f w) q (with_truth e t) (renamed_policy f p) = denies w q (with_truth e (fun x => t (f x))) p)
    by reflexivity.
  assert (G : forall p, grants (renamed_world f w) q (with_truth e t) (renamed_policy f p) = grants w q (with_truth e (fun x => t (f x))) p)
    by reflexivity.
  unfold decision. destruct (is_root q); auto. cbn [policies renamed_world]. rewrite !existsb_map.
  rewrite (existsb_ext _ (fun p => applies w q (with_truth e (fun x => t (f x))) p && denies w q (with_truth e (fun x => t (f x))) p)),
    (existsb_ext (fun p => applies (renamed_world f w) q (with_truth e t) (renamed_policy f p) && grants (renamed_world f w) q (with_truth e t) (renamed_policy f p))
      (fun p => applies w q (with_truth e (fun x => t (f x))) p && grants w q (with_truth e (fun x => t (f x))) p)); auto;
    intros p _; rewrite A, ?D, ?G; auto.
Qed.

Section Compared.
  Variable given : one_side -> text -> list text.
  (** How a symbol is written: two symbols never alike. *)
  Variable written : text * list text -> text.
  Hypothesis written_once : forall a b, written a = written b -> a = b.

  Definition named_on (s : one_side) (x : text) : text := written (symbol given s x).

  (** Something is outside with which the change allows what the base does not. *)
  Definition May_gain (base change : world) : Prop :=
    exists o q e, allows change q (with_truth e (worth given o Change)) /\ ~ allows base q (with_truth e (worth given o Base)).

  (** With the symbols as names of conditions, and one truth for each name on both sides. *)
  Definition May_gain_by_symbols (base change : world) : Prop :=
    exists t q e, allows (renamed_world (named_on Change) change) q (with_truth e t) /\ ~ allows (renamed_world (named_on Base) base) q (with_truth e t).

  Lemma truths_of (t : text -> bool) s x : worth given (fun e g => t (written (e, g))) s x = t (named_on s x).
  Proof. reflexivity. Qed.

  Lemma allows_renamed f t w q e : allows (renamed_world f w) q (with_truth e t) <-> allows w q (with_truth e (fun x => t (f x))).
  Proof. unfold allows. rewrite renamed_decision. tauto. Qed.

  Lemma allows_by_truth w q e t t' : (forall x, t x = t' x) -> allows w q (with_truth e t) <-> allows w q (with_truth e t').
  Proof.
    intro H. unfold allows. rewrite (alike_decision w q (with_truth e t) (with_truth e t')); [tauto|].
    split; try reflexivity. intros [] _; cbn; auto.
  Qed.
End Compared.

(** A comparison over all truths of the symbols is a comparison over everything that may be outside. *)
(* covers: M41b *)
Theorem symbols_compare_as_what_is_outside given (written : text * list text -> text) base change :
  (forall a b, written a = written b -> a = b) -> May_gain given base change <-> May_gain_by_symbols given written base change.
Proof.
  intro W. unfold May_gain, May_gain_by_symbols. split.
  - intros (o & q & e & A & N).
    (* Of the finitely many symbols that the worlds use, each is found again from what is written of it. *)
    set (names := flat_map (fun p => flat_map (fun l => match l with NotUnderstood x => [x] | _ => [] end) (leaves (when p)))
      (policies base ++ policies change)).
    set (symbols := flat_map (fun x => [symbol given Base x; symbol given Change x]) names).
    exists (fun n => match List.find (fun a => text_eqb (written a) n) symbols with Some (x, g) => o x g | None => false end), q, e.
    assert (F : forall s x, In x names -> match List.find (fun a => text_eqb (written a) (named_on given written s x)) symbols with Some (x, g) => o x g | None => false end
      = worth given o s x).
    { intros s x I. destruct (List.find _ symbols) as [[y g]|] eqn:E.
      - apply List.find_some in E as [_ E]. destruct (text_eqb_spec (written (y, g)) (named_on given written s x)) as [E'|]; [|discriminate].
        apply W in E'. unfold symbol in E'. injection E' as -> ->. reflexivity.
      - exfalso. assert (In (symbol given s x) symbols) as IS
          by (apply in_flat_map; exists x; split; auto; destruct s; cbn; auto).
        apply (List.find_none _ _ E) in IS. unfold named_on in IS.
        destruct (text_eqb_spec (written (symbol given s x)) (written (symbol given s x))); congruence. }
    assert (S : forall s w, (forall p, In p (policies w) -> In p (policies base ++ policies change)) ->
      (allows (renamed_world (named_on given written s) w) q
        (with_truth e (fun n => match List.find (fun a => text_eqb (written a) n) symbols with Some (x, g) => o x g | None => false end))
       <-> allows w q (with_truth e (worth given o s)))).
    { intros s w I. rewrite allows_renamed. unfold allows.
      rewrite (alike_decision w q _ (with_truth e (worth given o s))); [tauto|]. split; try reflexivity.
      intros l Il. unfold world_leaves in Il. apply in_flat_map in Il as (p & Ip & Il). destruct l; try reflexivity. cbn. apply F.
      unfold names. apply in_flat_map. exists p. split; auto. apply in_flat_map. eexists. split; [exact Il|]. cbn. auto. }
    rewrite !S; auto; intros p I; apply in_app_iff; auto.
  - intros (t & q & e & A & N). exists (fun x g => t (written (x, g))), q, e.
    rewrite allows_renamed in A. rewrite allows_renamed in N. split; [exact A|exact N].
Qed.

(** Expressions as names would hide new access: two sides with the same text, of which one is given something else. *)
(* covers: M41b *)
Theorem expressions_are_no_symbols :
  exists given w, ~ (exists t q e, allows w q (with_truth e t) /\ ~ allows w q (with_truth e t)) /\ May_gain given w w.
Proof.
  pose (x := @nil letter).
  pose (p := {| identities := [[Star]]; resources := [Resource [Star]]; when := Leaf (NotUnderstood x); expires := None;
    own := {| allow := [[Star]]; except := []; deny := [] |}; named := [] |}).
  exists (fun s _ => match s with Base => [] | Change => [[]] end).
  exists {| policies := [p]; resource_groups := []; partly_known := []; permissions_groups := [] |}.
  split; [intros (t & q & e & A & N); auto|].
  exists (fun _ g => match g with [] => false | _ => true end).
  exists {| members := [[]]; action := []; resource := []; resource_name := []; resource_type := []; instant := 0%N; clock := fun _ _ => 0%N;
    asks_as := None; owner := None; given_address := None; given_tags := None |}.
  exists {| fact_address := (false, 0%N); fact_tag := fun _ => None; fact_groups := []; fact_outcome := fun _ => Says_nothing;
    fact_truth := fun _ => false |}.
  split; [reflexivity|]. intro A. discriminate A.
Qed.

(** ** Every truth of finitely many conditions *)

Definition unknown_names (w : world) : list text :=
  flat_map (fun p => flat_map (fun l => match l with NotUnderstood x => [x] | _ => [] end) (leaves (when p))) (policies w).

Fixpoint truths (names : list text) : list (text -> bool) :=
  match names with
  | [] => [fun _ => false]
  | n :: names' => flat_map (fun t => [t; fun x => text_eqb x n || t x]) (truths names')
  end.

Lemma truths_complete names (t : text -> bool) : exists t', In t' (truths names) /\ forall n, In n names -> t' n = t n.
Proof.
  induction names as [|n names (t' & I & H)]; [exists (fun _ => false); cbn; tauto|].
  destruct (t n) eqn:E.
  - exists (fun x => text_eqb x n || t' x). split; [apply in_flat_map; exists t'; cbn; auto|].
    intros m Im. destruct (text_eqb_spec m n) as [->|D]; [auto|]. cbn. apply H. destruct Im; congruence.
  - destruct (in_dec (list_eq_dec Nat.eq_dec) n names) as [In'|Out].
    + exists t'. split; [apply in_flat_map; exists t'; cbn; auto|]. intros m [<-|Im]; auto.
    + (* The first name is in no later one: a truth that leaves it out is among them. *)
      assert (Z : forall ns s, In s (truths ns) -> ~ In n ns -> s n = false).
      { induction ns as [|a ns IH]; intros s Is On; cbn in Is; [destruct Is as [<-|[]]; auto|].
        apply in_flat_map in Is as (r & Ir & Is). assert (r n = false) by (apply (IH r Ir); cbn in On; tauto).
        destruct Is as [<-|[<-|[]]]; auto. destruct (text_eqb_spec n a) as [->|]; [destruct On; cbn; auto|]. auto. }
      exists t'. split; [apply in_flat_map; exists t'; cbn; auto|]. intros m [<-|Im]; auto. rewrite E. apply (Z names); auto.
Qed.

(** The context in which nothing but conditions that are not understood is asked. *)
Definition truth_context (t : text -> bool) (l : leaf) : bool := match l with NotUnderstood x => t x | _ => false end.

Lemma side_of_ext f f' at_ w :
  (forall p l, In p (policies w) -> In l (leaves (when p)) -> f l = f' l) -> side_of f at_ w = side_of f' at_ w.
Proof.
  intro H. unfold side_of. assert (E : filter (in_force f at_) (policies w) = filter (in_force f' at_) (policies w)); [|rewrite E; reflexivity].
  apply filter_ext_in. intros p I. unfold in_force. f_equal. apply holds_ext. intros l Il. apply (H p l I Il).
Qed.

Definition Only_not_understood (w : world) : Prop :=
  forall p l, In p (policies w) -> In l (leaves (when p)) -> exists x, l = NotUnderstood x.

(** Looking at each truth of the names that are used is looking at all of them. *)
(* covers: M41b *)
Theorem every_truth_is_compared users at_ base change : Only_not_understood base -> Only_not_understood change ->
  (exists f ms resource action, Gains users (side_of f at_ change) (side_of f at_ base) ms [resource; action]) <->
  (exists t ms resource action, In t (truths (unknown_names base ++ unknown_names change)) /\
    Gains users (side_of (truth_context t) at_ change) (side_of (truth_context t) at_ base) ms [resource; action]).
Proof.
  intros OB OC. split.
  - intros (f & ms & r & c & G).
    destruct (truths_complete (unknown_names base ++ unknown_names change) (fun x => f (NotUnderstood x))) as (t & I & H).
    exists t, ms, r, c. split; auto.
    assert (S : forall w, Only_not_understood w -> (forall n, In n (unknown_names w) -> In n (unknown_names base ++ unknown_names change)) ->
      side_of (truth_context t) at_ w = side_of f at_ w).
    { intros w O Sub. apply side_of_ext. intros p l Ip Il. destruct (O p l Ip Il) as [x ->]. cbn. apply H, Sub.
      unfold unknown_names. apply in_flat_map. exists p. split; auto. apply in_flat_map. eexists. split; [exact Il|]. cbn. auto. }
    rewrite !S; auto; intros n In'; apply in_app_iff; auto.
  - intros (t & ms & r & c & _ & G). exists (truth_context t), ms, r, c. exact G.
Qed.
