use proptest::prelude::*;

use super::*;

fn relation(dialect: Dialect, columns: &[(&str, &str)]) -> Relation {
    let columns = columns.iter().map(|(name, type_name)| Column {
        name: (*name).to_owned(),
        type_name: (*type_name).to_owned(),
        ..Column::default()
    });
    Relation {
        dialect,
        from: From::Table(vec!["main".to_owned(), "orders".to_owned()]),
        columns: columns.collect(),
    }
}

const COLUMNS: [(&str, &str); 6] = [
    ("id", "BIGINT"),
    ("who", "VARCHAR"),
    ("amount", "DECIMAL(10,2)"),
    ("day", "DATE"),
    ("paid", "BOOLEAN"),
    ("tags", "VARCHAR[]"),
];

fn variable(name: &str) -> Argument {
    Argument::Variable(name.to_owned())
}

fn atom(text: &str) -> Argument {
    Argument::Atom(text.to_owned())
}

fn unbound(count: usize) -> Vec<Argument> {
    (0..count).map(|at| variable(&at.to_string())).collect()
}

/// What follows WHERE if this argument of orders is known.
fn condition(at: usize, argument: Argument) -> Option<(String, Vec<Value>)> {
    let mut row = unbound(COLUMNS.len());
    row[at] = argument;
    let Statement { sql, parameters } = relation(Dialect::DuckDb, &COLUMNS).select(&row, false)?;
    let (sql, _) = sql.split_once(" UNION ALL ").expect("a last row");
    let condition = sql.split_once(" WHERE ").map_or("", |(_, condition)| condition);
    Some((condition.to_owned(), parameters))
}

#[test]
fn an_unbound_goal_reads_all_columns_as_text() {
    let statement = relation(Dialect::DuckDb, &COLUMNS[..2]).select(&unbound(2), false);
    assert_eq!(
        statement.expect("rows may match").sql,
        "SELECT CAST(\"id\" AS VARCHAR), CAST(\"who\" AS VARCHAR), NULL FROM \"main\".\"orders\" \
         UNION ALL SELECT NULL, NULL, 'end'"
    );
}

#[test]
fn a_known_argument_is_a_parameter() {
    let text = |text: &str| vec![Value::Text(text.to_owned())];
    let integer = vec![Value::Integer("7".to_owned())];
    assert_eq!(
        condition(0, Argument::Integer("7".to_owned())),
        Some(("\"id\" = CAST($1 AS BIGINT)".to_owned(), integer))
    );
    assert_eq!(
        condition(1, atom("Anna")),
        Some(("\"who\" = $1".to_owned(), text("Anna")))
    );
    assert_eq!(
        condition(2, Argument::Float("12.5".to_owned())),
        Some((
            "\"amount\" = TRY_CAST($1 AS DECIMAL(10,2))".to_owned(),
            text("12.5")
        ))
    );
    assert_eq!(
        condition(3, atom("2026-01-31")),
        Some(("\"day\" = CAST($1 AS DATE)".to_owned(), text("2026-01-31")))
    );
    assert_eq!(
        condition(4, atom("false")),
        Some(("NOT \"paid\"".to_owned(), vec![]))
    );
    assert_eq!(condition(5, Argument::Term), Some((String::new(), vec![])));
}

#[test]
fn rows_that_end_without_the_last_one_are_an_error() {
    let orders = relation(Dialect::DuckDb, &COLUMNS[..1]);
    let row = |end: Cell| vec![Cell::Text("7".to_owned()), end];
    let end = vec![Cell::Null, Cell::Text("end".to_owned())];
    let mut rows = vec![row(Cell::Null), end];
    assert_eq!(orders.take_end(&mut rows, true), Ok(true));
    assert_eq!(orders.rows(&rows).as_deref(), Ok("[[7]]"));
    assert_eq!(orders.take_end(&mut vec![row(Cell::Null)], true), Ok(false));
    assert!(orders.take_end(&mut vec![row(Cell::Null)], false).is_err());
    let of_postgres = relation(Dialect::Postgres, &COLUMNS[..1]);
    assert_eq!(of_postgres.take_end(&mut Vec::new(), false), Ok(true));
}

#[test]
fn numbers_of_csv_keep_their_digits() {
    let from = From::Csv {
        paths: vec!["a.csv".to_owned()],
        line_bytes: 4096,
    };
    let column = Column::listed(&from, "it's".to_owned(), "DOUBLE");
    let numbers = Relation {
        dialect: Dialect::DuckDb,
        from,
        columns: vec![column],
    };
    let statement = numbers
        .select(&[Argument::Float("3.0".to_owned())], false)
        .expect("rows may match");
    assert!(
        statement
            .sql
            .contains("max_line_size = 4096, buffer_size = 8192, types = {'it''s': 'VARCHAR'}"),
        "{}",
        statement.sql
    );
    assert!(
        statement
            .sql
            .contains("TRY_CAST(\"it's\" AS DOUBLE) = CAST($1 AS DOUBLE)"),
        "{}",
        statement.sql
    );
    let texts = ["12345678901234567890", "1.50", "7"].map(|text| vec![Cell::Text(text.to_owned())]);
    assert_eq!(
        numbers.rows(&texts).as_deref(),
        Ok("[['12345678901234567890'],[1.50],[7.0]]")
    );
}

#[test]
fn a_value_of_another_type_matches_nothing() {
    assert_eq!(condition(0, Argument::Float("1.0".to_owned())), None);
    assert_eq!(condition(0, atom("1")), None);
    assert_eq!(condition(1, Argument::String), None);
    assert_eq!(condition(1, Argument::Integer("1".to_owned())), None);
    assert_eq!(condition(1, Argument::Term), None);
    assert_eq!(condition(3, Argument::Integer("20260131".to_owned())), None);
    assert_eq!(condition(4, atom("yes")), None);
}

#[test]
fn null_is_no_value_or_the_word() {
    assert_eq!(
        condition(0, atom("null")),
        Some(("\"id\" IS NULL".to_owned(), vec![]))
    );
    assert_eq!(condition(1, atom("null")), Some((String::new(), vec![])));
}

#[test]
fn what_is_no_date_is_compared_as_text() {
    for text in ["2026-02-30", "2026-1-1", "yesterday", "0000-01-01", "2026-01-01-"] {
        let (condition, _) = condition(3, atom(text)).expect("it is an atom");
        assert_eq!(condition, "CAST(\"day\" AS VARCHAR) = $1");
    }
    assert!(is_date("2024-02-29") && !is_date("2026-02-29"));
}

#[test]
fn a_variable_that_occurs_twice_is_one_value() {
    let relation = relation(
        Dialect::Postgres,
        &[("a", "integer"), ("b", "bigint"), ("c", "text")],
    );
    let row = [variable("X"), variable("X"), variable("X")];
    let statement = relation.select(&row, false).expect("rows may match");
    assert!(
        statement
            .sql
            .ends_with(" WHERE (\"a\" = \"b\" OR \"a\" IS NULL OR \"b\" IS NULL)"),
        "{}",
        statement.sql
    );
}

#[test]
fn an_integer_beyond_64_bits_is_compared_by_its_digits() {
    let digits = "170141183460469231731687303715884105727";
    let (condition, parameters) = condition(0, Argument::Integer(digits.to_owned())).expect("it may match");
    assert_eq!(condition, "CAST(\"id\" AS VARCHAR) = $1");
    assert_eq!(parameters, [Value::Text(digits.to_owned())]);
}

fn rows(dialect: Dialect, columns: &[(&str, &str)], cells: &[&str]) -> Result<String, String> {
    let cells = cells.iter().map(|cell| match *cell {
        "-" => Cell::Null,
        text => Cell::Text(text.to_owned()),
    });
    relation(dialect, columns).rows(&[cells.collect()])
}

#[test]
fn rows_are_prolog() {
    let cells = ["1", "O'Neil", "12.50", "2026-01-31", "true", "[\"a\",null]"];
    assert_eq!(
        rows(Dialect::DuckDb, &COLUMNS, &cells).as_deref(),
        Ok("[[1,'O\\'Neil',12.50,'2026-01-31',true,[a, null]]]")
    );
    assert_eq!(
        rows(Dialect::DuckDb, &COLUMNS, &["-"; 6]).as_deref(),
        Ok("[[null,null,null,null,null,null]]")
    );
}

#[test]
fn numbers_are_exact() {
    let of = |type_name, text| rows(Dialect::DuckDb, &[("x", type_name)], &[text]);
    let digits = "170141183460469231731687303715884105727";
    assert_eq!(of("HUGEINT", digits), Ok(format!("[[{digits}]]")));
    assert_eq!(of("DECIMAL(38,0)", digits), Ok(format!("[[{digits}]]")));
    let decimal = "1234567890123456.78";
    assert_eq!(of("DECIMAL(18,2)", decimal), Ok(format!("[['{decimal}']]")));
    assert_eq!(of("DOUBLE", "1e+300"), Ok("[[1.0e300]]".to_owned()));
    assert_eq!(of("DOUBLE", "5.0"), Ok("[[5.0]]".to_owned()));
    assert_eq!(of("DOUBLE", "1e-07"), Ok("[[1.0e-7]]".to_owned()));
}

#[test]
fn infinities_and_not_a_number_are_floats() {
    for (dialect, type_name, texts) in [
        (Dialect::DuckDb, "DOUBLE", ["inf", "-inf", "nan"]),
        (
            Dialect::Postgres,
            "double precision",
            ["Infinity", "-Infinity", "NaN"],
        ),
        (Dialect::Postgres, "numeric", ["Infinity", "-Infinity", "NaN"]),
    ] {
        for (text, read) in texts.iter().zip(["1.0Inf", "-1.0Inf", "1.5NaN"]) {
            let found = rows(dialect, &[("x", type_name)], &[text]);
            assert_eq!(found, Ok(format!("[[{read}]]")), "{type_name} {text}");
        }
    }
}

#[test]
fn a_time_is_iso_text() {
    let of = |type_name, text| rows(Dialect::Postgres, &[("x", type_name)], &[text]);
    assert_eq!(
        of("timestamp(3) without time zone", "2026-01-31 14:30:00.5"),
        Ok("[['2026-01-31T14:30:00.5']]".to_owned())
    );
    assert_eq!(
        of("timestamp with time zone", "2026-01-31 14:30:00+00"),
        Ok("[['2026-01-31T14:30:00Z']]".to_owned())
    );
}

#[test]
fn a_value_that_is_no_json_is_told_with_its_column() {
    let read = rows(Dialect::DuckDb, &[("tags", "DOUBLE[]")], &["[NaN]"]);
    assert!(read.expect_err("it is not JSON").contains("the column tags"));
}

/// The statement without what is in quotes, which must all be closed.
fn unquoted(sql: &str) -> String {
    let mut out = String::new();
    let mut rest = sql.chars();
    while let Some(c) = rest.next() {
        if c == '"' || c == '\'' {
            assert!(rest.by_ref().any(|other| other == c), "an open quote in {sql}");
            out.push('_');
        } else {
            out.push(c);
        }
    }
    // A doubled quote ends one part and begins another.
    while out.contains("__") {
        out = out.replace("__", "_");
    }
    out
}

/// Where the quote is that ends a quoted atom.
fn end_of_atom(text: &str) -> Option<usize> {
    let mut characters = text.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '\'' => return Some(at),
            '\\' if characters.next().is_some_and(|(_, c)| c == 'x') => {
                characters.find(|(_, c)| *c == '\\');
            }
            _ => {}
        }
    }
    None
}

const TYPES: [&str; 12] = [
    "BIGINT",
    "VARCHAR",
    "DECIMAL(10,2)",
    "DATE",
    "BOOLEAN",
    "VARCHAR[]",
    "DOUBLE",
    "TIMESTAMP",
    "UUID",
    "HUGEINT",
    "numeric",
    "jsonb",
];

fn argument() -> impl Strategy<Value = Argument> {
    prop_oneof![
        any::<String>().prop_map(Argument::Atom),
        any::<String>().prop_map(Argument::Float),
        "['\";$-]{1,9}".prop_map(Argument::Atom),
        "-?[0-9]{1,40}".prop_map(Argument::Integer),
        any::<f64>().prop_map(|value| Argument::Float(format!("{value:?}"))),
        Just(Argument::Term),
    ]
}

proptest! {
    #[test]
    fn names_and_values_never_leave_quotes_and_parameters(
        name in "\\PC{0,12}|['\";-]{1,6}",
        path in "\\PC{0,12}|['\";-]{1,6}",
        type_name in prop::sample::select(&TYPES[..]),
        argument in argument(),
        dialect in prop::sample::select(&[Dialect::DuckDb, Dialect::Postgres, Dialect::Sqlite][..]),
    ) {
        let column = |name: &str| Relation {
            dialect,
            from: From::Parquet(vec![path.clone()]),
            columns: vec![Column { name: name.to_owned(), type_name: type_name.to_owned(), ..Column::default() }],
        };
        let plain = Relation { from: From::Parquet(vec!["x".to_owned()]), ..column("x") };
        match (column(&name).select(std::slice::from_ref(&argument), false), plain.select(std::slice::from_ref(&argument), false)) {
            (Some(hostile), Some(plain)) => {
                prop_assert_eq!(unquoted(&hostile.sql), unquoted(&plain.sql));
                prop_assert_eq!(hostile.parameters, plain.parameters);
            }
            (None, None) => {}
            _ => prop_assert!(false, "the name decides what matches"),
        }
    }

    #[test]
    fn a_text_is_one_atom(text in "[^\0]*") {
        let out = rows(Dialect::DuckDb, &[("x", "VARCHAR")], &[&text]).expect("it is read");
        let inner = &out[2..out.len() - 2];
        match inner.strip_prefix('\'') {
            Some(quoted) => prop_assert_eq!(end_of_atom(quoted), Some(quoted.len() - 1)),
            None => prop_assert!(inner.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_') || text == "-"),
        }
    }
}
