//! What to use instead of predicates that other systems or libraries have and Hornbook lacks, or that the
//! sandbox refuses.

type Advice = (&'static [&'static str], &'static str);

/// What to use instead of `name`, if known. The number of arguments does not matter.
pub(super) fn instead_of(name: &str) -> Option<&'static str> {
    found_in(ELSEWHERE, name)
}

/// Like [`instead_of`], for a predicate that the sandbox refuses.
pub(super) fn instead_of_refused(name: &str) -> Option<&'static str> {
    found_in(REFUSED, name).or_else(|| instead_of(name))
}

fn found_in(advice: &[Advice], name: &str) -> Option<&'static str> {
    let found = advice.iter().find(|(names, _)| names.contains(&name));
    found.map(|(_, instead)| *instead)
}

/// Names that programs may well use for their own predicates; they are unknown only until defined.
const REFUSED: &[Advice] = &[
    (
        &["get_attrs", "put_attrs"],
        "Use get_attr/3 and put_attr/3 for attributes of your own, copy_term/3 for the constraints of a term.",
    ),
    (
        &["module", "import", "export"],
        "Leave it out: a file is a module if it begins with `:- module(Name, Exports).`; Name:Goal calls what it does \
         not export.",
    ),
    (
        &["prolog_load_context", "source_location"],
        "Leave it out: the load context is unavailable.",
    ),
    (
        &["table", "initialization", "multifile", "meta_predicate"],
        "Write it as a directive, as `:- table path/2.`, in the text of the program.",
    ),
    (
        &["set_stream"],
        "Leave it out: all text is Unicode, and there is no terminal.",
    ),
    (
        &[
            "set_output",
            "tell",
            "append",
            "told",
            "telling",
            "rename_file",
            "tmp_file",
        ],
        "Nothing is written to a file: what a query writes is its output, and with_output_to/2 makes a text of it.",
    ),
    (
        &["shell", "process_create", "getenv", "setenv"],
        "Nothing here reaches the operating system: assert what the program needs of it as facts.",
    ),
    (
        &["exists_directory", "delete_file", "size_file", "time_file"],
        "Only files of the book are there: exists_file/1 and directory_files/2 tell which, and open/3 reads them.",
    ),
];

const ELSEWHERE: &[Advice] = &[
    (
        &["help", "apropos"],
        "The tool `help` tells of predicates of the book, and `workspace` `list_symbols` lists them, tables with the names of \
         their columns.",
    ),
    (
        &[
            "string_json_dict",
            "parse_json",
            "json_parse",
            "json_read_term",
            "json_to_term",
        ],
        "Use atom_json_dict/3 or atom_json_term/3.",
    ),
    (
        &["'[|]'"],
        "A list is not a goal: member/2 goes through its elements, and files are imported.",
    ),
    (
        &["arithmetic_function"],
        "No function can be added: call the predicate before is/2.",
    ),
    (
        &["projection"],
        "It belongs beside the goals of a query, where it says which variables the answers show.",
    ),
    (
        &["regex_match", "regex", "matches", "re_search", "re_findall"],
        "Use re_match/2, re_matchsub/3 or re_foldl/6.",
    ),
    (
        &["http_open", "http_get", "http_post", "http_read_data", "url_open"],
        "Nothing here reaches the network: assert what you have fetched as facts.",
    ),
    (
        &[
            "read_file_to_string",
            "read_file_to_terms",
            "read_file_to_codes",
            "read_term_from_file",
            "phrase_from_file",
            "csv_read_file",
            "csv_read_row",
            "load_structure",
            "load_html",
            "load_xml",
        ],
        "No file is read here: import a file of Prolog into the book, or give the contents as text.",
    ),
    (
        &[
            "odbc_connect",
            "odbc_query",
            "sqlite_query",
            "rdf",
            "rdf_load",
            "sparql_query",
        ],
        "There is no such database here: assert its rows as facts.",
    ),
    (
        &[
            "thread_create",
            "thread_self",
            "thread_join",
            "thread_send_message",
            "thread_get_message",
        ],
        "A query has one thread: use maplist or forall/2.",
    ),
    (
        &["op"],
        "Declare it with a directive, such as `:- op(700, xfx, ===>).`; it holds in queries, too.",
    ),
    (
        &["set_prolog_flag", "create_prolog_flag"],
        "Set it with a directive, such as `:- set_prolog_flag(double_quotes, codes).`, in the file that needs it.",
    ),
    (
        &["char_conversion", "current_char_conversion"],
        "Leave it out: SWI-Prolog converts no characters.",
    ),
    (&["load_files", "ensure_loaded"], "Import the file into the book."),
    (&["alarm"], "Use call_with_time_limit/2."),
    (&["parse_url"], "Use uri_components/2."),
    (&["md5", "crypto_data_hash"], "Use md5_hash/3 or sha_hash/3."),
    (
        &["trace", "notrace", "nodebug", "spy", "nospy", "gtrace", "tspy"],
        "Leave it out: the proof of a goal shows each step.",
    ),
    (
        &["profile", "profiler", "show_profile", "reset_profiler"],
        "There is no profiler here: call_time(Goal, Time) tells the inferences of a goal, and the error of one that reaches its \
         time limit names the predicates that took most.",
    ),
    (
        &["str_concat", "string_append", "strcat"],
        "Use string_concat/3 or atomic_list_concat/2.",
    ),
    (
        &["join", "string_join", "atomics_join", "implode"],
        "Use atomic_list_concat/3.",
    ),
    (
        &["split", "split_atom", "string_split", "str_split", "explode"],
        "Use split_string/4.",
    ),
    (&["len", "size", "list_length"], "Use length/2."),
    (
        &["sum", "sumall", "list_sum"],
        "Use sum_list/2, or sum/3 of clpfd.",
    ),
    (&["to_lower_case", "lowercase", "lower"], "Use string_lower/2."),
    (&["to_upper_case", "uppercase", "upper"], "Use string_upper/2."),
    (
        &["format_atom", "sprintf", "printf", "writef", "print_line"],
        "Use format/2, or format(atom(A), Format, Args).",
    ),
    (
        &["assert", "asserta", "assertz"],
        "Add one clause at a time; a rule has parentheses of its own, as in assertz((a(X) :- b(X), c(X))).",
    ),
    (&["=>"], "Write >= for greater or equal."),
    (
        &[
            "sqrt", "pow", "power", "max", "min", "mod", "gcd", "floor", "ceiling", "round", "exp", "sin",
            "cos", "tan",
        ],
        "It is a function: write X is sqrt(16), X is max(1, 2) and so on.",
    ),
    (&["increment", "inc", "incr"], "Use succ/2, or N1 is N + 1."),
    (&["range", "seq", "interval"], "Use numlist/3 or between/3."),
    (&["filter", "select_all"], "Use include/3 or exclude/3."),
    (&["map", "mapcar"], "Use maplist/3."),
    (&["foldr", "reduce", "fold", "fold_left"], "Use foldl/4."),
    (
        &["contains", "in_list", "elem"],
        "Use memberchk/2, or sub_string/5 for text.",
    ),
    (
        &["remove", "remove_all", "del"],
        "Use delete/3, select/3 or exclude/3.",
    ),
    (
        &["unique", "distinct_list", "remove_duplicates"],
        "Use sort/2 or list_to_set/2.",
    ),
    (
        &["if", "if_then_else", "ifthenelse"],
        "Write ( Condition -> Then ; Else ).",
    ),
    (
        &["while", "for", "do", "loop"],
        "Use between/3 with forall/2, or recursion.",
    ),
    (&["nub", "uniq"], "Use list_to_set/2."),
    (&["count", "count_all"], "Use aggregate_all(count, Goal, N)."),
    (
        &["average", "avg", "mean"],
        "Divide the result of sum_list/2 by that of length/2.",
    ),
    (&["index_of", "indexof", "index"], "Use nth0/3 or nth1/3."),
    (
        &["equals", "equal", "eq", "is_equal", "same"],
        "Write = to unify, == to compare terms, =:= to compare numbers.",
    ),
    (
        &["not_equal", "not_equals", "neq", "different"],
        "Use dif/2, or =\\= for numbers.",
    ),
    (&["str_len", "strlen", "string_len"], "Use string_length/2."),
    (
        &["is_empty", "isEmpty", "empty"],
        "Unify with [], or with \"\" for a string.",
    ),
    (&["first", "head", "car"], "Write List = [First|_]."),
    (&["rest", "tail", "cdr"], "Write List = [_|Rest]."),
    (
        &["push", "prepend", "cons"],
        "Write [Element|List], or use append/3 for the end of a list.",
    ),
    (
        &["trim", "strip"],
        "Use normalize_space/2, or split_string/4 with \"\" and \" \".",
    ),
    (&["every", "all_of"], "Use forall/2 or maplist/2."),
    (&["zip"], "Use pairs_keys_values/3."),
    (
        &["now", "current_time", "current_date", "date"],
        "Use get_time/1 and stamp_date_time/3.",
    ),
    (
        &["constrain", "chr_constraint"],
        "Load library(chr) with `:- use_module(library(chr)).` in the file that has the rules.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_listed_once_and_its_advice_ends_with_a_period() {
        let all = || ELSEWHERE.iter().chain(REFUSED);
        let mut names: Vec<&str> = all().flat_map(|(names, _)| *names).copied().collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(all().all(|(_, instead)| instead.ends_with('.')));
        assert!(instead_of("regex_match").unwrap().contains("re_match/2"));
        assert_eq!(instead_of("parent"), None);
        assert_eq!(instead_of("export"), None);
        assert!(instead_of_refused("export").is_some());
        assert_eq!(instead_of_refused("load_files"), instead_of("load_files"));
    }
}
