(** From policies to regions, and the difference of two worlds over all requests (docs/analysis.md, Statements, Who asks,
    Inclusion; src/symbolic): in one context, that is with the truth of every comparison given. *)

Require Import List Arith NArith Bool Lia.
Import ListNotations.
From Grantwise Require Import Glob Regions Policies Completions.

Section Context.
  (** What every comparison comes out as. *)
  Variable f : leaf -> bool.
  Variable at_ : N.

  Definition in_force (p : policy) : bool :=
    match expires p with Some last => (at_ <=? last)%N | None => true end && holds f (when p).

  (** The resources that an entry is about: a pattern, or the members of the groups that it names. *)
  Definition places (w : world) (x : entry) : list pattern :=
    match x with
    | Resource p => [p]
    | Group p => flat_map (fun g => if matches p (fst g) then map literal (snd g) else []) (resource_groups w)
    end.

  Definition sets (w : world) (p : policy) : list permission_set :=
    own p :: flat_map (fun g => match lookup g (permissions_groups w) with Some s => [s] | None => [] end) (named p).

  (** A statement for each identity, place and entry. *)
  Definition statements (w : world) (entries_of : permission_set -> list pattern) (left_out : permission_set -> list pattern) (p : policy) : list region :=
    flat_map (fun i => flat_map (fun x => flat_map (fun r => flat_map (fun s => map (fun a =>
      {| whole := [i; r; a]; without := map (fun n => [[Star]; [Star]; n]) (left_out s) |})
      (entries_of s)) (sets w p)) (places w x)) (resources p)) (identities p).

  Definition side_of (w : world) : side :=
    {| Regions.grants := flat_map (statements w allow except) (filter in_force (policies w));
       Regions.denies := flat_map (statements w deny (fun _ => [])) (filter in_force (policies w)) |}.

  (** Worlds whose groups are all described, and questions in this context. *)
  Variable w : world.
  Variable q : question.
  Variable e : facts.
  Hypothesis no_other_groups : fact_groups e = [].
  Hypothesis all_described : forall p g, In p (policies w) -> In g (named p) -> lookup g (permissions_groups w) <> None.
  Hypothesis in_context : forall p l, In p (policies w) -> In l (leaves (when p)) -> leaf_holds q e l = f l.
  Hypothesis same_instant : instant q = at_.
  Hypothesis not_root : is_root q = false.

  Lemma star_matches t : Matches [Star] t.
  Proof. replace t with (t ++ []) by apply app_nil_r. auto. Qed.

  Lemma in_three i r a m t c : In_box [i; r; a] [m; t; c] <-> Matches i m /\ Matches r t /\ Matches a c.
  Proof.
    split.
    - intro H. inversion H as [|? ? ? ? H1 H']; subst. inversion H' as [|? ? ? ? H2 H'']; subst. inversion H''; subst. auto.
    - intros (H1 & H2 & H3). repeat constructor; auto.
  Qed.

  Lemma places_spec x t : (exists r, In r (places w x) /\ Matches r t) <->
    match x with
    | Resource p => Matches p t
    | Group p => exists g, In g (resource_groups w) /\ Matches p (fst g) /\ In t (snd g)
    end.
  Proof.
    destruct x as [p|p]; cbn; split.
    - intros (r & [<-|[]] & H). auto.
    - intro H. exists p. auto.
    - intros (r & I & H). apply in_flat_map in I as (g & Ig & I). destruct (matches p (fst g)) eqn:M; [|destruct I].
      apply in_map_iff in I as (u & <- & I). apply matches_literal in H as ->. exists g. split; auto. split; auto. apply matches_decides, M.
    - intros (g & Ig & M & I). exists (literal t). split; [|apply matches_literal; auto].
      apply in_flat_map. exists g. split; auto. apply matches_decides in M. rewrite M. apply in_map, I.
  Qed.

  Lemma entry_places x : entry_holds w q e x = true <-> exists r, In r (places w x) /\ Matches r (resource q).
  Proof.
    rewrite places_spec. destruct x as [p|p]; cbn [entry_holds]; [apply matches_decides|].
    rewrite no_other_groups. cbn [existsb]. rewrite orb_false_r, existsb_exists. split; intros (g & I & H); exists g; split; auto.
    - apply andb_true_iff in H as [M I']. split; [apply matches_decides|apply mem_spec]; auto.
    - apply andb_true_iff. destruct H. split; [apply matches_decides|apply mem_spec]; auto.
  Qed.

  Lemma in_force_spec p : In p (policies w) ->
    (match expires p with Some last => (instant q <=? last)%N | None => true end) && holds (leaf_holds q e) (when p) = in_force p.
  Proof.
    intro I. unfold in_force. rewrite same_instant. f_equal. apply holds_ext. intros l L. eapply in_context; eauto.
  Qed.

  (** A policy applies by one of the members. *)
  Lemma applies_spec p : In p (policies w) ->
    (applies w q e p = true <-> in_force p = true /\
      exists m i x r, In m (members q) /\ In i (identities p) /\ Matches i m /\ In x (resources p) /\ In r (places w x) /\ Matches r (resource q)).
  Proof.
    intro I. rewrite <- (in_force_spec p I). unfold applies, about. rewrite !andb_true_iff. split.
    - intros [[[E A] R] H]. split; auto. apply existsb_exists in A as (i & Ii & A). apply existsb_exists in A as (m & Im & M).
      apply existsb_exists in R as (x & Ix & R). apply entry_places in R as (r & Ir & R).
      exists m, i, x, r. repeat split; auto. apply matches_decides, M.
    - intros [[E H] (m & i & x & r & Im & Ii & M & Ix & Ir & R)]. repeat split; auto.
      + apply existsb_exists. exists i. split; auto. apply existsb_exists. exists m. split; auto. apply matches_decides, M.
      + apply existsb_exists. exists x. split; auto. apply entry_places. eauto.
  Qed.

  Lemma sets_spec p (h : permission_set -> bool) (hg : text -> bool) : In p (policies w) ->
    (forall g s, lookup g (permissions_groups w) = Some s -> hg g = h s) ->
    (h (own p) || existsb hg (named p) = true <-> exists s, In s (sets w p) /\ h s = true).
  Proof.
    intros I H. unfold sets. rewrite orb_true_iff, existsb_exists. split.
    - intros [O|(g & Ig & O)]; [exists (own p); cbn; auto|].
      destruct (lookup g (permissions_groups w)) as [s|] eqn:L; [|destruct (all_described p g I Ig L)].
      exists s. rewrite <- (H g s L). split; auto. right. apply in_flat_map. exists g. rewrite L. cbn. auto.
    - intros (s & [<-|Is] & O); auto. right. apply in_flat_map in Is as (g & Ig & Is).
      destruct (lookup g (permissions_groups w)) as [s'|] eqn:L; [|destruct Is]. destruct Is as [<-|[]].
      exists g. split; auto. rewrite (H g s' L). auto.
  Qed.

  Lemma statements_spec entries_of left_out p m :
    Some_region (statements w entries_of left_out p) [m; resource q; action q] <->
    exists i x r s a, In i (identities p) /\ Matches i m /\ In x (resources p) /\ In r (places w x) /\ Matches r (resource q) /\
      In s (sets w p) /\ In a (entries_of s) /\ Matches a (action q) /\ hits q (left_out s) = false.
  Proof.
    unfold statements. split.
    - intros (R & I & H). apply in_flat_map in I as (i & Ii & I). apply in_flat_map in I as (x & Ix & I).
      apply in_flat_map in I as (r & Ir & I). apply in_flat_map in I as (s & Is & I). apply in_map_iff in I as (a & <- & Ia).
      destruct H as [B N]. cbn [whole without] in *. apply in_three in B as (Mi & Mr & Ma).
      exists i, x, r, s, a. repeat split; auto. apply not_true_iff_false. intro X. apply existsb_exists in X as (n & In' & Mn).
      apply N. exists [[Star]; [Star]; n]. split; [apply in_map_iff; eauto|]. apply in_three.
      repeat split; try apply star_matches. apply matches_decides, Mn.
    - intros (i & x & r & s & a & Ii & Mi & Ix & Ir & Mr & Is & Ia & Ma & X).
      exists {| whole := [i; r; a]; without := map (fun n => [[Star]; [Star]; n]) (left_out s) |}. split.
      + apply in_flat_map. exists i. split; auto. apply in_flat_map. exists x. split; auto. apply in_flat_map. exists r. split; auto.
        apply in_flat_map. exists s. split; auto. apply in_map_iff. eauto.
      + split; cbn [whole without]; [apply in_three; auto|]. intros (c & Ic & Hc). apply in_map_iff in Ic as (n & <- & In').
        apply in_three in Hc as (_ & _ & Mn). rewrite <- not_true_iff_false in X. apply X, existsb_exists. exists n. split; auto.
        apply matches_decides, Mn.
  Qed.

  Lemma some_statement entries_of left_out m :
    Some_region (flat_map (statements w entries_of left_out) (filter in_force (policies w))) [m; resource q; action q] <->
    exists p, In p (policies w) /\ in_force p = true /\ Some_region (statements w entries_of left_out p) [m; resource q; action q].
  Proof.
    rewrite some_region_flat_map. split.
    - intros (p & I & H). apply filter_In in I as [I F]. eauto.
    - intros (p & I & F & H). exists p. split; auto. apply filter_In. auto.
  Qed.

  Lemma denied_spec : existsb (fun p => applies w q e p && Policies.denies w q e p) (policies w) = true <->
    exists m, In m (members q) /\ Some_region (Regions.denies (side_of w)) [m; resource q; action q].
  Proof.
    unfold side_of. cbn [Regions.denies]. rewrite existsb_exists. split.
    - intros (p & I & H). apply andb_true_iff in H as [A D]. apply (applies_spec p I) in A as [F (m & i & x & r & Im & Ii & M & Ix & Ir & R)].
      apply (sets_spec p (set_denies q) (group_denies w q e) I) in D as (s & Is & D).
      + apply existsb_exists in D as (a & Ia & Ma). exists m. split; auto. apply some_statement. exists p. repeat split; auto.
        apply statements_spec. exists i, x, r, s, a. repeat split; auto. apply matches_decides, Ma.
      + intros g s L. unfold group_denies. rewrite L. auto.
    - intros (m & Im & H). apply some_statement in H as (p & I & F & H). exists p. split; auto.
      apply statements_spec in H as (i & x & r & s & a & Ii & Mi & Ix & Ir & Mr & Is & Ia & Ma & X).
      apply andb_true_iff. split; [apply (applies_spec p I); split; eauto 12|].
      apply (sets_spec p (set_denies q) (group_denies w q e) I).
      + intros g s' L. unfold group_denies. rewrite L. auto.
      + exists s. split; auto. apply existsb_exists. exists a. split; auto. apply matches_decides, Ma.
  Qed.

  Lemma granted_spec : existsb (fun p => applies w q e p && Policies.grants w q e p) (policies w) = true <->
    exists m, In m (members q) /\ Some_region (Regions.grants (side_of w)) [m; resource q; action q].
  Proof.
    unfold side_of. cbn [Regions.grants]. rewrite existsb_exists. split.
    - intros (p & I & H). apply andb_true_iff in H as [A D]. apply (applies_spec p I) in A as [F (m & i & x & r & Im & Ii & M & Ix & Ir & R)].
      apply (sets_spec p (set_grants q) (group_grants w q e) I) in D as (s & Is & D).
      + unfold set_grants in D. apply andb_true_iff in D as [D X]. apply negb_true_iff in X.
        apply existsb_exists in D as (a & Ia & Ma). exists m. split; auto. apply some_statement. exists p. repeat split; auto.
        apply statements_spec. exists i, x, r, s, a. repeat split; auto. apply matches_decides, Ma.
      + intros g s L. unfold group_grants. rewrite L. auto.
    - intros (m & Im & H). apply some_statement in H as (p & I & F & H). exists p. split; auto.
      apply statements_spec in H as (i & x & r & s & a & Ii & Mi & Ix & Ir & Mr & Is & Ia & Ma & X).
      apply andb_true_iff. split; [apply (applies_spec p I); split; eauto 12|].
      apply (sets_spec p (set_grants q) (group_grants w q e) I).
      + intros g s' L. unfold group_grants. rewrite L. auto.
      + exists s. split; auto. unfold set_grants. rewrite X. apply andb_true_iff. split; auto.
        apply existsb_exists. exists a. split; auto. apply matches_decides, Ma.
  Qed.

  (** The statements decide as the policies do: some member is granted it, and none is denied it. *)
  Theorem statements_decide_as_the_policies_do : allows w q e <->
    (exists m, In m (members q) /\ Some_region (Regions.grants (side_of w)) [m; resource q; action q]) /\
    ~ exists m, In m (members q) /\ Some_region (Regions.denies (side_of w)) [m; resource q; action q].
  Proof.
    rewrite <- granted_spec, <- denied_spec. unfold allows, decision. rewrite not_root.
    destruct (existsb _ (policies w)); [split; [discriminate|intros [_ N]; destruct N; auto]|].
    destruct (existsb _ (policies w)); cbn; split; auto; try discriminate. intros [H _]. discriminate.
  Qed.
End Context.

(** ** All requests, whoever is a member of what *)

(** What a side decides for some members, a resource and an action. *)
Definition Allows (s : side) (ms : list text) (rest : request) : Prop :=
  (exists m, In m ms /\ Some_region (Regions.grants s) (m :: rest)) /\ ~ exists m, In m ms /\ Some_region (Regions.denies s) (m :: rest).

(** A request with one member that is granted, and one more that is denied. *)
Definition first_of (R : region) : region :=
  {| whole := match whole R with p :: rest => p :: [Star] :: rest | [] => [] end;
     without := map (fun c => match c with p :: rest => p :: [Star] :: rest | [] => [] end) (without R) |}.
Definition second_of (R : region) : region :=
  {| whole := match whole R with p :: rest => [Star] :: p :: rest | [] => [] end;
     without := map (fun c => match c with p :: rest => [Star] :: p :: rest | [] => [] end) (without R) |}.

Lemma any t : Matches [Star] t.
Proof. replace t with (t ++ []) by apply app_nil_r. auto. Qed.

Lemma box_first b m n rest :
  In_box (match b with p :: r => p :: [Star] :: r | [] => [] end) (m :: n :: rest) <-> In_box b (m :: rest).
Proof.
  destruct b as [|p b]; [split; intro H; inversion H|]. split; intro H.
  - inversion H as [|? ? ? ? H1 H']; subst. inversion H'; subst. constructor; auto.
  - inversion H; subst. repeat constructor; auto. apply any.
Qed.

Lemma box_second b m n rest :
  In_box (match b with p :: r => [Star] :: p :: r | [] => [] end) (m :: n :: rest) <-> In_box b (n :: rest).
Proof.
  destruct b as [|p b]; [split; intro H; inversion H|]. split; intro H.
  - inversion H as [|? ? ? ? H1 H']; subst. exact H'.
  - inversion H; subst. constructor; [apply any|]. constructor; auto.
Qed.

Lemma region_first R m n rest : In_region (first_of R) (m :: n :: rest) <-> In_region R (m :: rest).
Proof.
  unfold In_region, first_of. cbn [whole without]. rewrite box_first. split; intros [B N]; split; auto; intros (c & I & H); apply N.
  - exists (match c with p :: r => p :: [Star] :: r | [] => [] end). split; [apply in_map_iff; eauto|]. apply box_first, H.
  - apply in_map_iff in I as (c' & <- & I). exists c'. split; auto. eapply box_first, H.
Qed.

Lemma region_second R m n rest : In_region (second_of R) (m :: n :: rest) <-> In_region R (n :: rest).
Proof.
  unfold In_region, second_of. cbn [whole without]. rewrite box_second. split; intros [B N]; split; auto; intros (c & I & H); apply N.
  - exists (match c with p :: r => [Star] :: p :: r | [] => [] end). split; [apply in_map_iff; eauto|]. apply box_second, H.
  - apply in_map_iff in I as (c' & <- & I). exists c'. split; auto. eapply box_second, H.
Qed.

Lemma some_first Rs m n rest : Some_region (map first_of Rs) (m :: n :: rest) <-> Some_region Rs (m :: rest).
Proof.
  unfold Some_region. split.
  - intros (R & I & H). apply in_map_iff in I as (Q & <- & I). apply region_first in H. eauto.
  - intros (R & I & H). exists (first_of R). split; [apply in_map, I|]. apply region_first, H.
Qed.

Lemma some_second Rs m n rest : Some_region (map second_of Rs) (m :: n :: rest) <-> Some_region Rs (n :: rest).
Proof.
  unfold Some_region. split.
  - intros (R & I & H). apply in_map_iff in I as (Q & <- & I). apply region_second in H. eauto.
  - intros (R & I & H). exists (second_of R). split; [apply in_map, I|]. apply region_second, H.
Qed.

(** All new access: by a member that the second side does not grant it to, or by two of which the second side denies one. *)
Definition by_one (a b : side) : list region := minus_all (minus_all (Regions.grants a) (Regions.denies a)) (Regions.grants b).
Definition by_two (a b : side) : list region :=
  flat_map (fun R => flat_map (fun D => meet_region R D) (map second_of (Regions.denies b)))
    (minus_all (map first_of (Regions.grants a)) (map first_of (Regions.denies a) ++ map second_of (Regions.denies a))).

Lemma list_granted Rs ms rest :
  existsb (fun m => in_some Rs (m :: rest)) ms = true <-> exists m, In m ms /\ Some_region Rs (m :: rest).
Proof.
  rewrite existsb_exists. split; intros (m & I & H); exists m; split; auto; apply in_some_decides; auto.
Qed.

Lemma by_one_spec a b m rest : Some_region (by_one a b) (m :: rest) -> Allows a [m] rest /\ ~ Allows b [m] rest.
Proof.
  unfold by_one. rewrite !minus_all_spec. intros [[G D] NG]. split; [split|].
  - exists m. cbn. auto.
  - intros (n & [<-|[]] & X). auto.
  - intros [(n & [<-|[]] & X) _]. auto.
Qed.

Lemma by_two_spec a b m n rest : Some_region (by_two a b) (m :: n :: rest) -> Allows a [m; n] rest /\ ~ Allows b [m; n] rest.
Proof.
  unfold by_two. intro H.
  apply some_region_flat_map in H as (R & IR & H). apply some_region_flat_map in H as (Q & IQ & H).
  apply meet_region_spec in H as [HR HQ].
  assert (O : Some_region (minus_all (map first_of (Regions.grants a)) (map first_of (Regions.denies a) ++ map second_of (Regions.denies a)))
    (m :: n :: rest)) by (exists R; auto).
  apply minus_all_spec in O. rewrite some_first, some_region_app, some_first, some_second in O. destruct O as [G ND].
  assert (D : Some_region (Regions.denies b) (n :: rest)) by (apply (some_second _ m n rest); exists Q; auto).
  split; [split|].
  - exists m. cbn. auto.
  - intros (k & [<-|[<-|[]]] & X); auto.
  - intros [_ N]. apply N. exists n. cbn. auto.
Qed.

(** One member for the grant and at most one more for a deny are enough, whatever the groups of an identity are. *)
Theorem two_members_are_enough a b rest :
  (exists ms, Allows a ms rest /\ ~ Allows b ms rest) <->
  (exists m, Some_region (by_one a b) (m :: rest)) \/ (exists m n, Some_region (by_two a b) (m :: n :: rest)).
Proof.
  split.
  - unfold by_one, by_two. intros (ms & [(m & Im & G) N] & NB).
    assert (ND : forall n, In n ms -> ~ Some_region (Regions.denies a) (n :: rest)) by (intros n In' D; apply N; eauto).
    destruct (in_dec (fun x y : bool => bool_dec x y) true (map (fun n => in_some (Regions.denies b) (n :: rest)) ms)) as [I|NI].
    + right. apply in_map_iff in I as (n & D & In'). apply in_some_decides in D. exists m, n.
      assert (O : Some_region (minus_all (map first_of (Regions.grants a)) (map first_of (Regions.denies a) ++ map second_of (Regions.denies a)))
        (m :: n :: rest)).
      { apply minus_all_spec. rewrite some_first, some_region_app, some_first, some_second. split; auto.
        intros [X|X]; [exact (ND m Im X)|exact (ND n In' X)]. }
      destruct O as (R & IR & HR). apply some_region_flat_map. exists R. split; auto. apply some_region_flat_map.
      apply (some_second (Regions.denies b) m n rest) in D as (Q & IQ & HQ). exists Q. split; auto. apply meet_region_spec. auto.
    + left. exists m. rewrite !minus_all_spec. repeat split; auto. intro GB. apply NB. split; [eauto|].
      intros (n & In' & D). apply NI, in_map_iff. exists n. split; auto. apply in_some_decides, D.
  - intros [(m & H)|(m & n & H)]; [apply by_one_spec in H|apply by_two_spec in H]; eauto.
Qed.

(** The first witness that has at least so many parts: members, then resource and action. *)
Fixpoint first_with (parts : nat) (Rs : list region) : option request :=
  match Rs with
  | [] => None
  | R :: Rs' =>
      match witness R with
      | Some r => if parts <=? length r then Some r else first_with parts Rs'
      | None => first_with parts Rs'
      end
  end.

Lemma first_with_sound k Rs r : first_with k Rs = Some r -> Some_region Rs r /\ k <= length r.
Proof.
  induction Rs as [|R Rs IH]; cbn; [discriminate|]. destruct (witness R) as [v|] eqn:E; [destruct (k <=? length v) eqn:L|]; intro H.
  - injection H as ->. split; [exists R; split; [left|apply witness_sound]; auto | apply Nat.leb_le, L].
  - destruct (IH H) as [(Q & I & HQ) L']. split; auto. exists Q. split; [right|]; auto.
  - destruct (IH H) as [(Q & I & HQ) L']. split; auto. exists Q. split; [right|]; auto.
Qed.

Lemma in_box_length b r : In_box b r -> length b = length r.
Proof. intro H. induction H; cbn; auto. Qed.

Lemma first_with_complete k Rs r : Some_region Rs r -> k <= length r -> first_with k Rs <> None.
Proof.
  induction Rs as [|R Rs IH]; cbn; intros (Q & I & HQ) L; [destruct I|].
  destruct (witness R) as [v|] eqn:E; [destruct (k <=? length v) eqn:V; [discriminate|]|]; (destruct I as [<-|I]; [|apply IH; [exists Q|]; auto]).
  - exfalso. apply Nat.leb_gt in V. apply witness_sound in E as [B _]. destruct HQ as [B' _].
    apply in_box_length in B, B'. lia.
  - exfalso. exact (witness_complete R E r HQ).
Qed.

(** Who gains what: the members, the resource and the action of one request that the first side allows only. *)
Definition new_access (a b : side) : option (list text * request) :=
  match first_with 1 (by_one a b) with
  | Some (m :: rest) => Some ([m], rest)
  | _ => match first_with 2 (by_two a b) with Some (m :: n :: rest) => Some ([m; n], rest) | _ => None end
  end.

Theorem new_access_sound a b ms rest : new_access a b = Some (ms, rest) -> Allows a ms rest /\ ~ Allows b ms rest.
Proof.
  unfold new_access. intro H.
  destruct (first_with 1 (by_one a b)) as [[|m r]|] eqn:E.
  - apply first_with_sound in E as [_ L]. cbn in L. lia.
  - injection H as <- <-. apply by_one_spec, (first_with_sound _ _ _ E).
  - destruct (first_with 2 (by_two a b)) as [[|m [|n r]]|] eqn:E2; try discriminate.
    injection H as <- <-. apply by_two_spec, (first_with_sound _ _ _ E2).
Qed.

(** No new access: whoever asks for what, being a member of whatever, what the first side allows, the second one does. *)
Theorem new_access_complete a b : new_access a b = None -> forall ms rest, Allows a ms rest -> Allows b ms rest.
Proof.
  unfold new_access. intros H ms rest A.
  assert (D : Allows b ms rest \/ ~ Allows b ms rest).
  { unfold Allows. rewrite <- (list_granted (Regions.grants b) ms rest), <- (list_granted (Regions.denies b) ms rest).
    destruct (existsb _ ms), (existsb _ ms); intuition discriminate. }
  destruct D as [D|D]; auto. exfalso.
  destruct (proj1 (two_members_are_enough a b rest)) as [(m & N)|(m & n & N)]; [eauto| |].
  - apply first_with_complete with (k := 1) in N; [|cbn; lia].
    destruct (first_with 1 (by_one a b)) as [[|k r]|] eqn:E; try discriminate; [|contradiction].
    apply first_with_sound in E as [_ L]. cbn in L. lia.
  - apply first_with_complete with (k := 2) in N; [|cbn; lia].
    destruct (first_with 1 (by_one a b)) as [[|k r]|] eqn:E; try discriminate;
      destruct (first_with 2 (by_two a b)) as [[|k2 [|k3 r2]]|] eqn:E2; try discriminate; try contradiction;
      apply first_with_sound in E2 as [_ L]; cbn in L; lia.
Qed.

(** ** At most one user *)

Section Users.
  (** Patterns of the identities of which a request has at most one; all others are groups. *)
  Variable users : list pattern.

  Definition user (m : text) : Prop := exists u, In u users /\ Matches u m.
  Definition One_user (ms : list text) : Prop := forall m n, In m ms -> In n ms -> user m -> user n -> m = n.

  (** Two members that are both users, in requests with so many further parts. *)
  Definition both_users (parts : nat) : list region :=
    flat_map (fun u => map (fun v => {| whole := u :: v :: repeat [Star] parts; without := [] |}) users) users.

  Lemma stars rest : In_box (repeat [Star] (length rest)) rest.
  Proof. induction rest; cbn; constructor; auto using any. Qed.

  Lemma both_users_spec m n rest : Some_region (both_users (length rest)) (m :: n :: rest) <-> user m /\ user n.
  Proof.
    unfold both_users. split.
    - intros (R & I & H). apply in_flat_map in I as (u & Iu & I). apply in_map_iff in I as (v & <- & Iv).
      destruct H as [B _]. cbn in B. inversion B as [|? ? ? ? Hu B']; subst. inversion B' as [|? ? ? ? Hv _]; subst.
      split; eexists; eauto.
    - intros [(u & Iu & Hu) (v & Iv & Hv)]. exists {| whole := u :: v :: repeat [Star] (length rest); without := [] |}. split.
      + apply in_flat_map. exists u. split; auto. apply in_map_iff. eauto.
      + split; [|intros (c & [] & _)]. constructor; [exact Hu|]. constructor; [exact Hv|apply stars].
  Qed.

  Lemma user_dec m : user m \/ ~ user m.
  Proof.
    destruct (existsb (fun u => matches u m) users) eqn:E.
    - left. apply existsb_exists in E as (u & I & M). exists u. split; auto. apply matches_decides, M.
    - right. intros (u & I & M). rewrite <- not_true_iff_false in E. apply E, existsb_exists. exists u. split; auto. apply matches_decides, M.
  Qed.

  (** All new access to requests of one user at most, with any groups. *)
  Theorem one_user_and_one_group_are_enough a b rest :
    (exists ms, One_user ms /\ Allows a ms rest /\ ~ Allows b ms rest) <->
    (exists m, Some_region (gained a b) (m :: rest)) \/
    (exists m n, Some_region (minus_all (by_two a b) (both_users (length rest))) (m :: n :: rest)).
  Proof.
    split.
    - intros (ms & U & [(m & Im & G) N] & NB).
      assert (ND : forall n, In n ms -> ~ Some_region (Regions.denies a) (n :: rest)) by (intros n In' D; apply N; eauto).
      destruct (in_dec (fun x y : bool => bool_dec x y) true (map (fun n => in_some (Regions.denies b) (n :: rest)) ms)) as [I|NI].
      + apply in_map_iff in I as (n & D & In'). apply in_some_decides in D.
        assert (H : user m /\ user n \/ ~ (user m /\ user n)) by (destruct (user_dec m), (user_dec n); tauto).
        destruct H as [[Um Un]|H].
        * left. exists m. rewrite <- (U m n Im In' Um Un) in D. apply gained_spec. split; [split; auto|]. intros [_ X]. auto.
        * right. exists m, n. apply minus_all_spec. rewrite both_users_spec. split; auto.
          assert (O : Some_region (minus_all (map first_of (Regions.grants a)) (map first_of (Regions.denies a) ++ map second_of (Regions.denies a)))
            (m :: n :: rest)).
          { apply minus_all_spec. rewrite some_first, some_region_app, some_first, some_second. split; auto.
            intros [X|X]; [exact (ND m Im X)|exact (ND n In' X)]. }
          destruct O as (R & IR & HR). apply some_region_flat_map. exists R. split; auto. apply some_region_flat_map.
          apply (some_second (Regions.denies b) m n rest) in D as (Q & IQ & HQ). exists Q. split; auto. apply meet_region_spec. auto.
      + left. exists m. apply gained_spec. split; [split; auto|]. intros [GB _]. apply NB. split; [eauto|].
        intros (n & In' & D). apply NI, in_map_iff. exists n. split; auto. apply in_some_decides, D.
    - intros [(m & H)|(m & n & H)].
      + apply gained_spec in H as [[G ND] NB]. exists [m]. split; [intros x y [<-|[]] [<-|[]]; auto|]. split; [split|].
        * exists m. cbn. auto.
        * intros (n & [<-|[]] & X). auto.
        * intros [(n & [<-|[]] & X) D]. apply NB. split; auto. intro Y. apply D. exists m. cbn. auto.
      + apply minus_all_spec in H as [H U]. rewrite both_users_spec in U. exists [m; n]. split.
        * intros x y [<-|[<-|[]]] [<-|[<-|[]]] Ux Uy; auto; destruct U; auto.
        * apply by_two_spec, H.
  Qed.

  (** The members, the resource and the action of the first request that only one side allows; the request has two parts. *)
  Definition new_access_of_one_user (a b : side) : option (list text * request) :=
    match first_with 1 (gained a b) with
    | Some (m :: rest) => Some ([m], rest)
    | _ => match first_with 2 (minus_all (by_two a b) (both_users 2)) with Some (m :: n :: rest) => Some ([m; n], rest) | _ => None end
    end.

  Theorem no_new_access_of_one_user a b : new_access_of_one_user a b = None ->
    forall ms resource action, One_user ms -> Allows a ms [resource; action] -> Allows b ms [resource; action].
  Proof.
    unfold new_access_of_one_user. intros H ms r c U A.
    assert (D : Allows b ms [r; c] \/ ~ Allows b ms [r; c]).
    { unfold Allows. rewrite <- (list_granted (Regions.grants b) ms [r; c]), <- (list_granted (Regions.denies b) ms [r; c]).
      destruct (existsb _ ms), (existsb _ ms); intuition discriminate. }
    destruct D as [D|D]; auto. exfalso.
    destruct (proj1 (one_user_and_one_group_are_enough a b [r; c])) as [(m & N)|(m & n & N)]; [eauto| |].
    - apply first_with_complete with (k := 1) in N; [|cbn; lia].
      destruct (first_with 1 (gained a b)) as [[|k s]|] eqn:E; try discriminate; [|contradiction].
      apply first_with_sound in E as [_ L]. cbn in L. lia.
    - apply first_with_complete with (k := 2) in N; [|cbn; lia]. cbn [length] in N.
      destruct (first_with 1 (gained a b)) as [[|k s]|] eqn:E; try discriminate;
        destruct (first_with 2 (minus_all (by_two a b) (both_users 2))) as [[|k2 [|k3 r2]]|] eqn:E2; try discriminate; try contradiction;
        apply first_with_sound in E2 as [_ L]; cbn in L; lia.
  Qed.
End Users.
