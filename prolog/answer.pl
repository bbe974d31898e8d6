:- module(hb_answer,
          [ write_json/2,               % +Out, +Json
            write_answer/4,             % +Out, +Names, +Answer, +Limits
            clause_text/2               % +Clause, -Text
          ]).
:- use_module(library(json), []).
:- use_module(library(listing), [portray_clause/2]).

/** <module> Answers as text and as JSON

Terms never leave the engine but as text, written here: as Prolog text that
reads back where it can, and as JSON for programs.
*/

%!  write_json(+Out, +Json) is det.
%
%   Json is json(List) of Name=Value, a list, a string, a number, true,
%   false, null, an atom (written as a string), or raw_list(Text), the JSON of
%   the elements of a list.

write_json(Out, json(Pairs)) :-
    !,
    put_char(Out, '{'),
    write_pairs(Pairs, Out),
    put_char(Out, '}').
write_json(Out, raw_list(Text)) :-
    !,
    format(Out, '[~w]', [Text]).
write_json(Out, List) :-
    is_list(List),
    !,
    put_char(Out, '['),
    write_elements(List, Out),
    put_char(Out, ']').
write_json(Out, Value) :-
    (   number(Value)
    ;   Value == true
    ;   Value == false
    ;   Value == null
    ),
    !,
    write(Out, Value).
write_json(Out, Text) :-
    json:json_write_string(Out, Text).

write_pairs([], _).
write_pairs([Name=Value|T], Out) :-
    json:json_write_string(Out, Name),
    put_char(Out, ':'),
    write_json(Out, Value),
    (   T == []
    ->  true
    ;   put_char(Out, ','),
        write_pairs(T, Out)
    ).

write_elements([], _).
write_elements([H|T], Out) :-
    (   integer(H)
    ->  write(Out, H)
    ;   write_json(Out, H)
    ),
    (   T == []
    ->  true
    ;   put_char(Out, ','),
        write_elements(T, Out)
    ).

%!  write_answer(+Out, +Names, +Answer, +Depth) is det.
%
%   Answer is answer(Values, Residual, Output); Names are terms name(Variable,
%   Start) in the order of Values, Start the begin of the binding's JSON.

write_answer(Out, Names, answer(Values, Residual, Output), Depth) :-
    (   ground(Values)
    ->  true
    ;   name_variables(Names, Values, Values+Residual)
    ),
    write(Out, '{"bindings":['),
    write_bindings(Names, Values, Out, Depth),
    (   Residual == [],
        Output == ""
    ->  write(Out, '],"residual":[],"output":""}')
    ;   write(Out, '],"residual":['),
        write_residual(Residual, Out, Depth),
        write(Out, '],"output":'),
        json:json_write_string(Out, Output),
        write(Out, '}')
    ).

%   Unbound variables of the query get their own names, others _A, _B, ...;
%   a variable that occurs nowhere else is written as _.

name_variables(Names, Values, Term) :-
    name_query_variables(Names, Values),
    term_variables(Term, Vars),
    name_other_variables(Vars, 0, Names).

name_query_variables([], []).
name_query_variables([name(Name,_)|Names], [Value|Values]) :-
    (   var(Value)
    ->  Value = '$VAR'(Name)
    ;   true
    ),
    name_query_variables(Names, Values).

name_other_variables([], _, _).
name_other_variables(['$VAR'(Name)|Vars], N0, Names) :-
    other_name(N0, N, Names, Name),
    name_other_variables(Vars, N, Names).

other_name(N0, N, Names, Name) :-
    Letter is 0'A + N0 mod 26,
    Number is N0 // 26,
    N1 is N0+1,
    (   Number =:= 0
    ->  format(atom(Name0), '_~c', [Letter])
    ;   format(atom(Name0), '_~c~d', [Letter, Number])
    ),
    (   memberchk(name(Name0,_), Names)
    ->  other_name(N1, N, Names, Name)
    ;   Name = Name0,
        N = N1
    ).

write_bindings([], [], _, _).
write_bindings([name(Name,Start)|Names], [Value|Values], Out, Depth) :-
    (   integer(Value),
        Value < 9007199254740992,
        Value > -9007199254740992
    ->  format(Out, '~w"~d",~d]', [Start, Value, Value])
    ;   write(Out, Start),
        write_value(Value, Name, Out, Depth),
        put_char(Out, ']')
    ),
    (   Names == []
    ->  true
    ;   put_char(Out, ','),
        write_bindings(Names, Values, Out, Depth)
    ).

write_value('$VAR'(Name), Name, Out, _) :-
    !,
    write(Out, '"_",'),
    write_variable(Name, Out).
write_value(Value, _, Out, Depth) :-
    term_text(Value, Depth, Text),
    json:json_write_string(Out, Text),
    put_char(Out, ','),
    (   cyclic_term(Value)
    ->  write(Out, '{"cyclic":'),
        json:json_write_string(Out, Text),
        write(Out, '}')
    ;   write_term_json(Value, Depth, Out)
    ).

write_residual([], _, _).
write_residual([Goal|Goals], Out, Depth) :-
    term_text(Goal, Depth, Text),
    json:json_write_string(Out, Text),
    (   Goals == []
    ->  true
    ;   put_char(Out, ','),
        write_residual(Goals, Out, Depth)
    ).

%   term_text(+Term, +Depth, -Text): quoted text.  Writing recurses on the C
%   stack, so that what is deep is cut.

term_text(Term, Depth, Text) :-
    (   shallow(Term, Depth)
    ->  format(string(Text), '~W',
               [ Term,
                 [ quoted(true), numbervars(true), portray(false),
                   module(hb_syntax), cycles(true) ] ])
    ;   format(string(Text), '~W',
               [ Term,
                 [ quoted(true), numbervars(true), portray(false),
                   module(hb_syntax), cycles(true), max_depth(Depth) ] ])
    ).

shallow(Term, _) :-
    atomic(Term),
    !.
shallow(Term, Depth) :-
    '$term_size'(Term, Depth, _),           % fails when it is larger
    !.
shallow(Term, Depth) :-
    acyclic_term(Term),
    within_depth(Term, Depth).

within_depth(Term, _) :-
    \+ compound(Term),
    !.
within_depth(_, 0) :-
    !,
    fail.
within_depth([H|T], Depth) :-
    !,
    Depth1 is Depth-1,
    within_depth(H, Depth1),
    within_depth(T, Depth).
within_depth(Term, Depth) :-
    Depth1 is Depth-1,
    compound_name_arity(Term, _, Arity),
    arguments_within_depth(Arity, Term, Depth1).

arguments_within_depth(0, _, _) :-
    !.
arguments_within_depth(I, Term, Depth) :-
    arg(I, Term, Arg),
    within_depth(Arg, Depth),
    I1 is I-1,
    arguments_within_depth(I1, Term, Depth).

%   write_term_json(+Term, +Depth, +Out): as JSON.

write_term_json(Term, _, Out) :-
    integer(Term),
    !,
    (   abs(Term) < 9007199254740992
    ->  write(Out, Term)
    ;   format(Out, '{"integer":"~d"}', [Term])
    ).
write_term_json(Term, _, Out) :-
    float(Term),
    !,
    float_class(Term, Class),
    (   memberchk(Class, [nan,infinite])
    ->  format(Out, '{"float":"~w"}', [Term])
    ;   float_json(Term, Out)
    ).
write_term_json(Term, _, Out) :-
    rational(Term),
    !,
    format(Out, '{"rational":"~w"}', [Term]).
write_term_json([], _, Out) :-
    !,
    write(Out, '[]').
write_term_json(Term, _, Out) :-
    (   atom(Term)
    ;   string(Term)
    ),
    !,
    json:json_write_string(Out, Term).
write_term_json(Term, _, Out) :-
    atomic(Term),                           % a blob: a stream, a clause
    !,
    format(string(Text), '~w', [Term]),
    json:json_write_string(Out, Text).
write_term_json('$VAR'(Name), _, Out) :-
    atom(Name),
    !,
    write_variable(Name, Out).
write_term_json(_, 0, Out) :-
    !,
    write(Out, '{"cut":true}').
write_term_json(List, Depth, Out) :-
    is_list(List),
    !,
    Depth1 is Depth-1,
    put_char(Out, '['),
    write_json_list(List, Depth1, Out),
    put_char(Out, ']').
write_term_json(Dict, Depth, Out) :-
    is_dict(Dict),
    !,
    Depth1 is Depth-1,
    dict_pairs(Dict, _, Pairs),
    put_char(Out, '{'),
    write_json_dict(Pairs, Depth1, Out),
    put_char(Out, '}').
write_term_json(Term, Depth, Out) :-
    compound_name_arguments(Term, Name, Args),
    Depth1 is Depth-1,
    write(Out, '{"functor":'),
    json:json_write_string(Out, Name),
    write(Out, ',"args":['),
    write_json_list(Args, Depth1, Out),
    write(Out, ']}').

write_json_list([], _, _).
write_json_list([H|T], Depth, Out) :-
    write_term_json(H, Depth, Out),
    (   T == []
    ->  true
    ;   put_char(Out, ','),
        write_json_list(T, Depth, Out)
    ).

write_json_dict([], _, _).
write_json_dict([Key-Value|T], Depth, Out) :-
    format(string(Text), '~w', [Key]),
    json:json_write_string(Out, Text),
    put_char(Out, ':'),
    write_term_json(Value, Depth, Out),
    (   T == []
    ->  true
    ;   put_char(Out, ','),
        write_json_dict(T, Depth, Out)
    ).

write_variable(Name, Out) :-
    write(Out, '{"variable":'),
    json:json_write_string(Out, Name),
    put_char(Out, '}').

%   1.0e10 and 1e22 are both written so that JSON reads them.

float_json(Float, Out) :-
    write(Out, Float).

%!  clause_text(+Clause, -Text:string) is det.
%
%   Text of a clause that running code has added, as portray_clause/1 writes
%   it.

clause_text(Clause, Text) :-
    (   shallow(Clause, 500)
    ->  with_output_to(string(Text0), ( current_output(S), portray_clause(S, Clause) )),
        split_string(Text0, "", "\n", [Text])
    ;   throw(error(hornbook(message(resource_error,
                                     "A clause that the goal added is nested too deep to be kept.")), _))
    ).
