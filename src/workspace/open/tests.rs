use super::*;

fn start(queries: &mut Queries, id: Option<&str>) -> String {
    start_for(queries, id, 1)
}

fn start_for(queries: &mut Queries, id: Option<&str>, client: u64) -> String {
    let (id, number) = queries.prepare(id, client).unwrap();
    let open = Open {
        id: id.clone(),
        client,
        number,
        place: Place::Engine(0),
        text: "true".into(),
        shown_as: None,
        exact: false,
        assume: None,
        awaited: false,
        leaves: Leaves::All,
        revision: 0,
        so_far: AnswerDigest::default(),
        asked: (0, 0),
        inferences: 0,
    };
    queries.opened(open);
    id
}

fn stopped(why: &str) -> End {
    let why = why.into();
    End::Stopped { why, at_ms: 7 }
}

#[test]
fn the_newest_query_is_that_of_its_client_and_stays_with_an_ended_one() {
    let mut queries = Queries::default();
    assert_eq!(queries.newest(1), None);
    start_for(&mut queries, Some("first"), 1);
    start_for(&mut queries, Some("second"), 1);
    start_for(&mut queries, Some("others"), 2);
    assert_eq!(queries.newest(1), Some("second"));
    queries.end("second", End::Exhausted, &Limits::default());
    assert_eq!(queries.newest(1), Some("second"));
    queries.forget("second");
    assert_eq!(queries.newest(1), Some("second"));
    assert_eq!(queries.find("second"), None);
}

#[test]
fn an_id_is_used_once_at_a_time_and_made_ids_avoid_given_ones() {
    let mut queries = Queries::default();
    start(&mut queries, Some("q2"));
    assert_eq!(queries.prepare(Some("q2"), 1), Err(IdInUse));
    assert_eq!(start(&mut queries, None), "q3");
    queries.end("q2", End::Exhausted, &Limits::default());
    assert_eq!(start(&mut queries, Some("q2")), "q2");
    assert!(matches!(queries.find("q2"), Some(Known::Open(_))));
}

#[test]
fn of_too_many_open_queries_the_one_that_was_idle_longest_is_surplus() {
    let mut queries = Queries::default();
    let limits = Limits {
        open_queries: 2,
        ..Limits::default()
    };
    start(&mut queries, Some("a"));
    start(&mut queries, Some("b"));
    assert_eq!(queries.surplus(&limits), None);
    queries.stepped("a", &Step::default(), 100);
    start(&mut queries, Some("c"));
    queries.stepped("c", &Step::default(), 100);
    assert_eq!(
        queries.surplus(&limits).map(|query| query.id).as_deref(),
        Some("b")
    );
}

#[test]
fn awaited_queries_are_never_surplus_and_do_not_count() {
    let mut queries = Queries::default();
    let limits = Limits {
        open_queries: 1,
        ..Limits::default()
    };
    for id in ["a", "b"] {
        start(&mut queries, Some(id));
        queries.open.last_mut().unwrap().awaited = true;
    }
    start(&mut queries, Some("c"));
    assert_eq!(queries.surplus(&limits), None);
    start(&mut queries, Some("d"));
    assert_eq!(
        queries.surplus(&limits).map(|query| query.id).as_deref(),
        Some("c")
    );
}

#[test]
fn the_number_of_remembered_queries_is_bounded() {
    let mut queries = Queries::default();
    let limits = Limits {
        ended_queries: 1,
        ..Limits::default()
    };
    start(&mut queries, Some("a"));
    start(&mut queries, Some("b"));
    let orphans = Orphans { closed: 2, kept: 0 };
    assert_eq!(queries.engine_lost(0, 1, stopped("lost"), &limits), orphans);
    assert_eq!(queries.find("a"), None);
    let lost = Ended {
        id: "b".into(),
        end: stopped("lost"),
        client: Some(1),
        given: 0,
        inferences: 0,
    };
    assert_eq!(queries.find("b"), Some(Known::Ended(lost)));
}

#[test]
fn queries_of_this_revision_of_the_book_outlive_their_engine() {
    let mut queries = Queries::default();
    start(&mut queries, Some("a"));
    let orphans = Orphans { closed: 0, kept: 1 };
    assert_eq!(
        queries.engine_lost(0, 0, stopped("lost"), &Limits::default()),
        orphans
    );
    let in_engine = |queries: &Queries| match queries.find("a") {
        Some(Known::Open(query)) => query.place == Place::Engine(0),
        other => panic!("{other:?}"),
    };
    assert!(!in_engine(&queries));
    queries.is_at("a", Place::Engine(0));
    assert!(in_engine(&queries));
}

#[test]
fn inferences_are_known_while_a_query_is_open_and_after() {
    let mut queries = Queries::default();
    start(&mut queries, Some("a"));
    assert_eq!(queries.inferences("a"), None);
    let step = |inferences| Step {
        inferences,
        ..Step::default()
    };
    queries.stepped("a", &step(7), 0);
    assert_eq!(queries.inferences("a"), Some(7));
    queries.stepped("a", &step(12), 0);
    queries.end("a", End::Exhausted, &Limits::default());
    assert_eq!(queries.inferences("a"), Some(12));
    assert_eq!(queries.inferences("b"), None);
}

#[test]
fn the_same_answers_are_told_from_others_however_they_are_divided() {
    let answer = |text: &str| Answer {
        bindings: vec![("X".into(), text.into(), text.into())],
        residual: Vec::new(),
        undefined: false,
        output: String::new(),
    };
    let given = |groups: &[&[&str]]| {
        let mut given = AnswerDigest::default();
        for group in groups {
            given.push(&group.iter().map(|text| answer(text)).collect::<Vec<_>>());
        }
        given
    };
    assert_eq!(given(&[&["a", "b"]]), given(&[&["a"], &["b"]]));
    assert_ne!(given(&[&["a", "b"]]), given(&[&["b", "a"]]));
    assert_ne!(given(&[&["a"]]), given(&[&["a", "a"]]));
}
