:- module(hb_host,
          [ set_host_predicates/1,      % +PIs
            host_predicate/2,           % ?Name, ?Arity
            asked/1,                    % +Goal
            host_answer/3               % +Text, +PI, -Answer
          ]).
:- use_module('../query/answer', [terms_json/2]).
:- use_module('../query/host_question', [ask_host/2,asks_host/1]).
:- use_module('../sandbox/policy', [class/3]).

/** <module> Predicates answered by the host

Calling one asks the program that has the book open.  The answer is a list of rows,
each with the arguments of one solution.  If there may be more, the answer has a
number with which backtracking asks for them.
*/

:- dynamic host_predicate/2.            % Name, Arity

%!  set_host_predicates(+PIs) is det.
%
%   @error permission_error(modify, static_procedure, PI) if SWI-Prolog or its libraries define PI.

set_host_predicates(PIs) :-
    retractall(host_predicate(_, _)),
    forall('$member'(Name/Arity, PIs),
           (   class(Name, Arity, _)
           ->  throw(error(permission_error(modify, static_procedure, Name/Arity), _))
           ;   assertz(host_predicate(Name, Arity))
           )).

%!  asked(+Goal) is nondet.
%
%   The solutions of Goal, as given by the host.

asked(Goal) :-
    goal_parts(Goal, Name, Args),
    terms_json(Args, Jsons),
    length(Args, Arity),
    solution(list([text(Name), list(Jsons)]), Name/Arity, Args).

goal_parts(Goal, Name, Args) :-
    (   atom(Goal)
    ->  Name = Goal,
        Args = []
    ;   compound_name_arguments(Goal, Name, Args)
    ).

solution(Question, PI, Args) :-
    (   asks_host(host)
    ->  ask_host(Question, Text)
    ;   format(string(Message), "The host answers ~w, and only queries can ask it.", [PI]),
        throw(error(hornbook(message(permission_error, Message)), _))
    ),
    host_answer(Text, PI, Answer),
    answered(Answer, PI, Args).

%!  host_answer(+Text, +PI, -Answer) is det.
%
%   The answer of the host to a question of PI, of which Text is the text.
%
%   @error host_error(PI, Message) if it could not answer.

host_answer(Text, PI, Answer) :-
    (   catch(term_string(Answer0, Text, [double_quotes(string), module(system)]), _, fail)
    ->  true
    ;   Answer0 = failed("its answer is no term")
    ),
    (   Answer0 = failed(Message)
    ->  throw(error(host_error(PI, Message), _))
    ;   Answer = Answer0
    ).

answered(rows(Rows, none), _, Args) :-
    '$member'(Args, Rows).
answered(rows(Rows, more(Number)), PI, Args) :-
    (   '$member'(Args, Rows)
    ;   solution(number(Number), PI, Args)
    ).
