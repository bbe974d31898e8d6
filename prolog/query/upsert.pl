:- module(hb_upsert,
          [ upsert_goal/6               % +Name, +Arity, +Key, +Text, -Counts, -Goal
          ]).
:- use_module('../read/reader').
:- use_module('../store/named').
:- use_module('../store/step').
:- use_module('../sandbox/database').
:- use_module('../functor').

/** <module> Facts that replace those with the same key

The key of a fact are the arguments at some places.  A new fact takes the place of all facts with its
key, and one that is there already stays as it is.  All changes are those of one step.
*/

%!  upsert_goal(+Name, +Arity, +Key, +Text, -Counts, -Goal) is det.
%
%   Goal brings the facts of Name/Arity up to date by the rows of Text, a list of terms whose arguments are those of a
%   fact.  Key are the places that tell facts apart, from 1; of rows with the same key the last one counts.  Counts are
%   the pairs Name=Count that Goal leaves: of the facts that were added, replaced and left as they are.
%
%   @error domain_error if a row has a variable other than the tag of a dict

upsert_goal(Name, Arity, Key, Text, Counts, Goal) :-
    read_query(Text, All, _),
    (   ground(All)
    ->  true
    ;   member(Row, All),
        \+ ground(Row),
        has_variable(Row)
    ->  throw(error(hornbook(message(domain_error, "A row has a variable: give a value.")), _))
    ;   true
    ),
    last_of_each_key(All, Key, Rows),
    Counts = ['Added'=Added, 'Replaced'=Replaced, 'Unchanged'=Unchanged],
    Goal = hb_upsert:upsert(Name, Arity, Key, Rows, Added, Replaced, Unchanged).

%   has_variable(@Term): a variable is in Term that is not the tag of a dict.

has_variable(Term) :-
    var(Term),
    !.
has_variable(Dict) :-
    is_dict(Dict),
    !,
    dict_pairs(Dict, _, Pairs),
    member(_-Value, Pairs),
    has_variable(Value),
    !.
has_variable(Term) :-
    compound(Term),
    arg(_, Term, Argument),
    has_variable(Argument),
    !.

%   last_of_each_key(+All, +Key, -Rows): in their order, those that no later row replaces.

last_of_each_key(All, Key, Rows) :-
    keyed_rows(All, 1, Key, [], Latest),
    sort(1, @<, Latest, Last),
    sort(2, @<, Last, Ordered),
    findall(Row, member(row(_,_,Row), Ordered), Rows).

%   keyed_rows(+Rows, +At, +Key, +Latest0, -Latest): the last row is the first of Latest.

keyed_rows([], _, _, Latest, Latest).
keyed_rows([Row|Rows], At, Key, Latest0, Latest) :-
    findall(Value, ( member(Place, Key), arg(Place, Row, Value) ), Values),
    numbervars(Values, 0, _),
    At1 is At+1,
    keyed_rows(Rows, At1, Key, [row(Values,At,Row)|Latest0], Latest).

%   upsert(+Name, +Arity, +Key, +Rows, -Added, -Replaced, -Unchanged): SWI-Prolog makes an index by which the facts of
%   a key are found.

upsert(Name, Arity, Key, Rows, Added, Replaced, Unchanged) :-
    term_functor(Plain, Name, Arity),
    called_head(user, Plain, Head),
    term_functor(Head, Engine, _),
    upsert_rows(Rows, facts(Name, Engine, Arity, Key), 0, Added, 0, Replaced, 0, Unchanged).

upsert_rows([], _, Added, Added, Replaced, Replaced, Unchanged, Unchanged).
upsert_rows([Row|Rows], Facts, Added0, Added, Replaced0, Replaced, Unchanged0, Unchanged) :-
    upsert_row(Row, Facts, What),
    count(What, Added0, Added1, Replaced0, Replaced1, Unchanged0, Unchanged1),
    upsert_rows(Rows, Facts, Added1, Added, Replaced1, Replaced, Unchanged1, Unchanged).

count(added, Added0, Added, Replaced, Replaced, Unchanged, Unchanged) :-
    Added is Added0+1.
count(replaced, Added, Added, Replaced0, Replaced, Unchanged, Unchanged) :-
    Replaced is Replaced0+1.
count(unchanged, Added, Added, Replaced, Replaced, Unchanged0, Unchanged) :-
    Unchanged is Unchanged0+1.

upsert_row(Row, facts(Name, Engine, Arity, Key), What) :-
    compound_name_arguments(Row, _, Arguments),
    term_functor(Pattern, Engine, Arity),
    % A fact may give the tag of a dict a value.
    copy_term(Row, Sought),
    same_at(Key, Sought, Pattern),
    findall(old(Ref, Same), old_fact(Pattern, Engine, Arity, Key, Row, Arguments, Ref, Same), Olds),
    (   Olds == []
    ->  compound_name_arguments(Fact, Name, Arguments),
        safe_assertz(Fact),
        What = added
    ;   Olds = [old(_, true)]
    ->  What = unchanged
    ;   What = replaced,
        kept(Olds, Others, Kept),
        forget_all(Others, Pattern),
        (   Kept == true
        ->  true
        ;   compound_name_arguments(Fact, Name, Arguments),
            safe_assertz(Fact)
        )
    ).

same_at([], _, _).
same_at([Place|Places], Row, Pattern) :-
    arg(Place, Row, Value),
    arg(Place, Pattern, Value),
    same_at(Places, Row, Pattern).

%   old_fact(+Pattern, ..., -Ref, -Same): a fact with the key of Row, and not one that only unifies with it.  Same is
%   `true` if it is that of Row.

old_fact(Pattern, Engine, Arity, Key, Row, Arguments, Ref, Same) :-
    stored_in(user, Pattern, true, Ref),
    term_functor(Old, Engine, Arity),
    clause(knowledge_base:Old, true, Ref),
    identical_at(Key, Row, Old),
    compound_name_arguments(Old, _, OldArguments),
    (   OldArguments =@= Arguments
    ->  Same = true
    ;   Same = false
    ).

identical_at([], _, _).
identical_at([Place|Places], Row, Old) :-
    arg(Place, Row, Value),
    arg(Place, Old, OldValue),
    Value =@= OldValue,
    identical_at(Places, Row, Old).

%   kept(+Olds, -Others, -Kept): the first one that is the new fact stays, if there is one; then Kept is `true`.

kept([], [], false).
kept([old(_, true)|Olds], Olds, true) :-
    !.
kept([Old|Olds], [Old|Others], Kept) :-
    kept(Olds, Others, Kept).

forget_all([], _).
forget_all([old(Ref, _)|Olds], Pattern) :-
    ignore(forget(Pattern, Ref)),
    forget_all(Olds, Pattern).
