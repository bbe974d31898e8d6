:- module(hb_input,
          [ reading/3,                  % +Stream, -In, :Goal
            safe_open_string/2, safe_close/1, safe_close/2,
            safe_read/1, safe_read/2, safe_read_term/2, safe_read_term/3,
            safe_get_char/1, safe_get_char/2, safe_peek_char/1, safe_peek_char/2,
            safe_get_code/1, safe_get_code/2, safe_peek_code/1, safe_peek_code/2, safe_get_single_char/1,
            safe_at_end_of_stream/0, safe_at_end_of_stream/1,
            safe_read_string/3, safe_read_string/5, safe_read_line_to_string/2, safe_read_line_to_codes/2,
            safe_read_stream_to_codes/2, safe_current_input/1, safe_prompt/2, safe_ttyflush/0
          ]).
:- use_module('../depth').
:- use_module(library(readutil)).

/** <module> Checked versions of predicates that read

Untrusted code reads from texts that it has opened, and from user input, where there is never anything.  hb_policy:class/3
sends a call of p/n here, by way of hb_builtins, as safe_p/n.
*/

:- dynamic own_input/1.                 % Stream, the oldest first

%   So many texts may be open: code that does not close them has the oldest closed.

most_open(64).

safe_open_string(Text, Stream) :-
    text_to_string(Text, String),
    check_text_depth(String),
    aggregate_all(count, own_input(_), Count),
    most_open(Most),
    (   Count >= Most,
        retract(own_input(Oldest))
    ->  catch(close(Oldest), _, true)
    ;   true
    ),
    open_string(String, Opened),
    set_stream(Opened, newline(posix)),
    assertz(own_input(Opened)),
    Stream = Opened.

safe_close(Stream) :-
    (   is_user_input(Stream)
    ->  true
    ;   must_be_own(Stream),
        retract(own_input(Stream)),
        close(Stream)
    ),
    !.
safe_close(Stream, _) :-
    safe_close(Stream).

is_user_input(Stream) :-
    Stream == user_input.

must_be_own(Stream) :-
    (   var(Stream)
    ->  throw(error(instantiation_error, _))
    ;   \+ atom(Stream),
        own_input(Stream)
    ->  true
    ;   throw(error(existence_error(stream, Stream), _))
    ).

%!  reading(+Stream, -In, :Goal) is semidet.
%
%   Goal reads from In.

:- meta_predicate reading(+, -, 0).

reading(Stream, In, Goal) :-
    (   is_user_input(Stream)
    ->  setup_call_cleanup(open_string("", In), once(Goal), close(In))
    ;   must_be_own(Stream),
        In = Stream,
        once(Goal)
    ).

safe_read(Term)          :- safe_read(user_input, Term).
safe_read(Stream, Term)  :- reading(Stream, In, read_term(In, Read, [module(user)])), Term = Read.

safe_read_term(Term, Options) :-
    safe_read_term(user_input, Term, Options).
safe_read_term(Stream, Term, Options) :-
    read_options(Options, Safe),
    reading(Stream, In, read_term(In, Read, [module(user)|Safe])),
    Term = Read.

read_options(Options, Safe) :-
    (   is_list(Options)
    ->  true
    ;   throw(error(type_error(list, Options), _))
    ),
    options(Options, Safe).

options([], []).
options([Option|Options], Safe) :-
    (   nonvar(Option),
        read_option(Option, Kept)
    ->  (   Kept == none
        ->  Safe = Safe1
        ;   Safe = [Kept|Safe1]
        )
    ;   throw(error(domain_error(read_option, Option), _))
    ),
    options(Options, Safe1).

read_option(variable_names(Names), variable_names(Names)).
read_option(variables(Vars), variables(Vars)).
read_option(singletons(Names), Option) :-
    (   var(Names)
    ->  Option = singletons(Names)
    ;   Option = none
    ).
read_option(term_position(Position), term_position(Position)).
read_option(subterm_positions(Positions), subterm_positions(Positions)).
read_option(comments(Comments), comments(Comments)).
read_option(double_quotes(Type), double_quotes(Type)).
read_option(back_quotes(Type), back_quotes(Type)).
read_option(var_prefix(Bool), var_prefix(Bool)).
read_option(dotlists(Bool), dotlists(Bool)).
read_option(syntax_errors(_), none).
read_option(module(_), none).
read_option(cycles(_), none).

safe_get_char(Char)          :- safe_get_char(user_input, Char).
safe_get_char(Stream, Char)  :- reading(Stream, In, get_char(In, Read)), Char = Read.
safe_peek_char(Char)         :- safe_peek_char(user_input, Char).
safe_peek_char(Stream, Char) :- reading(Stream, In, peek_char(In, Read)), Char = Read.
safe_get_code(Code)          :- safe_get_code(user_input, Code).
safe_get_code(Stream, Code)  :- reading(Stream, In, get_code(In, Read)), Code = Read.
safe_peek_code(Code)         :- safe_peek_code(user_input, Code).
safe_peek_code(Stream, Code) :- reading(Stream, In, peek_code(In, Read)), Code = Read.
safe_get_single_char(-1).

safe_at_end_of_stream         :- safe_at_end_of_stream(user_input).
safe_at_end_of_stream(Stream) :- reading(Stream, In, peek_code(In, Code)), Code == -1.

safe_read_string(Stream, Length, String) :-
    reading(Stream, In, read_string(In, Length, Read)),
    String = Read.
safe_read_string(Stream, Separators, Pad, End, String) :-
    reading(Stream, In, read_string(In, Separators, Pad, End0, Read)),
    End = End0,
    String = Read.
safe_read_line_to_string(Stream, Line) :-
    reading(Stream, In, read_line_to_string(In, Read)),
    Line = Read.
safe_read_line_to_codes(Stream, Line) :-
    reading(Stream, In, read_line_to_codes(In, Read)),
    Line = Read.
safe_read_stream_to_codes(Stream, Codes) :-
    reading(Stream, In, read_stream_to_codes(In, Read)),
    Codes = Read.

safe_current_input(user_input).

%   Nobody is asked.

safe_prompt('|: ', _).
safe_ttyflush.
