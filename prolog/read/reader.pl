:- module(hb_reader,
          [ open_source/3,              % +Kind, +Text, -Source
            open_source/4,              % +Kind, +Text, +Scope, -Source
            close_source/1,             % +Source
            source_scope/2,             % +Source, -Scope
            read_item/2,                % +Source, -Item
            read_item/3,                % +Source, -Item, +Options
            unread_item/4,              % +Error, +Source, +Start, -Item
            read_again/3,               % +Source, +Start, -Item
            read_query/3                % +Text, -Term, -Names
          ]).
:- reexport(scope).
:- use_module(recovery).
:- use_module(problem).
:- use_module(modulo).

/** <module> Read text clause by clause

A _source_ is a text that is being read.  Its items cover the text without gaps,
from the beginning to the last clause.  A clause that cannot be read does not
affect the others.  A source is read in a _scope_, which holds what `op/3` and
flag directives change meanwhile (scope.pl).  Offsets are in code points.

Reading runs no code of the text: quasi quotations are off, and no hook of the
user's is called.

A problem is described by a term

    error(Kind, Message, Line, Column, Offset)

Kind is `syntax_error`, `resource_error` or `representation_error`, Message
is a string, Line counts from 1, Column and Offset from 0.
*/

% Quasi quotations call code while reading, and `||` outside of one would swallow
% the rest of the text.  Loading the library switches them on.
:- use_module(library(quasi_quotations), []).
:- set_prolog_flag(quasi_quotations, false).

% The only warning that read_term/3 prints, about blanks after a continued line.
:- multifile user:message_hook/3.
user:message_hook(error(syntax_error(swi_backslash_newline), _), _, _).


                /*******************************
                *            SOURCES           *
                *******************************/

%!  open_source(+Kind, +Text, -Source) is det.
%!  open_source(+Kind, +Text, +Scope, -Source) is det.
%
%   Start to read Text, a string or an atom.  Kind is `inline` or `file`: an inline text may lack
%   the final period.  A byte order mark, or a `#!` line, at the start of a text is layout.
%   open_source/3 makes a scope for this source, which close_source/1 frees.  Copying a Source is
%   cheap, because it holds the text as an atom.

open_source(Kind, Text, Source) :-
    new_scope(Scope),
    open_text(Text, Atom, Stream),
    Source = source(Stream, Kind, Atom, Scope, state(own, 0, 0, 0)).

open_source(Kind, Text, Scope, Source) :-
    open_text(Text, Atom, Stream),
    Source = source(Stream, Kind, Atom, Scope, state(shared, 0, 0, 0)).

% The last argument of a source is state(Ownership, At, LineStart, Again): who owns the scope,
% the start of the line that contains At, the place last looked up, and how many characters
% were read again after errors.

open_text(Text, Atom, Stream) :-
    (   atom(Text)
    ->  Whole = Text
    ;   atom_string(Whole, Text)    % random access to a string is slow
    ),
    without_marks(Whole, Atom),
    open_string(Atom, Stream),
    set_stream(Stream, newline(posix)),
    set_stream(Stream, eof_action(eof_code)).

% Marks are replaced by layout of the same length, so that offsets stay right.
without_marks(Text, Clean) :-
    string_code(1, Text, 0xFEFF),
    !,
    sub_atom(Text, 1, _, 0, Rest),
    without_marks(Rest, CleanRest),
    atom_concat(' ', CleanRest, Clean).
without_marks(Text, Clean) :-
    atom_concat('#!', Rest, Text),
    !,
    atom_concat('%!', Rest, Clean).
without_marks(Text, Text).

%!  close_source(+Source) is det.
%
%   Stop reading, at the end or before.

close_source(source(Stream, _, _, Scope, State)) :-
    close(Stream),
    (   arg(1, State, own)
    ->  free_scope(Scope)
    ;   true
    ).

%!  source_scope(+Source, -Scope) is det.
%
%   Scope is the scope that Source is read in.

source_scope(source(_, _, _, Scope, _), Scope).

%!  read_item(+Source, -Item) is det.
%!  read_item(+Source, -Item, +Options) is det.
%
%   Read the next item.  Options are options of read_term/3 that return more
%   about a clause, or about the end.  Item is one of
%
%     - clause(Start, End, Term, Names)
%       A term and its final period, with the comments and the layout
%       before it.  Names are the variable names, as read_term/3 has them.
%     - error(Start, End, Problem)
%       A text that is not a clause.  Reading goes on after it.
%     - end(Start)
%       There are no more clauses.  The rest of the text from Start is layout and
%       comments, or begins with the clause `end_of_file.`, which ends a text early
%       as it does in Prolog.  Do not read on after it.
%
%   Items follow each other without gaps; the first begins at 0.

read_item(Source, Item) :-
    read_item(Source, Item, []).

read_item(Source, Item, Options) :-
    Source = source(Stream, _, _, Scope, _),
    character_count(Stream, Start),
    catch(read_term(Stream, Term, [module(Scope), variable_names(Names)|Options]),
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
%   Reading the item that begins at Start with read_term/3 from the stream of
%   Source raised Error.  Item is an error, or the last clause of an inline text
%   that has no final period.  If a comment in it looks like modulo, it is an error:
%   the comment may have swallowed goals and the period.

unread_item(error(syntax_error(end_of_file), _), Source, Start, Item) :-
    Source = source(_, inline, Text, Scope, _),
    !,
    atom_length(Text, Length),
    sub_string(Text, Start, _, 0, Rest),
    catch(read_unclosed(Rest, Scope, Term, Names, Comments), Error, true),
    (   var(Error)
    ->  (   modulo_comment(Text, place(Start,Length,Start), Comments, Scope, At, Message0)
        ->  string_concat(Message0, ", or a period before the comment", Message),
            line_and_column(Source, Length, At, Line, Column),
            Item = error(Start, Length, error(syntax_error, Message, Line, Column, At))
        ;   Item = clause(Start, Length, Term, Names)
        )
    ;   bad_item(Error, Start, Source, Start, Item)
    ).
unread_item(Error, Source, Start, Item) :-
    bad_item(Error, 0, Source, Start, Item).

%!  read_again(+Source, +Start, -Item) is det.
%
%   As read_item/2, but read the last item, which begins at Start, again.

read_again(Source, Start, Item) :-
    Source = source(Stream, _, Text, _, _),
    character_count(Stream, Stop),
    go_back(Stream, Text, Stop, Start),
    read_item(Source, Item).

%!  read_unclosed(+Text, +Scope, -Term, -Names, -Comments) is det.
%
%   Read a clause that has no final period.

read_unclosed(Text, Scope, Term, Names, Comments) :-
    string_concat(Text, "\n.", Closed),
    setup_call_cleanup(
        open_string(Closed, Stream),
        ( set_stream(Stream, newline(posix)),
          read_term(Stream, Term,
                    [ module(Scope),
                      variable_names(Names),
                      comments(Comments),
                      subterm_positions(Positions)
                    ])
        ),
        close(Stream)),
    atom_length(Text, Length),
    arg(2, Positions, TermEnd),
    (   TermEnd =< Length
    ->  true
    ;   % 0' took the newline
        throw(error(syntax_error(end_of_file), stream(_, _, _, Length)))
    ).

%!  bad_item(+Error, +Origin, +Source, +Start, -Item) is det.
%
%   Item is the error item that begins at Start.  Adding Origin to an offset in Error
%   gives an offset in the text.  Source will read on at the end of the item.

bad_item(Error, Origin, Source, Start, Item) :-
    Error = error(_, _),
    !,
    Source = source(Stream, _, Text, _, _),
    clause_damage(Text, Start, Damage),
    problem(Damage, Error, Origin, Text, Kind, Message, Offset),
    character_count(Stream, Stop),
    damage_end(Damage, Stop, End0),
    affordable_end(Source, Stop, End0, End),
    line_and_column(Source, Stop, Offset, Line, Column),
    go_back(Stream, Text, Stop, End),
    Item = error(Start, End, error(Kind, Message, Line, Column, Offset)).
bad_item(Error, _, _, _, _) :-
    throw(Error).

damage_end(quote(_, _, Resume), Stop, End) :-
    !,
    End is min(Resume, Stop).
damage_end(line(_, LineEnd, _), Stop, End) :-
    !,
    End is min(LineEnd, Stop).
damage_end(_, Stop, Stop).

% affordable_end(+Source, +Stop, +End0, -End): the reader is at Stop, and the damage ends at End0.
% The text between would be read again.  In a text without periods each error reads all of it, so
% End is Stop once the whole text has been read 16 times.

affordable_end(source(_, _, Text, _, State), Stop, End0, End) :-
    arg(4, State, Again0),
    Again is Again0+Stop-End0,
    atom_length(Text, Length),
    (   Again =< 16*Length+100_000
    ->  nb_setarg(4, State, Again),
        End = End0
    ;   End = Stop
    ).

%!  line_and_column(+Source, +Stop, +Offset, -Line, -Column) is det.
%
%   Line and Column of Offset, with the stream of Source at Stop.  Counts from there
%   and from the place last looked up, because counting from the start would be slow
%   if there are many errors.

line_and_column(Source, Stop, Offset, Line, Column) :-
    Source = source(Stream, _, Text, _, State),
    line_count(Stream, StopLine),
    (   Offset < Stop
    ->  span_size(Stream, Text, Offset, Stop, _, Newlines),
        Line is StopLine-Newlines
    ;   span_size(Stream, Text, Stop, Offset, _, Newlines),
        Line is StopLine+Newlines
    ),
    arg(2, State, Known),
    (   Known =< Offset
    ->  arg(3, State, KnownStart),
        line_start(Offset, Text, Known, KnownStart, Start)
    ;   line_start(Offset, Text, 0, 0, Start)
    ),
    nb_setarg(2, State, Offset),
    nb_setarg(3, State, Start),
    Column is Offset-Start.

% line_start(+At, +Text, +Known, +KnownStart, -Start): the line that contains At
% begins at Start; the one that contains Known begins at KnownStart.

line_start(Known, _, Known, Start, Start) :-
    !.
line_start(At, Text, _, _, At) :-
    string_code(At, Text, 0'\n),
    !.
line_start(At, Text, Known, KnownStart, Start) :-
    Before is At-1,
    line_start(Before, Text, Known, KnownStart, Start).

%!  go_back(+Stream, +Text, +Stop, +To) is det.
%
%   Move Stream, which is at Stop, back to To.

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


                /*******************************
                *            QUERIES           *
                *******************************/

%!  read_query(+Text, -Term, -Names) is det.
%
%   Term is the only term in the string Text, read with the operators that the book declares as
%   well.  The final period may be missing.
%
%   @throws error(Kind, Message, Line, Column, Offset) if Text is not one
%   term.

read_query(Text, Term, Names) :-
    setup_call_cleanup(
        open_source(inline, Text, user, Source),
        ( read_item(Source, Item),
          query_item(Item, Source, Term, Names)
        ),
        close_source(Source)).

query_item(clause(_, End, Term, Names), Source, Term, Names) :-
    !,
    Source = source(_, _, Text, _, _),
    skip_layout(Text, End, Next),
    (   atom_length(Text, Next)
    ->  true
    ;   line_and_column(Source, End, Next, Line, Column),
        throw(error(syntax_error,
                    "end of clause expected: there is text after the period",
                    Line, Column, Next))
    ).
query_item(error(_, _, Problem), _, _, _) :-
    throw(Problem).
query_item(end(_), _, _, _) :-
    throw(error(syntax_error, "there is no term to read", 1, 0, 0)).
