:- module(hb_context,
          [ context/1,                  % -Module
            here/1,                     % -Module
            in_module/2,                % +Module, :Goal
            module_of/2,                % @Named, -Module
            qualified/2                 % +Goal, -Qualified
          ]).

/** <module> The module whose text is being translated

While text of a module of the book is translated, that module is the _context_: names in the text mean its private
predicates first.
*/

%!  context(-Module) is semidet.
%
%   Text of Module is being translated.  Fails for text of no module.

context(Module) :-
    nb_current(hb_module, Module),
    Module \== user.

%!  in_module(+Module, :Goal) is semidet.
%
%   As once(Goal), with Module as the context, or `user` for no module.

:- meta_predicate in_module(+, 0).

in_module(Module, Goal) :-
    here(Before),
    (   Before == Module
    ->  once(Goal)
    ;   b_setval(hb_module, Module),
        once(Goal),
        b_setval(hb_module, Before)
    ).

%!  here(-Module) is det.
%
%   Module is the context, or `user` for no module.

here(Module) :-
    (   nb_current(hb_module, Module0)
    ->  Module = Module0
    ;   Module = user
    ).

%!  module_of(@Named, -Module) is det.
%
%   Module is the context of code qualified with Named, one of the user's modules.

module_of(Named, Module) :-
    (   Named == knowledge_base
    ->  Module = user
    ;   Module = Named
    ).

%!  qualified(+Goal, -Qualified) is det.
%
%   Qualified is Goal, which is translated later, qualified with its context.

qualified(Goal, Qualified) :-
    (   context(Module),
        \+ is_qualified(Goal)
    ->  Qualified = Module:Goal
    ;   Qualified = Goal
    ).

is_qualified(Goal) :-
    nonvar(Goal),
    Goal = Named:_,
    atom(Named).                        % also of a module that is yet to come
