:- module(hb_safe,
          [ plain/1,                    % ?PI
            meta/2,                     % ?PI, -Spec
            special/2                   % ?PI, -Class
          ]).

/** <module> The safe predicates of the system

The lists from which hb_policy builds its table.  Before adding a predicate, make sure
that it cannot run an argument (or declare in meta/2 which one it runs), that it
reaches no stream, file, flag, module or hook, and that it changes only what belongs
to the caller.

What is implemented in C must also be safe with values that nobody means: sizes,
counts, addresses, handles, states and formats.  tests/attacks/hostile.mjs calls each
predicate, each function of arithmetic and each directive of a format with such
values.  Those that did not pass are replaced (hb_guarded, hb_random, hb_times, and
the table of C functions in engine/arithmetic.ts).
*/

%!  plain(?PI) is nondet.
%
%   Predicates that are harmless with any arguments.

plain(Name/Arity) :-
    plain_group(_, PIs),
    '$member'(Name/Arity, PIs).

plain_group(control,
            [ true/0, fail/0, false/0, repeat/0, !/0, ($)/0, between/3 ]).
plain_group(types,
            [ var/1, nonvar/1, integer/1, float/1, rational/1, rational/3, number/1, atom/1, blob/2,
              string/1, atomic/1, compound/1, callable/1, ground/1, nonground/2, cyclic_term/1,
              acyclic_term/1, is_list/1, is_dict/1, is_dict/2, is_most_general_term/1,
              attvar/1 ]).
plain_group(comparison,
            [ (=)/2, (\=)/2, (==)/2, (\==)/2, (=@=)/2, (\=@=)/2, (@<)/2, (@>)/2, (@=<)/2, (@>=)/2,
              (?=)/2, compare/3, unify_with_occurs_check/2, unifiable/3, subsumes_term/2,
              same_term/2 ]).
plain_group(arithmetic,
            [ (is)/2, (<)/2, (>)/2, (=<)/2, (>=)/2, (=:=)/2, (=\=)/2, succ/2, plus/3, divmod/4,
              nth_integer_root_and_remainder/4, float_class/2, float_parts/4,
              current_arithmetic_function/1 ]).
plain_group(terms,
            [ arg/3, (=..)/2, compound_name_arguments/3, stream_position_data/3,
              setarg/3, nb_setarg/3, copy_term/2, copy_term/4, copy_term_nat/2, copy_term_nat/4,
              duplicate_term/2, size_abstract_term/3, numbervars/1, numbervars/3, numbervars/4,
              var_number/2, term_variables/2, term_variables/3, term_singletons/2, term_attvars/2,
              term_hash/2, term_hash/4, variant_sha1/2 ]).
plain_group(lists,
            [ length/2, memberchk/2, sort/2, sort/4, msort/2, keysort/2 ]).
plain_group(text,
            [ atom_chars/2, atom_codes/2, atom_concat/3, atom_length/2, atom_number/2, atom_string/2,
              atom_prefix/2, atomic_concat/3, atomic_list_concat/2, atomic_list_concat/3,
              atomics_to_string/2, atomics_to_string/3, char_code/2, char_type/2, code_type/2,
              collation_key/2, downcase_atom/2, upcase_atom/2, get_string_code/3, name/2,
              normalize_space/2, number_chars/2, number_codes/2, number_string/2, split_string/4,
              string_chars/2, string_codes/2, string_code/3, string_concat/3, string_length/2,
              string_lower/2, string_upper/2, string_bytes/3, sub_atom/5, sub_atom_icasechk/3,
              sub_string/5, text_to_string/2, wildcard_match/2, wildcard_match/3, dwim_match/2, dwim_match/3 ]).
plain_group(dicts,
            [ dict_create/3, dict_pairs/3, dict_same_keys/2, get_dict/3, get_dict/5, put_dict/3,
              put_dict/4, del_dict/4, select_dict/3, (:<)/2, (>:<)/2, b_set_dict/3,
              nb_set_dict/3 ]).
plain_group(time,
            [ get_time/1, stamp_date_time/3, date_time_stamp/2 ]).
plain_group(output,
            [ nl/0, tab/1, put_char/1, put_code/1, flush_output/0, current_output/1 ]).
plain_group(system,
            [ file_base_name/2, file_directory_name/2, file_name_extension/3, garbage_collect/0,
              trim_stacks/0, abolish_all_tables/0, undefined/0 ]).

%!  meta(?PI, -Spec) is nondet.
%
%   System predicates that run the goals shown by the meta-predicate declaration Spec
%   (hb_policy), and are otherwise harmless.

meta(PI, Spec) :-
    meta(Spec),
    functor(Spec, Name, Arity),
    PI = Name/Arity.

meta(call(0)).
meta(call(1,?)).
meta(call(2,?,?)).
meta(call(3,?,?,?)).
meta(call(4,?,?,?,?)).
meta(call(5,?,?,?,?,?)).
meta(call(6,?,?,?,?,?,?)).
meta(call(7,?,?,?,?,?,?,?)).
meta(not(0)).
meta(once(0)).
meta($(0)).
meta(ignore(0)).
meta(forall(0,0)).
meta(findall(?,0,-)).
meta(findall(?,0,-,?)).
meta(findnsols(+,?,0,-)).
meta(findnsols(+,?,0,-,?)).
meta(bagof(?,^,-)).
meta(setof(?,^,-)).
meta(call_cleanup(0,0)).
meta(call_with_inference_limit(0,+,-)).
meta(call_residue_vars(0,-)).
meta(with_output_to(?,0)).
meta(freeze(?,0)).
meta(tnot(tabled)).
meta(not_exists(tabled)).
meta(with_mutex(+,0)).

%!  special(?PI, -Class) is nondet.
%
%   Predicates with a treatment of their own in hb_sandbox or hb_builtins.

special(Name/Arity, replaced(Safe)) :-
    replaced(PIs),
    '$member'(Name/Arity, PIs),
    atom_concat(safe_, Name, Safe).
special(catch/3, catch).
special(catch_with_backtrace/3, catch).
special(phrase/2, phrase).
special(phrase/3, phrase).
special(call_dcg/3, phrase).
special(format/1, format(safe_format)).
special(format/2, format(safe_format)).
special(format/3, format(safe_format)).
special(assertion/1, library(hb_builtins, assertion(0))).
special(reset/3, library(hb_continuations, reset(0,?,?))).
special(shift/1, library(hb_continuations)).
special(shift_for_copy/1, library(hb_continuations)).
special(call_continuation/1, library(hb_continuations)).
special(call_with_depth_limit/3, library(hb_depth_limit, call_with_depth_limit(0,+,-))).
special(transaction/1, library(hb_transactions, transaction(0))).
special(snapshot/1, library(hb_transactions, snapshot(0))).
special(engine_create/3, library(hb_coroutines, engine_create(?,0,-))).
special(engine_create/4, library(hb_coroutines, engine_create(?,0,-,+))).
special(PI, library(hb_coroutines)) :-
    '$member'(PI, [ engine_next/2, engine_next_reified/2, engine_post/2, engine_post/3, engine_yield/1, engine_fetch/1,
                    engine_self/1, engine_destroy/1, is_engine/1, current_engine/1 ]).
special(PI, library(hb_records)) :-
    '$member'(PI, [ recorda/2, recorda/3, recordz/2, recordz/3, recorded/2, recorded/3, instance/2, erase/1,
                    current_key/1 ]).
special(sleep/1, library(hb_time)).
special(setup_call_cleanup/3, library(hb_guarded, setup_call_cleanup(0,0,0))).
special(setup_call_catcher_cleanup/4, library(hb_guarded, setup_call_catcher_cleanup(0,0,?,0))).
special(phrase_from_file/2, library(hb_files, phrase_from_file(//,?))).
special(phrase_from_file/3, library(hb_files, phrase_from_file(//,?,?))).
special(phrase_from_stream/2, library(hb_files, phrase_from_stream(//,?))).
special(PI, library(pure_input)) :-
    '$member'(PI, [ lazy_list_location/3, lazy_list_character_count/3, syntax_error/3 ]).

replaced([ assert/1, asserta/1, assertz/1, retract/1, retractall/1, abolish/1, abolish/2, clause/2,
           assert/2, asserta/2, assertz/2, clause/3, nth_clause/3,
           listing/0, listing/1, (dynamic)/1, (discontiguous)/1,
           current_predicate/1, current_predicate/2, predicate_property/2 ]).
replaced([ write/1, writeln/1, writeq/1, print/1, write_canonical/1,
           term_to_atom/2, term_string/2, atom_to_term/3, read_term_from_atom/3 ]).
replaced([ write/2, writeln/2, writeq/2, print/2, write_canonical/2, write_term/2, write_term/3,
           nl/1, tab/2, put_char/2, put_code/2, flush_output/1, portray_clause/1, portray_clause/2, term_string/3,
           sformat/2, sformat/3, ansi_format/3, flush/0, print_message/2, debug/3, display/1, display/2, displayq/1, displayq/2 ]).
replaced([ nb_setval/2, b_setval/2, nb_getval/2, b_getval/2, nb_current/2, gensym/2, reset_gensym/0, reset_gensym/1 ]).
replaced([ put_attr/3, get_attr/3, del_attr/2, copy_term/3, frozen/2 ]).
replaced([ open_string/2, open_null_stream/1, set_stream/2, close/1, close/2, read/1, read/2, read_term/2, read_term/3,
           get_char/1, get_char/2, peek_char/1, peek_char/2, get_code/1, get_code/2, peek_code/1, peek_code/2,
           get_byte/1, get_byte/2, peek_byte/1, peek_byte/2, get_single_char/1, at_end_of_stream/0, at_end_of_stream/1, read_string/3, read_string/5,
           peek_string/3, read_line_to_string/2, read_line_to_codes/2, read_line_to_codes/3, read_stream_to_codes/2,
           read_stream_to_codes/3, line_count/2, line_position/2, character_count/2, byte_count/2,
           current_input/1, set_input/1, is_stream/1, stream_property/2, set_stream_position/2, seek/4,
           copy_stream_data/2, copy_stream_data/3, stream_to_lazy_list/2,
           open/3, open/4, see/1, seeing/1, seen/0, exists_file/1, access_file/2, directory_files/2, working_directory/2,
           consult/1,
           read_file_to_string/3, read_file_to_codes/3, read_file_to_terms/3,
           csv_read_file/2, csv_read_file/3, csv_read_file_row/3,
           prompt/2, prompt1/1, ttyflush/0, halt/0, halt/1, abort/0, portray_text/1, exists_source/1,
           use_module/1, use_module/2 ]).
replaced([ atom_json_term/3, atom_json_dict/3, json_read/2, json_read/3, json_read_dict/2, json_read_dict/3,
           json_write/2, json_write/3, json_write_dict/2, json_write_dict/3 ]).
replaced([ format_time/3, format_time/4, set_random/1, setrand/1, bounded_number/3, variant_hash/2 ]).
replaced([ dcg_translate_rule/2, dcg_translate_rule/4 ]).
replaced([ functor/3, functor/4, compound_name_arity/3, pi_head/2, head_name_arity/3 ]).
replaced([ debug/0, nodebug/0, debug/1, nodebug/1, style_check/1, load_test_files/1, pow/3 ]).
replaced([ get0/1, get/1, skip/1, put/1 ]).
replaced([ statistics/2, current_op/3, context_module/1, strip_module/3, expand_goal/2, expand_term/2, throw/1, apply/2, current_prolog_flag/2, set_prolog_flag/2, '.'/3, flag/3 ]).
