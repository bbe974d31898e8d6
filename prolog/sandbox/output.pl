:- module(hb_output,
          [ own_stream/2,               % +Stream, -Own
            safe_write/1, safe_writeln/1, safe_writeq/1, safe_print/1, safe_write_canonical/1,
            safe_term_to_atom/2, safe_term_string/2, safe_atom_to_term/3, safe_read_term_from_atom/3,
            safe_write/2, safe_writeln/2, safe_writeq/2, safe_print/2,
            safe_write_canonical/2, safe_write_term/2, safe_write_term/3,
            safe_nl/1, safe_tab/2, safe_put_char/2, safe_put_code/2, safe_flush_output/1,
            safe_portray_clause/1, safe_portray_clause/2, safe_term_string/3,
            safe_format/1, safe_format/2, safe_format/3, shallow_format/1,
            safe_sformat/2, safe_sformat/3, safe_ansi_format/3, safe_flush/0,
            safe_print_message/2, safe_debug/3,
            safe_put/1,
            safe_display/1, safe_display/2, safe_displayq/1, safe_displayq/2
          ]).
:- use_module('../capability').
:- use_module(formats).
:- use_module(open_streams, [named_own/3]).
:- use_module('../depth').
:- use_module('../limits').
:- use_module(library(listing), [portray_clause/2]).

/** <module> Checked versions of predicates that write

Untrusted code has one output stream, and the goals it calls while writing are checked.
hb_policy:class/3 sends a call of p/n here, by way of hb_builtins, as safe_p/n.
*/

%!  own_stream(+Stream, -Own) is det.
%
%   Own is the output stream that untrusted code means by Stream.
%
%   @error permission_error(output, stream, Stream)

own_stream(Stream, _) :-
    var(Stream),
    !,
    throw(error(instantiation_error, _)).
own_stream(Alias, Stream) :-
    own_alias(Alias),
    !,
    current_output(Stream).
own_stream(Stream, Own) :-
    hb_capability:output_stream(Stream, Own),
    !.
own_stream(Stream, Stream) :-
    blob(Stream, stream),
    (   current_output(Current),
        Current == Stream
    ->  true
    ;   output_stream(Stream)
    ),
    !.
own_stream(Name, Stream) :-
    named_own(Name, Named, Kind),
    !,
    (   Kind == null
    ->  Stream = Named
    ;   not_written_to(Name)
    ).
own_stream(Stream, _) :-
    (   Stream == user_input
    ->  not_written_to(Stream)
    ;   atom(Stream)
    ->  throw(error(existence_error(stream, Stream), _))
    ;   blob(Stream, stream)
    ->  (   is_stream(Stream)
        ->  not_written_to(Stream)
        ;   throw(error(existence_error(stream, Stream), _))
        )
    ;   throw(error(domain_error(stream_or_alias, Stream), _))
    ).

not_written_to(Stream) :-
    throw(error(permission_error(output, stream, Stream), context(_, 'Only the current output can be written to'))).

own_alias(user_output).
own_alias(user_error).
own_alias(current_output).

safe_write(Term)           :- check_depth(Term), write(Term).
safe_writeln(Term)         :- check_depth(Term), writeln(Term).
safe_writeq(Term)          :- check_depth(Term), writeq(Term).
safe_print(Term)           :- check_depth(Term), print(Term).
safe_write_canonical(Term) :- check_depth(Term), write_canonical(Term).

safe_write(Stream, Term)           :- own_stream(Stream, S), check_depth(Term), write(S, Term).
safe_writeln(Stream, Term)         :- own_stream(Stream, S), check_depth(Term), writeln(S, Term).
safe_writeq(Stream, Term)          :- own_stream(Stream, S), check_depth(Term), writeq(S, Term).
safe_print(Stream, Term)           :- own_stream(Stream, S), check_depth(Term), print(S, Term).
safe_write_canonical(Stream, Term) :- own_stream(Stream, S), check_depth(Term), write_canonical(S, Term).
safe_nl(Stream)                    :- own_stream(Stream, S), nl(S).
safe_tab(Stream, N)                :- own_stream(Stream, S), tab(S, N).
safe_put_char(Stream, Char)        :- own_stream(Stream, S), put_char(S, Char).
safe_put_code(Stream, Code)        :- own_stream(Stream, S), put_code(S, Code).
safe_flush_output(Stream)          :- own_stream(Stream, S), flush_output(S).

safe_portray_clause(Clause) :-
    check_depth(Clause),
    current_output(S),
    portray_clause(S, Clause).
safe_portray_clause(Stream, Clause) :-
    check_depth(Clause),
    own_stream(Stream, S),
    portray_clause(S, Clause).

%   As in DEC-10 Prolog.

safe_put(Char) :-
    (   integer(Char)
    ->  put_char_code(Char)
    ;   put_char(Char)
    ).

put_char_code(Code) :-
    char_code(Char, Code),
    put_char(Char).

%   As in library(backcomp).

safe_display(Term)          :- check_depth(Term), write_term(Term, [ignore_ops(true)]).
safe_displayq(Term)         :- check_depth(Term), write_term(Term, [ignore_ops(true), quoted(true)]).
safe_display(Stream, Term)  :- own_stream(Stream, S), check_depth(Term), write_term(S, Term, [ignore_ops(true)]).
safe_displayq(Stream, Term) :- own_stream(Stream, S), check_depth(Term), write_term(S, Term, [ignore_ops(true), quoted(true)]).

safe_write_term(Term, Options) :-
    safe_options(Options),
    check_depth(Term),
    write_term(Term, Options).
safe_write_term(Stream, Term, Options) :-
    own_stream(Stream, S),
    safe_options(Options),
    check_depth(Term),
    write_term(S, Term, Options).

%   Texts from terms, and terms from texts.

safe_term_to_atom(Term, Atom)    :- check_depth(Term), check_text(Atom), term_to_atom(Term, Atom).
safe_term_string(Term, String)   :- check_depth(Term), check_text(String), term_string(Term, String).
safe_atom_to_term(Atom, Term, Bindings) :- check_text(Atom), atom_to_term(Atom, Term, Bindings).
safe_read_term_from_atom(Atom, Term, Options) :- check_text(Atom), read_term_from_atom(Atom, Term, Options).

safe_term_string(Term, String, Options) :-
    check_depth(Term),
    check_text(String),
    safe_options(Options),
    term_string(Term, String, Options).

%   shallow_format(+Goal): check the depth of what Goal writes.  Goal is a call of
%   format/1,2,3 that is otherwise harmless.

shallow_format(Goal) :-
    check_depth(Goal),
    call(system:Goal).

safe_format(Format) :-
    safe_format(Format, []).
safe_format(Format, Args) :-
    safe_format_text(Format, Args, Text, SafeArgs),
    format(Text, SafeArgs).
safe_format(Out, Format, Args) :-
    safe_format_text(Format, Args, Text, SafeArgs),
    (   text_sink(Out)
    ->  format(Out, Text, SafeArgs)
    ;   own_stream(Out, S),
        format(S, Text, SafeArgs)
    ).

safe_sformat(String, Format) :-
    safe_sformat(String, Format, []).
safe_sformat(String, Format, Args) :-
    safe_format(string(String), Format, Args).

%   There is no terminal to show colours.

safe_ansi_format(_, Format, Args) :-
    safe_format(Format, Args).

safe_flush :-
    flush_output.

%   Messages of programs: the user's prolog:message//1 defines their text, and message_hook/3 may
%   intercept them.  The system's own versions of both would call goals.

safe_print_message(Kind, Message) :-
    (   var(Kind)
    ->  throw(error(instantiation_error, _))
    ;   message_lines(Message, Lines),
        message_taken(Message, Kind, Lines)
    ->  true
    ;   message_prefix(Kind, Prefix)
    ->  message_lines(Message, Lines),
        print_lines(Lines, Prefix)
    ;   true
    ).

message_lines(Message, Lines) :-
    (   users_own('prolog:message'(Message, Lines0, []))
    ->  Lines = Lines0
    ;   nonvar(Message),
        Message = format(Format, Args)
    ->  Lines = [Format-Args]
    ;   Lines = ["Unknown message: ~p"-[Message]]
    ).

message_taken(Message, Kind, Lines) :-
    users_own(message_hook(Message, Kind, Lines)).

users_own(Goal) :-
    functor(Goal, Name, Arity),
    hb_store:own(Name, Arity),
    call(knowledge_base:Goal),
    !.

print_lines(Lines, Prefix) :-
    must_be(list, Lines),
    format(user_error, '~w', [Prefix]),
    (   '$append'(_, [nl], Lines)
    ->  All = Lines
    ;   '$append'(Lines, [nl], All)
    ),
    print_elements(All, Prefix).

print_elements([], _).
print_elements([nl], _) :-
    !,
    nl(user_error).
print_elements([Element|Elements], Prefix) :-
    print_element(Element, Prefix),
    print_elements(Elements, Prefix).

print_element(Var, _) :-
    var(Var),
    !,
    throw(error(instantiation_error, _)).
print_element(nl, Prefix) :-
    !,
    format(user_error, '~n~w', [Prefix]).
print_element(flush, _) :-
    !.
print_element(at_same_line, _) :-
    !.
print_element(ansi(_, Format, Args), _) :-
    !,
    print_format(Format, Args).
print_element(Format-Args, _) :-
    !,
    print_format(Format, Args).
print_element(Format, _) :-
    print_format(Format, []).

print_format(Format, Args) :-
    safe_format_text(Format, Args, Text, SafeArgs),
    format(user_error, Text, SafeArgs).

message_prefix(error, 'ERROR: ').
message_prefix(warning, 'Warning: ').
message_prefix(information, '% ').
message_prefix(help, '').

%   No debug topic is ever enabled.

safe_debug(_, _, _).
