:- module(hb_files,
          [ set_documents/2,            % +Forget, +Documents
            file_predicate/2,           % ?Name, ?Arity
            safe_open/3, safe_open/4, safe_see/1, safe_seeing/1, safe_seen/0,
            safe_exists_file/1, safe_access_file/2, safe_directory_files/2, safe_consult/1,
            safe_read_file_to_string/3, safe_read_file_to_codes/3, safe_read_file_to_terms/3,
            safe_csv_read_file/2, safe_csv_read_file/3, safe_csv_read_file_row/3
          ]).
:- use_module('../capability').
:- use_module(input).
:- use_module('../limits', [surely/1]).
:- use_module('../query/session', [ask_host/2, asks_host/1]).
:- use_module(library(csv), [csv//2]).
:- use_module(library(lists), [nth1/3, selectchk/3]).

/** <module> Checked versions of predicates that read files

Untrusted code reads what the book has: its documents, which the conductor tells this engine, and the
texts of its other files, for which the host is asked.  The host also takes a file of its roots into
the book as a document when a goal opens it.  Nothing is written to a file.  hb_policy:class/3 sends a
call of p/n here, by way of hb_builtins, as safe_p/n.
*/

:- dynamic document/2.                  % Name, an atom; Text, a string

%!  set_documents(+Forget, +Documents) is det.
%
%   Forget the documents with the names in Forget, then add Documents, pairs Name-Text.

set_documents(Forget, Documents) :-
    surely(hb_files:( forall('$member'(Name, Forget), retractall(document(Name, _))),
                      forall('$member'(Name-Text, Documents), put_document(Name, Text)) )).

put_document(Name, Text) :-
    retractall(document(Name, _)),
    assertz(document(Name, Text)).

%!  file_predicate(?Name, ?Arity) is nondet.
%
%   Predicates that name a file, for engines whose code may read none.

file_predicate(Name, Arity) :-
    '$member'(Name/Arity,
              [ open/3, open/4, see/1, exists_file/1, access_file/2, directory_files/2, consult/1,
                read_file_to_string/3, read_file_to_codes/3, read_file_to_terms/3, phrase_from_file/2, phrase_from_file/3,
                csv_read_file/2, csv_read_file/3, csv_read_file_row/3 ]).

                /*******************************
                *            texts             *
                *******************************/

%   file_text(+Spec, +Goal, -Text): Text is that of the file Spec; Goal asks for it.

file_text(Spec, Goal, Text) :-
    file_name(Spec, Name),
    (   hb_capability:file_text(Name, Text0)
    ->  true
    ;   document(Name, Text0)
    ->  true
    ;   ask_file(read, Name, Answer)
    ->  given(Answer, Name, Goal, Text0)
    ;   ends_with(Name, Text0)
    ->  true
    ;   missing(Name, Goal, 'the book does not have it, and this goal cannot ask for it under the roots, as within a transaction, a cleanup or with_output_to/2')
    ),
    without_mark(Text0, Text).

%   without_mark(+Text0, -Text): the byte order mark is not read.

without_mark(Text0, Text) :-
    (   string_code(1, Text0, 0xfeff)
    ->  sub_string(Text0, 1, _, 0, Text)
    ;   Text = Text0
    ).

%   ends_with(+Name, -Text) is semidet: Text is that of the only document whose path ends with Name.

ends_with(Name, Text) :-
    atom_concat(/, Name, End),
    findall(Path, ( document(Path, _), sub_atom(Path, _, _, 0, End) ), [Path]),
    document(Path, Text).

file_name(Spec, _) :-
    var(Spec),
    !,
    throw(error(instantiation_error, _)).
file_name(Spec, Name) :-
    ( atom(Spec), Spec \== [] ; string(Spec) ),
    !,
    atom_string(Name, Spec).
file_name(Spec, _) :-
    throw(error(domain_error(source_sink, Spec), _)).

%   ask_file(+Action, +Name, -Answer) is semidet: what the host says of a file.  Fails where it cannot be asked.

ask_file(Action, Name, Answer) :-
    asks_host(files),
    catch(ask_host(object([file=text(Name), action=text(Action)]), Text),
          error(hornbook(message(permission_error, _)), _), fail),
    term_string(Answer, Text, [module(system)]).

given(text(Text), _, _, Text).
given(missing, Name, Goal, _) :-
    missing(Name, Goal, 'neither the book nor its roots have it').
given(refused(Message), Name, Goal, _) :-
    throw(error(permission_error(open, source_sink, Name), context(Goal, Message))).

missing(Name, Goal, Why) :-
    throw(error(existence_error(source_sink, Name), context(Goal, Why))).

                /*******************************
                *           streams            *
                *******************************/

safe_open(Spec, Mode, Stream) :-
    safe_open(Spec, Mode, Stream, []).

safe_open(Spec, Mode, Stream, Options) :-
    must_be_read(Mode, Spec),
    aliases(Options, Aliases),
    file_text(Spec, open/4, Text),
    open_input(Text, Aliases, Opened),
    (   Aliases = [Alias|_]
    ->  Stream = Alias
    ;   Stream = Opened
    ).

must_be_read(Mode, _) :-
    var(Mode),
    !,
    throw(error(instantiation_error, _)).
must_be_read(read, _) :-
    !.
must_be_read(Mode, Spec) :-
    '$member'(Mode, [write,append,update]),
    !,
    throw(error(permission_error(open, source_sink, Spec),
                context(open/4, 'files can only be read: what a query writes is its output'))).
must_be_read(Mode, _) :-
    (   atom(Mode)
    ->  throw(error(domain_error(io_mode, Mode), _))
    ;   throw(error(type_error(atom, Mode), _))
    ).

aliases(Options, Aliases) :-
    (   is_list(Options)
    ->  true
    ;   throw(error(type_error(list, Options), _))
    ),
    findall(Alias, ( '$member'(Option, Options), nonvar(Option), Option = alias(Alias) ), Aliases),
    forall('$member'(Alias, Aliases), must_be_new_alias(Alias)).

safe_see(Spec) :-
    (   catch(stream_named(Spec, In), error(existence_error(stream, _), _), fail)
    ->  true
    ;   file_text(Spec, see/1, Text),
        open_input(Text, [], In)
    ),
    safe_set_input(In).

safe_seeing(Stream) :-
    safe_current_input(Stream).

safe_seen :-
    safe_current_input(In),
    safe_close(In),
    safe_set_input(user_input).

                /*******************************
                *         whole files          *
                *******************************/

safe_read_file_to_string(Spec, String, Options) :-
    aliases(Options, _),
    file_text(Spec, read_file_to_string/3, Text),
    String = Text.

safe_read_file_to_codes(Spec, Codes, Options) :-
    aliases(Options, _),
    tail_option(Options, Tail, _),
    file_text(Spec, read_file_to_codes/3, Text),
    string_codes(Text, Codes0),
    '$append'(Codes0, Tail, Codes).

safe_read_file_to_terms(Spec, Terms, Options) :-
    aliases(Options, _),
    tail_option(Options, Tail, Options1),
    file_text(Spec, read_file_to_terms/3, Text),
    setup_call_cleanup(
        open_input(Text, [], In),
        terms_of(In, Options1, Terms0),
        safe_close(In)),
    '$append'(Terms0, Tail, Terms).

%   tail_option(+Options, -Tail, -Others)

tail_option(Options, Tail, Others) :-
    (   selectchk(tail(Tail0), Options, Others0)
    ->  Tail = Tail0,
        Others = Others0
    ;   Tail = [],
        Others = Options
    ).

%   The library's own read with a lazy list.

:- public phrase_from_file/2, phrase_from_file/3, phrase_from_stream/2.

phrase_from_file(Body, Spec) :-
    phrase_from_file(Body, Spec, []).

phrase_from_file(Body, Spec, Options) :-
    aliases(Options, _),
    file_text(Spec, phrase_from_file/3, Text),
    string_codes(Text, Codes),
    call(Body, Codes, []).

phrase_from_stream(Body, Stream) :-
    safe_read_stream_to_codes(Stream, Codes),
    call(Body, Codes, []).

safe_csv_read_file(Spec, Rows) :-
    safe_csv_read_file(Spec, Rows, []).

safe_csv_read_file(Spec, Rows, Options0) :-
    aliases(Options0, _),
    file_text(Spec, csv_read_file/3, Text),
    separated(Spec, Options0, Options),
    string_codes(Text, Codes),
    phrase(csv(Read, Options), Codes),
    !,
    Rows = Read.

%   As the library does.

separated(Spec, Options, [separator(0'\t)|Options]) :-
    \+ selectchk(separator(_), Options, _),
    file_name_extension(_, tsv, Spec),
    !.
separated(_, Options, Options).

safe_csv_read_file_row(Spec, Row, Options0) :-
    (   selectchk(line(Line), Options0, Options)
    ->  true
    ;   Options = Options0
    ),
    safe_csv_read_file(Spec, Rows, Options),
    nth1(Line, Rows, Row).

                /*******************************
                *          what is there       *
                *******************************/

safe_exists_file(Spec) :-
    file_name(Spec, Name),
    (   document(Name, _)
    ->  true
    ;   ask_file(exists, Name, Answer)
    ->  Answer == true
    ;   ends_with(Name, _)
    ).

safe_access_file(Spec, Mode) :-
    (   var(Mode)
    ->  throw(error(instantiation_error, _))
    ;   Mode == none
    ->  true
    ;   '$member'(Mode, [read,exist])
    ->  safe_exists_file(Spec)
    ;   '$member'(Mode, [write,append,execute])
    ->  fail
    ;   throw(error(domain_error(io_mode, Mode), _))
    ).

%!  safe_directory_files(+Directory, -Names) is det.
%
%   Names are those of the book's files in Directory.

safe_directory_files(Spec, Names) :-
    file_name(Spec, Directory),
    (   ask_file(list, Directory, names(Listed0))
    ->  Listed = Listed0
    ;   atom_concat(Directory, /, Begin),
        findall(Name,
                ( document(Path, _),
                  atom_concat(Begin, Name, Path),
                  \+ sub_atom(Name, _, _, _, /) ),
                Found),
        sort(Found, Listed)
    ),
    Names = Listed.

%!  safe_consult(+Spec) is det.
%
%   The clauses of a file that the book has are there already.

safe_consult(Spec) :-
    is_list(Spec),
    !,
    forall('$member'(File, Spec), safe_consult(File)).
safe_consult(Spec) :-
    file_name(Spec, Name),
    (   ask_file(consult, Name, true)
    ->  true
    ;   throw(error(permission_error(open, source_sink, Name),
                    context(consult/1, 'A query adds no files to the book: import it first')))
    ).
