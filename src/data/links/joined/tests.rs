use super::super::source::{DEFAULT_COLLATION, UNKNOWN_COLLATION};
use super::*;
use crate::Value;

fn table(dialect: Dialect, from: From, name: &str, columns: &[(&str, &str)]) -> Rc<Relation> {
    let from = match from {
        From::Table(_) => From::Table(vec![name.to_owned()]),
        files => files,
    };
    let columns = columns.iter().map(|(column, type_name)| Column {
        name: (*column).to_owned(),
        type_name: (*type_name).to_owned(),
        is_not_null: *column == "id",
        is_key: *column == "id",
        collation: DEFAULT_COLLATION.to_owned(),
        ..Column::default()
    });
    Rc::new(Relation {
        dialect,
        from,
        columns: columns.collect(),
    })
}

fn orders(dialect: Dialect) -> Rc<Relation> {
    let columns = [("id", "bigint"), ("who", "varchar"), ("amount", "bigint")];
    table(dialect, From::Table(Vec::new()), "orders", &columns)
}

fn people(dialect: Dialect) -> Rc<Relation> {
    table(
        dialect,
        From::Table(Vec::new()),
        "people",
        &[("name", "varchar"), ("country", "varchar")],
    )
}

/// Arguments as a program writes them: variables in upper case, integers, and atoms.
fn arguments(text: &str) -> Vec<Argument> {
    { text.split(", ").enumerate() }
        .map(|(at, one)| match one.chars().next() {
            Some('_') => Argument::Variable(format!("_{at}{text}")),
            Some(c) if c.is_uppercase() => Argument::Variable(one.to_owned()),
            Some(c) if c.is_ascii_digit() => Argument::Integer(one.to_owned()),
            _ => Argument::Atom(one.to_owned()),
        })
        .collect()
}

fn called(relation: &Rc<Relation>, text: &str) -> Called {
    Called {
        relation: relation.clone(),
        arguments: arguments(text),
        source: "shop".to_owned(),
    }
}

fn goal(relation: &Rc<Relation>, text: &str) -> Literal<Called> {
    Literal::Goal(called(relation, text))
}

fn not(relation: &Rc<Relation>, text: &str) -> Literal<Called> {
    Literal::Not(called(relation, text))
}

fn compare(left: &str, operator: &str, right: &str) -> Literal<Called> {
    let mut sides = [left, right].map(|side| arguments(side).remove(0));
    Literal::Compare(
        operator.to_owned(),
        std::mem::replace(&mut sides[0], Argument::Term),
        sides[1].clone(),
    )
}

fn made(literals: &[Literal<Called>]) -> Option<Joined> {
    joined(literals, true)
}

fn sql(literals: &[Literal<Called>]) -> String {
    made(literals)
        .and_then(|joined| joined.statement)
        .expect("a statement")
        .sql
}

fn parts(literals: &[Literal<Called>]) -> String {
    made(literals).expect("a goal").parts()
}

#[test]
fn what_may_be_an_error_keeps_its_row_whatever_is_behind_it() {
    let (orders, people) = (orders(Dialect::Postgres), people(Dialect::Postgres));
    let literals = [
        goal(&orders, "I, W, A"),
        compare("A", ">", "5"),
        goal(&people, "W, de"),
    ];
    assert_eq!(parts(&literals), "[row,check,row]");
    let sql = sql(&literals);
    assert!(
        sql.contains("WHERE (\"amount\" > CAST($1 AS BIGINT) OR \"amount\" IS NULL)) AS t0"),
        "{sql}"
    );
    assert!(sql.contains(" LEFT JOIN (SELECT"), "{sql}");
    assert!(
        sql.ends_with(" WHERE (t0.v2 IS NULL OR t1.here IS NOT NULL)"),
        "{sql}"
    );
}

#[test]
fn a_comparison_that_is_never_an_error_joins_as_any_condition() {
    let (orders, people) = (orders(Dialect::Postgres), people(Dialect::Postgres));
    let sql = sql(&[
        goal(&orders, "I, W, _"),
        compare("I", "=<", "5"),
        goal(&people, "W, _"),
    ]);
    assert!(
        sql.contains("WHERE \"id\" <= CAST($1 AS BIGINT)) AS t0 JOIN"),
        "{sql}"
    );
    assert!(!sql.contains("LEFT"), "{sql}");
}

#[test]
fn what_sql_cannot_decide_stays_with_all_behind_it() {
    let (orders, people) = (orders(Dialect::DuckDb), people(Dialect::DuckDb));
    let behind =
        |literal: Literal<Called>| parts(&[goal(&orders, "I, W, A"), literal, goal(&people, "W, _")]);
    assert_eq!(behind(compare("W", ">", "5")), "[row]");
    assert_eq!(behind(compare("A", ">", "foo")), "[row]");
    assert_eq!(behind(compare("A", ">", "99999999999999999999")), "[row]");
    assert_eq!(behind(compare("X", "=", "5")), "[row]");
    assert_eq!(behind(compare("X", "\\==", "5")), "[row,check,row]");
    assert_eq!(behind(goal(&people, "A, _")), "[row]");
    assert_eq!(behind(not(&people, "W, _")), "[row,denied,row]");
    assert_eq!(behind(not(&people, "X, X")), "[row,check,row]");
}

#[test]
fn a_comparison_alone_joins_where_the_pairs_are_few_enough_to_be_held() {
    for (dialect, holds) in [(Dialect::DuckDb, true), (Dialect::Postgres, false)] {
        let orders = orders(dialect);
        let two = |behind: &[Literal<Called>]| {
            let goals = [goal(&orders, "I, _, A"), goal(&orders, "J, W, B")];
            [&goals[..], behind].concat()
        };
        let theta = two(&[compare("A", "<", "B")]);
        let joined = made(&theta).expect("a goal");
        assert_eq!(joined.parts(), "[row,row,check]");
        assert_eq!(joined.pairs.is_some(), holds);
        let apart = super::joined(&theta, false).expect("a goal");
        assert_eq!(apart.parts(), "[row]");
        assert_eq!(
            parts(&two(&[compare("W", "\\==", "x"), compare("A", "<", "I")])),
            "[row]"
        );
        assert_eq!(
            parts(&two(&[compare("W", "\\==", "x"), compare("A", "<", "J")])),
            "[row,row,check,check]"
        );
        // What ends the statement may stand before the comparison.
        assert_eq!(
            parts(&two(&[compare("W", "<", "A"), compare("A", "<", "B")])),
            "[row]"
        );
        assert_eq!(parts(&two(&[compare("W", "<", "A")])), "[row]");
        assert!(Aggregate::Count.statement(&two(&[])).is_some());
    }
}

#[test]
fn files_keep_the_order_of_their_rows() {
    let file = |name: &str| {
        let from = From::Csv {
            paths: vec![format!("/{name}.csv")],
            line_bytes: 4096,
        };
        table(Dialect::DuckDb, from, name, &[("a", "BIGINT")])
    };
    let sql = sql(&[goal(&file("one"), "A"), goal(&file("two"), "A")]);
    assert!(
        sql.contains("row_number() OVER () AS place FROM read_csv(['/one.csv']"),
        "{sql}"
    );
    assert!(sql.contains("t0.v0 IS NOT DISTINCT FROM t1.v0"), "{sql}");
    assert!(
        sql.ends_with("ORDER BY ended NULLS FIRST, o0 NULLS LAST, o1 NULLS LAST"),
        "{sql}"
    );
}

#[test]
fn sqlite_joins_by_the_number_of_a_row_only() {
    let orders = orders(Dialect::Sqlite);
    assert_eq!(
        parts(&[goal(&orders, "I, _, A"), goal(&orders, "A, _, _")]),
        "[row,row]"
    );
    assert_eq!(
        parts(&[goal(&orders, "I, W, _"), goal(&orders, "_, W, _")]),
        "[row]"
    );
}

#[test]
fn values_are_parameters() {
    let hostile = "x' OR 1=1; --";
    let orders = orders(Dialect::DuckDb);
    let joined = made(&[
        goal(&orders, "I, W, A"),
        Literal::Compare(
            "\\==".to_owned(),
            Argument::Variable("W".to_owned()),
            Argument::Atom(hostile.to_owned()),
        ),
        Literal::Member(
            Argument::Variable("W".to_owned()),
            vec![Argument::Atom(hostile.to_owned()), Argument::Atom("a".to_owned())],
        ),
    ]);
    let statement = joined.and_then(|joined| joined.statement).expect("a statement");
    assert!(!statement.sql.contains("OR 1=1"), "{}", statement.sql);
    let text = |text: &str| Value::Text(text.to_owned());
    assert_eq!(statement.parameters, [text(hostile), text(hostile), text("a")]);
}

#[test]
fn the_parts_of_a_row_are_those_of_its_goals() {
    let (orders, people) = (orders(Dialect::Postgres), people(Dialect::Postgres));
    let joined = made(&[
        goal(&orders, "I, W, A"),
        compare("A", ">", "5"),
        goal(&people, "W, _"),
        not(&people, "de, _"),
    ]);
    let cell = |text: &str| match text {
        "" => Cell::Null,
        text => Cell::Text(text.to_owned()),
    };
    let row = |cells: [&str; 7]| cells.map(cell).to_vec();
    let rows = [
        row(["1", "ann", "7", "ann", "de", "1", "1"]),
        row(["2", "bob", "", "", "", "", ""]),
    ];
    assert_eq!(
        joined.expect("a goal").rows(&rows).as_deref(),
        Ok("[[[1,ann,7],[ann,de],true],[[2,bob,null],none,none]]")
    );
}

#[test]
fn a_result_is_exact_or_prolog_s() {
    let (orders, people) = (orders(Dialect::DuckDb), people(Dialect::DuckDb));
    let amount = || Argument::Variable("A".to_owned());
    let sum = Aggregate::Sum(amount());
    let whole = [
        goal(&orders, "I, W, A"),
        compare("A", ">", "5"),
        not(&people, "W, _"),
    ];
    let statement = sum.statement(&whole).expect("a statement").sql;
    assert!(
        statement.contains("CAST(sum(t0.v2) AS VARCHAR) AS c3"),
        "{statement}"
    );
    assert!(
        statement.contains("count(CASE WHEN t0.v2 IS NULL THEN 1 END)"),
        "{statement}"
    );
    for (literal, of) in [
        (goal(&people, "W, null"), amount()),
        (goal(&people, "X, X"), amount()),
        (not(&people, "X, X"), amount()),
        (compare("W", ">", "5"), amount()),
        (compare("W", "==", "null"), amount()),
        (Literal::Member(amount(), arguments("1, 1")), amount()),
        (compare("A", ">", "5"), Argument::Variable("W".to_owned())),
    ] {
        let literals = [goal(&orders, "I, W, A"), literal];
        let statement = Aggregate::Sum(of).statement(&literals);
        assert!(statement.is_none(), "{literals:?}");
    }
    let row = |texts: [&str; 4]| texts.map(|text| Cell::Text(text.to_owned())).to_vec();
    assert_eq!(
        sum.result(&row(["2", "0", "2", "12"])).as_deref(),
        Ok("value(12)")
    );
    assert_eq!(sum.result(&row(["2", "1", "2", "12"])).as_deref(), Ok("apart"));
    assert_eq!(sum.result(&row(["2", "0", "1", "12"])).as_deref(), Ok("apart"));
    assert_eq!(sum.result(&row(["0", "0", "0", ""])).as_deref(), Ok("value(0)"));
    assert_eq!(
        Aggregate::Max(amount())
            .result(&row(["0", "0", "0", ""]))
            .as_deref(),
        Ok("none")
    );
    assert!(sum.result(&row(["2", "0", "2", "x)"])).is_err());
}

/// A table of DuckDB, whose texts may have any collation.
fn stored(name: &str, columns: &[(&str, &str)]) -> Rc<Relation> {
    let mut of = table(Dialect::DuckDb, From::Table(Vec::new()), name, columns);
    for column in &mut Rc::make_mut(&mut of).columns {
        column.collation = UNKNOWN_COLLATION.to_owned();
    }
    of
}

#[test]
fn texts_that_may_have_a_collation_are_equal_by_their_bytes() {
    let people = stored("people", &[("name", "VARCHAR"), ("country", "VARCHAR")]);
    let denied = sql(&[goal(&people, "N, C"), not(&people, "_, N")]);
    assert!(
        denied.contains("encode(coalesce(t0.v0, 'null')) = encode(coalesce(n2.v1, 'null'))"),
        "{denied}"
    );
    let differs = sql(&[goal(&people, "N, _"), compare("N", "\\==", "ann")]);
    assert!(
        differs.contains("(\"name\" = $1 AND encode(\"name\") = encode(CAST($1 AS VARCHAR)))) IS NOT TRUE"),
        "{differs}"
    );
    let file = table(
        Dialect::DuckDb,
        From::Parquet(vec!["/f.parquet".to_owned()]),
        "file",
        &[("name", "VARCHAR")],
    );
    for literals in [
        [goal(&people, "N, _"), goal(&file, "N")],
        [goal(&file, "N"), goal(&people, "N, _")],
    ] {
        let sql = sql(&literals);
        assert!(sql.contains("ON encode("), "{sql}");
    }
    let files = sql(&[goal(&file, "N"), goal(&file, "N")]);
    assert!(!files.contains("encode"), "{files}");
}

#[test]
fn integers_that_an_engine_would_round_are_not_compared_as_they_are() {
    let big = stored("big", &[("h", "HUGEINT"), ("u", "UHUGEINT")]);
    let denied = sql(&[goal(&big, "H, _"), not(&big, "_, H")]);
    assert!(
        denied.contains("CAST(t0.v0 AS VARCHAR) IS NOT DISTINCT FROM CAST(n2.v1 AS VARCHAR)"),
        "{denied}"
    );
    let same = sql(&[goal(&big, "_, U"), not(&big, "_, U")]);
    assert!(same.contains("t0.v1 IS NOT DISTINCT FROM n2.v1"), "{same}");
    let known = sql(&[goal(&big, "_, 9007199254740993")]);
    assert!(known.contains("CAST(\"u\" AS VARCHAR) = $1"), "{known}");
    let less = sql(&[goal(&big, "H, U"), compare("H", "<", "U")]);
    let as_signed = "TRY_CAST(CAST(t0.v1 AS VARCHAR) AS HUGEINT)";
    assert!(
        less.contains(&format!("(t0.v0 < {as_signed} OR ")) && less.contains(&format!("{as_signed} IS NULL")),
        "{less}"
    );
}

#[test]
fn a_list_with_a_value_twice_ends_the_statement() {
    let orders = orders(Dialect::DuckDb);
    let behind = |list: &str| {
        parts(&[
            goal(&orders, "I, W, _"),
            Literal::Member(Argument::Variable("I".to_owned()), arguments(list)),
            goal(&orders, "_, W, _"),
        ])
    };
    assert_eq!(behind("2, 2"), "[row]");
    assert_eq!(behind("2, 1"), "[row,check,row]");
}

#[test]
fn a_statement_has_only_so_many_tables() {
    let orders = orders(Dialect::DuckDb);
    let mut literals = vec![goal(&orders, "I, W, A"); MOST_TABLES - 1];
    literals.extend([
        not(&orders, "5, _, _"),
        compare("A", "<", "9"),
        goal(&orders, "I, _, _"),
    ]);
    assert!(parts(&literals).ends_with(",row,denied,check]"));
    assert_eq!(Aggregate::Count.statement(&literals), None);
}
