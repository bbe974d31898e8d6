:- module(hb_differences,
          [ difference/3,                     % +Given, +Kept, -Slip
            truth_word/1,                     % @Value
            value/2                           % +Expression, -Value
          ]).
:- use_module(text_differences).
:- use_module(library(lists), [same_length/2, select/3]).

/** <module> Values that differ as by a slip

A value that a goal gives and the value that a clause has do not unify, but are so alike that one
was probably meant for the other: an atom and a string, capital and small letters, a number and its
text, a list and its member.
*/

%!  difference(@Given, @Kept, -Slip) is semidet.
%
%   Given and Kept do not unify, and differ as by a slip.  Slip is one of
%
%     - string, atom
%       Given is the string or the atom, Kept the other, of the same text.
%     - case
%       The letters differ in case.
%     - spaces
%       The letters and digits are the same, what is between them differs.
%     - number, text
%       Given is the number or the text, Kept the other.
%     - integer, float
%       Given is the integer or the float, Kept the other, of equal value.
%     - member, list
%       Given is the member or the list, Kept the other.
%     - order
%       The same elements in another order.
%     - arity
%       The same name with another number of arguments.
%     - spelling
%       One letter is missing, added, changed or swapped.
%     - term, negated
%       Given is the term -(N) or the negative number, Kept the other.
%     - expression, value
%       Given is the expression or its value, Kept the other.
%     - among
%       Given is one of the goals or alternatives that Kept, a term of commas or semicolons, is made of.
%     - length
%       Both are lists, and Given is one of variables with another number of elements.
%     - pair
%       The same two arguments under another name, of those that stand for pairs.
%     - parts
%       The words of the text are the arguments of the term, as for "2001-02-03" and date(2001,2,3).
%     - list_text, text_list
%       Given is the text or the list of characters or codes, Kept the other.
%     - code, character
%       Given is the character or its code, Kept the other.
%     - words
%       Given is the list of the codes of a text, Kept a list of words.
%     - wrapped, unwrapped
%       Kept is the only argument of Given, or the value of its key; or Given that of Kept.
%     - keys
%       Both are dicts, with other keys.
%     - tail
%       Given is a list with its last element for a tail, Kept the list.
%     - sublist
%       Both are lists, and one has all elements of the other.
%     - functor
%       Terms of the same arguments under another name.
%     - sequence
%       A term and a list, or a term of commas, of the same elements.
%     - key
%       Given is the key of the pair Kept.
%     - synonym
%       Two words for yes, for no, or for nothing, such as true and yes.
%     - term_text, text_term
%       Given is the term or the text, Kept the other, of the same term.

difference(Given, Kept, Slip) :-
    nonvar(Given),
    nonvar(Kept),
    differ(Given, Kept, Slip),
    !.

differ(Given, Kept, synonym) :-
    synonyms(Words),
    '$member'(One, Words),
    same_word(Given, One),
    '$member'(Other, Words),
    Other \== One,
    same_word(Kept, Other),
    !.
differ(Given, Kept, Slip) :-
    number(Given),
    !,
    (   number(Kept)
    ->  Given =:= Kept,
        (   integer(Given)
        ->  Slip = integer
        ;   Slip = float
        )
    ;   text(Kept)
    ->  (   text_number(Kept, Number)
        ->  Number =:= Given,
            Slip = number
        ;   character_code(Kept, Given),
            Slip = character
        )
    ;   is_minus(Kept, Number)
    ->  Number =:= Given,
        Slip = negated
    ;   value(Kept, Value)
    ->  Value =:= Given,
        Slip = value
    ;   member_of(Given, Kept)
    ->  Slip = member
    ;   only_argument(Kept, Given),
        Slip = unwrapped
    ).
differ(Given, Kept, Slip) :-
    number(Kept),
    compound(Given),
    !,
    (   is_minus(Given, Number)
    ->  Number =:= Kept,
        Slip = term
    ;   value(Given, Value)
    ->  Value =:= Kept,
        Slip = expression
    ;   list_of(Given, Kept)
    ->  Slip = list
    ;   only_argument(Given, Kept),
        Slip = wrapped
    ).
differ(Given, Kept, Slip) :-
    text(Given),
    number(Kept),
    !,
    (   text_number(Given, Number)
    ->  Number =:= Kept,
        Slip = text
    ;   character_code(Given, Kept),
        Slip = code
    ).
differ(Given, Kept, Slip) :-
    text(Given),
    text(Kept),
    !,
    text_difference(Given, Kept, Slip).
differ(Given, Kept, Slip) :-
    proper(Given),
    proper(Kept),
    !,
    Given \== [],
    (   msort(Given, Sorted),
        msort(Kept, Sorted)
    ->  Slip = order
    ;   Kept \== [],
        length(Given, GivenLength),
        \+ length(Kept, GivenLength),
        (   \+ ( '$member'(Element, Given), nonvar(Element) )
        ->  Slip = length
        ;   Kept = [_,_|_],
            \+ ( '$member'(Element, Kept), nonvar(Element) )
        ->  Slip = length
        ;   ( Given = [Only], Other = Kept ; Kept = [Only], Other = Given ),
            Only == Other
        ->  Slip = sublist
        ;   ground(Given-Kept),
            ( all_in(Given, Kept) ; all_in(Kept, Given) )
        ->  Slip = sublist
        )
    ).
differ(Given, Kept, Slip) :-
    is_dict(Given),
    is_dict(Kept),
    !,
    dict_keys(Given, Keys),
    dict_keys(Kept, Others),
    Keys \== Others,
    Slip = keys.
differ(Given, Kept, list_text) :-
    text(Given),
    (   characters(Given, Kept)
    ;   string(Given),
        pattern(Kept)
    ),
    !.
differ(Given, Kept, text_list) :-
    text(Kept),
    (   characters(Kept, Given)
    ;   string(Kept),
        pattern(Given)
    ),
    !.
differ(Given, Kept, Slip) :-
    (   compound(Given), text(Kept)
    ->  text_of_term(Kept, Given),
        Slip = term_text
    ;   text(Given), compound(Kept)
    ->  text_of_term(Given, Kept),
        Slip = text_term
    ),
    !.
differ([Code|_], [Word|_], words) :-
    integer(Code),
    Code >= 32,
    text(Word),
    atom_length(Word, Length),
    Length > 1,
    !.
differ(Given, Kept, member) :-
    proper(Kept),
    member_of(Given, Kept),
    !.
differ(Given, Kept, key) :-
    text(Given),
    pair_of(Kept, Key, _),
    Key == Given,
    !.
differ(Given, Kept, arity) :-
    comma_list(Given, Givens),
    comma_list(Kept, Kepts),
    length(Givens, Length),
    \+ length(Kepts, Length),
    !.
differ(Given, Kept, sequence) :-
    elements(Given, Givens),
    elements(Kept, Kepts),
    ground(Kepts),
    ( proper(Given) -> \+ proper(Kept) ; proper(Kept) ),
    same_length(Givens, Kepts),
    Givens = [_,_|_],
    \+ Givens \= Kepts,
    !.
differ(Given, Kept, tail) :-
    proper(Kept),
    improper(Given),
    !.
differ([Given], Kept, list) :-
    \+ proper(Kept),
    \+ Given \= Kept,
    !.
differ(Given, Kept, list) :-
    atomic(Kept),
    Kept \== [],
    list_of(Given, Kept),
    !.
differ(Given, Kept, wrapped) :-
    only_argument(Given, Kept),
    !.
differ(Given, Kept, unwrapped) :-
    only_argument(Kept, Given),
    !.
differ(Given, Kept, among) :-
    atomic(Given),
    joined(Kept),
    in_joined(Kept, Given),
    !.
differ(Given, Kept, pair) :-
    pair_of(Given, A1, B1),
    pair_of(Kept, A2, B2),
    !,
    \+ A1-B1 \= A2-B2.
differ(Given, Kept, parts) :-
    (   text(Given)
    ->  text_parts(Given, Kept)
    ;   text(Kept)
    ->  text_parts(Kept, Given)
    ).
differ(Given, Kept, order) :-
    compound(Given),
    compound(Kept),
    compound_name_arguments(Given, Name, Givens),
    (   Givens = [_,_,_|_]
    ->  true
    ;   Givens = [_,_],
        \+ current_op(_, _, Name),
        Name \== '[|]'
    ),
    compound_name_arguments(Kept, Name, Kepts),
    (   ground(Givens-Kepts)
    ->  msort(Givens, Sorted),
        msort(Kepts, Sorted)
    ;   \+ ( '$member'(Arg, Givens), \+ compound(Arg) ),
        permuted(Givens, Kepts)
    ),
    ( Name == date -> true ; some_of_another_type(Givens, Kepts) ),
    !.
differ(A1-B1, A2-B2, order) :-              % as number-text where the others have text-number
    ( text(A1), text(B2), A1 == B2, number(A2) ; text(B1), text(A2), B1 == A2, number(B2) ),
    !.
differ(Given, Kept, functor) :-
    compound(Given),
    compound(Kept),
    Given \= [_|_],
    Kept \= [_|_],
    compound_name_arguments(Given, Name, Givens),
    compound_name_arguments(Kept, Other, Kepts),
    Name \== Other,
    ground(Kepts),
    \+ Givens \= Kepts,
    !.
differ(Given, Kept, arity) :-
    compound(Given),
    compound(Kept),
    compound_name_arity(Given, Name, Arity),
    compound_name_arity(Kept, Name, Other),
    Arity =\= Other,
    Name \== '[|]'.

%   permuted(+Givens, +Kepts): the same terms in another order, as far as they are known.

permuted([], []).
permuted([Given|Givens], Kepts) :-
    select(Kept, Kepts, Rest),
    nonvar(Kept),
    \+ Given \= Kept,
    permuted(Givens, Rest),
    !.

%   some_of_another_type(+Givens, +Kepts) is semidet: not so of coordinates and trees, whose arguments may well change places.

some_of_another_type([Given|Givens], [Kept|Kepts]) :-
    (   type(Given, Type),
        type(Kept, Other),
        Type \== Other
    ->  true
    ;   some_of_another_type(Givens, Kepts)
    ).

type(Value, Type) :-
    (   number(Value)
    ->  Type = number
    ;   compound(Value)
    ->  compound_name_arity(Value, Name, Arity),
        Type = Name/Arity
    ;   text(Value)
    ->  Type = text
    ;   Type = Value
    ).

%   synonyms(-Words) is nondet.

synonyms(Words) :-
    truth_words(Words).
synonyms([none,null,nil,nothing,[],'']).

truth_words([true,yes,on]).
truth_words([false,no,off]).

%!  truth_word(@Value) is semidet.
%
%   Value is a word for yes or for no.

truth_word(Value) :-
    truth_words(Words),
    '$member'(Word, Words),
    same_word(Value, Word),
    !.

same_word(Value, Word) :-
    (   Word == []
    ->  Value == []
    ;   text(Value),
        atom_string(Word, Text),
        string_lower(Value, Text)
    ).

%   text_of_term(+Text, +Term): Text, not long, is that of Term.

text_of_term(Text, Term) :-
    string_length(Text, Length),
    Length =< 60,
    sub_string(Text, _, _, _, "("),         % with operators it may be a date
    Term \= [_|_],
    catch(term_string(Read, Text), _, fail),
    compound(Read),
    \+ Term \= Read,
    !.

comma_list(Term, [A|As]) :-
    compound(Term),
    Term = (A,B),
    (   comma_list(B, As)
    ->  true
    ;   As = [B]
    ).

%   elements(@Term, -Elements): those of a list or of a term of commas, or the arguments.

elements(Term, Elements) :-
    (   proper(Term)
    ->  Elements = Term
    ;   compound(Term),
        Term \= [_|_],
        (   comma_list(Term, Elements)
        ->  true
        ;   compound_name_arguments(Term, _, Elements)
        )
    ).

list_of(List, Member) :-
    proper(List),
    member_of(Member, List).

all_in([], _).
all_in([Element|Elements], List) :-
    member_of(Element, List),
    all_in(Elements, List).

dict_keys(Dict, Keys) :-
    dict_pairs(Dict, _, Pairs),
    findall(Key, '$member'(Key-_, Pairs), Keys).

%   pattern(@List): a list with a tail that is not known, as in a head.

pattern(List) :-
    nonvar(List),
    List = [_|Tail],
    ( var(Tail) ; pattern(Tail) ),
    !.

%   improper(@List): an element stands for its tail.

improper(List) :-
    nonvar(List),
    List = [_|Tail],
    nonvar(Tail),
    (   atomic(Tail)
    ->  Tail \== []
    ;   improper(Tail)
    ).

%   only_argument(@Term, @Arg): Term has Arg as its only argument, or as the value of a key.

only_argument(Term, Arg) :-
    compound(Term),
    Term \= [_|_],
    compound_name_arguments(Term, Name, Args),
    (   Args = [Only],
        Name \== (-)
    ;   Args = [_,Only],
        '$member'(Name, [=,:])
    ),
    nonvar(Only),
    Only == Arg,
    !.

joined(Term) :-
    compound(Term),
    ( Term = (_,_) ; Term = (_;_) ; Term = '|'(_,_) ),
    !.

in_joined(Term, Part) :-
    (   joined(Term)
    ->  arg(_, Term, Sub),
        in_joined(Sub, Part)
    ;   Term == Part
    ),
    !.

%   is_minus(+Term, -Number): Term is -(N), which is written `- N`, and stands for Number.

is_minus(Term, Number) :-
    compound(Term),
    compound_name_arguments(Term, -, [N]),
    number(N),
    Number is -N.

pair_of(Term, A, B) :-
    compound(Term),
    compound_name_arguments(Term, Name, [A,B]),
    '$member'(Name, [',',-,/,:,=]),
    !.

%!  value(+Expression, -Value) is semidet.
%
%   Value of an arithmetic expression that is small enough to be computed at once.

value(Expression, Value) :-
    ground(Expression),
    arithmetic(Expression),
    catch(Value is Expression, _, fail).

arithmetic(E) :-
    number(E),
    !,
    ( float(E) -> true ; abs(E) < 1.0e18 ).
arithmetic(E) :-
    compound(E),
    compound_name_arguments(E, Op, Args),
    (   '$member'(Op, [+,-,*,/,//,mod,rem,min,max,abs,sqrt,round,truncate,integer,float,floor,ceiling,sign])
    ->  true
    ;   '$member'(Op, [^,**]),
        Args = [Base,Power],
        small(Base),
        small(Power)
    ),
    all_arithmetic(Args).

small(N) :-
    number(N),
    abs(N) =< 100.

all_arithmetic([]).
all_arithmetic([E|Es]) :-
    arithmetic(E),
    all_arithmetic(Es).

proper(List) :-
    is_list(List),
    length(List, Length),
    Length =< 1000.

member_of(Member, List) :-
    proper(List),
    nonvar(Member),
    '$member'(Other, List),
    Other == Member,
    !.
