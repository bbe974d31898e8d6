//! Facts that are brought up to date: what is refused before an engine hears of it.

use super::*;

fn facts(predicate: &str, arity: usize, values: &[&str], key: &[usize]) -> Upsert {
    Upsert {
        predicate: predicate.to_owned(),
        arity,
        values: owned(values),
        key: key.to_vec(),
    }
}

fn upsert(desk: &mut Desk, facts: Upsert) -> Result<Upserted, Fault> {
    desk.run(|workspace| async move { workspace.upsert(facts, &Control::default()).await })
}

#[test]
fn what_cannot_be_a_key_or_a_predicate_is_refused() {
    let mut desk = Desk::new();
    let mut refused = |facts| upsert(&mut desk, facts).unwrap_err().message;
    assert_eq!(refused(facts("p", 1, &["1"], &[])), "The key is empty.");
    assert_eq!(
        refused(facts("p", 2, &["1", "2"], &[0, 2])),
        "The key has the place 2, and the rows have 2 values."
    );
    assert_eq!(
        refused(facts("p/2", 2, &["1", "2"], &[0])),
        "`p/2` is not the name of a predicate."
    );
    assert_eq!(
        refused(facts(" ", 1, &["1"], &[0])),
        "The name of the predicate is empty."
    );
    for (name, arity) in [
        (":-", 1),
        ("?-", 1),
        (":-", 2),
        ("-->", 2),
        ("==>", 2),
        ("=>", 2),
        (":", 2),
    ] {
        assert_eq!(
            refused(facts(name, arity, &["a", "b"][..arity], &[0])),
            format!("A fact of `{name}` would be a rule or a directive.")
        );
    }
    let deep = format!("{}a{}", "f(".repeat(1_001), ")".repeat(1_001));
    assert_eq!(
        refused(facts("p", 1, &[&deep], &[0])),
        "A value is nested too deeply (limit: nesting = 1000)."
    );
    assert_eq!(
        upsert(&mut desk, facts("p", 0, &[], &[0])),
        Ok(Upserted::default())
    );
}

#[test]
fn rows_have_a_limit() {
    let limits = Limits {
        file_bytes: 10,
        ..Limits::default()
    };
    let mut desk = Desk::with(Options {
        limits,
        ..Options::default()
    });
    let fault = upsert(&mut desk, facts("p", 1, &["12345678901"], &[0])).unwrap_err();
    assert_eq!(
        fault.message,
        "The rows have 11 bytes, more than one call may contain (limit: file_bytes = 10)."
    );
}
