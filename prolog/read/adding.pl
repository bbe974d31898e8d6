:- module(hb_adding,
          [ add/6,                      % +Kind, +Texts, +Ids, +Max, -Control, -Parts
            add_more/4,                 % +Ids, +Max, -Control, -Parts
            add_more/5,                 % +Ids, +Max, +Texts, -Control, -Parts
            add_abort/0,
            reload/4                    % +Predicates, +Loads, -Control, -Parts
          ]).
:- use_module(reader).
:- use_module(recovery, [skip_layout/3]).
:- use_module(clauses).
:- use_module(ahead).
:- use_module(text_scope).
:- use_module(fact_runs).
:- use_module(conditions).
:- use_module('../store/store').
:- use_module('../store/operators', [book_operators/1]).
:- use_module('../store/clause_text', [clause_anywhere/3]).
:- use_module('../reply').
:- use_module('../errors').
:- use_module(library(lists), [append/3, memberchk/2]).
:- use_module('../functor').

/** <module> Adding clauses from text

A clause that cannot be added does not affect its neighbours: the reply says of each item of the
text, in order, whether it was added (`docs/engine-protocol.md`).  The loop over the text fails back
to its start for every item, so that a long text leaves nothing on the stacks.  It keeps its state
in a term that it changes in place.
*/

%!  add(+Kind, +Texts, +Ids, +Max, -Control, -Parts) is det.
%
%   Read clauses from Texts, strings or atoms, and add them with the ids of the runs Ids, stopping
%   after Max items of text.  Kind is `inline` or `file`: the texts of one call share one scope.  A
%   file that comes in parts begins with `file(Number)`; each further part is `part(Number)`, read in
%   the scope of the part before it.  `module(Module, Exports, Kind)` is text of a module that lacks
%   the header, because it begins after it or has none.  If the last text is the atom `later`,
%   add_more/5 brings others.  Control and Parts describe the items.

add(Kind0, Texts, Ids, Max, Control, Parts) :-
    add_abort,
    none_declared,
    text_module(Kind0, Kind1, Module),
    text_scope(Kind1, Kind, Scope),
    set_scope_module(Scope, Module),
    nb_setval(hb_text_kind, Kind),
    add_items(adding(Kind, Scope, 0, Texts, none, []), Ids, Max, Control, Parts).

%!  add_more(+Ids, +Max, -Control, -Parts) is det.
%
%   Continue the last add/6, which had more to add.

add_more(Ids, Max, Control, Parts) :-
    add_more(Ids, Max, [later], Control, Parts).

%!  add_more(+Ids, +Max, +Texts, -Control, -Parts) is det.
%
%   As add_more/4; Texts stand for the `later` that is the last of those that are left.

add_more(Ids, Max, New, Control, Parts) :-
    nb_current(hb_adding, adding(Kind, Scope, Index, Texts0, Source, Added)),
    !,
    (   append(Texts1, [later], Texts0)
    ->  append(Texts1, New, Texts)
    ;   Texts = Texts0
    ),
    add_items(adding(Kind, Scope, Index, Texts, Source, Added), Ids, Max, Control, Parts).
add_more(_, _, _, _, _) :-
    throw(error(hornbook(message(existence_error, "There is nothing more to add.")), _)).

%!  add_abort is det.
%
%   Drop the rest of an unfinished addition, and remove what it has added.

add_abort :-
    nb_current(hb_adding, adding(_, Scope, _, _, Source, Added)),
    !,
    nb_setval(hb_adding, []),
    forall('$member'(Ids, Added), remove(Ids)),
    (   Source == none
    ->  true
    ;   close_source(Source)
    ),
    leave_scope(Scope),
    declared(PIs),
    forall('$member'(Name/Arity, PIs), undeclare(Name, Arity)),
    none_declared,
    retractall(ahead(_,_)),
    no_given_exports.
add_abort.

:- dynamic
    ahead/2.                            % Name, Arity: declared because the text defines it further down

%   The state between two requests is adding(Kind, Scope, Index, Texts,
%   Source, Added): Source is the half-read text with the number Index, or `none`;
%   Texts are the texts after it; Added is a list of lists of runs, the ids
%   that may have been taken.

add_items(adding(Kind, Scope, Index, Texts, Source, Added), Ids, Max,
          [items=written(Items), more=More], [lines(Parts)]) :-
    place(Ids, Max, Place),
    with_output_to(
        string(Parts),
        ( current_output(PartsOut),
          with_output_to(
              string(Written),
              ( current_output(Out),
                add_texts(Texts, Source, Index, Kind-Scope, Place, Out-PartsOut, End) )) )),
    without_comma(Written, Items),
    (   End = open(Index1, Texts1, Source1)
    ->  nb_setval(hb_adding, adding(Kind, Scope, Index1, Texts1, Source1, [Ids|Added])),
        More = true
    ;   nb_setval(hb_adding, []),
        leave_scope(Scope),
        none_declared,
        no_given_exports,
        check_ahead,
        More = false
    ),
    retranslate_shadowed,
    tables_changed.

%   check_ahead: what the text defines further down was perhaps refused or left out.  Then calls of it are
%   refused, too, as in a new engine.

check_ahead :-
    forall(retract(ahead(Name, Arity)),
           ( term_functor(Head, Name, Arity),
             (   clause(knowledge_base:Head, _)
             ->  true
             ;   ask_anew
             ) )).

%   Every item was written with a comma before it.

without_comma("", "") :-
    !.
without_comma(Written, Items) :-
    sub_string(Written, 1, _, 0, Items).

%   Out is Items-Parts, the streams for the items of the control line and for the parts.  Place is that
%   of `hb_fact_runs`.

add_texts([], none, _, _, _, _, done) :-
    !.
add_texts([later], none, Index, _, _, _, open(Index, [later], none)) :-
    !.
add_texts([Text|Texts], none, Index, Kind-Scope, Place, Out, End) :-
    !,
    open_source(Kind, Text, Scope, Source),
    no_conditions,
    begin_ahead,
    nb_setarg(1, Place, 0),
    add_text(Source, Texts, Index, Kind-Scope, Place, Out, End).
add_texts(Texts, Source, Index, How, Place, Out, End) :-
    Source = source(Stream, _, _, _, _),
    character_count(Stream, Start),
    nb_setarg(1, Place, Start),
    add_text(Source, Texts, Index, How, Place, Out, End).

add_text(Source, Texts, Index, How, Place, Out, End) :-
    add_source(Source, Index, Place, Out, End0),
    (   End0 == max
    ->  End = open(Index, Texts, Source)
    ;   close_source(Source),
        Index1 is Index+1,
        add_texts(Texts, none, Index1, How, Place, Out, End)
    ).

%   add_source(+Source, +Index, !Place, +Out, -End): End is `max` or `done`.

add_source(Source, Index, Place, Out, End) :-
    repeat,
    arg(2, Place, Max),
    (   Max == 0
    ->  End = max
    ;   arg(7, Place, 0)                % the rest of the text is layout
    ->  End = done
    ;   add_facts(Source, Index, Place, Out, Next),
        add_next(Next, Source, Index, Place, Out),
        End = done
    ),
    !.

%   add_next(+Next, +Source, +Index, !Place, +Out): handle what ended the loop over
%   facts.  Succeeds at the end of the text.

add_next(end, _, _, _, _).
add_next(none, _, _, _, _) :-
    fail.
add_next(clause(Term), Source, Index, Place, Out) :-
    arg(1, Place, Start),
    Source = source(Stream, _, _, _, _),
    character_count(Stream, End),
    add_item(clause(Start, End, Term, _), Source, Index, Place, Out),
    fail.
add_next(unread(Error), Source, Index, Place, Out) :-
    (   Error = error(_, _)
    ->  true
    ;   throw(Error)
    ),
    arg(1, Place, Start),
    unread_item(Error, Source, Start, Item),
    add_item(Item, Source, Index, Place, Out),
    fail.

add_item(clause(Start,End,Term,_), Source, Index, Place, Out) :-
    Source = source(_, _, _, Scope, _),
    with_chr(Scope),
    needs_operators(Term),
    !,
    read_again(Source, Start, End, Item),
    add_anywhere(Item, Source, Index, Place, Out).
add_item(clause(Start,End,Term,_), Source, Index, Place, Out) :-
    next_id(Place, Id),
    Source = source(_, _, Text, Scope, _),
    catch(add_its_own(Term, Text-Start, Scope, Id, Added), Ball, true),
    (   Added == skipped
    ->  Item = item([s, Index, Start, End], [])
    ;   var(Ball)
    ->  added_item(Added, Index, Start, End, Item),
        take_ids(1, Place),
        (   Added = added(_,_,_,_)
        ->  has_changed(Scope)
        ;   true
        )
    ;   error_json(Ball, object(Pairs)),
        skip_layout(Text, Start, At),
        Item = item([e, Index, Start, End], [object([offset=number(At)|Pairs])])
    ),
    add_written(Item, End, Place, Out),
    (   nonvar(Added)
    ->  item_added(Added, Term, Index, Place)
    ;   true
    ).
add_item(error(Start,_,_), Source, Index, Place, Out) :-
    Source = source(_, inline, _, _, _),
    \+ nb_current(hb_loading, true),
    wider_source(Source, Wider, Scope),
    !,
    setup_call_cleanup(
        true,
        ( read_again(Wider, Start, Item),
          add_anywhere(Item, Wider, Index, Place, Out)
        ),
        free_scope(Scope)).
add_item(error(Start,End,Problem), _, Index, Place, Out) :-
    error_json(Problem, Error),
    add_written(item([e, Index, Start, End], [Error]), End, Place, Out).

%   needs_operators(+Term): Term may read differently without the operators of library(chr).

needs_operators(Term) :-
    hb_chr_rules:operators(Operators),
    findall(Name, '$member'(op(_, _, Name), Operators), Names),
    mentions(Term, Names),
    !.

mentions(Term, Names) :-
    atom(Term),
    !,
    memberchk(Term, Names).
mentions(Term, Names) :-
    compound(Term),
    compound_name_arguments(Term, Name, Args),
    (   mentions(Name, Names)
    ;   '$member'(Arg, Args),
        mentions(Arg, Names)
    ),
    !.

%   read_again(+Source, +Start, +End, -Item): Item is the clause from Start to End, with the names of its
%   variables, which the loop over facts leaves out.

read_again(source(_, _, Text, Scope, _), Start, End, clause(Start, End, Term, Names)) :-
    Length is End-Start,
    sub_string(Text, Start, Length, _, Item),
    setup_call_cleanup(
        open_source(inline, Item, Scope, Source),
        read_item(Source, clause(_, _, Term, Names)),
        close_source(Source)).

%   wider_source(+Source, -Wider, -Scope) is semidet: Wider is Source, read in Scope, which has the
%   operators of the book as well.  Fails if the book declares none.

wider_source(source(Stream, Kind, Text, Own, State), source(Stream, Kind, Text, Scope, State), Scope) :-
    book_operators([_|_]),
    new_scope(user, Scope),
    (   changed(Own)
    ->  forall(( current_op(Priority, Type, Own:Name), \+ current_op(Priority, Type, hb_syntax:Name) ),
               op(Priority, Type, Scope:Name))
    ;   true
    ).

%   add_anywhere(+Item, +Source, +Index, !Place, +Out): Item needs operators of the book.  The book
%   keeps its clause as a text that needs none, because the directives that declare them may go, or
%   end up after it.

add_anywhere(clause(Start,End,Term,Names), Source, Index, Place, Out) :-
    next_id(Place, Id),
    Source = source(_, _, Text, Scope, _),
    catch(( clause_anywhere(Term, Names, Written),
            add_or_skip(Term, Text-Start, Scope, Id, Added) ),
          Ball, true),
    (   var(Ball),
        Added = added(Kind, Name, Arity)
    ->  skip_layout(Text, Start, At),
        Before is At-Start,
        sub_string(Text, Start, Before, _, Layout),
        string_concat(Layout, Written, Whole),
        take_ids(1, Place),
        (   Kind == d
        ->  Flag = 2
        ;   Flag = 1
        ),
        add_written(item([Kind, Index, Start, End, Arity, Flag], [text(Name), text(Whole)]), End, Place, Out)
    ;   var(Ball),
        Added \== skipped
    ->  added_item(Added, Index, Start, End, Item),
        take_ids(1, Place),
        add_written(Item, End, Place, Out),
        item_added(Added, Term, Index, Place)
    ;   var(Ball)
    ->  add_written(item([s, Index, Start, End], []), End, Place, Out)
    ;   error_json(Ball, object(Pairs)),
        skip_layout(Text, Start, At),
        add_written(item([e, Index, Start, End], [object([offset=number(At)|Pairs])]), End, Place, Out)
    ).
add_anywhere(error(Start,End,Problem), _, Index, Place, Out) :-
    error_json(Problem, Error),
    add_written(item([e, Index, Start, End], [Error]), End, Place, Out).

%   add_its_own(+Term, +Place, +Scope, +Id, -Added): as add_or_skip/5.  A predicate outside the
%   sandbox that the text defines, here or further down, is the user's own, or private to the module
%   of the text.

add_its_own(Term, Text-Start, Scope, Id, Added) :-
    catch(add_or_skip(Term, Text-Start, Scope, Id, Added),
          error(permission_error(call,sandboxed,PI), Context),
          true),
    (   var(PI)
    ->  true
    ;   defined_in(Text, Scope, PI)
    ->  PI = Name/Arity,
        term_functor(Head0, Name, Arity),
        scope_module(Scope, Module),
        in_module(Module, text_head(Head0, Head)),
        term_functor(Head, Engine, Arity),
        assertz(ahead(Engine, Arity)),
        declare(Engine, Arity),
        add_its_own(Term, Text-Start, Scope, Id, Added)
    ;   throw(error(permission_error(call,sandboxed,PI), Context))
    ).

add_or_skip(Term, Place, Scope, Id, Added) :-
    scope_module(Scope, Module),
    in_module(Module, hb_adding:add_conditional(Term, Place, Scope, Id, Added)).

add_conditional(Term, Place, Scope, Id, Added) :-
    conditional(Term, What),
    (   What == keep
    ->  add_term(Term, Place, Scope, Id, Added)
    ;   What = directive(Name, Arity)
    ->  Added = added(d, Name, Arity)
    ;   Added = skipped
    ).

%   item_added(+Added, +Term, +Index, !Place): before the next item is read, the conductor runs a goal
%   that is to be run now.  After a fact that add_facts/5 may continue, note its predicate.

item_added(added(f,Name,Arity), Term, Index, Place) :-
    \+ with_chr(_),
    continues(Term),
    !,
    term_functor(Term, Plain, Arity),
    nb_setarg(4, Place, Index-fact(Plain,Name,Arity)).
item_added(now(_,_,_), _, _, Place) :-
    !,
    nb_setarg(2, Place, 0).
item_added(_, _, _, _).

%   continues(+Term): a fact of the same name in the same text is added as the fact Term was: to the
%   same predicate, as it is read.  Not if Term names a module, and not for tests, which belong to a unit.

continues(Term) :-
    callable(Term),
    Term \= _:_,
    \+ ( compound(Term),
         compound_name_arity(Term, Name, Arity),
         ( Arity == 0 ; Name == test )
       ).

added_item(added(Kind,Name,Arity), Index, Start, End,
           item([Kind, Index, Start, End, Arity], [text(Name)])).
added_item(added(Kind,Name,Arity,Restore), Index, Start, End,
           item([Kind, Index, Start, End, Arity, 1], [text(Name), text(Restore)])).
added_item(to_run(Goal), Index, Start, End,
           item([i, Index, Start, End], [text(Goal)])).
added_item(now(Name,Arity,Goal), Index, Start, End,
           item([n, Index, Start, End, Arity], [text(Name), text(Goal)])).

%   add_written(+Item, +End, !Place, +Out): Item is item(Control, Parts).

add_written(item([Word|Numbers], Parts), End, Place, Out-PartsOut) :-
    write_item(Out, Word, Numbers),
    forall('$member'(Part, Parts), write_part(PartsOut, Part)),
    arg(2, Place, Max),
    Max1 is Max-1,
    nb_setarg(1, Place, End),
    nb_setarg(2, Place, Max1),
    nb_setarg(4, Place, none).

%!  reload(+Predicates, +Loads, -Control, -Parts) is det.
%
%   Remove the clauses of Predicates, then add those of Loads, a list of
%   load(Kind, Text, Ids) with Kind as for add/6.

reload(PIs, Loads, [items=written(Items)], Parts) :-
    forall('$member'(Name/Arity, PIs), forget_predicate(Name, Arity)),
    load(Loads, Lists, Parts),
    atomic_list_concat(Lists, ',', Items).

load([], [], []).
load([load(Kind, Text, Ids)|Loads], Lists, Parts) :-
    setup_call_cleanup(
        nb_setval(hb_loading, true),
        add(Kind, [Text], Ids, 1000000000, [items=written(Items)|_], [Lines]),
        nb_setval(hb_loading, false)),
    (   Items == ""
    ->  Lists = Lists1
    ;   Lists = [Items|Lists1]
    ),
    Parts = [Lines|Parts1],
    load(Loads, Lists1, Parts1).
