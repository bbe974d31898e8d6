:- module(hb_errors,
          [ error_json/2,               % +Ball, -Json
            term_text/2                 % +Term, -Text
          ]).
:- use_module(functor).
:- use_module(sandbox/written).
:- use_module(limits).
:- use_module(place).
:- use_module(library(lists), [list_to_set/2]).
:- use_module(library(terms), [mapargs/3]).
:- use_module(capability).

/** <module> Errors as people and models read them

Turns the balls of SWI-Prolog into plain sentences with a kind
(`docs/engine-protocol.md`), without the names of the modules and wrappers that
untrusted code runs in.
*/

%   The user's module takes the place of `user`: errors that a program catches name its
%   procedures without the module.

:- multifile prolog:prolog_exception_hook/5.

%   Binds nothing in the ball, because programs throw it and that would wake goals.

prolog:prolog_exception_hook(Ball, error(existence_error(procedure, Seen), Seen), _, _, _) :-
    nonvar(Ball),
    Ball = error(Formal, _),
    nonvar(Formal),
    Formal = existence_error(Kind, What),
    Kind == procedure,
    nonvar(What),
    What = Module:PI,
    Module == knowledge_base,
    hb_store:seen_indicator(PI, Seen).

%!  error_json(+Ball, -Json) is det.
%
%   Json is object(Pairs) for hb_reply.  User code can throw terms that look like this module's own:
%   they get a sentence of an ordinary kind, and no decision depends on it.

error_json(Ball, Json) :-
    catch(ball_json(Ball, Json0), error(resource_error(_), _), fail),
    !,
    Json = Json0.
error_json(_, object([kind=text(uncaught_exception),
                      message=text("The goal threw a term that is too large to be shown.")])).

ball_json(Ball0, object([kind=text(Kind), message=text(Message)|More])) :-
    copy_term_nat(Ball0, Ball),             % a delayed goal must not wake here
    (   cyclic_term(Ball)
    ->  Kind = uncaught_exception,
        Message0 = "The goal threw a cyclic term.",
        More = []
    ;   \+ ( Ball = error(Formal, _), var(Formal) ),
        described(Ball, Kind, Message0, More0)
    ->  more(Ball, More0, More)
    ;   Kind = uncaught_exception,
        without_place(Ball, Thrown),
        term_text(Thrown, Text),
        format(string(Message0), "The goal threw ~s.", [Text]),
        more(Ball, [], More)
    ),
    shortened(Message0, 2000, Message).

%   without_place(+Ball, -Thrown): remove the system predicate that threw Ball.

without_place(error(Formal, Context), Thrown) :-
    nonvar(Context),
    Context = context(PI, _),
    nonvar(PI),
    PI = system:_,
    !,
    Thrown = error(Formal, _).
without_place(Ball, Ball).

%   more(+Ball, +Described, -More): add what else is known: where Ball was raised, or what led to it.

more(Ball, Described, More) :-
    (   raised(Ball, Place)
    ->  place_json(Place, Json),
        More = [raised=Json|Described]
    ;   detail(Ball, Detail)
    ->  More = [detail=text(Detail)|Described]
    ;   More = Described
    ).

%   place_json(+Place, -Json): [Predicate, Id, Nth, Calling], each null if unknown.

place_json(place(PI, Ref, Calling), list([text(Text), Id, Nth, Called])) :-
    hb_store:seen_indicator(PI, Seen),
    term_text(Seen, Text),
    (   Ref \== none,
        PI = _/_,
        hb_store:id_of(Ref, Id0),
        nth_clause(_, Nth0, Ref)
    ->  Id = number(Id0),
        Nth = number(Nth0)
    ;   Id = @(null),
        Nth = @(null)
    ),
    (   Calling == none
    ->  Called = @(null)
    ;   term_text(Calling, CalledText),
        Called = text(CalledText)
    ).

detail('$hb_stop'(What), Detail) :-
    ( What == time ; What == inferences ),
    most_inferences(Detail).
detail(error(resource_error(What), Context), Detail) :-
    What == stack,
    is_dict(Context),
    recursion(Context, Detail).

%   recursion(+Context, -Detail): which predicates call each other: those that SWI-Prolog found to,
%   or else those that occur more than once among the last frames.

recursion(Context, Detail) :-
    (   get_dict(cycle, Context, Frames)
    ->  Least = 1
    ;   get_dict(non_terminating, Context, Frames)
    ->  Least = 1
    ;   get_dict(stack, Context, Frames),
        Least = 2
    ),
    is_list(Frames),
    findall(Name/Arity, called_again(Frames, _, Name, Arity), PIs0),
    list_to_set(PIs0, PIs1),
    findall(Seen,
            ( '$member'(PI, PIs1), often(Least, PI, PIs0), hb_store:seen_indicator(PI, Seen) ),
            PIs),
    (   get_dict(depth, Context, Depth),
        integer(Depth)
    ->  format(string(Deep), ", ~D calls deep", [Depth])
    ;   Deep = ""
    ),
    (   PIs = [PI]
    ->  format(string(Calls), "~q calls itself~s.", [PI, Deep])
    ;   PIs = [_,_|_],
        '$append'(Some, [Last], PIs),
        atomic_list_of(Some, Text),
        format(string(Calls), "~w and ~q call each other~s.", [Text, Last, Deep])
    ),
    (   called_again(Frames, Goal, Name, Arity),
        written_whole(Goal),
        called_again(Frames, Other, Name, Arity),
        Goal \== Other,
        Goal =@= Other
    ->  hb_store:seen_goal(Goal, SeenGoal),
        term_text(SeenGoal, GoalText),
        hb_store:private_or_plain(Name, Arity, Plain),
        format(string(Detail), "~s ~s is called again with the same arguments: `:- table ~q.` may end that.",
               [Calls, GoalText, Plain/Arity])
    ;   PIs = [_]
    ->  string_concat(Calls, " Does a clause or a condition end that?", Detail)
    ;   Detail = Calls
    ).

often(Least, PI, PIs) :-
    findall(PI, '$member'(PI, PIs), Found),
    length(Found, Count),
    Count >= Least.

%   written_whole(+Goal): no argument is compound, as SWI-Prolog gives only the names of those.

written_whole(Goal) :-
    \+ ( compound(Goal),
         arg(_, Goal, Arg),
         compound(Arg)
       ).

called_again(Frames, Goal, Name, Arity) :-
    '$member'(Frame, Frames),
    compound(Frame),
    Frame = frame(_, knowledge_base:Goal, _),
    callable(Goal),
    term_functor(Goal, Name, Arity),
    hb_store:own(Name, Arity).

atomic_list_of(PIs, Text) :-
    findall(Atom, ( '$member'(PI, PIs), format(atom(Atom), '~q', [PI]) ), Atoms),
    atomic_list_concat(Atoms, ', ', Text).

described('$hb_stop'(time), timeout, "The time limit was reached.", []).
described('$hb_stop'(gas), resource_error, "Gas exhausted: the program took more inferences than it may.", []) :-
    !.
described('$hb_stop'(halt), halted, "The query ended itself with halt: nothing of it is kept.", []) :-
    !.
described('$hb_stop'(beside), permission_error, "The engine that changes the book has to run this.", []) :-
    !.
described('$hb_stop'(Name), resource_error, Message, []) :-
    limit_message(Name, Message).
described(error(hornbook(Formal), _), Kind, Message, More) :-
    nonvar(Formal),
    own_error(Formal, Kind, Message, More).
described(error(Formal, _), Kind, Message, More) :-
    nonvar(Formal),
    refusal(Formal, Kind, Message, More).
described(error(permission_error(output, stream, _), context(_, Said)), permission_error, Message, []) :-
    Said == 'Only the current output can be written to',
    string_concat(Said, ".", Message).
described(error(Kind, Message, Line, Column, Offset), Kind, Message,
          [line=number(Line), column=number(Column), offset=number(Offset)]) :-
    own_kind(Kind),
    string(Message),
    place(Line, 1),
    place(Column, 0),
    place(Offset, 0).
described(error(syntax_error(What), Where), syntax_error, Message, []) :-
    text_place(Where, Place),
    !,
    phrase_for(What, Text),
    format(string(Message), "Syntax error in ~s: ~s.", [Place, Text]).
described(error(syntax_error(What), _), syntax_error, Message, []) :-
    phrase_for(What, Text),
    format(string(Message), "Syntax error: ~s.", [Text]).
described(error(uninstantiation_error(Value), Context), type_error, Message, []) :-
    var(Context),
    !,
    term_text(Value, Text),
    format(string(Message),
           "Type error: an unbound variable expected, found ~s. An argument with a mode (min, max, -, …) of a tabled predicate takes only a variable: call it with one, and unify or compare that afterwards.",
           [Text]).
described(error(uninstantiation_error(Value), Context), type_error, Message, []) :-
    term_text(Value, Text),
    format(string(Message0), "Type error: an unbound variable expected, found ~s", [Text]),
    context_message(Context, Message0, Message).
described(error(type_error(Type, Value), context(PI0, Said)), type_error, Message, []) :-
    in_arithmetic(Type, Value, Said, Words),
    !,
    term_text(Value, Text),
    format(string(Message0), Words, [Text]),
    context_message(context(PI0, _), Message0, Message).
described(error(format_argument_type(Char, Value), _), type_error, Message, []) :-
    term_text(Value, Text),
    format(string(Message), "Format error: ~~~w does not take ~s.", [Char, Text]).
described(error(existence_error(Kind, Char), _), domain_error, Message, []) :-
    Kind == format_character,
    !,
    format(string(Message), "Format error: there is no directive ~~~w; ~~~~ writes a tilde.", [Char]).
described(error(existence_error(Kind, PI), _), type_error, Message, []) :-
    Kind == dict_function,
    !,
    term_text(PI, Text),
    format(string(Message),
           "Unknown function on dicts: ~s; those of SWI-Prolog are get/1, get/2, put/1, put/2, and a key alone.", [Text]).
described(error(undefined(Goals), _), undefined, Message, []) :-
    term_text(Goals, Text),
    format(string(Message),
           "~s is neither true nor false, by the well-founded semantics of tabled negation: nothing is decided or done because of it.",
           [Text]).
described(error(existence_error(procedure, PI0), _), existence_error, Message, [predicate=text(PIText)]) :-
    plain_indicator(PI0, PI),
    term_text(PI, PIText),
    (   nonvar(PI),
        PI = Name/Arity,
        hb_policy:named_export(Library, Name, Arity, _)
    ->  format(string(Message), "Unknown procedure: ~s. It is there after `:- use_module(library(~w)).`", [PIText, Library])
    ;   format(string(Message), "Unknown procedure: ~s.", [PIText])
    ).
described(error(resource_error(What), _), resource_error, Message, []) :-
    system_limit(What, Name),
    limit_message(Name, Message).
described(error(io_error(_, _), context(_, Said)), resource_error, "Not enough resources: memory.", []) :-
    Said == 'Out of memory'.
described(error(Formal, Context), Kind, Message, []) :-
    compound(Formal),
    term_functor(Formal, Kind, _),
    iso_kind(Kind),
    formal_message(Formal, Message0),
    context_message(Context, Message0, Message).
described(error(instantiation_error, Context), instantiation_error, Message, []) :-
    context_message(Context, "Arguments are not sufficiently instantiated", Message).
described(error(Formal, _), resource_error, Message, []) :-
    nonvar(Formal),
    hb_capability:error_message(Formal, Message),
    string(Message).
described(error(format(What), _), domain_error, Message, []) :-
    (   ( atom(What) ; string(What) )
    ->  format(string(Message), "Format error: ~w.", [What])
    ;   term_text(What, Text),
        format(string(Message), "Format error: ~s.", [Text])
    ).
described(error(assertion_error(_, Goal), _), uncaught_exception, Message, []) :-
    term_text(Goal, Text),
    format(string(Message), "Assertion failed: ~s.", [Text]).
described(time_limit_exceeded, timeout, "The time limit was reached.", []).

%   in_arithmetic(+Type, +Value, +Said, -Words): text was found where arithmetic needs a number.

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

%   place(@Number, +First): a line, a column or an offset, counted from First.

place(Number, First) :-
    integer(Number),
    Number >= First,
    Number < 4294967296.

iso_kind(type_error).
iso_kind(domain_error).
iso_kind(existence_error).
iso_kind(permission_error).
iso_kind(representation_error).
iso_kind(evaluation_error).
iso_kind(resource_error).

%   refusal(+Formal, -Kind, -Message, -More): what the sandbox refuses.

refusal(permission_error(call, sandboxed, What), unsafe_goal, Message, [predicate=text(Text)]) :-
    nonvar(What),
    What = Module:PI,
    term_text(What, Text),
    term_text(PI, Plain),
    term_text(Module, Name),
    format(string(Message),
           "Security Error: ~s is outside the sandbox: it is not exported by the module ~s. Call ~s without `~s:` if it is the book's own.",
           [Text, Name, Plain, Name]).
refusal(permission_error(call, sandboxed, What), unsafe_goal, Message, [predicate=text(Text)]) :-
    unsafe_text(What, Text),
    format(string(Message), "Security Error: dangerous predicate ~s is outside the sandbox.", [Text]).
refusal(permission_error(access, module, Module), unsafe_goal, Message, []) :-
    term_text(Module, Text),
    format(string(Message), "Security Error: module ~s cannot be reached from the sandbox.", [Text]).
refusal(permission_error(modify, hook, PI), permission_error, Message, [predicate=text(Text)]) :-
    term_text(PI, Text),
    format(string(Message), "~s is a hook of the system and cannot be defined: write clauses and goals as it would make them, or leave it out.", [Text]).
refusal(permission_error(access, attribute, Module), permission_error, Message, []) :-
    term_text(Module, Text),
    format(string(Message), "Attributes of the module ~s cannot be reached: those of programs are named knowledge_base.", [Text]).

own_error(limit(Name), resource_error, Message, []) :-
    limit_message(Name, Message).
own_error(long_answer(Name, Others), resource_error, Message, []) :-
    limit_message(answer_chars, Message0),
    (   Others == []
    ->  format(string(Message), "~s ~w is too long to show: ask for a part of it, or for what is computed from it.", [Message0, Name])
    ;   atomic_list_concat(Others, ', ', Rest),
        format(string(Message), "~s ~w is too long to show: leave it out by adding projection([~w]) to the query.", [Message0, Name, Rest])
    ).
own_error(library(Library), unsafe_goal, Message, []) :-
    nonvar(Library),
    not_here(Library, Said),
    !,
    term_text(Library, Text),
    format(string(Message), "library(~s) is not allowed: ~s.", [Text, Said]).
own_error(library(Library), unsafe_goal, Message, []) :-
    term_text(Library, Text),
    format(string(Message), "library(~s) is not allowed: the help topic `security` lists those that are.", [Text]).
own_error(directive(PI, Said), permission_error, Message, [predicate=text(Text)]) :-
    term_text(PI, Text),
    format(string(Message), "The directive ~s is not carried out. ~s", [Text, Said]).
own_error(incomplete_table(PI), permission_error, Message, [predicate=text(Text)]) :-
    term_text(PI, Text),
    format(string(Message), "Tabling: findall/3, setof/3, aggregate_all/3 and the like cannot collect answers that depend on the tabled ~s while it is being evaluated: they are not all known yet. Collect them in a predicate that ~s does not call.", [Text, Text]).
own_error(assumed(Index, Ball), Kind, Message, More) :-
    place(Index, 1),
    described(Ball, Kind, Message0, More),
    format(string(Message), "assume ~d: ~s", [Index, Message0]).
own_error(message(Kind, Message), Kind, Message, []) :-
    own_kind(Kind),
    string(Message).

%   not_here(+Library, -Said): Said is why Library is not available, or what to use instead.

not_here(yaml, "it is written in C; library(json) is there").
not_here(sgml, "it is written in C; assert what the program needs of the document as facts").
not_here(xpath, "there are no documents to look into; assert what the program needs of them as facts").
not_here(crypto, "it is written in C; library(sha) and library(md5) are there").
not_here(url, "use library(uri)").
not_here(optparse, "there is no command line").
not_here(thread, "a query has one thread: maplist and forall/2 are there").
not_here(Library, "nothing here reaches the operating system; assert what the program needs of it as facts") :-
    '$member'(Library, [process,socket,unix,shell,filesex,www_browser,readline,editline,persistency,prolog_source]).
not_here(http/_, "nothing here reaches the network; assert what you have fetched as facts").

%   own_kind(+Kind): a valid kind, since users can throw terms that look like ours.

own_kind(Kind) :-
    atom(Kind),
    (   iso_kind(Kind)
    ;   Kind == syntax_error
    ;   Kind == undefined
    ;   Kind == no_such_query
    ),
    !.

%   text_place(+Context, -Place): where a goal has read the text.

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

unsafe_text(format(Directive), Text) :-
    !,
    format(string(Text), "format ~w", [Directive]).
unsafe_text(What, Text) :-
    term_text(What, Text).

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

%   system_limit(+What, -Name): the limit that resource_error(What) is about.

system_limit(What, Name) :-
    nonvar(What),
    (   What == stack
    ->  Name = stack_bytes
    ;   What == private_table_space
    ->  Name = table_bytes
    ;   What = tripwire(max_integer_size, _)
    ->  Name = integer_bytes
    ;   beyond(What, _)
    ->  Name = What
    ).

%   limit_message(+Name, -Message): names the limit that was reached.

limit_message(Name, Message) :-
    beyond(Name, Said),
    limit_of(Name, Value),
    format(string(Message), "~s (limit: ~w = ~w).", [Said, Name, Value]).

beyond(output_chars, "The goal wrote more than is allowed").
beyond(answer_chars, "The answer is larger than is allowed").
beyond(answer_depth, "A term nests deeper than may be written or stored").
beyond(nesting, "A text nests deeper than may be read").
beyond(inferences, "The goal made more inferences than one call may").
beyond(stack_bytes, "The goal needs more stack than there is").
beyond(table_bytes, "The tables need more space than there is").
beyond(integer_bytes, "An integer is larger than is allowed").
beyond(entries, "The goal added more clauses than the workspace may hold").

%   The words of an error term, separated by spaces.

phrase_for(Term, Text) :-
    term_text(Term, Text0),
    split_string(Text0, "_", "", Parts),
    atomic_list_concat(Parts, ' ', Atom),
    atom_string(Atom, Text).

%   context_message(+Context, +Message, -Message1): add the built-in predicate, called by
%   the user, that raised the error.

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

plain_indicator(Var, Var) :-
    var(Var),
    !.
plain_indicator(Module:PI, PI) :-
    nonvar(PI),
    !,
    atom(Module).
plain_indicator(PI, PI).

%   plain_argument(@Argument, -Plain): a goal or closure passed to a library, as it was written.

plain_argument(Argument, Plain) :-
    (   nonvar(Argument),
        Argument = Module:Closure,
        Module == knowledge_base
    ->  Plain = Closure
    ;   as_written(Argument, Plain)
    ).

%!  term_text(+Term, -Text) is det.
%
%   Cuts deep and long terms, because people and models read the text.

term_text(Term, Text) :-
    copy_term_nat(Term, Copy),
    catch(format(string(Text0), "~W",
                 [ Copy,
                   [quoted(true), max_depth(20), spacing(next_argument), float_format('~15h')] ]),
          _, Text0 = "a term that cannot be written"),
    shortened(Text0, 500, Text).

shortened(Text, Most, Text) :-
    string_length(Text, Length),
    Length =< Most,
    !.
shortened(Text0, Most, Text) :-
    Length is Most-3,
    sub_string(Text0, 0, Length, _, Start),
    string_concat(Start, "...", Text).
