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

(** ** Values for each of some keys *)

Fixpoint assignments {V} (keys : list text) (values : text -> list V) (base : text -> V) : list (text -> V) :=
  match keys with
  | [] => [base]
  | k :: keys' =>
      flat_map (fun v => map (fun f k' => if text_eqb k k' then v else f k') (assignments keys' values base)) (values k)
  end.

Lemma assignment {V} keys (values : text -> list V) base (R : text -> V -> Prop) :
  (forall k, In k keys -> exists v, In v (values k) /\ R k v) ->
  exists f, In f (assignments keys values base) /\ forall k, In k keys -> R k (f k).
Proof.
  induction keys as [|k keys IH]; cbn; intro H.
  - exists base. split; auto. intros k [].
  - destruct IH as (f & If & Hf); [auto|]. destruct (H k) as (v & Iv & Rv); [auto|].
    exists (fun k' => if text_eqb k k' then v else f k'). split.
    + apply in_flat_map. exists v. split; auto. apply in_map_iff. exists f. auto.
    + intros k' [<-|I]; destruct (text_eqb_spec k k) as [|N]; try contradiction; auto.
      * destruct (text_eqb_spec k k'); subst; auto.
Qed.

(** ** Finitely many completions *)

Definition tag_keys (w : world) : list text :=
  flat_map (fun l => match l with TagTest k _ _ => [k] | _ => [] end) (world_leaves w).

Definition tag_values (w : world) (key : text) : list text :=
  flat_map (fun l => match l with TagTest k _ vs => if text_eqb k key then vs else [] | _ => [] end) (world_leaves w).

Definition blocks_of (w : world) : list block :=
  flat_map (fun l => match l with AddressTest bs => bs | _ => [] end) (world_leaves w).

Definition written_conditions (w : world) : list text :=
  flat_map (fun l => match l with NotUnderstood t => [t] | _ => [] end) (world_leaves w).

Definition completions (w : world) (q : question) : list facts :=
  let addresses := match given_address q with Some a => [a] | None => addresses_to_try (blocks_of w) end in
  let tags :=
    match given_tags q with
    | Some tags => [fun key => lookup key tags]
    | None => assignments (tag_keys w) (fun k => None :: map Some (texts_to_try (tag_values w k))) (fun _ => None)
    end in
  let outcomes := assignments (flat_map named (policies w)) (fun _ => [Allows_it; Denies_it; Says_nothing]) (fun _ => Says_nothing) in
  let truths := assignments (written_conditions w) (fun _ => [true; false]) (fun _ => false) in
  flat_map (fun a => flat_map (fun t => flat_map (fun g => flat_map (fun o => map (fun c =>
    {| fact_address := a; fact_tag := t; fact_groups := g; fact_outcome := o; fact_truth := c |})
    truths) outcomes) (group_candidates w)) tags) addresses.

Lemma completions_in w q e :
  In e (completions w q) <->
    In (fact_address e) (match given_address q with Some a => [a] | None => addresses_to_try (blocks_of w) end) /\
    In (fact_tag e) (match given_tags q with
      | Some tags => [fun key => lookup key tags]
      | None => assignments (tag_keys w) (fun k => None :: map Some (texts_to_try (tag_values w k))) (fun _ => None) end) /\
    In (fact_groups e) (group_candidates w) /\
    In (fact_outcome e) (assignments (flat_map named (policies w)) (fun _ => [Allows_it; Denies_it; Says_nothing]) (fun _ => Says_nothing)) /\
    In (fact_truth e) (assignments (written_conditions w) (fun _ => [true; false]) (fun _ => false)).
Proof.
  unfold completions. split.
  - intro I. apply in_flat_map in I as (a & Ia & I). apply in_flat_map in I as (t & It & I).
    apply in_flat_map in I as (g & Ig & I). apply in_flat_map in I as (o & Io & I).
    apply in_map_iff in I as (c & <- & Ic). cbn. auto.
  - destruct e as [a t g o c]. cbn. intros (Ia & It & Ig & Io & Ic).
    apply in_flat_map. exists a. split; auto. apply in_flat_map. exists t. split; auto.
    apply in_flat_map. exists g. split; auto. apply in_flat_map. exists o. split; auto. apply in_map_iff. eauto.
Qed.

(** Each of them is a completion. *)
Theorem completions_sound w q e : In e (completions w q) -> Completes w q e.
Proof.
  intro I. apply completions_in in I as (Ia & It & Ig & _). split.
  - destruct (given_address q); [destruct Ia as [<-|[]]; auto|]. eapply candidates_legal, one_each_incl, Ia.
  - destruct (given_tags q); auto. destruct It as [<-|[]]. auto.
  - intros g Hg. eapply group_candidates_open; eauto.
Qed.

(** And each completion is like one of them. *)
Theorem completions_complete w q e : Completes w q e -> exists e', In e' (completions w q) /\ Alike w q e e'.
Proof.
  intros [CA CT CG].
  assert (A : exists a, In a (match given_address q with Some a => [a] | None => addresses_to_try (blocks_of w) end) /\
    forall b, In b (blocks_of w) -> in_block (fact_address e) b = in_block a b).
  { destruct (given_address q) as [a|]; [exists a; split; [left; auto|]; intros; congruence|]. apply address_to_try, CA. }
  assert (T : exists f, In f (match given_tags q with
      | Some tags => [fun key => lookup key tags]
      | None => assignments (tag_keys w) (fun k => None :: map Some (texts_to_try (tag_values w k))) (fun _ => None) end) /\
    forall k, In k (tag_keys w) -> match fact_tag e k, f k with
      | None, None => True
      | Some t, Some t' => forall o v, In v (tag_values w k) -> text_holds o v t = text_holds o v t'
      | _, _ => False end).
  { destruct (given_tags q) as [tags|].
    - exists (fun key => lookup key tags). split; [left; auto|]. intros k _. rewrite CT. destruct lookup; auto.
    - apply (assignment _ _ _ (fun k v => match fact_tag e k, v with
        | None, None => True
        | Some t, Some t' => forall o v, In v (tag_values w k) -> text_holds o v t = text_holds o v t'
        | _, _ => False end)).
      intros k _. destruct (fact_tag e k) as [t|].
      + destruct (text_to_try (tag_values w k) t) as (t' & I & H). exists (Some t'). split; auto. right. apply in_map. auto.
      + exists None. cbn. auto. }
  destruct (group_class w (fact_groups e) CG) as (gs & Igs & Hgs).
  destruct (assignment (flat_map named (policies w)) (fun _ => [Allows_it; Denies_it; Says_nothing]) (fun _ => Says_nothing)
    (fun k v => v = fact_outcome e k)) as (o & Io & Ho).
  { intros k _. exists (fact_outcome e k). split; auto. destruct (fact_outcome e k); cbn; auto. }
  destruct (assignment (written_conditions w) (fun _ => [true; false]) (fun _ => false)
    (fun k v => v = fact_truth e k)) as (c & Ic & Hc).
  { intros k _. exists (fact_truth e k). split; auto. destruct (fact_truth e k); cbn; auto. }
  destruct A as (a & Ia & Ha). destruct T as (t & It & Ht).
  exists {| fact_address := a; fact_tag := t; fact_groups := gs; fact_outcome := o; fact_truth := c |}. split.
  - apply completions_in. cbn. auto.
  - split.
    + intros l Il. destruct l as [k op vs|op vs|op vs|bs|z fld op vs|wr]; cbn; auto.
      * assert (K : In k (tag_keys w)) by (apply in_flat_map; exists (TagTest k op vs); cbn; auto).
        specialize (Ht k K). destruct (fact_tag e k), (t k); try tauto.
        apply existsb_ext. intros v Iv. apply Ht. apply in_flat_map. exists (TagTest k op vs). split; auto.
        destruct (text_eqb_spec k k); auto. contradiction.
      * apply existsb_ext. intros b Ib. apply Ha. apply in_flat_map. exists (AddressTest bs). auto.
      * symmetry. apply Hc. apply in_flat_map. exists (NotUnderstood wr). cbn. auto.
    + intros [p|p] Ix; cbn; auto. f_equal. apply Hgs. apply in_flat_map. exists (Group p). cbn. auto.
    + intros p g Ip Ig _. symmetry. apply Ho, in_flat_map. eauto.
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

(** ** The answer *)

Inductive answer := Allow | Deny | Unknown.

Definition decide (w : world) (q : question) : answer :=
  let all := map (fun e => is_allowed (decision w q e)) (completions w q) in
  if forallb (fun b => b) all then Allow else if forallb negb all then Deny else Unknown.

Definition allows (w : world) (q : question) (e : facts) : Prop := is_allowed (decision w q e) = true.

Lemma forallb_completions w q (f : bool -> bool) :
  forallb f (map (fun e => is_allowed (decision w q e)) (completions w q)) = true <->
  forall e, Completes w q e -> f (is_allowed (decision w q e)) = true.
Proof.
  rewrite forallb_forall. split.
  - intros H e C. destruct (completions_complete _ _ _ C) as (e' & I & A). rewrite (alike_decision _ _ _ _ A).
    apply H, (in_map (fun e => is_allowed (decision w q e))), I.
  - intros H b I. apply in_map_iff in I as (e & <- & I). apply H, completions_sound, I.
Qed.

(** Allowed: in every completion. *)
Theorem allowed_exactly_in_every_completion w q : decide w q = Allow <-> forall e, Completes w q e -> allows w q e.
Proof.
  unfold decide, allows. rewrite <- (forallb_completions w q (fun b => b)).
  destruct (forallb (fun b => b) _); split; auto; try discriminate. destruct (forallb negb _); discriminate.
Qed.

(** Denied: in every completion. *)
Theorem denied_exactly_in_every_completion w q : decide w q = Deny <-> forall e, Completes w q e -> ~ allows w q e.
Proof.
  assert (E : (forall e, Completes w q e -> ~ allows w q e) <->
              forallb negb (map (fun e => is_allowed (decision w q e)) (completions w q)) = true).
  { rewrite forallb_completions. unfold allows.
    split; intros H e C; specialize (H e C); destruct is_allowed; cbn in *; auto; try discriminate; congruence. }
  rewrite E. unfold decide. destruct (forallb (fun b => b) _) eqn:A; destruct (forallb negb _) eqn:D;
    split; intro H; auto; try discriminate.
  exfalso. destruct (some_completion w q) as (e & C).
  assert (X := proj1 (forallb_completions w q (fun b => b)) A e C).
  assert (Y := proj1 (forallb_completions w q negb) D e C). cbn in *. rewrite X in Y. discriminate.
Qed.

(** Unknown: exactly when two completions differ. *)
Theorem unknown_exactly_when_two_completions_differ w q :
  decide w q = Unknown <-> exists e e', Completes w q e /\ Completes w q e' /\ allows w q e /\ ~ allows w q e'.
Proof.
  split.
  - intro U.
    assert (NA : ~ (forall b, In b (map (fun e => is_allowed (decision w q e)) (completions w q)) -> b = true)).
    { intro H. unfold decide in U. rewrite (proj2 (forallb_forall _ _) H) in U. discriminate. }
    assert (ND : ~ (forall b, In b (map (fun e => is_allowed (decision w q e)) (completions w q)) -> negb b = true)).
    { intro H. unfold decide in U. rewrite (proj2 (forallb_forall negb _) H) in U. destruct (forallb (fun b => b) _); discriminate. }
    assert (F : forall f : bool -> bool, forall l, ~ (forall b, In b l -> f b = true) -> exists b, In b l /\ f b = false).
    { intros f l. induction l as [|b l IH]; intro H; [destruct H; intros ? []|]. destruct (f b) eqn:E.
      - destruct IH as (c & I & Ec); [|exists c; cbn; auto]. intro K. apply H. intros c [<-|I]; auto.
      - exists b. cbn. auto. }
    destruct (F (fun b => b) _ NA) as (b & Ib & Eb). destruct (F negb _ ND) as (b' & Ib' & Eb').
    apply in_map_iff in Ib as (e' & <- & Ie'). apply in_map_iff in Ib' as (e & <- & Ie).
    exists e, e'. split; [apply completions_sound, Ie|]. split; [apply completions_sound, Ie'|]. unfold allows. split.
    + apply negb_false_iff in Eb'. auto.
    + rewrite Eb. discriminate.
  - intros (e & e' & C & C' & A & N). destruct (decide w q) eqn:D; auto.
    + destruct N. apply (proj1 (allowed_exactly_in_every_completion w q) D). auto.
    + destruct (proj1 (denied_exactly_in_every_completion w q) D e C A).
Qed.

(** ** More knowledge *)

(** One world and question know at least what others know: what completes them is a completion of the others, and decides alike. *)
Definition Knows_more (w : world) (q : question) (w' : world) (q' : question) : Prop :=
  forall e', Completes w' q' e' -> exists e, Completes w q e /\ is_allowed (decision w q e) = is_allowed (decision w' q' e').

(** More knowledge never turns allow into deny, or deny into allow; it only settles what is unknown. *)
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
  induction c as [l|cs IH|cs IH|cs IH] using condition_induction; cbn; intro H; try rewrite Forall_forall in IH.
  - apply H. auto.
  - apply agrees_every. intros c I. apply IH; auto. intros l L. apply H, in_flat_map. eauto.
  - apply agrees_some. intros c I. apply IH; auto. intros l L. apply H, in_flat_map. eauto.
  - apply agrees_not, agrees_some. intros c I. apply IH; auto. intros l L. apply H, in_flat_map. eauto.
Qed.

Section Quick.
  Variables (w : world) (q : question).

  Definition leaf3 (l : leaf) : truth :=
    match l with
    | TagTest key o values =>
        match given_tags q with
        | None => None
        | Some tags => Some (match lookup key tags with Some t => existsb (fun v => text_holds o v t) values | None => false end)
        end
    | AddressTest blocks => match given_address q with Some a => Some (existsb (in_block a) blocks) | None => None end
    | NameTest o values => Some (existsb (fun v => text_holds o v (resource_name q)) values)
    | TypeTest o values => Some (existsb (fun v => text_holds o v (resource_type q)) values)
    | ClockTest zone field o values => Some (existsb (fun v => in_order o v (clock q zone field)) values)
    | NotUnderstood _ => None
    end.

  (** A group entry is open unless it is the whole name of a group that is described. *)
  Definition entry3 (x : entry) : truth :=
    match x with
    | Resource p => Some (matches p (resource q))
    | Group p =>
        if existsb (fun g => matches p (fst g) && mem (resource q) (snd g)) (resource_groups w) then Some true
        else if existsb (fun t => match t with Star => true | _ => false end) p then None
        else if mem (fill 0 p) (described_names w) then Some false else None
    end.

  Definition applies3 (p : policy) : truth :=
    both3 (both3 (Some (about q p)) (some3 entry3 (resources p))) (holds3 leaf3 (when p)).

  Definition group_denies3 (g : text) : truth := option_map (set_denies q) (lookup g (permissions_groups w)).
  Definition group_grants3 (g : text) : truth := option_map (set_grants q) (lookup g (permissions_groups w)).
  Definition denies3 (p : policy) : truth := some3 (fun b => b) (Some (set_denies q (own p)) :: map group_denies3 (named p)).
  Definition grants3 (p : policy) : truth := some3 (fun b => b) (Some (set_grants q (own p)) :: map group_grants3 (named p)).

  Definition combine : answer :=
    if is_root q then Allow
    else match some3 (fun p => both3 (applies3 p) (denies3 p)) (policies w), some3 (fun p => both3 (applies3 p) (grants3 p)) (policies w) with
      | Some true, _ => Deny
      | _, Some false => Deny
      | Some false, Some true => Allow
      | _, _ => Unknown
      end.

  Variable e : facts.
  Hypothesis C : Completes w q e.

  Lemma agrees_leaf l : Agrees (leaf3 l) (leaf_holds q e l).
  Proof.
    destruct C as [CA CT CG]. destruct l; cbn; auto.
    - destruct (given_tags q); cbn; auto. rewrite CT. auto.
    - destruct (given_address q); cbn; auto. rewrite CA. auto.
  Qed.

  Lemma agrees_entry x : Agrees (entry3 x) (entry_holds w q e x).
  Proof.
    destruct x as [p|p]; cbn; auto. destruct (existsb _ (resource_groups w)) eqn:E; cbn; auto.
    destruct (existsb _ p) eqn:S; cbn; auto. destruct (mem _ _) eqn:D; cbn; auto.
    symmetry. apply not_true_iff_false. intro H. apply existsb_exists in H as (g & I & M).
    apply (completes_groups _ _ _ C g I). apply matches_decides in M. apply mem_spec in D.
    rewrite (fill_without_star 0 p) with (t := g); auto.
    intro IS. rewrite <- not_true_iff_false in S. apply S, existsb_exists. exists Star. auto.
  Qed.

  Lemma agrees_applies p : Agrees (applies3 p) (applies w q e p).
  Proof.
    unfold applies3, applies. repeat apply agrees_both; cbn; auto.
    - apply agrees_some. intros x _. apply agrees_entry.
    - apply agrees_holds. intros l _. apply agrees_leaf.
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

  Lemma agrees_denies p : Agrees (denies3 p) (denies w q e p).
  Proof.
    apply agrees_list. intro g. unfold group_denies3, group_denies. destruct lookup; cbn; auto.
  Qed.

  Lemma agrees_grants p : Agrees (grants3 p) (grants w q e p).
  Proof.
    apply agrees_list. intro g. unfold group_grants3, group_grants. destruct lookup; cbn; auto.
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

Theorem three_valued_logic_is_sound w q : combine w q <> Unknown -> decide w q = combine w q.
Proof.
  intro N. destruct (combine w q) eqn:E; [| |contradiction].
  - apply allowed_exactly_in_every_completion. intros e C. assert (H := combine_sound_for_each w q e C). rewrite E in H. auto.
  - apply denied_exactly_in_every_completion. intros e C. assert (H := combine_sound_for_each w q e C). rewrite E in H. auto.
Qed.

(** ** What is asked in practice: one missing fact after the other *)

Definition merge (l : list answer) : answer :=
  if forallb (fun a => match a with Allow => true | _ => false end) l then Allow
  else if forallb (fun a => match a with Deny => true | _ => false end) l then Deny else Unknown.

(** Questions that together have the completions of one question, up to what policies do not distinguish. *)
Lemma merge_decides w q qs :
  qs <> [] ->
  (forall q' e, In q' qs -> Completes w q' e -> Completes w q e /\ is_allowed (decision w q' e) = is_allowed (decision w q e)) ->
  (forall e, Completes w q e -> exists q' e', In q' qs /\ Completes w q' e' /\ is_allowed (decision w q' e') = is_allowed (decision w q e)) ->
  merge (map (decide w) qs) = decide w q.
Proof.
  intros NE F B.
  assert (A : forallb (fun a => match a with Allow => true | _ => false end) (map (decide w) qs) = true <-> decide w q = Allow).
  { rewrite forallb_forall, allowed_exactly_in_every_completion. split.
    - intros H e C. destruct (B e C) as (q' & e' & I & C' & E). unfold allows. rewrite <- E.
      assert (K : decide w q' = Allow) by (specialize (H _ (in_map (decide w) _ _ I)); destruct (decide w q'); auto; discriminate).
      apply (proj1 (allowed_exactly_in_every_completion w q') K e' C').
    - intros H a I. apply in_map_iff in I as (q' & <- & I).
      rewrite (proj2 (allowed_exactly_in_every_completion w q')); auto. intros e C. destruct (F q' e I C) as [C' E].
      unfold allows. rewrite E. apply H, C'. }
  assert (D : forallb (fun a => match a with Deny => true | _ => false end) (map (decide w) qs) = true <-> decide w q = Deny).
  { rewrite forallb_forall, denied_exactly_in_every_completion. split.
    - intros H e C. destruct (B e C) as (q' & e' & I & C' & E). unfold allows. rewrite <- E.
      assert (K : decide w q' = Deny) by (specialize (H _ (in_map (decide w) _ _ I)); destruct (decide w q'); auto; discriminate).
      apply (proj1 (denied_exactly_in_every_completion w q') K e' C').
    - intros H a I. apply in_map_iff in I as (q' & <- & I).
      rewrite (proj2 (denied_exactly_in_every_completion w q')); auto. intros e C. destruct (F q' e I C) as [C' E].
      unfold allows. rewrite E. apply H, C'. }
  unfold merge. destruct (forallb _ (map (decide w) qs)) eqn:EA.
  - symmetry. apply A, eq_refl.
  - destruct (forallb (fun a => match a with Deny => true | _ => false end) (map (decide w) qs)) eqn:ED.
    + symmetry. apply D, eq_refl.
    + destruct (decide w q) eqn:EF; auto; [assert (X := proj2 A eq_refl)|assert (X := proj2 D eq_refl)]; congruence.
Qed.

Definition with_each_address (w : world) (q : question) : list question :=
  map (with_address q) (addresses_to_try (blocks_of w)).

Lemma alike_address w q e a : (forall b, In b (blocks_of w) -> in_block (fact_address e) b = in_block a b) ->
  Alike w q e {| fact_address := a; fact_tag := fact_tag e; fact_groups := fact_groups e; fact_outcome := fact_outcome e; fact_truth := fact_truth e |}.
Proof.
  intro H. split; auto. intros l I. destruct l; cbn; auto. apply existsb_ext. intros b Ib. apply H, in_flat_map.
  exists (AddressTest blocks). auto.
Qed.

Theorem address_by_address w q : given_address q = None -> merge (map (decide w) (with_each_address w q)) = decide w q.
Proof.
  intro N. apply merge_decides.
  - unfold with_each_address. intro E. destruct (address_to_try (blocks_of w) (false, 0%N)) as (a & I & _); [reflexivity|].
    apply map_eq_nil in E. rewrite E in I. destruct I.
  - intros q' e I [CA CT CG]. apply in_map_iff in I as (a & <- & I). split; [|reflexivity]. split; auto.
    rewrite N. cbn in CA. subst. eapply candidates_legal, one_each_incl, I.
  - intros e [CA CT CG]. rewrite N in CA. destruct (address_to_try (blocks_of w) _ CA) as (a & I & H).
    exists (with_address q a), {| fact_address := a; fact_tag := fact_tag e; fact_groups := fact_groups e;
      fact_outcome := fact_outcome e; fact_truth := fact_truth e |}.
    split; [apply in_map, I|]. split; [split; cbn; auto|]. rewrite (alike_decision w q _ _ (alike_address w q e a H)). reflexivity.
Qed.

(** The tags that an assignment gives, as they are written in a question. *)
Definition written_tags (keys : list text) (f : text -> option text) : list (text * text) :=
  flat_map (fun k => match f k with Some t => [(k, t)] | None => [] end) keys.

Lemma lookup_written keys f k : In k keys -> lookup k (written_tags keys f) = f k.
Proof.
  unfold written_tags. induction keys as [|k' keys IH]; cbn; [tauto|]. intros I.
  destruct (text_eqb_spec k' k) as [->|N].
  - destruct (f k) as [t|] eqn:E; cbn; [destruct (text_eqb_spec k k); congruence|].
    destruct (in_dec (list_eq_dec Nat.eq_dec) k keys) as [I'|N']; [rewrite IH; auto|].
    clear IH I. induction keys as [|c keys IH]; cbn; auto. destruct (f c) as [u|] eqn:F; cbn.
    + destruct (text_eqb_spec c k) as [->|]; [destruct N'; left; auto|]. apply IH. intro X. apply N'. right. auto.
    + apply IH. intro X. apply N'. right. auto.
  - destruct I as [->|I]; [contradiction|]. destruct (f k') as [t|]; cbn; [destruct (text_eqb_spec k' k); [contradiction|]|]; apply IH, I.
Qed.

Definition with_each_tags (w : world) (q : question) : list question :=
  map (fun f => with_tags q (written_tags (tag_keys w) f))
    (assignments (tag_keys w) (fun k => None :: map Some (texts_to_try (tag_values w k))) (fun _ => None)).

Lemma alike_tags w q e f : (forall k, In k (tag_keys w) -> match fact_tag e k, f k with
    | None, None => True
    | Some t, Some t' => forall o v, In v (tag_values w k) -> text_holds o v t = text_holds o v t'
    | _, _ => False end) ->
  Alike w q e {| fact_address := fact_address e; fact_tag := f; fact_groups := fact_groups e; fact_outcome := fact_outcome e; fact_truth := fact_truth e |}.
Proof.
  intro H. split; auto. intros l I. destruct l as [k op vs| | | | |]; cbn; auto.
  assert (K : In k (tag_keys w)) by (apply in_flat_map; exists (TagTest k op vs); cbn; auto).
  specialize (H k K). destruct (fact_tag e k), (f k); try tauto.
  apply existsb_ext. intros v Iv. apply H. apply in_flat_map. exists (TagTest k op vs). split; auto.
  destruct (text_eqb_spec k k); auto. contradiction.
Qed.

Lemma tags_assignment w e :
  exists f, In f (assignments (tag_keys w) (fun k => None :: map Some (texts_to_try (tag_values w k))) (fun _ => None)) /\
    forall k, In k (tag_keys w) -> match fact_tag e k, f k with
      | None, None => True
      | Some t, Some t' => forall o v, In v (tag_values w k) -> text_holds o v t = text_holds o v t'
      | _, _ => False end.
Proof.
  apply (assignment _ _ _ (fun k v => match fact_tag e k, v with
    | None, None => True
    | Some t, Some t' => forall o v, In v (tag_values w k) -> text_holds o v t = text_holds o v t'
    | _, _ => False end)).
  intros k _. destruct (fact_tag e k) as [t|].
  - destruct (text_to_try (tag_values w k) t) as (t' & I & H). exists (Some t'). split; auto. right. apply in_map. auto.
  - exists None. cbn. auto.
Qed.

Theorem tags_by_tags w q : given_tags q = None -> merge (map (decide w) (with_each_tags w q)) = decide w q.
Proof.
  intro N. apply merge_decides.
  - intro E. destruct (some_completion w q) as (e & _). destruct (tags_assignment w e) as (f & I & _).
    unfold with_each_tags in E. apply map_eq_nil in E. rewrite E in I. destruct I.
  - intros q' e I [CA CT CG]. apply in_map_iff in I as (f & <- & I). split; [|reflexivity]. split; auto. rewrite N. auto.
  - intros e [CA CT CG]. destruct (tags_assignment w e) as (f & I & H).
    set (tags := written_tags (tag_keys w) f).
    exists (with_tags q tags), {| fact_address := fact_address e; fact_tag := fun k => lookup k tags; fact_groups := fact_groups e;
      fact_outcome := fact_outcome e; fact_truth := fact_truth e |}.
    split; [apply (in_map (fun f => with_tags q (written_tags (tag_keys w) f))), I|]. split; [split; cbn; auto|].
    rewrite (alike_decision w q e {| fact_address := fact_address e; fact_tag := fun k => lookup k tags; fact_groups := fact_groups e;
      fact_outcome := fact_outcome e; fact_truth := fact_truth e |}); [reflexivity|].
    apply alike_tags. intros k Ik. cbn. unfold tags. rewrite (lookup_written _ _ _ Ik). apply H, Ik.
Qed.

(** Policies that may have a say, whatever the missing facts are. *)
Definition relevant (w : world) (q : question) : world :=
  {| policies := filter (fun p =>
       match applies3 w q p with
       | Some false => false
       | _ => match denies3 w q p, grants3 w q p with Some false, Some false => false | _, _ => true end
       end) (policies w);
     resource_groups := resource_groups w; partly_known := partly_known w; permissions_groups := permissions_groups w |}.

Lemma existsb_filter {A} (f g : A -> bool) l : (forall x, In x l -> g x = true -> f x = true) -> existsb g (filter f l) = existsb g l.
Proof.
  induction l as [|a l IH]; cbn; intro H; auto. destruct (f a) eqn:F; cbn; rewrite IH by auto; auto.
  destruct (g a) eqn:G; auto. rewrite (H a) in F; auto. discriminate.
Qed.

Lemma relevant_decides w q e : Completes w q e -> decision (relevant w q) q e = decision w q e.
Proof.
  intro C. unfold decision. destruct (is_root q); auto. cbn [policies relevant].
  assert (K : forall p (g : bool), applies w q e p = true -> denies w q e p || grants w q e p = true ->
    match applies3 w q p with
    | Some false => false
    | _ => match denies3 w q p, grants3 w q p with Some false, Some false => false | _, _ => true end
    end = true).
  { intros p _ A H. assert (HA := agrees_applies w q e C p). assert (HD := agrees_denies w q e p). assert (HG := agrees_grants w q e p).
    rewrite A in HA. destruct (applies3 w q p) as [[|]|]; cbn in HA; try discriminate;
      destruct (denies3 w q p) as [[|]|], (grants3 w q p) as [[|]|]; cbn in HD, HG; auto; rewrite <- HD, <- HG in H; discriminate. }
  change (applies (relevant w q) q e) with (applies w q e). change (denies (relevant w q) q e) with (denies w q e).
  change (grants (relevant w q) q e) with (grants w q e).
  rewrite !existsb_filter; auto; intros p _ H; apply andb_true_iff in H as [A G]; apply (K p true A); rewrite G; auto using orb_true_r.
Qed.

Lemma relevant_answer w q : decide (relevant w q) q = decide w q.
Proof.
  assert (R : forall e, Completes w q e <-> Completes (relevant w q) q e) by (intro e; split; intros [A T G]; split; auto).
  assert (D : forall e, Completes w q e -> (allows (relevant w q) q e <-> allows w q e))
    by (intros e C; unfold allows; rewrite (relevant_decides w q e C); tauto).
  destruct (decide w q) eqn:F.
  - apply allowed_exactly_in_every_completion. intros e C. apply R in C. apply D; auto.
    apply (proj1 (allowed_exactly_in_every_completion w q) F e C).
  - apply denied_exactly_in_every_completion. intros e C. apply R in C. rewrite (D e C).
    apply (proj1 (denied_exactly_in_every_completion w q) F e C).
  - apply unknown_exactly_when_two_completions_differ in F as (e & e' & C & C' & A & N).
    apply unknown_exactly_when_two_completions_differ. exists e, e'. rewrite (D e C), (D e' C'), <- !R. auto.
Qed.

(** Three-valued logic first; where it does not decide, of the policies that may have a say. *)
Definition quick (rest : world -> question -> answer) (w : world) (q : question) : answer :=
  match combine w q with Unknown => rest (relevant w q) q | known => known end.

Lemma quick_decides rest w q : (forall w q, rest w q = decide w q) -> quick rest w q = decide w q.
Proof.
  intro H. unfold quick. destruct (combine w q) eqn:E; try (symmetry; rewrite <- E; apply three_valued_logic_is_sound; congruence).
  rewrite H. apply relevant_answer.
Qed.

Definition try_tags (w : world) (q : question) : answer :=
  match given_tags q with Some _ => decide w q | None => merge (map (quick decide w) (with_each_tags w q)) end.

Definition try_addresses (w : world) (q : question) : answer :=
  match given_address q with Some _ => try_tags w q | None => merge (map (quick try_tags w) (with_each_address w q)) end.

Definition answer_of : world -> question -> answer := quick try_addresses.

Theorem answer_is_the_decision w q : answer_of w q = decide w q.
Proof.
  assert (T : forall w q, try_tags w q = decide w q).
  { intros w' q'. unfold try_tags. destruct (given_tags q') eqn:E; auto. rewrite <- (tags_by_tags w' q' E).
    f_equal. apply map_ext. intro. apply quick_decides. auto. }
  apply quick_decides. intros w' q'. unfold try_addresses. destruct (given_address q') eqn:E; auto.
  rewrite <- (address_by_address w' q' E). f_equal. apply map_ext. intro. apply quick_decides, T.
Qed.
