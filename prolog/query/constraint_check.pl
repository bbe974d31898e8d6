:- module(hb_constraint_check,
          [ check_constraints/5,        % +Ids, +Most, +Seconds, -Control, -Parts
            violation/5,                % +Id, +Message, +Seconds, -Control, -Parts
            reaches/3,                  % +Ids, -Control, -Parts
            shortened/3                 % +Text, +Most, -Short
          ]).
:- use_module('../functor').
:- use_module('../capability').
:- use_module('../sandbox/sandbox').
:- use_module('../store/store').
:- use_module('../store/step').
:- use_module('../limits').
:- use_module('../errors').
:- use_module(answer).
:- use_module(proof).
:- use_module(undefined).
:- use_module(query_text).
:- use_module(library(assoc)).
:- use_module(library(lists), [append/3]).

/** <module> What violates the constraints of the book

A constraint is violated by each answer of its goal.  Two answers with the same message are one violation.
The goals of constraints change no clauses.
*/

longest_message(300).

%!  check_constraints(+Ids, +Most, +Seconds, -Control, -Parts) is det.
%
%   What violates the constraints that are the entries Ids.  There is one part for each: [Messages, More, Error],
%   with at most Most messages; More says whether there are others; Error is null, or why they are not all known.
%   Each constraint may take Seconds.  Call begin_step/2 first.

check_constraints(Ids, Most, Seconds, [answers=Count], Parts) :-
    length(Ids, Count),
    without_changes(constraint, hb_constraint_check:checked(Ids, Most, Seconds, Parts)).

checked([], _, _, []).
checked([Id|Ids], Most, Seconds, [list([list(Texts), @(More), Error])|Parts]) :-
    start_step(Seconds),
    catch(messages(Id, Most, Messages, End), Ball, ( Messages = [], End = error(Ball) )),
    end_json(End, More, Error),
    findall(text(Message), '$member'(Message, Messages), Texts),
    catch(take_output(_), _, true),
    checked(Ids, Most, Seconds, Parts).

end_json(done, false, @(null)).
end_json(more, true, @(null)).
end_json(error(Ball), false, Json) :-
    error_json(Ball, Json).

messages(Id, Most, Messages, End) :-
    must_be_known(Id),
    compiled(Id, Goal, Say, _),
    empty_assoc(None),
    setup_call_cleanup(
        engine_create(Message, hb_constraint_check:violated(Goal, Say, Message), Engine),
        collected(Most, None, Engine, Messages, End),
        catch(engine_destroy(Engine), _, true)).

collected(Most, Seen, Engine, Messages, End) :-
    next_reified(Engine, Next),
    (   Next == no
    ->  Messages = [],
        End = done
    ;   Next = throw(Ball)
    ->  Messages = [],
        End = error(Ball)
    ;   Next = the(Message),
        get_assoc(Message, Seen, _)
    ->  collected(Most, Seen, Engine, Messages, End)
    ;   Most =:= 0
    ->  Messages = [],
        End = more
    ;   Next = the(Message),
        Messages = [Message|Messages1],
        put_assoc(Message, Seen, true, Seen1),
        Most1 is Most-1,
        collected(Most1, Seen1, Engine, Messages1, End)
    ).

must_be_known(Id) :-
    (   constraint(Id, _, _, _, _, _)
    ->  true
    ;   throw(error(hornbook(message(existence_error, "The engine could not load this constraint.")), _))
    ).

violated(Goal, Say, Message) :-
    watch,
    knowledge_base:Goal,
    must_be_defined,
    said(Say, Message).

%   compiled(+Id, -Goal, -Say, -Pairs): Goal is the translated goal of the constraint Id, and said(Say, Message)
%   its message.  Pairs are the variables as Name=Variable.  Translated each time, because calls may mean other
%   predicates than before.

compiled(Id, Safe, Say, Pairs) :-
    constraint(Id, Module, Goal, Message, _, Pairs),
    in_module(Module, safe_body(Goal, Safe)),
    (   Message = Format-Args
    ->  in_module(Module, safe_goal(format(string(Text), Format, Args), Formatted)),
        Say = by(Formatted, Text)
    ;   Say = text(Message)
    ).

said(text(Text0), Text) :-
    short_message(Text0, Text).
said(by(Formatted, Text0), Text) :-
    knowledge_base:Formatted,
    short_message(Text0, Text).

short_message(Text0, Text) :-
    longest_message(Most),
    shortened(Text0, Most, Text).

%!  shortened(+Text, +Most, -Short:string) is det.
%
%   Short has the first Most characters of Text, and then an ellipsis if there are more.

shortened(Text0, Most, Text) :-
    string_length(Text0, Length),
    (   Length =< Most
    ->  format(string(Text), '~w', [Text0])
    ;   sub_string(Text0, 0, Most, _, Begin),
        string_concat(Begin, "…", Text)
    ).

%!  violation(+Id, +Message, +Seconds, -Control, -Parts) is det.
%
%   The first answer of the constraint Id with this message: a part with its bindings, [Name, Text] each, and then
%   the nodes of its proof.  Call begin_step/2 first.

violation(Id, Message, Seconds, Control, Parts) :-
    without_changes(constraint, hb_constraint_check:violation_(Id, Message, Seconds, Control, Parts)).

violation_(Id, Message, Seconds, [nodes=Places, cut=Cut|Control], [list(Bindings)|Parts]) :-
    must_be_known(Id),
    start_step(Seconds),
    compiled(Id, Goal, Say, Pairs),
    shown_variables(Pairs, Names, Values),
    setup_call_cleanup(
        engine_create(answer(Copy, Proof), hb_constraint_check:proved(Goal, Say, Message, Values, Copy, Proof), Engine),
        next_reified(Engine, Next),
        catch(engine_destroy(Engine), _, true)),
    catch(take_output(_), _, true),
    (   Next = the(answer(Shown, Nodes0))
    ->  query_names(Names, Named),
        proof_json(Named, Shown, Nodes0, Nodes, Cut),
        bindings(Names, Shown, Bindings)
    ;   Nodes = [],
        Bindings = [],
        Cut = false
    ),
    (   Next = throw(Ball)
    ->  error_json(Ball, Json),
        Control = [error=true],
        Last = [Json]
    ;   Control = [],
        Last = []
    ),
    once_each(Nodes, Counted),
    node_parts(Counted, Places, Parts, Last).

proved(Goal, Say, Message, Values, Copy, Proof) :-
    watch,
    proof(Goal, Nodes0),
    said(Say, Message),
    shown(Nodes0, Nodes),
    copy_term_nat(Values-Nodes, Copy-Proof).

bindings([], [], []).
bindings([Name|Names], [Value|Values], Bindings) :-
    (   var(Value)
    ->  Bindings = Bindings1
    ;   goal_text(Value, Text),
        Bindings = [list([text(Name), quoted(Text)])|Bindings1]
    ),
    bindings(Names, Values, Bindings1).

                /*******************************
                *         what it sees         *
                *******************************/

%!  reaches(+Ids, -Control, -Parts) is det.
%
%   What the constraints that are the entries Ids depend on.  There is one part for each: [All, Given, Names].  A
%   change of a predicate whose name is not among Names changes no answer of the constraint, unless All is true.
%   Given says whether it depends on facts of a capability.

reaches(Ids, [answers=Count], Parts) :-
    length(Ids, Count),
    empty_assoc(None),
    reaches_each(Ids, None, Parts).

reaches_each([], _, []).
reaches_each([Id|Ids], Known0, [list([@(All), @(Given), list(Texts)])|Parts]) :-
    (   catch(compiled(Id, Goal, Say, _), error(_, _), fail)
    ->  term_names([Goal,Say], Names0),
        empty_assoc(None),
        closure(Names0, None, Seen, Known0, Known)
    ;   list_to_assoc(['$all'-true], Seen),
        Known = Known0
    ),
    assoc_to_keys(Seen, Names),
    (   ( '$member'(Any, Names), sees_all(Any) )
    ->  All = true,
        Texts = []
    ;   All = false,
        findall(text(Name), ( '$member'(Name, Names), Name \== [] ), Texts)
    ),
    (   ( All == true ; '$member'(Fact, Names), hb_capability:given(Fact, _, _) )
    ->  Given = true
    ;   Given = false
    ),
    reaches_each(Ids, Known, Parts).

%   closure(+Names, +Seen0, -Seen, +Known0, -Known): Seen are Seen0, Names, and the names in the clauses of these,
%   and so on.  Known has the names in the clauses of each name that was looked at.

closure([], Seen, Seen, Known, Known).
closure([Name|Names], Seen0, Seen, Known0, Known) :-
    (   get_assoc(Name, Seen0, _)
    ->  closure(Names, Seen0, Seen, Known0, Known)
    ;   put_assoc(Name, Seen0, true, Seen1),
        (   get_assoc(Name, Known0, More)
        ->  Known1 = Known0
        ;   clause_names(Name, More),
            put_assoc(Name, Known0, More, Known1)
        ),
        append(More, Names, Names1),
        closure(Names1, Seen1, Seen, Known1, Known)
    ).

clause_names(Name, Names) :-
    findall(Named,
            ( own(Name, Arity),
              term_functor(Head, Name, Arity),
              \+ predicate_property(knowledge_base:Head, number_of_rules(0)),
              clause(knowledge_base:Head, Body),
              Body \== true,
              term_names(Body, OfBody),
              '$member'(Named, OfBody)
            ),
            Names0),
    sort(Names0, Names).

%   term_names(@Term, -Names): the atoms and functors in a translated goal.  Whatever it may call is among them, also
%   by way of call/N: a goal that is not known beforehand is checked/N, with a variable.

term_names(Term, Names) :-
    phrase(names(Term), Names0),
    sort(Names0, Names).

names(Var) -->
    { var(Var) },
    !,
    [].
names(Term) -->
    { atom(Term) },
    !,
    [Term].
names(_:Term) -->
    !,
    names(Term).
names(Term) -->
    { compound(Term) },
    !,
    { compound_name_arguments(Term, Name, Args) },
    [Name],
    (   { calls_first(Name), Args = [Goal|_], open_goal(Goal) }
    ->  ['$all']
    ;   []
    ),
    all_names(Args).
names(_) -->
    [].

all_names([]) -->
    [].
all_names([Term|Terms]) -->
    names(Term),
    all_names(Terms).

open_goal(Goal) :-
    var(Goal),
    !.
open_goal(_:Goal) :-
    open_goal(Goal).

%   calls_first(?Name): a translated goal of this name calls its first argument.

calls_first(checked).
calls_first(safe_apply).
calls_first(safe_phrase).

%   sees_all(?Name): what is called by it may depend on any clause.

sees_all('$all').
sees_all(safe_clause).
sees_all(safe_current_predicate).
sees_all(safe_predicate_property).
sees_all(safe_listing).
