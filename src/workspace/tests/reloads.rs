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
