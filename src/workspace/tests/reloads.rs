//! Files that load each other, in versions: after a reload the book is as a fresh one that imports the main file, but for what was
//! retracted.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;

/// Two of them have the same last name.
const FILES: [&str; 6] = ["main", "a", "b", "c", "v1/r", "v2/r"];

/// What is in a file: files that it loads, and clauses by their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Loads(usize),
    Clause(u8),
}

/// The parts of each file.
type Version = Vec<Vec<Part>>;

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![
        2 => (1..FILES.len()).prop_map(Part::Loads),
        3 => (0..4u8).prop_map(Part::Clause),
    ]
}

fn version() -> impl Strategy<Value = Version> {
    let file = prop::collection::vec(part(), 0..5).prop_map(|mut parts| {
        // Each clause is in a file once, so that it is clear which one is retracted.
        let mut seen = BTreeSet::new();
        parts.retain(|part| !matches!(part, Part::Clause(number) if !seen.insert(*number)));
        parts
    });
    prop::collection::vec(file, FILES.len())
}

fn path(file: usize) -> String {
    format!("/data/{}.pl", FILES[file])
}

fn clause(file: usize, number: u8) -> String {
    format!("p({file}{number})")
}

fn text(file: usize, parts: &[Part]) -> String {
    let up = if FILES[file].contains('/') { "../" } else { "" };
    let line = |part: &Part| match part {
        Part::Loads(other) => {
            // As one would write it: a file in the same folder by its last name alone.
            let name = match FILES[*other].split_once('/') {
                Some((folder, last)) if FILES[file].starts_with(folder) => last.to_owned(),
                _ => format!("{up}{}", FILES[*other]),
            };
            format!(":- include('{name}').\n")
        }
        Part::Clause(number) => format!("{}.\n", clause(file, *number)),
    };
    parts.iter().map(line).collect()
}

fn desk() -> Desk {
    Desk::with(Options {
        roots: owned(&["/data"]),
        ..Options::default()
    })
}

fn write(desk: &Desk, version: &Version) {
    for (file, parts) in version.iter().enumerate() {
        desk.bench.files.put(&path(file), &text(file, parts));
    }
}

fn reload(desk: &mut Desk, name: &str) -> ImportReport {
    let name = name.to_owned();
    let options = ImportOptions {
        keeps_retracted: true,
        ..ImportOptions::default()
    };
    let reload = |workspace: Workspace| async move {
        workspace
            .reload_as(&name, None, &options, &Control::default())
            .await
    };
    desk.run(reload).expect("reloaded")
}

fn names(desk: &Desk) -> BTreeSet<String> {
    let files = desk.workspace.files();
    files.into_iter().map(|file| file.filename).collect()
}

/// The clauses of a book that imports the main file of a version, and its files.
fn fresh(version: &Version) -> (Vec<String>, BTreeSet<String>) {
    let mut desk = desk();
    write(&desk, version);
    desk.import("main.pl", None).expect("imported");
    (desk.both().1, names(&desk))
}

/// A change between two reloads.
#[derive(Debug, Clone)]
enum Change {
    /// These files get what another version has.
    Write(Vec<(usize, Vec<Part>)>),
    Retract(prop::sample::Index),
}

fn change() -> impl Strategy<Value = Change> {
    let file = (0..FILES.len(), version()).prop_map(|(file, mut version)| (file, version.swap_remove(file)));
    prop_oneof![
        3 => prop::collection::vec(file, 1..4).prop_map(Change::Write),
        2 => any::<prop::sample::Index>().prop_map(Change::Retract),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(50) })]

    #[test]
    fn after_a_reload_the_book_is_as_a_fresh_one_but_for_what_was_retracted(
        first in version(),
        rounds in prop::collection::vec(prop::collection::vec(change(), 1..4), 1..5),
    ) {
        let mut desk = desk();
        let mut version = first;
        let mut retracted = BTreeMap::<usize, BTreeSet<u8>>::new();
        write(&desk, &version);
        desk.import("main.pl", None).expect("imported");
        for round in rounds {
            for change in round {
                match change {
                    Change::Write(files) => {
                        for (file, parts) in files {
                            version[file] = parts;
                        }
                        write(&desk, &version);
                    }
                    Change::Retract(which) => {
                        let (_, book) = desk.both();
                        if let Some(clause) = (!book.is_empty()).then(|| which.get(&book)) {
                            desk.retract(&[clause]);
                            let number = |at: usize| clause.as_bytes()[at] - b'0';
                            retracted.entry(number(2).into()).or_default().insert(number(3));
                        }
                    }
                }
            }
            reload(&mut desk, "main.pl");
            let (mut expected, files) = fresh(&version);
            retracted.retain(|file, numbers| {
                numbers.retain(|number| version[*file].contains(&Part::Clause(*number)));
                files.contains(&path(*file))
            });
            expected.retain(|one| {
                !retracted.iter().any(|(file, numbers)| numbers.iter().any(|number| *one == clause(*file, *number)))
            });
            prop_assert!(desk.ask("zzz", 1).is_ok());
            let (engine, book) = desk.both();
            prop_assert_eq!(&book, &expected);
            prop_assert_eq!(engine, book);
            prop_assert_eq!(names(&desk), files);
        }
    }
}

/// A book that imports `main.pl` of these files.
fn imported(files: &[(&str, &str)]) -> Desk {
    let mut desk = desk();
    put(&desk, files);
    desk.import("main.pl", None).expect("imported");
    desk
}

fn put(desk: &Desk, files: &[(&str, &str)]) {
    for (name, text) in files {
        desk.bench.files.put(&format!("/data/{name}"), text);
    }
}

#[track_caller]
fn has_files(desk: &Desk, files: &[&str]) {
    let names: Vec<String> = names(desk)
        .iter()
        .map(|name| name.replace("/data/", ""))
        .collect();
    assert_eq!(names, files);
}

fn notices(report: &ImportReport) -> Vec<&str> {
    report.notices.iter().map(|Notice(told)| told.as_str()).collect()
}

#[test]
fn a_file_that_another_loads_is_there_by_itself_once_it_is_reloaded_by_its_name() {
    let mut desk = imported(&[("main.pl", ":- include(a).\nmain.\n"), ("a.pl", "a.\n")]);
    reload(&mut desk, "a.pl");
    put(&desk, &[("main.pl", "main.\n")]);
    let report = reload(&mut desk, "main.pl");
    assert_eq!(
        notices(&report),
        [
            "/data/main.pl no longer loads /data/a.pl, which stays in the book: unimport it if nothing needs it."
        ]
    );
    desk.holds(&["a", "main"]);
}

#[test]
fn a_file_that_another_loads_is_there_by_itself_once_it_is_imported() {
    let mut desk = imported(&[("main.pl", ":- include(a).\nmain.\n"), ("a.pl", "a(1).\na(2).\n")]);
    desk.retract(&["a(1)"]);
    let report = desk.import("a.pl", None).expect("imported");
    assert_eq!(
        (report.clauses_added, report.retracted, report.replaced),
        (1, 1, Some(Replaced { kept: 1, removed: 0 }))
    );
    assert_eq!(
        notices(&report),
        ["/data/a.pl was in the book because another file loads it. From now on it stays without that."]
    );
    desk.holds(&["a(2)", "main"]);
    desk.unimport("main.pl").expect("unimported");
    desk.holds(&["a(2)"]);
    let fault = desk.import("a.pl", None).unwrap_err();
    assert_eq!(fault.kind, FaultKind::AlreadyImported);
}

#[test]
fn a_file_that_another_loads_is_not_imported_with_another_text() {
    let mut desk = imported(&[("main.pl", ":- include(a).\nmain.\n"), ("a.pl", "a(1).\n")]);
    put(&desk, &[("a.pl", "a(2).\n")]);
    let fault = desk.import("a.pl", None).unwrap_err();
    assert_eq!(fault.kind, FaultKind::AlreadyImported);
    desk.holds(&["a(1)", "main"]);
    desk.unimport("main.pl").expect("unimported");
    desk.holds(&[]);
}

#[test]
fn unimporting_a_file_takes_along_what_only_it_needed() {
    let files = [
        (
            "main.pl",
            ":- include(a).\n:- include(shared).\n:- include(own).\nmain.\n",
        ),
        ("a.pl", ":- include(deep).\n:- include(main).\na.\n"),
        ("deep.pl", "deep.\n"),
        ("own.pl", "own.\n"),
        ("shared.pl", "shared.\n"),
        ("other.pl", ":- include(shared).\nother.\n"),
    ];
    let mut desk = imported(&files);
    reload(&mut desk, "own.pl");
    desk.import("other.pl", None).expect("imported");
    let report = desk.unimport("main.pl").expect("unimported");
    let left = |name: &str| {
        Notice(format!(
            "/data/{name}.pl has left the book: no file loads it any more."
        ))
    };
    assert_eq!(report.notices, [left("a"), left("deep")]);
    has_files(&desk, &["other.pl", "own.pl", "shared.pl"]);
    desk.undo(1).expect("undone");
    has_files(
        &desk,
        &["a.pl", "deep.pl", "main.pl", "other.pl", "own.pl", "shared.pl"],
    );
}

#[test]
fn a_reload_counts_what_left_other_files_and_names_them_in_their_errors() {
    let mut desk = imported(&[
        ("main.pl", ":- include(a).\n:- include(b).\nmain.\n"),
        ("a.pl", "a(1).\na(2).\na(3).\n"),
        ("b.pl", "b(1).\nb(2).\n"),
    ]);
    put(
        &desk,
        &[
            ("main.pl", ":- include(a).\nmain.\nbad(.\n"),
            ("a.pl", "a(1).\nbad(.\na(4).\n"),
        ],
    );
    let report = reload(&mut desk, "main.pl");
    assert_eq!(report.errors.len(), 2, "{:?}", report.errors);
    assert!(
        report.errors[0].starts_with("/data/a.pl:2:0: "),
        "{:?}",
        report.errors
    );
    assert!(report.errors[1].starts_with("3:0: "), "{:?}", report.errors);
    // Two of a, and those of b, which has left.
    assert_eq!(
        (report.clauses_added, report.replaced),
        (1, Some(Replaced { kept: 1, removed: 4 }))
    );
    desk.holds(&["a(1)", "a(4)", "main"]);
}

#[test]
fn a_file_reloaded_by_its_name_stands_where_those_that_load_it_want_it() {
    let mut desk = imported(&[
        ("main.pl", ":- include(a).\n:- include(b).\np(main).\n"),
        ("a.pl", "p(a).\n"),
        ("b.pl", "p(b).\n"),
    ]);
    put(
        &desk,
        &[("a.pl", ":- include(new).\np(a2).\n"), ("new.pl", "p(new).\n")],
    );
    let report = reload(&mut desk, "a.pl");
    assert_eq!(
        notices(&report),
        ["/data/new.pl was imported because this file loads it: 1 clause."]
    );
    desk.holds(&["p(new)", "p(a2)", "p(b)", "p(main)"]);
    // What it loads now stands before it.
    put(&desk, &[("a.pl", ":- include(b).\np(a3).\n")]);
    let report = reload(&mut desk, "a.pl");
    assert_eq!(
        notices(&report),
        ["/data/new.pl has left the book: no file loads it any more."]
    );
    desk.holds(&["p(b)", "p(a3)", "p(main)"]);
}

#[test]
fn a_clause_that_comes_after_one_that_a_reload_left_out_has_an_id_of_its_own() {
    let mut desk = imported(&[("main.pl", "p(1).\np(2).\np(3).\n")]);
    // So that what is read again is put before others.
    desk.assert(&["p(9)"]);
    desk.retract(&["p(2)"]);
    put(&desk, &[("main.pl", "p(1).\np(2).\np(3).\np(4).\n")]);
    reload(&mut desk, "main.pl");
    desk.assert(&["q(1)"]);
    desk.holds(&["p(1)", "p(3)", "p(4)", "p(9)", "q(1)"]);
    put(&desk, &[("main.pl", "p(5).\n")]);
    reload(&mut desk, "main.pl");
    desk.holds(&["p(5)", "p(9)", "q(1)"]);
}

#[test]
fn a_chain_of_files_is_as_deep_as_it_may_be() {
    let name = |at: usize| format!("f{at}.pl");
    let texts: Vec<(String, String)> = (0..400)
        .map(|at| (name(at), format!(":- include(f{}).\np({at}).\n", at + 1)))
        .chain([
            (name(400), "p(400).\n".to_owned()),
            ("main.pl".to_owned(), ":- include(f0).\n".to_owned()),
        ])
        .collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (&**name, &**text)).collect();
    let mut desk = imported(&files);
    put(&desk, &[("f400.pl", "p(last).\n")]);
    reload(&mut desk, "main.pl");
    let (_, book) = desk.both();
    assert_eq!((book.len(), &*book[0], &*book[400]), (401, "p(last)", "p(0)"));
}

#[test]
fn a_file_of_which_nothing_is_left_gets_its_place_back_when_it_is_saved() {
    let mut desk = imported(&[
        (
            "main.pl",
            ":- include(first).\n:- include(a).\n:- include(b).\np(main).\n",
        ),
        ("first.pl", "p(first).\n"),
        ("a.pl", "p(a).\n"),
        ("b.pl", "p(b).\n"),
    ]);
    for (name, at) in [("a", 1), ("first", 0)] {
        desk.retract(&[&format!("p({name})")]);
        let path = format!("/data/{name}.pl");
        let text = format!("p({name}2).\n");
        desk.run(|workspace| async move { workspace.save(&path, text, None, &Control::default()).await })
            .expect("saved");
        let (engine, book) = desk.both();
        assert_eq!((book.len(), &*book[at]), (4, &*format!("p({name}2)")));
        assert_eq!(engine, book);
    }
}
