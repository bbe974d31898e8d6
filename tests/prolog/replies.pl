:- module(replies,
          [ reply_to/2                  % +Text, -Reply
          ]).
:- use_module(library(json)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(yall)).
:- use_module('../../prolog/hornbook').

%   reply_to(+Text, -Reply): the reply to the request Text as one dict, in which the parts have their places.

reply_to(Text, Reply) :-
    serve(Text, Said),
    once(sub_atom(Text, Before, _, _, '(') ; atom_length(Text, Before)),
    sub_atom(Text, 0, Before, _, Request),
    once(reply(Request, Said, Reply)).

reply(Request, Said, Reply) :-
    string_concat(Lines0, "\n", Said),
    split_string(Lines0, "\n", "", [Line|Lines]),
    sub_string(Line, Space, 1, _, " "),
    !,
    sub_string(Line, 0, Space, _, Kind),
    From is Space+1,
    sub_string(Line, From, _, 0, ControlText),
    json(ControlText, Control),
    maplist(json, Lines, Parts),
    assembled(Kind, Request, Control, Parts, Reply).

json(Text, Json) :-
    atom_json_dict(Text, Json, [value_string_as_atom(false)]).

assembled("refused", _, _, [Error], _{ok:false, error:Error}).
assembled("died", _, _, [Message], _{died:Message}).
assembled("ok", boot, _, [Version,Libraries,Refused,Builtins],
          _{ok:true, version:Version, libraries:Libraries, refused:Refused, builtins:Builtins}).
assembled("ok", Request, Control, [Variables|Parts], Reply) :-
    memberchk(Request, [query,query_assuming,apart,exact]),
    step(Control, Parts, Reply0),
    Reply = Reply0.put(variables, Variables).
assembled("ok", beside, Control, [Variables|Parts], Reply) :-      % a query
    assembled("ok", query, Control, [Variables|Parts], Reply0),
    (   get_dict(leaves, Control, Leaves)
    ->  Reply = Reply0.put(leaves, Leaves)
    ;   Reply = Reply0
    ).
assembled("ok", Request, Control, [Question], Control.put(asks, Question)) :-
    memberchk(Request, [prove,refute,constraints,violation,told]),
    get_dict(asks, Control, true),
    \+ get_dict(answers, Control, _).
assembled("ok", told, Control, Parts, Reply) :-
    get_dict(nodes, Control, _),
    assembled("ok", prove, Control, Parts, Reply).
assembled("ok", Request, Control, Parts, Reply) :-
    memberchk(Request, [next,run,told,upsert]),
    step(Control, Parts, Reply).
assembled("ok", Request, Control, Parts, Reply) :-
    memberchk(Request, [add,add_more,reload]),
    items(Control.items, Parts, Items),
    Reply = Control.put(_{ok:true, items:Items}).
assembled("ok", agree, _, [Differences], _{ok:true, differences:Differences}).
assembled("ok", check, Control, Parts, _{ok:true, problems:Problems}) :-
    maplist([[_,S,E],Part,[S,E,Part]]>>true, Control.problems, Parts, Problems).
assembled("ok", outline, Control, Parts, _{ok:true, items:Items}) :-
    maplist([[Kind,S,E],Marks,[Kind,S,E,Marks]]>>true, Control.items, Parts, Items).
assembled("ok", Request, Control, Parts, Control.put(parts, Parts)) :-
    memberchk(Request, [constraints,violation,reaches]).
assembled("ok", Request, Control, Parts, Reply) :-
    memberchk(Request, [prove,refute,trace]),
    \+ get_dict(asks, Control, true),
    length(Control.nodes, Count),
    length(Said, Count),
    append(Said, Parts1, Parts),
    maplist([[Depth,Id,Ways],Told,Node]>>(append([Depth|Told], [Id,Ways], Node)), Control.nodes, Said, Nodes),
    step(Control.put(answers, 0), Parts1, Reply0),
    (   get_dict(answers, Control, Answers)
    ->  Reply = Reply0.put(_{nodes:Nodes, answers:Answers})
    ;   Reply = Reply0.put(nodes, Nodes)
    ).
assembled("ok", dml_load, Control, Parts, Reply) :-
    loaded(Control, Parts, Reply, []).
assembled("ok", dml_check, Control, Parts, Reply) :-
    loaded(Control, Parts, Reply0, Whats),
    maplist([[Kind,Offset],What,_{kind:Kind, what:What, offset:Offset}]>>true, Control.uses, Whats, Uses),
    Reply = Reply0.put(_{uses:Uses}).
assembled("ok", dml_leave, _, [], _{ok:true}).
assembled("ok", Request, Control, Parts, Reply) :-
    sub_atom(Request, 0, _, _, dml_),
    dml_step(Control, Parts, Reply).
assembled("ok", _, Control, [], Reply) :-
    Reply = Control.put(ok, true).

step(Control, Parts, Reply) :-
    length(Answers, Control.answers),
    append(Answers, Parts1, Parts),
    optional(asks, Control, Parts1, PartsA, Pairs, Pairs0),
    optional(output, Control, PartsA, Parts2, Pairs0, Pairs1),
    optional(error, Control, Parts2, Parts3, Pairs1, Pairs2),
    (   get_dict(added, Control, Places)
    ->  length(Places, Count),
        length(Texts, Count),
        append(Texts, Parts4, Parts3),
        maplist([[Id,Arity],[Name,Text],[Id,Text,Name,Arity]]>>true, Places, Texts, Added),
        indicators(Control.declared, Parts4, Declared),
        Pairs2 = [changes=_{added:Added, removed:Control.removed, declared:Declared}]
    ;   get_dict(reload, Control, Arities)
    ->  indicators(Arities, Parts3, Reload),
        Pairs2 = [changes=_{reload:Reload}]
    ;   Parts3 = [],
        Pairs2 = []
    ),
    Reply = Control.put(_{ok:true, answers:Answers}).put(Pairs).

optional(Key, Control, [Part|Parts], Parts, [Key=Part|Pairs], Pairs) :-
    get_dict(Key, Control, true),
    !.
optional(_, _, Parts, Parts, Pairs, Pairs).

indicators(Arities, Names, PIs) :-
    maplist([Arity,Name,PI]>>format(string(PI), "~w/~w", [Name,Arity]), Arities, Names, PIs).

items([], [], []).
items([End|Items0], Parts, [End|Items]) :-
    integer(End),
    !,
    items(Items0, Parts, Items).
items([["s",I,S,E]|Items0], Parts, [["s",I,S,E]|Items]) :-
    !,
    items(Items0, Parts, Items).
items([["n",I,S,E,Arity]|Items0], [Name,Goal|Parts], [["n",I,S,E,Name,Arity,Goal]|Items]) :-
    !,
    items(Items0, Parts, Items).
items([[Kind,I,S,E,Arity,1]|Items0], [Name,Restore|Parts], [[Kind,I,S,E,Name,Arity,Restore]|Items]) :-
    !,
    items(Items0, Parts, Items).
items([[Kind,I,S,E,Arity]|Items0], [Name|Parts], [[Kind,I,S,E,Name,Arity]|Items]) :-
    !,
    items(Items0, Parts, Items).
items([[Kind,I,S,E]|Items0], [Part|Parts], [[Kind,I,S,E,Part]|Items]) :-
    items(Items0, Parts, Items).

loaded(Control, Parts, _{ok:true, errors:Errors, mains:Mains, tools:Tools, parameters:Parameters}, Rest) :-
    length(Errors, Control.errors),
    length(Control.tools, Count),
    length(Said, Count),
    append([Errors, [Mains], Said, [Parameters], Rest], Parts),
    maplist([Arity,[Name,Description,Source],
             _{name:Name, arity:Arity, description:Description, source:Source}]>>true,
            Control.tools, Said, Tools).

dml_step(Control, Parts, Reply) :-
    length(Control.told, Count),
    length(Said, Count),
    append(Said, Parts1, Parts),
    maplist(event, Control.told, Said, Told),
    (   Control.output == true
    ->  Parts1 = [Output,Clock|Last]
    ;   Parts1 = [Clock|Last],
        Output = ""
    ),
    (   get_dict(request, Control, Asked)
    ->  Last = [Json],
        event(Asked, Json, Request),
        Pairs = [request=Request]
    ;   Control.end == true
    ->  Last = [Value],
        Pairs = [value=Value]
    ;   Control.end == false
    ->  Last = [],
        Pairs = []
    ;   Last = [Error,Term],
        Pairs = [error=Error.put(_{stopped:Control.stopped, term:Term})]
    ),
    Reply = Control.put(_{ok:true, told:Told, output:Output, clock:Clock}).put(Pairs).

event([Kind,Id,After,At], Json, Event) :-
    !,
    event([Kind,Id,After], Json, Event0),
    Event = Event0.put(at, At).
event([Kind,Id,After], Text, _{kind:Kind, id:Id, after:After, text:Text}) :-
    string(Text),
    !.
event([Kind,Id,After], Dict, Event) :-
    Event = Dict.put(_{kind:Kind, id:Id, after:After}).
