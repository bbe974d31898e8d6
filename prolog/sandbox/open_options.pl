:- module(hb_open_options,
          [ check_options/1,            % +Options
            native_options/2            % +Options, -Native
          ]).

/** <module> The options of open/4

Those of programs, and what becomes of them.
*/

%!  check_options(+Options) is det.
%
%   Options can be those of open/4: as there, it does not matter what it does not know.

check_options(Options) :-
    (   is_list(Options)
    ->  true
    ;   ground(Options)
    ->  throw(error(type_error(list, Options), _))
    ;   throw(error(instantiation_error, _))
    ),
    forall('$member'(Option, Options), must_be_option(Option)).

must_be_option(Option) :-
    (   var(Option)
    ->  throw(error(instantiation_error, _))
    ;   \+ compound(Option)
    ->  throw(error(type_error(option, Option), _))
    ;   Option = encoding(Encoding)
    ->  must_be_encoding(Encoding)
    ;   true
    ).

must_be_encoding(Encoding) :-
    (   var(Encoding)
    ->  throw(error(instantiation_error, _))
    ;   '$member'(Encoding, [ octet,ascii,iso_latin_1,text,utf8,unicode_be,unicode_le,utf16be,utf16le,wchar_t ])
    ->  true
    ;   throw(error(domain_error(encoding, Encoding), _))
    ).

%!  native_options(+Options, -Native) is det.
%
%   Native are the options with which the engine opens its file.  A text is characters, whatever its encoding was on a
%   disk.

native_options(Options, Native) :-
    findall(Own, ( '$member'(Option, Options), native(Option, Own) ), Native0),
    encoded(Native0, Native).

native(type(Type), type(Type)).
native(bom(Bool), bom(Bool)).
native(eof_action(Action), eof_action(Action)).
native(newline(Mode), newline(Mode)).
native(encoding(Encoding), type(binary)) :-
    Encoding == octet.

encoded(Options, Coded) :-
    (   '$member'(Option, Options),
        Option == type(binary)
    ->  Coded = Options
    ;   Coded = [encoding(utf8)|Options]
    ).
