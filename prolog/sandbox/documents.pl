:- module(hb_documents,
          [ set_documents/3,            % +Root, +Forget, +Parts
            known_document/2,           % +Name, -Path
            document_named/2,           % +Name, +Path
            document_file/3,            % +Path, -File, -Nesting
            text_file/3,                % +Text, :Goal, -File
            forget_lent/0
          ]).
:- use_module('../limits', [uninterrupted/1]).

/** <module> Texts that running code can read

The conductor tells an engine the documents of the book, and lends it the texts of other files for a step.  They are
files of the engine's own file system, which untrusted code cannot name: a text on the stacks would take up to four
bytes for each character, again and again.
*/

:- dynamic
    document/4,                         % Path, Kind (kept or lent), File, Nesting
    named/2,                            % Name, Path: what the host has said in this step
    root/1.                             % Directory: what relative names are looked for in first

%!  set_documents(+Root, +Forget, +Parts) is det.
%
%   Forget the documents with the paths in Forget, then take Parts: first(Kind, Path, Nesting, Text) begins a document
%   whose brackets nest Nesting levels deep, rest(Path, Text) continues it.  Root is the first root, or none.

set_documents(Root, Forget, Parts) :-
    uninterrupted(hb_documents:( set_root(Root),
                                 forall('$member'(Path, Forget), forget(Path)),
                                 forall('$member'(Part, Parts), take(Part)) )).

set_root(Root) :-
    retractall(root(_)),
    (   Root == none
    ->  true
    ;   assertz(root(Root))
    ).

forget(Path) :-
    forall(retract(document(Path, _, File, _)), delete_file(File)).

take(first(Kind, Path, Nesting, Text)) :-
    forget(Path),
    new_file(File),
    add_text(File, Text),
    assertz(document(Path, Kind, File, Nesting)).
take(rest(Path, Text)) :-
    document(Path, _, File, _),
    !,
    add_text(File, Text).

%   new_file(-File): streams on a document that is replaced go on reading what they have opened.

new_file(File) :-
    flag(hb_documents, N, N+1),
    atom_concat('/documents/', N, File),
    (   exists_directory('/documents')
    ->  true
    ;   make_directory('/documents')
    ).

%!  text_file(+Text, :Goal, -File) is semidet.
%
%   Call Goal once, while File has Text.  What Goal opens stays readable.

:- meta_predicate text_file(+, 0, -).

text_file(Text, Goal, File) :-
    new_file(File),
    setup_call_cleanup(add_text(File, Text), once(Goal), delete_file(File)).

add_text(File, Text) :-
    setup_call_cleanup(
        open(File, append, Out, [encoding(utf8), bom(false), newline(posix)]),
        write(Out, Text),
        close(Out)).

%!  forget_lent is det.
%
%   A step begins: what the host has said of files may be no longer true.

forget_lent :-
    retractall(named(_, _)),
    forall(retract(document(_, lent, File, _)), delete_file(File)).

%!  document_named(+Name, +Path) is det.
%
%   In this step the file that goals call Name is the document Path.

document_named(Name, Path) :-
    assertz(named(Name, Path)).

%!  known_document(+Name, -Path) is semidet.
%
%   The file that goals call Name is certainly the document Path: the host would say so, too.

known_document(Name, Path) :-
    (   document(Name, _, _, _)
    ->  Path = Name
    ;   named(Name, Path)
    ->  true
    ;   in_first_root(Name, Path),
        document(Path, _, _, _)
    ->  true
    ).

%   in_first_root(+Name, -Path): the host looks there first.

in_first_root(Name, Path) :-
    root(Root),
    \+ is_absolute_file_name(Name),
    atomic_list_concat(Parts0, /, Name),
    without_dots(Parts0, Parts),
    atomic_list_concat([Root|Parts], /, Path).

without_dots([], []).
without_dots(['.'|Parts0], Parts) :-
    !,
    without_dots(Parts0, Parts).
without_dots([Part|Parts0], [Part|Parts]) :-
    Part \== '..',
    without_dots(Parts0, Parts).

%!  document_file(+Path, -File, -Nesting) is semidet.
%
%   File has the text of the document Path.

document_file(Path, File, Nesting) :-
    document(Path, _, File0, Nesting0),
    !,
    File = File0,
    Nesting = Nesting0.
