use super::*;
use hornbook_base::FileFault;

fn with_roots(roots: &[&str]) -> Desk {
    let desk = Desk::with(Options {
        roots: owned(roots),
        ..Options::default()
    });
    desk.bench.files.put(
        "/data/family.pl",
        "% The family.\nparent(a, b).\n\nbad(.\nparent(b, c).\n% end\n",
    );
    desk.bench.files.put("/data/sub/x.pl", "x.");
    desk.bench.files.put("/other/secret.pl", "secret.");
    desk
}

#[test]
fn a_file_is_imported_with_its_layout_and_its_errors_are_told() {
    let mut desk = with_roots(&["/data"]);
    let report = desk.import("family.pl", None).unwrap();
    assert_eq!(
        (report.filename.as_str(), report.clauses_added),
        ("/data/family.pl", 2)
    );
    assert_eq!(report.errors, ["4:0: bad clause: `⟪here⟫ bad(.`"]);
    assert_eq!(
        desk.snapshot(),
        "% The family.\nparent(a, b).\nparent(b, c).\n% end\n"
    );
    let files = desk.workspace.files();
    assert_eq!(
        (files[0].filename.as_str(), files[0].clause_count),
        ("/data/family.pl", 2)
    );
}

#[test]
fn unimporting_a_file_with_a_table_directive_has_the_engine_built_anew() {
    let mut desk = Desk::new();
    desk.assert(&["p(1)"]);
    desk.import("plain.pl", Some("f(1).\n")).unwrap();
    desk.import("tabled.pl", Some(":- table(t/1).\nt(1).\n")).unwrap();
    desk.open("p(X)", "open").unwrap();
    let spawned = desk.bench.host.spawned.get();
    assert_eq!(desk.unimport("plain.pl").unwrap().notices, []);
    assert_eq!(desk.bench.host.spawned.get(), spawned);
    let notices = desk.unimport("tabled.pl").unwrap().notices;
    let told = "The engine was rebuilt for this: 1 open query was closed.";
    assert_eq!(notices, [Notice(told.to_owned())]);
    desk.bench.settle();
    assert!(desk.bench.host.spawned.get() > spawned);
    desk.holds(&["p(1)"]);
}

#[test]
fn a_file_whose_predicate_another_tables_is_unimported() {
    let mut desk = Desk::new();
    desk.import("main.pl", Some(":- table(t/1).\nr(1).\n")).unwrap();
    desk.import("o.pl", Some("t(1).\n")).unwrap();
    let spawned = desk.bench.host.spawned.get();
    assert_eq!(desk.unimport("o.pl").unwrap().clauses_removed, 1);
    assert_eq!(desk.bench.host.count("undeclare("), 0);
    assert_eq!(desk.bench.host.spawned.get(), spawned);
    desk.holds(&["r(1)"]);
}

#[test]
fn a_file_with_a_predicate_that_the_engine_cannot_forget_is_unimported() {
    let mut desk = Desk::new();
    desk.import("a.pl", Some("p(1).\n")).unwrap();
    desk.import("o.pl", Some("tabled(1, 2).\n")).unwrap();
    let spawned = desk.bench.host.spawned.get();
    assert_eq!(desk.unimport("o.pl").unwrap().clauses_removed, 1);
    desk.bench.settle();
    assert!(desk.bench.host.spawned.get() > spawned);
    desk.holds(&["p(1)"]);
}

#[test]
fn what_another_file_declared_is_forgotten_with_its_declaration() {
    let mut desk = Desk::new();
    desk.import("main.pl", Some(":- dynamic p/1.\nr(1).\n")).unwrap();
    desk.import("o.pl", Some("p(1).\n")).unwrap();
    desk.unimport("o.pl").unwrap();
    desk.knows(&["p/1", "r/1"]);
    let text = Some("r(1).\n".to_owned());
    desk.run(|workspace| async move { workspace.reload("main.pl", text, &Control::default()).await })
        .unwrap();
    desk.bench.settle();
    desk.knows(&["r/1"]);
}

#[test]
fn a_file_is_imported_once_and_unimported_alone() {
    let mut desk = with_roots(&["/data"]);
    desk.assert(&["before"]);
    desk.import("/data/family.pl", None).unwrap();
    desk.import("sub/x.pl", None).unwrap();
    let fault = desk.import("sub/../family.pl", None).unwrap_err();
    assert_eq!(fault.kind, FaultKind::AlreadyImported);
    assert_eq!(
        fault.message,
        "File /data/family.pl is already imported. Reload it, or unimport it first."
    );
    let report = desk.unimport("family.pl").unwrap();
    assert_eq!(
        (report.filename.as_str(), report.clauses_removed),
        ("/data/family.pl", 2)
    );
    assert_eq!(
        desk.unimport("family.pl").unwrap_err().kind,
        FaultKind::NotImported
    );
    desk.holds(&["before", "x"]);
}

#[test]
fn only_files_inside_the_roots_are_read() {
    let mut desk = with_roots(&["/data"]);
    desk.bench
        .files
        .links
        .borrow_mut()
        .insert("/data/link.pl".into(), "/other/secret.pl".into());
    for path in [
        "/other/secret.pl",
        "../other/secret.pl",
        "link.pl",
        "/other/none.pl",
        "/database/a.pl",
    ] {
        let fault = desk.import(path, None).unwrap_err();
        assert_eq!(fault.kind, FaultKind::FilePathViolation, "{path}");
        let expected = format!("File must be within allowed roots: /data. Attempted: {path}");
        assert_eq!(fault.message, expected);
    }
    assert_eq!(desk.snapshot(), "");
}

#[test]
fn relative_names_are_looked_for_in_each_root() {
    let mut desk = with_roots(&["/data/sub", "/nowhere", "/data"]);
    assert_eq!(desk.import("x.pl", None).unwrap().filename, "/data/sub/x.pl");
    assert_eq!(
        desk.import("family.pl", None).unwrap().filename,
        "/data/family.pl"
    );
}

#[test]
fn each_kind_of_missing_file_is_told_plainly() {
    let mut desk = with_roots(&["/data"]);
    desk.bench
        .files
        .files
        .borrow_mut()
        .insert("/data/binary.pl".into(), Ok(b"\xff\0p\0.".to_vec()));
    let reason = FileFault::Unreadable("permission denied".into());
    desk.bench
        .files
        .files
        .borrow_mut()
        .insert("/data/locked.pl".into(), Err(reason));
    let mut message = |name: &str| desk.import(name, None).unwrap_err().message;
    assert_eq!(message("none.pl"), "File not found: none.pl (looked in /data)");
    assert_eq!(message("sub"), "Not a file: /data/sub");
    assert_eq!(message("binary.pl"), "File is not text: /data/binary.pl");
    assert_eq!(
        message("locked.pl"),
        "File cannot be read: /data/locked.pl (permission denied)"
    );
    assert_eq!(message(" "), "A file name is required.");
    assert_eq!(message("a\0b.pl"), "A file name cannot contain a NUL character.");
}

#[test]
fn a_file_that_is_not_utf_8_is_read_as_windows_1252_or_iso_8859_1_with_a_notice() {
    let mut desk = with_roots(&["/data"]);
    let put = |name: &str, bytes: &[u8]| {
        let files = &desk.bench.files.files;
        files.borrow_mut().insert(name.into(), Ok(bytes.to_vec()));
    };
    put("/data/old.pl", b"name('Andr\xe9').\n");
    put("/data/windows.pl", b"price('5 \x80 \x96 \xe9').\n");
    put("/data/said.pl", b":- encoding(iso_latin_1).\nsaid('Andr\xe9').\n");
    let old = desk.import("old.pl", None).unwrap();
    let notice = "/data/old.pl is not UTF-8: it was read as ISO-8859-1.";
    assert_eq!(old.notices, [Notice(notice.to_owned())]);
    assert_eq!(desk.import("said.pl", None).unwrap().notices, []);
    let windows = desk.import("windows.pl", None).unwrap();
    let notice = "/data/windows.pl is not UTF-8: it was read as Windows-1252.";
    assert_eq!(windows.notices, [Notice(notice.to_owned())]);
    assert!(
        desk.snapshot().contains("price('5 € – é')."),
        "{}",
        desk.snapshot()
    );
    assert!(desk.snapshot().contains("name('André')."), "{}", desk.snapshot());
}

#[test]
fn utf_16_is_read_by_its_byte_order_mark() {
    let mut desk = with_roots(&["/data"]);
    for (name, bytes) in [
        ("be.pl", b"\xfe\xff\0b\0(\0\xe9\0)\0.".to_vec()),
        ("le.pl", b"\xff\xfel\0(\0\xe9\0)\0.\0".to_vec()),
        ("torn.pl", b"\xff\xfel\0.".to_vec()),
    ] {
        desk.bench
            .files
            .files
            .borrow_mut()
            .insert(format!("/data/{name}"), Ok(bytes));
    }
    assert_eq!(desk.import("be.pl", None).unwrap().notices, []);
    assert_eq!(desk.import("le.pl", None).unwrap().notices, []);
    assert_eq!(
        desk.import("torn.pl", None).unwrap_err().message,
        "File is not text: /data/torn.pl"
    );
    let text = desk.snapshot();
    assert!(text.contains("b(é).") && text.contains("l(é)."), "{text}");
}

#[test]
fn without_roots_there_are_no_files_but_texts() {
    let mut desk = with_roots(&[]);
    let fault = desk.import("/data/family.pl", None).unwrap_err();
    assert_eq!(fault.message, "File access is off: no roots are allowed.");
    let report = desk.import("mine.pl", Some("a. b.")).unwrap();
    assert_eq!((report.filename.as_str(), report.clauses_added), ("mine.pl", 2));
    desk.unimport("mine.pl").unwrap();
    desk.holds(&[]);
}

#[test]
fn a_file_that_is_too_large_or_nests_too_deep_is_refused() {
    let limits = Limits {
        file_bytes: 20,
        nesting: 3,
        ..Limits::default()
    };
    let mut desk = Desk::with(Options {
        limits,
        ..Options::default()
    });
    let fault = desk
        .import("big.pl", Some("aaaaaaaaaaaaaaaaaaaaaaa."))
        .unwrap_err();
    assert_eq!(
        fault.message,
        "File big.pl is too large: 24 bytes (limit: file_bytes = 20)."
    );
    let fault = desk.import("deep.pl", Some("a.\nf([[[]]]).")).unwrap_err();
    assert_eq!((fault.kind, fault.line), (FaultKind::LimitReached, Some(2)));
    assert_eq!(desk.bench.host.count("add("), 0);
}

#[test]
fn a_file_of_which_nothing_can_be_added_is_not_imported() {
    let mut desk = Desk::new();
    let report = desk.import("f.pl", Some("bad(.\nbad(.")).unwrap();
    assert_eq!(report.errors.len(), 2);
    let expected = "Nothing was imported: f.pl has no clause that could be added.";
    assert_eq!(report.notices, [Notice(expected.to_owned())]);
    assert!(desk.workspace.files().is_empty());
    desk.import("f.pl", Some("good.")).unwrap();
    desk.holds(&["good"]);
}

#[test]
fn a_failed_initialization_is_told_and_the_file_stays() {
    let mut desk = Desk::new();
    let text = ":- initialization('say(hello)').\n:- initialization('assertz(x), fail').\na.\n";
    let report = desk.import("f.pl", Some(text)).unwrap();
    assert_eq!(report.output, "hello");
    assert_eq!(
        report.errors,
        ["initialization(assertz(x), fail): the goal failed"]
    );
    desk.holds(&["a"]);
}

#[test]
fn an_initialization_that_never_ends_costs_the_engine_and_neither_the_file_nor_the_goals_after_it() {
    let mut desk = Desk::new();
    let report = desk
        .import(
            "f.pl",
            Some(":- initialization(loop).\n:- initialization('say(hello)').\na."),
        )
        .unwrap();
    assert!(
        report.errors[0].contains("stopped after 30000 ms"),
        "{:?}",
        report.errors
    );
    assert_eq!((report.errors.len(), report.output.as_str()), (1, "hello"));
    desk.bench.settle();
    desk.holds(&["a"]);
    assert_eq!(desk.bench.host.count("run("), 2);
}

#[test]
fn file_names_are_completed_inside_the_roots() {
    let mut desk = with_roots(&["/data"]);
    let mut complete =
        |prefix: &'static str| desk.run(|workspace| async move { workspace.complete_path(prefix).await });
    assert_eq!(complete(""), ["family.pl", "sub/"]);
    assert_eq!(complete("fam"), ["family.pl"]);
    assert_eq!(complete("sub/"), ["sub/x.pl"]);
    assert_eq!(complete("/data/s"), ["/data/sub/"]);
    assert_eq!(complete("/other/"), [""; 0]);
    assert_eq!(complete("../other/"), [""; 0]);
}

#[test]
fn a_snapshot_imported_again_gives_the_same_workspace() {
    let mut desk = with_roots(&["/data"]);
    desk.import("family.pl", None).unwrap();
    desk.assert(&[":- op(700, xfx, =>). o(1). % ops", "last"]);
    desk.ask("assertz(made), asserta(front)", 1).unwrap();
    desk.assert(&["after"]);
    let before = at_once(desk.workspace.snapshot());
    let mut copy = Desk::new();
    copy.import("snapshot.pl", Some(&before.text)).unwrap();
    assert_eq!(at_once(copy.workspace.snapshot()), before);
    let predicates = |desk: &Desk| {
        let book = desk.workspace.0.book.borrow();
        let clauses = book.entries().filter(|(_, entry)| entry.is_clause());
        clauses
            .map(|(_, entry)| entry.predicate().to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(predicates(&copy), predicates(&desk));
}
