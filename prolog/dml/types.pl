:- module(hb_dml_types,
          [ output_type/3,              % +Argument, -Type, -Variable
            parameter_type/2,           % +Text, -Type
            type_json/2,                % +Type, -Json
            typed_value/3               % +Type, +Value, -Typed
          ]).
:- use_module(values).

/** <module> The types of outputs of tasks and of parameters

A type is `string`, `integer`, `number`, `float`, `boolean`, `object`, `dict`, `any`,
list(Type), oneof(Values) or object(Fields), Fields a list of `Name: Type`,
`Name: optional(Type)` or `Name: Type - Description`.
*/

%!  output_type(+Argument, -Type, -Variable) is det.
%
%   Argument is an output of task/N: a variable, or a type with the variable as one more argument,
%   such as integer(N), oneof([low, high], Risk) or list(object([name: string]), People).  Since
%   list elements are mostly of simple types, list(integer(N)) is the same as list(integer, N).
%
%   @error hornbook(message(domain_error, Message)) if Argument is a compound that is no such type.

output_type(Argument, any, Argument) :-
    \+ compound(Argument),
    !.
output_type(Argument, any, Argument) :-
    ( Argument = [_|_] ; is_dict(Argument) ),
    !.
output_type(list(Inner), list(Element), Variable) :-
    !,
    output_type(Inner, Element, Variable).
output_type(Argument, Type, Variable) :-
    compound_name_arguments(Argument, Name, Arguments),
    '$append'(Parameters, [Variable], Arguments),
    (   Parameters == []
    ->  Type = Name
    ;   compound_name_arguments(Type, Name, Parameters)
    ),
    must_be_type(Type, Argument).

must_be_type(Type, Argument) :-
    (   (   without_variable(Argument)
        ->  Problem = Type
        ;   a_type(Type, Problem),
            nonvar(Problem)
        )
    ->  (   Problem == Type
        ->  compound_name_arity(Argument, Name, Arity),
            What = Name/Arity
        ;   What = Problem
        ),
        format(string(Message),
               "~q is no type of a task's output: the types are string, integer, number, float, boolean, object, any, list(Type), \c
                oneof([Value, ...]) and object([Name: Type, ...]), as in integer(N) or list(object([name: string]), People).",
               [What]),
        throw(error(hornbook(message(domain_error, Message)), _))
    ;   true
    ).

%   without_variable(+Argument): object(Fields) without the variable.

without_variable(Argument) :-
    compound_name_arguments(Argument, Name, [Fields]),
    ( Name == object ; Name == dict ),
    nonvar(Fields),
    Fields = [Field|_],
    nonvar(Field),
    Field = _:_.

%   a_type(@Type, -Problem): if Type is not a type, Problem is the offending part; otherwise it stays unbound.

a_type(Type, Problem) :-
    atom(Type),
    simple(Type),
    !,
    Problem = _.
a_type(Type, Problem) :-
    nonvar(Type),
    parts(Type, Types),
    !,
    (   '$member'(Part, Types),
        a_type(Part, Problem0),
        nonvar(Problem0)
    ->  Problem = Problem0
    ;   true
    ).
a_type(Type, Type) :-
    nonvar(Type),
    !.
a_type(_, '_').

simple(string).
simple(integer).
simple(number).
simple(float).
simple(boolean).
simple(object).
simple(dict).
simple(any).

%   parts(+Type, -Types): the types within a compound type.

parts(list(Element), [Element]).
parts(oneof(Values), []) :-
    is_list(Values),
    Values = [_|_],
    \+ ( '$member'(Value, Values),
         \+ atomic(Value)
       ).
parts(object(Fields), Types) :-
    fields(Fields, Types).
parts(dict(Fields), Types) :-
    fields(Fields, Types).

fields(Fields, Types) :-
    is_list(Fields),
    findall(Type, ( '$member'(Field, Fields), a_field(Field, _, Type, _, _) ), Types),
    '$skip_list'(Count, Fields, _),
    '$skip_list'(Count, Types, _).

%   a_field(+Field, -Name, -Type, -Optional, -Description)

a_field(Var, _, _, _, _) :-
    var(Var),
    !,
    fail.
a_field(Name0:Type0, Name, Type, Optional, Description) :-
    nonvar(Type0),
    Type0 = Type1 - Description0,
    !,
    ( string(Description0) ; atom(Description0) ),
    format(string(Description), "~w", [Description0]),
    a_field(Name0:Type1, Name, Type, Optional, _).
a_field(Name0:Type0, Name, Type, Optional, "") :-
    ( atom(Name0) ; string(Name0) ),
    format(string(Name), "~w", [Name0]),
    (   nonvar(Type0),
        Type0 = optional(Type)
    ->  Optional = true
    ;   Type = Type0,
        Optional = false
    ).

%!  parameter_type(+Text, -Type) is det.
%
%   Type is what follows the colon in the key of a parameter, such as "integer" or
%   "select(json,csv)".  It is `any` if that is not a type, which may tell a page how to ask for it,
%   such as "file".

parameter_type(Text, Type) :-
    catch(term_string(Type0, Text, [module(system)]), _, fail),
    ground(Type0),
    (   compound(Type0),
        compound_name_arguments(Type0, select, Values)
    ->  parts(oneof(Values), []),
        Type = select(Values)
    ;   a_type(Type0, Problem),
        var(Problem),
        Type = Type0
    ),
    !.
parameter_type(_, any).

%!  type_json(+Type, -Json) is det.
%
%   Json is for hb_reply (`docs/engine-protocol.md`).

type_json(dict, text(object)) :-
    !.
type_json(Type, text(Type)) :-
    atom(Type),
    !.
type_json(list(Element), object([list=Json])) :-
    type_json(Element, Json).
type_json(oneof(Values), object([oneof=list(Jsons)])) :-
    findall(Json, ( '$member'(Value, Values), value_json(Value, Json) ), Jsons).
type_json(select(Values), Json) :-
    type_json(oneof(Values), Json).
type_json(dict(Fields), Json) :-
    type_json(object(Fields), Json).
type_json(object(Fields), object([fields=list(Jsons)])) :-
    findall(object([name=text(Name), type=Json, optional= @(Optional), description=text(Description)]),
            ( '$member'(Field, Fields),
              a_field(Field, Name, Type, Optional, Description),
              type_json(Type, Json)
            ),
            Jsons).

%!  typed_value(+Type, +Value, -Typed) is det.
%
%   Value is of Type, as checked by the host.  Typed is the same, except that the values of
%   oneof(Values) are as written there: atoms if Values are atoms.

typed_value(oneof(Values), Value, Typed) :-
    '$member'(Typed, Values),
    same_value(Typed, Value),
    !.
typed_value(list(Type), Values, Typed) :-
    is_list(Values),
    !,
    typed_values(Values, Type, Typed).
typed_value(object(Fields), Value, Typed) :-
    is_dict(Value),
    !,
    dict_pairs(Value, Tag, Pairs0),
    typed_pairs(Pairs0, Fields, Pairs),
    dict_pairs(Typed, Tag, Pairs).
typed_value(dict(Fields), Value, Typed) :-
    !,
    typed_value(object(Fields), Value, Typed).
typed_value(_, Value, Value).

typed_values([], _, []).
typed_values([Value|Values], Type, [Typed|Typeds]) :-
    typed_value(Type, Value, Typed),
    typed_values(Values, Type, Typeds).

typed_pairs([], _, []).
typed_pairs([Key-Value|Pairs0], Fields, [Key-Typed|Pairs]) :-
    (   '$member'(Field, Fields),
        a_field(Field, Name, Type, _, _),
        atom_string(Key, Name)
    ->  typed_value(Type, Value, Typed)
    ;   Typed = Value
    ),
    typed_pairs(Pairs0, Fields, Pairs).

same_value(Value, Given) :-
    number(Value),
    !,
    number(Given),
    Value =:= Given.
same_value(Value, Given) :-
    ( atom(Given) ; string(Given) ),
    format(string(Text), "~w", [Value]),
    format(string(Text1), "~w", [Given]),
    Text == Text1.
