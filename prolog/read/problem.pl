:- module(hb_problem,
          [ problem/7                   % +Damage, +Error, +Origin, +Text,
                                        % -Kind, -Message, -Offset
          ]).
:- use_module(foreign).
:- use_module('../functor').

/** <module> How to describe a text that cannot be read

The errors of read_term/3, in words that a person or a model can act on and with
the place where the trouble begins.
*/

%!  problem(+Damage, +Error, +Origin, +Text, -Kind, -Message, -Offset) is det.
%
%   Describe the term Error, error(Formal, Context), raised by read_term/3.
%   Damage is from clause_damage/3.  Adding Origin to the offset in Error gives an
%   offset in the atom Text.  Kind is `syntax_error`, `resource_error` or
%   `representation_error`, Message a string.

problem(Damage, error(Formal, Context), Origin, Text, Kind, Message, Offset) :-
    best_problem(Damage, Formal, Context, Origin, Text, Kind, Message, Offset),
    !.

% At the end of the file, errors of read_term/3 name the start of the clause
% instead of the place where the open quote or comment begins.

best_problem(comment(Open), _, _, _, _, syntax_error,
             "unterminated block comment that opens here", Open).
best_problem(line(Begin, _, Message), _, _, _, _, syntax_error, Message, Begin).
best_problem(quote(Code, Open, _), Formal, Context, Origin, Text,
             syntax_error, Message, Open) :-
    Formal = syntax_error(Id),
    (   at_end_of_file(Id)
    ->  true
    ;   error_offset(Context, Origin, Text, Open, Offset),
        Offset >= Open
    ),
    (   foreign_quote(Text, Open, Message0)
    ->  Message = Message0
    ;   quoted(Code, What),
        format(string(Message), "unterminated ~w that opens here", [What])
    ).
best_problem(Damage, syntax_error(Id), Context, Origin, Text,
             syntax_error, Message, Offset) :-
    damage_begin(Damage, Begin),
    error_offset(Context, Origin, Text, Begin, Offset),
    (   foreign(Text, Begin, Offset, Id, Message0)
    ->  Message = Message0
    ;   syntax_message(Id, Message)
    ).
best_problem(Damage, resource_error(What), _, _, _,
             resource_error, Message, Begin) :-
    damage_begin(Damage, Begin),
    format(string(Message), "this clause is too large to read (~q limit)", [What]).
best_problem(Damage, Formal, _, _, _, Kind, Message, Begin) :-
    damage_begin(Damage, Begin),
    (   term_functor(Formal, representation_error, _)
    ->  Kind = representation_error
    ;   Kind = syntax_error
    ),
    format(string(Message), "this clause cannot be read: ~q", [Formal]).

damage_begin(none(Begin), Begin).
damage_begin(quote(_, Open, _), Open).

at_end_of_file(end_of_file).
at_end_of_file(end_of_file_in_quoted(_)).

quoted(0'', "quoted atom") :- !.
quoted(0'", "string") :- !.
quoted(_, "quoted text").

% The offset of read_term/3 is one too low, except at the first token of a clause.

error_offset(Context, Origin, Text, Begin, Offset) :-
    subsumes_term(stream(_, _, _, _), Context),
    !,
    Context = stream(_, _, _, CharNo),
    Offset0 is Origin+CharNo,
    atom_length(Text, Length),
    (   Offset0 =:= Begin
    ->  Offset = Offset0
    ;   Offset is min(Offset0+1, Length)
    ).
error_offset(_, _, Text, _, Length) :-
    atom_length(Text, Length).

%!  syntax_message(+Id, -Message:string) is det.
%
%   Message says in plain words what read_term/3 calls Id.

syntax_message(Id, Message) :-
    message(Id, Message),
    !.
syntax_message(undefined_char_escape(Char), Message) :-
    !,
    format(string(Message),
           "unknown character escape \\~w in quoted text; write \\\\ for a backslash",
           [Char]).
syntax_message(duplicate_key(Key), Message) :-
    !,
    format(string(Message), "duplicate key in a dict: ~q", [Key]).
syntax_message(punct(Before, After), Message) :-
    !,
    (   After == '.'
    ->  Where = "the end of the clause"
    ;   format(string(Where), "`~w`", [After])
    ),
    format(string(Message), "an operand is missing between `~w` and ~s", [Before, Where]).
syntax_message(bidi_override(Code), Message) :-
    !,
    format(string(Message),
           "invisible character U+~|~`0t~16R~4+ that changes the direction of text", [Code]).
syntax_message(Id, Message) :-
    atom(Id),
    !,
    atomic_list_concat(Words, '_', Id),
    atomic_list_concat(Words, ' ', Text),
    string_lower(Text, Message).
syntax_message(Id, Message) :-
    format(string(Message), "~q", [Id]).

message(operator_expected,
        "operator expected: a comma, a period or a closing bracket may be missing before this").
message(operator_clash,
        "operator priority clash: put brackets around one of the operands").
message(operator_balance,
        "unbalanced operator: an operand is missing").
message(cannot_start_term,
        "illegal start of term: an operand or a closing bracket may be missing before this").
message(end_of_clause,
        "unexpected end of clause: an operand or a closing bracket is missing before the period").
message(end_of_clause_expected,
        "end of clause expected: a period is missing or this bracket closes none").
message(end_of_file,
        "unexpected end of text: the period that ends the clause is missing").
message(quoted_punctuation,
        "operand expected, unquoted comma or bar found").
message(list_rest,
        "unexpected comma or bar in the rest of a list").
message(illegal_number,
        "illegal number").
message(void_not_allowed,
        "empty argument list (): write the name without brackets").
