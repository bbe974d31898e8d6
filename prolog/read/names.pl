:- module(hb_names,
          [ names/1                     % +Loads
          ]).
:- use_module('../functor').
:- use_module(reader).
:- use_module(directives).
:- use_module('../store/store').

/** <module> What the directives of a book name, before its text is read
*/

%!  names(+Loads) is det.
%
%   Loads is a list of load(Kind, Text, Ids), as for reload/4 of hb_adding, whose texts are directives of the
%   book in its order.  Note the modules that they declare and what they export, then what is multifile, then
%   what modules declare dynamic, which makes it private to them, then the arguments that are goals, under
%   the ids of the directives: reading the directives themselves adds nothing to that.

names(Loads) :-
    findall(Found, ( '$member'(Load, Loads), found(Load, Found) ), All),
    forall('$member'(Kind, [module, multifile, (dynamic), meta_predicate]),
           forall('$member'(found(Directive, Module, Scope, Id), All),
                  ignore(name(Directive, Kind, Module, Scope, Id)))).

%   found(+Load, -Found) is nondet: Found is found(Directive, Module, Scope, Id), text of Module.

found(load(Kind, Text, Runs), Found) :-
    findall(Id, ( '$member'(First-Count, Runs), Last is First+Count-1, between(First, Last, Id) ), Ids),
    text_module(Kind, Plain, Module),
    no_given_exports,
    setup_call_cleanup(
        open_source(Plain, Text, Source),
        directives(Ids, Source, Module, All),
        close_source(Source)),
    '$member'(Found, All).

directives([], _, _, []).
directives([Id|Ids], Source, Module0, All) :-
    read_item(Source, Item),
    (   Item = clause(_, _, (:- Directive), _),
        nonvar(Directive)
    ->  (   Directive = module(Named, _),
            atom(Named)
        ->  module_of(Named, Module)
        ;   Module = Module0
        ),
        source_scope(Source, Scope),
        All = [found(Directive, Module, Scope, Id)|All1]
    ;   Module = Module0,
        All = All1
    ),
    (   Item = end(_)
    ->  All1 = []
    ;   directives(Ids, Source, Module, All1)
    ).

name((A,B), Kind, Module, Scope, Id) :-
    !,
    ignore(name(A, Kind, Module, Scope, Id)),
    ignore(name(B, Kind, Module, Scope, Id)).
name(Named:Directive, Kind, _, Scope, Id) :-
    !,
    module_of(Named, Module),
    name(Directive, Kind, Module, Scope, Id).
name(module(Named, Exports0), module, Module, _, Id) :-
    Module \== user,
    is_module_name(Named),
    (   is_list(Exports0)
    ->  Exports = Exports0
    ;   Exports = []
    ),
    add_module(Module, Exports, Id).
name(Directive, Kind, Module, Scope, Id) :-
    Kind \== module,
    (   Kind == (dynamic)
    ->  Module \== user
    ;   true
    ),
    term_functor(Directive, Kind, 1),
    in_module(Module, catch(directive(Directive, none, Scope, Id, _), error(_, _), true)).
