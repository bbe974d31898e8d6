:- module(hb_linked,
          [ link_directive/3,           % +Spec, +From, +Id
            linked/2,                   % +From, +Row
            placed_row/3,               % +From, +Row, -Place
            tried_row/3,                % +From, +Row, -Place
            columns_of/3,               % +From, +PI, -Names
            from_text/2,                % +From, -Text
            from_names/2,               % +From, -Names
            rows_of/4,                  % +Rows, +More, +PI, ?Args
            taken_left/1,               % -Left
            plain_name/2,               % +Name, -Plain
            arguments/4,                % +Args, +Before0, -Before, -Jsons
            linked_answer/3             % +Question, +PI, -Answer
          ]).
:- use_module('../query/host_question', [ask_host/2, asks_host/1]).
:- use_module('../store/store').
:- use_module('../store/heads').
:- use_module('../sandbox/predicates').
:- use_module('../sandbox/globals', [is_apart/0]).
:- use_module('../limits', [uninterrupted/1]).
:- use_module('../functor').
:- use_module(evidence).
:- use_module(host, [host_answer/3]).

/** <module> Predicates whose rows are in a table of the host's data

`:- data(orders/6, shop).` gives orders/6 one clause, with the id of the directive, which asks the host
for the rows that match.  An answer is a batch of rows.  If there are more, it has the number of a cursor,
with which backtracking asks for the next batch.  A relation that is asked with what is known answers all rows at once, which
the book may record (hb_evidence).
*/

:- dynamic left/1.                      % Number: a cursor that nobody reads any more

%!  link_directive(+Spec, +From, +Id) is det.
%
%   Carry out the directive data(Spec, From), the entry Id of the book, or `none` if nothing is to last.

link_directive(Spec, From, Id) :-
    check_from(From),
    (   nonvar(Spec),
        ( Spec = _/_ ; Spec = _:(_/_) ),
        indicators(Spec, [PI]),
        PI = _-(_/Arity),
        Arity > 0
    ->  true
    ;   throw(error(hornbook(directive(data/2, "The first argument is the predicate and its number of columns, as `orders/6`.")), _))
    ),
    declared_head(PI, Head),
    check_head(Head, Name, Arity),
    check_by_hand(Head),
    (   stored_safe(Head, _, _)
    ->  format(string(Message), "~q has clauses: take them out, or name another predicate.", [Name/Arity]),
        throw(error(hornbook(directive(data/2, Message)), _))
    ;   true
    ),
    (   integer(Id)
    ->  uninterrupted(hb_linked:add(Name, Arity, Head, From, Id))
    ;   true
    ).

add(Name, Arity, Head, From, Id) :-
    store(Head, hb_linked:linked(From, Head), from(From), Id, last, _),
    add_link(Id, Name, Arity, From).

check_from(From) :-
    (   atom(From)
    ->  true
    ;   nonvar(From),
        From = Source:Table,
        atom(Source),
        atom(Table)
    ->  true
    ;   throw(error(hornbook(directive(data/2, "The second argument is the name of a source, or of a source and a table in it, as `shop` or `shop:customers`.")), _))
    ).

%!  from_text(+From, -Text) is det.
%
%   Text is From as people see it: `shop.customers`.

from_text(Source:Table, Text) :-
    !,
    atomic_list_concat([Source,Table], '.', Text).
from_text(Source, Source).

%!  linked(+From, +Row) is nondet.
%
%   Row unifies with a row of the table From.

linked(From, Row) :-
    found(From, Row, [], Found),
    Row =.. [_|Args],
    row(Found, Args).

%!  placed_row(+From, +Row, -Place) is nondet.
%
%   As linked/2.  Place says where the row is: `orders.parquet row 812`, `shop.customers id=17`.

placed_row(From, Row, Place) :-
    placed_row(From, Row, [], Place).

%!  tried_row(+From, +Row, -Place) is nondet.
%
%   As placed_row/3, for values that are only tried: nothing is asked with them but tables.

tried_row(From, Row, Place) :-
    placed_row(From, Row, [tried= @(true)], Place).

placed_row(From, Row, Wanted, Place) :-
    found(From, Row, [placed= @(true)|Wanted], Found),
    Row =.. [_|Args],
    (   Found = rows(_, _, _)
    ->  '$append'(Args, [Place], Placed),
        row(Found, Placed)
    ;   Found = read(_, Place),
        row(Found, Args)
    ).

row(rows(Rows, More, PI), Args) :-
    rows_of(Rows, More, PI, Args).
row(read(Rows, _), Args) :-
    '$member'(Args, Rows).

%   found(+From, +Row, +Wanted, -Found): what is known of Row, as rows(Rows, More, PI) of a table, or as read(Rows, Place) of
%   a relation that is asked.  What only takes place in a proof, or does not last, and a book as it was take what is recorded; the
%   host says whether it is such a relation.

found(From, Row, Wanted0, Found) :-
    (   recorded_answer(From, Row, _, _)
    ->  Wanted1 = [recorded= @(true)|Wanted0]
    ;   Wanted1 = Wanted0
    ),
    (   may_record
    ->  Wanted = [records= @(true)|Wanted1]
    ;   Wanted = Wanted1
    ),
    compound_name_arguments(Row, Name, Args),
    compound_name_arity(Row, _, Arity),
    plain_name(Name, Plain),
    arguments(Args, [], _, Jsons),
    from_names(From, Of),
    taken_left(Left),
    Question = object([data=list(Of), name=text(Plain), arguments=list(Jsons), left=list(Left)|Wanted]),
    linked_answer(Question, Plain/Arity, Answer),
    found_in(Answer, From, Row, Plain/Arity, Found).

found_in(rows(Rows, More), _, _, PI, rows(Rows, More, PI)).
found_in(asked(Values, Given, Record, Rows0, Time, Hash), From, _, Name/_, read(Rows, Place)) :-
    as_told(Rows0, Values, Rows),
    (   Record == true,
        may_record
    ->  record_answer(From, Name, answer(Values, Given, Rows, Time, Hash))
    ;   true
    ),
    read_place(From, Given, Time, Place).
found_in(recorded, From, Row, _, read(Rows, Place)) :-
    (   recorded_answer(From, Row, Rows, Place)
    ->  true
    ;   \+ \+ ( numbervars(Row, 0, _),
               format(string(Message), "It cannot be told: ~W was not read then.", [Row, [quoted(true),numbervars(true)]]),
               throw(error(hornbook(message(existence_error, Message)), _)) )
    ).
found_in(unnamed(Why), From, Row, PI, Found) :-
    (   recorded_answer(From, Row, Rows, Place)
    ->  Found = read(Rows, Place)
    ;   throw(error(host_error(PI, Why), _))
    ).
found_in(unbound(Column), _, _, PI, _) :-
    format(atom(Why), "~w is asked with, and is not known: bind it before", [Column]),
    throw(error(instantiation_error, context(PI, Why))).

%   as_told(+Rows0, +Values, -Rows): a number that came back for one of Values is that value if both are equal: JavaScript tells
%   no floats from integers.

as_told([], _, []).
as_told([Row0|Rows0], Values, [Row|Rows]) :-
    row_as_told(Row0, Values, Row),
    as_told(Rows0, Values, Rows).

row_as_told([], [], []).
row_as_told([Arg0|Args0], [Value|Values], [Arg|Args]) :-
    (   number(Value),
        number(Arg0),
        Arg0 =:= Value
    ->  Arg = Value
    ;   Arg = Arg0
    ),
    row_as_told(Args0, Values, Args).

%   may_record: what this goal reads may go into the book, and stays there.

may_record :-
    asks_host(record),
    \+ passes,
    \+ is_apart.

%!  columns_of(+From, +PI, -Names) is det.
%
%   Names, strings, are those of the columns of From, which PI has for its rows.

columns_of(From, PI, Names) :-
    from_names(From, Of),
    linked_answer(object([columns=list(Of)]), PI, columns(Names)).

%!  from_names(+From, -Names) is det.
%
%   Names are JSON: the source, and the table if From has one.

from_names(Source:Table, [text(Source),text(Table)]) :-
    !.
from_names(Source, [text(Source)]).

%!  rows_of(+Rows, +More, +PI, ?Args) is nondet.
%
%   Args unifies with one of Rows, or of the next batches of the cursor that More has.

rows_of(Rows, More, PI, Args) :-
    (   More == none
    ->  '$member'(Args, Rows)
    ;   More = more(Number),
        setup_call_catcher_cleanup(true, hb_linked:batches(Rows, Number, PI, Args), Catcher, hb_linked:leave(Catcher, Number))
    ).

%!  plain_name(+Name, -Plain) is det.
%
%   Plain is Name without the module of a private predicate.

plain_name(Name, Plain) :-
    (   engine_parts(Name, _, Plain0)
    ->  Plain = Plain0
    ;   Plain = Name
    ).

batches(Rows, _, _, Args) :-
    '$member'(Args, Rows).
batches(_, Number, PI, Args) :-
    taken_left(Left),
    asked(object([cursor=number(Number), left=list(Left)]), PI, Rows, More),
    (   More == none
    ->  '$member'(Args, Rows)
    ;   batches(Rows, Number, PI, Args)
    ).

%   leave(+Catcher, +Number): the host hears with the next question that the cursor is not read to its end.

leave(Catcher, Number) :-
    (   ( Catcher == (!) ; Catcher = exception(_) ; Catcher = external_exception(_) )
    ->  assertz(left(Number))
    ;   true
    ).

%!  taken_left(-Left) is det.
%
%   Left are the cursors, as JSON, that the host has not heard of that nobody reads them any more.

taken_left(Left) :-
    findall(number(Number), retract(left(Number)), Left).

asked(Question, PI, Rows, More) :-
    linked_answer(Question, PI, rows(Rows, More)).

%!  linked_answer(+Question, +PI, -Answer) is det.
%
%   Answer is that of the host to a question of PI about linked data.
%
%   @error permission_error if goals of this engine cannot ask.
%   @error host_error(PI, Message) if the host could not answer.

linked_answer(Question, PI, Answer) :-
    (   asks_host(linked)
    ->  ask_host(Question, Text)
    ;   throw(error(hornbook(message(permission_error,
                                     "Linked data is asked by queries, proofs, constraints and nodes of workflows only: give its rows to a file as facts.")), _))
    ),
    host_answer(Text, PI, Answer).

%!  arguments(+Args, +Before0, -Before, -Jsons) is det.
%
%   Jsons has of each argument its kind and its text, for the statement.  Before0 are the variables before, whose places
%   are their names.

arguments([], Before, Before, []).
arguments([Arg|Args], Before0, Before, [list([text(Kind),text(Text)])|Jsons]) :-
    argument(Arg, Before0, Kind, Text),
    (   Kind == variable
    ->  '$append'(Before0, [Arg], Before1)
    ;   Before1 = Before0
    ),
    arguments(Args, Before1, Before, Jsons).

argument(Arg, Before, variable, Text) :-
    var(Arg),
    !,
    (   place(Before, Arg, 0, Place)
    ->  true
    ;   length(Before, Place)
    ),
    number_string(Place, Text).
argument(Arg, _, atom, Arg) :-
    atom(Arg),
    !.
argument(Arg, _, integer, Text) :-
    integer(Arg),
    !,
    number_string(Arg, Text).
argument(Arg, _, float, Text) :-
    float(Arg),
    !,
    number_string(Arg, Text).
argument(Arg, _, string, "") :-
    string(Arg),
    !.
argument(_, _, term, "").

place([First|Before], Arg, Place0, Place) :-
    (   First == Arg
    ->  Place = Place0
    ;   Place1 is Place0+1,
        place(Before, Arg, Place1, Place)
    ).
