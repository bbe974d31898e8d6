:- module(hb_libraries,
          [ allowed_library/1,          % ?Library
            preloaded_library/1,        % ?Library
            named_library/1,            % ?Library
            own_library/2,              % ?Library, -Module
            excluded/2,                 % ?Library, ?PI
            picked/2                    % ?Library, ?PI
          ]).

/** <module> Libraries for untrusted code

The lists from which hb_policy builds its table.  Before adding a library, make sure
that its predicates run no argument except where their meta-predicate declarations
say so, and reach no stream, file, flag, module or hook; exclude those that do
(excluded/2), or pick the others (picked/2).  Those of our own are loaded by hornbook.pl.
*/

%!  allowed_library(?Library) is nondet.
%
%   True when untrusted files may load Library and the host may ask for it.

allowed_library(Library) :-
    preloaded_library(Library).
allowed_library(Library) :-
    setof(Picked, PI^picked(Picked, PI), Libraries),
    '$member'(Library, Libraries).
allowed_library(Library) :-
    named_library(Library).
allowed_library(Library) :-
    nothing_of(Library).

%   nothing_of(?Library): may be loaded, but brings nothing.  Its contents are already
%   there under another name or as part of the system; or it reads files or changes the
%   syntax, and is refused.

nothing_of(readutil).
nothing_of(quasi_quotations).
nothing_of(apply_macros).
nothing_of(listing).
nothing_of(tabling).
nothing_of(prolog_stack).
nothing_of(main).
nothing_of(ansi_term).
nothing_of(system).
nothing_of(debug).
nothing_of(portray_text).
nothing_of(http/json).
nothing_of(edinburgh).
nothing_of(clp/clpfd).
nothing_of('clp/clpfd').
nothing_of(between).                    % from here on, libraries of other systems
nothing_of(clpz).
nothing_of(pio).
nothing_of(pure_input).
nothing_of(freeze).
nothing_of(iso_ext).
nothing_of(types).
nothing_of(arith).
nothing_of(basics).
nothing_of(system_utilities).

%!  preloaded_library(?Library) is nondet.
%
%   The predicates of Library are available without a directive.

preloaded_library(clpfd).
preloaded_library(clpb).
preloaded_library(clpr).
preloaded_library(lists).
preloaded_library(apply).
preloaded_library(aggregate).
preloaded_library(assoc).
preloaded_library(pairs).
preloaded_library(sort).
preloaded_library(dicts).
preloaded_library(option).
preloaded_library(ordsets).
preloaded_library(random).
preloaded_library(solution_sequences).
preloaded_library(ugraphs).
preloaded_library(rbtrees).
preloaded_library(heaps).
preloaded_library(occurs).
preloaded_library(nb_set).
preloaded_library(terms).
preloaded_library(charsio).
preloaded_library(yall).
preloaded_library(dif).
preloaded_library(when).
preloaded_library(error).
preloaded_library(gensym).
preloaded_library(strings).
preloaded_library(varnumbers).
preloaded_library(dcg/basics).
preloaded_library(dcg/high_order).
preloaded_library(csv).
preloaded_library(ctypes).
preloaded_library(base32).
preloaded_library(base64).
preloaded_library(utf8).
preloaded_library(oset).
preloaded_library(nb_rbtrees).
preloaded_library(porter_stem).
preloaded_library(double_metaphone).
preloaded_library(isub).
preloaded_library(uri).
preloaded_library(plunit).
preloaded_library(pcre).
preloaded_library(writef).
preloaded_library(wfs).
preloaded_library(thread).
preloaded_library(time).
preloaded_library(statistics).

%!  named_library(?Library) is nondet.
%
%   The predicates of Library are available while the book has a directive that loads it: they have
%   the names of others, or names that programs often use for their own.

named_library(clpq).
named_library(simplex).
named_library(hashtable).
named_library(reif).
named_library(dcgs).
named_library(si).
named_library(lambda).
named_library(format).
named_library(chr).
named_library(dialect/hprolog).

%!  own_library(?Library, -Module) is semidet.
%
%   Library is one of Hornbook's own, in prolog/library.

own_library(reif, hb_reif).
own_library(dcgs, hb_dcgs).
own_library(si,   hb_si).
own_library(plunit, hb_plunit).
own_library(lambda, hb_lambda).
own_library(format, hb_format).
own_library(chr, hb_chr).
own_library(pcre, hb_pcre).
own_library(writef, hb_writef).
own_library(wfs, hb_wfs).
own_library(thread, hb_thread).
own_library(time, hb_time).
own_library(statistics, hb_statistics).

%!  excluded(?Library, ?PI) is semidet.
%
%   PI is exported by an allowed library, but not safe: it opens a stream, takes goals
%   that its declaration does not show, or reaches what belongs to the host.

excluded(charsio, open_chars_stream/2).
excluded(charsio, with_output_to_chars/3).
excluded(charsio, with_output_to_chars/4).
excluded(charsio, format_to_chars/3).
excluded(charsio, format_to_chars/4).
excluded(strings, interpolate_string/4).
excluded(strings, string/4).
excluded(error, current_type/3).
excluded(error, has_type/2).
excluded(yall, is_lambda/1).
excluded(yall, lambda_calls/_).
excluded(apply, forall/2).
excluded(csv, PI) :-
    PI \= csv/_,
    PI \= csv_options/_.
excluded(isub, '$isub'/5).
excluded(uri, uri_file_name/2).
excluded(dialect/hprolog, PI) :-
    \+ '$member'(PI, [ substitute_eq/4, memberchk_eq/2, intersect_eq/3, list_difference_eq/3, take/3, drop/3,
                       split_at/4, max_go_list/2, or_list/2, sublist/2, bounded_sublist/3 ]).

%!  picked(?Library, ?PI) is nondet.
%
%   PI is allowed, of a library that is not allowed as a whole.

picked(backcomp, string_to_atom/2).
picked(backcomp, string_to_list/2).
picked(backcomp, sumlist/2).
picked(backcomp, concat/3).
picked(backcomp, concat_atom/2).
picked(backcomp, concat_atom/3).
picked(backcomp, proper_list/1).
picked(backcomp, checklist/2).
picked(backcomp, sublist/3).
picked(backcomp, merge/3).
picked(backcomp, merge_set/3).
picked(backcomp, hash_term/2).
picked(backcomp, free_variables/2).
picked(backcomp, 'C'/3).
picked(quintus, otherwise/0).
picked(quintus, abs/2).
picked(quintus, sin/2).
picked(quintus, cos/2).
picked(quintus, tan/2).
picked(quintus, log/2).
picked(quintus, log10/2).
picked(quintus, genarg/3).
picked(quintus, simple/1).
picked(quintus, midstring/3).
picked(quintus, midstring/4).
picked(quintus, midstring/5).
picked(quintus, midstring/6).
picked(lazy_lists, lazy_list/2).
picked(lazy_lists, lazy_list/3).
picked(lazy_lists, lazy_list_materialize/1).
picked(lazy_lists, lazy_list_length/2).
picked(prolog_code, comma_list/2).
picked(prolog_code, semicolon_list/2).
picked(prolog_code, mkconj/3).
picked(prolog_code, mkdisj/3).
picked(prolog_code, most_general_goal/2).
picked(prolog_code, extend_goal/3).
picked(prolog_code, is_control_goal/1).
picked(date, parse_time/2).
picked(date, parse_time/3).
picked(date, date_time_value/3).
picked(date, day_of_the_week/2).
picked(date, day_of_the_year/2).
picked(date, week_ordinal/4).
picked(sha, sha_hash/3).
picked(sha, hmac_sha/4).
picked(sha, hash_atom/2).
picked(md5, md5_hash/3).
picked(snowball, snowball/3).
picked(json, is_json_term/1).
picked(json, is_json_term/2).
