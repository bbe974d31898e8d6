:- module(hb_near_rows,
          [ near_row/3                  % +Goal, +From, -Text
          ]).
:- use_module('../host/linked').
:- use_module(proof_nodes, [goal_text/2]).
:- use_module(library(lists), [nth1/3, reverse/2]).

/** <module> Rows of linked data that a goal may have meant

They are looked for by statements with other values for what the goal knows, which a source finds as soon as any others.
*/

%!  near_row(+Goal, +From, -Text) is semidet.
%
%   No row of the table From matches Goal, of a linked predicate; Text says which comes nearest, and how it differs.

near_row(Goal, From, Text) :-
    compound_name_arguments(Goal, Name, Args),
    catch(found(From, Name, Args, Row, Place), error(host_error(_, _), _), fail),
    compound_name_arity(Goal, Name, Arity),
    plain_name(Name, Plain),
    columns_of(From, Plain/Arity, Columns),
    compound_name_arguments(Row, _, Values),
    differences(Columns, Args, Values, Differences),
    atomic_list_concat(Differences, ', ', Said),
    goal_text(Row, RowText),
    format(string(Text), "the nearest row is ~w (~w): ~w", [RowText, Place, Said]).

found(From, Name, Args, Row, Place) :-
    other_arguments(Args, Others),
    compound_name_arguments(Row, Name, Others),
    tried_row(From, Row, Place),
    !.

%   other_arguments(+Args, -Others) is nondet: the nearest first.  A value written otherwise; one value left out; all but one.

other_arguments(Args, Others) :-
    known(Args, Places),
    reverse(Places, Last),                  % what comes first often says which row is meant
    (   '$member'(Place, Places),
        nth1(Place, Args, Value),
        otherwise(Value, Other),
        with(Args, Places, Place, Other, Others)
    ;   Places = [_,_|_],
        '$member'(Place, Last),
        with(Args, Places, Place, _, Others)
    ;   Places = [_,_,_|_],
        '$member'(Place, Places),
        with(Args, [Place], none, _, Others)
    ).

known(Args, Places) :-
    findall(Place, ( nth1(Place, Args, Arg), nonvar(Arg) ), Places).

%   with(+Args, +Places, +Place, ?Other, -Others): Others are Args at Places, Other at Place, and else variables.

with(Args, Places, Place, Other, Others) :-
    findall(I, nth1(I, Args, _), All),
    each_with(All, Args, Places, Place, Other, Others).

each_with([], [], _, _, _, []).
each_with([I|All], [Arg|Args], Places, Place, Other, [One|Others]) :-
    (   I == Place
    ->  One = Other
    ;   '$member'(I, Places)
    ->  One = Arg
    ;   true
    ),
    each_with(All, Args, Places, Place, Other, Others).

otherwise(Value, Other) :-
    string(Value),
    !,
    atom_string(Text, Value),
    (   Other = Text
    ;   otherwise(Text, Other)
    ).
otherwise(Value, Other) :-
    number(Value),
    !,
    (   integer(Value)
    ->  catch(Other is float(Value), _, fail)
    ;   Value =:= truncate(Value),
        Other is truncate(Value)
    ;   atom_number(Other, Value)
    ).
otherwise(Value, Other) :-
    atom(Value),
    (   atom_number(Value, Other)
    ;   upcase_atom(Value, Upper),
        downcase_atom(Value, Lower),
        sub_atom(Upper, 0, 1, _, First),
        sub_atom(Lower, 1, _, 0, Rest),
        atom_concat(First, Rest, Capital),
        sort([Upper,Lower,Capital], Texts),
        '$member'(Other, Texts),
        Other \== Value
    ).

differences([], [], [], []).
differences([Column|Columns], [Arg|Args], [Value|Values], Differences) :-
    (   ( var(Arg) ; Arg = Value )
    ->  Differences = Differences1
    ;   goal_text(Value, Has),
        goal_text(Arg, Asked),
        format(string(Difference), "~w is ~w, not ~w", [Column, Has, Asked]),
        Differences = [Difference|Differences1]
    ),
    differences(Columns, Args, Values, Differences1).
