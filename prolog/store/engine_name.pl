:- module(hb_engine_name,
          [ engine_name/1,              % @Name
            engine_parts/3,             % +Engine, -Module, -Name
            no_engine_name/2,           % +Name, +Arity
            is_module_name/1,           % +Module
            term_name/3,                % @Term, -Name, -Arity
            with_name/4                 % +Term, +Name, +Engine, -Renamed
          ]).

/** <module> Names that private predicates have in the engine

The engine keeps all user code in one module.  A predicate `step` that a file of the module `one`
defines and does not export is called `one:step` there: an atom, and a name that no text may give to
a predicate.
*/

%!  engine_name(@Name) is semidet.
%!  engine_parts(+Engine, -Module, -Name) is semidet.
%
%   Engine is an atom of the form that private predicates have in the engine: Module:Name, where
%   Module begins like a word and contains no colon.

engine_name(Engine) :-
    engine_parts(Engine, _, _).

engine_parts(Engine, Module, Name) :-
    atom(Engine),
    sub_atom(Engine, Before, 1, After, :),
    !,
    Before > 0,
    After > 0,
    sub_atom(Engine, 0, Before, _, Module),
    is_module_name(Module),
    sub_atom(Engine, _, After, 0, Name).

%!  is_module_name(+Module) is semidet.
%
%   Module is allowed as the name of a module.

is_module_name(Module) :-
    sub_atom(Module, 0, 1, _, First),
    char_type(First, csym),
    \+ sub_atom(Module, _, 1, _, :).

%!  no_engine_name(+Name, +Arity) is det.
%
%   @error permission_error(modify, static_procedure, Name/Arity) if Name is one that only private predicates have.

no_engine_name(Name, Arity) :-
    (   engine_name(Name)
    ->  throw(error(permission_error(modify, static_procedure, Name/Arity),
                    context(_, 'a name with a colon stands for a predicate of a module: write the module, a colon and the name without quotation marks')))
    ;   true
    ).

%!  term_name(@Term, -Name, -Arity) is semidet.
%
%   Term is a head or a goal of Name/Arity.  SWI-Prolog takes p() for p, both as a head and as a goal.

term_name(Head, Name, Arity) :-
    (   compound(Head)
    ->  compound_name_arity(Head, Name, Arity)
    ;   atom(Head)
    ->  Name = Head,
        Arity = 0
    ).

%!  with_name(+Term, +Name, +Engine, -Renamed) is det.
%
%   Renamed is Term, which is of Name, under the name Engine.

with_name(Term0, Name, Engine, Term) :-
    (   atom(Term0)
    ->  Term = Engine
    ;   compound_name_arity(Term0, _, 0)
    ->  Term = Engine
    ;   Name == Engine
    ->  Term = Term0
    ;   compound_name_arguments(Term0, _, Args),
        compound_name_arguments(Term, Engine, Args)
    ).
