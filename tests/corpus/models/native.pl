% Loads programs and asks their queries as swipl does by itself: reads a JSON object {text, queries} a line, and writes
% one with the errors and warnings of loading and the outcome of each query.

:- use_module(library(http/json)).
:- use_module(library(time)).
:- set_prolog_flag(stack_limit, 256_000_000).
:- initialization(main, main).

:- dynamic told/2.

user:message_hook(Term, Kind, _) :-
    memberchk(Kind, [error, warning]),
    message_to_codes(Term, Text),
    assertz(told(Kind, Text)).

message_to_codes(Term, Text) :-
    message_to_lines(Term, Lines),
    with_output_to(string(Text), print_message_lines(current_output, '', Lines)).

message_to_lines(Term, Lines) :-
    (   catch(phrase(prolog:translate_message(Term), Lines), _, fail)
    ->  true
    ;   Lines = ['~q'-[Term]]
    ).

main :-
    repeat,
    read_line_to_string(user_input, Line),
    (   Line == end_of_file
    ->  !
    ;   atom_json_dict(Line, Program, [value_string_as_atom(false)]),
        outcome(Program, Outcome),
        json_write_dict(current_output, Outcome, [width(0)]),
        nl,
        fail
    ).

outcome(Program, _{told: Told, outcomes: Outcomes}) :-
    retractall(told(_, _)),
    gensym(program, Module),
    setup_call_cleanup(
        open_string(Program.text, Stream),
        load_files(Module:Module, [stream(Stream)]),
        close(Stream)),
    findall(_{kind: Kind, text: Text}, told(Kind, Text), Told),
    maplist(asked(Module), Program.queries, Outcomes).

asked(Module, Text, Outcome) :-
    catch(
        call_with_time_limit(5, findall(Answer, answer(Module, Text, Answer), Answers)),
        Error,
        true),
    (   var(Error)
    ->  Outcome = _{answers: Answers}
    ;   message_to_codes(Error, Message),
        Outcome = _{error: Message}
    ).

answer(Module, Text, Answer) :-
    term_string(Goal, Text, [variable_names(Bindings), module(Module)]),
    call(Module:Goal),
    findall(One, (member(Name=Value, Bindings), nonvar(Value), format(string(One), "~w = ~q", [Name, Value])), Ones),
    (   Ones == []
    ->  Answer = "true"
    ;   atomic_list_concat(Ones, ', ', Answer)
    ).
