(** Boxes, regions and the difference of two sides (docs/analysis.md, Boxes, Inclusion, New access; src/symbolic). *)

Require Import List Arith Bool Lia.
Import ListNotations.
From Grantwise Require Import Glob.

(** A request as a list of texts, such as identity, action and resource; a box is a product of patterns for them. *)
Definition request := list text.
Definition box := list pattern.

Definition In_box (b : box) (r : request) : Prop := Forall2 Matches b r.

Fixpoint in_box (b : box) (r : request) : bool :=
  match b, r with
  | [], [] => true
  | p :: b', t :: r' => matches p t && in_box b' r'
  | _, _ => false
  end.

Lemma in_box_decides b r : in_box b r = true <-> In_box b r.
Proof.
  revert r. induction b as [|p b IH]; intros [|t r]; cbn; split; intro H; try discriminate; try solve [inversion H].
  - constructor.
  - reflexivity.
  - apply andb_true_iff in H as [H1 H2]. constructor; [apply matches_decides|apply IH]; auto.
  - inversion H; subst. apply andb_true_iff. split; [apply matches_decides|apply IH]; auto.
Qed.

(** ** The lemma of the fresh letter for boxes *)

Definition point (x : letter) (b : box) : request := map (fill x) b.
Definition box_letters (b : box) : list letter := flat_map letters b.
Definition box_fresh (x : letter) (b : box) : Prop := forall p, In p b -> fresh x p.

Lemma point_in_box x b : In_box b (point x b).
Proof.
  induction b; cbn; constructor; auto. apply matches_fill.
Qed.

Lemma box_covers x c b r : In_box c (point x b) -> box_fresh x c -> In_box b r -> In_box c r.
Proof.
  intros H F M. revert c H F. induction M as [|p t b r M Ms IH]; cbn; intros c H F.
  - exact H.
  - inversion H as [|q ? c' ? Hq Hc]; subst. constructor.
    + eapply fresh_covers; eauto. apply F. left. auto.
    + apply IH; auto. intros q' I. apply F. right. auto.
Qed.

(** Several boxes cover a box exactly when one of them holds its point. *)
Theorem fresh_letter_of_boxes x b cs :
  (forall c, In c cs -> box_fresh x c) ->
  (forall r, In_box b r -> exists c, In c cs /\ In_box c r) <-> (exists c, In c cs /\ In_box c (point x b)).
Proof.
  intro F. apply covered_at_a_point; [apply point_in_box|]. intros c r I H. apply (box_covers x c b r H), F, I.
Qed.

Lemma above_box_fresh l c : incl (box_letters c) l -> box_fresh (above l) c.
Proof.
  intros I p H. apply above_fresh. intros a A. apply I, in_flat_map. eauto.
Qed.

(** ** What two boxes have in common *)

Fixpoint meet_box (b c : box) : list box :=
  match b, c with
  | [], [] => [[]]
  | p :: b', q :: c' => flat_map (fun m => map (cons m) (meet_box b' c')) (common p q)
  | _, _ => []
  end.

Lemma meet_box_spec b c r : (exists m, In m (meet_box b c) /\ In_box m r) <-> In_box b r /\ In_box c r.
Proof.
  revert c r. induction b as [|p b IH]; intros [|q c] r; cbn.
  - split; [intros (m & [<-|[]] & H); auto | intros [H _]; exists []; auto].
  - split; [intros (m & [] & _) | intros [H1 H2]; inversion H1; subst; inversion H2].
  - split; [intros (m & [] & _) | intros [H1 H2]; inversion H2; subst; inversion H1].
  - split.
    + intros (m & I & H). apply in_flat_map in I as (k & Ik & I). apply in_map_iff in I as (n & <- & In').
      inversion H as [|? t ? r' Hk Hn]; subst.
      assert (P : Matches p t /\ Matches q t) by (apply common_spec; exists k; auto).
      assert (B : In_box b r' /\ In_box c r') by (apply IH; exists n; auto).
      destruct P, B. split; constructor; auto.
    + intros [H1 H2]. inversion H1 as [|? t ? r' P B]; subst. inversion H2 as [|? ? ? ? Q C]; subst.
      destruct (proj2 (common_spec p q t) (conj P Q)) as (k & Ik & Hk).
      destruct (proj2 (IH c r') (conj B C)) as (n & In' & Hn).
      exists (k :: n). split; [|constructor; auto]. apply in_flat_map. exists k. split; auto. apply in_map. auto.
Qed.

(** ** Regions: a box without some boxes *)

Record region := { whole : box; without : list box }.

Definition In_region (R : region) (r : request) : Prop :=
  In_box (whole R) r /\ ~ exists c, In c (without R) /\ In_box c r.

Definition in_region (R : region) (r : request) : bool :=
  in_box (whole R) r && negb (existsb (fun c => in_box c r) (without R)).

Lemma existsb_in_box cs r : existsb (fun c => in_box c r) cs = true <-> exists c, In c cs /\ In_box c r.
Proof.
  rewrite existsb_exists. split; intros (c & I & H); exists c; split; auto; apply in_box_decides; auto.
Qed.

Lemma in_region_decides R r : in_region R r = true <-> In_region R r.
Proof.
  unfold in_region, In_region. rewrite andb_true_iff, negb_true_iff, in_box_decides, <- existsb_in_box.
  rewrite <- not_true_iff_false. tauto.
Qed.

Definition Some_region (Rs : list region) (r : request) : Prop := exists R, In R Rs /\ In_region R r.

Definition in_some (Rs : list region) (r : request) : bool := existsb (fun R => in_region R r) Rs.

Lemma in_some_decides Rs r : in_some Rs r = true <-> Some_region Rs r.
Proof.
  unfold in_some, Some_region. rewrite existsb_exists.
  split; intros (R & I & H); exists R; split; auto; apply in_region_decides; auto.
Qed.

Lemma some_region_app Rs Qs r : Some_region (Rs ++ Qs) r <-> Some_region Rs r \/ Some_region Qs r.
Proof.
  unfold Some_region. split.
  - intros (R & I & H). apply in_app_iff in I as [I|I]; eauto.
  - intros [(R & I & H)|(R & I & H)]; exists R; rewrite in_app_iff; auto.
Qed.

Lemma some_region_flat_map {A} (f : A -> list region) l r :
  Some_region (flat_map f l) r <-> exists a, In a l /\ Some_region (f a) r.
Proof.
  unfold Some_region. split.
  - intros (R & I & H). apply in_flat_map in I as (a & Ia & I). eauto.
  - intros (a & Ia & R & I & H). exists R. split; auto. apply in_flat_map. eauto.
Qed.

(** One request of a region: its point, if nothing that is left out covers it. *)
Definition witness (R : region) : option request :=
  let x := above (flat_map box_letters (without R)) in
  let r := point x (whole R) in
  if existsb (fun c => in_box c r) (without R) then None else Some r.

Lemma witness_fresh R c : In c (without R) -> box_fresh (above (flat_map box_letters (without R))) c.
Proof.
  intro I. apply above_box_fresh. intros a A. apply in_flat_map. eauto.
Qed.

(* covers: M33 *)
Theorem witness_sound R r : witness R = Some r -> In_region R r.
Proof.
  unfold witness. destruct existsb eqn:E; intro H; [discriminate|]. injection H as <-. split.
  - apply point_in_box.
  - rewrite <- existsb_in_box, E. discriminate.
Qed.

Theorem witness_complete R : witness R = None -> forall r, ~ In_region R r.
Proof.
  unfold witness. destruct existsb eqn:E; intro H; [|discriminate]. intros r [B N]. apply N.
  apply existsb_in_box in E. refine (proj2 (fresh_letter_of_boxes _ _ _ _) E r B). apply witness_fresh.
Qed.

(** *** Splitting *)

(** What two regions have in common. *)
Definition meet_region (R Q : region) : list region :=
  map (fun m => {| whole := m; without := without R ++ without Q |}) (meet_box (whole R) (whole Q)).

Theorem meet_region_spec R Q r : Some_region (meet_region R Q) r <-> In_region R r /\ In_region Q r.
Proof.
  unfold Some_region, meet_region, In_region. split.
  - intros (P & I & H & N). apply in_map_iff in I as (m & <- & I). cbn in *.
    assert (B : In_box (whole R) r /\ In_box (whole Q) r) by (apply meet_box_spec; eauto).
    destruct B. repeat split; auto; intros (c & Ic & Hc); apply N; exists c; rewrite in_app_iff; auto.
  - intros [[BR NR] [BQ NQ]]. destruct (proj2 (meet_box_spec _ _ _) (conj BR BQ)) as (m & I & H).
    exists {| whole := m; without := without R ++ without Q |}. split; [apply in_map_iff; eauto|]. split; auto.
    cbn. intros (c & Ic & Hc). apply in_app_iff in Ic as [Ic|Ic]; eauto.
Qed.

(** A region without another one: outside of its box, or in one of the boxes that it leaves out. *)
Definition cut (R Q : region) : list region :=
  {| whole := whole R; without := whole Q :: without R |}
    :: flat_map (fun c => map (fun m => {| whole := m; without := without R |}) (meet_box (whole R) c)) (without Q).

Lemma cut_spec R Q r : Some_region (cut R Q) r <-> In_region R r /\ ~ In_region Q r.
Proof.
  unfold cut. split.
  - intros (P & I & H & N). destruct I as [<-|I]; cbn in *.
    + split; [split; auto|].
      * intros (c & Ic & Hc). apply N. eauto.
      * intros [B _]. apply N. eauto.
    + apply in_flat_map in I as (c & Ic & I). apply in_map_iff in I as (m & <- & I). cbn in *.
      assert (B : In_box (whole R) r /\ In_box c r) by (apply meet_box_spec; eauto).
      destruct B. repeat split; auto. intros [_ M]. apply M. eauto.
  - intros [[B N] M]. destruct (in_box (whole Q) r) eqn:E.
    + apply in_box_decides in E.
      assert (X : exists c, In c (without Q) /\ In_box c r).
      { apply existsb_in_box. destruct existsb eqn:F; auto. destruct M. split; auto.
        rewrite <- existsb_in_box, F. discriminate. }
      destruct X as (c & Ic & Hc). destruct (proj2 (meet_box_spec _ _ _) (conj B Hc)) as (m & I & H).
      exists {| whole := m; without := without R |}. split; [|split; auto].
      right. apply in_flat_map. exists c. split; auto. apply in_map_iff. eauto.
    + exists {| whole := whole R; without := whole Q :: without R |}. split; [left; auto|]. split; auto.
      cbn. intros (c & [<-|Ic] & Hc); [apply in_box_decides in Hc; congruence | eauto].
Qed.

(** What is empty goes, and a region that another one does not meet stays as it is. *)
Definition nonempty (R : region) : bool := match witness R with Some _ => true | None => false end.

Definition minus (R Q : region) : list region :=
  match meet_box (whole R) (whole Q) with [] => [R] | _ => filter nonempty (cut R Q) end.

Lemma some_nonempty Rs r : Some_region (filter nonempty Rs) r <-> Some_region Rs r.
Proof.
  unfold Some_region. split; intros (R & I & H); exists R; split; auto.
  - apply filter_In in I. tauto.
  - apply filter_In. split; auto. unfold nonempty. destruct (witness R) eqn:E; auto. destruct (witness_complete R E r H).
Qed.

Theorem minus_spec R Q r : Some_region (minus R Q) r <-> In_region R r /\ ~ In_region Q r.
Proof.
  unfold minus. destruct (meet_box (whole R) (whole Q)) as [|m ms] eqn:E.
  - split.
    + intros (P & [<-|[]] & H). split; auto. intros [BQ _]. destruct H as [BR _].
      destruct (proj2 (meet_box_spec _ _ _) (conj BR BQ)) as (k & I & _). rewrite E in I. destruct I.
    + intros [H _]. exists R. cbn. auto.
  - rewrite some_nonempty. apply cut_spec.
Qed.

(** Some regions without some others. *)
Fixpoint minus_all (Rs Qs : list region) : list region :=
  match Qs with
  | [] => Rs
  | Q :: Qs' => minus_all (flat_map (fun R => minus R Q) Rs) Qs'
  end.

Theorem minus_all_spec Rs Qs r : Some_region (minus_all Rs Qs) r <-> Some_region Rs r /\ ~ Some_region Qs r.
Proof.
  revert Rs. induction Qs as [|Q Qs IH]; intro Rs; cbn.
  - split; [intro H; split; auto; intros (Q & [] & _) | tauto].
  - rewrite IH, some_region_flat_map. split.
    + intros [(R & I & H) N]. apply minus_spec in H as [H1 H2]. split; [exists R; auto|].
      intros (P & [<-|IP] & HP); auto. apply N. exists P. auto.
    + intros [(R & I & H) N]. split.
      * exists R. split; auto. apply minus_spec. split; auto. intro HQ. apply N. exists Q. cbn. auto.
      * intros (P & IP & HP). apply N. exists P. cbn. auto.
Qed.

(** ** Two sides *)

(** What policies grant and what they deny, in one context. *)
Record side := { grants : list region; denies : list region }.

Definition Allowed (s : side) (r : request) : Prop := Some_region (grants s) r /\ ~ Some_region (denies s) r.

Definition allowed (s : side) (r : request) : bool := in_some (grants s) r && negb (in_some (denies s) r).

Lemma allowed_decides s r : allowed s r = true <-> Allowed s r.
Proof.
  unfold allowed, Allowed. rewrite andb_true_iff, negb_true_iff, in_some_decides, <- (in_some_decides (denies s)).
  rewrite <- not_true_iff_false. tauto.
Qed.

(** Everything that one side allows and the other does not: what the other denies of it, and what it does not grant. *)
Definition gained (a b : side) : list region :=
  let own := minus_all (grants a) (denies a) in
  flat_map (fun R => flat_map (meet_region R) (denies b)) own ++ minus_all own (grants b).

(** Splitting is sound and complete: a request is in a region exactly when the sides differ in it. *)
Theorem gained_spec a b r : Some_region (gained a b) r <-> Allowed a r /\ ~ Allowed b r.
Proof.
  unfold gained, Allowed. rewrite some_region_app, some_region_flat_map, minus_all_spec. split.
  - intros [(R & I & H)|[H N]].
    + apply some_region_flat_map in H as (D & ID & H). apply meet_region_spec in H as [HR HD].
      assert (O : Some_region (minus_all (grants a) (denies a)) r) by (exists R; auto).
      apply minus_all_spec in O as [G ND]. repeat split; auto. intros [_ N]. apply N. exists D. auto.
    + apply minus_all_spec in H as [G ND]. repeat split; auto. intros [GB _]. auto.
  - intros [[G ND] N].
    assert (O : Some_region (minus_all (grants a) (denies a)) r) by (apply minus_all_spec; auto).
    destruct (in_some (denies b) r) eqn:E.
    + left. apply in_some_decides in E as (D & ID & HD). destruct O as (R & I & H). exists R. split; auto.
      apply some_region_flat_map. exists D. split; auto. apply meet_region_spec. auto.
    + right. split; auto. intro GB. apply N. split; auto. rewrite <- in_some_decides, E. discriminate.
Qed.

(** ** One request of them

    Regions are not split in advance: where the point of a region is in another one, the region is split by that one. *)

(** The first of a list with a property, and the others. *)
Fixpoint pick {A} (f : A -> bool) (l : list A) : option (A * list A) :=
  match l with
  | [] => None
  | a :: l' => if f a then Some (a, l') else match pick f l' with Some (b, k) => Some (b, a :: k) | None => None end
  end.

Lemma pick_some {A} (f : A -> bool) l a k :
  pick f l = Some (a, k) -> (forall x, In x l <-> x = a \/ In x k) /\ length l = S (length k).
Proof.
  revert k. induction l as [|b l IH]; cbn; intros k H; [discriminate|]. destruct (f b).
  - injection H as <- <-. split; auto. intro x. split; intros [E|I]; auto.
  - destruct (pick f l) as [[c k']|]; [|discriminate]. injection H as -> <-. destruct (IH k' eq_refl) as [I L].
    split; [|cbn; congruence]. intro x. rewrite (I x). cbn. tauto.
Qed.

Lemma pick_none {A} (f : A -> bool) l : pick f l = None -> existsb f l = false.
Proof.
  induction l as [|b l IH]; cbn; auto. destruct (f b); [discriminate|]. destruct (pick f l) as [[c k]|]; [discriminate|auto].
Qed.

(** A request of a region that none of the others holds. *)
Fixpoint witness_without (steps : nat) (Qs : list region) (R : region) : option request :=
  match witness R with
  | None => None
  | Some r =>
      match pick (fun Q => in_region Q r) Qs with
      | None => Some r
      | Some (Q, rest) => match steps with 0 => None | S n => find_map (witness_without n rest) (cut R Q) end
      end
  end.

Lemma witness_without_sound n Qs R r : witness_without n Qs R = Some r -> In_region R r /\ ~ Some_region Qs r.
Proof.
  revert Qs R. induction n as [|n IH]; intros Qs R; cbn [witness_without]; destruct (witness R) as [v|] eqn:W; try discriminate;
    destruct (pick _ Qs) as [[Q rest]|] eqn:P; try discriminate; intro H.
  1, 3: injection H as <-; split; [apply witness_sound, W|]; apply pick_none in P; rewrite <- in_some_decides;
    unfold in_some; rewrite P; discriminate.
  apply find_map_some in H as (S & I & H). apply IH in H as [HS N].
  assert (C : In_region R r /\ ~ In_region Q r) by (apply cut_spec; exists S; auto).
  destruct C as [HR NQ]. split; auto. intros (T & IT & HT). apply (pick_some _ _ _ _ P) in IT as [->|IT]; auto.
  apply N. exists T. auto.
Qed.

Lemma witness_without_complete n Qs R r : length Qs <= n -> In_region R r -> ~ Some_region Qs r -> witness_without n Qs R <> None.
Proof.
  revert Qs R. induction n as [|n IH]; intros Qs R L HR N; cbn [witness_without]; destruct (witness R) as [v|] eqn:W;
    try solve [destruct (witness_complete R W r HR)]; destruct (pick _ Qs) as [[Q rest]|] eqn:P; try discriminate;
    apply pick_some in P as [P E]; [lia|].
  assert (NQ : ~ In_region Q r) by (intro H; apply N; exists Q; split; auto; apply P; auto).
  destruct (proj2 (cut_spec R Q r) (conj HR NQ)) as (S & I & HS). intro H.
  apply (IH rest S) in HS; [|lia|].
  - apply HS. exact (find_map_none _ _ H S I).
  - intros (T & IT & HT). apply N. exists T. split; auto. apply P. auto.
Qed.

(** Regions, each with others that hold none of what is looked for. *)
Definition piece := (region * list region)%type.
Definition Some_piece (ps : list piece) (r : request) : Prop :=
  exists R Qs, In (R, Qs) ps /\ In_region R r /\ ~ Some_region Qs r.

(** The first witness that has a right number of parts. *)
Definition first_witness (right : nat -> bool) (ps : list piece) : option request :=
  find_map (fun '(R, Qs) => if right (length (whole R)) then witness_without (length Qs) Qs R else None) ps.

Lemma in_region_length R r : In_region R r -> length (whole R) = length r.
Proof. intros [B _]. induction B; cbn; auto. Qed.

Theorem first_witness_sound right ps r : first_witness right ps = Some r -> Some_piece ps r /\ right (length r) = true.
Proof.
  intro H. apply find_map_some in H as ([R Qs] & I & H). destruct (right (length (whole R))) eqn:L; [|discriminate].
  apply witness_without_sound in H as [HR N]. rewrite (in_region_length R r HR) in L. split; auto. exists R, Qs. auto.
Qed.

Theorem first_witness_complete right ps r : Some_piece ps r -> right (length r) = true -> first_witness right ps <> None.
Proof.
  intros (R & Qs & I & HR & N) L H. apply (find_map_none _ _ H) in I. rewrite <- (in_region_length R r HR) in L.
  rewrite L in I. exact (witness_without_complete _ Qs R r (le_n _) HR N I).
Qed.

(** The same as [gained], not yet split. *)
Definition to_gain (a b : side) : list piece :=
  flat_map (fun R => (R, denies a ++ grants b) :: map (fun P => (P, denies a)) (flat_map (meet_region R) (denies b))) (grants a).

Lemma to_gain_spec a b r : Some_piece (to_gain a b) r <-> Allowed a r /\ ~ Allowed b r.
Proof.
  unfold to_gain, Allowed. split.
  - intros (R & Qs & I & HR & N). apply in_flat_map in I as (G & IG & [E|I]).
    + injection E as -> <-. rewrite some_region_app in N. split; [split; [exists R; auto|tauto]|tauto].
    + apply in_map_iff in I as (P & E & I). injection E as -> <-. apply in_flat_map in I as (D & ID & I).
      assert (H : In_region G r /\ In_region D r) by (apply meet_region_spec; exists R; auto).
      destruct H as [HG HD]. split; [split; [exists G; auto|exact N]|]. intros [_ X]. apply X. exists D. auto.
  - intros [[(G & IG & HG) ND] N]. destruct (in_some (denies b) r) eqn:E.
    + apply in_some_decides in E as (D & ID & HD). destruct (proj2 (meet_region_spec G D r) (conj HG HD)) as (P & IP & HP).
      exists P, (denies a). split; auto. apply in_flat_map. exists G. split; auto. right. apply in_map_iff. exists P. split; auto.
      apply in_flat_map. eauto.
    + exists G, (denies a ++ grants b). split; [apply in_flat_map; exists G; cbn; auto|]. split; auto.
      rewrite some_region_app. intros [X|X]; auto. apply N. split; auto. rewrite <- in_some_decides, E. discriminate.
Qed.

(** The first request that one side allows and the other does not. *)
Definition difference (a b : side) : option request := first_witness (fun _ => true) (to_gain a b).

(** Each witness is a request that the sides decide differently. *)
(* covers: M31, P2 *)
Theorem difference_sound a b r : difference a b = Some r -> Allowed a r /\ ~ Allowed b r.
Proof.
  intro H. apply to_gain_spec, (first_witness_sound (fun _ => true)), H.
Qed.

(** No witness: everything that the first side allows, the second one allows. *)
(* covers: M31, P2 *)
Theorem difference_complete a b : difference a b = None <-> (forall r, Allowed a r -> Allowed b r).
Proof.
  split.
  - intros H r A. rewrite <- allowed_decides. destruct (allowed b r) eqn:E; auto.
    destruct (first_witness_complete (fun _ => true) (to_gain a b) r); auto. apply to_gain_spec. split; auto.
    rewrite <- allowed_decides, E. discriminate.
  - intro H. destruct (difference a b) as [r|] eqn:E; auto. apply difference_sound in E as [A N]. destruct N. auto.
Qed.
