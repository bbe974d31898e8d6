:- module(hb_declarations,
          [ declaration/1,              % @Goal
            without_effect/2,           % ?Name, ?Arity
            ignored_flag/1,             % @Flag
            set_without_effect/2,       % @Flag, @Value
            fixed_flag/2,               % @Flag, -Said
            refused/3,                  % ?Name, ?Arity, -Said
            loads_file/2,               % +Goal, -Spec
            loads_chr/1,                % +Spec
            loads_of_users/1,           % +Spec
            file_spec/1                 % @Spec
          ]).
:- use_module('../functor').

/** <module> Which directives there are
*/

%!  ignored_flag(@Flag) is semidet.
%
%   Flag affects only how a stand-alone system works or displays things.

ignored_flag(Flag) :-
    atom(Flag),
    (   '$member'(Flag, [ verbose, verbose_load, verbose_autoload, verbose_file_search, answer_write_options, print_write_options,
                          debugger_write_options, debugger_show_context, answer_format, generate_debug_info, optimise,
                          optimise_unify, gc, agc_margin, stack_limit, report_error, color_term, encoding, history,
                          warn_override_implicit_import, autoload, toplevel_prompt, tty_control, debug, signals,
                          last_call_optimisation, traditional, singletons, prompt_alternatives_on, xref, table_space,
                          single_var_warnings, discontiguous_warnings, type_errors, multiple_warnings ])
    ;   sub_atom(Flag, 0, _, _, toplevel_)
    ),
    !.

%!  set_without_effect(@Flag, @Value) is semidet.
%
%   A program may set Flag to Value, which changes nothing.

set_without_effect(Flag, Value) :-
    (   ignored_flag(Flag)
    ->  true
    ;   Flag-Value == iso-false
    ).

%!  fixed_flag(@Flag, -Said) is semidet.
%
%   Neither a directive nor a goal can set Flag; Said is why, or what to do instead.

fixed_flag(Flag, Said) :-
    Flag == iso,
    !,
    Said = 'arithmetic, texts and errors are those of SWI-Prolog, not the strict ones of ISO'.
fixed_flag(Flag, Said) :-
    Flag == occurs_check,
    Said = 'write unify_with_occurs_check/2 where it is needed'.

%!  declaration(@Goal) is semidet.
%
%   Goal is carried out as it is read, and is not a goal to run.

declaration(Goal) :-
    callable(Goal),
    (   Goal = (A,B)
    ->  declaration(A),
        declaration(B)
    ;   term_functor(Goal, Name, Arity),
        (   declares(Name, Arity)
        ;   without_effect(Name, Arity)
        ;   loads_file(Goal, _)
        )
    ),
    !.

declares(dynamic, 1).
declares(discontiguous, 1).
declares(table, 1).
declares(op, 3).
declares(set_prolog_flag, 2).
declares(begin_tests, 1).
declares(begin_tests, 2).
declares(end_tests, 1).
declares(multifile, 1).
declares(meta_predicate, 1).
declares(module_transparent, 1).
declares(det, 1).
declares(chr_constraint, 1).
declares(constraints, 1).

%!  without_effect(?Name, ?Arity) is nondet.
%
%   Declarations that mean nothing here, as when all code is in one module.

without_effect(public, 1).
without_effect(volatile, 1).
without_effect(noprofile, 1).
without_effect(style_check, 1).
without_effect(license, 1).
without_effect(license, 2).
without_effect(encoding, 1).
without_effect(expects_dialect, 1).
without_effect(garbage_collect, 0).
without_effect(use_foreign_library, 1).
without_effect(predicate_options, 3).
without_effect(set_stream, 2).
without_effect(halt, 0).
without_effect(halt, 1).
without_effect(create_prolog_flag, 3).
without_effect(mode, 1).
without_effect(pred, 1).
without_effect(type, 1).
without_effect(set_test_options, 1).
without_effect(load_test_files, 1).
without_effect(use_rendering, 1).         % SWISH: the page reads them
without_effect(use_rendering, 2).
without_effect(chr_type, 1).
without_effect(chr_option, 2).
without_effect(handler, 1).
without_effect(rules, 1).
without_effect(prolog_load_context, 2).

%!  refused(?Name, ?Arity, -Said) is nondet.
%
%   Said tells what to do instead.

refused(attribute, 1, "Write it with put_attr/3 and get_attr/3.").
refused(initialize, 1, "Write `:- initialization(Goal).`").
refused(set_prolog_stack, 2, "The host sets the limits.").
refused(use_package, 1, "Packages of Ciao are not available.").

%!  loads_file(+Goal, -Spec) is semidet.
%
%   Goal loads what Spec says: a file, a library, or a list of such.

loads_file(use_module(Spec), Spec).
loads_file(use_module(Spec, _), Spec).
loads_file(ensure_loaded(Spec), Spec).
loads_file(autoload(Spec), Spec).
loads_file(autoload(Spec, _), Spec).
loads_file(reexport(Spec), Spec).
loads_file(reexport(Spec, _), Spec).
loads_file(include(Spec), Spec).
loads_file(consult(Spec), Spec).
loads_file(load_files(Spec), Spec).
loads_file(load_files(Spec, _), Spec).
loads_file([H|T], [H|T]).

%!  loads_chr(+Spec) is semidet.
%
%   Spec includes library(chr).

loads_chr(library(Library)) :-
    Library == chr.
loads_chr([H|T]) :-
    ( loads_chr(H) ; loads_chr(T) ),
    !.

%!  loads_of_users(+Spec) is semidet.
%
%   Spec includes a file of the user's, which is in the book with the
%   operators it declares.

loads_of_users([H|T]) :-
    !,
    ( loads_of_users(H) ; loads_of_users(T) ),
    !.
loads_of_users(Spec) :-
    Spec \= library(_),
    file_spec(Spec).

%!  file_spec(@Spec) is semidet.
%
%   Spec is the name of a file.

file_spec(Spec) :-
    ( atom(Spec) ; string(Spec) ),
    !.
file_spec(Directory/Name) :-
    file_spec(Directory),
    file_spec(Name).
