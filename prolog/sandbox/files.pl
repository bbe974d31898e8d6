:- module(hb_files,
          [ file_predicate/2,           % ?Name, ?Arity
            safe_open/3, safe_open/4, safe_see/1,
            safe_exists_file/1, safe_access_file/2, safe_directory_files/2, safe_working_directory/2,
            safe_consult/1,
            safe_read_file_to_string/3, safe_read_file_to_codes/3, safe_read_file_to_terms/3,
            safe_stream_to_lazy_list/2,
            safe_csv_read_file/2, safe_csv_read_file/3, safe_csv_read_file_row/3
          ]).
:- use_module('../capability').
:- use_module(documents).
:- use_module(open_options).
:- use_module(streams).
:- use_module(current_input).
:- use_module(input).
:- use_module('../query/host_question', [ask_host/2, asks_host/1]).
:- use_module(library(csv), [csv//2]).
:- use_module(library(lists), [nth1/3, selectchk/3]).
:- use_module(library(pure_input), [stream_to_lazy_list/2]).

/** <module> Checked versions of predicates that read files

Untrusted code reads what the book has: its documents, which the conductor tells this engine, and the texts of its
other files, for which the host is asked.  The host also takes a file of its roots into the book as a document when a
goal opens it.  Nothing is written to a file.  hb_policy:class/3 sends a call of p/n here, by way of hb_builtins, as
safe_p/n.
*/

%!  file_predicate(?Name, ?Arity) is nondet.
%
%   Predicates that name a file, for engines whose code may read none.

file_predicate(Name, Arity) :-
    '$member'(Name/Arity,
              [ open/3, open/4, see/1, exists_file/1, access_file/2, directory_files/2, consult/1,
                read_file_to_string/3, read_file_to_codes/3, read_file_to_terms/3, phrase_from_file/2, phrase_from_file/3,
                csv_read_file/2, csv_read_file/3, csv_read_file_row/3 ]).

                /*******************************
                *            files             *
                *******************************/

%   open_file(+Spec, +Options, +Goal, -Stream): Stream reads the file Spec; Goal opens it.

open_file(Spec, Options, Goal, Stream) :-
    check_options(Options),
    file_name(Spec, Name),
    (   hb_capability:file_text(Name, Text)
    ->  open_text(Name, Text, Options, Stream)
    ;   document_of(Name, Goal, Path)
    ->  open_document(Path, Options, Stream)
    ).

%   document_of(+Name, +Goal, -Path): the document Path is what goals call Name.

document_of(Name, Goal, Path) :-
    (   known_document(Name, Path0)
    ->  Path = Path0
    ;   ask_file(read, Name, Answer)
    ->  given(Answer, Name, Goal, Path)
    ;   cannot_ask(open, Name, Goal)
    ).

given(at(Path), Name, _, Path) :-
    document_named(Name, Path).
given(missing, Name, Goal, _) :-
    missing(Name, Goal).
given(refused(Message), Name, Goal, _) :-
    throw(error(permission_error(open, source_sink, Name), context(Goal, Message))).

missing(Name, Goal) :-
    throw(error(existence_error(source_sink, Name), context(Goal, 'neither the book nor its roots have it'))).

%   cannot_ask(+Action, +Name, +Goal): the file may be there or not.

cannot_ask(Action, Name, Goal) :-
    throw(error(permission_error(Action, source_sink, Name),
                context(Goal, 'it is no document of the book, and here nothing else can be asked for: \c
                               import it before, or call this outside of what runs this goal'))).

file_name(Spec, _) :-
    \+ ground(Spec),
    !,
    throw(error(instantiation_error, _)).
file_name(Spec, Name) :-
    ( atom(Spec), Spec \== [] ; string(Spec) ; is_list(Spec), Spec = [_|_] ),
    catch(atom_string(Name0, Spec), error(_, _), fail),
    !,
    (   sub_atom(Name0, _, 1, _, '\000\')
    ->  throw(error(permission_error(open, source_sink, Spec), context(_, 'A file name cannot contain a NUL character')))
    ;   Name = Name0
    ).
file_name(Spec, _) :-
    throw(error(type_error(text, Spec), _)).

%   ask_file(+Action, +Name, -Answer) is semidet: what the host says of a file.  Fails where it cannot be asked.

ask_file(Action, Name, Answer) :-
    asks_host(files),
    catch(ask_host(object([file=text(Name), action=text(Action)]), Text),
          error(hornbook(message(permission_error, _)), _), fail),
    term_string(Answer, Text, [module(system)]).

                /*******************************
                *           streams            *
                *******************************/

%   These frames stay, so that the place of an error is known.

safe_open(Spec, Mode, Stream) :-
    must_be_unbound(Stream),
    safe_open(Spec, Mode, Opened, []),
    Stream = Opened.

safe_open(Spec, Mode, Stream, Options) :-
    must_be_read(Mode, Spec),
    must_be_unbound(Stream),
    forall(( is_list(Options), '$member'(alias(Alias), Options) ), must_be_new_alias(Alias)),
    open_file(Spec, Options, open/4, Opened),
    Stream = Opened.

must_be_unbound(Stream) :-
    (   var(Stream)
    ->  true
    ;   throw(error(uninstantiation_error(Stream), context(open/4, _)))
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

safe_see(Spec) :-
    (   Spec == user
    ->  safe_set_input(user_input)
    ;   is_own_stream(Spec)
    ->  safe_set_input(Spec)
    ;   nonvar(Spec),
        see_again(Spec)
    ->  true
    ;   open_file(Spec, [], see/1, In),
        see_file(Spec, In)
    ).

                /*******************************
                *         whole files          *
                *******************************/

:- meta_predicate reading_file(+, +, +, 1).

%   reading_file(+Spec, +Options, +Goal, :Reads): call(Reads, Stream) once, with a stream on the file.

reading_file(Spec, Options, Goal, Reads) :-
    open_file(Spec, Options, Goal, In),
    setup_call_cleanup(true, once(call(Reads, In)), safe_close(In)).

safe_read_file_to_string(Spec, String, Options) :-
    reading_file(Spec, Options, read_file_to_string/3, hb_files:whole(Read)),
    String = Read.

whole(String, In) :-
    safe_read_string(In, _, String).

safe_read_file_to_codes(Spec, Codes, Options0) :-
    tail_option(Options0, Tail, Options),
    reading_file(Spec, Options, read_file_to_codes/3, hb_files:codes(Codes0, Tail)),
    Codes = Codes0.

codes(Codes, Tail, In) :-
    safe_read_stream_to_codes(In, Codes, Tail).

safe_read_file_to_terms(Spec, Terms, Options0) :-
    tail_option(Options0, Tail, Options),
    reading_file(Spec, Options, read_file_to_terms/3, hb_files:terms(Options, Terms0)),
    '$append'(Terms0, Tail, Terms).

terms(Options, Terms, In) :-
    terms_of(In, Options, Terms).

%   tail_option(+Options, -Tail, -Others)

tail_option(Options, Tail, Others) :-
    check_options(Options),
    (   selectchk(tail(Tail0), Options, Others0)
    ->  Tail = Tail0,
        Others = Others0
    ;   Tail = [],
        Others = Options
    ).

%   As in SWI-Prolog, the text is read as the grammar gets to it, and what it has left behind is forgotten.  But a list
%   of which something is still to be read keeps its stream; if the file is short, all is read.

:- public phrase_from_file/2, phrase_from_file/3, phrase_from_stream/2.

phrase_from_file(Body, Spec) :-
    phrase_from_file(Body, Spec, []).

phrase_from_file(Body, Spec, Options) :-
    open_file(Spec, Options, phrase_from_file/3, In),
    (   is_short(In)
    ->  setup_call_cleanup(true, phrase_of_all(In, Body), safe_close(In))
    ;   setup_call_catcher_cleanup(true, phrase_from_stream(Body, In), Catcher, after_phrase(Catcher, In))
    ).

phrase_of_all(In, Body) :-
    safe_stream_to_lazy_list(In, Codes),
    phrase(Body, Codes),
    read_on(Codes).

after_phrase(Catcher, In) :-
    (   '$member'(Catcher, [exit,!])
    ->  keep_reading(In)
    ;   safe_close(In)
    ).

phrase_from_stream(Body, Stream) :-
    safe_stream_to_lazy_list(Stream, Codes),
    phrase(Body, Codes).

%   read_on(+Codes): read what follows, which a goal may have kept.

read_on(Codes) :-
    '$skip_list'(_, Codes, Rest),
    (   attvar(Rest)
    ->  (   Rest = [_|More]
        ->  read_on(More)
        ;   Rest = []
        )
    ;   true
    ).

safe_stream_to_lazy_list(Stream, List) :-
    stream_named(Stream, Named),
    (   is_user_input(Named)
    ->  safe_read_stream_to_codes(Named, List)
    ;   stream_to_lazy_list(Named, Lazy),
        List = Lazy
    ).

safe_csv_read_file(Spec, Rows) :-
    safe_csv_read_file(Spec, Rows, []).

safe_csv_read_file(Spec, Rows, Options0) :-
    reading_file(Spec, Options0, csv_read_file/3, hb_files:csv_rows(Spec, Options0, Read)),
    Rows = Read.

csv_rows(Spec, Options0, Rows, In) :-
    separated(Spec, Options0, Options),
    safe_stream_to_lazy_list(In, Codes),
    phrase(csv(Rows, Options), Codes),
    !.

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
    (   known_document(Name, _)
    ->  true
    ;   ask_file(exists, Name, Answer)
    ->  Answer == true
    ;   cannot_ask(access, Name, exists_file/1)
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
    (   ask_file(list, Directory, Answer)
    ->  true
    ;   cannot_ask(access, Directory, directory_files/2)
    ),
    (   Answer = names(Listed)
    ->  Names = Listed
    ;   throw(error(existence_error(directory, Directory), context(directory_files/2, 'neither the book nor its roots have it')))
    ).

%!  safe_working_directory(-Old, +New) is det.
%
%   Names of files are relative to the roots, which have no place here, and stay so.

safe_working_directory(Old, New) :-
    Old = './',
    (   var(New)
    ->  throw(error(instantiation_error, _))
    ;   file_name(New, Name),
        '$member'(Name, ['./','.',''])
    ->  true
    ;   throw(error(permission_error(chdir, directory, New),
                    context(working_directory/2, 'names of files stay relative to the roots')))
    ).

%!  safe_consult(+Spec) is det.
%
%   The clauses of a file that the book has are there already.

safe_consult(Spec) :-
    is_list(Spec),
    !,
    forall('$member'(File, Spec), safe_consult(File)).
safe_consult(Spec) :-
    file_name(Spec, Name),
    (   ask_file(consult, Name, Answer)
    ->  true
    ;   Answer = false
    ),
    (   Answer == true
    ->  true
    ;   Answer == document
    ->  throw(error(permission_error(open, source_sink, Name),
                    context(consult/1, 'it is a document of the book: unimport it, and import it as clauses')))
    ;   throw(error(permission_error(open, source_sink, Name),
                    context(consult/1, 'the book has no clauses of it, and a query imports nothing: to add some, import it, as by files with the operation import')))
    ).
