(** Laws of policies, named as in test/simulate/laws.test.ts (docs/assurance.md): what a change of policies can do to decisions. Each is
    about complete facts; [more_access] carries it over to missing ones. *)

Require Import List Arith NArith Bool.
Import ListNotations.
From Grantwise Require Import Glob Policies Completions.

(** The same world with other policies. *)
Definition with_policies (w : world) (ps : list policy) : world :=
  {| policies := ps; resource_groups := resource_groups w; partly_known := partly_known w; permissions_groups := permissions_groups w |}.

(** What one list of policies allows, the other one allows. *)
Definition Never_less (w : world) (ps qs : list policy) : Prop :=
  forall q e, allows (with_policies w ps) q e -> allows (with_policies w qs) q e.

(** Whatever facts are missing: an allow stays, and a deny was one. *)
Theorem more_access w ps qs q : Never_less w ps qs ->
  (decide (with_policies w ps) q = Allow -> decide (with_policies w qs) q = Allow) /\
  (decide (with_policies w qs) q = Deny -> decide (with_policies w ps) q = Deny).
Proof.
  intro M. assert (C : forall e, Completes (with_policies w ps) q e <-> Completes (with_policies w qs) q e)
    by (intro e; split; intros [A T G]; split; auto).
  rewrite !allowed_exactly_in_every_completion, !denied_exactly_in_every_completion. split; intros H e Ce.
  - apply M, H, C, Ce.
  - intro A. apply (H e); [apply C, Ce|apply M, A].
Qed.

Section Same_facts.
  Variables (w : world) (q : question) (e : facts).

  (** The decision only asks whether some policy denies, and whether some policy grants. *)
  Definition some_denies (ps : list policy) : bool := existsb (fun p => applies w q e p && denies w q e p) ps.
  Definition some_grants (ps : list policy) : bool := existsb (fun p => applies w q e p && grants w q e p) ps.

  Lemma allows_spec ps : allows (with_policies w ps) q e <->
    is_root q = true \/ (some_denies ps = false /\ some_grants ps = true).
  Proof.
    unfold allows, decision. change (existsb _ (policies (with_policies w ps))) with (some_denies ps) at 1.
    change (existsb _ (policies (with_policies w ps))) with (some_grants ps).
    destruct (is_root q), (some_denies ps), (some_grants ps); cbn; intuition discriminate.
  Qed.
End Same_facts.

(** A question of an identity that is not the owning account. *)
Theorem without_policies_everything_is_denied_by_default w q e : is_root q = false -> decision (with_policies w []) q e = Default.
Proof.
  intro R. unfold decision. rewrite R. reflexivity.
Qed.

(** ** More policies *)

Definition Only_allows (w : world) (p : policy) : Prop := forall q e, denies w q e p = false.
Definition Only_denies (w : world) (p : policy) : Prop := forall q e, grants w q e p = false.

(** And taking it away never adds access: the law read backwards. *)
Theorem a_policy_that_only_allows_never_removes_access w ps qs p : Only_allows w p -> Never_less w (ps ++ qs) (ps ++ p :: qs).
Proof.
  intros O q e. rewrite !allows_spec. unfold some_denies, some_grants. rewrite !existsb_app. cbn [existsb].
  rewrite (O q e), andb_false_r. cbn [orb]. intros [R|[D G]]; auto. right. split; auto.
  apply orb_true_iff in G as [-> | ->]; rewrite ?orb_true_r; auto.
Qed.

Theorem a_policy_that_only_denies_never_adds_access w ps qs p : Only_denies w p -> Never_less w (ps ++ p :: qs) (ps ++ qs).
Proof.
  intros O q e. rewrite !allows_spec. unfold some_denies, some_grants. rewrite !existsb_app. cbn [existsb].
  rewrite (O q e), andb_false_r. cbn [orb]. intros [R|[D G]]; auto. right. split; auto.
  apply orb_false_iff in D as [-> D]. apply orb_false_iff in D as [_ ->]. auto.
Qed.

(** A policy for other identities, other resources, or past its end. *)
Theorem a_policy_that_does_not_apply_changes_nothing w ps qs p q e : applies w q e p = false ->
  decision (with_policies w (ps ++ p :: qs)) q e = decision (with_policies w (ps ++ qs)) q e.
Proof.
  intro N. unfold decision. cbn [policies with_policies]. rewrite !existsb_app. cbn [existsb].
  change (applies (with_policies w (ps ++ p :: qs))) with (applies w). rewrite N. reflexivity.
Qed.

Theorem a_policy_for_other_identities_does_not_apply w q e p :
  (forall i m, In i (identities p) -> In m (members q) -> ~ Matches i m) -> applies w q e p = false.
Proof.
  intro N. unfold applies, about. replace (existsb _ (identities p)) with false; [rewrite andb_false_r; reflexivity|].
  symmetry. apply not_true_iff_false. intro H. apply existsb_exists in H as (i & I & H). apply existsb_exists in H as (m & Im & M).
  apply (N i m I Im), matches_decides, M.
Qed.

Theorem an_expired_policy_does_not_apply w q e p last : expires p = Some last -> (last < instant q)%N -> applies w q e p = false.
Proof.
  intros E L. unfold applies, about. rewrite E. apply N.leb_gt in L. rewrite L. reflexivity.
Qed.

(** It still does at its last instant. *)
Theorem a_policy_counts_up_to_its_last_instant w q e p :
  expires p = Some (instant q) ->
  applies w q e p = applies w q e {| identities := identities p; resources := resources p; when := when p; expires := None; own := own p; named := named p |}.
Proof.
  intro E. unfold applies, about. cbn. rewrite E, N.leb_refl. reflexivity.
Qed.

(** ** Except *)

Theorem one_more_except_never_adds_access w ps qs p x : Never_less w (ps ++ with_except p x :: qs) (ps ++ p :: qs).
Proof.
  intros q e. unfold allows.
  destruct (except_subtracts_from_its_own_list_only (with_policies w (ps ++ p :: qs)) q e ps p qs x eq_refl) as [[H|[_ H]] _];
    cbn in H; unfold with_policies; rewrite H; auto. discriminate.
Qed.

Theorem an_action_that_is_excepted_need_not_be_allowed q s a : In a (except s) ->
  set_grants q {| allow := a :: allow s; except := except s; deny := deny s |} = set_grants q s.
Proof.
  intro I. unfold set_grants, hits. cbn. destruct (matches a (action q)) eqn:M; auto.
  replace (existsb (fun a => matches a (action q)) (except s)) with true; [rewrite !andb_false_r; auto|].
  symmetry. apply existsb_exists. eauto.
Qed.

(** ** A wider pattern *)

Definition Wider (p p' : policy) : Prop :=
  (forall w q e, applies w q e p = true -> applies w q e p' = true) /\ own p = own p' /\ named p = named p'.

Theorem a_wider_pattern_in_a_policy_that_only_allows_never_removes_access w ps qs p p' :
  Only_allows w p' -> Wider p p' -> Never_less w (ps ++ p :: qs) (ps ++ p' :: qs).
Proof.
  intros O (A & E & N) q e. rewrite !allows_spec. unfold some_denies, some_grants. rewrite !existsb_app. cbn [existsb].
  rewrite (O q e), andb_false_r. cbn [orb]. intros [R|[D G]]; auto. right. split.
  - apply orb_false_iff in D as [-> D]. apply orb_false_iff in D as [_ ->]. auto.
  - assert (X : grants w q e p = grants w q e p') by (unfold grants; rewrite E, N; auto). rewrite X in G.
    apply orb_true_iff in G as [->|G]; auto. apply orb_true_iff in G as [G | ->]; [|rewrite !orb_true_r; auto].
    apply andb_true_iff in G as [Ap ->]. rewrite (A w q e Ap). apply orb_true_r.
Qed.

(** ** Conditions *)

Definition with_condition (p : policy) (c : condition) : policy :=
  {| identities := identities p; resources := resources p; when := c; expires := expires p; own := own p; named := named p |}.

Theorem a_condition_that_always_holds_is_as_none w q e p c : (forall f, holds f c = true) ->
  applies w q e (with_condition p c) = applies w q e (with_condition p (And [])).
Proof.
  intro H. unfold applies. cbn [when with_condition]. rewrite H. reflexivity.
Qed.

Theorem a_match_of_two_entries_is_both_of_them f l k : holds f (And [Leaf l; Leaf k]) = holds f (And [And [Leaf l]; And [Leaf k]]).
Proof.
  cbn. rewrite !andb_true_r. reflexivity.
Qed.

(** ** What is not known *)

(** Nothing is missing: the question gives address and tags, conditions are understood, and groups that are named are described whole. *)
Theorem when_every_fact_is_given_nothing_is_unknown w q :
  given_address q <> None -> given_tags q <> None ->
  (forall t, ~ In (NotUnderstood t) (world_leaves w)) ->
  (forall p, In (Group p) (entries w) -> ~ In Star p /\ In (fill 0 p) (described_names w)) ->
  (forall p g, In p (policies w) -> In g (named p) -> lookup g (permissions_groups w) <> None) ->
  decide w q <> Unknown.
Proof.
  intros A T U G P D. apply unknown_exactly_when_two_completions_differ in D as (e & e' & [CA CT CG] & [CA' CT' CG'] & H & N).
  apply N. unfold allows. rewrite <- (alike_decision w q e e'); auto. split.
  - intros l I. destruct l; cbn; auto.
    + destruct (given_tags q); [|contradiction]. rewrite CT, CT'. auto.
    + destruct (given_address q); [|contradiction]. rewrite CA, CA'. auto.
    + destruct (U _ I).
  - intros [p|p] I; cbn; auto. f_equal. destruct (G p I) as [S F].
    assert (O : forall gs, (forall g, In g gs -> ~ described w g) -> existsb (matches p) gs = false).
    { intros gs K. apply not_true_iff_false. intro E. apply existsb_exists in E as (g & Ig & M). apply matches_decides in M.
      apply (K g Ig). unfold described. rewrite (fill_without_star 0 p S g M). exact F. }
    rewrite (O _ CG), (O _ CG'). auto.
  - intros p g Ip Ig L. destruct (P p g Ip Ig L).
Qed.
