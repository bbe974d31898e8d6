:- module(hb_answer,
          [ query_names/2,              % +Variables, -Names
            simple_answer/3,            % +Names, +Values, -Line
            answer_line/3,              % +Names, +Answer, -Line
            plain_atom/1,               % @Term
            name_variables/3,           % +Names, +Values, +Term
            short_text/3                % +Term, +Depth, -Text
          ]).
:- use_module('../reply').
:- use_module('../limits').
:- use_module('../depth').

/** <module> Answers as text and as JSON

Terms never leave the engine but as text, made here: as Prolog text that
reads back where it can, and as JSON for programs.

The variables of an answer have their names as an attribute of this module,
which no code of the user's can see or make: what is called `'$VAR'` in an
answer is a term of the user's.
*/

%!  query_names(+Variables, -Names) is det.
%
%   Names are terms name(Variable, Start), Start the begin of the binding's JSON
%   in an answer.

query_names([], []).
query_names([Variable|Variables], [name(Variable, Start)|Names]) :-
    json_string(plain(Variable), Text),
    atomics_to_string(['[', Text, ','], Start),
    query_names(Variables, Names).

%!  simple_answer(+Names, +Values, -Line:string) is semidet.
%
%   As answer_line/3 with no residual goals and no output, for integers and
%   atoms: what most answers are, and what must be fast.

simple_answer(Names, Values, Line) :-
    simple_bindings(Names, Values, Pieces),
    atomics_to_string(['{"bindings":['|Pieces], Line).

simple_bindings([], [], ['],"residual":[],"output":""}']).
simple_bindings([name(_,Start)|Names], [Value|Values], [Start,'"',Value|Pieces]) :-
    (   integer(Value)
    ->  Value < 9007199254740992,
        Value > -9007199254740992,
        Pieces = ['",',Value|Pieces1]
    ;   plain_atom(Value),
        Pieces = ['","',Value,'"'|Pieces1]
    ),
    (   Names == []
    ->  Pieces1 = [']'|Pieces2]
    ;   Pieces1 = ['],'|Pieces2]
    ),
    simple_bindings(Names, Values, Pieces2).

%!  answer_line(+Names, +Answer, -Line:string) is det.
%
%   Answer is answer(Values, Residual, Output), a copy whose variables have no
%   attributes; Names are those of query_names/2 in the order of Values.  Terms
%   deeper than the limits allow are cut.
%
%   @error hornbook(limit(answer_chars)) if a number is too long: the time to
%   write it would grow with the square of its length.

answer_line(Names, answer(Values, Residual, Output), Line) :-
    short_numbers(Values),
    (   ground(Values)
    ->  true
    ;   name_variables(Names, Values, Values+Residual)
    ),
    bindings_json(Names, Values, Bindings),
    residual_json(Residual, Goals),
    (   Output == ""
    ->  Written = plain("")
    ;   Written = text(Output)
    ),
    json_string(object([ bindings=list(Bindings), residual=list(Goals), output=Written ]), Line).

short_numbers([]).
short_numbers([Value|Values]) :-
    (   integer(Value),
        Value =\= 0,
        limit_of(answer_chars, Chars),
        msb(abs(Value)) > 4*Chars
    ->  throw(error(hornbook(limit(answer_chars)), _))
    ;   short_numbers(Values)
    ).

bindings_json([], [], []).
bindings_json([name(Name,_)|Names], [Value|Values], [list([plain(Name), Text, Json])|Bindings]) :-
    binding(Value, Name, Text, Json),
    bindings_json(Names, Values, Bindings).

%   binding(+Value, +Name, -Text, -Json): Text, too, is a value for hb_reply.

binding(Value, _, plain(Value), number(Value)) :-
    integer(Value),
    Value < 9007199254740992,
    Value > -9007199254740992,
    !.
binding(Value, _, plain(Value), plain(Value)) :-
    plain_atom(Value),
    !.
binding(Value, Name, plain('_'), Json) :-
    var(Value),
    get_attr(Value, hb_answer, Name),
    !,
    json_term(Value, 0, Json).
binding(Value, _, quoted(Text), Json) :-
    term_text(Value, 699, Text),            % as behind the = of `X = Value`
    (   cyclic_term(Value)
    ->  Json = object([cyclic=quoted(Text)])
    ;   limit_of(json_depth, Depth),
        json_term(Value, Depth, Json)
    ).

residual_json([], []).
residual_json([Goal|Goals], [quoted(Text)|Texts]) :-
    term_text(Goal, 999, Text),
    residual_json(Goals, Texts).

%!  plain_atom(@Term) is semidet.
%
%   An atom that is the same without quotes, in Prolog and in JSON.

plain_atom(Term) :-
    atom(Term),
    sub_atom(Term, 0, 1, _, First),
    char_type(First, lower),
    term_to_atom(Term, Text),
    Text == Term.

%   json_term(+Term, +Depth, -Json)

json_term(Var, _, object([variable=plain(Name)])) :-
    var(Var),
    !,
    get_attr(Var, hb_answer, Name).
json_term(Integer, _, Json) :-
    integer(Integer),
    !,
    (   abs(Integer) < 9007199254740992
    ->  Json = number(Integer)
    ;   Json = object([integer=plain(Integer)])
    ).
json_term(Float, _, Json) :-
    float(Float),
    !,
    (   float_class(Float, Class), memberchk(Class, [nan,infinite])
    ->  Json = object([float=text(Float)])
    ;   Json = number(Float)
    ).
json_term(Rational, _, object([rational=text(Text)])) :-
    rational(Rational),
    !,
    format(string(Text), '~w', [Rational]).
json_term([], _, list([])) :-
    !.
json_term(Text, _, text(Text)) :-
    ( atom(Text) ; string(Text) ),
    !.
json_term(Blob, _, text(Text)) :-
    atomic(Blob),                           % a stream, a clause
    !,
    format(string(Text), '~w', [Blob]).
json_term(_, 0, object([cut= @(true)])) :-
    !.
json_term(List, Depth, list(Jsons)) :-
    is_list(List),
    !,
    Depth1 is Depth-1,
    json_terms(List, Depth1, Jsons).
json_term(Dict, Depth, object(Pairs)) :-
    is_dict(Dict),
    !,
    Depth1 is Depth-1,
    dict_pairs(Dict, _, Pairs0),
    json_pairs(Pairs0, Depth1, Pairs).
json_term(Term, Depth, object([functor=text(Name), args=list(Jsons)])) :-
    compound_name_arguments(Term, Name, Args),
    Depth1 is Depth-1,
    json_terms(Args, Depth1, Jsons).

json_terms([], _, []).
json_terms([Term|Terms], Depth, [Json|Jsons]) :-
    json_term(Term, Depth, Json),
    json_terms(Terms, Depth, Jsons).

json_pairs([], _, []).
json_pairs([Key-Value|Pairs0], Depth, [Key-Json|Pairs]) :-
    json_term(Value, Depth, Json),
    json_pairs(Pairs0, Depth, Pairs).

%!  name_variables(+Names, +Values, +Term) is det.
%
%   Unbound variables of the query get their own names, others in Term _A, _B, ...
%   A variable that occurs nowhere else is written as _.

name_variables(Names, Values, Term) :-
    name_query_variables(Names, Values),
    term_variables(Term, Vars),
    name_other_variables(Vars, 0, Names).

name_query_variables([], []).
name_query_variables([name(Name,_)|Names], [Value|Values]) :-
    (   var(Value),
        \+ get_attr(Value, hb_answer, _)
    ->  put_attr(Value, hb_answer, Name)
    ;   true
    ),
    name_query_variables(Names, Values).

name_other_variables([], _, _).
name_other_variables([Var|Vars], N0, Names) :-
    (   get_attr(Var, hb_answer, _)
    ->  N = N0
    ;   other_name(N0, N, Names, Name),
        put_attr(Var, hb_answer, Name)
    ),
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

term_text(Atom, _, Text) :-
    atom(Atom),
    !,
    format(string(Text), '~q', [Atom]).
term_text(Term, Priority, Text) :-
    limit_of(answer_depth, Depth),
    (   shallow(Term, Depth)
    ->  More = []
    ;   More = [max_depth(Depth)]
    ),
    quoted_text(Term, [priority(Priority)|More], Text).

%!  short_text(+Term, +Depth, -Text:string) is det.
%
%   Text of a goal whose variables have names, cut below Depth levels.

short_text(Term, Depth, Text) :-
    quoted_text(Term, [priority(999), max_depth(Depth)], Text).

quoted_text(Term, Options, Text) :-
    term_variables(Term, Vars),
    (   Vars == []
    ->  Options1 = Options
    ;   variable_names(Vars, Names),
        Options1 = [variable_names(Names)|Options]
    ),
    format(string(Text), '~W',
           [ Term,
             [ quoted(true), numbervars(false), portray(false), module(hb_syntax), cycles(true)
             | Options1 ] ]).

variable_names([], []).
variable_names([Var|Vars], [Name=Var|Names]) :-
    get_attr(Var, hb_answer, Name),
    variable_names(Vars, Names).
