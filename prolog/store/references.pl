:- module(hb_references,
          [ clause_reference/3,         % +Ref, +Id, -Reference
            reference_id/2,             % +Reference, -Id
            reference_of/2              % +Reference, +Ref
          ]).
:- use_module(clause_notes).

/** <module> References of clauses for untrusted code

A reference is '$clause'(Id, Stamp), where Id is the id that the book gives the clause, and Stamp is computed from the clause
as text.  So it stays the same as long as the clause is in the book, whichever engine has it.  The id alone is not enough: once
the changes of a query are taken back, others get the ids that it took.
*/

%!  clause_reference(+Ref, +Id, -Reference) is det.
%
%   Reference is that of the clause Ref, whose id is Id.

clause_reference(Ref, Id, '$clause'(Id,Stamp)) :-
    stamp(Ref, Stamp).

%!  reference_id(+Reference, -Id) is det.
%
%   Reference is that of a clause with Id, which may be gone.
%
%   @error type_error(db_reference, Reference)

reference_id(Reference, Id) :-
    (   nonvar(Reference),
        Reference = '$clause'(Id0,Stamp),
        integer(Id0),
        integer(Stamp)
    ->  Id = Id0
    ;   throw(error(type_error(db_reference, Reference), _))
    ).

%!  reference_of(+Reference, +Ref) is semidet.
%
%   Reference, with the id of the clause Ref, is of this clause and not of another one that had the id.

reference_of('$clause'(_,Stamp0), Ref) :-
    stamp(Ref, Stamp),
    Stamp =:= Stamp0.

%   stamp(+Ref, -Stamp): the same in each engine.  The translation of a body may differ, and so does the order in a dict.

stamp(Ref, Stamp) :-
    clause(knowledge_base:Head, Safe, Ref),
    clause_text_of(Ref, Head, Safe, Module, Written),
    stored_as(Ref, Written, Stored),
    without_dicts(clause(Module, Head, Stored), Plain),
    variant_sha1(Plain, Hash),
    sub_atom(Hash, 0, 15, _, Digits),
    atom_concat('0x', Digits, Hexadecimal),
    atom_number(Hexadecimal, Stamp).

without_dicts(Term, Plain) :-
    (   has_dict(Term)
    ->  plain(Term, Plain)
    ;   Plain = Term
    ).

has_dict(Term) :-
    compound(Term),
    (   is_dict(Term)
    ->  true
    ;   compound_name_arity(Term, _, Arity),
        Arity > 0,
        has_dict(1, Arity, Term)
    ).

%   The last argument last, so that long lists need no stack.

has_dict(Arity, Arity, Term) :-
    !,
    arg(Arity, Term, Argument),
    has_dict(Argument).
has_dict(I, Arity, Term) :-
    arg(I, Term, Argument),
    (   has_dict(Argument)
    ->  true
    ;   I1 is I+1,
        has_dict(I1, Arity, Term)
    ).

plain(Term, Plain) :-
    (   is_dict(Term, Tag)
    ->  dict_pairs(Term, Tag, Pairs0),
        plain(Pairs0, Pairs),
        Plain = dict(Tag,Pairs)
    ;   compound(Term)
    ->  compound_name_arguments(Term, Name, Arguments0),
        plain_each(Arguments0, Arguments),
        compound_name_arguments(Plain, Name, Arguments)
    ;   Plain = Term
    ).

plain_each([], []).
plain_each([Term|Terms], [Plain|Plains]) :-
    plain(Term, Plain),
    plain_each(Terms, Plains).
