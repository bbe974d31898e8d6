:- module(hb_memory_infer,
          [ infer/6,                    % +Text, +Assumed, +Time, +Bounds, -Control, -Parts
            objections/5                % +When, +Seconds, +Most, -Control, -Parts
          ]).
:- use_module(facts).
:- use_module('../shown_text', [cut_text/3]).
:- use_module('../sandbox/sandbox').
:- use_module('../store/store').
:- use_module('../store/step').
:- use_module('../query/query_text').
:- use_module('../query/changes').
:- use_module('../query/assumed').
:- use_module('../query/prove').
:- use_module('../query/proof_nodes').
:- use_module('../query/answer').
:- use_module('../query/undefined').
:- use_module('../limits').
:- use_module('../errors').
:- use_module(library(error), [must_be/2]).
:- use_module(library(solution_sequences), [limit/2]).

/** <module> Inference over the memory

Proves goals with the interpreter of query/proof.pl, so that each answer comes with the facts and
rules it rests on.  Any changes that a goal makes are undone.
*/

%!  infer(+Text, +Assumed, +Time, +Bounds, -Control, -Parts) is det.
%
%   The answers of the goal Text with their proofs, while the clauses in Assumed, a list of texts,
%   hold, and the memory is seen as of Time.  Bounds is bounds(Skip, Take, Seconds): leave out the
%   first Skip answers, and return at most Take.  Call begin_step/2 first.
%
%   There is one part for each answer: [Bindings, Nodes, Cut, Undefined], a binding being [Name, Text] and a node
%   [Depth, Id or null, Goal, How].

infer(Text, Assumed, Time, bounds(Skip, Take, Seconds), Control, Parts) :-
    query_goal(Text, Goal, Pairs),
    read_assumed(Assumed, Clauses, _),
    setup_call_cleanup(
        see_at(Time),
        infer_assuming(Clauses, Goal, Pairs, Skip, Take, Seconds, Control, Parts),
        ( see_now, let_stay, tables_changed )).

infer_assuming(Clauses, Goal, Pairs, Skip, Take, Seconds, Control, Parts) :-
    catch(( check_away(Clauses, _),
            assume(Clauses),
            safe_body(Goal, Safe),
            answers(Safe, Pairs, Skip, Take, Seconds, Answers, More, End)
          ),
          Ball,
          ( Answers = [], More = false, End = error(Ball) )),
    length(Answers, Count),
    (   End = error(Error)
    ->  error_json(Error, Json),
        Failed = [error=true|Changes],
        Last = [Json|Changed]
    ;   Failed = Changes,
        Last = Changed
    ),
    Control = [answers=Count, more=More|Failed],
    assumed_over,
    changes_taken_back(Changes, Changed),
    '$append'(Answers, Last, Parts).

answers(Safe, Pairs, Skip, Take, Seconds, Answers, More, End) :-
    shown_variables(Pairs, Names, Values),
    start_step(Seconds),
    setup_call_cleanup(
        engine_create(Answer, hb_prove:solve(Safe, Values, Answer), Engine),
        taken(Skip, Take, Engine, Names, Answers, More, End),
        catch(engine_destroy(Engine), _, true)),
    catch(take_output(_), _, true).

taken(Skip, Take, Engine, Names, Answers, More, End) :-
    next_reified(Engine, Next),
    (   Next = throw(Ball)
    ->  Answers = [],
        More = false,
        End = error(Ball)
    ;   Next == no
    ->  Answers = [],
        More = false,
        End = done
    ;   Skip > 0
    ->  Skip1 is Skip-1,
        taken(Skip1, Take, Engine, Names, Answers, More, End)
    ;   Take =:= 0
    ->  Answers = [],
        More = true,
        End = done
    ;   Next = the(answer(Values, Proof, Truth)),
        answer_json(Names, Values, Proof, Truth, Json),
        Answers = [Json|Answers1],
        Take1 is Take-1,
        taken(Skip, Take1, Engine, Names, Answers1, More, End)
    ).

answer_json(Names, Values, Proof, Truth, list([list(Bindings), list(Nodes), @(Cut), @(Undefined)])) :-
    (   Truth == undefined
    ->  Undefined = true
    ;   Undefined = false
    ),
    query_names(Names, Named),
    proof_json(Named, Values, Proof, Nodes0, Cut),
    bindings(Names, Values, Bindings),
    nodes(Nodes0, Nodes).

bindings([], [], []).
bindings([Name|Names], [Value|Values], [list([text(Name), quoted(Text)])|Bindings]) :-
    goal_text(Value, Text),
    bindings(Names, Values, Bindings).

nodes([], []).
nodes([node(Depth,Id0,Goal,How,_)|Nodes0], [list([number(Depth), Id, quoted(Goal), text(How)])|Nodes]) :-
    (   Id0 == null
    ->  Id = @(null)
    ;   Id = number(Id0)
    ),
    nodes(Nodes0, Nodes).

                /*******************************
                *         constraints          *
                *******************************/

%!  objections(+When, +Seconds, +Most, -Control, -Parts) is det.
%
%   The messages that kn_refuse/1 and kn_warn/1 yield for the current memory, and those about
%   second values of what kn_functional/1 names, at most Most of each.  Call begin_step/2 first.
%   Each part is a list of messages: those that refuse, those that warn, and those about values.
%
%   When is after(Edges), Edges being the edges that a change has written, as edge(Source, Type,
%   Target), or `before`: then the memory is as before the change that was asked about last.  After
%   it, there are messages about values if there may be any, and before it those about its own.

objections(When, Seconds, Most, Control, Parts) :-
    start_step(Seconds),
    catch(( messages(kn_refuse, Most, Refused),
            messages(kn_warn, Most, Warned),
            contradictions(When, Most, New)
          ),
          Ball, true),
    catch(take_output(_), _, true),
    (   var(Ball)
    ->  Control = Changes,
        Parts = [list(Refused), list(Warned), list(New)|Changed]
    ;   error_json(Ball, Json),
        Control = [error=true|Changes],
        Parts = [list([]), list([]), list([]), Json|Changed]
    ),
    changes_taken_back(Changes, Changed).

messages(Name, Most, Messages) :-
    (   own(Name, 1)
    ->  Rule =.. [Name,Said],
        solutions(Rule, Said, Most, Terms),
        texts(Terms, Messages)
    ;   Messages = []
    ).

texts(Terms, Messages) :-
    findall(text(Text), ( '$member'(Term, Terms), message_text(Term, Text) ), Messages).

%   solutions(+Goal, +Template, +Most, -Terms): the first Most solutions of a Goal of the book, all if
%   Most is -1.

solutions(Goal, Template, Most, Terms) :-
    setup_call_cleanup(
        engine_create(Template, hb_memory_infer:holds(Goal), Engine),
        some(Most, Engine, Terms),
        catch(engine_destroy(Engine), _, true)).

holds(Goal) :-
    watch,
    knowledge_base:Goal,
    must_be_defined.

some(0, _, []) :-
    !.
some(Left, Engine, Terms) :-
    next_reified(Engine, Next),
    (   Next = the(Term)
    ->  Terms = [Term|Terms1],
        Left1 is Left-1,
        some(Left1, Engine, Terms1)
    ;   Next = throw(Ball)
    ->  throw(Ball)
    ;   Terms = []
    ).

                /*******************************
                *        second values         *
                *******************************/

:- dynamic
    second_edge/4,                      % Source, Type, Target, Message
    several/2.                          % Name/Arity, Subject-Values with more than one value

%   contradictions(+When, +Most, -Messages): a subject has two values of a type of edges, or of a
%   predicate of the book, Name/Arity, whose last argument is the value.

contradictions(after(Edges), Most, Messages) :-
    retractall(second_edge(_, _, _, _)),
    retractall(several(_, _)),
    (   own(kn_functional, 1)
    ->  solutions(kn_functional(Relation), Relation, -1, Relations0),
        sort(Relations0, Relations),
        forall('$member'(One, Relations), note_second_values(One, Edges))
    ;   true
    ),
    findall(Message, second_edge(_, _, _, Message), Messages0),
    findall(Message, some_pair(Message), Messages1),
    '$append'(Messages0, Messages1, All),
    first(Most, All, Messages).
contradictions(before, Most, Messages) :-
    findall(Message, new_edge(Message), Messages0),
    findall(Relation, several(Relation, _), Relations0),
    sort(Relations0, Relations),
    findall(Message,
            ( '$member'(Relation, Relations), new_value(Relation, Message) ),
            Messages1),
    '$append'(Messages0, Messages1, Messages2),
    sort(Messages2, All),
    first(Most, All, Messages).

first(Most, Messages0, Messages) :-
    findall(text(Message), limit(Most, '$member'(Message, Messages0)), Messages).

note_second_values(Relation, _) :-
    var(Relation),
    !,
    throw(error(instantiation_error, _)).
note_second_values(Name/Arity, _) :-
    !,
    must_be(atom, Name),
    must_be(between(1, 1000), Arity),
    subjects(Name/Arity, Subjects),
    forall(( '$member'(Subject-Values, Subjects), Values = [_,_|_] ),
           assertz(several(Name/Arity, Subject-Values))).
note_second_values(Type, Edges) :-
    must_be(atom, Type),
    forall(( '$member'(edge(Source, Type, Target), Edges),
             second_target(Source, Type, Target, Edges, Other),
             edge_message(Source, Type, Target, Other, Message)
           ),
           assertz(second_edge(Source, Type, Target, Message))).

%   second_target(+Source, +Type, +Target, +Edges, -Other): another target, one that is not as new if
%   there is one.

second_target(Source, Type, Target, Edges, Other) :-
    hb_memory:kn_edge(Source, Type, Target),
    findall(Age-One,
            ( hb_memory:kn_edge(Source, Type, One),
              One \== Target,
              (   '$member'(edge(Source, Type, One), Edges)
              ->  Age = new
              ;   Age = 'as before'
              ) ),
            Others),
    sort(Others, [_-Other|_]).

edge_message(Source, Type, Target0, Other0, Message) :-
    sort([Target0,Other0], [Target,Other]),
    named(Source, SourceName),
    named(Target, TargetName),
    named(Other, OtherName),
    format(string(Message),
           "Contradiction: ~w has two values of ~w, ~w and ~w, but kn_functional(~q) allows one: \
kn_edge(~q,~q,~q), kn_edge(~q,~q,~q). Remove the edge that does not hold",
           [SourceName,Type,TargetName,OtherName,Type,Source,Type,Target,Source,Type,Other]).

named(Id, Name) :-
    hb_memory:kn_node(Id, _, Name0),
    !,
    cut_text(Name0, 40, Name).

new_edge(Message) :-
    second_edge(Source, Type, Target, Message),
    \+ hb_memory:kn_edge(Source, Type, Target).

%   subjects(+Indicator, -Subjects): what the predicate says, as a list of Subject-Values, both without
%   variables.

subjects(Name/Arity, Subjects) :-
    functor(Goal, Name, Arity),
    solutions(Goal, Goal, -1, Goals),
    findall(Subject-Value,
            ( '$member'(One, Goals),
              ground(One),
              One =.. [_|Arguments],
              '$append'(Subject, [Value], Arguments) ),
            Pairs0),
    sort(Pairs0, Pairs),
    grouped(Pairs, Subjects).

grouped([], []).
grouped([Subject-Value|Pairs], [Subject-[Value|Values]|Subjects]) :-
    of_subject(Pairs, Subject, Values, Rest),
    grouped(Rest, Subjects).

of_subject([Subject-Value|Pairs], Subject0, [Value|Values], Rest) :-
    Subject == Subject0,
    !,
    of_subject(Pairs, Subject0, Values, Rest).
of_subject(Rest, _, [], Rest).

some_pair(Message) :-
    several(Relation, Subject-[Value,Other|_]),
    value_message(Relation, Subject, Value, Other, Message).

%   new_value(+Indicator, -Message): a value that is new, with one that was there, or else with any.

new_value(Relation, Message) :-
    subjects(Relation, Before),
    several(Relation, Subject-Values),
    (   '$member'(Subject0-Old, Before),
        Subject0 == Subject
    ->  true
    ;   Old = []
    ),
    '$member'(Value, Values),
    \+ known(Value, Old),
    (   '$member'(Other, Values),
        known(Other, Old)
    ->  true
    ;   '$member'(Other, Values),
        Other \== Value
    ->  true
    ),
    value_message(Relation, Subject, Value, Other, Message).

known(Value, Values) :-
    '$member'(One, Values),
    One == Value,
    !.

value_message(Name/Arity, Subject, Value0, Other0, Message) :-
    sort([Value0,Other0], [Value,Other]),
    '$append'(Subject, [Value], Values),
    '$append'(Subject, [Other], Others),
    One =.. [Name|Values],
    Two =.. [Name|Others],
    goal_text(One, Text),
    goal_text(Two, Text2),
    format(string(Message0), "Contradiction: ~s and ~s, but kn_functional(~q) allows one value",
           [Text,Text2,Name/Arity]),
    cut_text(Message0, 600, Message).

message_text(Message, Text) :-
    (   ( string(Message) ; atom(Message) )
    ->  Text0 = Message
    ;   copy_term_nat(Message, Term),
        name_variables([], [], Term),
        goal_text(Term, Text0)
    ),
    cut_text(Text0, 300, Text).
