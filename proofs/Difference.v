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

  (** Some policy that applies says it, exactly when a statement says it of some member. *)
  Lemma said_spec entries_of left_out (h : permission_set -> bool) (hg : text -> bool) :
    (forall g s, lookup g (permissions_groups w) = Some s -> hg g = h s) ->
    (forall s, h s = existsb (fun a => matches a (action q)) (entries_of s) && negb (hits q (left_out s))) ->
    (existsb (fun p => applies w q e p && (h (own p) || existsb hg (named p))) (policies w) = true <->
     exists m, In m (members q) /\
       Some_region (flat_map (statements w entries_of left_out) (filter in_force (policies w))) [m; resource q; action q]).
  Proof.
    intros HG HS. rewrite existsb_exists. split.
    - intros (p & I & H). apply andb_true_iff in H as [A D]. apply (applies_spec p I) in A as [F (m & i & x & r & Im & Ii & M & Ix & Ir & R)].
      apply (sets_spec p h hg I HG) in D as (s & Is & D). rewrite HS in D. apply andb_true_iff in D as [D X]. apply negb_true_iff in X.
      apply existsb_exists in D as (a & Ia & Ma). exists m. split; auto. apply some_statement. exists p. repeat split; auto.
      apply statements_spec. exists i, x, r, s, a. repeat split; auto. apply matches_decides, Ma.
    - intros (m & Im & H). apply some_statement in H as (p & I & F & H). exists p. split; auto.
      apply statements_spec in H as (i & x & r & s & a & Ii & Mi & Ix & Ir & Mr & Is & Ia & Ma & X).
      apply andb_true_iff. split; [apply (applies_spec p I); split; eauto 12|].
      apply (sets_spec p h hg I HG). exists s. split; auto. rewrite HS, X. apply andb_true_iff. split; auto.
      apply existsb_exists. exists a. split; auto. apply matches_decides, Ma.
  Qed.

  (** The statements decide as the policies do: some member is granted it, and none is denied it. *)
  Theorem statements_decide_as_the_policies_do : allows w q e <->
    (exists m, In m (members q) /\ Some_region (Regions.grants (side_of w)) [m; resource q; action q]) /\
    ~ exists m, In m (members q) /\ Some_region (Regions.denies (side_of w)) [m; resource q; action q].
  Proof.
    unfold side_of. cbn [Regions.grants Regions.denies].
    rewrite <- (said_spec allow except (set_grants q) (group_grants w q e)), <- (said_spec deny (fun _ => []) (set_denies q) (group_denies w q e));
      try solve [intros g s L; unfold group_grants, group_denies; rewrite L; auto | intro s; unfold set_denies; rewrite andb_true_r; auto | auto].
    change (fun p => applies w q e p && (set_grants q (own p) || _)) with (fun p => applies w q e p && Policies.grants w q e p).
    change (fun p => applies w q e p && (set_denies q (own p) || _)) with (fun p => applies w q e p && Policies.denies w q e p).
    unfold allows, decision. rewrite not_root.
    destruct (existsb _ (policies w)); [split; [discriminate|intros [_ N]; destruct N; auto]|].
    destruct (existsb _ (policies w)); cbn; split; auto; try discriminate. intros [H _]. discriminate.
  Qed.
End Context.

(** ** All requests, whoever is a member of what *)

(** What a side decides for some members, a resource and an action. *)
Definition Allows (s : side) (ms : list text) (rest : request) : Prop :=
  (exists m, In m ms /\ Some_region (Regions.grants s) (m :: rest)) /\ ~ exists m, In m ms /\ Some_region (Regions.denies s) (m :: rest).

(** Regions of requests with one member, for the first or for the second member of a request with two. *)
Definition map_region (f : box -> box) (R : region) : region := {| whole := f (whole R); without := map f (without R) |}.
Definition first_of : region -> region := map_region (fun b => match b with p :: rest => p :: [Star] :: rest | [] => [] end).
Definition second_of : region -> region := map_region (fun b => match b with p :: rest => [Star] :: p :: rest | [] => [] end).

Lemma in_map_region f t r R : (forall b, In_box (f b) t <-> In_box b r) -> In_region (map_region f R) t <-> In_region R r.
Proof.
  intro H. unfold In_region, map_region. cbn [whole without]. rewrite H. split; intros [B N]; split; auto; intros (c & I & C); apply N.
  - exists (f c). split; [apply in_map, I|apply H, C].
  - apply in_map_iff in I as (b & <- & I). exists b. split; auto. apply H, C.
Qed.

Lemma some_map_region f t r Rs : (forall R, In_region (f R) t <-> In_region R r) -> Some_region (map f Rs) t <-> Some_region Rs r.
Proof.
  intro H. unfold Some_region. split.
  - intros (Q & I & HQ). apply in_map_iff in I as (R & <- & I). exists R. split; auto. apply H, HQ.
  - intros (R & I & HR). exists (f R). split; [apply in_map, I|apply H, HR].
Qed.

Lemma region_first m n rest R : In_region (first_of R) (m :: n :: rest) <-> In_region R (m :: rest).
Proof.
  apply in_map_region. intros [|p b]; [split; intro H; inversion H|]. split; intro H.
  - inversion H as [|? ? ? ? H1 H']; subst. inversion H'; subst. constructor; auto.
  - inversion H; subst. repeat constructor; auto. apply star_matches.
Qed.

Lemma region_second m n rest R : In_region (second_of R) (m :: n :: rest) <-> In_region R (n :: rest).
Proof.
  apply in_map_region. intros [|p b]; [split; intro H; inversion H|]. split; intro H.
  - inversion H as [|? ? ? ? H1 H']; subst. exact H'.
  - constructor; [apply star_matches|exact H].
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
  Proof. induction rest; cbn; constructor; auto using star_matches. Qed.

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

  (** What a side grants to one member while the other denies it to another one, who is no second user. *)
  Definition denied_by_another (a b : side) (parts : nat) : list piece :=
    let without := map first_of (Regions.denies a) ++ map second_of (Regions.denies a) ++ both_users parts in
    map (fun P => (P, without))
      (flat_map (fun G => flat_map (meet_region (first_of G)) (map second_of (Regions.denies b))) (Regions.grants a)).

  Lemma denied_by_another_spec a b m n rest :
    Some_piece (denied_by_another a b (length rest)) (m :: n :: rest) <->
    Some_region (Regions.grants a) (m :: rest) /\ Some_region (Regions.denies b) (n :: rest) /\
    ~ Some_region (Regions.denies a) (m :: rest) /\ ~ Some_region (Regions.denies a) (n :: rest) /\ ~ (user m /\ user n).
  Proof.
    assert (W : forall Ds, Some_region (map first_of Ds ++ map second_of Ds ++ both_users (length rest)) (m :: n :: rest) <->
        Some_region Ds (m :: rest) \/ Some_region Ds (n :: rest) \/ user m /\ user n).
    { intro Ds. rewrite !some_region_app, (some_map_region _ _ _ Ds (region_first m n rest)), (some_map_region _ _ _ Ds (region_second m n rest)), both_users_spec. tauto. }
    unfold denied_by_another. split.
    - intros (P & Qs & I & HP & N). apply in_map_iff in I as (P' & E & I). injection E as -> <-. rewrite W in N.
      apply in_flat_map in I as (G & IG & I). apply in_flat_map in I as (D & ID & I).
      destruct (proj1 (meet_region_spec (first_of G) D (m :: n :: rest))) as [HG HD]; [exists P; auto|].
      split; [exists G; split; auto; apply (region_first m n), HG|].
      split; [apply (some_map_region _ _ _ (Regions.denies b) (region_second m n rest)); exists D; auto|tauto].
    - intros ((G & IG & HG) & D & N). apply (some_map_region _ _ _ (Regions.denies b) (region_second m n rest)) in D as (D & ID & HD).
      apply (region_first m n) in HG. destruct (proj2 (meet_region_spec _ _ _) (conj HG HD)) as (P & IP & HP).
      eexists P, _. split; [apply in_map_iff; eexists; split; [reflexivity|]|split; [exact HP|rewrite W; tauto]].
      apply in_flat_map. exists G. split; auto. apply in_flat_map. eauto.
  Qed.

  Lemma allows_one s m rest : Allows s [m] rest <-> Allowed s (m :: rest).
  Proof.
    unfold Allows, Allowed. split.
    - intros [(n & [<-|[]] & G) N]. split; auto. intro D. apply N. exists m. cbn. auto.
    - intros [G N]. split; [exists m; cbn; auto|]. intros (n & [<-|[]] & D). auto.
  Qed.

  Lemma allows_dec s ms rest : Allows s ms rest \/ ~ Allows s ms rest.
  Proof.
    assert (D : forall Rs, {exists m, In m ms /\ Some_region Rs (m :: rest)} + {~ exists m, In m ms /\ Some_region Rs (m :: rest)}).
    { intro Rs. destruct (existsb (fun m => in_some Rs (m :: rest)) ms) eqn:E; [left|right].
      - apply existsb_exists in E as (m & I & H). exists m. split; auto. apply in_some_decides, H.
      - intros (m & I & H). rewrite <- not_true_iff_false in E. apply E, existsb_exists. exists m. split; auto. apply in_some_decides, H. }
    unfold Allows. destruct (D (Regions.grants s)), (D (Regions.denies s)); tauto.
  Qed.

  Definition Gains (a b : side) (ms : list text) (rest : request) : Prop :=
    One_user ms /\ Allows a ms rest /\ ~ Allows b ms rest.

  Lemma one_gains a b m rest : Some_piece (to_gain a b) (m :: rest) -> Gains a b [m] rest.
  Proof.
    intro H. apply to_gain_spec in H. unfold Gains. rewrite !allows_one. split; auto. intros x y [<-|[]] [<-|[]]; auto.
  Qed.

  Lemma two_gain a b m n rest : Some_piece (denied_by_another a b (length rest)) (m :: n :: rest) -> Gains a b [m; n] rest.
  Proof.
    intro H. apply denied_by_another_spec in H as (G & D & Nm & Nn & U). split; [|split; [split|]].
    - intros x y [<-|[<-|[]]] [<-|[<-|[]]] Ux Uy; auto; destruct U; auto.
    - exists m. cbn. auto.
    - intros (k & [<-|[<-|[]]] & X); auto.
    - intros [_ N]. apply N. exists n. cbn. auto.
  Qed.

  (** One member for the grant and at most one more for a deny are enough, whatever the groups of a user are. *)
  Theorem one_user_and_one_group_are_enough a b rest :
    (exists ms, Gains a b ms rest) <->
    (exists m, Some_piece (to_gain a b) (m :: rest)) \/
    (exists m n, Some_piece (denied_by_another a b (length rest)) (m :: n :: rest)).
  Proof.
    split.
    - intros (ms & U & [(m & Im & G) N] & NB).
      assert (ND : forall n, In n ms -> ~ Some_region (Regions.denies a) (n :: rest)) by (intros n In' D; apply N; eauto).
      destruct (allows_dec b [m] rest) as [B|B]; [|left; exists m; apply to_gain_spec; rewrite allows_one in B; split; auto; split; auto].
      right. exists m. apply allows_one in B as [GB DB].
      destruct (existsb (fun n => in_some (Regions.denies b) (n :: rest)) ms) eqn:E.
      + apply existsb_exists in E as (n & In' & D). apply in_some_decides in D. exists n. apply denied_by_another_spec.
        repeat split; auto. intros [Um Un]. rewrite (U m n Im In' Um Un) in DB. auto.
      + exfalso. apply NB. split; [eauto|]. intros (n & In' & D). rewrite <- not_true_iff_false in E. apply E, existsb_exists.
        exists n. split; auto. apply in_some_decides, D.
    - intros [(m & H)|(m & n & H)]; [exists [m]; apply one_gains, H|exists [m; n]; apply two_gain, H].
  Qed.

  (** The members, the resource and the action of the first request that only one side allows. *)
  Definition new_access_of_one_user (a b : side) : option (list text * request) :=
    match first_witness (Nat.eqb 3) (to_gain a b) with
    | Some (m :: rest) => Some ([m], rest)
    | _ => match first_witness (Nat.eqb 4) (denied_by_another a b 2) with Some (m :: n :: rest) => Some ([m; n], rest) | _ => None end
    end.

  Theorem new_access_of_one_user_sound a b ms rest : new_access_of_one_user a b = Some (ms, rest) -> Gains a b ms rest.
  Proof.
    unfold new_access_of_one_user. intro H. destruct (first_witness _ (to_gain a b)) as [[|m r]|] eqn:E.
    - apply first_witness_sound in E as [_ L]. discriminate.
    - injection H as <- <-. apply one_gains, (first_witness_sound _ _ _ E).
    - destruct (first_witness _ (denied_by_another a b 2)) as [[|m [|n r]]|] eqn:E2; try discriminate.
      injection H as <- <-. apply first_witness_sound in E2 as [E2 L]. apply Nat.eqb_eq in L. injection L as L.
      apply two_gain. rewrite <- L. exact E2.
  Qed.

  (** No new access: what the first side allows, the second one does, whoever asks, a member of whatever groups. *)
  Theorem no_new_access_of_one_user a b : new_access_of_one_user a b = None ->
    forall ms resource action, One_user ms -> Allows a ms [resource; action] -> Allows b ms [resource; action].
  Proof.
    unfold new_access_of_one_user. intros H ms r c U A. destruct (allows_dec b ms [r; c]) as [D|D]; auto. exfalso.
    destruct (proj1 (one_user_and_one_group_are_enough a b [r; c])) as [(m & N)|(m & n & N)]; [exists ms; split; auto| |].
    - apply (first_witness_complete (Nat.eqb 3)) in N; auto.
      destruct (first_witness _ (to_gain a b)) as [[|k s]|] eqn:E; try discriminate; [|contradiction].
      apply first_witness_sound in E as [_ L]. discriminate.
    - apply (first_witness_complete (Nat.eqb 4)) in N; auto. cbn [length] in N.
      destruct (first_witness _ (to_gain a b)) as [[|k s]|]; try discriminate;
        destruct (first_witness _ (denied_by_another a b 2)) as [[|k2 [|k3 r2]]|] eqn:E2; try discriminate; try contradiction;
        apply first_witness_sound in E2 as [_ L]; discriminate.
  Qed.
End Users.
