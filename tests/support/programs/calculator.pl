% A calculator: a grammar that reads an expression and computes its value.

:- use_module(library(dcg/basics)).

%!  value(+Text, -Value) is semidet.
value(Text, Value) :-
    string_codes(Text, Codes),
    phrase(expression(Value), Codes),
    !.

expression(Value) -->
    term(First),
    terms(First, Value).

% Left-associative: what is on the left is computed first.
terms(Left, Value) --> blanks, "+", !, term(Right), { Sum is Left + Right }, terms(Sum, Value).
terms(Left, Value) --> blanks, "-", !, term(Right), { Difference is Left - Right }, terms(Difference, Value).
terms(Value, Value) --> blanks.

term(Value) --> power(First), powers(First, Value).

powers(Left, Value) --> blanks, "*", !, power(Right), { Product is Left * Right }, powers(Product, Value).
powers(Left, Value) --> blanks, "/", !, power(Right), { Quotient is Left rdiv Right }, powers(Quotient, Value).
powers(Value, Value) --> [].

power(Value) --> factor(Base), blanks, "^", !, power(Exponent), { Value is Base ^ Exponent }.   % right-associative
power(Value) --> factor(Value).

factor(Value) --> blanks, "(", !, expression(Value), ")".
factor(Value) --> blanks, "-", !, factor(Positive), { Value is -Positive }.
factor(Value) --> blanks, integer(Value).
