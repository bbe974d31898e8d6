:- module(hb_formal_errors,
          [ iso_kind/1,                 % ?Kind
            formal_message/2,           % +Formal, -Message
            context_message/3,          % +Context, +Message0, -Message
            in_arithmetic/4,            % +Type, +Value, +Said, -Words
            text_place/2                % +Context, -Place
          ]).
:- use_module(error_text).
:- use_module(sandbox/written, [as_written/2]).
:- use_module(library(terms), [mapargs/3]).

/** <module> The errors of ISO and SWI-Prolog in words
*/

%!  iso_kind(?Kind) is nondet.

iso_kind(type_error).
iso_kind(domain_error).
iso_kind(existence_error).
iso_kind(permission_error).
iso_kind(representation_error).
iso_kind(evaluation_error).
iso_kind(resource_error).

%!  formal_message(+Formal, -Message) is semidet.
%
%   Without the period at its end.

formal_message(type_error(Type, Value), Message) :-
    Type == callable,
    is_dict(Value, Tag),
    atom(Tag),
    !,
    term_text(Value, Text),
    format(string(Message),
           "Type error: callable expected, found the dict ~s; Table{column: Value} is a goal only in text that comes after the table, or where its data is linked, and with its columns",
           [Text]).
formal_message(type_error(Type, Value), Message) :-
    Type == list,
    string(Value),
    !,
    term_text(Value, Text),
    format(string(Message), "Type error: list expected, found ~s: string_chars/2 and string_codes/2 make a list of a string", [Text]).
formal_message(type_error(Type, Value), Message) :-
    phrase_for(Type, TypeText),
    term_text(Value, Text),
    format(string(Message), "Type error: ~s expected, found ~s", [TypeText, Text]).
formal_message(domain_error(Domain, Value), Message) :-
    Domain == clpfd_domain,
    !,
    term_text(Value, Text),
    (   is_list(Value)
    ->  Format = "Domain error: clpfd domain expected, found ~s; its elements are those of member(X, ~s)",
        Args = [Text,Text]
    ;   Format = "Domain error: clpfd domain expected, found ~s; a domain is 1..3, or 1..3\\/7 for parts, or 1..sup without an end",
        Args = [Text]
    ),
    format(string(Message), Format, Args).
formal_message(domain_error(Domain, Value), Message) :-
    Domain == clpfd_expression,
    not_of_integers(Value, Said),
    !,
    term_text(Value, Text),
    format(string(Message), "Domain error: clpfd expression expected, found ~s; ~s", [Text,Said]).
formal_message(domain_error(Domain, Value), Message) :-
    phrase_for(Domain, DomainText),
    term_text(Value, Text),
    format(string(Message), "Domain error: ~s expected, found ~s", [DomainText, Text]).
formal_message(existence_error(matching_rule, Goal0), Message) :-
    !,
    plain_indicator(Goal0, Goal1),
    mapargs(plain_argument, Goal1, Goal2),
    hb_store:seen_goal(Goal2, Goal),
    term_text(Goal, Text),
    format(string(Message), "No rule with => matches ~s", [Text]).
formal_message(existence_error(Kind, Ball), Message) :-
    Kind == reset,
    !,
    term_text(Ball, Text),
    format(string(Message), "No reset/3 takes the ball ~s: shift/1 reaches none outside findall/3 and the like, nor outside the evaluation of a tabled predicate", [Text]).
formal_message(existence_error(Kind, Name), Message) :-
    Kind == source_sink,
    !,
    term_text(Name, Text),
    format(string(Message), "File ~s cannot be opened", [Text]).
formal_message(existence_error(Kind, What), Message) :-
    Kind == variable,
    !,
    term_text(What, Text),
    format(string(Message), "Unknown variable: ~s; nb_setval/2 or b_setval/2 makes one", [Text]).
formal_message(existence_error(Kind, What), Message) :-
    phrase_for(Kind, KindText),
    term_text(What, Text),
    format(string(Message), "Unknown ~s: ~s", [KindText, Text]).
formal_message(existence_error(Kind, What, In), Message) :-
    phrase_for(Kind, KindText),
    term_text(What, Text),
    term_text(In, InText),
    format(string(Message), "Unknown ~s: ~s in ~s", [KindText, Text, InText]).
formal_message(permission_error(Action, procedure, Culprit0), Message) :-
    Action == assert,                       % SWI-Prolog has no other reason
    !,
    plain_indicator(Culprit0, Culprit),
    term_text(Culprit, Text),
    format(string(Message), "Some clauses of ~s have =>, others `:-` or no body: write all of them with the one or the other", [Text]).
formal_message(permission_error(Action, Type, Name/Arity), Message) :-
    Action == modify,
    Type == static_procedure,
    atom(Name),
    integer(Arity),
    hb_policy:class(Name, Arity, _),
    !,
    term_text(Name/Arity, Text),
    format(string(Message), "No permission to modify static procedure ~s: it is built in, so it needs another name", [Text]).
formal_message(permission_error(Action, Type, Culprit0), Message) :-
    plain_indicator(Culprit0, Culprit),
    phrase_for(Action, ActionText),
    phrase_for(Type, TypeText),
    term_text(Culprit, Text),
    format(string(Message), "No permission to ~s ~s ~s", [ActionText, TypeText, Text]).
formal_message(representation_error(What), Message) :-
    phrase_for(What, Text),
    format(string(Message), "Representation error: ~s", [Text]).
formal_message(evaluation_error(zero_divisor), "Arithmetic: division by zero") :-
    !.
formal_message(evaluation_error(What), Message) :-
    phrase_for(What, Text),
    format(string(Message), "Arithmetic: ~s", [Text]).
formal_message(resource_error(What), Message) :-
    phrase_for(What, Text),
    format(string(Message), "Not enough resources: ~s", [Text]).

%   not_of_integers(@Value, -Said) is semidet: CLP(FD) has no Value, of arithmetic that leaves the integers.

not_of_integers(Value, "CLP(FD) has // and div for whole quotients") :-
    nonvar(Value),
    Value = _/_,
    !.
not_of_integers(Value, "CLP(FD) has only integers: count in smaller units") :-
    number(Value),
    \+ integer(Value).

%   plain_argument(@Argument, -Plain): a goal or closure passed to a library, as it was written.

plain_argument(Argument, Plain) :-
    (   nonvar(Argument),
        Argument = Module:Closure,
        Module == knowledge_base
    ->  Plain = Closure
    ;   as_written(Argument, Plain)
    ).

%!  context_message(+Context, +Message0, -Message) is det.
%
%   Add the built-in predicate, called by the user, that raised the error.

context_message(context(PI0, Said), Message0, Message) :-
    (   nonvar(PI0),
        plain_indicator(PI0, PI),
        PI = Name/_,
        atom(Name),
        \+ sub_atom(Name, 0, _, _, $),
        \+ internal(Name)
    ->  hb_store:seen_indicator(PI, Seen),
        term_text(Seen, Text),
        format(string(Message1), "~s (in ~s)", [Message0, Text])
    ;   Message1 = Message0
    ),
    (   nonvar(Said),
        ( atom(Said) ; string(Said) ),
        Said \== ''
    ->  format(string(Message), "~s: ~w.", [Message1, Said])
    ;   format(string(Message), "~s.", [Message1])
    ),
    !.
context_message(_, Message0, Message) :-
    format(string(Message), "~s.", [Message0]).

internal(Name) :- sub_atom(Name, 0, _, _, safe_).
internal(checked).
internal(translated).

%!  in_arithmetic(+Type, +Value, +Said, -Words) is semidet.
%
%   Text was found where arithmetic needs a number.

in_arithmetic(character, Value, Said, Words) :-
    string(Value),
    nonvar(Said),
    sub_atom(Said, _, _, _, 'must hold one character'),
    (   catch(number_string(_, Value), _, fail)
    ->  Words = "Type error: arithmetic needs a number, and ~s is a string: number_string(N, String) gives its number"
    ;   Words = "Type error: arithmetic needs a number, and ~s is a string: == and @< compare texts, string_concat/3 joins them"
    ).
in_arithmetic(character, Value, Said, "Type error: arithmetic needs a number, and ~s is a list: length(L, N), sum_list(L, N) and max_list(L, N) give one") :-
    is_list(Value),
    nonvar(Said),
    sub_atom(Said, _, _, _, 'must hold one character').
in_arithmetic(evaluable, Value, _, Words) :-
    nonvar(Value),
    Value = Name/0,
    atom(Name),
    catch(atom_number(Name, _), _, fail),
    Words = "Type error: arithmetic needs a number, and ~s is an atom: atom_number(Atom, N) gives its number".

in_arithmetic(evaluable, Value, _, "Type error: arithmetic has no ~s, which is a predicate: ask it first, with one more argument for its result") :-
    nonvar(Value),
    Value = Name/Arity,
    integer(Arity),
    Arity > 0,
    More is Arity+1,
    hb_store:own(Name, More).

%!  text_place(+Context, -Place) is semidet.
%
%   Where a goal has read the text.

text_place(Context, _) :-
    var(Context),
    !,
    fail.
text_place(file(File, Line, Column, _), Place) :-
    nonvar(File),
    integer(Line),
    integer(Column),
    ( atom(File) ; string(File) ),
    !,
    format(string(Place), "~w:~w:~w", [File,Line,Column]).
text_place(stream(_, Line, Column, _), Place) :-
    integer(Line),
    integer(Column),
    format(string(Place), "line ~w:~w of the text", [Line,Column]).
