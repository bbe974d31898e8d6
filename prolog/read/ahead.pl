:- module(hb_ahead,
          [ reading/3,                  % +Text, +Start, +Scope
            define_ahead/0
          ]).
:- use_module(reader).
:- use_module('../sandbox/policy').
:- use_module('../sandbox/sandbox', [name_arity/3]).
:- use_module('../store/store').

/** <module> What the text of a module defines further on

A clause may call a private predicate whose name is of one that the sandbox refuses, and which is defined behind it.  Where
that happens, the rest of the text is looked through, once: what it defines by such a name is private from then on.  All other
calls are translated again when what they mean is defined.
*/

%!  reading(+Text, +Start, +Scope) is det.
%
%   The clause at Start of Text is added, which is read in Scope.

reading(Text, Start, Scope) :-
    nb_setval(hb_reading, reading(Text, Start, Scope)).

%!  define_ahead is semidet.
%
%   The rest of the text of the context defines predicates with names of the system's, which were not private yet.

define_ahead :-
    context(Module),
    nb_current(hb_reading, reading(Text, Start, Scope)),
    nb_setval(hb_reading, []),
    findall(Engine/Arity,
            ( defined_in(Text, Start, Scope, Name, Arity),
              class(Name, Arity, _),
              text_name(Module, Name, Arity, Engine),
              Engine \== Name,
              \+ private(_, _, Arity, Engine)
            ),
            PIs),
    PIs \== [],
    forall('$member'(Engine/Arity, PIs), note_private(Engine, Arity)).

%   defined_in(+Text, +Start, +Scope, -Name, -Arity) is nondet: by a clause without the name of a module.

defined_in(Text, Start, Scope0, Name, Arity) :-
    sub_atom(Text, Start, _, 0, Rest),
    setup_call_cleanup(
        ( new_scope(Scope0, Scope),
          open_source(file, Rest, Scope, Source)
        ),
        ( repeat,
          read_item(Source, Item),
          (   Item = end(_)
          ->  !,
              fail
          ;   Item = clause(_, _, Term, _),
              head_of(Term, Head),
              name_arity(Head, Name, Arity0),
              ( Term = (_ --> _) -> Arity is Arity0+2 ; Arity = Arity0 )
          )
        ),
        ( close_source(Source),
          free_scope(Scope)
        )).

head_of(Term, _) :-
    var(Term),
    !,
    fail.
head_of((:- _), _) :-
    !,
    fail.
head_of((Head :- _), Head) :-
    !.
head_of((Head0 --> _), Head) :-
    !,
    (   nonvar(Head0),
        Head0 = (Head,_)
    ->  true
    ;   Head = Head0
    ).
head_of((Head0 => _), Head) :-
    !,
    (   nonvar(Head0),
        Head0 = (Head,_)
    ->  true
    ;   Head = Head0
    ).
head_of(Head, Head).
