:- module(hb_check,
          [ check/6,                    % +Text, +Home, +Modules, +Tabled, -Places, -Parts
            check_directive/3           % +Directive, +Place, +Scope
          ]).
:- use_module('../grammar_rule', [grammar_rule/2]).
:- use_module('../functor').
:- use_module(reader).
:- use_module('../sandbox/policy').
:- use_module('../sandbox/sandbox').
:- use_module('../store/store').
:- use_module('../store/heads').
:- use_module(ahead).
:- use_module(directives).
:- use_module(clauses, [is_value/1, refuse_value/1]).
:- use_module('../errors').
:- use_module(modulo).
:- use_module(doubts).
:- use_module(around).

/** <module> What is wrong with a file that is being written

Reads a text as if to add it, and adds nothing.
*/

most_problems(200).

%!  check(+Text, +Home, +Modules, +Tabled, -Places, -Parts) is det.
%
%   Home is the module whose file includes Text, or `none`; Modules are the modules of files that
%   the book may not have; Tabled is as for begin_doubts/1.  Places is a list of [error, Start, End] for items of Text that would not
%   be added, and [Kind, Start, End] for clauses that raise a doubt (doubts.pl).  Parts are the
%   errors and the lists of texts.

check(Text, Home, Modules, Tabled, Places, Parts) :-
    most_problems(Most),
    nb_setval(hb_text_kind, file),
    begin_around(Home, Modules),
    begin_doubts(Tabled),
    begin_ahead,
    setup_call_cleanup(
        open_source(file, Text, Source),
        problems(Most, Source, [], Problems),
        close_source(Source)),
    findall(problem(error,Start,End,Error),
            ( early_call(Start, End, PI),
              early_error(PI, Error) ),
            Early),
    text_doubts(Doubts),
    doubt_problems(Doubts, Last),
    '$append'([Problems,Early,Last], All),
    problem_parts(All, Places, Parts).

early_error(PI, Error) :-
    format(string(Message), "Unknown procedure: ~w, when this directive runs: it is defined below. Move the directive down, or write `:- initialization(Goal).`", [PI]),
    error_json(error(hornbook(message(existence_error, Message)), _), Error).

problem_parts([], [], []).
problem_parts([problem(Kind,Start,End,Part)|Problems], [[Kind,Start,End]|Places], [Part|Parts]) :-
    problem_parts(Problems, Places, Parts).

problems(0, _, _, []) :-
    !.
problems(Left, Source, Own, Problems) :-
    read_item(Source, Item, [comments(Comments)]),
    item_problems(Item, Source, Comments, Own, Problems, Problems1, Own1),
    (   Own1 == end
    ->  Problems1 = []
    ;   Problems == Problems1
    ->  problems(Left, Source, Own1, Problems1)
    ;   Left1 is Left-1,
        problems(Left1, Source, Own1, Problems1)
    ).

item_problems(end(_), _, _, _, Problems, Problems, end).
item_problems(error(Start, End, Problem), _, _, Own, [problem(error,Start,End,Error)|Problems], Problems, Own) :-
    error_json(Problem, Error).
item_problems(clause(Start, End, Term, Names), Source, Comments, Own, Problems0, Problems, Own1) :-
    Source = source(_, _, Text, Scope, _),
    note_header(Term),
    unqualified(Term, Plain),
    catch(check_term(Plain, Text-Start, Scope, Own, Own1), Ball, true),
    (   var(Ball)
    ->  Problems0 = Problems1
    ;   Ball = error(permission_error(call, sandboxed, Name/Arity), _),
        (   '$member'(Name/Arity, Own)
        ;   defined_in(Text, Scope, Name/Arity)
        )
    ->  Problems0 = Problems1,
        Own1 = Own
    ;   error_json(Ball, Error),
        Problems0 = [problem(error,Start,End,Error)|Problems1],
        Own1 = Own
    ),
    (   Problems0 == Problems1
    ->  clause_doubts(Term, Names, Start-End, Doubts0),
        (   Term = (:- _)
        ->  Doubts = Doubts0
        ;   comment_doubts(Comments, Start, End, Source, Doubts0, Doubts)
        ),
        doubt_problems(Doubts, Found),
        '$append'(Found, Problems, Problems1)
    ;   Problems1 = Problems
    ).

%   comment_doubts(+Comments, +Start, +End, +Source, +Doubts0, -Doubts): a comment within the clause
%   may have swallowed goals.

comment_doubts(Comments, Start, End, Source, Doubts0, [doubt(modulo,Start,End,[text(Message)])|Doubts0]) :-
    Comments = [_|_],
    Source = source(_, _, Text, Scope, _),
    modulo_comment(Text, place(Start,End,0), Comments, Scope, _, Message),
    !.
comment_doubts(_, _, _, _, Doubts, Doubts).

doubt_problems([], []).
doubt_problems([doubt(Kind,Start,End,Words)|Doubts], [problem(Kind,Start,End,list(Words))|Problems]) :-
    doubt_problems(Doubts, Problems).

%   check_term(+Term, +Place, +Scope, +Own, -Own1): Own are the predicates that the text
%   has defined so far.  They may have the name of a refused one.

check_term(Term, _, _, _, _) :-
    is_value(Term),
    !,
    refuse_value(Term).
check_term((:- Directive), Place, Scope, Own, Own) :-
    !,
    check_directive(Directive, Place, Scope).
check_term(Term, _, Scope, Own, Own) :-
    hb_chr_rules:is_rule(Term, Scope),
    !,
    hb_chr_rules:check_rule(Term).
check_term((?- _), _, _, _, _) :-
    !,
    throw(error(hornbook(message(permission_error, "A query is not a clause: ask it.")), _)).
check_term((Head0 => Body0), _, _, Own, Own1) :-
    !,
    single_sided(Head0, Body0, Head, _, Body),
    check_clause(Head, Body, Own, Own1).
check_term((Head --> Body), _, _, Own, Own1) :-
    !,
    grammar_rule((Head --> Body), (Head1 :- Body1)),
    check_clause(Head1, Body1, Own, Own1).
check_term((Head :- Body), _, _, Own, Own1) :-
    !,
    check_clause(Head, Body, Own, Own1).
check_term(Head, _, _, Own, Own1) :-
    check_clause(Head, true, Own, Own1).

check_clause(Head0, Body, Own, Own1) :-
    text_head(Head0, Head),
    check_head(Head, Name, Arity),
    (   class(Name, Arity, _)
    ->  Own1 = [Name/Arity|Own]
    ;   Own1 = Own
    ),
    (   Body == true
    ->  true
    ;   catch(safe_body(Body, _), error(permission_error(call, sandboxed, PI), Context), true),
        (   nonvar(PI),
            \+ '$member'(PI, Own1)
        ->  throw(error(permission_error(call, sandboxed, PI), Context))
        ;   true
        )
    ).

%!  check_directive(+Directive, +Place, +Scope) is det.
%
%   Carry out Directive only if it changes how the text is read.
%
%   @throws the errors that adding Directive would throw.

check_directive(Goal, _, _) :-
    callable(Goal),
    term_functor(Goal, Name, 1),
    '$member'(Name, [dynamic, discontiguous, table]),
    !.
check_directive(Goal, _, _) :-
    callable(Goal),
    term_functor(Goal, Name, Arity),
    '$member'(Name/Arity, [if/1, elif/1, else/0, endif/0]),
    !.
check_directive(initialization(Goal), _, _) :-
    !,
    safe_body(Goal, _).
check_directive(initialization(Goal, _), _, _) :-
    !,
    safe_body(Goal, _).
check_directive(Goal, Place, Scope) :-
    directive(Goal, Place, Scope, none, _).
