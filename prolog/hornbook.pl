:- module(hornbook,
          [ serve/2                     % +Request, -Reply
          ]).
:- use_module(policy).
:- use_module(reader).
:- use_module(store).
:- use_module(step).
:- use_module(clauses).
:- use_module(adding).
:- use_module(session).
:- use_module(proof).
:- use_module(check).
:- use_module(limits).
:- use_module(reply).
:- use_module(errors).
:- use_module(builtins).
:- use_module(dml).
:- use_module(dml_host).
:- use_module(dml_text).
:- use_module(dml_program).
:- use_module(dml_run).
:- use_module(dml_check).
:- use_module(dml_clock).
:- use_module(library(apply), [foldl/5]).

/** <module> The engine's side of the engine protocol

The conductor sends one request at a time, the text of a term, and gets one
reply, a JSON text (`ARCHITECTURE.md`, "The engine protocol").
*/

:- build_policy.

%!  serve(+Request:string, -Reply:string) is det.

serve(Request, Reply) :-
    catch(reply(Request, Pairs), Ball, true),
    (   var(Ball)
    ->  Json = json([ok=true|Pairs])
    ;   error_json(Ball, Error),
        Json = json([ok=false, error=Error])
    ),
    json_string(Json, Reply).

reply(Text, Pairs) :-
    read_request(Text, Request),
    (   request(Request, Pairs)
    ->  true
    ;   format(string(Message), "it could not do ~W",
               [Request, [quoted(true), max_depth(5)]]),
        throw(error(hornbook(message(engine_died, Message)), _))
    ).

%   read_request(+Text, -Request): the term of the first line, with the texts
%   that follow it in the places of their lengths.

read_request(Text, Request) :-
    (   sub_string(Text, Line, 1, _, "\n")
    ->  sub_string(Text, 0, Line, _, First),
        term_string(Request0, First),
        At is Line+1,
        take_texts(Request0, Text, At, Request)
    ;   term_string(Request, Text)
    ).

take_texts(add(Kind, Lengths, Ids, Max), Text, At, add(Kind, Sources, Ids, Max)) :-
    foldl(take_text(Text), Lengths, Sources, At, _).
take_texts(reload(PIs, Loads0), Text, At, reload(PIs, Loads)) :-
    foldl(take_load(Text), Loads0, Loads, At, _).

take_load(Text, load(Kind, Length, Ids), load(Kind, Source, Ids), At0, At) :-
    take_text(Text, Length, Source, At0, At).

%   An atom, since that is what it is read from.

take_text(Text, Length, Source, At0, At) :-
    sub_atom(Text, At0, Length, _, Source),
    At is At0+Length.

request(next(Id, Take, Seconds, Last, First), Reply) :-
    begin_step(Last, First),
    next_answers(Id, Take, Seconds, Reply).
request(query(Id, Text, Take, Seconds, Last, First), [variables=Names|Reply]) :-
    open_query(Id, Text, Names),
    (   Take == 0
    ->  Reply = [more=true, answers=[]]
    ;   begin_step(Last, First),
        next_answers(Id, Take, Seconds, Reply)
    ).
request(close(Id), [open=WasOpen]) :-
    close_query(Id, WasOpen).
request(run(Text, Seconds, Last, First), Reply) :-
    open_query(-1, Text, _),
    begin_step(Last, First),
    next_answers(-1, 1, Seconds, Reply),
    close_query(-1, _).
request(prove(Text, Nth, Seconds, Last, First), Reply) :-
    begin_step(Last, First),
    prove(Text, Nth, Seconds, Reply).
request(check(Text), [problems=Problems]) :-
    check(Text, Problems).
request(add(Kind, Texts, Ids, Max), Reply) :-
    add(Kind, Texts, Ids, Max, Reply).
request(add_more(Ids, Max), Reply) :-
    add_more(Ids, Max, Reply).
request(add_abort, []) :-
    add_abort.
request(retract(Text, _), [removed=Id]) :-
    (   retract_text(Text, Id0)
    ->  Id = Id0
    ;   Id = null
    ).
request(remove(Ids), []) :-
    remove(Ids).
request(declare(PIs), []) :-
    forall(( '$member'(Name/Arity, PIs),
             may_be_head(Name, Arity)
           ),
           declare(Name, Arity)).
request(undeclare(PIs), []) :-
    forall('$member'(Name/Arity, PIs), undeclare(Name, Arity)),
    tables_changed.
request(reload(PIs, Loads), [items=Items]) :-
    reload(PIs, Loads, Items).
request(reset, []) :-
    close_all,
    add_abort,
    forget_all.
request(dml_load(Text, Parameters, Seed, Readings), Reply) :-
    start_clock(Seed, Readings),
    number_requests,
    go_in(Parameters, Values),
    set_parameters(Values),
    load_program(Text, Reply).
request(dml_check(Text), Reply) :-
    check_program(Text, Reply).
request(dml_main(Id, Arguments, Gas, Seconds), Reply) :-
    go_in(Arguments, Values),
    start_main(Id, Values, Gas, Seconds, Reply).
request(dml_tool(Id, Name, Inputs, Running, Gas, Seconds), Reply) :-
    go_in(Inputs, Values),
    start_tool(Id, Name, Values, Running, Gas, Seconds, Reply).
request(dml_next(Id, Answer, Seconds), Reply) :-
    go_in(Answer, Value),
    go_on(Id, Value, Seconds, Reply).
request(boot(Options), [version=Version, libraries=Loaded, refused=Refused, builtins=Builtins]) :-
    open_output,
    set_prolog_flag(autoload, explicit),
    (   '$member'(unknown(Unknown), Options)
    ->  set_prolog_flag(knowledge_base:unknown, Unknown)
    ;   true
    ),
    (   '$member'(dml(true), Options)
    ->  allow_dml
    ;   true
    ),
    (   '$member'(limits(Limits), Options)
    ->  forall('$member'(Name-Value, Limits), set_limit(Name, Value))
    ;   true
    ),
    (   '$member'(libraries(Wanted), Options)
    ->  true
    ;   Wanted = []
    ),
    findall(Library, allowed_library(Library), Loaded0),
    findall(Name, ( '$member'(Name, Wanted), \+ '$member'(Name, Loaded0) ), Refused),
    findall(Text, ( '$member'(L, Loaded0), format(string(Text), '~w', [L]) ), Loaded),
    findall(PI, ( builtin_name(N, A), format(string(PI), '~w/~w', [N, A]) ), Builtins),
    current_prolog_flag(version, V),
    Major is V // 10000,
    Minor is V mod 10000 // 100,
    Patch is V mod 100,
    format(string(Version), '~w.~w.~w', [Major, Minor, Patch]).
