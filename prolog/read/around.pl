:- module(hb_around,
          [ begin_around/2,             % +Home, +Modules
            note_header/1,              % +Term
            home/1,                     % ?Module
            home_keeps/2,               % +Name, +Arity
            known_module/1,             % @Module
            unqualified/2,              % +Term, -Plain
            predicate_key/3             % +Module, +Name, -Key
          ]).
:- use_module('../store/store').

/** <module> The modules around a text that is being written

A text that is only inspected is not in the book: neither is its own header, nor perhaps the files beside it.
*/

:- dynamic
    around/1,                           % Module: the module of another file
    home/1,
    exported/2.                         % Name, Arity: exported by the header of the text

%!  home(?Module) is semidet.
%
%   The text is of Module.  Fails for text of no module.

%!  begin_around(+Home, +Modules) is det.
%
%   The next text to inspect is part of a file of the module Home, or `none`.  Modules are those of other files.

begin_around(Home, Modules) :-
    retractall(around(_)),
    retractall(home(_)),
    retractall(exported(_,_)),
    (   Home == none
    ->  true
    ;   assertz(home(Home))
    ),
    forall('$member'(Module, Modules), assertz(around(Module))).

%!  note_header(+Term) is det.
%
%   If Term is a module header, the text after it is of that module.

note_header((:- Directive)) :-
    nonvar(Directive),
    Directive = module(Module, Exports),
    atom(Module),
    !,
    retractall(home(_)),
    assertz(home(Module)),
    (   is_list(Exports)
    ->  forall(( '$member'(Export, Exports), indicated(Export, Name, Arity) ),
               assertz(exported(Name, Arity)))
    ;   true
    ).
note_header(_).

indicated(Export, Name, Arity) :-
    nonvar(Export),
    (   Export = Name/Arity
    ->  true
    ;   Export = Name//Arity0,
        integer(Arity0),
        Arity is Arity0+2
    ),
    atom(Name),
    integer(Arity).

%!  home_keeps(+Name, +Arity) is semidet.
%
%   The text is of a module that does not export Name/Arity.

home_keeps(Name, Arity) :-
    home(_),
    \+ exported(Name, Arity),
    !.

%!  known_module(@Module) is semidet.
%
%   Module is that of the text, of a file beside it, or of the book.

known_module(Module) :-
    atom(Module),
    (   beside(Module)
    ;   users_module(Module)
    ),
    !.

beside(Module) :-
    home(Module).
beside(Module) :-
    around(Module).

%!  unqualified(+Term, -Plain) is det.
%
%   Plain is Term without the modules of the text and of the files beside it, which the book may not have.

unqualified(Term, Plain) :-
    (   beside(_)
    ->  plain(Term, Plain)
    ;   Plain = Term
    ).

plain(Term, Plain) :-
    \+ compound(Term),
    !,
    Plain = Term.
plain(Module:Term, Plain) :-
    atom(Module),
    beside(Module),
    \+ users_module(Module),
    !,
    plain(Term, Plain).
plain(Term, Plain) :-
    compound_name_arguments(Term, Name, Args),
    all_plain(Args, PlainArgs),
    compound_name_arguments(Plain, Name, PlainArgs).

all_plain([], []).
all_plain([Arg|Args], [Plain|Plains]) :-
    plain(Arg, Plain),
    all_plain(Args, Plains).

%!  predicate_key(+Module, +Name, -Key) is det.
%
%   Key tells a predicate from those of other modules that have the same name.  For predicates of
%   the text's module, and of none, it is Name alone.

predicate_key(Module, Name, Key) :-
    (   ( Module == user ; home(Module) )
    ->  Key = Name
    ;   atomic_list_concat([Module,:,Name], Key)
    ).
