:- module(hb_answer,
          [ simple_answer/3,            % +Names, +Values, -Text
            answer_text/3,              % +Names, +Answer, -Text
            plain_atom/1,               % @Term
            name_variables/3,           % +Names, +Values, +Term
            short_text/3                % +Term, +Depth, -Text
          ]).
:- use_module(reply).
:- use_module(limits).
:- use_module(depth).

/** <module> Answers as text and as JSON

Terms never leave the engine but as text, made here: as Prolog text that
reads back where it can, and as JSON for programs.  The text of an answer is
put together from parts, since writing to a stream piece by piece costs much
more.
*/

%!  simple_answer(+Names, +Values, -Text:string) is semidet.
%
%   As answer_text/3 with no residual goals and no output, for integers and
%   atoms: what most answers are, and what must be fast.

simple_answer(Names, Values, Text) :-
    simple_bindings(Names, Values, Parts),
    atomics_to_string(['{"bindings":['|Parts], Text).

simple_bindings([], [], ['],"residual":[],"output":""}']).
simple_bindings([name(_,Start)|Names], [Value|Values], [Start,'"',Value|Parts]) :-
    (   integer(Value)
    ->  Value < 9007199254740992,
        Value > -9007199254740992,
        Parts = ['",',Value|Parts1]
    ;   plain_atom(Value),
        Parts = ['","',Value,'"'|Parts1]
    ),
    (   Names == []
    ->  Parts1 = [']'|Parts2]
    ;   Parts1 = ['],'|Parts2]
    ),
    simple_bindings(Names, Values, Parts2).

%!  answer_text(+Names, +Answer, -Text:string) is det.
%
%   Answer is answer(Values, Residual, Output); Names are terms name(Variable,
%   Start) in the order of Values, Start the begin of the binding's JSON.
%   Terms deeper than the limits allow are cut.
%
%   @error hornbook(limit(answer_chars)) if a number is too long: the time to
%   write it would grow with the square of its length.

answer_text(Names, answer(Values, Residual, Output), Text) :-
    short_numbers(Values),
    (   ground(Values)
    ->  true
    ;   name_variables(Names, Values, Values+Residual)
    ),
    phrase(answer(Names, Values, Residual, Output), Parts),
    atomics_to_string(Parts, Text).

short_numbers([]).
short_numbers([Value|Values]) :-
    (   integer(Value),
        Value =\= 0,
        limit_of(answer_chars, Chars),
        msb(abs(Value)) > 4*Chars
    ->  throw(error(hornbook(limit(answer_chars)), _))
    ;   short_numbers(Values)
    ).

answer(Names, Values, Residual, Output) -->
    ['{"bindings":['],
    bindings(Names, Values),
    (   { Residual == [], Output == "" }
    ->  ['],"residual":[],"output":""}']
    ;   ['],"residual":['],
        residual(Residual),
        ['],"output":'],
        json_text(Output),
        ['}']
    ).

bindings([], []) -->
    [].
bindings([name(Name,Start)|Names], [Value|Values]) -->
    [Start],
    binding(Value, Name),
    (   { Names == [] }
    ->  [']']
    ;   ['],'],
        bindings(Names, Values)
    ).

%   binding(+Value, +Name)//: its text and its JSON.

binding(Value, _) -->
    { integer(Value),
      Value < 9007199254740992,
      Value > -9007199254740992
    },
    !,
    ['"', Value, '",', Value].
binding(Value, _) -->
    { plain_atom(Value) },
    !,
    ['"', Value, '","', Value, '"'].
binding('$VAR'(Name), Name) -->
    !,
    ['"_",'],
    json_variable(Name).
binding(Value, _) -->
    { term_text(Value, 699, Text) },        % as behind the = of `X = Value`
    json_text(Text),
    [','],
    (   { cyclic_term(Value) }
    ->  ['{"cyclic":'],
        json_text(Text),
        ['}']
    ;   { limit_of(json_depth, Depth) },
        json_term(Value, Depth)
    ).

residual([]) -->
    [].
residual([Goal|Goals]) -->
    { term_text(Goal, 999, Text) },
    json_text(Text),
    (   { Goals == [] }
    ->  []
    ;   [','],
        residual(Goals)
    ).

%!  plain_atom(@Term) is semidet.
%
%   An atom that is the same without quotes, in Prolog and in JSON.

plain_atom(Term) :-
    atom(Term),
    sub_atom(Term, 0, 1, _, First),
    char_type(First, lower),
    term_to_atom(Term, Text),
    Text == Term.

json_variable(Name) -->
    ['{"variable":"', Name, '"}'].

%   json_term(+Term, +Depth)//

json_term(Term, _) -->
    { plain_atom(Term) },
    !,
    ['"', Term, '"'].
json_term(Term, _) -->
    { integer(Term) },
    !,
    (   { abs(Term) < 9007199254740992 }
    ->  [Term]
    ;   ['{"integer":"', Term, '"}']
    ).
json_term(Term, _) -->
    { float(Term) },
    !,
    (   { float_class(Term, Class), memberchk(Class, [nan,infinite]) }
    ->  ['{"float":"', Term, '"}']
    ;   [Term]
    ).
json_term(Term, _) -->
    { rational(Term) },
    !,
    ['{"rational":"', Term, '"}'].
json_term([], _) -->
    !,
    ['[]'].
json_term(Term, _) -->
    { ( atom(Term) ; string(Term) ) },
    !,
    json_text(Term).
json_term(Term, _) -->
    { atomic(Term) },                       % a blob: a stream, a clause
    !,
    { format(string(Text), '~w', [Term]) },
    json_text(Text).
json_term('$VAR'(Name), _) -->
    { atom(Name) },
    !,
    json_variable(Name).
json_term(_, 0) -->
    !,
    ['{"cut":true}'].
json_term(List, Depth) -->
    { is_list(List) },
    !,
    { Depth1 is Depth-1 },
    ['['],
    json_terms(List, Depth1),
    [']'].
json_term(Dict, Depth) -->
    { is_dict(Dict) },
    !,
    { Depth1 is Depth-1,
      dict_pairs(Dict, _, Pairs)
    },
    ['{'],
    json_pairs(Pairs, Depth1),
    ['}'].
json_term(Term, Depth) -->
    { compound_name_arguments(Term, Name, Args),
      Depth1 is Depth-1
    },
    ['{"functor":'],
    json_text(Name),
    [',"args":['],
    json_terms(Args, Depth1),
    [']}'].

json_terms([], _) -->
    [].
json_terms([H|T], Depth) -->
    json_term(H, Depth),
    (   { T == [] }
    ->  []
    ;   [','],
        json_terms(T, Depth)
    ).

json_pairs([], _) -->
    [].
json_pairs([Key-Value|T], Depth) -->
    { atom_string(Key, Text) },
    json_text(Text),
    [':'],
    json_term(Value, Depth),
    (   { T == [] }
    ->  []
    ;   [','],
        json_pairs(T, Depth)
    ).

%!  name_variables(+Names, +Values, +Term) is det.
%
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

%   term_text(+Term, +Priority, -Text): quoted text.  Writing recurses on the C
%   stack, so that what is deep is cut.

term_text(Term, _, Text) :-
    atom(Term),
    !,
    format(atom(Text), '~q', [Term]).
term_text(Term, Priority, Text) :-
    limit_of(answer_depth, Depth),
    (   shallow(Term, Depth)
    ->  More = []
    ;   More = [max_depth(Depth)]
    ),
    format(string(Text), '~W',
           [ Term,
             [ quoted(true), numbervars(true), portray(false), priority(Priority),
               module(hb_syntax), cycles(true) | More ] ]).

%!  short_text(+Term, +Depth, -Text:string) is det.
%
%   Text of a goal whose variables have names, cut below Depth levels.

short_text(Term, Depth, Text) :-
    format(string(Text), '~W',
           [ Term,
             [ quoted(true), numbervars(true), portray(false), priority(999),
               module(hb_syntax), cycles(true), max_depth(Depth) ] ]).
