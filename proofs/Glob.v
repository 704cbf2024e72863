(** Patterns: what they match, the two matchers, and the lemma of the fresh letter
    (docs/semantics.md, Names; docs/analysis.md, Fresh letters; src/glob.ts). *)

Require Import List Arith Bool Lia.
Import ListNotations.

(** ** The first of a list that gives something *)

Fixpoint find_map {A B} (f : A -> option B) (l : list A) : option B :=
  match l with [] => None | a :: l' => match f a with Some b => Some b | None => find_map f l' end end.

Lemma find_map_some {A B} (f : A -> option B) l b : find_map f l = Some b -> exists a, In a l /\ f a = Some b.
Proof.
  induction l as [|a l IH]; cbn; [discriminate|]. destruct (f a) eqn:E; intro H.
  - injection H as ->. eauto.
  - destruct (IH H) as (x & I & Ex). eauto.
Qed.

Lemma find_map_none {A B} (f : A -> option B) l : find_map f l = None -> forall a, In a l -> f a = None.
Proof.
  induction l as [|a l IH]; cbn; intros H x I; [destruct I|]. destruct (f a) eqn:E; [discriminate|].
  destruct I as [<-|I]; auto.
Qed.

(** A letter is a code unit; only its equality matters. *)
Definition letter := nat.
Definition text := list letter.

Inductive token := Star | Lit (a : letter).
Definition pattern := list token.

(** The language of a pattern: a wildcard stands for any text, the empty one included. *)
Inductive Matches : pattern -> text -> Prop :=
  | match_end : Matches [] []
  | match_letter a p t : Matches p t -> Matches (Lit a :: p) (a :: t)
  | match_star p u t : Matches p t -> Matches (Star :: p) (u ++ t).

#[export] Hint Constructors Matches : core.

Definition literal (t : text) : pattern := map Lit t.

Lemma matches_star p t : Matches (Star :: p) t <-> exists u v, t = u ++ v /\ Matches p v.
Proof.
  split; [intro H; inversion H; subst; eauto|]. intros (u & v & -> & H). auto.
Qed.

Lemma matches_nil t : Matches [] t <-> t = [].
Proof.
  split; [intro H; inversion H; auto | intros ->; auto].
Qed.

Lemma matches_letter a p t : Matches (Lit a :: p) t <-> exists v, t = a :: v /\ Matches p v.
Proof.
  split; [intro H; inversion H; subst; eauto|]. intros (v & -> & H). auto.
Qed.

Lemma matches_star_grow p u t : Matches (Star :: p) t -> Matches (Star :: p) (u ++ t).
Proof.
  intro H. inversion H; subst. rewrite app_assoc. auto.
Qed.

(** A wildcard takes nothing, or the next letter. *)
Lemma star_unfold p t : Matches (Star :: p) t <-> Matches p t \/ exists a v, t = a :: v /\ Matches (Star :: p) v.
Proof.
  split.
  - intro H. inversion H as [| |? u v M]; subst. destruct u as [|a u]; cbn; auto.
    right. exists a, (u ++ v). auto.
  - intros [H|(a & v & -> & H)]; [exact (match_star p [] t H) | exact (matches_star_grow p [a] v H)].
Qed.

(** ** The plain matcher *)

Fixpoint matches (p : pattern) : text -> bool :=
  match p with
  | [] => fun t => match t with [] => true | _ :: _ => false end
  | Lit a :: rest => fun t => match t with b :: t' => (a =? b) && matches rest t' | [] => false end
  | Star :: rest =>
      fix star (t : text) : bool := matches rest t || match t with [] => false | _ :: t' => star t' end
  end.

(** The matcher decides the language of a glob. *)
(* covers: M21 *)
Theorem matches_decides p t : matches p t = true <-> Matches p t.
Proof.
  revert t. induction p as [|[|a] p IH]; intro t.
  - destruct t; cbn; split; intro H; auto; inversion H.
  - induction t as [|b t IHt].
    + cbn. rewrite orb_false_r, IH. split; intro H.
      * exact (match_star p [] [] H).
      * apply star_unfold in H as [H|(a & v & E & _)]; [auto|discriminate].
    + change (matches (Star :: p) (b :: t)) with (matches p (b :: t) || matches (Star :: p) t).
      rewrite orb_true_iff, IH, IHt. split; intro H.
      * destruct H as [H|H]; [exact (match_star p [] _ H) | exact (matches_star_grow p [b] t H)].
      * apply star_unfold in H as [H|(a & v & E & H)]; [auto|]. injection E as <- <-. auto.
  - destruct t as [|b t]; cbn; split; intro H; try discriminate; try solve [inversion H].
    + apply andb_true_iff in H as [E H]. apply Nat.eqb_eq in E. subst. apply match_letter, IH, H.
    + inversion H; subst. rewrite Nat.eqb_refl. apply IH. auto.
Qed.

Lemma matches_app p q t :
  Matches (p ++ q) t <-> exists u v, t = u ++ v /\ Matches p u /\ Matches q v.
Proof.
  split.
  - revert t. induction p as [|[|a] p IH]; cbn; intros t H.
    + exists [], t. auto.
    + inversion H as [| |? u t' H']; subst. destruct (IH _ H') as (v & w & -> & Hv & Hw).
      exists (u ++ v), w. rewrite app_assoc. auto.
    + inversion H as [|? ? t' H'|]; subst. destruct (IH _ H') as (v & w & -> & Hv & Hw).
      exists (a :: v), w. auto.
  - intros (u & v & -> & Hu & Hv). induction Hu; cbn; auto. rewrite <- app_assoc. auto.
Qed.

Lemma matches_literal t u : Matches (literal t) u <-> u = t.
Proof.
  revert u. induction t as [|a t IH]; intro u; cbn; split; intro H.
  - inversion H; auto.
  - subst; auto.
  - inversion H; subst. f_equal. apply IH. auto.
  - subst. apply match_letter, IH. auto.
Qed.

(** ** The linear matcher: the first place of each piece is taken (src/glob.ts, matches) *)

(** What is left of a text after a prefix. *)
Fixpoint after (prefix t : text) : option text :=
  match prefix, t with
  | [], _ => Some t
  | a :: prefix', b :: t' => if a =? b then after prefix' t' else None
  | _ :: _, [] => None
  end.

(** What is left of a text after the first place of a piece. *)
Fixpoint find (piece t : text) : option text :=
  match after piece t with
  | Some rest => Some rest
  | None => match t with [] => None | _ :: t' => find piece t' end
  end.

Fixpoint find_all (pieces : list text) (t : text) : bool :=
  match pieces with
  | [] => true
  | piece :: rest => match find piece t with Some t' => find_all rest t' | None => false end
  end.

(** The letters before a suffix of the given length. *)
Definition before (suffix t : text) : option text :=
  let n := length t - length suffix in
  if (length suffix <=? length t) && (if list_eq_dec Nat.eq_dec (skipn n t) suffix then true else false)
  then Some (firstn n t) else None.

(** Pieces between wildcards: [head], any number of middle pieces, [tail]. *)
Definition matches_pieces (head : text) (middle : list text) (tail t : text) : bool :=
  match after head t with
  | None => false
  | Some rest => match before tail rest with None => false | Some body => find_all middle body end
  end.

Definition of_pieces (head : text) (middle : list text) (tail : text) : pattern :=
  literal head ++ flat_map (fun piece => Star :: literal piece) middle ++ Star :: literal tail.

Lemma after_spec prefix t rest : after prefix t = Some rest <-> t = prefix ++ rest.
Proof.
  revert t. induction prefix as [|a prefix IH]; intro t; cbn.
  - split; intro H; [injection H as ->|subst]; auto.
  - destruct t as [|b t]; [split; discriminate|].
    destruct (Nat.eqb_spec a b) as [->|N].
    + rewrite IH. split; intro H; [subst|injection H]; auto.
    + split; intro H; [discriminate|injection H]; congruence.
Qed.

Lemma after_none prefix t : after prefix t = None -> forall rest, t <> prefix ++ rest.
Proof.
  intros H rest E. apply after_spec in E. congruence.
Qed.

Lemma before_spec suffix t body : before suffix t = Some body <-> t = body ++ suffix.
Proof.
  unfold before. split.
  - destruct (length suffix <=? length t); cbn; [|discriminate].
    destruct list_eq_dec as [E|]; [|discriminate]. intro H. injection H as <-.
    rewrite <- (firstn_skipn (length t - length suffix) t) at 1. f_equal. exact E.
  - intros ->. rewrite app_length.
    replace (length body + length suffix - length suffix) with (length body) by lia.
    rewrite skipn_app, skipn_all, Nat.sub_diag. cbn [skipn app].
    replace (length suffix <=? length body + length suffix) with true by (symmetry; apply Nat.leb_le; lia).
    destruct list_eq_dec as [|N]; [cbn|contradiction].
    rewrite firstn_app, firstn_all, Nat.sub_diag. cbn [firstn]. rewrite app_nil_r. auto.
Qed.

(** The first place leaves the most. *)
Lemma find_first piece u rest :
  exists v, find piece (u ++ piece ++ rest) = Some (v ++ rest).
Proof.
  induction u as [|a u IH]; cbn.
  - exists []. assert (E : after piece (piece ++ rest) = Some rest) by (apply after_spec; auto).
    destruct (piece ++ rest) eqn:F; cbn; rewrite E; auto.
  - destruct (after piece (a :: u ++ piece ++ rest)) as [left|] eqn:E; [|exact IH].
    apply after_spec in E. change (a :: u ++ piece ++ rest) with ((a :: u) ++ piece ++ rest) in E.
    exists (skipn (length piece) ((a :: u) ++ piece)). f_equal.
    rewrite app_assoc in E.
    assert (L : length piece <= length ((a :: u) ++ piece)) by (rewrite app_length; lia).
    transitivity (skipn (length piece) (piece ++ left)).
    + rewrite skipn_app, skipn_all, Nat.sub_diag. auto.
    + rewrite <- E, skipn_app. replace (length piece - length ((a :: u) ++ piece)) with 0 by lia. auto.
Qed.

Lemma find_sound piece t left : find piece t = Some left -> exists u, t = u ++ piece ++ left.
Proof.
  revert left. induction t as [|a t IH]; intros left; cbn.
  - destruct (after piece []) eqn:E; [|discriminate]. intro H. injection H as <-.
    apply after_spec in E. exists []. auto.
  - destruct (after piece (a :: t)) eqn:E; intro H.
    + injection H as <-. apply after_spec in E. exists []. auto.
    + destruct (IH _ H) as (u & ->). exists (a :: u). auto.
Qed.

Lemma find_all_spec middle t :
  find_all middle t = true <-> Matches (flat_map (fun piece => Star :: literal piece) middle ++ [Star]) t.
Proof.
  revert t. induction middle as [|piece middle IH]; intro t; cbn [find_all flat_map].
  - split; auto. intros _. replace t with (t ++ []) by apply app_nil_r. cbn. auto.
  - cbn [app]. rewrite <- app_assoc. split.
    + destruct (find piece t) as [left|] eqn:E; [|discriminate]. intro H.
      apply find_sound in E as (u & ->). apply match_star, matches_app.
      exists piece, left. repeat split; [apply matches_literal; auto | apply IH, H].
    + intro H. inversion H as [| |? u t' H']; subst.
      apply matches_app in H' as (v & rest & -> & Hv & Hrest).
      apply matches_literal in Hv. subst v.
      destruct (find_first piece u rest) as (v & ->). apply IH.
      destruct middle; cbn in *; apply matches_star_grow; auto.
Qed.

(** Taking the first place of each piece decides the same language. *)
(* covers: M21 *)
Theorem matches_pieces_decides head middle tail t :
  matches_pieces head middle tail t = true <-> Matches (of_pieces head middle tail) t.
Proof.
  unfold matches_pieces, of_pieces. split.
  - destruct (after head t) as [rest|] eqn:A; [|discriminate].
    destruct (before tail rest) as [body|] eqn:B; [|discriminate]. intro H.
    apply after_spec in A as ->. apply before_spec in B as ->. apply find_all_spec in H.
    apply matches_app. exists head, (body ++ tail). repeat split; [apply matches_literal; auto|].
    change (Star :: literal tail) with ([Star] ++ literal tail). rewrite app_assoc.
    apply matches_app. exists body, tail. repeat split; auto. apply matches_literal. auto.
  - intro H. apply matches_app in H as (u & v & -> & Hu & Hv). apply matches_literal in Hu. subst u.
    change (Star :: literal tail) with ([Star] ++ literal tail) in Hv. rewrite app_assoc in Hv.
    apply matches_app in Hv as (body & w & -> & Hb & Hw). apply matches_literal in Hw. subst w.
    assert (A : after head (head ++ body ++ tail) = Some (body ++ tail)) by (apply after_spec; auto).
    assert (B : before tail (body ++ tail) = Some body) by (apply before_spec; auto).
    rewrite A, B. apply find_all_spec. auto.
Qed.

(** ** Fresh letters *)

(** The pattern's own word: each wildcard filled with one letter. *)
Definition fill (x : letter) (p : pattern) : text :=
  map (fun token => match token with Star => x | Lit a => a end) p.

Definition fresh (x : letter) (p : pattern) : Prop := ~ In (Lit x) p.

Lemma matches_fill x p : Matches p (fill x p).
Proof.
  induction p as [|[|a] p IH]; cbn; auto. exact (match_star p [x] _ IH).
Qed.

(** What a pattern has left after one letter. *)
Lemma letter_step a q t x :
  Matches q (a :: t) -> fresh x q ->
  exists q', Matches q' t /\ fresh x q' /\ (forall t', Matches q' t' -> Matches q (a :: t')).
Proof.
  revert a t. induction q as [|[|b] q IH]; intros a t H F.
  - inversion H.
  - apply star_unfold in H as [H|(b & v & E & H)].
    + destruct (IH _ _ H) as (q' & Hq & Fq & S); [intro I; apply F; right; auto|].
      exists q'. repeat split; auto. intros t' Ht. exact (match_star q [] _ (S _ Ht)).
    + injection E as <- <-. exists (Star :: q). repeat split; auto.
      intros t' Ht. exact (matches_star_grow q [a] t' Ht).
  - inversion H; subst. exists q. repeat split; auto. intro I. apply F. right. auto.
Qed.

(** A letter that a pattern does not name is taken by a wildcard, which takes any text in its place. *)
Lemma fresh_step x q t :
  Matches q (x :: t) -> fresh x q ->
  exists q', Matches q' t /\ fresh x q' /\ (forall u t', Matches q' t' -> Matches q (u ++ t')).
Proof.
  revert t. induction q as [|[|b] q IH]; intros t H F.
  - inversion H.
  - apply star_unfold in H as [H|(b & v & E & H)].
    + destruct (IH _ H) as (q' & Hq & Fq & S); [intro I; apply F; right; auto|].
      exists q'. repeat split; auto. intros u t' Ht. exact (match_star q [] _ (S u _ Ht)).
    + injection E as <- <-. exists (Star :: q). repeat split; auto.
      intros u t' Ht. apply matches_star_grow. auto.
  - inversion H; subst. destruct F. left. auto.
Qed.

Lemma fresh_covers x q p t : Matches q (fill x p) -> fresh x q -> Matches p t -> Matches q t.
Proof.
  intros H F M. revert q H F. induction M as [|a p t M IH|p u t M IH]; cbn; intros q H F; auto.
  - destruct (letter_step _ _ _ _ H F) as (q' & Hq & Fq & S). apply S, IH; auto.
  - destruct (fresh_step _ _ _ H F) as (q' & Hq & Fq & S). apply S, IH; auto.
Qed.

(** Where what holds of one point holds of all, some of a list cover all exactly when one of them holds of the point. *)
Lemma covered_at_a_point {C T} (M : C -> T -> Prop) (P : T -> Prop) (point : T) (cs : list C) :
  P point -> (forall c t, In c cs -> M c point -> P t -> M c t) ->
  (forall t, P t -> exists c, In c cs /\ M c t) <-> (exists c, In c cs /\ M c point).
Proof.
  intros HP HM. split; [auto|]. intros (c & I & H) t Pt. exists c. auto.
Qed.

(** One of several patterns covers a pattern exactly when it matches the word with the fresh letter; and several together
    cover nothing that none of them covers alone. *)
(* covers: M31 *)
Theorem fresh_letter x p qs :
  (forall q, In q qs -> fresh x q) ->
  (forall t, Matches p t -> exists q, In q qs /\ Matches q t) <-> (exists q, In q qs /\ Matches q (fill x p)).
Proof.
  intro F. apply covered_at_a_point; [apply matches_fill|]. intros q t I H. apply (fresh_covers x q p t H), F, I.
Qed.

(** There is always such a letter. *)
Definition letters (p : pattern) : list letter :=
  flat_map (fun token => match token with Star => [] | Lit a => [a] end) p.

Definition above (l : list letter) : letter := S (fold_right max 0 l).

Lemma above_all l a : In a l -> a < above l.
Proof.
  unfold above. induction l as [|b l IH]; cbn; [tauto|]. intros [->|I]; [lia|]. specialize (IH I). lia.
Qed.

Lemma in_letters a p : In (Lit a) p <-> In a (letters p).
Proof.
  unfold letters. rewrite in_flat_map. split.
  - intro H. exists (Lit a). split; cbn; auto.
  - intros ([|b] & H & I); cbn in I; [tauto|]. destruct I as [->|[]]; auto.
Qed.

Lemma above_fresh l p : incl (letters p) l -> fresh (above l) p.
Proof.
  intros I H. apply in_letters, I, above_all in H. lia.
Qed.

(** ** What two patterns both match *)

Fixpoint meet (p : pattern) : pattern -> list pattern :=
  fix inner (q : pattern) : list pattern :=
    match p, q with
    | [], [] => [[]]
    | [], Star :: q' => inner q'
    | [], Lit _ :: _ => []
    | Star :: p', [] => meet p' []
    | Star :: p', Star :: q' => map (cons Star) (meet p' (Star :: q')) ++ map (cons Star) (inner q')
    | Star :: p', Lit b :: q' => meet p' (Lit b :: q') ++ map (cons (Lit b)) (inner q')
    | Lit _ :: _, [] => []
    | Lit a :: p', Star :: q' => inner q' ++ map (cons (Lit a)) (meet p' (Star :: q'))
    | Lit a :: p', Lit b :: q' => if a =? b then map (cons (Lit a)) (meet p' q') else []
    end.

Definition Some_matches (ps : list pattern) (t : text) : Prop := exists p, In p ps /\ Matches p t.

Lemma some_app ps qs t : Some_matches (ps ++ qs) t <-> Some_matches ps t \/ Some_matches qs t.
Proof.
  unfold Some_matches. split.
  - intros (p & I & H). apply in_app_iff in I as [I|I]; eauto.
  - intros [(p & I & H)|(p & I & H)]; exists p; rewrite in_app_iff; auto.
Qed.

Lemma some_cons a ps t : Some_matches (map (cons a) ps) t <-> exists p, In p ps /\ Matches (a :: p) t.
Proof.
  unfold Some_matches. split.
  - intros (p & I & H). apply in_map_iff in I as (r & <- & I). eauto.
  - intros (p & I & H). exists (a :: p). split; auto. apply in_map, I.
Qed.

Lemma some_star ps t : Some_matches (map (cons Star) ps) t <-> exists u v, t = u ++ v /\ Some_matches ps v.
Proof.
  rewrite some_cons. split; [intros (p & I & H); apply matches_star in H as (u & v & -> & H)|intros (u & v & -> & p & I & H); exists p; auto].
  exists u, v. split; auto. exists p. auto.
Qed.

Lemma some_letter a ps t : Some_matches (map (cons (Lit a)) ps) t <-> exists v, t = a :: v /\ Some_matches ps v.
Proof.
  rewrite some_cons. split; [intros (p & I & H); apply matches_letter in H as (v & -> & H)|intros (v & -> & p & I & H); exists p; auto].
  exists v. split; auto. exists p. auto.
Qed.

Lemma app_longer (u1 v1 u2 v2 : text) :
  u1 ++ v1 = u2 ++ v2 -> length u1 <= length u2 -> exists w, v1 = w ++ v2.
Proof.
  revert u2. induction u1 as [|a u1 IH]; intros u2 E L; cbn in *.
  - exists u2. auto.
  - destruct u2 as [|b u2]; cbn in *; [lia|]. injection E as -> E. apply (IH u2); auto. lia.
Qed.

(** The patterns of [meet] match exactly what both match. *)
Theorem meet_spec p q t : Some_matches (meet p q) t <-> Matches p t /\ Matches q t.
Proof.
  revert q t. induction p as [|[|a] p IHp].
  - induction q as [|[|b] q IHq]; intro t.
    + cbn. unfold Some_matches. split.
      * intros (p & [<-|[]] & H). auto.
      * intros [H _]. exists []. cbn. auto.
    + change (meet [] (Star :: q)) with (meet [] q). rewrite IHq. rewrite !matches_nil. split.
      * intros [-> H]. split; auto. exact (match_star q [] [] H).
      * intros [-> H]. split; auto. apply star_unfold in H as [H|(a & v & E & _)]; [auto|discriminate].
    + cbn. unfold Some_matches. split.
      * intros (p & [] & _).
      * intros [H1 H2]. apply matches_nil in H1. subst. inversion H2.
  - induction q as [|[|b] q IHq]; intro t.
    + change (meet (Star :: p) []) with (meet p []). rewrite IHp, !matches_nil. split.
      * intros [H ->]. split; auto. exact (match_star p [] [] H).
      * intros [H ->]. split; auto. apply star_unfold in H as [H|(a & v & E & _)]; [auto|discriminate].
    + change (meet (Star :: p) (Star :: q))
        with (map (cons Star) (meet p (Star :: q)) ++ map (cons Star) (meet (Star :: p) q)).
      rewrite some_app, !some_star. split.
      * intros [(u & v & -> & H)|(u & v & -> & H)]; [apply IHp in H|apply IHq in H]; destruct H as [H1 H2];
          split; auto; apply matches_star_grow; auto.
      * intros [H1 H2]. apply matches_star in H1 as (u1 & v1 & -> & H1). apply matches_star in H2 as (u2 & v2 & E & H2).
        destruct (Nat.le_ge_cases (length u1) (length u2)) as [L|L].
        -- left. exists u1, v1. split; auto. apply IHp. split; auto.
           destruct (app_longer _ _ _ _ E L) as (w & ->). auto.
        -- right. exists u2, v2. split; auto. apply IHq. split; auto.
           destruct (app_longer _ _ _ _ (eq_sym E) L) as (w & ->). auto.
    + change (meet (Star :: p) (Lit b :: q)) with (meet p (Lit b :: q) ++ map (cons (Lit b)) (meet (Star :: p) q)).
      rewrite some_app, some_letter, IHp, !matches_letter. split.
      * intros [[H1 (v & -> & H2)]|(v & -> & H)].
        -- split; eauto. exact (match_star p [] _ H1).
        -- apply IHq in H as [H1 H2]. split; eauto. exact (matches_star_grow p [b] v H1).
      * intros [H1 (v & -> & H2)]. apply star_unfold in H1 as [H1|(a & v' & E & H1)]; eauto.
        injection E as -> ->. right. exists v'. split; auto. apply IHq. auto.
  - induction q as [|[|b] q IHq]; intro t.
    + cbn. unfold Some_matches. split.
      * intros (r & [] & _).
      * intros [H1 H2]. apply matches_nil in H2. subst. inversion H1.
    + change (meet (Lit a :: p) (Star :: q)) with (meet (Lit a :: p) q ++ map (cons (Lit a)) (meet p (Star :: q))).
      rewrite some_app, some_letter, IHq, !matches_letter. split.
      * intros [[(v & -> & H1) H2]|(v & -> & H)].
        -- split; eauto. exact (match_star q [] _ H2).
        -- apply IHp in H as [H1 H2]. split; eauto. exact (matches_star_grow q [a] v H2).
      * intros [(v & -> & H1) H2]. apply star_unfold in H2 as [H2|(b & v' & E & H2)]; eauto.
        injection E as <- <-. right. exists v. split; auto. apply IHp. auto.
    + cbn. destruct (Nat.eqb_spec a b) as [->|N].
      * rewrite some_letter, !matches_letter. split.
        -- intros (v & -> & H). apply IHp in H as [H1 H2]. split; eauto.
        -- intros [(v & -> & H1) (v' & E & H2)]. injection E as <-. exists v. split; auto. apply IHp. auto.
      * unfold Some_matches. split.
        -- intros (r & [] & _).
        -- intros [H1 H2]. inversion H1; subst. inversion H2; subst. contradiction.
Qed.

(** ** Fewer patterns: one of two that covers the other is not needed *)

Definition covers (p q : pattern) : bool := matches p (fill (above (letters p ++ letters q)) q).

Lemma covers_decides p q : covers p q = true <-> forall t, Matches q t -> Matches p t.
Proof.
  unfold covers. rewrite matches_decides. split.
  - intros H t M. eapply fresh_covers; eauto. apply above_fresh. intros a I. apply in_app_iff. auto.
  - intro H. apply H, matches_fill.
Qed.

Definition pattern_eq_dec : forall p q : pattern, {p = q} + {p <> q}.
Proof.
  apply list_eq_dec. decide equality. apply Nat.eq_dec.
Defined.

Definition common (p q : pattern) : list pattern :=
  if covers p q then [q] else if covers q p then [p] else nodup pattern_eq_dec (meet p q).

Theorem common_spec p q t : Some_matches (common p q) t <-> Matches p t /\ Matches q t.
Proof.
  unfold common, Some_matches. destruct (covers p q) eqn:P; [|destruct (covers q p) eqn:Q].
  - split; [intros (r & [<-|[]] & H); split; auto; apply (proj1 (covers_decides p q) P), H | intros [_ H]; exists q; cbn; auto].
  - split; [intros (r & [<-|[]] & H); split; auto; apply (proj1 (covers_decides q p) Q), H | intros [H _]; exists p; cbn; auto].
  - rewrite <- meet_spec. unfold Some_matches. split; intros (r & I & H); exists r; split; auto; apply nodup_In in I || apply nodup_In; auto.
Qed.
