:- module(hb_errors,
          [ error_json/2                % +Ball, -Json
          ]).
:- use_module(capability).
:- use_module(depth, [written_depth/3]).
:- use_module(error_text).
:- use_module(formal_errors).
:- use_module(functor).
:- use_module(last_calls).
:- use_module(place).
:- use_module(profile).
:- use_module(recursions).
:- use_module(refusals).
:- use_module(sandbox/global_names, [users_key/2]).
:- use_module(sandbox/written, [as_written/2]).
:- use_module(swapped).

/** <module> Errors as people and models read them

Turns the balls of SWI-Prolog into plain sentences with a kind
(`docs/engine-protocol.md`), without the names of the modules and wrappers that
untrusted code runs in.
*/

%   The user's module takes the place of `user`: errors that a program catches name its
%   procedures and variables as the program does, without the module.

:- multifile prolog:prolog_exception_hook/5.

%   Binds nothing in the ball, because programs throw it and that would wake goals.

prolog:prolog_exception_hook(Ball, error(Formal, Context), _, _, _) :-
    nonvar(Ball),
    Ball = error(Formal0, Context0),
    nonvar(Formal0),
    (   seen_formal(Formal0, Formal)
    ->  seen_context(Formal, Context0, Context)
    ;   Formal = Formal0,
        own_context(Context0, Context)
    ).

%   seen_formal(@Formal, -Seen) is semidet: Formal names something of the engine.

seen_formal(existence_error(Kind, What), existence_error(Kind, Seen)) :-
    (   Kind == variable
    ->  users_key(What, Seen)
    ;   own_name(What, Missing),
        (   Kind == procedure
        ->  hb_store:seen_indicator(Missing, Seen)
        ;   Kind == matching_rule
        ->  hb_store:seen_goal(Missing, Seen)
        )
    ).
seen_formal(determinism_error(What, Declared, Found, Kind), determinism_error(Seen, Declared, Found, Kind)) :-
    compound(What),
    (   own_name(What, PI),
        nonvar(PI),
        PI = _/_
    ->  seen_predicate(PI, Seen)
    ;   What \= _:_/_,                  % which is of a library
        acyclic_term(What),             % `$`/1 names the translation of its goal
        as_written(What, Seen)
    ).

seen_context(Formal, _, PI) :-
    Formal = existence_error(Kind, PI),
    Kind == procedure,
    !.
seen_context(_, Context0, Context) :-
    (   own_context(Context0, Context1)
    ->  Context = Context1
    ;   Context = Context0
    ).

%   own_context(@Context, -Seen) is semidet: Context names a predicate of the user's with the engine's module.

own_context(Context, context(Seen, Message)) :-
    nonvar(Context),
    Context = context(What, Message),
    own_name(What, PI),
    hb_store:seen_indicator(PI, Seen).

own_name(What, Name) :-
    nonvar(What),
    What = Module:Name,
    Module == knowledge_base.

%!  error_json(+Ball, -Json) is det.
%
%   Json is object(Pairs) for hb_reply.  User code can throw terms that look like this module's own:
%   they get a sentence of an ordinary kind, and no decision depends on it.

error_json(Ball, Json) :-
    catch(ball_json(Ball, Json0), error(resource_error(_), _), fail),
    !,
    Json = Json0.
error_json(_, object([kind=text(uncaught_exception),
                      message=text("The goal threw a term that is too large to be shown.")])).

ball_json(Ball0, object([kind=text(Kind), message=text(Message)|More])) :-
    copy_term_nat(Ball0, Ball1),            % a delayed goal must not wake here
    without_cycles(Ball1, Ball),
    (   cyclic_term(Ball)
    ->  Kind = uncaught_exception,
        Message0 = "The goal threw a cyclic term.",
        More = []
    ;   \+ ( Ball = error(Formal, _), var(Formal) ),
        described(Ball, Kind, Message0, More0)
    ->  more(Ball, More0, More)
    ;   Kind = uncaught_exception,
        without_place(Ball, Thrown),
        term_text(Thrown, Text),
        format(string(Message0), "The goal threw ~s.", [Text]),
        more(Ball, [], More)
    ),
    shortened(Message0, 2000, Message).

%   without_cycles(@Ball0, -Ball): in an error term, arguments that are cyclic are cut.

without_cycles(Ball, Ball) :-
    acyclic_term(Ball),
    !.
without_cycles(error(Formal0, Context0), error(Formal, Context)) :-
    compound(Formal0),
    !,
    compound_name_arguments(Formal0, Name, Args0),
    maplist(cut_cycle, Args0, Args),
    compound_name_arguments(Formal, Name, Args),
    (   acyclic_term(Context0)
    ->  Context = Context0
    ;   true
    ).
without_cycles(Ball, Ball).

cut_cycle(Term, Term) :-
    acyclic_term(Term),
    !.
cut_cycle(Term, Cut) :-
    cut_below(3, Term, Cut).

cut_below(Levels, Term, Cut) :-
    (   \+ compound(Term)
    ->  Cut = Term
    ;   Levels =:= 0
    ->  Cut = ...
    ;   compound_name_arity(Term, _, Arity),
        Arity > 20
    ->  Cut = ...
    ;   compound_name_arguments(Term, Name, Args0),
        Below is Levels-1,
        maplist(cut_below(Below), Args0, Args),
        compound_name_arguments(Cut, Name, Args)
    ).

%   without_place(+Ball, -Thrown): remove the system predicate that threw Ball.

without_place(error(Formal, Context), Thrown) :-
    nonvar(Context),
    Context = context(PI, _),
    nonvar(PI),
    PI = system:_,
    !,
    Thrown = error(Formal, _).
without_place(Ball, Ball).

%   more(+Ball, +Described, -More): add what else is known: where Ball was raised, or what led to it.

more(Ball, Described, More) :-
    (   raised(Ball, Place)
    ->  place_json(Place, Json),
        More = [raised=Json|Described]
    ;   detail(Ball, Detail)
    ->  More = [detail=text(Detail)|Described]
    ;   More = Described
    ).

%   place_json(+Place, -Json): [Predicate, Id, Nth, Calling], each null if unknown.

place_json(place(PI, Ref, Calling), list([text(Text), Id, Nth, Called])) :-
    hb_store:seen_indicator(PI, Seen),
    term_text(Seen, Text),
    (   Ref \== none,
        PI = _/_,
        hb_store:id_of(Ref, Id0),
        nth_clause(_, Nth0, Ref)
    ->  Id = number(Id0),
        Nth = number(Nth0)
    ;   Id = @(null),
        Nth = @(null)
    ),
    (   Calling == none
    ->  Called = @(null)
    ;   term_text(Calling, CalledText),
        Called = text(CalledText)
    ).

detail('$hb_stop'(What), Detail) :-
    ( What == time ; What == inferences ),
    most_inferences(Detail).
detail(error(resource_error(What), Context), Detail) :-
    What == stack,
    is_dict(Context),
    recursion(Context, Detail).

described('$hb_stop'(time), timeout, "The time limit was reached.", []).
described('$hb_stop'(gas), resource_error, "Gas exhausted: the program took more inferences than it may.", []) :-
    !.
described('$hb_stop'(How), halted, Message, []) :-
    ( How == halt ; How == abort ),
    !,
    format(string(Message), "The query ended itself with ~w: nothing of it is kept.", [How]).
described('$hb_stop'(beside), permission_error, "The engine that changes the book has to run this.", []) :-
    !.
described('$hb_stop'(Name), resource_error, Message, []) :-
    limit_message(Name, Message).
described(error(hornbook(Formal), _), Kind, Message, More) :-
    nonvar(Formal),
    own_error(Formal, Kind, Message, More).
described(error(hornbook(assumed(Index, Ball)), _), Kind, Message, More) :-
    place(Index, 1),
    described(Ball, Kind, Message0, More),
    format(string(Message), "assume ~d: ~s", [Index, Message0]).
described(error(Formal, _), Kind, Message, More) :-
    nonvar(Formal),
    refusal(Formal, Kind, Message, More).
described(error(permission_error(output, stream, _), context(_, Said)), permission_error, Message, []) :-
    Said == 'Only the current output can be written to',
    string_concat(Said, ".", Message).
described(error(Kind, Message, Line, Column, Offset), Kind, Message,
          [line=number(Line), column=number(Column), offset=number(Offset)]) :-
    own_kind(Kind),
    string(Message),
    place(Line, 1),
    place(Column, 0),
    place(Offset, 0).
described(error(syntax_error(What), Where), syntax_error, Message, []) :-
    text_place(Where, Place),
    !,
    phrase_for(What, Text),
    format(string(Message), "Syntax error in ~s: ~s.", [Place, Text]).
described(error(syntax_error(What), _), syntax_error, Message, []) :-
    phrase_for(What, Text),
    format(string(Message), "Syntax error: ~s.", [Text]).
described(error(uninstantiation_error(Value), Context), type_error, Message, []) :-
    var(Context),
    !,
    term_text(Value, Text),
    format(string(Message),
           "Type error: an unbound variable expected, found ~s. An argument with a mode (min, max, -, …) of a tabled predicate takes only a variable: call it with one, and unify or compare that afterwards.",
           [Text]).
described(error(uninstantiation_error(Value), Context), type_error, Message, []) :-
    term_text(Value, Text),
    format(string(Message0), "Type error: an unbound variable expected, found ~s", [Text]),
    context_message(Context, Message0, Message).
described(error(type_error(Type, Value), context(PI0, Said)), type_error, Message, []) :-
    in_arithmetic(Type, Value, Said, Words),
    !,
    term_text(Value, Text),
    format(string(Message0), Words, [Text]),
    context_message(context(PI0, _), Message0, Message).
described(error(format_argument_type(Char, Value), _), type_error, Message, []) :-
    term_text(Value, Text),
    format(string(Message), "Format error: ~~~w does not take ~s.", [Char, Text]).
described(error(existence_error(Kind, Char), _), domain_error, Message, []) :-
    Kind == format_character,
    !,
    format(string(Message), "Format error: there is no directive ~~~w; ~~~~ writes a tilde.", [Char]).
described(error(existence_error(Kind, PI), _), type_error, Message, []) :-
    Kind == dict_function,
    !,
    term_text(PI, Text),
    format(string(Message),
           "Unknown function on dicts: ~s; those of SWI-Prolog are get/1, get/2, put/1, put/2, and a key alone.", [Text]).
described(error(undefined(Goals), _), undefined, Message, []) :-
    term_text(Goals, Text),
    format(string(Message),
           "~s is neither true nor false, by the well-founded semantics of tabled negation: nothing is decided or done because of it.",
           [Text]).
described(error(existence_error(Kind, Culprit), _), type_error, Message, []) :-
    Kind == matching_rule,
    nonvar(Culprit),
    Culprit = Module:_,
    Module \== knowledge_base,
    !,
    (   moved(Culprit, Call, Other)
    ->  goal_text(Call, CallText),
        goal_text(Other, OtherText),
        format(string(Message), "No rule with => matches ~s. One does with the arguments in another order: ~s.", [CallText, OtherText])
    ;   library_call(Culprit, Call)
    ->  goal_text(Call, Text),
        format(string(Message), "No rule with => matches ~s.", [Text])
    ;   formal_message(existence_error(matching_rule, Culprit), Message0),
        format(string(Message), "~s, as a predicate of the library calls it.", [Message0])
    ).
described(Ball, type_error, Message, []) :-
    Ball = error(determinism_error(What, _, Found, Kind), _),
    Kind == property,
    ground(What),
    (   raised(Ball, place(Place, _, _))
    ->  true
    ;   Place = none
    ),
    declared_end(Place, What, Ends),
    !,
    ended(Found, Did),
    (   Ends = Declared-Called
    ->  format(string(Message),
               "~q (by ~q) ~s in its last goal, and its `:- det` directive says that it has exactly one solution.",
               [Declared, Called, Did])
    ;   plain_indicator(What, PI),
        format(string(Message),
               "~q ~s, which was the last goal of a predicate whose `:- det` directive says that it has exactly one solution.",
               [PI, Did])
    ).
described(error(determinism_error(What0, _, Found, Kind), _), type_error, Message, []) :-
    nonvar(What0),
    plain_indicator(What0, What),
    goal_text(What, Text),
    ended(Found, Did),
    (   determinism_declared(Kind, Declared)
    ->  true
    ;   Declared = "`$` before it"
    ),
    format(string(Message), "~s ~s, and ~s says that it has exactly one solution.", [Text, Did, Declared]).
described(error(existence_error(procedure, PI0), _), existence_error, Message, [predicate=text(PIText)]) :-
    plain_indicator(PI0, PI),
    term_text(PI, PIText),
    (   nonvar(PI),
        PI = Name/Arity,
        hb_policy:named_export(Library, Name, Arity, _)
    ->  format(string(Message), "Unknown procedure: ~s. It is there after `:- use_module(library(~w)).`", [PIText, Library])
    ;   format(string(Message), "Unknown procedure: ~s.", [PIText])
    ).
described(error(resource_error(What), _), resource_error, Message, []) :-
    system_limit(What, Name),
    limit_message(Name, Message).
described(error(io_error(_, _), context(_, Said)), resource_error, "Not enough resources: memory.", []) :-
    Said == 'Out of memory'.
described(error(Formal, Context), Kind, Message, []) :-
    compound(Formal),
    term_functor(Formal, Kind, _),
    iso_kind(Kind),
    formal_message(Formal, Message0),
    context_message(Context, Message0, Message).
described(error(instantiation_error, Context), instantiation_error, Message, []) :-
    context_message(Context, "Arguments are not sufficiently instantiated", Message).
described(error(Formal, _), resource_error, Message, []) :-
    nonvar(Formal),
    hb_capability:error_message(Formal, Message),
    string(Message).
described(error(format(What), _), domain_error, "Format error: too many arguments: each takes a directive such as ~w or ~d, and %s is none.", []) :-
    What == 'too many arguments',
    !.
described(error(format(What), _), domain_error, Message, []) :-
    (   ( atom(What) ; string(What) )
    ->  format(string(Message), "Format error: ~w.", [What])
    ;   term_text(What, Text),
        format(string(Message), "Format error: ~s.", [Text])
    ).
described(error(assertion_error(_, Goal), _), uncaught_exception, Message, []) :-
    term_text(Goal, Text),
    format(string(Message), "Assertion failed: ~s.", [Text]).
described(time_limit_exceeded, uncaught_exception, Message, []) :-
    hb_limits:passed_ms(Ms),
    format(string(Message),
           "call_with_time_limit/2 stopped its goal after ~d ms: catch time_limit_exceeded, or give it more time.", [Ms]).

%   ended(@Found, -Did): how a goal did not have exactly one solution.

ended(Found, Did) :-
    (   Found == fail
    ->  Did = "failed"
    ;   Did = "left a choice point"
    ).

%   determinism_declared(@Kind, -Declared) is semidet: what says so, other than `$` before the goal.

determinism_declared(Kind, "its `:- det` directive") :-
    Kind == property.
determinism_declared(Kind, "`$` in its clause") :-
    ( Kind == guard ; Kind == guard_in_caller ),
    !.

%   goal_text(+Goal, -Text): with `_` for each variable.

goal_text(Goal0, Text) :-
    copy_term_nat(Goal0, Goal),
    term_variables(Goal, Variables),
    maplist(=('$VAR'('_')), Variables),
    written_depth(Goal, 20, Levels),
    format(string(Text0), "~W", [Goal, [quoted(true), numbervars(true), max_depth(Levels), spacing(next_argument)]]),
    shortened(Text0, 500, Text).

%   place(@Number, +First): a line, a column or an offset, counted from First.

place(Number, First) :-
    integer(Number),
    Number >= First,
    Number < 4294967296.
