(** Safe fixes keep every verdict (docs/fixes.md, Safe fixes): an entry goes that another one of its list covers, an except
    entry goes that meets no allow entry of its set, and policies that differ in nothing else decide alike. *)

Require Import List Arith NArith Bool.
Import ListNotations.
From Grantwise Require Import Glob Policies Completions.

(** Two lists of patterns that match the same texts. *)
Definition Same_language (l k : list pattern) : Prop := forall t, existsb (fun p => matches p t) l = existsb (fun p => matches p t) k.

(** Two lists of entries about the same resources, in every world and whatever the facts are. *)
Definition Same_places (l k : list entry) : Prop :=
  forall w q e, existsb (entry_holds w q e) l = existsb (entry_holds w q e) k.

(** Two sets that deny the same and grant the same. *)
Definition Same_effect (s s' : permission_set) : Prop :=
  Same_language (deny s) (deny s') /\ forall q, set_grants q s = set_grants q s'.

Definition Same_when (c c' : condition) : Prop := forall f, holds f c = holds f c'.

Definition Fixed (p p' : policy) : Prop :=
  Same_language (identities p) (identities p') /\ Same_places (resources p) (resources p') /\ Same_when (when p) (when p')
  /\ expires p = expires p' /\ Same_effect (own p) (own p') /\ Same (named p) (named p').

Lemma existsb_swap (l : list pattern) ts :
  existsb (fun i => existsb (matches i) ts) l = existsb (fun t => existsb (fun p => matches p t) l) ts.
Proof.
  apply eq_true_iff_eq. rewrite !existsb_exists. split.
  - intros (p & I & H). apply existsb_exists in H as (t & It & M). exists t. split; auto. apply existsb_exists. eauto.
  - intros (t & It & H). apply existsb_exists in H as (p & I & M). exists p. split; auto. apply existsb_exists. eauto.
Qed.

Lemma fixed_policy w q e p p' : Fixed p p' ->
  applies w q e p = applies w q e p' /\ denies w q e p = denies w q e p' /\ grants w q e p = grants w q e p'.
Proof.
  intros (I & R & W & X & (D & G) & N). unfold applies, about, denies, grants.
  rewrite X, (R w q e), (W (leaf_holds q e)), !existsb_swap, (existsb_ext _ _ _ (fun t _ => I t)), !(existsb_same _ _ _ N), (G q).
  unfold set_denies, hits. rewrite (D (action q)). auto.
Qed.

(** Whatever other policies there are, and whatever the facts turn out to be: the decision stays, with its reason. *)
(* covers: M48 *)
Theorem safe_fixes_keep_every_verdict w q e ps qs p p' :
  Fixed p p' -> policies w = ps ++ p :: qs ->
  let w' := {| policies := ps ++ p' :: qs; resource_groups := resource_groups w; partly_known := partly_known w;
               permissions_groups := permissions_groups w |} in
  decision w' q e = decision w q e.
Proof.
  intros F E w'. unfold decision. rewrite E. cbn [policies w']. rewrite !existsb_app. cbn [existsb].
  destruct (fixed_policy w q e _ _ F) as (A & D & G).
  change (applies w' q e) with (applies w q e). change (denies w' q e) with (denies w q e). change (grants w' q e) with (grants w q e).
  rewrite A, D, G. reflexivity.
Qed.

(** ** The fixes *)

(** An entry that another one covers. *)
(* covers: M49 *)
Theorem a_covered_entry_may_go l k p : (exists q, In q (l ++ k) /\ forall t, Matches p t -> Matches q t) ->
  Same_language (l ++ p :: k) (l ++ k).
Proof.
  intros (q & I & C) t. apply eq_true_iff_eq. rewrite !existsb_exists. split.
  - intros (r & Ir & M). apply in_app_iff in Ir as [Ir|[<-|Ir]].
    + exists r. rewrite in_app_iff. auto.
    + exists q. split; auto. apply matches_decides, C, matches_decides, M.
    + exists r. rewrite in_app_iff. auto.
  - intros (r & Ir & M). exists r. split; auto. apply in_app_iff in Ir as [Ir|Ir]; apply in_app_iff; cbn; auto.
Qed.

(** And the fresh letter finds it. *)
Corollary an_entry_that_matches_the_fresh_word_covers x l k p :
  (forall q, In q (l ++ k) -> fresh x q) -> existsb (fun q => matches q (fill x p)) (l ++ k) = true ->
  Same_language (l ++ p :: k) (l ++ k).
Proof.
  intros F H. apply a_covered_entry_may_go. apply existsb_exists in H as (q & I & M). exists q. split; auto.
  intros t T. apply fresh_covers with (x := x) (p := p); auto. apply matches_decides, M.
Qed.

(** The same for resources, and for the groups that are named. *)
Theorem a_covered_resource_may_go l k x :
  (exists y, In y (l ++ k) /\ match x, y with
     | Resource p, Resource q | Group p, Group q => forall t, Matches p t -> Matches q t
     | _, _ => False end) ->
  Same_places (l ++ x :: k) (l ++ k).
Proof.
  intros (y & I & C) w q e. apply eq_true_iff_eq. rewrite !existsb_exists. split.
  - intros (r & Ir & M). apply in_app_iff in Ir as [Ir|[<-|Ir]]; [exists r; rewrite in_app_iff; auto| |exists r; rewrite in_app_iff; auto].
    exists y. split; auto. destruct x as [p|p], y as [p'|p']; try contradiction; cbn in *.
    + apply matches_decides, C, matches_decides, M.
    + apply orb_true_iff. apply orb_true_iff in M as [M|M]; [left|right]; apply existsb_exists in M as (g & Ig & M); apply existsb_exists;
        exists g; split; auto.
      * apply andb_true_iff in M as [M T]. rewrite T. apply andb_true_iff. split; auto. apply matches_decides, C, matches_decides, M.
      * apply matches_decides, C, matches_decides, M.
  - intros (r & Ir & M). exists r. split; auto. apply in_app_iff in Ir as [Ir|Ir]; apply in_app_iff; cbn; auto.
Qed.

(** An except entry that meets no allow entry of its set. *)
(* covers: M15 *)
Theorem an_idle_except_may_go s l k x :
  except s = l ++ x :: k -> (forall a, In a (allow s) -> meet a x = []) ->
  Same_effect s {| allow := allow s; except := l ++ k; deny := deny s |}.
Proof.
  intros E H. split; [intro t; reflexivity|]. intro q. unfold set_grants. cbn [allow except].
  destruct (hits q (allow s)) eqn:A; [|reflexivity]. cbn [andb].
  apply existsb_exists in A as (a & Ia & M). f_equal. unfold hits. rewrite E, !existsb_app. cbn.
  destruct (matches x (action q)) eqn:X; [exfalso|reflexivity].
  apply matches_decides in M. apply matches_decides in X.
  destruct (proj2 (meet_spec a x (action q)) (conj M X)) as (r & I & _). rewrite (H a Ia) in I. destruct I.
Qed.

(** A condition that says the same as another one beside it. *)
Theorem a_repeated_condition_may_go l k c c' : In c' (l ++ k) -> Same_when c c' -> Same_when (And (l ++ c :: k)) (And (l ++ k)).
Proof.
  intros I S f. cbn. rewrite !forallb_app. cbn. rewrite (S f). destruct (holds f c') eqn:E; [reflexivity|].
  replace (forallb (holds f) l && forallb (holds f) k) with false; [rewrite andb_false_l; apply andb_false_r|].
  symmetry. apply not_true_iff_false. intro H. apply andb_true_iff in H as [Hl Hk]. rewrite forallb_forall in Hl, Hk.
  apply in_app_iff in I as [I|I]; [rewrite (Hl _ I) in E|rewrite (Hk _ I) in E]; discriminate.
Qed.
