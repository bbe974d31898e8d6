:- module(hb_dml_memory,
          [ start_memory/0,
            remember/2,                 % +Role, +Text
            remember_all/1,             % +Added
            memory_json/1,              % -Json
            system/1,                   % +Text
            user/1,                     % +Text
            push_context/0,
            push_context/1,             % +How
            pop_context/0,
            clear_memory/0
          ]).
:- use_module(text).

/** <module> The memory of the conversation

A backtrackable global variable: when a branch fails, what it said is forgotten.
*/

%!  start_memory is det.
%
%   Start with an empty memory in this engine: a list of Role-Text, newest first.

start_memory :-
    b_setval(hb_dml_memory, []),
    b_setval(hb_dml_contexts, []).

%!  remember(+Role, +Text) is det.

remember(Role, Text) :-
    b_getval(hb_dml_memory, Memory),
    b_setval(hb_dml_memory, [Role-Text|Memory]).

%!  remember_all(+Added) is det.
%
%   Added is a list of Role-Text, newest first.

remember_all(Added) :-
    b_getval(hb_dml_memory, Memory0),
    '$append'(Added, Memory0, Memory),
    b_setval(hb_dml_memory, Memory).

system(Text0) :-
    text(Text0, Text),
    remember(system, Text).

user(Text0) :-
    text(Text0, Text),
    remember(user, Text).

push_context :-
    b_getval(hb_dml_memory, Memory),
    b_getval(hb_dml_contexts, Contexts),
    b_setval(hb_dml_contexts, [Memory|Contexts]).

push_context(How) :-
    must_be_context(How),
    push_context,
    (   How == clear
    ->  clear_memory
    ;   true
    ).

must_be_context(How) :-
    var(How),
    !,
    throw(error(instantiation_error, _)).
must_be_context(clear) :- !.
must_be_context(keep) :- !.
must_be_context(How) :-
    throw(error(domain_error(context, How), _)).

pop_context :-
    b_getval(hb_dml_contexts, Contexts),
    (   Contexts = [Memory|Rest]
    ->  b_setval(hb_dml_contexts, Rest),
        b_setval(hb_dml_memory, Memory)
    ;   true
    ).

clear_memory :-
    b_setval(hb_dml_memory, []).

%!  memory_json(-Json) is det.

memory_json(list(Messages)) :-
    b_getval(hb_dml_memory, Newest),
    memory_json(Newest, [], Messages).

memory_json([], Messages, Messages).
memory_json([Role-Text|Older], Messages0, Messages) :-
    memory_json(Older, [object([role=text(Role), content=text(Text)])|Messages0], Messages).
