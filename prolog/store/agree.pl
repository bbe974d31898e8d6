:- module(hb_agree,
          [ differences/3               % +Predicates, +Loads, -Differences
          ]).
:- use_module('../read/reader').
:- use_module('../sandbox/sandbox').
:- use_module('../read/clauses').
:- use_module(store).
:- use_module(heads).
:- use_module(code).
:- use_module('../functor').

/** <module> Whether this engine holds what the book holds

For tests and tools; changes nothing.  Reads the entries of the book again as
reload/4 of hb_adding does, and compares them clause by clause with those that
the engine holds under the same ids.
*/

:- dynamic
    expected/2,                         % Name, Arity: known
    expected_table/2,                   % Name, Arity
    seen/2.                             % Id, Number: the book has Id, in this position

%!  differences(+Predicates, +Loads, -Differences) is det.
%
%   Predicates are those that the book knows, Loads its entries as for
%   reload/4.  Differences is a list of sentences, as strings; it is empty if
%   engine and book agree.

differences(PIs, Loads, Differences) :-
    forget_expected,
    give_all_ids,
    forall('$member'(Name/Arity, PIs), expect(Name, Arity)),
    findall(Text, ( difference(Loads, What, Args), format(string(Text), What, Args) ), Differences),
    forget_expected.

forget_expected :-
    retractall(expected(_,_)),
    retractall(expected_table(_,_)),
    retractall(seen(_,_)),
    set_flag(hb_seen, 0).

expect(Name, Arity) :-
    (   expected(Name, Arity)
    ->  true
    ;   assertz(expected(Name, Arity))
    ).

%   difference(+Loads, -Format, -Args) is nondet.  The entries come first because
%   they determine what else to expect.

difference(Loads, Format, Args) :-
    '$member'(load(Kind, Text, Ids), Loads),
    entries(Kind, Text, Ids, Entries),
    '$member'(Entry, Entries),
    entry_difference(Entry, Format, Args).
difference(_, "the engine has clause ~d, ~W, and the book has not", [Id|Clause]) :-
    with_id(Id, Ref),
    \+ seen(Id, _),
    shown(Ref, Clause).
difference(_, "two clauses of the engine have the id ~d", [Id]) :-
    with_id(Id, Ref1),
    with_id(Id, Ref2),
    Ref1 @< Ref2.
difference(_, Format, Args) :-
    own(Name, Arity),
    predicate_difference(Name, Arity, Format, Args).
difference(_, "the engine does not know ~q", [Name/Arity]) :-
    expected(Name, Arity),
    \+ own(Name, Arity).
difference(_, "~q is defined, and not known", [Name/Arity]) :-
    predicate_property(knowledge_base:Head, defined),
    \+ predicate_property(knowledge_base:Head, imported_from(_)),
    term_functor(Head, Name, Arity),
    \+ own(Name, Arity),
    \+ shared(_, Name, Arity, _),
    \+ sub_atom(Name, 0, _, _, $).

%   entries(+Kind, +Text, +Ids, -Entries): Entries are terms entry(Id, Module-Found).
%   Found is clause(Term), directive(Directive) or `unread`; or, where texts and ids
%   do not come out even, `missing` or `more`.

entries(Kind, Text, Runs, Entries) :-
    findall(Id, ( '$member'(First-Count, Runs), Last is First+Count-1, between(First, Last, Id) ), Ids),
    text_module(Kind, Plain, Module),
    setup_call_cleanup(
        open_source(Plain, Text, Source),
        ( source_scope(Source, Scope),
          set_scope_module(Scope, Module),
          entries(Ids, Source, Entries)
        ),
        ( set_scope_module(Scope, user),
          close_source(Source)
        )).

entries(Ids, Source, Entries) :-
    read_item(Source, Item),
    (   Item = end(_)
    ->  findall(entry(Id, user-missing), '$member'(Id, Ids), Entries)
    ;   Ids = [Id|Ids1]
    ->  Entries = [Entry|Entries1],
        item_entry(Item, Source, Id, Entry),
        entries(Ids1, Source, Entries1)
    ;   Entries = [entry(none, user-more)]
    ).

item_entry(clause(Start,_,(:- Directive),_), source(_, _, Text, Scope, _), Id, entry(Id, Module-directive(Directive))) :-
    nonvar(Directive),
    !,
    scope_module(Scope, Module),
    (   ( Directive = op(_, _, _) ; Directive = set_prolog_flag(_, _) ; Directive = use_module(_) ; Directive = module(_, _) )
    ->  catch(hb_directives:directive(Directive, Text-Start, Scope, none, _), _, true)
    ;   true
    ).
item_entry(clause(_,_,Term,_), source(_, _, _, Scope, _), Id, entry(Id, user-directive(true))) :-
    hb_chr_rules:is_rule(Term, Scope),
    !.
item_entry(clause(_,_,Term,_), source(_, _, _, Scope, _), Id, entry(Id, Module-clause(Term))) :-
    !,
    scope_module(Scope, Module).
item_entry(error(_,_,_), _, Id, entry(Id, user-unread)).

entry_difference(entry(Id, Module-Found), Format, Args) :-
    (   integer(Id)
    ->  get_flag(hb_seen, Number),
        Number1 is Number+1,
        set_flag(hb_seen, Number1),
        assertz(seen(Id, Number))
    ;   true
    ),
    in_module(Module, findall(Format-Args, hb_agree:found_difference(Found, Id, Format, Args), Differences)),
    '$member'(Format-Args, Differences).

found_difference(missing, Id, "the text of the book ends before entry ~d", [Id]).
found_difference(more, _, "the text of the book has more clauses than ids", []).
found_difference(unread, Id, "entry ~d is no clause, and the engine has ~W", [Id|Clause]) :-
    with_id(Id, Ref),
    shown(Ref, Clause).
found_difference(directive(Directive), _, _, _) :-
    catch(expect_declared(Directive), _, true),
    fail.
found_difference(clause(Term), Id, Format, Args) :-
    catch(text_clause(Term, Id, Clause), _, fail),
    (   with_id(Id, Ref)
    ->  \+ held(Clause, Ref),
        Format = "entry ~d of the book is ~W, and the engine has ~W",
        shown(Ref, Shown),
        '$append'([Id, Term, [quoted(true), max_depth(20)]], Shown, Args)
    ;   acceptable(Clause),
        Format = "the engine has not entry ~d of the book, ~W",
        Args = [Id, Term, [quoted(true), max_depth(20)]]
    ).

expect_declared(Named:Directive) :-
    home_module(Named),
    module_of(Named, Module),
    in_module(Module, hb_agree:expect_declared(Directive)).
expect_declared(dynamic(Spec)) :-
    hb_predicates:indicators(Spec, PIs),
    forall(( '$member'(PI, PIs), hb_predicates:declared_head(PI, Head) ),
           ( term_functor(Head, Name, Arity), expect(Name, Arity) )).
expect_declared(dynamic(Spec, _)) :-
    expect_declared(dynamic(Spec)).
expect_declared(thread_local(Spec)) :-
    expect_declared(dynamic(Spec)).
expect_declared(data(Spec, _)) :-
    expect_declared(dynamic(Spec)).
expect_declared((A,B)) :-
    ignore(expect_declared(A)),
    ignore(expect_declared(B)).
expect_declared(table(Spec)) :-
    hb_directives:table_specs(Spec, Specs),
    forall(( '$member'(Spec1, Specs),
             hb_directives:table_one(Spec1, Name, Arity, _) ),
           ( expect(Name, Arity),
             assertz(expected_table(Name, Arity)) )).

%   acceptable(+Clause): an engine that loads the book would accept the clause.

acceptable(Clause) :-
    Clause = clause(_, _, _, Head, _),
    catch(( check_head(Head, _, _), stored_body(Clause, _, _) ), _, fail).

%   held(+Clause, +Ref): the clause Ref is Clause, text of the same module and translated to the same code as now.

held(Clause, Ref) :-
    Clause = clause(_, Module, Neck, Head, Written),
    clause(knowledge_base:Held, Safe, Ref),
    clause_text_of(Ref, Held, Safe, HeldModule, HeldWritten),
    (   neck(Ref, HeldNeck)
    ->  true
    ;   HeldNeck = (:-)
    ),
    Neck == HeldNeck,
    (   Written == true
    ->  true
    ;   Module == HeldModule
    ),
    same_code((Head,Written), (Held,HeldWritten)),
    setup_call_cleanup(
        nb_setval(hb_loading, true),
        stored_body(Clause, Safe1, _),
        nb_setval(hb_loading, false)),
    same_code((Head,Safe1), (Held,Safe)).

shown(Ref, [Clause, [quoted(true), max_depth(20)]]) :-
    clause(knowledge_base:Head, Safe, Ref),
    as_written(Safe, Body),
    seen_goal(Head, Seen),
    (   Body == true
    ->  Clause = Seen
    ;   Clause = (Seen:-Body)
    ).

predicate_difference(Name, Arity, "the engine knows ~q, and the book does not", [Name/Arity]) :-
    \+ expected(Name, Arity).
predicate_difference(Name, Arity, "~q is not dynamic", [Name/Arity]) :-
    term_functor(Head, Name, Arity),
    \+ predicate_property(knowledge_base:Head, dynamic).
predicate_difference(Name, Arity, "~q is ~w", [Name/Arity, Which]) :-
    term_functor(Head, Name, Arity),
    (   predicate_property(knowledge_base:Head, tabled)
    ->  \+ expected_table(Name, Arity),
        Which = "tabled"
    ;   expected_table(Name, Arity),
        Which = "not tabled"
    ).
predicate_difference(Name, Arity, Format, Args) :-
    term_functor(Head, Name, Arity),
    findall(Id, ( clause(knowledge_base:Head, _, Ref), clause_id(Ref, Id) ), Ids),
    (   '$member'(none, Ids)
    ->  Format = "a clause of ~q has no id",
        Args = [Name/Arity]
    ;   findall(Number, ( '$member'(Id, Ids), seen(Id, Number) ), Numbers),
        \+ sort(0, @<, Numbers, Numbers)
    ->  Format = "the clauses of ~q are in the order ~w",
        Args = [Name/Arity, Ids]
    ).

clause_id(Ref, Id) :-
    (   with_id(Id0, Ref)
    ->  Id = Id0
    ;   Id = none
    ).
