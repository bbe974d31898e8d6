:- module(hb_reader,
          [ open_source/3,              % +Kind, +Text, -Source
            open_source/4,              % +Kind, +Text, +Scope, -Source
            close_source/1,             % +Source
            source_scope/2,             % +Source, -Scope
            read_item/2,                % +Source, -Item
            unread_item/4,              % +Error, +Source, +Start, -Item
            read_query/3,               % +Text, -Term, -Names
            new_scope/1,                % -Scope
            free_scope/1,               % +Scope
            scope_op/5,                 % +Scope, +Priority, +Type, +Names, -Restore
            scope_flag/4,               % +Scope, +Flag, +Value, -Restore
            library_operators/1         % -Operators
          ]).
:- use_module(recovery, [clause_damage/3, skip_layout/3]).

/** <module> Read text clause by clause

A _source_ is a text that is being read; its items cover the text from its
begin to the last clause without a gap. A clause that cannot be read costs
itself only. A _scope_ is an operator table and read flags: what `op/3` and
flag directives change while a text is read. Offsets are in code points.

Nothing of the text runs while it is read: quasi quotations are off, and no
hook of the user is called.

A problem is described by a term

    error(Kind, Message, Line, Column, Offset)

Kind is `syntax_error`, `resource_error` or `representation_error`, Message
is a string, Line counts from 1, Column and Offset from 0.
*/

% Quasi quotations call code while reading, and `||` outside of one would
% swallow the rest of the text. The library switches them on when loaded.
:- use_module(library(quasi_quotations), []).
:- set_prolog_flag(quasi_quotations, false).

% The one warning read_term/3 prints, for blank space after a continued line.
:- multifile user:message_hook/3.
user:message_hook(error(syntax_error(swi_backslash_newline), _), _, _).


                /*******************************
                *            SOURCES           *
                *******************************/

%!  open_source(+Kind, +Text, -Source) is det.
%!  open_source(+Kind, +Text, +Scope, -Source) is det.
%
%   Start to read the string Text. Kind is `inline` or `file`: the final
%   period of an inline text may be missing, and a `#!` line at the begin
%   of a file is layout, as is a byte order mark of both. open_source/3
%   makes a scope for this source, which close_source/1 frees. A Source
%   may be copied, at no cost: it holds the text as an atom.

open_source(Kind, Text, Source) :-
    new_scope(Scope),
    open_text(Text, Kind, Atom, Stream),
    Source = source(Stream, Kind, Atom, Scope, own).

open_source(Kind, Text, Scope, source(Stream, Kind, Atom, Scope, shared)) :-
    open_text(Text, Kind, Atom, Stream).

open_text(Text, Kind, Atom, Stream) :-
    atom_string(Whole, Text),       % random access to a string is slow
    without_marks(Whole, Kind, Atom),
    open_string(Atom, Stream),
    set_stream(Stream, newline(posix)),
    set_stream(Stream, eof_action(eof_code)).

% Marks are replaced by as many characters of layout: offsets stay.
without_marks(Text, Kind, Clean) :-
    string_code(1, Text, 0xFEFF),
    !,
    sub_atom(Text, 1, _, 0, Rest),
    without_marks(Rest, Kind, CleanRest),
    atom_concat(' ', CleanRest, Clean).
without_marks(Text, file, Clean) :-
    atom_concat('#!', Rest, Text),
    !,
    atom_concat('%!', Rest, Clean).
without_marks(Text, _, Text).

%!  close_source(+Source) is det.
%
%   End reading, at its end or before.

close_source(source(Stream, _, _, Scope, Ownership)) :-
    close(Stream),
    (   Ownership == own
    ->  free_scope(Scope)
    ;   true
    ).

%!  source_scope(+Source, -Scope) is det.
%
%   Scope is the scope Source is read in.

source_scope(source(_, _, _, Scope, _), Scope).

%!  read_item(+Source, -Item) is det.
%
%   Read the next item. Item is one of
%
%     - clause(Start, End, Term, Names)
%       A term and its final period, with the comments and the layout
%       before it. Names are the variable names, as read_term/3 has them.
%     - error(Start, End, Problem)
%       A text that is not a clause. Reading goes on after it.
%     - end(Start)
%       There is no other clause. What follows from Start on is layout and
%       comments, or begins with the clause `end_of_file.`, which ends a
%       text early as it does in Prolog. Read no further after it.
%
%   Items follow each other without a gap, the first begins at 0.

read_item(Source, Item) :-
    Source = source(Stream, _, _, Scope, _),
    character_count(Stream, Start),
    catch(read_term(Stream, Term, [module(Scope), variable_names(Names)]),
          Error, true),
    (   var(Error)
    ->  (   Term == end_of_file
        ->  Item = end(Start)
        ;   character_count(Stream, End),
            Item = clause(Start, End, Term, Names)
        )
    ;   unread_item(Error, Source, Start, Item)
    ).

%!  unread_item(+Error, +Source, +Start, -Item) is det.
%
%   Item is the item that begins at Start, where reading it with
%   read_term/3 from the stream of Source raised Error: an error, or the
%   last clause of an inline text that has no final period.

unread_item(error(syntax_error(end_of_file), _), Source, Start, Item) :-
    Source = source(_, inline, Text, Scope, _),
    !,
    string_length(Text, Length),
    sub_string(Text, Start, _, 0, Rest),
    catch(read_unclosed(Rest, Scope, Term, Names), Error, true),
    (   var(Error)
    ->  Item = clause(Start, Length, Term, Names)
    ;   bad_item(Error, Start, Source, Start, Item)
    ).
unread_item(Error, Source, Start, Item) :-
    bad_item(Error, 0, Source, Start, Item).

%!  read_unclosed(+Text, +Scope, -Term, -Names) is det.
%
%   Read a clause that has no final period.

read_unclosed(Text, Scope, Term, Names) :-
    string_concat(Text, "\n.", Closed),
    setup_call_cleanup(
        open_string(Closed, Stream),
        ( set_stream(Stream, newline(posix)),
          read_term(Stream, Term,
                    [ module(Scope),
                      variable_names(Names),
                      subterm_positions(Positions)
                    ])
        ),
        close(Stream)),
    string_length(Text, Length),
    arg(2, Positions, TermEnd),
    (   TermEnd =< Length
    ->  true
    ;   % 0' took the newline
        throw(error(syntax_error(end_of_file), stream(_, _, _, Length)))
    ).

%!  bad_item(+Error, +Origin, +Source, +Start, -Item) is det.
%
%   Item is the error item from Start on. Origin is to be added to offsets
%   in Error. Has Source go on reading at its end.

bad_item(error(Formal, Context), Origin, Source, Start, Item) :-
    !,
    Source = source(Stream, _, Text, _, _),
    clause_damage(Text, Start, Damage),
    character_count(Stream, Stop),
    (   problem(Damage, Formal, Context, Origin, Text, Kind, Message, Offset)
    ->  true
    ),
    damage_end(Damage, Stop, End),
    line_and_column(Stream, Text, Stop, Offset, Line, Column),
    go_back(Stream, Text, Stop, End),
    Item = error(Start, End, error(Kind, Message, Line, Column, Offset)).
bad_item(Error, _, _, _, _) :-
    throw(Error).

damage_end(quote(_, _, Resume), Stop, End) :-
    !,
    End is min(Resume, Stop).
damage_end(_, Stop, Stop).

%!  problem(+Damage, +Formal, +Context, +Origin, +Text,
%!          -Kind, -Message, -Offset) is nondet.
%
%   What to tell of an error, best first. Errors of read_term/3 about the
%   end of the file name the begin of the clause, not the place where the
%   open quote or comment begins.

problem(comment(Open), _, _, _, _, syntax_error,
        "unterminated block comment that opens here", Open).
problem(quote(Code, Open, _), Formal, Context, Origin, Text,
        syntax_error, Message, Open) :-
    Formal = syntax_error(Id),
    (   at_end_of_file(Id)
    ->  true
    ;   error_offset(Context, Origin, Text, Open, Offset),
        Offset >= Open
    ),
    quoted(Code, What),
    format(string(Message), "unterminated ~w that opens here", [What]).
problem(Damage, syntax_error(Id), Context, Origin, Text,
        syntax_error, Message, Offset) :-
    damage_begin(Damage, Begin),
    error_offset(Context, Origin, Text, Begin, Offset),
    syntax_message(Id, Message).
problem(Damage, Formal, _, _, _, Kind, Message, Begin) :-
    damage_begin(Damage, Begin),
    (   functor(Formal, Kind, _),
        memberchk(Kind, [resource_error, representation_error])
    ->  true
    ;   Kind = syntax_error
    ),
    format(string(Message), "cannot be read: ~p", [Formal]).

damage_begin(none(Begin), Begin).
damage_begin(quote(_, Open, _), Open).

at_end_of_file(end_of_file).
at_end_of_file(end_of_file_in_quoted(_)).

quoted(0'', "quoted atom") :- !.
quoted(0'", "string") :- !.
quoted(_, "quoted text").

%   read_term/3 counts one too few, except at the first token of a clause.

error_offset(Context, Origin, Text, Begin, Offset) :-
    subsumes_term(stream(_, _, _, _), Context),
    !,
    Context = stream(_, _, _, CharNo),
    Offset0 is Origin+CharNo,
    string_length(Text, Length),
    (   Offset0 =:= Begin
    ->  Offset = Offset0
    ;   Offset is min(Offset0+1, Length)
    ).
error_offset(_, _, Text, _, Length) :-
    string_length(Text, Length).

%!  line_and_column(+Stream, +Text, +Stop, +Offset, -Line, -Column) is det.
%
%   The place of Offset, with Stream at Stop. Counts from there, as
%   counting from the begin would be slow where there are many errors.

line_and_column(Stream, Text, Stop, Offset, Line, Column) :-
    line_count(Stream, StopLine),
    (   Offset < Stop
    ->  span_size(Stream, Text, Offset, Stop, _, Newlines),
        Line is StopLine-Newlines
    ;   span_size(Stream, Text, Stop, Offset, _, Newlines),
        Line is StopLine+Newlines
    ),
    line_start(Offset, Text, LineStart),
    Column is Offset-LineStart.

line_start(0, _, 0) :- !.
line_start(Offset, Text, Offset) :-
    string_code(Offset, Text, 0'\n),
    !.
line_start(Offset, Text, Start) :-
    Before is Offset-1,
    line_start(Before, Text, Start).

%!  go_back(+Stream, +Text, +Stop, +To) is det.
%
%   Have Stream, which is at Stop, go on at To.

go_back(_, _, Stop, Stop) :- !.
go_back(Stream, Text, Stop, To) :-
    span_size(Stream, Text, To, Stop, Bytes, Newlines),
    line_count(Stream, StopLine),
    byte_count(Stream, StopByte),
    Line is StopLine-Newlines,
    Byte is StopByte-Bytes,
    set_stream_position(Stream, '$stream_position'(To, Line, 0, Byte)).

span_size(Stream, Text, From, To, Bytes, Newlines) :-
    stream_property(Stream, encoding(Encoding)),
    Length is To-From,
    sub_string(Text, From, Length, _, Span),
    setup_call_cleanup(
        open_null_stream(Null),
        ( set_stream(Null, encoding(Encoding)),
          set_stream(Null, newline(posix)),
          write(Null, Span),
          byte_count(Null, Bytes),
          line_count(Null, Lines)
        ),
        close(Null)),
    Newlines is Lines-1.

%!  syntax_message(+Id, -Message:string) is det.
%
%   Say in plain words what read_term/3 calls Id.

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
    format(string(Message), "duplicate key in a dict: ~p", [Key]).
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
    format(string(Message), "~p", [Id]).

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


                /*******************************
                *            QUERIES           *
                *******************************/

%!  read_query(+Text, -Term, -Names) is det.
%
%   Term is the one term of the string Text, read with the trusted
%   operators. The final period may be missing.
%
%   @throws error(Kind, Message, Line, Column, Offset) if Text is not one
%   term.

read_query(Text, Term, Names) :-
    setup_call_cleanup(
        open_source(inline, Text, hb_syntax, Source),
        ( read_item(Source, Item),
          query_item(Item, Source, Term, Names)
        ),
        close_source(Source)).

query_item(clause(_, End, Term, Names), Source, Term, Names) :-
    !,
    Source = source(Stream, _, Text, _, _),
    skip_layout(Text, End, Next),
    (   string_length(Text, Next)
    ->  true
    ;   line_and_column(Stream, Text, End, Next, Line, Column),
        throw(error(syntax_error,
                    "end of clause expected: there is text after the period",
                    Line, Column, Next))
    ).
query_item(error(_, _, Problem), _, _, _) :-
    throw(Problem).
query_item(end(_), _, _, _) :-
    throw(error(syntax_error, "there is no term to read", 1, 0, 0)).


                /*******************************
                *            SCOPES            *
                *******************************/

%!  new_scope(-Scope) is det.
%
%   Scope has the trusted operators and the default flags.

new_scope(Scope) :-
    flag(hb_scope, N, N+1),
    atom_concat(hb_scope_, N, Scope),
    set_module(Scope:class(temporary)),
    set_module(Scope:base(hb_syntax)),
    default_flags(Scope).

%!  free_scope(+Scope) is det.
%
%   Scope is used no more.

free_scope(Scope) :-
    '$destroy_module'(Scope).

%!  scope_op(+Scope, +Priority, +Type, +Names, -Restore) is det.
%
%   Declare operators in Scope as op/3 does. Names is an atom or a list of
%   atoms. Restore is a list of terms op(Priority, Type, Name) that take
%   it back.
%
%   @throws the errors of op/3. Scope is unchanged then.

scope_op(Scope, Priority, Type, Names, Restore) :-
    must_be_names(Names, List),
    check_op(List, Priority, Type),
    findall(Old,
            ( member(Name, List),
              old_op(Scope, Type, Name, Old)
            ),
            Restore),
    op(Priority, Type, Scope:List).

must_be_names(Names, _) :-
    var(Names),
    !,
    throw(error(instantiation_error, _)).
must_be_names(Names, Names) :-
    is_list(Names),
    Names \== [],
    !.
must_be_names(Name, [Name]).

% op/3 goes on to the first illegal name: try on a table of no consequence.
check_op(Names, Priority, Type) :-
    forall(member(Name, Names),
           (   atom(Name)
           ->  true
           ;   var(Name)
           ->  throw(error(instantiation_error, _))
           ;   throw(error(type_error(atom, Name), _))
           )),
    (   Priority == -1
    ->  throw(error(domain_error(operator_priority, Priority), _))
    ;   true
    ),
    new_scope(Trial),
    call_cleanup(op(Priority, Type, Trial:Names), free_scope(Trial)).

old_op(Scope, Type, Name, op(Priority, OldType, Name)) :-
    op_kind(Type, Kind),
    (   op_kind(OldType, Kind),
        current_op(Priority, OldType, Scope:Name)
    ->  true
    ;   Priority = 0,
        OldType = Type
    ).

op_kind(fx,  prefix).
op_kind(fy,  prefix).
op_kind(xf,  postfix).
op_kind(yf,  postfix).
op_kind(xfx, infix).
op_kind(xfy, infix).
op_kind(yfx, infix).

%!  scope_flag(+Scope, +Flag, +Value, -Restore) is det.
%
%   Set a flag that changes how text is read. Restore is a list of the
%   term set_prolog_flag(Flag, Old) that takes it back.
%
%   @throws permission_error(modify, flag, Flag) if it is not one of these,
%   and the errors of set_prolog_flag/2.

scope_flag(Scope, Flag, Value, [set_prolog_flag(Flag, Old)]) :-
    (   default_flag(Flag, _)
    ->  current_prolog_flag(Scope:Flag, Old),
        set_prolog_flag(Scope:Flag, Value)
    ;   var(Flag)
    ->  throw(error(instantiation_error, _))
    ;   throw(error(permission_error(modify, flag, Flag), _))
    ).

default_flags(Scope) :-
    forall(default_flag(Flag, Value),
           set_prolog_flag(Scope:Flag, Value)).

default_flag(double_quotes, string).
default_flag(back_quotes, codes).
default_flag(rational_syntax, compatibility).
default_flag(character_escapes, true).
default_flag(var_prefix, false).

%!  library_operators(-Operators) is det.
%
%   The operators that the allowed libraries export, as op(P, T, Name):
%   those of clpfd and clpb, the others have none.

library_operators([ op(760, yfx, #<==>),
                    op(750, xfy, #==>),
                    op(750, yfx, #<==),
                    op(740, yfx, #\/),
                    op(730, yfx, #\),
                    op(720, yfx, #/\),
                    op(710,  fy, #\),
                    op(700, xfx, #>),
                    op(700, xfx, #<),
                    op(700, xfx, #>=),
                    op(700, xfx, #=<),
                    op(700, xfx, #=),
                    op(700, xfx, #\=),
                    op(700, xfx, in),
                    op(700, xfx, ins),
                    op(700, xfx, in_set),
                    op(450, xfx, ..),
                    op(300,  fy, ~),
                    op(500, yfx, #)
                  ]).

% The module hb_syntax is the trusted operator table. It inherits from
% system, not from user, so nothing that is declared later changes it.
:- initialization(
       ( set_module(hb_syntax:base(system)),
         default_flags(hb_syntax),
         library_operators(Operators),
         forall(member(op(P, T, Name), Operators),
                op(P, T, hb_syntax:Name))
       ), now).
