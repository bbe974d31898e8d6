:- module(corpus, [ read_file/3 ]).
:- use_module('/hornbook/prolog/read/reader').

/** <module> Read a file as an import does, without adding its clauses
*/

%!  read_file(+File, +Operators, +Result) is det.
%
%   Read File in a scope with the list of op/3 terms Operators, and write
%   to the file Result a line `c End` for a clause, `e End Line Message`
%   for what is none, at last `end Start`.

read_file(File, Operators, Result) :-
    read_file_to_string(File, Text, [encoding(utf8), newline(posix), bom(false)]),
    setup_call_cleanup(
        open(Result, write, Out, [encoding(utf8)]),
        setup_call_cleanup(
            open_source(file, Text, Source),
            ( source_scope(Source, Scope),
              maplist(declare(Scope), Operators),
              write_items(Source, Scope, Out)
            ),
            close_source(Source)),
        close(Out)).

write_items(Source, Scope, Out) :-
    read_item(Source, Item),
    write_item(Item, Scope, Out),
    (   Item = end(_)
    ->  true
    ;   write_items(Source, Scope, Out)
    ).

write_item(clause(_, End, Term, _), Scope, Out) :-
    format(Out, "c ~d~n", [End]),
    (   nonvar(Term),
        Term = (:- Directive)
    ->  ignore(directive(Directive, Scope))
    ;   true
    ).
write_item(error(_, End, error(_, Message, Line, _, _)), _, Out) :-
    format(Out, "e ~d ~d ~s~n", [End, Line, Message]).
write_item(end(Start), _, Out) :-
    format(Out, "end ~d~n", [Start]).

directive(op(P, T, N), Scope) :-
    declare(Scope, op(P, T, N)).
directive(module(_, Exports), Scope) :-
    forall(member(op(P, T, N), Exports), declare(Scope, op(P, T, N))).
directive(module(_, Exports, _), Scope) :-
    directive(module(_, Exports), Scope).
directive((A, B), Scope) :-
    ignore(directive(A, Scope)),
    ignore(directive(B, Scope)).
directive(set_prolog_flag(Flag, Value), Scope) :-
    catch(scope_flag(Scope, Flag, Value, _), error(permission_error(_, _, _), _), true).

declare(Scope, op(P, T, N0)) :-
    strip_module(N0, _, N),
    catch(scope_op(Scope, P, T, N, _), error(_, _), true).
