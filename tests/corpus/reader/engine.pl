:- module(reader_texts, [read_texts/2, characters/2]).
:- use_module('/hornbook/prolog/read/reader').
:- use_module(library(json)).

/** <module> What the reader makes of texts

Texts are those of files. Offsets are in code points.
*/

%!  read_texts(+In, +Out) is det.
%
%   In is a file with a JSON array of texts, Out gets an array of the same
%   length: the items of each, as objects with `kind` (`clause`, `error` or
%   `end`), `start` and `end`; of a clause also `leaves` and `comments`, the
%   places [Start, End] of what has no arguments and of comments.

read_texts(In, Out) :-
    setup_call_cleanup(
        open(In, read, From, [encoding(utf8)]),
        json_read_dict(From, Texts),
        close(From)),
    maplist(items, Texts, Items),
    setup_call_cleanup(
        open(Out, write, To, [encoding(utf8)]),
        json_write_dict(To, Items, [width(0)]),
        close(To)).

items(Text, Items) :-
    setup_call_cleanup(
        open_source(file, Text, Source),
        items_of(Source, Text, Items),
        close_source(Source)).

items_of(Source, Text, [Item|Items]) :-
    read_item(Source, Read),
    item(Read, Source, Text, Item),
    (   Read = end(_)
    ->  Items = []
    ;   items_of(Source, Text, Items)
    ).

item(clause(Start, End, _, _), Source, Text, Item) :-
    Item = _{kind: "clause", start: Start, end: End, leaves: Leaves, comments: Comments},
    source_scope(Source, Scope),
    Length is End-Start,
    sub_string(Text, Start, Length, _, Clause0),
    without_script_line(Start, Clause0, Clause),
    setup_call_cleanup(
        open_string(Clause, Stream),
        read_term(Stream, _, [module(Scope), subterm_positions(Position), comments(Found)]),
        close(Stream)),
    phrase(leaves(Position), Places),
    maplist(moved(Start), Places, Leaves),
    maplist(comment(Start), Found, Comments).
item(error(Start, End, _), _, _, _{kind: "error", start: Start, end: End}).
item(end(Start), _, _, _{kind: "end", start: Start, end: Start}).

% As reader.pl has it.
without_script_line(0, Text0, Text) :-
    string_concat("\uFEFF", Rest0, Text0),
    !,
    without_script_line(0, Rest0, Rest),
    string_concat(" ", Rest, Text).
without_script_line(0, Text0, Text) :-
    string_concat("#!", Rest, Text0),
    !,
    string_concat("%!", Rest, Text).
without_script_line(_, Text, Text).

leaves(From-To) --> [From-To].
leaves(string_position(From, To)) --> [From-To].
leaves(brace_term_position(_, _, Arg)) --> leaves(Arg).
leaves(list_position(_, _, Elements, Tail)) -->
    leaves_of(Elements),
    ( { Tail == none } -> [] ; leaves(Tail) ).
leaves(term_position(_, _, From, To, Arguments)) --> [From-To], leaves_of(Arguments).
leaves(dict_position(_, _, _, _, _)) --> [].
leaves(parentheses_term_position(_, _, Content)) --> leaves(Content).

leaves_of([]) --> [].
leaves_of([H|T]) --> leaves(H), leaves_of(T).

moved(Start, From-To, [A, B]) :-
    A is Start+From,
    B is Start+To.

comment(Start, Position-Comment, Place) :-
    stream_position_data(char_count, Position, From),
    string_length(Comment, Length),
    To is From+Length,
    moved(Start, From-To, Place).

%!  characters(+Class, -Ranges) is det.
%
%   The ranges [First, Last] of code points beyond ASCII that are of Class:
%   `layout`, `after_end`, `line_end`, `alphanumeric` or `variable`.

characters(Class, Ranges) :-
    findall(Code,
            ( between(0x80, 0x10FFFF, Code),
              \+ between(0xD800, 0xDFFF, Code),
              of_class(Class, Code)
            ),
            Codes),
    ranges(Codes, Ranges).

ranges([], []).
ranges([First|Codes], [[First, Last]|Ranges]) :-
    run(Codes, First, Last, Rest),
    ranges(Rest, Ranges).

run([Next|Codes], Before, Last, Rest) :-
    Next =:= Before+1,
    !,
    run(Codes, Next, Last, Rest).
run(Rest, Last, Last, Rest).

of_class(layout, Code) :-
    reads("[~c]", [Code], T),
    T == [].
of_class(after_end, Code) :-
    Code =< 0xFFFF,
    format(string(Text), "a.~cb. c.", [Code]),
    items(Text, [_{kind: "clause", start: 0, end: 2, leaves: _, comments: _}|_]).
of_class(line_end, Code) :-
    Code =< 0xFFFF,
    reads("[% ~c]", [Code], T),
    T == [].
of_class(alphanumeric, Code) :-
    reads("[a~c]", [Code], [A]),
    atom(A),
    atom_length(A, 2).
of_class(variable, Code) :-
    reads("[~c]", [Code], [V]),
    var(V).

reads(Format, Arguments, Term) :-
    format(string(Text), Format, Arguments),
    catch(term_string(Term, Text), error(_, _), fail).
