:- set_prolog_flag(double_quotes, chars).

% What the cases use of Scryer Prolog.  Which syntax error there is, is not compared.

read_from_chars(Chars, Term) :-
    atom_chars(Text, Chars),
    open_string(Text, Stream),
    call_cleanup(read_term(Stream, Term, []), close(Stream)).

write_term_to_chars(Term, Options, Chars) :-
    with_output_to(string(Text), write_term(Term, Options)),
    string_chars(Text, Chars).

write_term_to_chars(Term, Chars) :-
    write_term_to_chars(Term, [ignore_ops(false), numbervars(false), quoted(false)], Chars).

writeq_term_to_chars(Term, Chars) :-
    write_term_to_chars(Term, [ignore_ops(false), numbervars(true), quoted(true)], Chars).

write_canonical_term_to_chars(Term, Chars) :-
    write_term_to_chars(Term, [ignore_ops(true), numbervars(false), quoted(true)], Chars).

test_syntax_error(Text, _) :-
    catch(( once(read_from_chars(Text, _)), false ), error(syntax_error(_), _), true).

