(** Missing facts (docs/semantics.md, Unknown; docs/analysis.md, Completions; src/simulate/completion.ts): a verdict is
    unknown exactly when two completions differ, and finitely many completions are enough to see it. *)

Require Import List Arith NArith Bool Lia.
Import ListNotations.
From Grantwise Require Import Glob Policies.

(** ** What a completion is *)

(** Groups whose members are all known. *)
Definition described_names (w : world) : list text :=
  filter (fun g => negb (mem g (partly_known w))) (map fst (resource_groups w)).

Definition described (w : world) (g : text) : Prop := In g (described_names w).

(** An address that a version has. *)
Definition legal_address (a : address) : Prop := (snd a < 2 ^ (if fst a then 128 else 32))%N.
Definition is_legal_address (a : address) : bool := (snd a <? 2 ^ (if fst a then 128 else 32))%N.

Record Completes (w : world) (q : question) (e : facts) : Prop := {
  completes_address : match given_address q with Some a => fact_address e = a | None => legal_address (fact_address e) end;
  completes_tags : match given_tags q with Some tags => forall key, fact_tag e key = lookup key tags | None => True end;
  completes_groups : forall g, In g (fact_groups e) -> ~ described w g;
}.

(** ** Facts that policies do not distinguish *)

Definition entries (w : world) : list entry := flat_map resources (policies w).
Definition world_leaves (w : world) : list leaf := flat_map (fun p => leaves (when p)) (policies w).

Record Alike (w : world) (q : question) (e e' : facts) : Prop := {
  alike_leaves : forall l, In l (world_leaves w) -> leaf_holds q e l = leaf_holds q e' l;
  alike_entries : forall x, In x (entries w) -> entry_holds w q e x = entry_holds w q e' x;
  alike_outcomes : forall p g, In p (policies w) -> In g (named p) -> lookup g (permissions_groups w) = None ->
    fact_outcome e g = fact_outcome e' g;
}.

Lemma alike_decision w q e e' : Alike w q e e' -> decision w q e = decision w q e'.
Proof.
  intros [L X O]. unfold decision.
  assert (A : forall p, In p (policies w) -> applies w q e p = applies w q e' p).
  { intros p I. unfold applies. f_equal; [f_equal|].
    - apply existsb_ext. intros x Ix. apply X, in_flat_map. eauto.
    - apply holds_ext. intros l Il. apply L, in_flat_map. eauto. }
  assert (D : forall p, In p (policies w) -> denies w q e p = denies w q e' p /\ grants w q e p = grants w q e' p).
  { intros p I. unfold denies, grants. split; f_equal; apply existsb_ext; intros g Ig;
      unfold group_denies, group_grants; destruct lookup eqn:E; auto; rewrite (O p g I Ig E); auto. }
  destruct (is_root q); auto.
  rewrite (existsb_ext (fun p => applies w q e p && denies w q e p) (fun p => applies w q e' p && denies w q e' p)),
    (existsb_ext (fun p => applies w q e p && grants w q e p) (fun p => applies w q e' p && grants w q e' p)); auto;
    intros p I; rewrite (A p I); destruct (D p I) as [E1 E2]; rewrite ?E1, ?E2; auto.
Qed.

(** ** One text for each class of texts that comparisons distinguish *)

Definition text_candidates (vs : list text) : list text :=
  let x := above (concat vs) in
  let edges := [] :: vs in
  flat_map (fun p => flat_map (fun s => (p ++ [x] ++ s) :: map (fun k => p ++ skipn k s) (seq 0 (S (length s)))) edges) edges.

Lemma starts_spec v t : starts v t = true <-> exists r, t = v ++ r.
Proof.
  unfold starts. destruct (after v t) as [r|] eqn:E; split; intro H; try discriminate; auto.
  - exists r. apply after_spec, E.
  - destruct H as (r & H). destruct (after_none _ _ E r H).
Qed.

Lemma ends_spec v t : ends v t = true <-> exists r, t = r ++ v.
Proof.
  unfold ends. destruct (before v t) as [r|] eqn:E; split; intro H; try discriminate; auto.
  - exists r. apply before_spec, E.
  - destruct H as (r & H). apply before_spec in H. congruence.
Qed.

(** The longest of some texts, the empty one included, that has a property. *)
Lemma longest (P : text -> bool) vs : P [] = true ->
  exists v, In v ([] :: vs) /\ P v = true /\ forall v', In v' ([] :: vs) -> P v' = true -> length v' <= length v.
Proof.
  intro H. induction vs as [|a vs (v & I & Pv & M)].
  - exists []. repeat split; auto; [left; auto|]. intros v' [<-|[]]. auto.
  - destruct (P a) eqn:Pa; [destruct (Nat.le_ge_cases (length a) (length v))|].
    + exists v. repeat split; auto; [cbn in *; tauto|]. intros v' [<-|[<-|I']] P'; auto; apply M; cbn; auto.
    + exists a. repeat split; auto; [cbn; auto|]. intros v' [<-|[<-|I']] P'; cbn; try lia.
      transitivity (length v); auto. apply M; cbn; auto.
    + exists v. repeat split; auto; [cbn in *; tauto|]. intros v' [<-|[<-|I']] P'; try congruence; apply M; cbn; auto.
Qed.

Lemma app_prefix (a b c d : text) : a ++ b = c ++ d -> length a <= length c -> exists r, c = a ++ r.
Proof.
  intros E L. revert c E L. induction a as [|x a IH]; intros c E L; [exists c; auto|].
  destruct c as [|y c]; cbn in *; [lia|]. injection E as -> E. destruct (IH c E) as (r & ->); [lia|]. exists r. auto.
Qed.

Lemma app_suffix (a b c d : text) : a ++ b = c ++ d -> length b <= length d -> exists r, d = r ++ b.
Proof.
  intros E L.
  assert (length a + length b = length c + length d) by (rewrite <- !app_length, E; auto).
  destruct (app_longer c d a b) as (r & ->); eauto. lia.
Qed.

Lemma above_not_in vs v : In v vs -> ~ In (above (concat vs)) v.
Proof.
  intros I H. assert (In (above (concat vs)) (concat vs)) by (apply in_concat; eauto).
  apply above_all in H0. lia.
Qed.

Lemma app_inj_length {A} (a b c d : list A) : a ++ b = c ++ d -> length a = length c -> a = c /\ b = d.
Proof.
  revert c. induction a as [|x a IH]; intros [|y c] E L; cbn in *; try discriminate; auto.
  injection E as -> E. destruct (IH c E) as [-> ->]; auto.
Qed.

(** Longest known start and longest known end: either they meet, or a fresh letter between them changes nothing. *)
Lemma text_class vs t : exists t', In t' (text_candidates vs) /\
  forall o v, In v vs -> text_holds o v t = text_holds o v t'.
Proof.
  destruct (longest (fun v => starts v t) vs) as (p & Ip & Sp & Mp); [apply starts_spec; exists t; auto|].
  destruct (longest (fun v => ends v t) vs) as (s & Is & Es & Ms); [apply ends_spec; exists t; rewrite app_nil_r; auto|].
  apply starts_spec in Sp as (r & Hp). apply ends_spec in Es as (r' & Hs).
  destruct (Nat.le_gt_cases (length s) (length r)) as [L|L].
  - assert (R : exists m, t = p ++ m ++ s).
    { rewrite Hp in Hs. symmetry in Hs. destruct (app_suffix _ _ _ _ Hs L) as (m & ->). exists m. auto. }
    destruct R as (m & R). destruct m as [|c m].
    + exists t. split; auto. unfold text_candidates. apply in_flat_map. exists p. split; auto.
      apply in_flat_map. exists s. split; auto. right. apply in_map_iff. exists 0. split; [cbn in *; auto|].
      apply in_seq. lia.
    + set (x := above (concat vs)). exists (p ++ [x] ++ s). split.
      * unfold text_candidates. apply in_flat_map. exists p. split; auto. apply in_flat_map. exists s. split; auto. left. auto.
      * assert (NI : forall v u, In v vs -> v = u ++ [x] ++ s -> False).
        { intros v u Iv ->. apply (above_not_in vs _ Iv). fold x. rewrite !in_app_iff. cbn. auto. }
        intros o v Iv. apply eq_true_iff_eq.
        assert (X : ~ In x v) by (apply above_not_in; auto).
        destruct o; cbn [text_holds].
        -- destruct (text_eqb_spec t v) as [E|N]; destruct (text_eqb_spec (p ++ [x] ++ s) v) as [E'|N']; try tauto.
           ++ exfalso. assert (length v <= length p).
              { apply Mp; [right; auto|]. apply starts_spec. exists []. rewrite app_nil_r. auto. }
              rewrite <- E, R, !app_length in H. cbn in H. lia.
           ++ exfalso. apply X. rewrite <- E', !in_app_iff. cbn. auto.
        -- rewrite !starts_spec. split; intros (u & E).
           ++ assert (Lv : length v <= length p) by (apply Mp; [right; auto|]; apply starts_spec; eauto).
              rewrite R in E. symmetry in E. destruct (app_prefix _ _ _ _ E Lv) as (k & ->).
              exists (k ++ [x] ++ s). rewrite <- app_assoc. auto.
           ++ destruct (Nat.le_gt_cases (length v) (length p)) as [Lv|Lv].
              ** symmetry in E. destruct (app_prefix _ _ _ _ E Lv) as (k & ->). exists (k ++ (c :: m) ++ s).
                 rewrite R, <- app_assoc. auto.
              ** exfalso. apply X. destruct (app_prefix p ([x] ++ s) v u E) as (k & ->); [lia|].
                 rewrite <- app_assoc in E. apply app_inv_head in E. destruct k as [|y k].
                 { rewrite app_nil_r in Lv. lia. }
                 cbn in E. injection E as <- _. rewrite in_app_iff. cbn. auto.
        -- rewrite !ends_spec. split; intros (u & E).
           ++ assert (Lv : length v <= length s) by (apply Ms; [right; auto|]; apply ends_spec; eauto).
              rewrite R, app_assoc in E. symmetry in E. destruct (app_suffix _ _ _ _ E Lv) as (k & ->).
              exists (p ++ [x] ++ k). rewrite <- !app_assoc. auto.
           ++ destruct (Nat.le_gt_cases (length v) (length s)) as [Lv|Lv].
              ** rewrite app_assoc in E. symmetry in E. destruct (app_suffix _ _ _ _ E Lv) as (k & ->).
                 exists (p ++ (c :: m) ++ k). rewrite R, <- !app_assoc. auto.
              ** exfalso. apply X. rewrite app_assoc in E. destruct (app_suffix (p ++ [x]) s u v E) as (k & ->); [lia|].
                 rewrite app_assoc in E. apply app_inv_tail in E. destruct k as [|y k] using rev_ind.
                 { cbn in Lv. lia. }
                 rewrite app_assoc in E. apply app_inj_tail in E as [_ <-]. rewrite !in_app_iff. cbn. auto.
  - exists t. split; auto. unfold text_candidates. apply in_flat_map. exists p. split; auto.
    apply in_flat_map. exists s. split; auto. right. apply in_map_iff.
    rewrite Hp in Hs. destruct (app_suffix _ _ _ _ Hs) as (k & ->); [lia|].
    exists (length k). split; [rewrite skipn_app, skipn_all, Nat.sub_diag; cbn; auto|].
    apply in_seq. rewrite app_length. lia.
Qed.

(** ** One address for each class of addresses *)

Definition address_candidates (bs : list block) : list address :=
  let numbers := 0%N :: flat_map (fun b => [fst (snd b); N.succ (snd (snd b))]) bs in
  filter is_legal_address (flat_map (fun six => map (fun n => (six, n)) numbers) [false; true]).

Lemma largest (l : list N) x : exists n, In n (0%N :: l) /\ (n <= x)%N /\ forall m, In m (0%N :: l) -> (m <= x)%N -> (m <= n)%N.
Proof.
  induction l as [|a l (n & I & L & M)].
  - exists 0%N. repeat split; [left; auto|lia|]. intros m [<-|[]]. lia.
  - destruct (N.le_gt_cases a x) as [A|A]; [destruct (N.le_gt_cases a n)|].
    + exists n. repeat split; auto; [cbn in *; tauto|]. intros m [<-|[<-|Im]] Lm; try lia; apply M; cbn; auto.
    + exists a. repeat split; auto; [cbn; auto|]. intros m [<-|[<-|Im]] Lm; try lia.
      assert (m <= n)%N by (apply M; cbn; auto). lia.
    + exists n. repeat split; auto; [cbn in *; tauto|]. intros m [<-|[<-|Im]] Lm; try lia; apply M; cbn; auto.
Qed.

Lemma is_legal_spec a : is_legal_address a = true <-> legal_address a.
Proof.
  unfold is_legal_address, legal_address. apply N.ltb_lt.
Qed.

Lemma candidates_legal bs a : In a (address_candidates bs) -> legal_address a.
Proof.
  unfold address_candidates. intro I. apply filter_In in I as [_ L]. apply is_legal_spec, L.
Qed.

Lemma address_class bs a : legal_address a ->
  exists a', In a' (address_candidates bs) /\ forall b, In b bs -> in_block a b = in_block a' b.
Proof.
  destruct a as [six x]. intro L.
  destruct (largest (flat_map (fun b => [fst (snd b); N.succ (snd (snd b))]) bs) x) as (n & I & Ln & M).
  exists (six, n). split.
  - unfold address_candidates. apply filter_In. split.
    + apply in_flat_map. exists six. split; [destruct six; cbn; auto|]. apply in_map. exact I.
    + apply is_legal_spec. unfold legal_address in *. cbn [fst snd] in *. lia.
  - intros [v [lo hi]] Ib. unfold in_block. cbn [fst snd]. destruct (Bool.eqb six v); auto. cbn [andb].
    assert (Hlo : (lo <= x)%N -> (lo <= n)%N) by (apply M; right; apply in_flat_map; exists (v, (lo, hi)); cbn; auto).
    assert (Hhi : (N.succ hi <= x)%N -> (N.succ hi <= n)%N) by (apply M; right; apply in_flat_map; exists (v, (lo, hi)); cbn; auto).
    apply eq_true_iff_eq. rewrite !andb_true_iff, !N.leb_le. lia.
Qed.

(** ** One of each class *)

Fixpoint one_each {A} (class : A -> list bool) (l : list A) : list A :=
  match l with
  | [] => []
  | a :: l' => a :: filter (fun b => if list_eq_dec bool_dec (class a) (class b) then false else true) (one_each class l')
  end.

Lemma one_each_class {A} (class : A -> list bool) l a : In a l -> exists b, In b (one_each class l) /\ class b = class a.
Proof.
  induction l as [|c l IH]; cbn; intros []; [subst; eauto|]. destruct (IH H) as (b & I & E).
  destruct (list_eq_dec bool_dec (class c) (class a)) as [Ec|Nc]; [eauto|].
  exists b. split; auto. right. apply filter_In. split; auto. destruct list_eq_dec; congruence.
Qed.

Lemma one_each_incl {A} (class : A -> list bool) l : incl (one_each class l) l.
Proof.
  induction l as [|a l IH]; cbn; [apply incl_refl|]. intros b [->|I]; [left; auto|]. right. apply IH. apply filter_In in I. tauto.
Qed.

Lemma map_same {A B} (f g : A -> B) l : map f l = map g l -> forall x, In x l -> f x = g x.
Proof.
  induction l as [|a l IH]; cbn; intros E x []; injection E as Ea El; subst; auto.
Qed.

Definition text_class_of (vs : list text) (t : text) : list bool :=
  map (fun v => text_holds Equals v t) vs ++ map (fun v => text_holds Starts v t) vs ++ map (fun v => text_holds Ends v t) vs.

Definition texts_to_try (vs : list text) : list text := one_each (text_class_of vs) (text_candidates vs).

Lemma text_to_try vs t : exists t', In t' (texts_to_try vs) /\ forall o v, In v vs -> text_holds o v t = text_holds o v t'.
Proof.
  destruct (text_class vs t) as (t1 & I & H). destruct (one_each_class (text_class_of vs) _ _ I) as (t2 & I2 & E).
  exists t2. split; auto. intros o v Iv. rewrite (H o v Iv). unfold text_class_of in E.
  apply app_inj_length in E as [E1 E]; [|rewrite !map_length; auto]. apply app_inj_length in E as [E2 E3]; [|rewrite !map_length; auto].
  symmetry. destruct o; [exact (map_same _ _ _ E1 v Iv)|exact (map_same _ _ _ E2 v Iv)|exact (map_same _ _ _ E3 v Iv)].
Qed.

Definition addresses_to_try (bs : list block) : list address :=
  one_each (fun a => map (in_block a) bs) (address_candidates bs).

Lemma address_to_try bs a : legal_address a ->
  exists a', In a' (addresses_to_try bs) /\ forall b, In b bs -> in_block a b = in_block a' b.
Proof.
  intro L. destruct (address_class bs a L) as (a1 & I & H).
  destruct (one_each_class (fun a => map (in_block a) bs) _ _ I) as (a2 & I2 & E).
  exists a2. split; auto. intros b Ib. rewrite (H b Ib). symmetry. exact (map_same _ _ _ E b Ib).
Qed.

(** ** One list of groups for each class *)

Fixpoint sublists {A} (l : list A) : list (list A) :=
  match l with [] => [[]] | a :: l' => sublists l' ++ map (cons a) (sublists l') end.

Lemma filter_sublists {A} (f : A -> bool) l : In (filter f l) (sublists l).
Proof.
  induction l as [|a l IH]; cbn; auto. apply in_app_iff. destruct (f a); auto. right. apply in_map. auto.
Qed.

Lemma sublists_incl {A} (l s : list A) : In s (sublists l) -> incl s l.
Proof.
  revert s. induction l as [|a l IH]; cbn; intros s I.
  - destruct I as [<-|[]]. apply incl_refl.
  - apply in_app_iff in I as [I|I].
    + apply incl_tl, IH, I.
    + apply in_map_iff in I as (s' & <- & I). apply incl_cons; [left; auto|]. apply incl_tl, IH, I.
Qed.

Definition group_patterns (w : world) : list pattern :=
  flat_map (fun x => match x with Group p => [p] | Resource _ => [] end) (entries w).

Definition group_letter (w : world) : letter := above (flat_map letters (group_patterns w) ++ concat (described_names w)).

Definition open_patterns (w : world) : list pattern :=
  filter (fun p => negb (mem (fill (group_letter w) p) (described_names w))) (group_patterns w).

Definition group_candidates (w : world) : list (list text) :=
  map (map (fill (group_letter w))) (sublists (open_patterns w)).

Lemma mem_spec t l : mem t l = true <-> In t l.
Proof.
  unfold mem. rewrite existsb_exists. split.
  - intros (u & I & E). destruct (text_eqb_spec t u); [subst; auto|discriminate].
  - intro I. exists t. split; auto. destruct (text_eqb_spec t t); auto.
Qed.

Lemma group_letter_fresh w p : In p (group_patterns w) -> fresh (group_letter w) p.
Proof.
  intro I. apply above_fresh. intros a A. apply in_app_iff. left. apply in_flat_map. eauto.
Qed.

Lemma fill_without_star x p : ~ In Star p -> forall t, Matches p t -> t = fill x p.
Proof.
  intros N t M. induction M as [|a p t M IH|p u t M IH]; cbn.
  - auto.
  - f_equal. apply IH. intro I. apply N. right. auto.
  - destruct N. left. auto.
Qed.

Lemma fill_with_star x p : In Star p -> In x (fill x p).
Proof.
  intro I. unfold fill. apply in_map_iff. exists Star. auto.
Qed.

Lemma open_pattern w p g : In p (group_patterns w) -> Matches p g -> ~ described w g -> In p (open_patterns w).
Proof.
  intros I M N. unfold open_patterns. apply filter_In. split; auto. apply negb_true_iff.
  destruct (mem _ _) eqn:E; auto. exfalso. apply mem_spec in E.
  destruct (in_dec (fun a b : token => ltac:(decide equality; apply Nat.eq_dec)) Star p) as [S|S].
  - apply (fill_with_star (group_letter w)) in S.
    assert (A : In (group_letter w) (flat_map letters (group_patterns w) ++ concat (described_names w))).
    { apply in_app_iff. right. apply in_concat. eauto. }
    apply above_all in A. unfold group_letter in A at 1. lia.
  - rewrite <- (fill_without_star _ _ S _ M) in E. contradiction.
Qed.

Lemma group_candidates_open w s g : In s (group_candidates w) -> In g s -> ~ described w g.
Proof.
  intros I Ig D. unfold group_candidates in I. apply in_map_iff in I as (ps & <- & I). apply in_map_iff in Ig as (p & <- & Ip).
  apply (sublists_incl _ _ I) in Ip. unfold open_patterns in Ip. apply filter_In in Ip as [_ N].
  apply mem_spec in D. rewrite D in N. discriminate.
Qed.

Lemma group_class w gs : (forall g, In g gs -> ~ described w g) ->
  exists gs', In gs' (group_candidates w) /\
    forall p, In p (group_patterns w) -> existsb (matches p) gs = existsb (matches p) gs'.
Proof.
  intro U. set (x := group_letter w).
  exists (map (fill x) (filter (fun p => existsb (matches p) gs) (open_patterns w))). split.
  - unfold group_candidates. apply in_map, filter_sublists.
  - intros p Ip. apply eq_true_iff_eq. rewrite !existsb_exists. split.
    + intros (g & Ig & M). exists (fill x p). split; [|apply matches_decides, matches_fill].
      apply in_map, filter_In. split; [|apply existsb_exists; eauto].
      eapply open_pattern; eauto. apply matches_decides, M.
    + intros (t & It & M). apply in_map_iff in It as (r & <- & Ir). apply filter_In in Ir as [Ir H].
      apply existsb_exists in H as (g & Ig & Mr). exists g. split; auto. apply matches_decides.
      apply fresh_covers with (x := x) (p := r); [apply matches_decides, M | apply group_letter_fresh, Ip | apply matches_decides, Mr].
Qed.

(** ** One missing fact *)

(** What is supposed of a missing fact. *)
Inductive fact :=
  | Address_is (a : address)
  | Tag_is (key : text) (value : option text)
  | Groups_are (gs : list text)
  | Outcome_is (g : text) (o : outcome)
  | Truth_is (written : text) (b : bool).

Definition Holds (e : facts) (f : fact) : Prop :=
  match f with
  | Address_is a => fact_address e = a
  | Tag_is key t => fact_tag e key = t
  | Groups_are gs => fact_groups e = gs
  | Outcome_is g o => fact_outcome e g = o
  | Truth_is t b => fact_truth e t = b
  end.

(** The completions of a question under some suppositions. *)
Definition Supposed (w : world) (q : question) (fs : list fact) (e : facts) : Prop :=
  Completes w q e /\ forall f, In f fs -> Holds e f.

Section Known.
  Variables (q : question) (fs : list fact).

  Definition known_address : option address :=
    match given_address q with Some a => Some a | None => find_map (fun f => match f with Address_is a => Some a | _ => None end) fs end.
  Definition known_tag (key : text) : option (option text) :=
    match given_tags q with
    | Some tags => Some (lookup key tags)
    | None => find_map (fun f => match f with Tag_is k t => if text_eqb k key then Some t else None | _ => None end) fs
    end.
  Definition known_groups : option (list text) := find_map (fun f => match f with Groups_are gs => Some gs | _ => None end) fs.
  Definition known_outcome (g : text) : option outcome :=
    find_map (fun f => match f with Outcome_is h o => if text_eqb h g then Some o else None | _ => None end) fs.
  Definition known_truth (t : text) : option bool :=
    find_map (fun f => match f with Truth_is u b => if text_eqb u t then Some b else None | _ => None end) fs.

  (** What is known holds in every completion. *)
  Variables (w : world) (e : facts).
  Hypothesis S : Supposed w q fs e.

  Lemma known_address_holds a : known_address = Some a -> fact_address e = a.
  Proof.
    destruct S as [[CA _ _] H]. unfold known_address. destruct (given_address q); [congruence|].
    intro K. apply find_map_some in K as ([] & I & E); try discriminate. injection E as <-. exact (H _ I).
  Qed.

  Lemma known_tag_holds key t : known_tag key = Some t -> fact_tag e key = t.
  Proof.
    destruct S as [[_ CT _] H]. unfold known_tag. destruct (given_tags q); [rewrite CT; congruence|].
    intro K. apply find_map_some in K as ([|k| | |] & I & E); try discriminate.
    destruct (text_eqb_spec k key) as [->|]; [|discriminate]. injection E as <-. exact (H _ I).
  Qed.

  Lemma known_groups_holds gs : known_groups = Some gs -> fact_groups e = gs.
  Proof.
    intro K. apply find_map_some in K as ([] & I & E); try discriminate. injection E as <-. exact (proj2 S _ I).
  Qed.

  Lemma known_outcome_holds g o : known_outcome g = Some o -> fact_outcome e g = o.
  Proof.
    intro K. apply find_map_some in K as ([| | |h|] & I & E); try discriminate.
    destruct (text_eqb_spec h g) as [->|]; [|discriminate]. injection E as <-. exact (proj2 S _ I).
  Qed.

  Lemma known_truth_holds t b : known_truth t = Some b -> fact_truth e t = b.
  Proof.
    intro K. apply find_map_some in K as ([| | | |u] & I & E); try discriminate.
    destruct (text_eqb_spec u t) as [->|]; [|discriminate]. injection E as <-. exact (proj2 S _ I).
  Qed.
End Known.

(** ** Finitely many values of each fact *)

(** The facts that policies may ask for. *)
Inductive slot := The_address | The_tag (key : text) | The_groups | The_outcome (g : text) | The_truth (written : text).

Definition world_slots (w : world) : list slot :=
  flat_map (fun l => match l with NotUnderstood t => [The_truth t] | _ => [] end) (world_leaves w)
    ++ map The_outcome (flat_map named (policies w))
    ++ The_address :: flat_map (fun l => match l with TagTest k _ _ => [The_tag k] | _ => [] end) (world_leaves w) ++ [The_groups].

Definition is_some {A} (o : option A) : bool := match o with Some _ => true | None => false end.

Definition is_known (q : question) (fs : list fact) (s : slot) : bool :=
  match s with
  | The_address => is_some (known_address q fs)
  | The_tag key => is_some (known_tag q fs key)
  | The_groups => is_some (known_groups fs)
  | The_outcome g => is_some (known_outcome fs g)
  | The_truth t => is_some (known_truth fs t)
  end.

Definition tag_values (w : world) (key : text) : list text :=
  flat_map (fun l => match l with TagTest k _ vs => if text_eqb k key then vs else [] | _ => [] end) (world_leaves w).

Definition blocks_of (w : world) : list block :=
  flat_map (fun l => match l with AddressTest bs => bs | _ => [] end) (world_leaves w).

(** One value for each class of values that policies do not distinguish. *)
Definition values (w : world) (s : slot) : list fact :=
  match s with
  | The_address => map Address_is (addresses_to_try (blocks_of w))
  | The_tag key => map (Tag_is key) (None :: map Some (texts_to_try (tag_values w key)))
  | The_groups => map Groups_are (group_candidates w)
  | The_outcome g => map (Outcome_is g) [Allows_it; Denies_it; Says_nothing]
  | The_truth t => map (Truth_is t) [true; false]
  end.

(** The same facts but for one. *)
Definition put (e : facts) (f : fact) : facts :=
  {| fact_address := match f with Address_is a => a | _ => fact_address e end;
     fact_tag := match f with Tag_is key t => fun k => if text_eqb key k then t else fact_tag e k | _ => fact_tag e end;
     fact_groups := match f with Groups_are gs => gs | _ => fact_groups e end;
     fact_outcome := match f with Outcome_is g o => fun h => if text_eqb g h then o else fact_outcome e h | _ => fact_outcome e end;
     fact_truth := match f with Truth_is t b => fun u => if text_eqb t u then b else fact_truth e u | _ => fact_truth e end |}.

Lemma text_eqb_refl t : text_eqb t t = true.
Proof. destruct (text_eqb_spec t t); auto. Qed.

Lemma put_holds e f : Holds (put e f) f.
Proof. destruct f; cbn; rewrite ?text_eqb_refl; auto. Qed.

(** A value that is tried completes what is supposed; its fact is known from then on. *)
Theorem values_sound w q fs s e f :
  is_known q fs s = false -> Supposed w q fs e -> In f (values w s) ->
  Supposed w q (f :: fs) (put e f) /\ is_known q (f :: fs) s = true.
Proof.
  intros K [[CA CT CG] H] I.
  assert (P : Completes w q (put e f)).
  { destruct s; apply in_map_iff in I as (v & <- & I); split; cbn [put fact_address fact_tag fact_groups]; auto;
      cbn [is_known] in K; unfold known_address, known_tag in K.
    - destruct (given_address q); [discriminate|]. eapply candidates_legal, one_each_incl, I.
    - destruct (given_tags q); [discriminate|auto].
    - intros g Hg. eapply group_candidates_open; eauto. }
  split; [split; [exact P|]|].
  - intros g [<-|Ig]; [apply put_holds|]. specialize (H g Ig).
    assert (N : forall A (h : fact -> option A), is_some (find_map h fs) = false -> h g = None).
    { intros A h E. destruct (find_map h fs) eqn:F; [discriminate|]. exact (find_map_none h fs F g Ig). }
    destruct s; apply in_map_iff in I as (v & <- & _); cbn in K; unfold known_address, known_tag, known_groups, known_outcome, known_truth in K;
      try (destruct (given_address q); [discriminate|]); try (destruct (given_tags q); [discriminate|]); apply N in K;
      destruct g; cbn in *; auto; try discriminate.
    all: match type of K with (if text_eqb ?a ?b then _ else _) = None =>
      destruct (text_eqb_spec a b); [discriminate|]; destruct (text_eqb_spec b a); congruence end.
  - destruct s; apply in_map_iff in I as (v & <- & _); cbn; unfold known_address, known_tag, known_outcome, known_truth; cbn;
      rewrite ?text_eqb_refl; try destruct (given_address q); try destruct (given_tags q); auto.
Qed.

(** And every completion is like one with a value that is tried: trying one value of each class is trying them all. *)
Theorem values_complete w q fs s e : is_known q fs s = false -> Completes w q e -> exists f, In f (values w s) /\ Alike w q e (put e f).
Proof.
  intros K [CA CT CG]. destruct s as [|key| |g|t]; cbn in K.
  - unfold known_address in K. destruct (given_address q); [discriminate|].
    destruct (address_to_try (blocks_of w) _ CA) as (a & I & H). exists (Address_is a). split; [apply in_map, I|].
    split; auto. intros l Il. destruct l; cbn; auto. apply existsb_ext. intros b Ib. apply H, in_flat_map.
    exists (AddressTest blocks). auto.
  - assert (T : exists v, In v (None :: map Some (texts_to_try (tag_values w key))) /\ match fact_tag e key, v with
        | None, None => True
        | Some t, Some t' => forall o u, In u (tag_values w key) -> text_holds o u t = text_holds o u t'
        | _, _ => False end).
    { destruct (fact_tag e key) as [t|]; [|exists None; cbn; auto].
      destruct (text_to_try (tag_values w key) t) as (t' & I & H). exists (Some t'). split; auto. right. apply in_map. auto. }
    destruct T as (v & I & H). exists (Tag_is key v). split; [apply in_map, I|].
    split; auto. intros l Il. destruct l as [k o vs| | | | |]; cbn; auto.
    destruct (text_eqb_spec key k) as [->|]; auto. destruct (fact_tag e k), v; try tauto.
    apply existsb_ext. intros u Iu. apply H, in_flat_map. exists (TagTest k o vs). rewrite text_eqb_refl. auto.
  - destruct (group_class w (fact_groups e) CG) as (gs & I & H). exists (Groups_are gs). split; [apply in_map, I|].
    split; auto. intros [p|p] Ix; cbn; auto. f_equal. apply H. apply in_flat_map. exists (Group p). cbn. auto.
  - exists (Outcome_is g (fact_outcome e g)). split; [apply in_map; destruct (fact_outcome e g); cbn; auto|].
    split; auto. intros p h _ _ _. cbn. destruct (text_eqb_spec g h); congruence.
  - exists (Truth_is t (fact_truth e t)). split; [apply in_map; destruct (fact_truth e t); cbn; auto|].
    split; auto. intros l _. destruct l; cbn; auto. destruct (text_eqb_spec t written); congruence.
Qed.

(** ** Three-valued logic, the quick answer (src/simulate/reference.ts, combine) *)

Definition truth := option bool.  (** [None]: unknown *)

Definition some3 {A} (f : A -> truth) (l : list A) : truth :=
  fold_right (fun x rest => match f x, rest with
    | Some true, _ | _, Some true => Some true
    | Some false, Some false => Some false
    | _, _ => None end) (Some false) l.

Definition not3 (t : truth) : truth := option_map negb t.
Definition every3 {A} (f : A -> truth) (l : list A) : truth := not3 (some3 (fun x => not3 (f x)) l).
Definition both3 (a b : truth) : truth :=
  match a, b with Some false, _ | _, Some false => Some false | Some true, Some true => Some true | _, _ => None end.

(** A three-valued result agrees with a complete one: where it is known, it is the same. *)
Definition Agrees (t : truth) (b : bool) : Prop := match t with Some c => c = b | None => True end.

Lemma agrees_not t b : Agrees t b -> Agrees (not3 t) (negb b).
Proof. destruct t; cbn; auto. congruence. Qed.

Lemma agrees_both a b c d : Agrees a c -> Agrees b d -> Agrees (both3 a b) (c && d).
Proof. destruct a as [[|]|], b as [[|]|]; cbn; intros; subst; auto using andb_false_r. Qed.

Lemma agrees_some {A} (f : A -> truth) g l : (forall x, In x l -> Agrees (f x) (g x)) -> Agrees (some3 f l) (existsb g l).
Proof.
  induction l as [|a l IH]; cbn; intro H; auto.
  assert (Ha := H a (or_introl eq_refl)). assert (Hl : Agrees (some3 f l) (existsb g l)) by auto. unfold some3 in *.
  destruct (f a) as [[|]|]; destruct (fold_right _ _ l) as [[|]|]; cbn in *; try rewrite <- Ha; try rewrite <- Hl; auto using orb_true_r.
Qed.

Lemma forallb_existsb {A} (f : A -> bool) l : forallb f l = negb (existsb (fun x => negb (f x)) l).
Proof.
  induction l as [|a l IH]; cbn; auto. rewrite IH. destruct (f a); auto.
Qed.

Lemma agrees_every {A} (f : A -> truth) g l : (forall x, In x l -> Agrees (f x) (g x)) -> Agrees (every3 f l) (forallb g l).
Proof.
  intro H. rewrite forallb_existsb. apply agrees_not, agrees_some. intros x I. apply agrees_not. auto.
Qed.

Fixpoint holds3 (f : leaf -> truth) (c : condition) : truth :=
  match c with
  | Leaf l => f l
  | And cs => every3 (holds3 f) cs
  | Or cs => some3 (holds3 f) cs
  | Not cs => not3 (some3 (holds3 f) cs)
  end.

Lemma agrees_holds f g c : (forall l, In l (leaves c) -> Agrees (f l) (g l)) -> Agrees (holds3 f c) (holds g c).
Proof.
  apply (leaves_induction (fun l => Agrees (f l) (g l)) (fun c => Agrees (holds3 f c) (holds g c))); cbn;
    auto using agrees_every, agrees_some, agrees_not.
Qed.

Lemma agrees_list a (f : text -> truth) (g : text -> bool) l : (forall x, Agrees (f x) (g x)) ->
  Agrees (some3 (fun b => b) (Some a :: map f l)) (a || existsb g l).
Proof.
  intro H.
  assert (E : existsb (fun b : bool => b) (a :: map g l) = a || existsb g l).
  { cbn. f_equal. induction l as [|x l IH]; cbn; auto. rewrite IH. auto. }
  assert (S : Agrees (some3 (fun b => b) (map f l)) (existsb g l)).
  { clear E. induction l as [|x l IH]; cbn; auto. unfold some3 in *. cbn. specialize (H x).
    destruct (f x) as [[|]|], (fold_right _ _ (map f l)) as [[|]|]; cbn in *; try rewrite <- H; try rewrite <- IH; auto using orb_true_r. }
  unfold some3 in *. cbn. destruct a, (fold_right _ _ (map f l)) as [[|]|]; cbn in *; auto.
Qed.

Inductive answer := Allow | Deny | Unknown.

Definition allows (w : world) (q : question) (e : facts) : Prop := is_allowed (decision w q e) = true.

Section Quick.
  Variables (w : world) (q : question) (fs : list fact).

  Definition leaf3 (l : leaf) : truth :=
    match l with
    | TagTest key o values =>
        option_map (fun t => match t with Some t => existsb (fun v => text_holds o v t) values | None => false end) (known_tag q fs key)
    | AddressTest blocks => option_map (fun a => existsb (in_block a) blocks) (known_address q fs)
    | NameTest o values => Some (existsb (fun v => text_holds o v (resource_name q)) values)
    | TypeTest o values => Some (existsb (fun v => text_holds o v (resource_type q)) values)
    | ClockTest zone field o values => Some (existsb (fun v => in_order o v (clock q zone field)) values)
    | NotUnderstood written => known_truth fs written
    end.

  (** A group entry is open unless it is the whole name of a group that is described. *)
  Definition entry3 (x : entry) : truth :=
    match x with
    | Resource p => Some (matches p (resource q))
    | Group p =>
        if existsb (fun g => matches p (fst g) && mem (resource q) (snd g)) (resource_groups w) then Some true
        else match known_groups fs with
          | Some gs => Some (existsb (matches p) gs)
          | None =>
              if existsb (fun t => match t with Star => true | _ => false end) p then None
              else if mem (fill 0 p) (described_names w) then Some false else None
          end
    end.

  Definition applies3 (p : policy) : truth :=
    both3 (both3 (Some (about q p)) (some3 entry3 (resources p))) (holds3 leaf3 (when p)).

  Definition group3 (h : permission_set -> bool) (undescribed : outcome -> bool) (g : text) : truth :=
    match lookup g (permissions_groups w) with Some s => Some (h s) | None => option_map undescribed (known_outcome fs g) end.
  Definition denies3 (p : policy) : truth :=
    some3 (fun b => b) (Some (set_denies q (own p)) :: map (group3 (set_denies q) (fun o => match o with Denies_it => true | _ => false end)) (named p)).
  Definition grants3 (p : policy) : truth :=
    some3 (fun b => b) (Some (set_grants q (own p)) :: map (group3 (set_grants q) (fun o => match o with Allows_it => true | _ => false end)) (named p)).

  Definition combine : answer :=
    if is_root q then Allow
    else match some3 (fun p => both3 (applies3 p) (denies3 p)) (policies w), some3 (fun p => both3 (applies3 p) (grants3 p)) (policies w) with
      | Some true, _ => Deny
      | _, Some false => Deny
      | Some false, Some true => Allow
      | _, _ => Unknown
      end.

  Variable e : facts.
  Hypothesis S : Supposed w q fs e.

  Lemma agrees_leaf l : Agrees (leaf3 l) (leaf_holds q e l).
  Proof.
    destruct l; cbn; auto.
    - destruct (known_tag q fs key) eqn:K; cbn; auto. rewrite (known_tag_holds _ _ _ _ S _ _ K). auto.
    - destruct (known_address q fs) eqn:K; cbn; auto. rewrite (known_address_holds _ _ _ _ S _ K). auto.
    - destruct (known_truth fs written) eqn:K; cbn; auto. symmetry. exact (known_truth_holds _ _ _ _ S _ _ K).
  Qed.

  Lemma agrees_entry x : Agrees (entry3 x) (entry_holds w q e x).
  Proof.
    destruct x as [p|p]; cbn; auto. destruct (existsb _ (resource_groups w)) eqn:E; cbn; auto.
    destruct (known_groups fs) eqn:K; cbn; [rewrite (known_groups_holds _ _ _ _ S _ K); auto|].
    destruct (existsb _ p) eqn:W; cbn; auto. destruct (mem _ _) eqn:D; cbn; auto.
    symmetry. apply not_true_iff_false. intro H. apply existsb_exists in H as (g & I & M).
    apply (completes_groups _ _ _ (proj1 S) g I). apply matches_decides in M. apply mem_spec in D.
    rewrite (fill_without_star 0 p) with (t := g); auto.
    intro IS. rewrite <- not_true_iff_false in W. apply W, existsb_exists. exists Star. auto.
  Qed.

  Lemma agrees_applies p : Agrees (applies3 p) (applies w q e p).
  Proof.
    unfold applies3, applies. repeat apply agrees_both; cbn; auto.
    - apply agrees_some. intros x _. apply agrees_entry.
    - apply agrees_holds. intros l _. apply agrees_leaf.
  Qed.

  Lemma agrees_denies p : Agrees (denies3 p) (denies w q e p).
  Proof.
    apply agrees_list. intro g. unfold group3, group_denies. destruct lookup; cbn; auto.
    destruct (known_outcome fs g) eqn:K; cbn; auto. rewrite (known_outcome_holds _ _ _ _ S _ _ K). auto.
  Qed.

  Lemma agrees_grants p : Agrees (grants3 p) (grants w q e p).
  Proof.
    apply agrees_list. intro g. unfold group3, group_grants. destruct lookup; cbn; auto.
    destruct (known_outcome fs g) eqn:K; cbn; auto. rewrite (known_outcome_holds _ _ _ _ S _ _ K). auto.
  Qed.

  (** Where three-valued logic decides, every completion decides so. *)
  Lemma combine_sound_for_each : match combine with
    | Allow => allows w q e | Deny => ~ allows w q e | Unknown => True end.
  Proof.
    unfold combine, allows, decision. destruct (is_root q); [reflexivity|].
    assert (D : Agrees (some3 (fun p => both3 (applies3 p) (denies3 p)) (policies w))
                       (existsb (fun p => applies w q e p && denies w q e p) (policies w))).
    { apply agrees_some. intros p _. apply agrees_both; [apply agrees_applies|apply agrees_denies]. }
    assert (G : Agrees (some3 (fun p => both3 (applies3 p) (grants3 p)) (policies w))
                       (existsb (fun p => applies w q e p && grants w q e p) (policies w))).
    { apply agrees_some. intros p _. apply agrees_both; [apply agrees_applies|apply agrees_grants]. }
    revert D G.
    generalize (some3 (fun p => both3 (applies3 p) (denies3 p)) (policies w)),
      (some3 (fun p => both3 (applies3 p) (grants3 p)) (policies w)),
      (existsb (fun p => applies w q e p && denies w q e p) (policies w)),
      (existsb (fun p => applies w q e p && grants w q e p) (policies w)).
    intros d g [|] [|]; destruct d as [[|]|], g as [[|]|]; cbn; intros; auto; discriminate.
  Qed.
End Quick.

(** Policies that may have a say, whatever the missing facts are. *)
Definition relevant (w : world) (q : question) (fs : list fact) : world :=
  {| policies := filter (fun p =>
       match applies3 w q fs p with
       | Some false => false
       | _ => match denies3 w q fs p, grants3 w q fs p with Some false, Some false => false | _, _ => true end
       end) (policies w);
     resource_groups := resource_groups w; partly_known := partly_known w; permissions_groups := permissions_groups w |}.

Lemma existsb_filter {A} (f g : A -> bool) l : (forall x, In x l -> g x = true -> f x = true) -> existsb g (filter f l) = existsb g l.
Proof.
  induction l as [|a l IH]; cbn; intro H; auto. destruct (f a) eqn:F; cbn; rewrite IH by auto; auto.
  destruct (g a) eqn:G; auto. rewrite (H a) in F; auto. discriminate.
Qed.

Lemma relevant_decides w q fs e : Supposed w q fs e -> decision (relevant w q fs) q e = decision w q e.
Proof.
  intro C. unfold decision. destruct (is_root q); auto. cbn [policies relevant].
  assert (K : forall p (g : bool), applies w q e p = true -> denies w q e p || grants w q e p = true ->
    match applies3 w q fs p with
    | Some false => false
    | _ => match denies3 w q fs p, grants3 w q fs p with Some false, Some false => false | _, _ => true end
    end = true).
  { intros p _ A H. assert (HA := agrees_applies w q fs e C p). assert (HD := agrees_denies w q fs e C p). assert (HG := agrees_grants w q fs e C p).
    rewrite A in HA. destruct (applies3 w q fs p) as [[|]|]; cbn in HA; try discriminate;
      destruct (denies3 w q fs p) as [[|]|], (grants3 w q fs p) as [[|]|]; cbn in HD, HG; auto; rewrite <- HD, <- HG in H; discriminate. }
  change (applies (relevant w q fs) q e) with (applies w q e). change (denies (relevant w q fs) q e) with (denies w q e).
  change (grants (relevant w q fs) q e) with (grants w q e).
  rewrite !existsb_filter; auto; intros p _ H; apply andb_true_iff in H as [A G]; apply (K p true A); rewrite G; auto using orb_true_r.
Qed.

(** ** The answer: one missing fact after the other *)

(** What an answer says of the completions that are supposed. *)
Definition Says (w : world) (q : question) (fs : list fact) (a : answer) : Prop :=
  match a with
  | Allow => forall e, Supposed w q fs e -> allows w q e
  | Deny => forall e, Supposed w q fs e -> ~ allows w q e
  | Unknown => exists e e', Supposed w q fs e /\ Supposed w q fs e' /\ allows w q e /\ ~ allows w q e'
  end.

(** Three-valued logic first; where it does not decide, [rest] of the policies that may have a say. *)
Definition quick (rest : world -> question -> list fact -> answer) (w : world) (q : question) (fs : list fact) : answer :=
  match combine w q fs with Unknown => rest (relevant w q fs) q fs | known => known end.

(** The same answer for each value, or unknown. *)
Fixpoint each_says {A} (f : A -> answer) (a : answer) (l : list A) : answer :=
  match l with
  | [] => a
  | x :: l' => match a, f x with Allow, Allow => each_says f Allow l' | Deny, Deny => each_says f Deny l' | _, _ => Unknown end
  end.

Definition merge {A} (f : A -> answer) (l : list A) : answer :=
  match l with [] => Unknown | x :: l' => match f x with Unknown => Unknown | a => each_says f a l' end end.

(** A fact that is supposed for each missing one. *)
Definition facts_of (q : question) (fs : list fact) : facts :=
  {| fact_address := match known_address q fs with Some a => a | None => (false, 0%N) end;
     fact_tag := fun key => match known_tag q fs key with Some t => t | None => None end;
     fact_groups := match known_groups fs with Some gs => gs | None => [] end;
     fact_outcome := fun g => match known_outcome fs g with Some o => o | None => Says_nothing end;
     fact_truth := fun t => match known_truth fs t with Some b => b | None => false end |}.

Definition slot_eq_dec : forall s s' : slot, {s = s'} + {s <> s'}.
Proof.
  decide equality; apply (list_eq_dec Nat.eq_dec).
Defined.

(** A slot after the other, those that are known or that nothing asks for left out. *)
Fixpoint search (slots : list slot) (w : world) (q : question) (fs : list fact) : answer :=
  match slots with
  | [] => if is_allowed (decision w q (facts_of q fs)) then Allow else Deny
  | s :: rest =>
      if is_known q fs s then search rest w q fs
      else if in_dec slot_eq_dec s (world_slots w)
      then merge (fun f => quick (search rest) w q (f :: fs)) (values w s)
      else search rest w q fs
  end.

Definition decide (w : world) (q : question) : answer := quick (search (world_slots w)) w q [].

Lemma quick_says rest w q fs : Says (relevant w q fs) q fs (rest (relevant w q fs) q fs) -> Says w q fs (quick rest w q fs).
Proof.
  unfold quick. intro H. assert (C := combine_sound_for_each w q fs). destruct (combine w q fs); auto.
  assert (D : forall e, Supposed w q fs e -> (allows (relevant w q fs) q e <-> allows w q e))
    by (intros e S; unfold allows; rewrite (relevant_decides w q fs e S); tauto).
  assert (R : forall e, Supposed (relevant w q fs) q fs e <-> Supposed w q fs e)
    by (intro e; split; intros [[A T G] F]; split; auto; split; auto).
  destruct (rest _ q fs); cbn in *.
  - intros e S. apply D; auto. apply H, R, S.
  - intros e S. rewrite <- (D e S). apply H, R, S.
  - destruct H as (e & e' & S & S' & A & N). apply R in S, S'. exists e, e'. rewrite <- (D e S), <- (D e' S'). auto.
Qed.

Lemma merge_spec {A} (f : A -> answer) l :
  match merge f l with
  | Unknown => l = [] \/ (exists x, In x l /\ f x = Unknown) \/ (exists x y, In x l /\ In y l /\ f x = Allow /\ f y = Deny)
  | a => forall x, In x l -> f x = a
  end.
Proof.
  assert (E : forall a k, a <> Unknown ->
    match each_says f a k with
    | Unknown => exists x, In x k /\ f x <> a
    | b => b = a /\ forall x, In x k -> f x = a
    end).
  { intros a k N. induction k as [|x k IH]; cbn; [destruct a; try contradiction; split; auto; intros x []|].
    destruct a; [| |contradiction]; destruct (f x) eqn:F; try (exists x; rewrite F; split; [auto|discriminate]);
      destruct (each_says f _ k); try (destruct IH as [E H]; try discriminate E; split; auto; intros y [<-|I]; auto);
      destruct IH as (y & I & H); eauto. }
  destruct l as [|x l]; cbn; auto. destruct (f x) eqn:F; [| |right; left; eauto].
  - specialize (E Allow l). destruct (each_says f Allow l); destruct E as [E H]; try discriminate.
    + intros y [<-|I]; auto.
    + right. destruct H as [I H]. destruct (f E) eqn:G; [contradiction|right; exists x, E; auto|left; exists E; auto].
  - specialize (E Deny l). destruct (each_says f Deny l); destruct E as [E H]; try discriminate.
    + intros y [<-|I]; auto.
    + right. destruct H as [I H]. destruct (f E) eqn:G; [right; exists E, x; auto|contradiction|left; exists E; auto].
Qed.

Lemma merge_says w q fs s (f : fact -> answer) : is_known q fs s = false -> (exists e, Supposed w q fs e) ->
  (forall x, In x (values w s) -> Says w q (x :: fs) (f x)) -> Says w q fs (merge f (values w s)).
Proof.
  intros K (e0 & S0) H. assert (M := merge_spec f (values w s)).
  assert (B : forall e, Supposed w q fs e -> exists x, In x (values w s) /\ Supposed w q (x :: fs) (put e x) /\ (allows w q e <-> allows w q (put e x))).
  { intros e S. destruct (values_complete w q fs s e K (proj1 S)) as (x & I & A). exists x. split; auto.
    split; [apply (values_sound w q fs s e x K S I)|]. unfold allows. rewrite (alike_decision _ _ _ _ A). tauto. }
  destruct (merge f (values w s)); cbn.
  - intros e S. destruct (B e S) as (x & I & Sx & E). apply E. specialize (H x I). rewrite (M x I) in H. apply H, Sx.
  - intros e S. destruct (B e S) as (x & I & Sx & E). rewrite E. specialize (H x I). rewrite (M x I) in H. apply H, Sx.
  - destruct M as [M|[(x & I & M)|(x & y & Ix & Iy & Mx & My)]].
    + destruct (B e0 S0) as (x & I & _). rewrite M in I. destruct I.
    + specialize (H x I). rewrite M in H. destruct H as (e & e' & [C F] & [C' F'] & X). exists e, e'.
      repeat split; try apply C; try apply C'; try apply X; intros g Ig; [apply F|apply F']; right; auto.
    + assert (Hx := H x Ix). assert (Hy := H y Iy). rewrite Mx in Hx. rewrite My in Hy.
      destruct (values_sound w q fs s e0 x K S0 Ix) as [Sx _]. destruct (values_sound w q fs s e0 y K S0 Iy) as [Sy _].
      exists (put e0 x), (put e0 y). split; [|split]; [| |split; [apply Hx, Sx|apply Hy, Sy]].
      * split; [apply Sx|]. intros g Ig. apply Sx. right. auto.
      * split; [apply Sy|]. intros g Ig. apply Sy. right. auto.
Qed.

(** When every slot is known, all completions are alike. *)
Lemma nothing_missing w q fs e : (forall s, In s (world_slots w) -> is_known q fs s = true) -> Supposed w q fs e -> Alike w q (facts_of q fs) e.
Proof.
  intros K S. unfold world_slots in K.
  split.
  - intros l Il. destruct l as [key o vs|o vs|o vs|bs|z fld o vs|t]; auto.
    + specialize (K (The_tag key)). cbn [leaf_holds facts_of fact_tag]. destruct (known_tag q fs key) as [v|] eqn:E.
      * rewrite (known_tag_holds _ _ _ _ S _ _ E). auto.
      * cbn [is_known] in K. rewrite E in K. discriminate K. rewrite !in_app_iff. right. right. right. apply in_app_iff. left.
        apply in_flat_map. exists (TagTest key o vs). cbn. auto.
    + specialize (K The_address). cbn [leaf_holds facts_of fact_address]. destruct (known_address q fs) as [v|] eqn:E.
      * rewrite (known_address_holds _ _ _ _ S _ E). auto.
      * cbn [is_known] in K. rewrite E in K. discriminate K. rewrite !in_app_iff. cbn. auto.
    + specialize (K (The_truth t)). cbn [leaf_holds facts_of fact_truth]. destruct (known_truth fs t) as [v|] eqn:E.
      * symmetry. exact (known_truth_holds _ _ _ _ S _ _ E).
      * cbn [is_known] in K. rewrite E in K. discriminate K. apply in_app_iff. left. apply in_flat_map. exists (NotUnderstood t). cbn. auto.
  - intros [p|p] _; cbn [entry_holds facts_of fact_groups]; auto. specialize (K The_groups). destruct (known_groups fs) as [v|] eqn:E.
    + rewrite (known_groups_holds _ _ _ _ S _ E). auto.
    + cbn [is_known] in K. rewrite E in K. discriminate K. rewrite !in_app_iff. right. right. right. apply in_app_iff. cbn. auto.
  - intros p g Ip Ig _. cbn [facts_of fact_outcome]. specialize (K (The_outcome g)). destruct (known_outcome fs g) as [v|] eqn:E.
    + symmetry. exact (known_outcome_holds _ _ _ _ S _ _ E).
    + cbn [is_known] in K. rewrite E in K. discriminate K. rewrite !in_app_iff. right. left. apply in_map, in_flat_map. eauto.
Qed.

Lemma relevant_slots w q fs s : In s (world_slots (relevant w q fs)) -> In s (world_slots w).
Proof.
  assert (P : forall p, In p (policies (relevant w q fs)) -> In p (policies w)) by (intros p I; apply filter_In in I; tauto).
  assert (L : forall l, In l (world_leaves (relevant w q fs)) -> In l (world_leaves w)).
  { intros l I. apply in_flat_map in I as (p & Ip & I). apply in_flat_map. eauto. }
  unfold world_slots. rewrite !in_app_iff. cbn [In]. rewrite !in_app_iff, !in_flat_map, !in_map_iff.
  intros [(l & I & H)|[(g & <- & I)|[H|[(l & I & H)|H]]]]; [eauto| |auto| |auto 6].
  - right. left. exists g. split; auto. apply in_flat_map in I as (p & Ip & I). apply in_flat_map. eauto.
  - right. right. right. left. eauto.
Qed.

Lemma is_known_more q f fs s : is_known q fs s = true -> is_known q (f :: fs) s = true.
Proof.
  assert (M : forall A (h : fact -> option A), is_some (find_map h fs) = true -> is_some (find_map h (f :: fs)) = true)
    by (intros A h H; cbn; destruct (h f); auto).
  destruct s; cbn [is_known]; unfold known_address, known_tag; try destruct (given_address q); try destruct (given_tags q); auto; apply M.
Qed.

(** Whatever is supposed, facts may be filled in one after the other. *)
Theorem one_fact_after_the_other slots : forall w q fs,
  (forall s, In s (world_slots w) -> In s slots \/ is_known q fs s = true) -> (exists e, Supposed w q fs e) ->
  Says w q fs (search slots w q fs).
Proof.
  induction slots as [|s rest IH]; intros w q fs K X; cbn [search].
  - assert (A : forall e, Supposed w q fs e -> decision w q (facts_of q fs) = decision w q e).
    { intros e S. apply alike_decision, nothing_missing; auto. intros s I. destruct (K s I) as [[]|H]; auto. }
    destruct (is_allowed (decision w q (facts_of q fs))) eqn:E; cbn; intros e S; unfold allows; rewrite <- (A e S), E; auto.
  - destruct (is_known q fs s) eqn:N; [|destruct (in_dec slot_eq_dec s (world_slots w)) as [I|NI]].
    + apply IH; auto. intros s' I. destruct (K s' I) as [[<-|H]|H]; auto.
    + destruct X as (e & S). apply merge_says; [auto|eauto|]. intros x Ix.
      destruct (values_sound w q fs s e x N S Ix) as [Sx Kx]. apply quick_says, IH.
      * intros s' I'. apply relevant_slots in I'. destruct (K s' I') as [[<-|H]|H]; auto using is_known_more.
      * exists (put e x). destruct Sx as [[A T G] F]. split; auto. split; auto.
    + apply IH; auto. intros s' I. destruct (K s' I) as [[<-|H]|H]; auto; contradiction.
Qed.

Lemma some_completion w q : exists e, Completes w q e.
Proof.
  exists {| fact_address := match given_address q with Some a => a | None => (false, 0%N) end;
            fact_tag := fun key => match given_tags q with Some tags => lookup key tags | None => None end;
            fact_groups := []; fact_outcome := fun _ => Says_nothing; fact_truth := fun _ => false |}.
  split; cbn.
  - destruct (given_address q); auto. reflexivity.
  - destruct (given_tags q); auto.
  - tauto.
Qed.

Lemma decide_says w q : Says w q [] (decide w q).
Proof.
  apply quick_says, one_fact_after_the_other.
  - intros s I. left. eapply relevant_slots, I.
  - destruct (some_completion w q) as (e & [A T G]). exists e. split; [split; auto|intros f []].
Qed.

Lemma supposed_nothing w q e : Supposed w q [] e <-> Completes w q e.
Proof. split; [intros [C _]; auto|intro C; split; auto; intros f []]. Qed.

(** Unknown: exactly when two completions differ. *)
(* covers: M28 *)
Theorem unknown_exactly_when_two_completions_differ w q :
  decide w q = Unknown <-> exists e e', Completes w q e /\ Completes w q e' /\ allows w q e /\ ~ allows w q e'.
Proof.
  assert (H := decide_says w q). split.
  - intro U. rewrite U in H. destruct H as (e & e' & S & S' & X). apply supposed_nothing in S, S'. eauto.
  - intros (e & e' & C & C' & A & N). apply supposed_nothing in C, C'. destruct (decide w q); auto; [destruct (N (H e' C'))|destruct (H e C A)].
Qed.

(** Allowed: in every completion. *)
Theorem allowed_exactly_in_every_completion w q : decide w q = Allow <-> forall e, Completes w q e -> allows w q e.
Proof.
  assert (H := decide_says w q). split.
  - intros D e C. rewrite D in H. apply H, supposed_nothing, C.
  - intro F. destruct (decide w q); auto; exfalso.
    + destruct (some_completion w q) as (e & C). apply (H e); [apply supposed_nothing|apply F]; auto.
    + destruct H as (e & e' & _ & S & _ & N). apply N, F, supposed_nothing, S.
Qed.

(** Denied: in every completion. *)
Theorem denied_exactly_in_every_completion w q : decide w q = Deny <-> forall e, Completes w q e -> ~ allows w q e.
Proof.
  assert (H := decide_says w q). split.
  - intros D e C. rewrite D in H. apply H, supposed_nothing, C.
  - intro F. destruct (decide w q); auto; exfalso.
    + destruct (some_completion w q) as (e & C). apply (F e); [|apply H, supposed_nothing]; auto.
    + destruct H as (e & e' & S & _ & A & _). apply supposed_nothing in S. exact (F e S A).
Qed.

Theorem three_valued_logic_is_sound w q : combine w q [] <> Unknown -> decide w q = combine w q [].
Proof.
  unfold decide, quick. destruct (combine w q []); auto; contradiction.
Qed.

(** ** More knowledge *)

(** One world and question know at least what others know: what completes them is a completion of the others, and decides alike. *)
Definition Knows_more (w : world) (q : question) (w' : world) (q' : question) : Prop :=
  forall e', Completes w' q' e' -> exists e, Completes w q e /\ is_allowed (decision w q e) = is_allowed (decision w' q' e').

(** More knowledge never turns allow into deny, or deny into allow; it only settles what is unknown. *)
(* covers: M29 *)
Theorem more_knowledge_never_turns_a_verdict w q w' q' :
  Knows_more w q w' q' -> decide w q <> Unknown -> decide w' q' = decide w q.
Proof.
  intros K N. destruct (decide w q) eqn:D; [| |contradiction].
  - apply allowed_exactly_in_every_completion. intros e' C'. destruct (K e' C') as (e & C & E).
    unfold allows. rewrite <- E. apply (proj1 (allowed_exactly_in_every_completion w q) D e C).
  - apply denied_exactly_in_every_completion. intros e' C'. destruct (K e' C') as (e & C & E).
    unfold allows. rewrite <- E. apply (proj1 (denied_exactly_in_every_completion w q) D e C).
Qed.

Definition with_address (q : question) (a : address) : question :=
  {| members := members q; action := action q; resource := resource q; resource_name := resource_name q;
     resource_type := resource_type q; instant := instant q; clock := clock q; asks_as := asks_as q; owner := owner q;
     given_address := Some a; given_tags := given_tags q |}.

Definition with_tags (q : question) (tags : list (text * text)) : question :=
  {| members := members q; action := action q; resource := resource q; resource_name := resource_name q;
     resource_type := resource_type q; instant := instant q; clock := clock q; asks_as := asks_as q; owner := owner q;
     given_address := given_address q; given_tags := Some tags |}.

Theorem an_address_is_more_knowledge w q a : given_address q = None -> legal_address a -> Knows_more w q w (with_address q a).
Proof.
  intros G L e' [CA CT CG]. exists e'. split; [|reflexivity]. split; auto. rewrite G. cbn in CA. subst. auto.
Qed.

Theorem tags_are_more_knowledge w q tags : given_tags q = None -> Knows_more w q w (with_tags q tags).
Proof.
  intros G e' [CA CT CG]. exists e'. split; [|reflexivity]. split; auto. rewrite G. auto.
Qed.

(** Describing a resource group. *)
Definition with_group (w : world) (g : text) (ms : list text) : world :=
  {| policies := policies w; resource_groups := (g, ms) :: resource_groups w; partly_known := partly_known w;
     permissions_groups := permissions_groups w |}.

Theorem a_described_group_is_more_knowledge w q g ms : ~ described w g -> mem g (partly_known w) = false -> Knows_more w q (with_group w g ms) q.
Proof.
  intros U K e' [CA CT CG].
  set (e := {| fact_address := fact_address e'; fact_tag := fact_tag e';
               fact_groups := (if mem (resource q) ms then [g] else []) ++ fact_groups e';
               fact_outcome := fact_outcome e'; fact_truth := fact_truth e' |}).
  exists e. split.
  - split; auto. cbn. intros h I. apply in_app_iff in I as [I|I].
    + destruct (mem (resource q) ms); [destruct I as [<-|[]]; auto|destruct I].
    + intro D. apply (CG h I). unfold described, described_names in *. cbn [map fst resource_groups with_group partly_known filter].
      rewrite K. right. exact D.
  - assert (X : forall x, entry_holds w q e x = entry_holds (with_group w g ms) q e' x).
    { intros [p|p]; cbn [e entry_holds fact_groups resource_groups with_group existsb fst snd]; auto.
      rewrite existsb_app. destruct (mem (resource q) ms); cbn [existsb];
        destruct (matches p g), (existsb _ (resource_groups w)), (existsb (matches p) (fact_groups e')); auto. }
    assert (A : forall p, applies w q e p = applies (with_group w g ms) q e' p).
    { intro p. unfold applies. rewrite (existsb_ext _ _ _ (fun x _ => X x)). reflexivity. }
    f_equal. unfold decision. cbn [policies with_group].
    rewrite (existsb_ext (fun p => applies w q e p && denies w q e p)
               (fun p => applies (with_group w g ms) q e' p && denies (with_group w g ms) q e' p)),
      (existsb_ext (fun p => applies w q e p && grants w q e p)
               (fun p => applies (with_group w g ms) q e' p && grants (with_group w g ms) q e' p)); auto;
      intros p Ip; rewrite A; reflexivity.
Qed.
