:- module(hb_memory_infer,
          [ infer/6,                    % +Text, +Assumed, +Time, +Bounds, -Control, -Parts
            objections/4                % +Seconds, +Most, -Control, -Parts
          ]).
:- use_module(facts).
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

%!  objections(+Seconds, +Most, -Control, -Parts) is det.
%
%   The messages that kn_refuse/1 and kn_warn/1 yield for the current memory, and those about
%   second values of what kn_functional/1 names, at most Most of each.  Call begin_step/2 first.
%   Each part is a list of messages: first those that refuse, then those that warn.

objections(Seconds, Most, Control, Parts) :-
    start_step(Seconds),
    catch(( messages(kn_refuse, objection, Most, Refused),
            messages(kn_warn, objection, Most, Warned0),
            messages(kn_functional, second_value, Most, Warned1),
            '$append'(Warned0, Warned1, Warned)
          ),
          Ball, true),
    catch(take_output(_), _, true),
    (   var(Ball)
    ->  Control = Changes,
        Parts = [list(Refused), list(Warned)|Changed]
    ;   error_json(Ball, Json),
        Control = [error=true|Changes],
        Parts = [list([]), list([]), Json|Changed]
    ),
    changes_taken_back(Changes, Changed).

messages(Name, By, Most, Messages) :-
    (   own(Name, 1)
    ->  Rule =.. [Name, Said],
        setup_call_cleanup(
            engine_create(Message, hb_memory_infer:message(By, Rule, Said, Message), Engine),
            some(Most, Engine, Messages),
            catch(engine_destroy(Engine), _, true))
    ;   Messages = []
    ).

message(By, Rule, Said, Message) :-
    watch,
    knowledge_base:Rule,
    must_be_defined,
    call(By, Said, Message).

objection(Message, Message).

%   second_value(+Relation, -Message): a subject has two values of Relation, a type of edges, or
%   Name/Arity of a predicate of the book, whose last argument is the value.

second_value(Relation, _) :-
    var(Relation),
    !,
    throw(error(instantiation_error, _)).
second_value(Name/Arity, Message) :-
    !,
    must_be(atom, Name),
    must_be(positive_integer, Arity),
    Before is Arity-1,
    length(Subject, Before),
    '$append'(Subject, [Value], Values),
    '$append'(Subject, [Other], Others),
    One =.. [Name|Values],
    Two =.. [Name|Others],
    knowledge_base:One,
    knowledge_base:Two,
    Value @< Other,
    must_be_defined,
    goal_text(One, Text),
    goal_text(Two, Text2),
    format(string(Message), "Contradiction: ~s and ~s, but kn_functional(~q) allows one value",
           [Text,Text2,Name/Arity]).
second_value(Type, Message) :-
    must_be(atom, Type),
    hb_memory:kn_edge(Source, Type, Target),
    hb_memory:kn_edge(Source, Type, Other),
    Target @< Other,
    named(Source, SourceName),
    named(Target, TargetName),
    named(Other, OtherName),
    format(string(Message),
           "Contradiction: ~w has two values of ~w, ~w and ~w, but kn_functional(~q) allows one: \
kn_edge(~q,~q,~q), kn_edge(~q,~q,~q). Remove the edge that does not hold",
           [SourceName,Type,TargetName,OtherName,Type,Source,Type,Target,Source,Type,Other]).

named(Id, Name) :-
    hb_memory:kn_node(Id, _, Name0),
    shortened(Name0, 40, Name).

some(0, _, []) :-
    !.
some(Left, Engine, Messages) :-
    next_reified(Engine, Next),
    (   Next = the(Message)
    ->  message_text(Message, Text),
        Messages = [text(Text)|Messages1],
        Left1 is Left-1,
        some(Left1, Engine, Messages1)
    ;   Next = throw(Ball)
    ->  throw(Ball)
    ;   Messages = []
    ).

message_text(Message, Text) :-
    (   ( string(Message) ; atom(Message) )
    ->  Text0 = Message
    ;   copy_term_nat(Message, Term),
        name_variables([], [], Term),
        goal_text(Term, Text0)
    ),
    shortened(Text0, 300, Text).

shortened(Text0, Most, Text) :-
    string_length(Text0, Length),
    (   Length =< Most
    ->  Text = Text0
    ;   sub_string(Text0, 0, Most, _, Begin),
        string_concat(Begin, "…", Text)
    ).
