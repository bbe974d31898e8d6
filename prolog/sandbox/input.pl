:- module(hb_input,
          [ reading/2,                  % +Stream, :Reads
            reading_terms/2,            % +Stream, :Reads
            terms_of/3,                 % +Stream, +Options, -Terms
            safe_read/1, safe_read/2, safe_read_term/2, safe_read_term/3,
            safe_get_char/1, safe_get_char/2, safe_peek_char/1, safe_peek_char/2,
            safe_get_code/1, safe_get_code/2, safe_peek_code/1, safe_peek_code/2, safe_get_single_char/1,
            safe_get_byte/1, safe_get_byte/2, safe_peek_byte/1, safe_peek_byte/2,
            safe_at_end_of_stream/0, safe_at_end_of_stream/1,
            safe_read_string/3, safe_read_string/5, safe_peek_string/3, safe_read_line_to_string/2,
            safe_read_line_to_codes/2, safe_read_line_to_codes/3, safe_read_stream_to_codes/2, safe_read_stream_to_codes/3,
            safe_copy_stream_data/2, safe_copy_stream_data/3,
            safe_prompt/2, safe_ttyflush/0,
            safe_get0/1, safe_get/1, safe_skip/1
          ]).
:- use_module(streams).
:- use_module(output, [own_stream/2]).
:- use_module('../depth').
:- use_module('../query/host_question').
:- use_module('../limits', [new_output/1]).
:- use_module(library(readutil)).

/** <module> Checked versions of predicates that read

Untrusted code reads from texts and files that it has opened (hb_files), and from user input: what the
person using the client says, asked for line by line whenever a goal wants more than is left.  If
nobody can be asked, or nothing is said, user input is at its end.  hb_policy:class/3 sends a call of
p/n here, by way of hb_builtins, as safe_p/n.
*/

%!  reading(+Stream, :Reads) is semidet.
%!  reading_terms(+Stream, :Reads) is semidet.
%
%   Run call(Reads, In), which reads from the input stream In; or reads terms from it.

:- meta_predicate
    reading(+, 1),
    reading_terms(+, 1),
    from_text(+, 1).

reading(Stream0, Reads) :-
    stream_named(Stream0, Stream),
    (   is_user_input(Stream)
    ->  user_text("", Text),
        from_text(Text, Reads)
    ;   call(Reads, Stream)
    ),
    !.

reading_terms(Stream, Reads) :-
    reading(Stream, checked_before(Reads)).

:- meta_predicate checked_before(1, +).

checked_before(Reads, In) :-
    check_nesting(In),
    call(Reads, In).

%   from_text(+Text, :Reads): what Reads leaves of Text stays for the next read.

from_text(Text, Reads) :-
    setup_call_cleanup(
        ( open_string(Text, In),
          set_stream(In, newline(posix)) ),
        once(call(Reads, In)),
        ( character_count(In, Count),
          leave(Text, Count),
          close(In) )).

leave(Text, Count) :-
    (   nb_current(hb_input, ended)
    ->  true
    ;   sub_string(Text, Count, _, 0, Rest),
        nb_setval(hb_input, Rest)
    ).

%   most_questions(-Count): how often a read asks for something to read.  A client may answer at
%   once, and with nothing, as long as it is asked.

most_questions(20).

%   user_text(+Layout, -Text): Text is the unread user input.  If that consists of the characters of
%   Layout only, ask for more; who says nothing again and again has nothing to say.  The engine of
%   the query keeps it.

user_text(Layout, Text) :-
    most_questions(Count),
    user_text(Count, Layout, Text).

user_text(Questions, Layout, Text) :-
    (   nb_current(hb_input, Left)
    ->  true
    ;   Left = ""
    ),
    (   Left == ended
    ->  Text = ""
    ;   split_string(Left, "", Layout, [Said]),
        Said \== ""
    ->  Text = Left
    ;   Questions > 0,
        asked_line(Line)
    ->  check_text(Line),
        string_concat(Line, "\n", More),
        nb_setval(hb_input, More),
        Left1 is Questions-1,
        user_text(Left1, Layout, Text)
    ;   nb_setval(hb_input, ended),
        Text = ""
    ).

%   asked_line(-Line:string) is semidet: ask the user for a line.  The prompt is what was written
%   since the last question.

asked_line(Line) :-
    asks_host(input),
    new_output(Prompt),
    ask_host(object([input=text(Prompt)]), Answer),
    term_string(line(Line), Answer, [module(system)]).

%   read_as(+Options, -Term, +Stream): as read_term/3, but the final period may be missing from user input.

read_as(Options, Term, Stream0) :-
    stream_named(Stream0, Stream),
    (   is_user_input(Stream)
    ->  user_text(" \t\r\n", Text),
        catch(from_text(Text, read_one(Options, Term)), Error, true),
        (   nonvar(Error),
            Error = error(syntax_error(end_of_file), _)
        ->  string_concat(Text, " .", Closed),
            from_text(Closed, read_one(Options, Term))
        ;   nonvar(Error)
        ->  throw(Error)
        ;   true
        )
    ;   check_nesting(Stream),
        read_one(Options, Term, Stream)
    ).

read_one(Options, Term, In) :-
    read_term(In, Term, [module(user)|Options]).

safe_read(Term)          :- current_stream(In), safe_read(In, Term).
safe_read(Stream, Term)  :- read_as([], Read, Stream), Term = Read.

safe_read_term(Term, Options) :-
    current_stream(In),
    safe_read_term(In, Term, Options).
safe_read_term(Stream, Term, Options) :-
    read_options(Options, Safe),
    read_as(Safe, Read, Stream),
    Term = Read.

read_options(Options, Safe) :-
    (   is_list(Options)
    ->  true
    ;   throw(error(type_error(list, Options), _))
    ),
    options(Options, Safe).

options([], []).
options([Option|Options], Safe) :-
    (   var(Option)
    ->  throw(error(instantiation_error, _))
    ;   read_option(Option, Kept)
    ->  Safe = [Kept|Safe1]
    ;   compound(Option)
    ->  Safe = Safe1                    % as in SWI-Prolog, whatever it does not know
    ;   throw(error(type_error(option, Option), _))
    ),
    options(Options, Safe1).

read_option(variable_names(Names), variable_names(Names)).
read_option(variables(Vars), variables(Vars)).
read_option(singletons(Names), singletons(Names)) :-
    var(Names).
read_option(term_position(Position), term_position(Position)).
read_option(subterm_positions(Positions), subterm_positions(Positions)).
read_option(comments(Comments), comments(Comments)).
read_option(double_quotes(Type), double_quotes(Type)).
read_option(back_quotes(Type), back_quotes(Type)).
read_option(var_prefix(Bool), var_prefix(Bool)).
read_option(dotlists(Bool), dotlists(Bool)).
read_option(syntax_errors(What), syntax_errors(Quiet)) :-
    (   '$member'(What-Quiet, [error-error,fail-quiet,quiet-quiet,dec10-error])
    ->  true
    ;   var(What)
    ->  throw(error(instantiation_error, _))
    ;   throw(error(domain_error(syntax_errors, What), _))
    ).

safe_get_char(Char)          :- current_stream(In), safe_get_char(In, Char).
safe_get_char(Stream, Char)  :- may_be_char(Char), reading(Stream, one(get_char, Read)), Char = Read.
safe_peek_char(Char)         :- current_stream(In), safe_peek_char(In, Char).
safe_peek_char(Stream, Char) :- may_be_char(Char), reading(Stream, one(peek_char, Read)), Char = Read.
safe_get_code(Code)          :- current_stream(In), safe_get_code(In, Code).
safe_get_code(Stream, Code)  :- may_be_code(Code), reading(Stream, one(get_code, Read)), Code = Read.
safe_peek_code(Code)         :- current_stream(In), safe_peek_code(In, Code).
safe_peek_code(Stream, Code) :- may_be_code(Code), reading(Stream, one(peek_code, Read)), Code = Read.
safe_get_byte(Byte)          :- current_stream(In), safe_get_byte(In, Byte).
safe_get_byte(Stream, Byte)  :- reading(Stream, one(get_byte, Read)), Byte = Read.
safe_peek_byte(Byte)         :- current_stream(In), safe_peek_byte(In, Byte).
safe_peek_byte(Stream, Byte) :- reading(Stream, one(peek_byte, Read)), Byte = Read.
safe_get_single_char(Code) :-
    reading(user_input, one(read_line_to_codes, Read)),
    (   Read = [First|_]
    ->  Code = First
    ;   Read == []
    ->  Code = 0'\r
    ;   Code = -1
    ).

may_be_char(Char) :-
    (   ( var(Char) ; Char == end_of_file ; atom(Char), atom_length(Char, 1) )
    ->  true
    ;   throw(error(type_error(character, Char), _))
    ).

may_be_code(Code) :-
    (   ( var(Code) ; integer(Code), Code >= -1 )
    ->  true
    ;   throw(error(type_error(character, Code), _))
    ).

%   one(+Name, -Read, +In): read by calling Name(In, Read).

one(Name, Read, In) :-
    call(Name, In, Read).

safe_at_end_of_stream         :- current_stream(In), safe_at_end_of_stream(In).
safe_at_end_of_stream(Stream) :- reading(Stream, one(peek_code, Code)), Code == -1.

safe_read_string(Stream, Length, String) :-
    reading(Stream, part(Length, Read)),
    String = Read.
safe_read_string(Stream, Separators, Pad, End, String) :-
    reading(Stream, field(Separators, Pad, End0, Read)),
    End = End0,
    String = Read.

part(Length, Read, In) :-
    read_string(In, Length, Read).

field(Separators, Pad, End, Read, In) :-
    read_string(In, Separators, Pad, End, Read).

safe_copy_stream_data(In, Out) :-
    copied(In, Out, _).
safe_copy_stream_data(In, Out, Length) :-
    (   var(Length)
    ->  throw(error(instantiation_error, context(copy_stream_data/3, _)))
    ;   integer(Length),
        Length >= 0
    ->  copied(In, Out, Length)
    ;   throw(error(type_error(nonneg, Length), context(copy_stream_data/3, _)))
    ).

copied(In, Out, Length) :-
    own_stream(Out, Own),
    safe_read_string(In, Length, Text),
    write(Own, Text).

safe_peek_string(Stream, Length, String) :-
    reading(Stream, peeked(Length, Read)),
    String = Read.

peeked(Length, Read, In) :-
    peek_string(In, Length, Read).

safe_read_line_to_string(Stream, Line) :-
    reading(Stream, one(read_line_to_string, Read)),
    Line = Read.
safe_read_line_to_codes(Stream, Line) :-
    reading(Stream, one(read_line_to_codes, Read)),
    Line = Read.
safe_read_line_to_codes(Stream, Line, Tail) :-
    reading(Stream, before_tail(read_line_to_codes, Read, Tail)),
    Line = Read.
safe_read_stream_to_codes(Stream, Codes) :-
    reading(Stream, one(read_stream_to_codes, Read)),
    Codes = Read.
safe_read_stream_to_codes(Stream, Codes, Tail) :-
    reading(Stream, before_tail(read_stream_to_codes, Read, Tail)),
    Codes = Read.

before_tail(Name, Read, Tail, In) :-
    call(Name, In, Read, Tail).

%!  terms_of(+Stream, +Options, -Terms) is det.
%
%   Terms are all that are left in a stream of one's own.

terms_of(Stream, Options, Terms) :-
    read_options(Options, Safe),
    check_nesting(Stream),
    all_terms(Stream, Safe, Terms).

all_terms(Stream, Options, Terms) :-
    read_one(Options, Term, Stream),
    (   Term == end_of_file
    ->  Terms = []
    ;   Terms = [Term|Terms1],
        all_terms(Stream, Options, Terms1)
    ).

%   As in DEC-10 Prolog: get/1 skips layout.

safe_get0(Code) :-
    safe_get_code(Code).

safe_get(Code) :-
    safe_get_code(Code0),
    (   Code0 =\= -1,
        code_type(Code0, space)
    ->  safe_get(Code)
    ;   Code = Code0
    ).

safe_skip(Wanted) :-
    (   integer(Wanted)
    ->  Stop = Wanted
    ;   char_code(Wanted, Stop)
    ),
    repeat,
    safe_get_code(Code),
    ( Code == Stop ; Code == -1 ),
    !.

%   The prompt of a question is the text written before it.

safe_prompt('|: ', _).
safe_ttyflush.
