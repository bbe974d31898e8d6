/*  Reads the Prolog files named on standard input, one path a line, with
    read_term/3 of the SWI-Prolog that runs this. Writes for each a line of
    JSON:

      {"clauses": [Offset, ...], "errors": [Offset, ...], "operators": [Text, ...]}

    the offsets where the clauses and the texts that are none end, in code
    points, and the operators that the file imports, as op/3 terms.
*/

:- use_module(library(http/json)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(readutil)).

:- initialization(main, main).

main :-
    set_stream(user_input, encoding(utf8)),
    read_line_to_string(user_input, Line),
    (   Line == end_of_file
    ->  true
    ;   read_file(Line, Clauses, Errors, Operators),
        json_write_dict(current_output,
                        _{clauses:Clauses, errors:Errors, operators:Operators},
                        [width(0)]),
        nl,
        main
    ).

read_file(File, Clauses, Errors, Operators) :-
    Module = corpus,
    setup_call_cleanup(
        '$set_source_module'(Old, Module),
        setup_call_cleanup(
            open_file(File, In),
            read_terms(In, File, Module, Ends, Imported),
            close(In)),
        ( '$set_source_module'(_, Old),
          forget_operators(Module)
        )),
    findall(End, member(clause(End), Ends), Clauses),
    findall(End, member(error(End), Ends), Errors),
    maplist(term_string, Imported, Operators).

open_file(File, In) :-
    open(File, read, In, [encoding(utf8), bom(false), newline(posix)]),
    (   peek_string(In, 2, "#!")
    ->  skip(In, 0'\n)
    ;   true
    ).

forget_operators(Module) :-
    forall(( current_op(P, T, Module:Name),
             \+ current_op(P, T, system:Name)
           ),
           op(0, T, Module:Name)),
    forall(( current_op(P, T, system:Name),
             \+ current_op(P, T, Module:Name)
           ),
           op(P, T, Module:Name)),
    maplist([Flag=Value]>>set_prolog_flag(Module:Flag, Value),
            [double_quotes=string, back_quotes=codes, var_prefix=false]).

read_terms(In, File, Module, Ends, Imported) :-
    catch(read_term(In, Term, [module(Module), syntax_errors(error)]), Error, true),
    character_count(In, End),
    (   nonvar(Error)
    ->  (   Error = error(syntax_error(_), _)
        ->  true
        ;   throw(Error)
        ),
        Ends = [error(End)|Ends1],
        read_terms(In, File, Module, Ends1, Imported)
    ;   Term == end_of_file
    ->  Ends = [],
        Imported = []
    ;   Ends = [clause(End)|Ends1],
        term_operators(Term, File, Own, Foreign),
        append(Own, Foreign, Operators),
        forall(member(op(P, T, N), Operators),
               catch(op(P, T, Module:N), _, true)),
        forall(flag_directive(Term, Flag, Value),
               set_prolog_flag(Module:Flag, Value)),
        append(Foreign, Imported1, Imported),
        read_terms(In, File, Module, Ends1, Imported1)
    ).

flag_directive((:- set_prolog_flag(Flag, Value)), Flag, Value) :-
    memberchk(Flag, [double_quotes, back_quotes, var_prefix, rational_syntax]).

% term_operators(+Term, +File, -Own, -Foreign)

term_operators(Term, File, Own, Foreign) :-
    (   nonvar(Term),
        Term = (:- Directive),
        directive_operators(Directive, File, Own, Foreign)
    ->  true
    ;   Own = [],
        Foreign = []
    ).

directive_operators(op(P, T, N0), _, [op(P, T, N)], []) :-
    strip_module(N0, _, N).
directive_operators(module(_, Exports), _, Own, []) :-
    exported(Exports, Own).
directive_operators(module(_, Exports, _), _, Own, []) :-
    exported(Exports, Own).
directive_operators((A, B), File, Own, Foreign) :-
    term_operators((:- A), File, OwnA, ForeignA),
    term_operators((:- B), File, OwnB, ForeignB),
    append(OwnA, OwnB, Own),
    append(ForeignA, ForeignB, Foreign).
directive_operators(use_module(Spec), File, [], Foreign) :-
    file_operators(Spec, File, Foreign).
directive_operators(use_module(Spec, _), File, [], Foreign) :-
    file_operators(Spec, File, Foreign).
directive_operators(autoload(Spec), File, [], Foreign) :-
    file_operators(Spec, File, Foreign).
directive_operators(autoload(Spec, _), File, [], Foreign) :-
    file_operators(Spec, File, Foreign).
directive_operators(reexport(Spec), File, [], Foreign) :-
    file_operators(Spec, File, Foreign).
directive_operators(reexport(Spec, _), File, [], Foreign) :-
    file_operators(Spec, File, Foreign).

exported(Exports, Operators) :-
    is_list(Exports),
    findall(op(P, T, N), member(op(P, T, N), Exports), Operators).

% The operators a file exports, and those of the files it exports again.

:- dynamic known/2.

file_operators(Specs, File, Operators) :-
    is_list(Specs),
    !,
    maplist([Spec, Ops]>>file_operators(Spec, File, Ops), Specs, Lists),
    append(Lists, Operators).
file_operators(Spec, File, Operators) :-
    absolute_file_name(Spec, Path,
                       [ file_type(prolog), access(read),
                         relative_to(File), file_errors(fail)
                       ]),
    !,
    (   known(Path, Operators)
    ->  true
    ;   assertz(known(Path, [])),               % while it is looked at
        setup_call_cleanup(
            open_file(Path, In),
            header_operators(In, Path, Operators),
            close(In)),
        retractall(known(Path, _)),
        assertz(known(Path, Operators))
    ).
file_operators(_, _, []).

header_operators(In, File, Operators) :-
    catch(read_term(In, Term, [module(corpus_header)]), _, fail),
    nonvar(Term),
    Term = (:- Directive),
    !,
    (   ( Directive = reexport(Spec) ; Directive = reexport(Spec, _) )
    ->  file_operators(Spec, File, Own)
    ;   Directive = module(_, Exports)
    ->  exported(Exports, Own)
    ;   Own = []
    ),
    header_operators(In, File, More),
    append(Own, More, Operators).
header_operators(_, _, []).
