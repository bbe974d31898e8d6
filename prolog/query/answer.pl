:- module(hb_answer,
          [ query_names/2,              % +Variables, -Names
            simple_answer/3,            % +Names, +Values, -Line
            answer_line/3,              % +Names, +Answer, -Line
            terms_json/2,               % +Terms, -Jsons
            plain_atom/1,               % @Term
            name_variables/3,           % +Names, +Values, +Term
            short_text/3                % +Term, +Depth, -Text
          ]).
:- use_module('../reply').
:- use_module('../limits').
:- use_module('../depth').

/** <module> Answers as text and as JSON

Terms leave the engine only as text, made here: as Prolog text, which reads back
where possible, and as JSON for programs.

Variables are written by the name in their attribute of this module.  User code can neither see nor
make that attribute, so a `'$VAR'` in an answer is a term of the user's.
*/

%!  query_names(+Variables, -Names) is det.
%
%   Names are terms name(Variable, Start), Start being how the JSON of the binding
%   begins in an answer.

query_names([], []).
query_names([Variable|Variables], [name(Variable, Start)|Names]) :-
    json_string(plain(Variable), Text),
    atomics_to_string(['[', Text, ','], Start),
    query_names(Variables, Names).

%!  simple_answer(+Names, +Values, -Line:string) is semidet.
%
%   As answer_line/3 without residual goals and output, if all values are integers or
%   atoms.  Most answers are like this, and must be fast.

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
        (   get_flag(hb_exact, 1)
        ->  Pieces = ['",{"atom":"',Value,'"}'|Pieces1]
        ;   Pieces = ['","',Value,'"'|Pieces1]
        )
    ),
    (   Names == []
    ->  Pieces1 = [']'|Pieces2]
    ;   Pieces1 = ['],'|Pieces2]
    ),
    simple_bindings(Names, Values, Pieces2).

%!  answer_line(+Names, +Answer, -Line:string) is det.
%
%   Answer is answer(Values, Residual, Output, Truth), a copy whose variables have no
%   attributes; Truth is `true` or `undefined`; Names come from query_names/2, in the order of Values.  Terms
%   deeper than the limits allow are cut.
%
%   @error hornbook(limit(answer_chars)) if a number is too long: the time to
%   write it would grow with the square of its length.

answer_line(Names, answer(Values, Residual0, Output, Truth), Line) :-
    short_numbers(Values),
    without_cycles(Names, Values, Shown, Residual0, Residual),
    all_written(Shown, Written),
    all_written(Residual, Goals),
    name_query_variables(Names, Shown),
    first_names(First),
    name_written(Written, First, Next),
    name_written(Goals, Next, _),
    bindings_json(Names, Values, Written, Bindings),
    residual_json(Goals, Texts),
    (   Output == ""
    ->  Out = plain("")
    ;   Out = text(Output)
    ),
    (   Truth == undefined
    ->  More = [undefined= @(true)]
    ;   More = []
    ),
    json_string(object([ bindings=list(Bindings), residual=list(Texts), output=Out | More ]), Line).

%   without_cycles(+Names, +Values, -Shown, +Residual0, -Residual): write cyclic terms as
%   equations, as at SWI-Prolog's prompt.  If the whole value is one, its binding is the
%   equation: `X = f(X)`.  Other equations are goals after the residual ones.

without_cycles(_, Values, Values, Residual, Residual) :-
    acyclic_term(Values),
    !.
without_cycles(Names, Values, Shown, Residual0, Residual) :-
    phrase(all_without_cycles(Names, Values, Shown), Equations),
    append(Residual0, Equations, Residual).

all_without_cycles([], [], []) -->
    [].
all_without_cycles([Name|Names], [Value|Values], [Shown|Showns]) -->
    value_without_cycles(Name, Value, Shown),
    all_without_cycles(Names, Values, Showns).

value_without_cycles(_, Value, Value) -->
    { acyclic_term(Value) },
    !.
value_without_cycles(name(Name,_), Value, Shown) -->
    { term_variables(Value, Vars),
      duplicate_term(Vars-Value, Vars-Copy),    % '$factorize_term'/3 cuts it at its cycles
      '$factorize_term'(Copy, Shown0, Shared),
      cycles_of(Shared, Cycles)
    },
    (   { var(Shown0),
          selectchk(Var=Shown, Cycles, Others),
          Var == Shown0
      }
    ->  { put_attr(Shown0, hb_answer, Name) },
        Others
    ;   { Shown = Shown0 },
        Cycles
    ).

%   cycles_of(+Shared, -Cycles): leave out the subterms that merely occur more than once.

cycles_of([], []).
cycles_of([Var=Term|Shared], Cycles) :-
    (   Var = Term,
        acyclic_term(Term)
    ->  cycles_of(Shared, Cycles)
    ;   Cycles = [Var=Term|Cycles1],
        cycles_of(Shared, Cycles1)
    ).

%   all_written(+Terms, -Written): Written has written(Term, Options, Variables) for each
%   term.  Options cut it if it is too deep, because writing recurses on the C stack;
%   Variables are the variables then written, in order.

all_written([], []).
all_written([Term|Terms], [written(Term, Options, Variables)|Written]) :-
    limit_of(answer_depth, Depth),
    (   ground(Term)
    ->  Variables = [],
        options(Term, Depth, Options)
    ;   options(Term, Depth, Options),
        written_variables(Options, Term, Variables)
    ),
    all_written(Terms, Written).

options(Term, Depth, Options) :-
    (   shallow(Term, Depth)
    ->  Options = []
    ;   Options = [max_depth(Depth)]
    ).

written_variables([max_depth(Depth)], Term, Variables) :-
    acyclic_term(Term),
    !,
    limit_of(json_depth, JsonDepth),
    Levels is max(Depth, JsonDepth),
    phrase(variables_within(Term, Levels), Variables0),
    term_variables(Variables0, Variables).
written_variables(_, Term, Variables) :-
    term_variables(Term, Variables).

%   variables_within(+Term, +Levels)//: the variables in the first Levels levels, counted
%   as shallow/2 does.

variables_within(Var, _) -->
    { var(Var) },
    !,
    [Var].
variables_within(Term, Levels) -->
    { ( Levels =:= 0 ; atomic(Term) ) },
    !.
variables_within([H|T], Levels) -->
    !,
    { Levels1 is Levels-1 },
    variables_within(H, Levels1),
    variables_within(T, Levels).
variables_within(Term, Levels) -->
    { Levels1 is Levels-1,
      compound_name_arguments(Term, _, Args)
    },
    all_within(Args, Levels1).

all_within([], _) -->
    [].
all_within([Term|Terms], Levels) -->
    variables_within(Term, Levels),
    all_within(Terms, Levels).

short_numbers([]).
short_numbers([Value|Values]) :-
    (   integer(Value),
        Value =\= 0,
        limit_of(answer_chars, Chars),
        msb(abs(Value)) > 4*Chars
    ->  throw(error(hornbook(limit(answer_chars)), _))
    ;   short_numbers(Values)
    ).

bindings_json([], [], [], []).
bindings_json([name(Name,_)|Names], [Value|Values], [Written|Writtens],
              [list([plain(Name), Text, Json])|Bindings]) :-
    binding(Value, Written, Name, Text, Json),
    bindings_json(Names, Values, Writtens, Bindings).

%   binding(+Value, +Written, +Name, -Text, -Json): both Text and Json are values for hb_reply.

binding(Value, _, _, plain(Value), number(Value)) :-
    integer(Value),
    Value < 9007199254740992,
    Value > -9007199254740992,
    !.
binding(Value, _, _, plain(Value), Json) :-
    plain_atom(Value),
    !,
    (   get_flag(hb_exact, 1)
    ->  Json = object([atom=plain(Value)])
    ;   Json = plain(Value)
    ).
binding(Value, _, Name, plain('_'), Json) :-
    var(Value),
    get_attr(Value, hb_answer, Name),
    !,
    json_term(Value, 0, Json).
binding(Value, Written, _, quoted(Text), Json) :-
    term_text(Written, 699, Text),            % the argument priority of = in `X = Value`
    (   cyclic_term(Value)
    ->  Json = object([cyclic=quoted(Text)])
    ;   limit_of(json_depth, Depth),
        json_term(Value, Depth, Json)
    ).

residual_json([], []).
residual_json([Goal|Goals], [quoted(Text)|Texts]) :-
    term_text(Goal, 999, Text),
    residual_json(Goals, Texts).

%!  terms_json(+Terms, -Jsons) is det.
%
%   Terms as in the bindings of an answer that is not exact, without their attributes.

terms_json(Terms, Jsons) :-
    get_flag(hb_exact, Exact),
    set_flag(hb_exact, 0),
    plain_jsons(Terms, Jsons),
    set_flag(hb_exact, Exact).

plain_jsons(Terms, Jsons) :-
    copy_term_nat(Terms, Copy),
    short_numbers(Copy),
    all_written(Copy, Written),
    first_names(First),
    name_written(Written, First, _),
    written_json(Written, Jsons).

written_json([], []).
written_json([Written|Terms], [Json|Jsons]) :-
    Written = written(Term, _, _),
    (   cyclic_term(Term)
    ->  term_text(Written, 999, Text),
        Json = object([cyclic=quoted(Text)])
    ;   limit_of(json_depth, Depth),
        json_term(Term, Depth, Json)
    ),
    written_json(Terms, Jsons).

%!  plain_atom(@Term) is semidet.
%
%   Term is an atom that needs neither quotes in Prolog nor escapes in a JSON string.

plain_atom(Term) :-
    atom(Term),
    \+ json_constant(Term),
    sub_atom(Term, 0, 1, _, First),
    char_type(First, lower),
    term_to_atom(Term, Text),
    Text == Term.

%   json_term(+Term, +Depth, -Json): the flag hb_exact is 1 in queries that tell atoms from strings and floats from
%   integers.

json_term(Var, _, variable(Name)) :-
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
    (   (   get_flag(hb_exact, 1)
        ;   float_class(Float, Class), memberchk(Class, [nan,infinite])
        )
    ->  Json = object([float=text(Float)])
    ;   Json = number(Float)
    ).
json_term(Rational, _, object([rational=text(Text)])) :-
    rational(Rational),
    !,
    format(string(Text), '~w', [Rational]).
json_term([], _, list([])) :-
    !.
json_term(Constant, _, @(Constant)) :-
    json_constant(Constant),
    !.
json_term(Atom, _, object([atom=text(Atom)])) :-
    atom(Atom),
    get_flag(hb_exact, 1),
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
json_term(Dict, Depth, Json) :-
    keyed_dict(Dict),
    !,
    Depth1 is Depth-1,
    dict_pairs(Dict, _, Pairs0),
    json_pairs(Pairs0, Depth1, Pairs),
    (   member(Key-_, Pairs),
        json_mark(Key)
    ->  Json = object([dict=object(Pairs)])
    ;   Json = object(Pairs)
    ).
json_term(Term, Depth, object([functor=text(Name), args=list(Jsons)])) :-
    compound_name_arguments(Term, Name0, Args),
    (   atom(Name0)
    ->  Name = Name0
    ;   format(string(Name), "~w", [Name0])     % `[]` and what dicts have
    ),
    Depth1 is Depth-1,
    json_terms(Args, Depth1, Jsons).

%   keyed_dict(@Term): Term is a dict.  With the name that dicts have, functor/3 makes terms that is_dict/1 takes for some.

keyed_dict(Dict) :-
    is_dict(Dict),
    compound_name_arguments(Dict, _, [_|Fields]),
    keyed(Fields).

keyed([]).
keyed([_,Key|Fields]) :-
    atomic(Key),
    keyed(Fields).

%   json_constant(?Atom): Atom is also a value in JSON.

json_constant(true).
json_constant(false).
json_constant(null).

%   json_mark(+Key): marks an object in an answer as something other than a dict.

json_mark(functor).
json_mark(variable).
json_mark(integer).
json_mark(rational).
json_mark(float).
json_mark(atom) :-
    get_flag(hb_exact, 1).
json_mark(cyclic).
json_mark(cut).
json_mark(dict).

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
%   Give unbound variables of the query their own names, and the other variables of
%   Term the names _A, _B, ..., skipping those of shown query variables.  A variable
%   that occurs nowhere else is written as _.

name_variables(Names, Values, Term) :-
    name_query_variables(Names, Values),
    term_variables(Term, Vars),
    first_names(First),
    name_other_variables(Vars, Names, First, _).

name_query_variables([], []).
name_query_variables([name(Name,_)|Names], [Value|Values]) :-
    (   var(Value),
        \+ get_attr(Value, hb_answer, _)
    ->  put_attr(Value, hb_answer, Name)
    ;   true
    ),
    name_query_variables(Names, Values).

name_written([], Next, Next).
name_written([written(_, _, Vars)|Written], Next0, Next) :-
    name_other_variables(Vars, [], Next0, Next1),   % names of query variables do not begin with _
    name_written(Written, Next1, Next).

%   name_other_variables(+Vars, +Names, +Next0, -Next): give the variables without a name
%   the next names that are not in Names.  Next0 is next(Letters, Number): the letters
%   left before Number is raised.

name_other_variables(Vars, Names, next(Letters0, Number0), next(Letters, Number)) :-
    name_other_variables(Vars, Names, Letters0, Number0, Letters, Number).

name_other_variables([], _, Letters, Number, Letters, Number).
name_other_variables([Var|Vars], Names, Letters0, Number0, Letters, Number) :-
    (   attvar(Var)
    ->  name_other_variables(Vars, Names, Letters0, Number0, Letters, Number)
    ;   Letters0 = [Letter|Letters1]
    ->  numbered(Number0, Letter, Name),
        (   Names \== [],
            memberchk(name(Name,_), Names)
        ->  name_other_variables([Var|Vars], Names, Letters1, Number0, Letters, Number)
        ;   put_attr(Var, hb_answer, Name),
            name_other_variables(Vars, Names, Letters1, Number0, Letters, Number)
        )
    ;   first_names(next(Letters1, _)),
        Number1 is Number0+1,
        name_other_variables([Var|Vars], Names, Letters1, Number1, Letters, Number)
    ).

numbered(0, Letter, Letter) :-
    !.
numbered(Number, Letter, Name) :-
    atom_concat(Letter, Number, Name).

first_names(next(['_A','_B','_C','_D','_E','_F','_G','_H','_I','_J','_K','_L','_M',
                  '_N','_O','_P','_Q','_R','_S','_T','_U','_V','_W','_X','_Y','_Z'], 0)).

%   term_text(+Written, +Priority, -Text): Text is quoted.

term_text(written(Atom, _, _), _, Text) :-
    atom(Atom),
    !,
    format(string(Text), '~q', [Atom]).
term_text(written(Term, Options, Vars), Priority, Text) :-
    quoted_text(Term, Vars, [priority(Priority)|Options], Text).

%!  short_text(+Term, +Depth, -Text:string) is det.
%
%   Text of a goal whose variables have names, cut below Depth levels.

short_text(Term, Depth, Text) :-
    term_variables(Term, Vars),
    written_depth(Term, Depth, Levels),
    quoted_text(Term, Vars, [priority(999), max_depth(Levels)], Text).

%   quoted_text(+Term, +Vars, +Options, -Text): 10000.0 is not 1.0e+04, as write/1 of swipl-wasm has it.

quoted_text(Term, Vars, Options, Text) :-
    (   Vars == []
    ->  Options1 = Options
    ;   variable_names(Vars, Names),
        Options1 = [variable_names(Names)|Options]
    ),
    format(string(Text), '~W',
           [ Term,
             [ quoted(true), numbervars(false), portray(false), module(user), cycles(true), float_format('~15h')
             | Options1 ] ]).

variable_names([], []).
variable_names([Var|Vars], [Name=Var|Names]) :-
    get_attr(Var, hb_answer, Name),
    variable_names(Vars, Names).
