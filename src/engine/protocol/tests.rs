use super::*;
use hornbook_base::Limits;

fn ids(ids: &[i64]) -> Vec<Run> {
    runs(&ids.iter().copied().map(EntryId).collect::<Vec<_>>())
}

#[test]
fn texts_are_escaped_strings() {
    let request = outline("a(\"b\\n\").\n\0\r\té");
    assert_eq!(request, r#"outline("a(\"b\\n\").\n\x0\\xD\\x9\é")"#);
    assert_eq!(outline("\u{202e}中😀"), r#"outline("\x202E\中😀")"#);
    let modules = ["one".to_owned(), "it's".to_owned()];
    assert_eq!(check("a.", None, &[], true), r#"check("a.",none,[],book)"#);
    assert_eq!(
        check("a.", Some("one"), &modules, false),
        r#"check("a.",'one',['one','it\'s'],text)"#
    );
}

#[test]
fn texts_to_be_added_follow_as_they_are() {
    let request = add(
        AddKind::Inline,
        None,
        &["a(\"\\é\").\n", "b"],
        false,
        &ids(&[1, 2, 3]),
        10,
    );
    assert_eq!(request, "add(inline,[9,1],[1-3],10)\na(\"\\é\").\nb");
}

#[test]
fn texts_may_come_later() {
    assert_eq!(
        add(AddKind::File, None, &["é."], true, &ids(&[1]), 1),
        "add(file,[2,later],[1-1],1)\né."
    );
    assert_eq!(
        add_text("\nb.", true, &ids(&[2]), 1),
        "add_more([2-1],1,[3,later])\n\nb."
    );
    assert_eq!(
        add_text("\nc.", false, &ids(&[3]), 1),
        "add_more([3-1],1,[3])\n\nc."
    );
}

#[test]
fn ids_are_runs_in_book_order() {
    assert_eq!(remove(&ids(&[-3, -2, -1, 1, 2, 7])), "remove([-3-3,1-2,7-1])");
}

#[test]
fn a_batch_is_loaded_with_its_ids() {
    let predicate = Predicate {
        name: "it's".into(),
        arity: 2,
    };
    let batch = Batch {
        source: 7,
        begins: true,
        text: "a.\nb.".into(),
        ids: vec![EntryId(3), EntryId(4)],
        ends: vec![2, 5],
        module: None,
    };
    let request = reload(&[predicate], &[batch]);
    assert_eq!(
        request,
        "reload(['it\\'s'/2],[load(file(7),5,[3-2,0-1])])\na.\nb."
    );
}

#[test]
fn names_are_quoted_atoms() {
    let libraries = ["clpfd".to_owned(), "it's".to_owned()];
    let limits = Limits::default();
    let request = boot(&BootOptions {
        unknown: Unknown::Fail,
        libraries: &libraries,
        limits: &limits,
        capabilities: &[Capability::new("dml")],
        host: &[],
    });
    let expected = r"boot([unknown(fail),libraries(['clpfd','it\'s']),limits([entries-1000000,";
    assert!(request.starts_with(expected), "{request}");
    assert!(request.ends_with("]),capabilities(['dml'])])"), "{request}");
    let memory = Capability {
        name: "memory",
        changed_by: &[("kn_node", "a tool")],
    };
    let request = boot(&BootOptions {
        capabilities: &[memory],
        unknown: Unknown::Fail,
        libraries: &[],
        limits: &limits,
        host: &[],
    });
    assert!(
        request.ends_with("capabilities(['memory']),changed_by(memory,['kn_node'-'a tool'])])"),
        "{request}"
    );
}

#[test]
fn seconds_are_floats() {
    let bounds = Bounds {
        take: 5,
        soft_ms: 1_050,
        next: NextIds {
            last: EntryId(8),
            first: EntryId(-2),
        },
    };
    assert_eq!(query(3, "p(X)", None, bounds), "query(3,\"p(X)\",5,1.050,8,-2)");
    let assumed = ["q(1).".to_owned(), "r".to_owned()];
    let expected = "query_assuming(3,\"p(X)\",[\"q(1).\",\"r\"],5,1.050,8,-2)";
    assert_eq!(query(3, "p(X)", Some(&assumed), bounds), expected);
    let expected = "query_assuming(3,\"p(X)\",[],5,1.050,8,-2)";
    assert_eq!(query(3, "p(X)", Some(&[]), bounds), expected);
    assert_eq!(next(3, bounds), "next(3,5,1.050,8,-2)");
}
