:- module(hb_namesakes,
          [ build_namesakes/0,
            take_back_name/2,           % +Name, +Arity
            taken_back/1                % +Goal
          ]).
:- use_module(policy).
:- use_module('../functor').

/** <module> Names of the system that have been the user's

A user predicate may hide one of the system, and go again: with a transaction, or with the changes of a query.  What was
translated to call it can outlive it, in an attribute, a continuation, a record or an engine, and its arguments were never
judged.  So the name alone never means the system's predicate again, unless that is harmless with any arguments.  It means
one of the module hb_namesake, which judges the goal anew.  As a clause made later might be taken back by a transaction,
there is one for each name from the beginning.
*/

%!  build_namesakes is det.
%
%   Called once, after build_policy/0.

build_namesakes :-
    forall(( system_name(Name, Arity), redefinable(Name, Arity) ),
           add_namesake(Name, Arity)),
    delete_import_module(hb_namesake, user).    % it has no other predicates

system_name(Name, Arity) :-
    predicate_property(system:Head, defined),
    \+ predicate_property(system:Head, iso),      % SWI-Prolog lets nobody hide these
    term_functor(Head, Name, Arity).

add_namesake(Name, Arity) :-
    term_functor(Head, Name, Arity),
    dynamic(hb_namesake:Name/Arity),
    assertz((hb_namesake:Head :- hb_checked:namesake(Head))),
    compile_predicates([hb_namesake:Name/Arity]),
    @(export(Name/Arity), hb_namesake).

%!  take_back_name(+Name, +Arity) is det.
%
%   Nothing is left of the user's predicate in knowledge_base.  It must be linked to another, by no import/1 of the user's:
%   until the garbage collector takes the erased clauses, SWI-Prolog does not look for the system's at a call.

take_back_name(Name, Arity) :-
    (   namesake(Name, Arity, Module)
    ->  Link = @(import(Module:Name/Arity), knowledge_base)
    ;   Link = true
    ),
    abolish(knowledge_base:Name/Arity),
    Link.                               % at once: until then the name means the system's

%   namesake(+Name, +Arity, -Module) is semidet: the name means the predicate of Module.

namesake(Name, Arity, Module) :-
    term_functor(Head, Name, Arity),
    '$get_predicate_attribute'(system:Head, defined, 1),
    once(class(Name, Arity, Class)),
    (   Class == plain
    ->  Module = system
    ;   Module = hb_namesake
    ).

%!  taken_back(+Goal) is semidet.
%
%   Goal would call the namesake of what it names.

taken_back(Goal) :-
    '$get_predicate_attribute'(knowledge_base:Goal, imported, hb_namesake).
