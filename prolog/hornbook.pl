:- module(hornbook,
          [ serve/2                     % +Request, -Reply
          ]).
:- use_module(sandbox/policy).
:- use_module(sandbox/libraries).
:- use_module(sandbox/namesakes, [build_namesakes/0]).
:- use_module(sandbox/globals, [stay_apart/1]).
:- use_module(library/reif, []).
:- use_module(library/dcgs, []).
:- use_module(library/si, []).
:- use_module(library/plunit, []).
:- use_module(library/lambda, []).
:- use_module(library/format, []).
:- use_module(library/chr, []).
:- use_module(library/pcre, []).
:- use_module(library/writef, []).
:- use_module(library/wfs, []).
:- use_module(library/thread, []).
:- use_module(library/time, []).
:- use_module(library/statistics, []).
:- use_module(read/reader).
:- use_module(store/store).
:- use_module(store/heads).
:- use_module(store/operators).
:- use_module(store/step).
:- use_module(place, [forget_places/0]).
:- use_module(read/clauses).
:- use_module(read/adding).
:- use_module(read/names).
:- use_module(store/agree).
:- use_module(query/session).
:- use_module(query/copied, [wrap_lambdas/0]).
:- use_module(query/prove).
:- use_module(query/explaining).
:- use_module(query/failure).
:- use_module(query/hint).
:- use_module(query/ports).
:- use_module(query/constraint_check).
:- use_module(read/check).
:- use_module(read/outline).
:- use_module(limits).
:- use_module(numerals, [bound_conversions/0]).
:- use_module(indexes).
:- use_module(reply).
:- use_module(errors).
:- use_module(sandbox/builtins).
:- use_module(sandbox/globals, [forget_globals/0]).
:- use_module(sandbox/records, [forget_records/0]).
:- use_module(sandbox/documents, [set_documents/3,forget_lent/0]).
:- use_module(sandbox/streams, [close_streams/0]).
:- use_module(capability).
:- use_module(rooms).
:- use_module(library(apply), [foldl/5]).

/** <module> The engine's side of the engine protocol

The conductor sends one request at a time, the text of a term, and gets one
reply, lines of text (`docs/engine-protocol.md`).
*/

:- build_policy,
   build_namesakes,
   hb_store:note_system_modules.

%   Exception hooks run for every exception, caught ones included: remove the one of library(prolog_stack), which
%   collects backtraces for a terminal.

:- forall(clause(prolog:prolog_exception_hook(_,_,_,_,_), prolog_stack:_, Ref), erase(Ref)).

%!  serve(+Request:string, -Reply:string) is det.

serve(Request, Text) :-
    catch(reply(Request, Reply0), Ball, failed(Ball, Reply0)),
    whole_reply(Reply0, Reply),
    catch(reply_string(Reply, Text), _, not_written(Text)).

%   whole_reply(+Reply0, -Reply): an engine that can no longer vouch for its state
%   replies with nothing but that.

whole_reply(Reply, Reply) :-
    whole,
    !.
whole_reply(_, reply(died, [], [text("it was cut off while it changed clauses")])).

reply(Text, reply(Kind, Control, Parts)) :-
    judge_indexes,
    forget_places,
    read_request(Text, Request),
    stay_apart(false),
    open_apart(none),
    open_exact(0),
    (   (   request(Request, Control, Parts)
        ;   hb_capability:request(Request, Control, Parts)
        )
    ->  true
    ;   format(string(Message), "it could not do ~W",
               [Request, [quoted(true), max_depth(5)]]),
        died(Message)
    ),
    (   asked_anew
    ->  Kind = anew
    ;   Kind = ok
    ).

%   failed(+Ball, -Reply): Ball is never the user's.  User code runs only inside the
%   engines of queries, and what it throws is handled there.

failed(hb_died(Message), reply(died, [], [text(Message)])) :-
    !.
failed(_, reply(died, [], [text("it failed before what had changed was told")])) :-
    untold,
    \+ adding,
    !.
failed(Ball, reply(refused, [], [Error])) :-
    error_json(Ball, Error).

%   An addition with more to come keeps track of what it has declared until it ends.

adding :-
    nb_current(hb_adding, adding(_,_,_,_,_,_)).

%   The change is made but cannot be reported.

not_written(Text) :-
    reply_string(reply(died, [], [text("its reply could not be written")]), Text).

%   read_request(+Text, -Request): the term on the first line, with each length in
%   it replaced by the text of that length from what follows.

read_request(Text, Request) :-
    (   sub_string(Text, Line, 1, _, "\n")
    ->  sub_string(Text, 0, Line, _, First),
        term_string(Request0, First, [module(system)]),
        At is Line+1,
        take_texts(Request0, Text, At, Request)
    ;   term_string(Request, Text, [module(system)])
    ).

take_texts(add(Kind, Lengths, Ids, Max), Text, At, add(Kind, Sources, Ids, Max)) :-
    foldl(take_text(Text), Lengths, Sources, At, _).
take_texts(add_more(Ids, Max, Lengths), Text, At, add_more(Ids, Max, Sources)) :-
    foldl(take_text(Text), Lengths, Sources, At, _).
take_texts(reload(PIs, Loads0), Text, At, reload(PIs, Loads)) :-
    foldl(take_load(Text), Loads0, Loads, At, _).
take_texts(names(PIs, Loads0), Text, At, names(PIs, Loads)) :-
    foldl(take_load(Text), Loads0, Loads, At, _).
take_texts(agree(PIs, Loads0), Text, At, agree(PIs, Loads)) :-
    foldl(take_load(Text), Loads0, Loads, At, _).

take_texts(documents(Root, Forget, Parts0), Text, At, documents(Root, Forget, Parts)) :-
    foldl(take_part(Text), Parts0, Parts, At, _).

take_load(Text, load(Kind, Length, Ids), load(Kind, Source, Ids), At0, At) :-
    take_text(Text, Length, Source, At0, At).

%   An atom, because the reader works on atoms.

take_text(_, later, later, At, At) :-
    !.
take_text(Text, Length, Source, At0, At) :-
    sub_atom(Text, At0, Length, _, Source),
    At is At0+Length.

take_part(Text, first(Kind, Path, Nesting, Length), first(Kind, Path, Nesting, Part), At0, At) :-
    take_string(Text, Length, Part, At0, At).
take_part(Text, rest(Path, Length), rest(Path, Part), At0, At) :-
    take_string(Text, Length, Part, At0, At).

take_string(Text, Length, Part, At0, At) :-
    sub_string(Text, At0, Length, _, Part),
    At is At0+Length.

%   begin(+Last, +First): goals run, which have nothing of those that have ended.  A transaction may have left clauses to be
%   translated again, or may have been cut off before it was over.

begin(Last, First) :-
    close_streams,
    forget_lent,
    undeclare_lost,
    (   shadowed
    ->  uninterrupted(retranslate_shadowed)
    ;   true
    ),
    begin_step(Last, First).

%   request(+Request, -Control, -Parts): the control line and the parts of the reply.

request(next(Id, Take, Seconds, Last, First), Control, Parts) :-
    begin(Last, First),
    next_answers(Id, Take, Seconds, Control, Parts).
request(beside(Request), Control, Parts) :-
    beside(hornbook:request(Request, Control0, Parts), Leaves),
    (   Leaves == true
    ->  Control = [leaves=true|Control0]
    ;   Control = Control0
    ).
request(apart(Asks, Request), Control, Parts) :-
    open_apart(Asks),
    request(Request, Control, Parts).
request(exact(Request), Control, Parts) :-
    open_exact(1),
    request(Request, Control, Parts).
request(told(-2, Told, _, Seconds, _, _), Control, Parts) :-
    !,
    explain_on(Told, Seconds, Control, Parts).
request(told(Id, Told, Take, Seconds, _, _), Control, Parts) :-
    host_answered(Id, Told, Take, Seconds, Control, Parts),
    close_load(Id, Control).
request(query(Id, Text, Take, Seconds, Last, First), Control, [list(Texts)|Parts]) :-
    open_query(Id, Text, Names),
    findall(text(Name), '$member'(Name, Names), Texts),
    (   Take == 0
    ->  Control = [more=true, answers=0],
        Parts = []
    ;   begin(Last, First),
        next_answers(Id, Take, Seconds, Control, Parts)
    ).
request(query_assuming(Id, Text, Assumed, Take, Seconds, Last, First), Control, [list(Texts)|Parts]) :-
    begin(Last, First),
    open_assuming(Id, Text, Assumed, Names, Away, Control0, Parts0),
    findall(text(Name), '$member'(Name, Names), Texts),
    (   Take == 0
    ->  Control = [away=Away, more=true, answers=0|Control0],
        Parts = Parts0
    ;   begin(Last, First),
        Control = [away=Away|Control1],
        next_answers(Id, Take, Seconds, Control1, Parts)
    ).
request(close(Id), [open=WasOpen], []) :-
    close_query(Id, WasOpen).
request(run(Text, Seconds, Last, First), Control, Parts) :-
    close_load(-1, []),                 % one whose question was not answered
    open_query(-1, Text, _),
    begin(Last, First),
    next_answers(-1, 1, Seconds, Control, Parts),
    close_load(-1, Control).
request(upsert(Name, Arity, Key, Text, Seconds, Last, First), Control, Parts) :-
    open_upsert(-3, Name, Arity, Key, Text),
    begin(Last, First),
    next_answers(-3, 1, Seconds, Control, Parts).
request(prove(Text, Nth, Seconds, Last, First), Control, Parts) :-
    begin(Last, First),
    explain(prove(Text, Nth, Seconds), Control, Parts).
request(refute(Text, Seconds, Last, First), Control, Parts) :-
    begin(Last, First),
    explain(refute(Text, Seconds), Control, Parts).
request(hint(Text, Assumed, Seconds, Last, First), Control, Parts) :-
    begin(Last, First),
    hint(Text, Assumed, Seconds, Control, Parts).
request(trace(Text, Seconds, Last, First), Control, Parts) :-
    begin(Last, First),
    trace(Text, Seconds, Control, Parts).
request(constraints(Ids, Most, Seconds, Last, First), Control, Parts) :-
    begin(Last, First),
    explain(check_constraints(Ids, Most, Seconds), Control, Parts).
request(violation(Id, Message, Seconds, Last, First), Control, Parts) :-
    begin(Last, First),
    explain(violation(Id, Message, Seconds), Control, Parts).
request(reaches(Ids), Control, Parts) :-
    reaches(Ids, Control, Parts).
request(goal_reaches(Text), [answers=1], [Part]) :-
    goal_reaches(Text, Part).
request(check(Text, Home, Modules, Tabled), [problems=Places], Parts) :-
    check(Text, Home, Modules, Tabled, Places, Parts).
request(outline(Text), [items=Places], Parts) :-
    outline(Text, Places, Parts).
request(add(Kind, Texts, Ids, Max), Control, Parts) :-
    uninterrupted(add(Kind, Texts, Ids, Max, Control, Parts)).
request(add_more(Ids, Max), Control, Parts) :-
    add_more(Ids, Max, Control, Parts).
request(add_more(Ids, Max, Texts), Control, Parts) :-
    add_more(Ids, Max, Texts, Control, Parts).
request(add_abort, [], []) :-
    forall(new(Name, Arity), check_undeclared(Name, Arity)),
    uninterrupted(( add_abort, retranslate_shadowed )).
request(retract(Text), [removed=Id], []) :-
    (   retract_text(Text, Id0)
    ->  Id = Id0
    ;   Id = null
    ).
request(remove(Ids), [], []) :-
    uninterrupted(remove(Ids)).
request(declare(PIs), [], []) :-
    uninterrupted(( forall(( '$member'(Name/Arity, PIs),
                             may_be_head(Name, Arity)
                           ),
                           declare(Name, Arity)),
                    retranslate_shadowed,
                    tables_changed )),
    none_declared.
request(undeclare(PIs), [], []) :-
    forall('$member'(Name/Arity, PIs), check_undeclared(Name, Arity)),
    uninterrupted(( forall('$member'(Name/Arity, PIs), undeclare(Name, Arity)),
                    retranslate_shadowed,
                    tables_changed )).
request(reload(PIs, Loads), Control, Parts) :-
    uninterrupted(reload(PIs, Loads, Control, Parts)).
request(names(_, Loads), [], []) :-
    uninterrupted(names(Loads)).
request(agree(PIs, Loads), [], [list(Texts)]) :-
    differences(PIs, Loads, Differences),
    findall(text(Text), '$member'(Text, Differences), Texts).
request(documents(Root, Forget, Parts), [], []) :-
    set_documents(Root, Forget, Parts).
request(reset, [], []) :-
    uninterrupted(( close_all,
                    add_abort,
                    forget_globals,
                    forget_records,
                    forget_all,
                    step_over )).
request(boot(Options), [], [text(Version), list(Loaded), list(Refused), list(Builtins)]) :-
    begin_epoch,
    begin_operators,
    open_output,
    hb_store:note_system_modules,
    wrap_lambdas,
    bound_conversions,
    set_prolog_flag(autoload, explicit),
    (   '$member'(unknown(Unknown), Options)
    ->  set_prolog_flag(knowledge_base:unknown, Unknown)
    ;   true
    ),
    forall('$member'(Option, Options), ignore(hb_capability:boot_option(Option))),
    (   '$member'(capabilities(Capabilities), Options)
    ->  forall('$member'(Capability, Capabilities), allow(Capability))
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
    findall(Name, ( '$member'(L, Loaded0), format(atom(Name), '~w', [L]) ), Names),
    findall(text(Name), ( '$member'(Name, Wanted), \+ '$member'(Name, Names) ), Refused),
    findall(text(Name), '$member'(Name, Names), Loaded),
    forall(( named_library(L), format(atom(Name), '~w', [L]), '$member'(Name, Wanted) ), use_library(L, boot)),
    findall(text(PI), ( builtin_name(N, A), format(string(PI), '~w/~w', [N, A]) ), Builtins),
    current_prolog_flag(version, V),
    Major is V // 10000,
    Minor is V mod 10000 // 100,
    Patch is V mod 100,
    format(string(Version), '~w.~w.~w', [Major, Minor, Patch]).
