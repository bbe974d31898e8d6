:- module(hb_dml_text,
          [ tie_text/5,                 % +Text, +Segments, +Outputs, +At, -Tied
            tied_text/5,                % +Tied, -Text, -Segments, -Outputs, -At
            text/2,                     % +Text, -String
            set_parameters/1,           % +Parameters
            declare_parameter/3,        % +Key, +Description, +Default
            declared_json/1,            % -Json
            param/2,                    % +Key, -Value
            param/3                     % +Key, -Description, -Value
          ]).
:- use_module(types).
:- use_module(values).

/** <module> The texts of DML goals, and the parameters of a run */

:- dynamic
    tie/1,                              % a blob
    parameter/2,                        % Key (a string), Value
    declared_parameter/3.               % Key, Description, Default (default(D) or none)

%!  tie_text(+Text, +Segments, +Outputs, +At, -Tied) is det.
%!  tied_text(+Tied, -Text, -Segments, -Outputs, -At) is semidet.
%
%   Tied is the argument of a goal whose text was tied to the variables of its clause.  It has
%   Segments, or `none`, and Outputs are the names and types of the arguments after it.  At is the
%   offset of the goal in the program, in code points, or `null` if unknown.  Tied contains a blob,
%   which no text that is read as a term can, so nothing from outside is mistaken for one.

tie_text(Text, Segments, Outputs, At, '$dml'(Tie,Text,Segments,Outputs,At)) :-
    (   tie(Tie0)
    ->  Tie = Tie0
    ;   trie_new(Tie),
        assertz(tie(Tie))
    ).

tied_text('$dml'(Tie0,Text,Segments,Outputs,At), Text, Segments, Outputs, At) :-
    tie(Tie),
    Tie0 == Tie.

%!  text(+Text, -String) is det.
%
%   String is the text of an argument.  Names in braces in the texts of clauses were found
%   when the program was loaded (program.pl); no other text is searched for them.

text(Var, Text) :-
    var(Var),
    !,
    format(string(Text), "~w", [Var]).
text(Tied, Text) :-
    tied_text(Tied, Term, Segments, _, _),
    !,
    (   Segments == none
    ->  text(Term, Text)
    ;   segment_texts(Segments, Texts),
        atomics_to_string(Texts, Text)
    ).
text(Text, Text) :-
    string(Text),
    !.
text(Term, Text) :-
    format(string(Text), "~w", [Term]).

segment_texts([], []).
segment_texts([Segment|Segments], [Text|Texts]) :-
    segment_text(Segment, Text),
    segment_texts(Segments, Texts).

segment_text(text(Text), Text).
segment_text(value(Value), Text) :-
    format(string(Text), "~w", [Value]).
segment_text(parameter(Name), Text) :-
    (   parameter_value(Name, Value)
    ->  format(string(Text), "~w", [Value])
    ;   format(string(Text), "{~w}", [Name])
    ).

                /*******************************
                *          parameters          *
                *******************************/

%!  set_parameters(+Parameters) is det.
%
%   Parameters is a list of Key-Value, Key a string.

set_parameters(Parameters) :-
    retractall(parameter(_, _)),
    forall('$member'(Key-Value, Parameters), assertz(parameter(Key, Value))).

%!  declare_parameter(+Key, +Description, +Default) is det.
%
%   As `:- param(Key, Description, Default)`; Default is default(Value) or `none`.

declare_parameter(Key0, Description, Default) :-
    text(Key0, Key),
    assertz(declared_parameter(Key, Description, Default)).

%!  declared_json(-Json) is nondet.
%
%   Json, for hb_reply, is the declaration of a parameter: its key, type, description and default.

declared_json(object([ name=text(Name), written=text(Written), type=TypeJson, description=text(Text)|Default ])) :-
    declared_parameter(Key, Description, Default0),
    declared_type(Key, Name, Written, Type),
    type_json(Type, TypeJson),
    text(Description, Text),
    (   Default0 = default(Value)
    ->  Default = [default=Json],
        value_json(Value, Json)
    ;   Default = []
    ).

%   declared_type(+Key, -Name, -Written, -Type): "max:integer" declares the parameter max, an integer.

declared_type(Key, Name, Written, Type) :-
    (   sub_string(Key, Before, 1, _, ":")
    ->  sub_string(Key, 0, Before, _, Name),
        From is Before+1,
        sub_string(Key, From, _, 0, Written),
        parameter_type(Written, Type)
    ;   Name = Key,
        Written = "",
        Type = any
    ).

%   parameter_value(+Key, -Value): the value from the host, whose key may differ in case,
%   "file:file" meaning "file"; or else the declared default.

parameter_value(Key0, Value) :-
    text(Key0, Key),
    (   key_form(Key, Form),
        given(Form, Value0)
    ->  given_value(Form, Value0, Value)
    ;   declared_parameter(Declared, _, default(Value0)),
        same_key(Key, Declared)
    ->  Value = Value0
    ).

%   given_value(+Key, +Value0, -Value): Value has the form of the type declared for Key.

given_value(Key, Value0, Value) :-
    (   declared_parameter(Declared, _, _),
        same_key(Key, Declared),
        declared_type(Declared, _, _, Type)
    ->  typed_value(Type, Value0, Value)
    ;   Value = Value0
    ).

key_form(Key, Key).
key_form(Key, Name) :-
    sub_string(Key, Before, 1, _, ":"),
    !,
    sub_string(Key, 0, Before, _, Name).

given(Key, Value) :-
    parameter(Key, Value),
    !.
given(Key, Value) :-
    string_lower(Key, Lower),
    parameter(Given, Value),
    string_lower(Given, Lower),
    !.

same_key(Key1, Key2) :-
    key_form(Key1, Form1),
    key_form(Key2, Form2),
    string_lower(Form1, Lower),
    string_lower(Form2, Lower),
    !.

param(Key, Value) :-
    parameter_value(Key, Value0),
    Value = Value0.

param(Key, Description, Value) :-
    param(Key, Value),
    text(Key, KeyText),
    (   declared_parameter(Declared, Description0, _),
        same_key(KeyText, Declared)
    ->  Description = Description0
    ;   true
    ).
