:- module(hb_doubts,
          [ begin_doubts/1,             % +Tabled
            clause_doubts/4,            % +Term, +Names, +Place, -Doubts
            text_doubts/1,              % -Doubts
            goal_doubts/4               % +Result, +Goal, +Names, -Doubts
          ]).
:- use_module('../grammar_rule', [grammar_rule/2]).
:- use_module('../functor').
:- use_module('../sandbox/policy').
:- use_module('../sandbox/sandbox').
:- use_module('../store/store').
:- use_module(around).
:- use_module(branches).
:- use_module(called).
:- use_module(collected, [collected_variables/3]).
:- use_module(declared_arities).
:- use_module(expressions).
:- use_module(indicators).
:- use_module(lambdas).
:- use_module(slips).
:- use_module(subterms).
:- use_module(variable_names).
:- use_module(library(lists), [append/2, member/2, memberchk/2]).

/** <module> Clauses that can be added but may not be what was meant

A doubt is a term doubt(Kind, Start, End, Words) about the clause from Start to
End.  Words is a list of texts.  The kinds are

  - names
    Variables that occur only once in the clause.
  - branch
    Variables that occur only once in a branch of a disjunction, and nowhere outside it.
  - goal
    A variable that is called but that nothing can have bound.
  - value
    A variable that is unified with an expression whose value no other goal computes.
  - function
    A fact of `:=/2` between a call and an expression, which is how other systems define functions.
  - hyphen
    A clause of `-/2` between an atom and what follows it: a hyphen within a name.
  - rule
    A fact of `==>/2`, which is a rule in other systems.
  - quotes
    Quotation marks that are not ASCII: the text between them is neither an atom nor a string.
  - modulo
    A comment within the clause that looks like modulo (hb_check finds it).
  - lambda
    Variables whose constraints a lambda loses.
  - early, increment, collects, joins, term, argument, order, compared, word, output, two, nested, tail, inside, rows,
    date, aggregate, evaluable, goals, template, stored, undone, labeling,
    escape
    Goals and arguments that rarely do what they seem to (slips.pl).
  - left
    A predicate that is not tabled and calls itself before anything else, with nothing but variables.
  - endless
    A predicate that has only clauses that call it again, perhaps through others.
  - unreached
    A predicate with a clause that matches everything and cuts before others.
  - behind
    A predicate with a clause that matches everything and calls it again without a condition, before others.
  - arity
    A declaration of a predicate without clauses, beside one of its name with another number of arguments.
  - calls
    A predicate that is called but not defined.
  - shadows
    A predicate of the system or a library that gets clauses, other than private ones of a module.
  - apart
    A predicate whose clauses are not together.

The clauses of the text are inspected one after the other.  Calls of undefined
predicates are known when all have been seen.  The name of a predicate of another
module than that of the text is qualified with it (predicate_key/3).
*/

:- dynamic
    head/2,                             % Key, Arity: has clauses in the text, or is declared
    last_head/2,
    told/3,                             % Kind, Key, Arity
    by_book/0,                          % what the book tables counts
    chr_here/0,                         % the text loads library(chr)
    apart/2,                            % Key, Arity: is declared discontiguous
    repeats/5,                          % Key, Arity, Start, End, Again: what a clause calls with the rest of something
    begins/6,                           % Key, Arity, OtherKey, OtherArity, Start, End: a clause begins with a call
    calling/5.                          % Module or `none`, Name, Arity, Start, End

%!  begin_doubts(+Tabled) is det.
%
%   Tabled is `book` if what the book tables counts.  It is `text` for a text that may be the new one of a file of the book:
%   then only what the text tables does.

begin_doubts(Tabled) :-
    retractall(by_book),
    (   Tabled == book
    ->  assertz(by_book),
        begin_arities(true)
    ;   begin_arities(false)
    ),
    retractall(head(_,_)),
    retractall(last_head(_,_)),
    retractall(told(_,_,_)),
    retractall(apart(_,_)),
    retractall(repeats(_,_,_,_,_)),
    retractall(begins(_,_,_,_,_,_)),
    retractall(chr_here),
    retractall(calling(_,_,_,_,_)).

%!  clause_doubts(+Term, +Names, +Place, -Doubts) is det.
%
%   Place is Start-End; Names are the variable names, as read_term/2 has them.

clause_doubts((:- Directive), _, Place, []) :-
    !,
    note_directive(Directive, Place).
clause_doubts(Term, Names, Start-End, Doubts) :-
    clause_parts(Term, Head0, Body),
    callable(Head0),
    !,
    keyed(Head0, Head),
    term_functor(Head, Key, Arity),
    findall(doubt(Kind, Start, End, Words),
            ( member(Kind, [names,branch,goal,value,function,hyphen,rule,quotes,lambda,shadows,unreached,behind,apart,left]),
              doubt(Kind, Term, Head, Body, Names, Words),
              Words \== []
            ; slip_kind(Kind),
              slip(Kind, Head, Body, Names, Words)
            ),
            Doubts),
    note_repeats(Head, Body, Start, End),
    note_begin(Head, Body, Start, End),
    note_head(Key, Arity),
    note_clause(Key, Arity, Head, Body, Start-End),
    forall(( called(Body, none, M, N, A), \+ asks_whether(Body, N, A), \+ calling(M, N, A, _, _) ),
           assertz(calling(M, N, A, Start, End))).
clause_doubts(_, _, _, []).

clause_parts(Term, _, _) :-
    var(Term),
    !,
    fail.
clause_parts((Head0 --> Body0), Head, Body) :-
    !,
    catch(grammar_rule((Head0 --> Body0), (Head :- Body)), _, fail).
clause_parts((Head0 => Body), Head, (Guard, Body)) :-
    nonvar(Head0),
    Head0 = (Head,Guard),
    !.
clause_parts((Head => Body), Head, Body) :-
    !.
clause_parts((Head :- Body), Head, Body) :-
    !.
clause_parts(Head, Head, true).

%   keyed(+Head0, -Head): the name of Head is the key of its predicate.

keyed(Module:Head0, Head) :-
    known_module(Module),
    callable(Head0),
    !,
    term_parts(Head0, Name, Args),
    predicate_key(Module, Name, Key),
    Head =.. [Key|Args].
keyed(Head, Head).

note_directive(Directive, Place) :-
    nonvar(Directive),
    (   Directive = (A,B)
    ->  note_directive(A, Place),
        note_directive(B, Place)
    ;   term_functor(Directive, begin_tests, _)  % the tests of a unit come in any order
    ->  forall(member(Arity, [1,2]), note_declared(discontiguous, test, Arity))
    ;   hb_declarations:loads_file(Directive, Spec),
        hb_declarations:loads_chr(Spec)
    ->  assertz(chr_here)
    ;   compound(Directive),
        compound_name_arguments(Directive, Name, [Spec|_]),
        member(Name, [(dynamic),(discontiguous),(table),(multifile),data])
    ->  forall(( indicator(Spec, none, M, N, A), key(M, N, Key) ),
               ( note_declared(Name, Key, A), note_declaration(Name, Key, A, Place) ))
    ;   true
    ),
    !.
note_directive(_, _).

key(none, Name, Name) :-
    !.
key(Module, Name, Key) :-
    predicate_key(Module, Name, Key).

note_declared(Kind, Key, Arity) :-
    (   Kind == (discontiguous)
    ->  assertz(apart(Key, Arity))
    ;   assertz(head(Key, Arity)),
        ( Kind == (table) -> assertz(told(tabled, Key, Arity)) ; true )
    ).

note_head(Name, Arity) :-
    (   head(Name, Arity)
    ->  true
    ;   assertz(head(Name, Arity))
    ),
    retractall(last_head(_,_)),
    assertz(last_head(Name, Arity)).

%!  goal_doubts(+Result, +Goal, +Names, -Doubts) is det.
%
%   Doubts about a query that has no answer, if Result is `failed`, or has one; their places are 0 and 0.

goal_doubts(Result, Goal, Names, Doubts) :-
    (   Result == failed
    ->  Kinds = [early,increment,joins,order,compared,word,inside,goals,undone]
    ;   Kinds = [word,aggregate,template,undone,labeling]
    ),
    findall(doubt(Kind, 0, 0, Words),
            ( member(Kind, Kinds),
              slip(Kind, query, Goal, Names, Words) ),
            Doubts).

                /*******************************
                *          one clause          *
                *******************************/

doubt(names, Term, _, Body, Names, Words) :-
    term_singletons(Term, Vars0),
    collected_variables(Term, Body, Collected), % told as such
    without(Vars0, Collected, Vars),
    names_of(Vars, Names, Words).
doubt(branch, _, Head, Body, Names, Words) :-
    findall(Word,
            ( branch(Body, Head, Branch, Outside),
              term_singletons(Branch, Vars0),
              term_variables(Outside, Others),
              '$append'(Vars0, [], Vars),
              member(Var, Vars),
              \+ ( member(Other, Others), Other == Var ),
              stands_again(Var, Body, Branch),
              names_of([Var], Names, [Word]) ),
            Found),
    sort(Found, Words).
doubt(goal, _, Head, Body, Names, Words) :-
    term_variables(Head, Bound),
    called_variable(Body, Bound, Var),
    !,
    names_of([Var], Names, Words).
doubt(value, _, Head, Body, Names, Words) :-
    findall(Word,
            ( goal_of(Body, Goal),
              unified_expression(Goal, Var, Expression),
              computable(Expression, Head, Body, Var),
              \+ is_computed(Var, Body),
              value_word(Var, Expression, Names, Word) ),
            Found),
    sort(Found, Words).
doubt(function, _, Head, Body, _, Words) :-
    (   Body == true,
        Head = (Call := Value),
        compound(Call),
        \+ is_list(Call),
        \+ compound_name_arity(Call, '.', 2),       % a function of a dict, which := defines
        ( computable(Value, Head, true, none) ; \+ ground(Call) )
    ->  term_functor(Call, Name, Arity),
        reported_once(function, Name, Arity, Words)
    ;   Words = []
    ).
doubt(hyphen, _, Head, _, _, Words) :-
    (   Head = First-Rest,
        atom(First),
        compound(Rest),
        compound_name_arity(Rest, Last, _),
        Last \== '[|]',
        sub_atom(Last, 0, 1, _, Begin),
        char_type(Begin, csymf)
    ->  format(string(Text), '~w-~w', [First,Last]),
        Words = [text(Text)]
    ;   Words = []
    ).
doubt(rule, _, Head, Body, _, Words) :-
    (   Body == true,
        Head = (_ ==> _),
        \+ chr_here,
        \+ hb_policy:used(chr, _)
    ->  Words = [text(==>)]
    ;   Words = []
    ).
doubt(quotes, Term, _, _, _, Words) :-
    (   sub_term_of(Sub, Term),
        compound(Sub),
        compound_name_arity(Sub, Marks, 1),
        marks(Marks)
    ->  Words = [text(Marks)]
    ;   Words = []
    ).
doubt(lambda, _, Head, Body, Names, Words) :-
    lambda_words(Head, Body, Names, Found),
    findall(text(Word), member(Word, Found), Words).
doubt(shadows, _, Head, _, _, Words) :-
    term_functor(Head, Name, Arity),
    class(Name, Arity, Class),
    well_known(Class),
    \+ home_keeps(Name, Arity),
    reported_once(shadows, Name, Arity, Words).
doubt(apart, _, Head, _, _, Words) :-
    term_functor(Head, Name, Arity),
    told(clause, Name, Arity),
    \+ last_head(Name, Arity),
    \+ apart(Name, Arity),
    reported_once(apart, Name, Arity, Words).
doubt(apart, _, Head, _, _, []) :-
    term_functor(Head, Name, Arity),
    reported_once(clause, Name, Arity, _).

doubt(unreached, _, Head, Body, _, Words) :-
    hidden(unreached, Head, Body, Words).
doubt(behind, _, Head, Body, _, Words) :-
    hidden(behind, Head, Body, Words).
doubt(left, _, Head, Body, _, Words) :-
    term_functor(Head, Name, Arity),
    (   begins_with(Head, Body, Name, Arity),
        \+ counts_on(Head, Body),
        \+ is_tabled(Name/Arity)
    ->  reported_once(left, Name, Arity, Words)
    ;   Words = []
    ).

is_tabled(Name/Arity) :-
    ( told(tabled, Name, Arity) ; by_book, hb_store:tabled(Name, Arity) ),
    !.

%   hidden(+Kind, +Head, +Body, -Words): Words name the predicate if a clause before this one keeps it from being tried, the first
%   time.

hidden(Kind, Head, Body, Words) :-
    term_functor(Head, Name, Arity),
    (   told(hides(Kind), Name, Arity)
    ->  reported_once(Kind, Name, Arity, Words)
    ;   Words = [],
        (   takes_all(Head),
            hides(Kind, Head, Body, Name, Arity)
        ->  assertz(told(hides(Kind), Name, Arity))
        ;   true
        )
    ).

hides(unreached, _, Body, _, _) :-
    first_goal(Body, First),
    First == !.
hides(behind, Head, Body, Name, Arity) :-
    \+ begins_with(Head, Body, Name, Arity),    % `left` tells that
    recurses_at_once(Head, Body, Name, Arity).

%   takes_all(+Head): the arguments of Head are variables, each another one.

takes_all(Head) :-
    term_parts(Head, _, Args),
    \+ ( member(Arg, Args), nonvar(Arg) ),
    term_variables(Args, Vars),
    length(Args, Arity),
    length(Vars, Arity).

%   begins_with(+Head, +Body, ?Name, ?Arity) is semidet: Body begins with a call of Name/Arity; it and Head have variables
%   alone as arguments, one at least.

begins_with(Head, Body, Name, Arity) :-
    compound(Head),
    first_goal(Body, Call),
    compound(Call),
    term_functor(Call, Name, Arity),
    Arity > 0,
    \+ ( ( arg(_, Head, Arg) ; arg(_, Call, Arg) ), nonvar(Arg) ).

%   recurses_at_once(+Head, +Body, +Name, +Arity): Body calls Name/Arity after nothing but goals that succeed whenever they
%   end without an error.  Arithmetic does if its result is new.

recurses_at_once(Seen, Body, Name, Arity) :-
    first_goal(Body, Goal),
    (   term_functor(Goal, Name, Arity)
    ->  true
    ;   is_certain(Goal, Seen),
        rest_goals(Body, Rest),
        recurses_at_once(Seen-Goal, Rest, Name, Arity)
    ).

is_certain(Goal, Seen) :-
    (   Goal = (Var is Expression)
    ->  var(Var),
        term_variables(Seen-Expression, Vars),
        \+ ( member(Other, Vars), Other == Var )
    ;   term_functor(Goal, Name, Arity),
        certain(Name, Arity)
    ).

certain(true, 0).
certain(nl, 0).
certain(write, 1).
certain(writeln, 1).
certain(print, 1).
certain(tab, 1).
certain(format, 1).
certain(format, 2).
certain(assertz, 1).
certain(asserta, 1).

rest_goals(((A,B),C), Rest) :-
    !,
    rest_goals((A,B,C), Rest).
rest_goals((_,Rest), Rest).

%   counts_on(+Head, +Body): Body computes an argument of Head, of which each answer makes another one, as in nat/1 and
%   fib(N, F) :- fib(N1, F1), N is N1+1, F is F1+1.  A table would have no end.

counts_on(Head, (_,Later)) :-
    goal_of(Later, Goal),
    ( Goal = (Var is _) ; Goal = succ(_, Var) ; Goal = plus(_, _, Var) ),
    arg(_, Head, Arg),
    Arg == Var,
    !.

first_goal(Body, First) :-
    nonvar(Body),
    (   Body = (A,_)
    ->  first_goal(A, First)
    ;   callable(Body),
        First = Body
    ).

%   well_known(+Class): a predicate of the system, or of a library that every program uses.
%   Programs often use names of other libraries for predicates of their own.

well_known(library(Module))    :- !, usual(Module).
well_known(library(Module, _)) :- !, usual(Module).
well_known(Class)              :- Class \= offered(_), Class \= override(_), Class \== refused.

usual(lists).
usual(apply).
usual(aggregate).

reported_once(Kind, Name, Arity, [text(Text)]) :-
    \+ told(Kind, Name, Arity),
    assertz(told(Kind, Name, Arity)),
    indicator_text(Name, Arity, Text).

%   indicator_text(+Name, +Arity, -Text): as it is written in a directive; (~>)/2 is not `~> / 2`.

indicator_text(Name, Arity, Text) :-
    format(string(Plain), '~q', [Name/Arity]),
    (   sub_string(Plain, _, _, _, " / ")
    ->  format(string(Text), '(~q)/~d', [Name, Arity])
    ;   Text = Plain
    ).

%   marks(?Marks): what the reader calls the text between Unicode quotation marks.

marks('“”').
marks('‘’').
marks('«»').
marks('‹›').
marks('„“').
marks('‚‘').

%!  text_doubts(-Doubts) is det.
%
%   Doubts about predicates that are called, but defined neither in the text nor in the book.

text_doubts(Doubts) :-
    findall(doubt(endless, Start, End, [text(Text)]), endless(Start, End, Text), Endless),
    findall(doubt(left, Start, End, [text(Text)]), left(Start, End, Text), Left),
    findall(doubt(arity, Start, End, [text(Text)]), other_arity_declared(Start, End, Text), Arities),
    undefined_calls(Undefined),
    append([Endless,Left,Arities,Undefined], Doubts).

%   endless(-Start, -End, -Text): each clause of the predicate Text calls it, or one of which that is true as well, with the
%   rest of a list or with a number that has changed; Start and End are those of the first one.

endless(Start, End, Text) :-
    findall(Name/Arity, ( repeats(Name, Arity, _, _, [_|_]), \+ repeats(Name, Arity, _, _, []) ), PIs0),
    sort(PIs0, PIs1),
    findall(Name/Arity, ( member(Name/Arity, PIs1), \+ declared_elsewhere(Name, Arity) ), PIs2),
    without_end(PIs2, PIs),
    member(Name/Arity, PIs),
    once(repeats(Name, Arity, Start, End, Again)),
    once(( member(Other, Again),
           member(Other, PIs),
           ( Other == Name/Arity ; later(Other, Start) ) )),
    indicator_text(Name, Arity, Text).

%   without_end(+PIs0, -PIs): PIs are those of PIs0 of which each clause calls one of PIs again.

without_end(PIs0, PIs) :-
    findall(Name/Arity,
            ( member(Name/Arity, PIs0),
              \+ ( repeats(Name, Arity, _, _, Again),
                   \+ ( member(Other, Again), memberchk(Other, PIs0) ) ) ),
            PIs1),
    (   PIs1 == PIs0
    ->  PIs = PIs0
    ;   without_end(PIs1, PIs)
    ).

later(Name/Arity, Start) :-
    once(repeats(Name, Arity, Other, _, _)),
    Other > Start.

%   left(-Start, -End, -Text): the predicate Text, which is not tabled, begins with a call of another one that begins with a
%   call of it; Start and End are those of the clause that comes first.

left(Start, End, Text) :-
    begins(Name, Arity, Other, OtherArity, Start, End),
    once(( begins(Other, OtherArity, Name, Arity, Later, _), Later > Start )),
    \+ ( ( PI = Name/Arity ; PI = Other/OtherArity ), is_tabled(PI) ),
    reported_once(left, Name, Arity, [text(Text)]).

declared_elsewhere(Name, Arity) :-
    apart(Name, Arity),
    !.
declared_elsewhere(Name, Arity) :-
    aggregate_all(count, repeats(Name, Arity, _, _, _), Here),
    term_functor(Head, Name, Arity),
    predicate_property(knowledge_base:Head, number_of_clauses(All)),
    All > Here,
    !.

note_repeats(Head, Body, Start, End) :-
    term_functor(Head, Name, Arity),
    findall(PI, calls_again(Head, Body, PI), PIs),
    sort(PIs, Again),
    assertz(repeats(Name, Arity, Start, End, Again)).

note_begin(Head, Body, Start, End) :-
    (   begins_with(Head, Body, Other, OtherArity),
        \+ class(Other, OtherArity, _)
    ->  term_functor(Head, Name, Arity),
        assertz(begins(Name, Arity, Other, OtherArity, Start, End))
    ;   true
    ).

undefined_calls(Doubts) :-
    findall(doubt(calls, Start, End, [text(Text)]),
            ( calling(Module, Name, Arity, Start, End),
              is_undefined(Module, Name, Arity, Before),
              \+ sub_atom(Name, 0, _, _, $),
              format(string(Text), '~w~q', [Before,Name/Arity]) ),
            Doubts).

%   is_undefined(+Module, +Name, +Arity, -Before): fails for modules of files beside the text, whose
%   definitions are not known here.  Before is the text for the module.

is_undefined(none, Name, Arity, '') :-
    !,
    \+ head(Name, Arity),
    \+ own(Name, Arity),
    \+ own_at_home(Name, Arity).
is_undefined(Module, Name, Arity, Before) :-
    predicate_key(Module, Name, Key),
    (   Key == Name
    ->  is_undefined(none, Name, Arity, Before)
    ;   users_module(Module),
        \+ head(Key, Arity),
        \+ own(Key, Arity),
        \+ own(Name, Arity),
        format(atom(Before), '~q:', [Module])
    ).

own_at_home(Name, Arity) :-
    home(Module),
    atomic_list_concat([Module,:,Name], Own),
    own(Own, Arity).
