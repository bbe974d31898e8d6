:- module(hb_ahead,
          [ begin_ahead/0,
            defined_in/3                % +Text, +Scope, +PI
          ]).
:- use_module('../sandbox/policy').
:- use_module('../functor').
:- use_module('../store/store').

/** <module> Predicates that a text defines further down

A program may define a predicate with the name of one outside the sandbox, and
call it before its clauses come.
*/

%!  begin_ahead is det.
%
%   A new text begins.

begin_ahead :-
    nb_setval(hb_ahead, none).

%!  defined_in(+Text, +Scope, +PI) is semidet.
%
%   Text, read in Scope, has a clause of PI, a predicate outside the sandbox that is not yet the
%   user's own.  Reads Text ahead at most once, and only if it calls such a predicate and a line
%   begins with the predicate's name.

defined_in(Text, Scope, Name/Arity) :-
    redefinable(Name, Arity),
    \+ own(Name, Arity),
    begins_a_line(Text, Name),
    !,
    (   nb_getval(hb_ahead, PIs),
        PIs \== none
    ->  true
    ;   refused_heads(Text, Scope, PIs),
        nb_setval(hb_ahead, PIs)
    ),
    '$member'(Name/Arity, PIs),
    !.

begins_a_line(Text, Name) :-
    (   sub_string(Text, 0, _, _, Name)
    ->  true
    ;   string_concat("\n", Name, Line),
        sub_string(Text, _, _, _, Line)
    ->  true
    ).

refused_heads(Text, Scope, PIs) :-
    setup_call_cleanup(
        open_string(Text, Stream),
        findall(Name/Arity,
                ( clause_of(Stream, Scope, Clause),
                  clause_head(Clause, Name, Arity),
                  class(Name, Arity, refused) ),
                All),
        close(Stream)),
    sort(All, PIs).

clause_of(Stream, Scope, Clause) :-
    repeat,
    catch(read_term(Stream, Clause, [module(Scope)]), error(syntax_error(_), _), true),
    (   Clause == end_of_file
    ->  !,
        fail
    ;   true
    ).

clause_head(Clause, _, _) :-
    var(Clause),
    !,
    fail.
clause_head((Head :- _), Name, Arity) :-
    !,
    name_arity(Head, Name, Arity).
clause_head((Head0 => _), Name, Arity) :-
    !,
    (   nonvar(Head0),
        Head0 = (Head,_)
    ->  true
    ;   Head = Head0
    ),
    name_arity(Head, Name, Arity).
clause_head((Head --> _), Name, Arity) :-
    !,
    name_arity(Head, Name, Arity0),
    Arity is Arity0+2.
clause_head(Head, Name, Arity) :-
    name_arity(Head, Name, Arity).
