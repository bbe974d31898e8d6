:- module(hb_json,
          [ safe_atom_json_term/3, safe_atom_json_dict/3,
            safe_json_read/2, safe_json_read/3, safe_json_read_dict/2, safe_json_read_dict/3,
            safe_json_write/2, safe_json_write/3, safe_json_write_dict/2, safe_json_write_dict/3
          ]).
:- use_module('../depth').
:- use_module(input).
:- use_module(output).
:- use_module(library(json)).

/** <module> Checked versions of library(json)

With the streams and the depth of terms that untrusted code may have.  hb_policy:class/3 sends a
call of p/n here, by way of hb_builtins, as safe_p/n.
*/

safe_atom_json_term(Text, Term, Options) :-
    check_json(Text, Term),
    atom_json_term(Text, Term, Options).

safe_atom_json_dict(Text, Dict, Options) :-
    check_json(Text, Dict),
    atom_json_dict(Text, Dict, Options).

check_json(Text, Term) :-
    check_depth(Term),
    check_text(Text).

safe_json_read(Stream, Term) :-
    safe_json_read(Stream, Term, []).
safe_json_read(Stream, Term, Options) :-
    reading_terms(Stream, json(Read, Options)),
    Term = Read.

safe_json_read_dict(Stream, Dict) :-
    safe_json_read_dict(Stream, Dict, []).
safe_json_read_dict(Stream, Dict, Options) :-
    reading_terms(Stream, json_dict(Read, Options)),
    Dict = Read.

json(Term, Options, In) :-
    json_read(In, Term, Options).

json_dict(Dict, Options, In) :-
    json_read_dict(In, Dict, Options).

safe_json_write(Stream, Term) :-
    safe_json_write(Stream, Term, []).
safe_json_write(Stream, Term, Options) :-
    own_stream(Stream, Out),
    check_depth(Term),
    json_write(Out, Term, Options).

safe_json_write_dict(Stream, Dict) :-
    safe_json_write_dict(Stream, Dict, []).
safe_json_write_dict(Stream, Dict, Options) :-
    own_stream(Stream, Out),
    check_depth(Dict),
    json_write_dict(Out, Dict, Options).

%   json_read_number(+In, +First, -Number): as the one of library(json), which is written in C and reads memory that it has
%   given back where a number has more than 255 characters.

:- redefine_system_predicate(json:json_read_number(_,_,_)).

json:json_read_number(In, First, Number) :-
    hb_json:number_rest(In, Rest),
    number_codes(Number, [First|Rest]).

number_rest(In, Codes) :-
    peek_code(In, Code),
    (   memberchk(Code, `0123456789+-.eE`)
    ->  get_code(In, _),
        Codes = [Code|Rest],
        number_rest(In, Rest)
    ;   Codes = []
    ).
