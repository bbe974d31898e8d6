:- module(hb_constraint_check,
          [ check_constraints/5,        % +Ids, +Most, +Seconds, -Control, -Parts
            violation/5,                % +Id, +Message, +Seconds, -Control, -Parts
            reaches/3,                  % +Ids, -Control, -Parts
            goal_reaches/2              % +Text, -Part
          ]).
:- use_module('../functor').
:- use_module('../capability').
:- use_module('../sandbox/sandbox').
:- use_module('../store/store').
:- use_module('../store/step').
:- use_module('../limits').
:- use_module('../errors').
:- use_module(answer).
:- use_module(explaining).
:- use_module(proof).
:- use_module(proof_nodes).
:- use_module(undefined).
:- use_module(query_text).
:- use_module(library(assoc)).
:- use_module(library(lists), [append/3]).

/** <module> What violates the constraints of the book

A constraint is violated by each answer of its goal.  Two answers with the same message are one violation.
The goals of constraints change no clauses.
*/

%   Longer messages are cut, and told apart by a hash.
longest_message(2000).

%!  check_constraints(+Ids, +Most, +Seconds, -Control, -Parts) is det.
%
%   What violates the constraints that are the entries Ids.  There is one part for each: [Messages, More, Error,
%   Unknown], with at most Most messages; More says whether there are others; Error is null, or why they are not all
%   known.  Unknown is null, or the error that a predicate does not exist; the goal then sees one without clauses,
%   which it may well be.  Each constraint may take Seconds.  Call begin_step/2 first.

check_constraints(Ids, Most, Seconds, [answers=Count], Parts) :-
    length(Ids, Count),
    without_changes(constraint, hb_constraint_check:checked(Ids, Most, Seconds, Parts)).

checked([], _, _, []).
checked([Id|Ids], Most, Seconds, [list([list(Texts), @(More), Error, Unknown])|Parts]) :-
    start_step(Seconds),
    checked_messages(Id, Most, Messages0, End0),
    (   End0 = error(Ball),
        is_unknown(Ball)
    ->  error_json(Ball, Unknown),
        unknown_fails(hb_constraint_check:checked_messages(Id, Most, Messages, End))
    ;   Unknown = @(null),
        Messages = Messages0,
        End = End0
    ),
    end_json(End, More, Error),
    findall(text(Message), '$member'(Message, Messages), Texts),
    catch(take_output(_), _, true),
    checked(Ids, Most, Seconds, Parts).

checked_messages(Id, Most, Messages, End) :-
    catch(messages(Id, Most, Messages, End), Ball, ( Messages = [], End = error(Ball) )).

is_unknown(Ball) :-
    subsumes_term(error(existence_error(procedure, _), _), Ball).

:- meta_predicate unknown_fails(0).

unknown_fails(Goal) :-
    current_prolog_flag(knowledge_base:unknown, Unknown),
    setup_call_cleanup(
        set_prolog_flag(knowledge_base:unknown, fail),
        once(Goal),
        set_prolog_flag(knowledge_base:unknown, Unknown)).

end_json(done, false, @(null)).
end_json(more, true, @(null)).
end_json(error(Ball), false, Json) :-
    error_json(Ball, Json).

messages(Id, Most, Messages, End) :-
    must_be_known(Id),
    compiled(Id, Goal, Say, _),
    empty_assoc(None),
    setup_call_cleanup(
        engine_create(Message, hb_explaining:asking(linked, hb_constraint_check:violated(Goal, Say, Message)), Engine),
        collected(Most, None, Engine, Messages, End),
        catch(engine_destroy(Engine), _, true)).

collected(Most, Seen, Engine, Messages, End) :-
    next_answered(Engine, Next),
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
    bounded(Text0, Text).
said(by(Formatted, Text0), Text) :-
    knowledge_base:Formatted,
    bounded(Text0, Text).

bounded(Text0, Text) :-
    longest_message(Most),
    (   string_length(Text0, Length),
        Length > Most
    ->  variant_sha1(Text0, Hash),
        sub_string(Text0, 0, Most, _, Begin),
        format(string(Text), "~w… (~w)", [Begin, Hash])
    ;   format(string(Text), "~w", [Text0])
    ).

%!  violation(+Id, +Message, +Seconds, -Control, -Parts) is det.
%
%   The first answer of the constraint Id with this message: a part with its bindings, [Name, Text] each, and then
%   the nodes of its proof.  Call begin_step/2 first.

violation(Id, Message, Seconds, Control, Parts) :-
    without_changes(constraint,
                    hb_constraint_check:unknown_fails(
                        hb_constraint_check:violation_(Id, Message, Seconds, Control, Parts))).

violation_(Id, Message, Seconds, [nodes=Places, cut=Cut|Control], [list(Bindings)|Parts]) :-
    must_be_known(Id),
    start_step(Seconds),
    compiled(Id, Goal, Say, Pairs),
    shown_variables(Pairs, Names, Values),
    setup_call_cleanup(
        engine_create(answer(Copy, Proof),
                      hb_explaining:asking(linked, hb_constraint_check:proved(Goal, Say, Message, Values, Copy, Proof)), Engine),
        next_answered(Engine, Next),
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
    node_parts(Nodes, Places, Parts, Last).

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
reaches_each([Id|Ids], Known0, [Part|Parts]) :-
    (   catch(compiled(Id, Goal, Say, _), error(_, _), fail)
    ->  term_names([Goal,Say], Names)
    ;   Names = ['$all']
    ),
    reach(Names, Known0, Known, Part),
    reaches_each(Ids, Known, Parts).

%!  goal_reaches(+Text, -Part) is det.
%
%   What the query Text depends on, as a part of reaches/3.  What is recorded of linked data is among it; constraints do not
%   look at that, since nobody is refused what others have changed.

goal_reaches(Text, list([All, Given, list(Texts)])) :-
    query_goal(Text, Goal, _),
    safe_body(Goal, Safe),
    term_names(Safe, Names),
    empty_assoc(None),
    reach(Names, None, _, list([All, Given, list(Texts0)])),
    (   '$member'(text(linked), Texts0)
    ->  Texts = [text(data_read)|Texts0]
    ;   Texts = Texts0
    ).

%   reach(+Names, +Known0, -Known, -Part): what a goal with these names in it depends on.

reach(Names0, Known0, Known, list([@(All), @(Given), list(Texts)])) :-
    empty_assoc(None),
    closure(Names0, None, Seen, Known0, Known),
    assoc_to_keys(Seen, Names),
    (   ( hb_policy:used(chr, _)        % its rules call what they name
        ; '$member'(Any, Names),
          sees_all(Any)
        )
    ->  All = true,
        Texts = []
    ;   All = false,
        findall(text(Name), ( '$member'(Name, Names), Name \== [] ), Texts)
    ),
    (   ( All == true ; '$member'(Fact, Names), is_given(Fact) )
    ->  Given = true
    ;   Given = false
    ).

%   is_given(+Name): what is called by it depends on facts of a capability, or on documents.

is_given(Name) :-
    hb_capability:given(Name, _, _),
    !.
is_given(Name) :-
    reads_documents(Name).

reads_documents(safe_open).
reads_documents(safe_see).
reads_documents(safe_exists_file).
reads_documents(safe_directory_files).
reads_documents(safe_read_file_to_string).
reads_documents(safe_read_file_to_codes).
reads_documents(safe_read_file_to_terms).
reads_documents(safe_csv_read_file).
reads_documents(safe_csv_read_file_row).
reads_documents(safe_phrase_from_file).

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
%   by way of call/N.  '$all' stands for a goal that is known only as it runs: the argument of checked/N, what a
%   closure such as `call` or `findall(X)` is given, or what format/2 calls.

term_names(Term, Names) :-
    phrase(names(Term), Names0),
    sort(Names0, Names).

names(Term) -->
    { ( var(Term) ; Term == [] ) },
    !,
    [].
names(Term) -->
    { atom(Term), blob(Term, text) },
    !,
    [Term],
    (   { takes_goals(Term, _) }
    ->  ['$all']
    ;   []
    ).
names(_:Term) -->
    !,
    names(Term).
names(Term) -->
    { compound(Term) },
    !,
    { compound_name_arguments(Term, Name, Args) },
    (   { atom(Name), blob(Name, text) }
    ->  [Name]
    ;   []
    ),
    (   { calls_unknown(Term) }
    ->  ['$all']
    ;   []
    ),
    all_names(Args).
names(_) -->
    [].

%   calls_unknown(+Term): Term, in a translated goal, may call what it does not name.

calls_unknown(Term) :-
    compound_name_arguments(Term, Name, [Goal|_]),
    calls_first(Name),
    unknown_goal(Goal),
    !.
calls_unknown(Term) :-
    compound_name_arity(Term, Name, Arity),
    takes_goals(Name, _),
    \+ takes_goals(Name, Arity),        % a closure
    !.
calls_unknown(Term) :-
    compound_name_arguments(Term, safe_format, Args),
    '$append'(_, [Format,_], Args),
    (   var(Format)
    ;   \+ catch(sub_string(Format, _, _, _, "~"), _, fail)
    ;   sub_string(Format, _, _, _, "@")
    ;   sub_string(Format, _, _, _, "~p")
    ),
    !.

unknown_goal(Goal) :-
    var(Goal),
    !.
unknown_goal(_:Goal) :-
    !,
    unknown_goal(Goal).
unknown_goal(Goal) :-
    compound(Goal),
    compound_name_arity(Goal, Name, _),
    takes_goals(Name, _).

%   takes_goals(+Name, ?Arity): Name/Arity calls an argument.

takes_goals(Name, Arity) :-
    atom(Name),
    hb_policy:class(Name, Arity, Class),
    class_takes_goals(Class),
    !.

class_takes_goals(meta(_)).
class_takes_goals(library(_,_)).
class_takes_goals(control).
class_takes_goals(wide).
class_takes_goals(catch).
class_takes_goals(phrase).
class_takes_goals(replaced(safe_apply)).

all_names([]) -->
    [].
all_names([Term|Terms]) -->
    names(Term),
    all_names(Terms).

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
