% A program by others in SWI-Prolog for WebAssembly without Hornbook: asked(+Text, -Json) makes a query as native.pl does.

:- module(plain, [asked/2]).
:- use_module(library(json)).
:- use_module(library(solution_sequences)).

asked(Text, Json) :-
    nb_setval(answers, []),
    with_output_to(string(Output), catch(forall(limit(3, answer(Text, Answer)), keep(Answer)), Error, true)),
    nb_getval(answers, Reversed),
    reverse(Reversed, Answers),
    (   var(Error)
    ->  Wrong = null
    ;   Error = error(Formal, _)
    ->  format(string(Wrong), "~q", [Formal])
    ;   format(string(Wrong), "~q", [Error])
    ),
    atom_json_dict(Json, _{answers: Answers, error: Wrong, output: Output}, [width(0)]).

keep(Answer) :-
    nb_getval(answers, Answers),
    nb_setval(answers, [Answer|Answers]).

answer(Text, Answer) :-
    term_string(Goal, Text, [variable_names(Bindings)]),
    call(user:Goal),
    findall(One,
            ( member(Name=Value, Bindings), nonvar(Value),
              format(string(One), "~w = ~W", [Name, Value, [quoted(true), attributes(ignore), priority(699)]]) ),
            Ones),
    (   Ones == []
    ->  Answer = "true"
    ;   atomic_list_concat(Ones, ', ', Answer)
    ).
