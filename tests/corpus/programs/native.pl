% A program by others as swipl has it by itself: `swipl native.pl -- FILE` loads it, makes its natural queries, and writes
% a JSON object a line after the marker @@: what loading said and wrote, then each query with its outcome.

:- module(native, []).
:- use_module(library(http/json)).
:- use_module(library(memfile)).
:- use_module(library(readutil)).
:- use_module(library(time)).
:- set_prolog_flag(stack_limit, 256_000_000).
:- initialization(main, main).

:- dynamic told/1.

user:message_hook(Term, Kind, _) :-
    memberchk(Kind, [error, warning]),
    (   catch(phrase(prolog:translate_message(Term), Lines), _, fail)
    ->  true
    ;   Lines = ['~q'-[Term]]
    ),
    with_output_to(string(Text), print_message_lines(current_output, '', Lines)),
    assertz(told(Text)).

main :-
    current_prolog_flag(argv, [File|Chosen]),
    set_prolog_flag(argv, [swipl]),
    file_directory_name(File, Folder),
    working_directory(_, Folder),
    current_output(Out),
    stopped(20, captured(Written, catch(load_files(user:File), Error, true)), Stopped),
    (   var(Error) -> true ; assertz(told("loading was ended by an error")) ),
    ignore(Written = ""),
    findall(Text, told(Text), Told),
    emit(Out, _{told: Told, output: Written, stopped: Stopped}),
    (   Chosen = [Text]
    ->  Queries = [Text]
    ;   queries(File, Queries)
    ),
    forall(member(Query, Queries), asked(Out, Query)).

emit(Out, Dict) :-
    format(Out, "~N@@", []),
    json_write_dict(Out, Dict, [width(0)]),
    nl(Out),
    flush_output(Out).

%!  stopped(+Seconds, :Goal, -Stopped) is det.

stopped(Seconds, Goal, Stopped) :-
    catch(( call_with_time_limit(Seconds, Goal) -> true ; true ), time_limit_exceeded, Stopped = true),
    ignore(Stopped = false).

%!  captured(-Written, :Goal) is semidet.
%
%   What Goal writes, to whichever stream, also if its time ends.

captured(Written, Goal) :-
    new_memory_file(File),
    open_memory_file(File, write, Stream, [encoding(utf8)]),
    stream_property(Output, alias(user_output)),
    stream_property(Errors, alias(user_error)),
    current_output(Current),
    setup_call_cleanup(
        ( set_stream(Stream, alias(user_output)), set_stream(Stream, alias(user_error)), set_output(Stream) ),
        once(Goal),
        ( set_stream(Output, alias(user_output)), set_stream(Errors, alias(user_error)), set_output(Current), close(Stream) )),
    memory_file_to_string(File, Written, utf8),
    free_memory_file(File).

%!  queries(+File, -Queries) is det.
%
%   The natural queries of a program: those that its comments show, its tests, its predicates without arguments, and
%   its first predicates with variables and with small arguments.

queries(File, Queries) :-
    read_file_to_string(File, Source, [encoding(utf8)]),
    findall(Test, test(Test), Tests),
    findall(Query, shown(Source, Query), Shown),
    findall(Name/Arity, defined(File, Name, Arity), Defined),
    findall(Text, (member(Name/0, Defined), \+ ends(Name), text(Name, Text)), Plain),
    findall(Text,
            ( member(Name/Arity, Defined), between(1, 6, Arity), functor(Head, Name, Arity), text(Head, Text) ),
            Open),
    findall(Text,
            ( nth1(Nth, Defined, Name/Arity), between(1, 4, Arity), functor(Head, Name, Arity),
              Kind is Nth mod 3, nth0(Kind, [[3, 1, 2], 4, a], Small), arg(1, Head, Small), text(Head, Text) ),
            Closed),
    first(4, Shown, A), first(3, Plain, C), first(3, Open, D), first(3, Closed, E),
    first(30, Tests, B),
    append([A, B, C, D, E], All),
    list_to_set(All, Queries).

test(Text) :-
    current_module(Module),
    atom_concat(plunit_, Unit, Module),
    current_predicate(Module:'unit test'/4),
    Module:'unit test'(Name, _, _, _),
    format(string(Text), "~q", [run_tests(Unit:Name)]).

ends(halt).

first(N, List, First) :-
    length(List, Length),
    Take is min(N, Length),
    length(First, Take),
    append(First, _, List).

text(Goal, Text) :-
    \+ \+ ( numbervars(Goal, 0, _), format(string(Text0), "~W", [Goal, [quoted(true), numbervars(true)]]), nb_setval(text, Text0) ),
    nb_getval(text, Text).

%   A query in a comment, as `% ?- goal.`
shown(Text, Query) :-
    split_string(Text, "\n", "", Lines),
    member(Line, Lines),
    split_string(Line, "", " \t%*|", [Bare]),
    string_concat("?-", Rest, Bare),
    sub_string(Rest, Before, 1, _, "."),
    sub_string(Rest, 0, Before, _, Query0),
    split_string(Query0, "", " \t", [Query]),
    catch(term_string(Goal, Query), _, fail),
    nonvar(Goal),
    \+ Goal == halt.

defined(File, Name, Arity) :-
    findall(Line-(Name/Arity),
            ( source_file(Module:Head, File),
              functor(Head, Name, Arity),
              (   Module == user -> true ; predicate_property(Module:Head, exported) ),
              \+ sub_atom(Name, 0, _, _, '__aux_'),
              \+ sub_atom(Name, 0, _, _, $),
              \+ sub_atom(Name, _, _, _, ' '),
              predicate_property(Module:Head, line_count(Line)) ),
            Found),
    keysort(Found, Sorted),
    member(_-(Name/Arity), Sorted).

asked(Out, Text) :-
    nb_setval(answers, []),
    stopped(1, captured(Output, catch(forall(limit(3, answer(Text, Answer)), keep(Answer)), Error, true)), Stopped),
    nb_getval(answers, Reversed),
    reverse(Reversed, Answers),
    ignore(Output = ""),
    (   var(Error)
    ->  Wrong = null
    ;   Error = error(Formal, _)
    ->  format(string(Wrong), "~q", [Formal])
    ;   format(string(Wrong), "~q", [Error])
    ),
    emit(Out, _{query: Text, answers: Answers, error: Wrong, output: Output, stopped: Stopped}).

keep(Answer) :-
    nb_getval(answers, Answers),
    nb_setval(answers, [Answer|Answers]).

answer(Text, Answer) :-
    term_string(Goal, Text, [variable_names(Bindings)]),
    call(user:Goal),
    term_attvars(Bindings, Attributed),
    copy_term(Attributed, Attributed, Residual),
    findall(One,
            ( member(Name=Value, Bindings), nonvar(Value),
              format(string(One), "~w = ~W", [Name, Value, [quoted(true), attributes(ignore), priority(699)]]) ),
            Ones),
    (   Residual == [] -> Rest = [] ; Rest = ["…"] ),
    append(Ones, Rest, Parts),
    (   Parts == []
    ->  Answer = "true"
    ;   atomic_list_concat(Parts, ', ', Answer)
    ).
