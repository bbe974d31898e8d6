:- module(hb_heads,
          [ check_head/3,               % +Head, -Name, -Arity
            may_be_head/2,              % +Name, +Arity
            check_by_hand/1,            % +Head
            only_recorded/2,            % ?Name, ?Arity
            check_given/1,              % +Head
            changeable/2                % +Name, +Arity
          ]).
:- use_module(store).
:- use_module('../sandbox/policy').
:- use_module('../functor').

/** <module> Which predicates clauses of the user may define and change */

%!  check_head(+Head, -Name, -Arity) is det.
%
%   Head may be the head of a user clause.

check_head(Head, Name, Arity) :-
    callable(Head),
    term_functor(Head, Name0, Arity0),
    engine_parts(Name0, _, Plain),
    !,
    term_functor(PlainHead, Plain, Arity0),
    check_name(PlainHead, Plain, Arity0),
    (   own(Name0, Arity0)
    ->  extensible(Name0, Arity0)
    ;   true
    ),
    Name = Name0,
    Arity = Arity0.
check_head(Head, _, _) :-
    nonvar(Head),
    no_clause(Head, Message),
    !,
    throw(error(hornbook(message(permission_error, Message)), _)).
check_head(Head, Name, Arity) :-
    callable(Head),
    !,
    term_functor(Head, Name, Arity),
    (   own(Name, Arity)
    ->  extensible(Name, Arity)
    ;   check_name(Head, Name, Arity)
    ).
check_head(Head, _, _) :-
    var(Head),
    !,
    throw(error(instantiation_error, _)).
check_head(Head, _, _) :-
    throw(error(type_error(callable, Head), _)).

%   check_name(+Head, +Name, +Arity): a user predicate may have this name.

check_name(Head, Name, Arity) :-
    most_arguments(Arity),
    (   hook(Name, Arity)
    ->  throw(error(permission_error(modify, hook, Name/Arity), _))
    ;   redefinable(Name, Arity)
    ->  true
    ;   meant_instead(Head, Said)
    ->  throw(error(permission_error(modify, static_procedure, Name/Arity), context(_, Said)))
    ;   throw(error(permission_error(modify, static_procedure, Name/Arity), _))
    ).

%   no_clause(+Head, -Message): what people write when they mean clauses.

no_clause((Head,_), "`: -` is not an operator: write `:-` without a space.") :-
    subsumes_term(_ : -(_), Head),
    !.
no_clause((_,_), "This is a conjunction, not a clause: end each fact with a period, as in `x(1). y(2).`; a rule has one head.").
no_clause((_;_), "This is a disjunction, not a clause: write a rule, as in `a :- b ; c.`").
no_clause((_->_), "This is an if-then, not a clause: write a rule, as in `a :- b, c.`").
no_clause([Code|_], "This is text in back quotes, not a clause: leave out the back quotes, and what Markdown has around code.") :-
    integer(Code),
    !.
no_clause([_|_], "This is a list, not a clause: end each fact with a period, as in `a. b.`, or name it, as in `p([a,b]).`").

%   SWI-Prolog declares predicates with more arguments, but then gives them no clauses.

most_arguments(Arity) :-
    (   Arity =< 1024
    ->  true
    ;   throw(error(representation_error(max_procedure_arity), _))
    ).

%   meant_instead(+Head, -Said): a hint: what changes the facts of a capability, or
%   what to write instead of such a head.

meant_instead(Head, Said) :-
    term_functor(Head, Name, Arity),
    hb_capability:given(Name, Arity, Said),
    !.
meant_instead(Who is Quality, Said) :-
    atom(Who),
    atom(Quality),
    !,
    format(atom(Said), 'a fact is written with its name first, as in `~q(~q).`', [Quality, Who]).
meant_instead(_ = true, 'a fact is written without `= true`') :-
    !.
meant_instead(_ = false, Said) :-
    !,
    false_instead(Said).
meant_instead(_ = _, 'a predicate gives its result in an argument, as in `double(X, Y) :- Y is 2*X.`').
meant_instead(_ is _, 'a predicate gives its result in an argument, as in `double(X, Y) :- Y is 2*X.`').
meant_instead(\+ _, Said) :-
    false_instead(Said).
meant_instead(Indicator, Said) :-
    compound(Indicator),
    compound_name_arguments(Indicator, Operator, [Name,Arity]),
    ( Operator == (/) ; Operator == (//) ),
    atom(Name),
    integer(Arity),
    !,
    format(atom(Said), "to declare a predicate write `:- dynamic ~q.`", [Indicator]).

%   false_instead(-Said): what to write in place of a clause that something is false.

false_instead('what cannot be proved is false, so leave it out, or give it a predicate of its own, as in `not_red(bob).`').

%!  may_be_head(+Name, +Arity) is semidet.
%
%   check_head/3 accepts Name/Arity.

may_be_head(Name, Arity) :-
    term_functor(Head, Name, Arity),
    catch(check_head(Head, _, _), error(_, _), fail).

%!  check_by_hand(+Head) is det.
%
%   People and running code may write clauses of the predicate of Head.  What the book has is loaded all the same.
%
%   @error permission_error(modify, static_procedure, Name/Arity) if only the system does.

check_by_hand(Head) :-
    term_functor(Head, Name, Arity),
    (   only_recorded(Name, Arity),
        \+ nb_current(hb_loading, true)
    ->  throw(error(permission_error(modify, static_procedure, Name/Arity),
                    context(_, 'its facts are recorded when relations of the host are read, and can only be taken out')))
    ;   true
    ).

%!  only_recorded(?Name, ?Arity) is semidet.
%
%   Only the system writes facts of Name/Arity: they are evidence.

only_recorded(data_read, 6).

%!  check_given(+Head) is det.
%
%   The facts of Head are not those of a capability, which code cannot take out.
%
%   @error permission_error(modify, static_procedure, Name/Arity)

check_given(Head) :-
    term_functor(Head, Name, Arity),
    (   class(Name, Arity, offered(_)),
        \+ own(Name, Arity),
        hb_capability:given(Name, Arity, Said)
    ->  throw(error(permission_error(modify, static_procedure, Name/Arity), context(_, Said)))
    ;   check_not_linked(Name, Arity)
    ).

%!  changeable(+Name, +Arity) is det.
%
%   @error permission_error(modify, static_procedure, Name/Arity)

changeable(Name, Arity) :-
    (   fixed(Name, Arity)
    ->  throw(error(permission_error(modify, static_procedure, Name/Arity), _))
    ;   check_not_linked(Name, Arity)
    ).

%   extensible(+Name, +Arity): as changeable/2, of clauses that are added.  What a query supposes may stand beside the rows of
%   linked data.

extensible(Name, Arity) :-
    (   passes,
        link(_, Name, Arity, _)
    ->  true
    ;   changeable(Name, Arity)
    ).

check_not_linked(Name, Arity) :-
    (   link(_, Name, Arity, _)
    ->  throw(error(permission_error(modify, static_procedure, Name/Arity),
                    context(_, 'its rows are linked data, which is only read')))
    ;   true
    ).
