:- module(hb_dml_book,
          [ book/2                      % +Goal, +At
          ]).
:- use_module(control, []).
:- use_module(host).

/** <module> The workspace's book, for a DML program

A goal book:Goal is a query of the book.  It is sent as text, and its answers come
back as text, one at a time as they are wanted.
*/

%!  book(+Goal, +At) is nondet.
%
%   Goal holds in the book.  At is the place of the goal in the program, or null if it is unknown.
%
%   @error book_error(Kind, Message): Kind is as in the replies of tools, or `not_allowed`.

book(Goal, At) :-
    must_be_text_able(Goal),
    term_variables(Goal, Variables),
    variable_names(Variables, 1, Names),
    % The book has the operators of the system, but perhaps not those of the program.
    format(string(Text), "~W",
           [Goal, [quoted(true), module(system), variable_names(Names), spacing(next_argument)]]),
    length(Variables, Count),
    ask(book, At, object([operation=text(ask), goal=text(Text), variables=number(Count)]), Reply),
    first_answer(Reply, At, Variables).

must_be_text_able(Goal) :-
    (   \+ acyclic_term(Goal)
    ->  throw(error(type_error(acyclic_term, Goal), _))
    ;   term_attvars(Goal, [])
    ->  true
    ;   throw(error(book_error(constraints, "A goal with constraints cannot be asked in the book: label its variables first."), _))
    ).

variable_names([], _, []).
variable_names([Variable|Variables], I, [Name=Variable|Names]) :-
    atom_concat('_B', I, Name),
    I1 is I+1,
    variable_names(Variables, I1, Names).

first_answer(answer(Text, Query), At, Variables) :-
    some_answer(true, Text, Query, At, Variables).
first_answer(undefined(Text, Query), At, Variables) :-
    some_answer(undefined, Text, Query, At, Variables).
first_answer(book_error(Kind, Message), _, _) :-
    throw(error(book_error(Kind, Message), _)).

:- public answers/5, close_query/1.

%   some_answer(+Truth, +Text, +Query, +At, +Variables): what rests on an answer that is undefined in
%   the book is undefined in the program.

some_answer(Truth, Text, Query, At, Variables) :-
    (   Query == none
    ->  bind(Truth, Text, Variables)
    ;   hb_dml_control:call_cleanup(hb_dml_book:answers(Truth, Text, Query, At, Variables),
                                    hb_dml_book:close_query(Query))
    ).

answers(Truth, Text, _, _, Variables) :-
    bind(Truth, Text, Variables).
answers(_, _, Query, At, Variables) :-
    ask(book, At, object([operation=text(more), query=text(Query)]), Reply),
    next_answer(Reply, Query, At, Variables).

next_answer(answer(Text, More), Query, At, Variables) :-
    more_answers(true, Text, More, Query, At, Variables).
next_answer(undefined(Text, More), Query, At, Variables) :-
    more_answers(undefined, Text, More, Query, At, Variables).
next_answer(book_error(Kind, Message), _, _, _) :-
    throw(error(book_error(Kind, Message), _)).

more_answers(Truth, Text, More, Query, At, Variables) :-
    (   More == none
    ->  bind(Truth, Text, Variables)
    ;   answers(Truth, Text, Query, At, Variables)
    ).

close_query(Query) :-
    tell(book, object([operation=text(close), query=text(Query)])).

bind(Truth, Text, Variables) :-
    call(Truth),
    term_string(Values-Residual, Text, [module(system), double_quotes(string)]),
    (   Residual == []
    ->  Variables = Values
    ;   throw(error(book_error(constraints, "The answer of the book has constraints: have the goal label its variables."), _))
    ).
