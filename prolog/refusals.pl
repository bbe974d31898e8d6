:- module(hb_refusals,
          [ refusal/4,                  % +Formal, -Kind, -Message, -More
            own_error/4,                % +Formal, -Kind, -Message, -More
            own_kind/1,                 % @Kind
            system_limit/2,             % +What, -Name
            limit_message/2             % +Name, -Message
          ]).
:- use_module(error_text).
:- use_module(formal_errors, [iso_kind/1]).
:- use_module(limits, [limit_of/2]).

/** <module> What is refused, and limits that are reached, in words
*/

%!  refusal(+Formal, -Kind, -Message, -More) is semidet.
%
%   What the sandbox refuses.

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

unsafe_text(format(Directive), Text) :-
    !,
    format(string(Text), "format ~w", [Directive]).
unsafe_text(What, Text) :-
    term_text(What, Text).

%!  own_error(+Formal, -Kind, -Message, -More) is semidet.
%
%   An error of this system.

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

%!  own_kind(@Kind) is semidet.
%
%   A valid kind, since users can throw terms that look like ours.

own_kind(Kind) :-
    atom(Kind),
    (   iso_kind(Kind)
    ;   Kind == syntax_error
    ;   Kind == undefined
    ;   Kind == no_such_query
    ),
    !.

%!  system_limit(+What, -Name) is semidet.
%
%   Name is the limit that resource_error(What) is about.

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

%!  limit_message(+Name, -Message) is semidet.
%
%   Names the limit that was reached.

limit_message(Name, Message) :-
    beyond(Name, Said),
    limit_of(Name, Value),
    format(string(Message), "~s (limit: ~w = ~w).", [Said, Name, Value]).

beyond(output_chars, "The goal wrote more than is allowed").
beyond(answer_chars, "The answer is larger than is allowed").
beyond(answer_depth, "A term nests deeper than may be written or stored").
beyond(nesting, "A text nests deeper than may be read").
beyond(numeral_digits, "A text has a number of more digits than may be read").
beyond(inferences, "The goal made more inferences than one call may").
beyond(stack_bytes, "The goal needs more stack than there is").
beyond(table_bytes, "The tables need more space than there is").
beyond(integer_bytes, "An integer is larger than is allowed").
beyond(entries, "The goal added more clauses than the workspace may hold").
