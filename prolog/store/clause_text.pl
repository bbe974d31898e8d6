:- module(hb_clause_text,
          [ check_writable/1,           % @Term
            clause_text/4,              % +Module, +Head, +Body, -Text
            clause_term/3,              % +Head, +Body, -Clause
            fixed_parts/4,              % +Arguments, +Quote, -Parts, ?Rest
            fixed_name/1,               % +Name
            clause_anywhere/3           % +Clause, +Names, -Text
          ]).
:- use_module('../read/reader').
:- use_module(library(listing), [portray_clause/3]).

/** <module> The text of clauses that running code has added

The book keeps clauses as text.  Before a text goes into it, the text is read back
with the operators and flags of a new engine and must give the same clause.  Most
clauses are written as people would write them.  If that reads back as another
clause, they are written in a form that does not depend on operators, layout or
the characters of names.
*/

%!  check_writable(@Term) is det.
%
%   Term, which is acyclic and not too deep, has a text that reads back.
%
%   @error representation_error(Type) if a part of Term has none: blobs such as
%   streams, dicts with a compound tag, and functional notation, which reads as a call.

check_writable(Term) :-
    var(Term),
    !.
check_writable(Term) :-
    compound(Term),
    !,
    compound_name_arity(Term, Name, Arity),
    (   Name == '.',
        Arity == 2
    ->  unwritable(dict_function)
    ;   atom(Name)
    ->  check_arguments(Arity, Term)
    ;   is_dict(Term, Tag)
    ->  check_tag(Tag),
        check_arguments(Arity, Term)
    ;   check_writable(Name),
        check_arguments(Arity, Term)
    ).
check_writable(Term) :-
    (   ( atom(Term) ; number(Term) ; string(Term) ; Term == [] )
    ->  true
    ;   blob(Term, Type),
        unwritable(Type)
    ).

check_tag(Tag) :-
    (   ( var(Tag) ; atom(Tag) )
    ->  true
    ;   unwritable(dict_tag)
    ).

%   Check the last argument last, so that long lists need no stack.

check_arguments(Arity, Term) :-
    Arity > 0,
    !,
    check_arguments(1, Arity, Term).
check_arguments(_, _).

check_arguments(Arity, Arity, Term) :-
    !,
    arg(Arity, Term, Arg),
    check_writable(Arg).
check_arguments(I, Arity, Term) :-
    arg(I, Term, Arg),
    (   integer(Arg)
    ->  true
    ;   check_writable(Arg)
    ),
    I1 is I+1,
    check_arguments(I1, Arity, Term).

unwritable(Type) :-
    throw(error(representation_error(Type),
                context(_, 'clauses are kept as text, and no text stands for this'))).

%!  clause_text(+Module, +Head, +Body, -Text:string) is det.
%
%   Text is one clause with its period.  Head and Body are written as in text of Module,
%   which is `user` for no module; Body is in the form of store/6, and `true` for a fact.
%
%   @error representation_error(clause) if no text reads back as the clause.
%   check_writable/1 rules that out.

clause_text(Module, Head, Body, Text) :-
    Module == user,
    Body == true,
    compound(Head),
    compound_name_arguments(Head, Name, Arguments),
    Arguments = [_|_],
    fixed_name(Name),
    fixed_parts(Arguments, '"', Parts, [').']),
    !,
    atomics_to_string([Name, '('|Parts], Text).
clause_text(Module, Head, Body, Text) :-
    clause_term(Head, Body, Clause0),
    (   Module == user
    ->  Clause = Clause0
    ;   Clause = Module:Clause0
    ),
    (   form(Form),
        form_text(Form, Clause, Text),
        reads_back(Text, Clause)
    ->  true
    ;   unwritable(clause)
    ).

%!  fixed_parts(+Arguments, +Quote, -Parts, ?Rest) is semidet.
%
%   Each argument, of one at least, has only one usual text, whatever the operators are, so there is no need to read it back:
%   most facts that programs keep by the thousand are so.  Parts are the texts, with commas, then Rest.  They are
%   ASCII without backslashes, and Quote stands for the quotation marks of strings.

fixed_parts([Argument|Arguments], Quote, Parts0, Rest) :-
    (   integer(Argument)
    ->  Parts0 = [Argument|Parts]
    ;   string(Argument)
    ->  plain_string(Argument),
        Parts0 = [Quote,Argument,Quote|Parts]
    ;   atom(Argument)
    ->  fixed_name(Argument),
        Parts0 = [Argument|Parts]
    ;   Argument == []
    ->  Parts0 = ['[]'|Parts]
    ;   fixed_compound(Argument, Open, Inside, Close),
        Parts0 = [Open|Parts1],
        fixed_parts(Inside, Quote, Parts1, [Close|Parts])
    ),
    (   Arguments == []
    ->  Parts = Rest
    ;   Parts = [', '|Parts2],
        fixed_parts(Arguments, Quote, Parts2, Rest)
    ).

%   fixed_compound(+Term, -Open, -Inside, -Close): the text of Term is Open, the arguments Inside, and Close.

fixed_compound(Term, Open, Inside, Close) :-
    (   is_list(Term)
    ->  Open = '[',
        Inside = Term,
        Close = ']'
    ;   compound(Term),
        \+ is_dict(Term),
        compound_name_arguments(Term, Name, Inside),
        Inside = [_|_],
        fixed_name(Name),
        atom_concat(Name, '(', Open),
        Close = ')'
    ).

%   plain_string(+String): is short, and all of it is ASCII that no quoted text escapes.

plain_string(String) :-
    string_length(String, Length),
    Length =< 200,
    string_codes(String, Codes),
    unescaped(Codes).

unescaped([]).
unescaped([Code|Codes]) :-
    Code >= 0' ,
    Code =< 0'~,
    Code =\= 0'",
    Code =\= 0'\\,
    unescaped(Codes).

%!  fixed_name(+Name) is semidet.
%
%   The atom Name needs no quotes and is no operator.

fixed_name(Name) :-
    atom(Name),
    plain_name(Name),
    \+ current_op(_, _, hb_syntax:Name).

%!  clause_anywhere(+Clause, +Names, -Text:string) is det.
%
%   Text, with its period, reads as Clause without the operators of any file.  Names are its variable names, as
%   read_term/3 has them.

clause_anywhere((:- Directive), Names0, Text) :-
    !,
    term_variables(Directive, Variables),
    names_of(Variables, Names0, Names),
    format(string(Text), ':- ~W.', [Directive, [quoted(true), ignore_ops(true), portray(false), variable_names(Names)]]),
    (   reads_back(Text, (:- Directive))
    ->  true
    ;   unwritable(clause)
    ).
clause_anywhere(Clause, Names0, Text) :-
    term_variables(Clause, Variables),
    names_of(Variables, Names0, Names),
    (   line_text(Clause, variable_names(Names), Text),
        reads_back(Text, Clause)
    ->  true
    ;   format(string(Text), '~W.', [Clause, [quoted(true), ignore_ops(true), portray(false), variable_names(Names)]]),
        reads_back(Text, Clause)
    ->  true
    ;   unwritable(clause)
    ).

names_of([], _, []).
names_of([Var|Vars], Names0, [Name=Var|Names]) :-
    (   '$member'(Name=Var0, Names0),
        Var0 == Var
    ->  true
    ;   Name = '_'
    ),
    names_of(Vars, Names0, Names).

%!  clause_term(+Head, +Body, -Clause) is det.
%
%   The clause as it is written.  A fact has a neck if without one it would read
%   as a directive, the end of the text, or another kind of rule.

clause_term(Head, Body, Clause) :-
    (   nonvar(Body),
        Body = hb_store:single_sided(Neck, Body1)
    ->  ruled(Neck, Head, Body1, Clause)
    ;   Body == true,
        \+ needs_neck(Head)
    ->  Clause = Head
    ;   Clause = (Head:-Body)
    ).

ruled(=>, Head, Body, (Head=>Body)).
ruled(?=>, Head, (Guard,!,Body), (Head,Guard=>Body)).

needs_neck(end_of_file).
needs_neck((:-_)).
needs_neck((?-_)).
needs_neck((_:-_)).
needs_neck((_-->_)).
needs_neck((_=>_)).

%   reads_back(+Text, +Clause): Text reads as Clause and nothing else.  Reads it as a
%   file, which is stricter than the text of a call.

reads_back(Text, Clause) :-
    setup_call_cleanup(
        open_source(file, Text, hb_syntax, Source),
        ( read_item(Source, clause(_, _, Term, _)),
          Term =@= Clause,
          read_item(Source, end(_))
        ),
        close_source(Source)),
    !.

form(usual).
form(line).
form(canonical).

%   form_text(+Form, +Clause, -Text): `usual` is the form of portray_clause/1; `line` is
%   one line, for terms '$VAR'(N), which portray_clause/1 takes for variables;
%   `canonical` always reads back.

form_text(usual, Clause, Text) :-
    (   Clause = (_:-Body)
    ->  (   plain_goals(Body),
            numbered(Clause, (Head:-Goals)),
            phrase(plain_rule(Head, Goals), Parts)
        ->  atomics_to_string(Parts, Text)
        ;   % portray_clause/3 refuses goals p().
            catch(with_output_to(string(Text0),
                                 ( current_output(Out), portray_clause(Out, Clause, [module(hb_syntax)]) )),
                  error(domain_error(compound_non_zero_arity, _), _),
                  fail),
            sub_string(Text0, 0, _, 1, Text)
        )
    ;   numbered(Clause, Copy),
        line_text(Copy, numbervars(true), Text)
    ).
form_text(line, Clause, Text) :-
    term_variables(Clause, Variables),
    variable_names(Variables, 1, Names),
    line_text(Clause, variable_names(Names), Text).
form_text(canonical, Clause, Text) :-
    term_variables(Clause, Variables),
    variable_names(Variables, 1, Names),
    phrase(canonical_clause(Clause, Names), Parts),
    atomics_to_string(Parts, Text).

numbered(Clause, Copy) :-
    copy_term(Clause, Copy),
    numbervars(Copy, 0, _, [singletons(true)]).

%   plain_goals(+Body) is semidet: goals one after the other.  portray_clause/3 lays out other bodies, and takes five
%   times as long.

plain_goals(Body) :-
    var(Body),
    !,
    fail.
plain_goals((Goal,Goals)) :-
    !,
    plain_goal(Goal),
    plain_goals(Goals).
plain_goals(Goal) :-
    plain_goal(Goal).

plain_goal(Goal) :-
    callable(Goal),
    \+ Goal = (_,_),
    \+ predicate_property(hb_syntax:Goal, meta_predicate(_)).

%   plain_rule(+Head, +Goals)// is semidet: as portray_clause/3 writes the rule, if each goal fits a line.

plain_rule(Head, Goals) -->
    short_term(Head, 1199),
    [' :-'],
    plain_body(Goals).

plain_body((Goal,Goals)) -->
    !,
    ['\n    '],
    short_term(Goal, 999),
    [','],
    plain_body(Goals).
plain_body(Goal) -->
    ['\n    '],
    short_term(Goal, 999),
    ['.'].

short_term(Term, Priority) -->
    { format(string(Text), '~W',
             [ Term,
               [ quoted(true), portray(false), numbervars(true), spacing(next_argument), module(hb_syntax),
                 float_format('~15h'), priority(Priority)
               ] ]),
      string_length(Text, Length),
      Length < 70
    },
    [Text].

line_text(Clause, Variables, Text) :-
    format(string(Text0), '~W',
           [ Clause,
             [ quoted(true), portray(false), spacing(next_argument), module(hb_syntax),
               float_format('~15h'), fullstop(true), nl(true), Variables
             ] ]),
    sub_string(Text0, 0, _, 1, Text).

variable_names([], _, []).
variable_names([Var|Vars], N, [Name=Var|Names]) :-
    atom_concat('_V', N, Name),
    N1 is N+1,
    variable_names(Vars, N1, Names).

%   canonical_clause(+Clause, +Names)//: in ASCII, every compound term except lists and
%   dicts as name(arguments), and every name in quotes unless it is plain.

canonical_clause((Head:-Body), Names) -->
    !,
    (   { atom(Head) }                  % perhaps an operator
    ->  ['('],
        name(Head),
        [')']
    ;   canonical(Head, Names)
    ),
    [' :- '],
    canonical(Body, Names),
    ['.'].
canonical_clause(Head, Names) -->
    canonical(Head, Names),
    ['.'].

canonical(Var, Names) -->
    { var(Var),
      '$member'(Name=Var0, Names),
      Var0 == Var
    },
    !,
    [Name].
canonical(Term, _) -->
    { number(Term) },
    !,
    { format(string(Text), '~q', [Term]) },
    [Text].
canonical([], _) -->
    !,
    ['[]'].
canonical(Term, _) -->
    { string(Term) },
    !,
    quoted(Term, 0'").
canonical(Term, _) -->
    { atom(Term) },
    !,
    name(Term).
canonical([Head|Tail], Names) -->
    !,
    ['['],
    canonical(Head, Names),
    canonical_tail(Tail, Names).
canonical(Dict, Names) -->
    { is_dict(Dict, Tag) },
    !,
    { dict_pairs(Dict, Tag, Pairs) },
    canonical(Tag, Names),
    ['{'],
    canonical_pairs(Pairs, Names),
    ['}'].
canonical(Term, Names) -->
    { compound_name_arguments(Term, Name, Arguments) },
    canonical(Name, Names),
    ['('],
    canonical_arguments(Arguments, Names),
    [')'].

canonical_tail(Tail, Names) -->
    (   { Tail == [] }
    ->  [']']
    ;   { nonvar(Tail),
          Tail = [Head|Tail1]
        }
    ->  [', '],
        canonical(Head, Names),
        canonical_tail(Tail1, Names)
    ;   ['|'],
        canonical(Tail, Names),
        [']']
    ).

canonical_pairs([], _) -->
    [].
canonical_pairs([Key-Value|Pairs], Names) -->
    canonical(Key, Names),
    [': '],
    canonical(Value, Names),
    (   { Pairs == [] }
    ->  []
    ;   [', '],
        canonical_pairs(Pairs, Names)
    ).

canonical_arguments([], _) -->
    [].
canonical_arguments([Argument|Arguments], Names) -->
    canonical(Argument, Names),
    (   { Arguments == [] }
    ->  []
    ;   [', '],
        canonical_arguments(Arguments, Names)
    ).

name(Name) -->
    (   { plain_name(Name) }
    ->  [Name]
    ;   quoted(Name, 0'\')
    ).

plain_name(Name) :-
    atom_codes(Name, [First|Codes]),
    between(0'a, 0'z, First),
    plain_codes(Codes).

plain_codes([]).
plain_codes([Code|Codes]) :-
    Code < 128,
    code_type(Code, csym),
    plain_codes(Codes).

quoted(Text, Quote) -->
    { string_codes(Text, Codes),
      phrase(escaped(Codes, Quote), Escaped),
      string_codes(Inside, Escaped),
      char_code(Mark, Quote)
    },
    [Mark, Inside, Mark].

escaped([], _) -->
    [].
escaped([Code|Codes], Quote) -->
    (   { Code >= 0' , Code < 127, Code =\= Quote, Code =\= 0'\\ }
    ->  [Code]
    ;   { escape_base(Code, Base),
          format(codes(Escape), Base, [Code])
        },
        string_of(Escape)
    ),
    escaped(Codes, Quote).

%   escape_base(+Code, -Format): SWI-Prolog refuses \xDXXXX\ if its first four digits
%   are a surrogate.

escape_base(Code, Format) :-
    (   Code >> 15 =:= 0x1b             % 0xd8000 to 0xdffff
    ->  Format = '\\~8r\\'
    ;   Format = '\\x~16r\\'
    ).

string_of([]) -->
    [].
string_of([Code|Codes]) -->
    [Code],
    string_of(Codes).
