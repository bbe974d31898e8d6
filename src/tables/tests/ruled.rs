//! Tables with a line of dashes below the header.

use super::*;
use proptest::prelude::*;

/// The facts of a table on their lines, without those that are empty, and its notes.
fn read(text: &str) -> (String, Vec<String>) {
    let table = table("x.csv", text);
    let facts: Vec<&str> = { facts(&table).into_iter() }
        .filter(|fact| !fact.is_empty())
        .collect();
    (facts.join(" "), table.tables[0].notes.clone())
}

#[test]
fn a_table_of_markdown_is_read_without_its_bars_and_dashes() {
    let read = table(
        "x.csv",
        "\n| id | what |\n|----|:----:|\n| 1 | \"a\" \\| b |\n| 2 |  |\n\n",
    );
    assert_eq!(
        read.text,
        "/* table: x(id, what), header: true */\n\n\nx(1, '\"a\" | b').\nx(2, null).\n"
    );
    assert_eq!(read.tables[0].notes, ["It is a table of Markdown."]);
    let read = table("x.csv", "| a |\n|---|\n| 1 |\n|  |\n| 3 |\n");
    assert_eq!(
        read.text,
        "/* table: x(a), header: true */\n\nx(1).\nx(null).\nx(3).\n"
    );
}

#[test]
fn a_table_of_markdown_needs_no_bars_outside_and_one_dash_in_a_cell() {
    for text in [
        "| a | b |\n|--|:-:|\n| 1 | 2 |\n",
        "| a | b |\n| - | - |\n| 1 | 2 |\n",
        "a | b\n--- | ---\n1 | 2\n",
        "a | b\n:--- | ---:\n1 | 2\n",
        "a|b\n-|-\n1|2\n",
        "|a|b\n|-|-\n|1|2\n",
        "a | b |\n--- | --- |\n1 | 2 |\n",
        "| a | b |\n--- | ---\n| 1 | 2 |\n",
        "a | b\n|---|---|\n1 | 2\n",
        "> | a | b |\n> |---|---|\n> | 1 | 2 |\n",
        ">a | b\n> --- | ---\n>> 1 | 2\n",
    ] {
        let read = table("x.csv", text);
        assert_eq!(
            read.text, "/* table: x(a, b), header: true */\n\nx(1, 2).\n",
            "{text}"
        );
        assert_eq!(read.tables[0].notes, ["It is a table of Markdown."]);
    }
}

#[test]
fn a_value_beside_a_bar_outside_may_be_missing() {
    let missing = "x(1, null). x(null, 2).";
    assert_eq!(read("| a | b |\n|---|---|\n| 1 | |\n| | 2 |\n").0, missing);
    assert_eq!(read("a | b\n--- | ---\n1 |\n | 2\n").0, missing);
}

#[test]
fn values_that_bars_separate_are_no_table_of_markdown() {
    for (text, rows) in [
        ("|a|b\n|---\n|1|2\n", "x(null, '---', null).\nx(null, '1', 2).\n"),
        (
            "a|b\n1|2\n-|-\n3|4\n",
            "x('1', '2').\nx('-', '-').\nx('3', '4').\n",
        ),
        ("a|b\n--|x\n", "x('--', x).\n"),
        ("a|b|c\n-|-|\n1|2|3\n", "x('-', '-', null).\nx('1', '2', 3).\n"),
        (
            "a|b|c\n1|2|3\n---|---|\n",
            "x('1', '2', 3).\nx('---', '---', null).\n",
        ),
    ] {
        let read = table("x.csv", text);
        assert!(read.text.ends_with(rows), "{text}: {}", read.text);
        let notes = read.tables[0].notes.join(" ");
        assert!(!notes.contains("Markdown"), "{text}: {notes}");
    }
}

#[test]
fn lines_beside_a_table_of_markdown_are_left_out_and_told() {
    for (text, rows, note) in [
        (
            "# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
            "\n\n\nx(1, 2).\n",
            "line 1 (# Title).",
        ),
        (
            "Of 2026, in \"euros\":\n| a | b |\n|---|---|\n| 1 | 2 |\n\nSome text.\n",
            "\n\n\nx(1, 2).\n",
            "line 1 (Of 2026, in \"euros\":), line 6 (Some text.).",
        ),
        (
            "# Sales | 2026\n| a | b |\n|---|---|\n| 1 | 2 |\n",
            "\n\nx(1, 2).\n",
            "line 1 (# Sales | 2026).",
        ),
        (
            "Sales | 2026\n\na | b\n--|--\n1 | 2\n\nSource: us | them\n",
            "\n\n\nx(1, 2).\n",
            "line 1 (Sales | 2026), line 7 (Source: us | them).",
        ),
        (
            "---\ntitle: x\n---\n> One.\n>\n> | a | b |\n> |---|---|\n> | 1 | 2 |\n",
            "\n\nx(1, 2).\n",
            "line 2 (title: x), line 4 (> One.).",
        ),
        (
            "1\n2\n3\n4\n5\n6\n7\n| a | b |\n|---|---|\n| 1 | 2 |\n",
            "\nx(1, 2).\n",
            "line 1 (1), line 2 (2), line 3 (3), line 4 (4), line 5 (5), and 2 more.",
        ),
    ] {
        let read = table("x.csv", text);
        assert!(read.text.ends_with(rows), "{text}: {}", read.text);
        assert_eq!(
            read.tables[0].notes,
            [format!(
                "It is a table of Markdown. Left out, as no row of it: {note}"
            )]
        );
    }
}

#[test]
fn a_text_or_an_empty_line_between_rows_does_not_end_a_table_of_markdown() {
    let (rows, notes) = read("| a | b |\n|---|---|\n| 1 | 2 |\nmore:\n| 3 | 4 |\n\n| 5 | 6 |\n");
    assert_eq!(rows, "x(1, 2). x(3, 4). x(5, 6).");
    assert_eq!(
        notes,
        ["It is a table of Markdown. Left out, as no row of it: line 4 (more:)."]
    );
}

#[test]
fn a_value_of_markdown_that_begins_with_a_number_sign_is_no_comment() {
    assert_eq!(
        read("| # | b |\n|---|---|\n| #1 | 2 |\n| #3 | 4 |\n").0,
        "x('#1', 2). x('#3', 4)."
    );
}

#[test]
fn a_text_with_two_tables_of_dashes_is_refused() {
    for text in [
        "| a |\n|---|\n| 1 |\n\n| b |\n|---|\n| 2 |\n",
        "a | b\n--|--\n1 | 2\n\nc | d\n--|--\n3 | 4\n",
        " a | b \n---+---\n 1 | 2\n(1 row)\n\n c | d\n---+---\n 3 | 4\n(1 row)\n",
        " a \n---\n 1\n(1 row)\n\n b \n---\n 2\n(1 row)\n",
        "+---+\n| a |\n+---+\n| 1 |\n+---+\n1 row in set\n+---+\n| b |\n+---+\n| 2 |\n+---+\n",
    ] {
        let fault = read_as("x.csv", text, &Wishes::default()).unwrap_err();
        assert_eq!(
            fault.message,
            "x.csv cannot be read as a table: it has more than one table with a line of dashes below its header: keep one of them."
        );
    }
}

#[test]
fn dashes_for_another_number_of_columns_than_the_header_has_are_refused() {
    for (text, why) in [
        (
            "# T\n| a | b | c |\n|---|---|\n| 1 | 2 | 3 |\n",
            "line 3 has dashes for 2 columns, and the header above it 3 values",
        ),
        (
            "a | b\n--- | --- | ---\n1 | 2\n",
            "line 2 has dashes for 3 columns, and the header above it 2 values",
        ),
    ] {
        let fault = read_as("x.csv", text, &Wishes::default()).unwrap_err();
        assert_eq!(
            fault.message,
            format!("x.csv cannot be read as a table: {why}: give each column its own.")
        );
    }
}

#[test]
fn what_psql_and_mysql_print_is_read() {
    let printed = "It is a table as psql and MySQL print it.";
    for (text, rows, left_out) in [
        (
            "db=> select * from people where a || b = '';\n id | name \n----+------\n  1 | Ann\n    | Bob\n  3 | \n(3 rows)\n\n",
            "x(1, 'Ann'). x(null, 'Bob'). x(3, null).",
            " Left out, as no row of it: line 1 (db=> select * from people where a || b = '';), line 7 ((3 rows)).",
        ),
        (
            " count \n-------\n     3\n(1 row)\n",
            "x(3).",
            " Left out, as no row of it: line 4 ((1 row)).",
        ),
        (
            "+----+------+\n| id | name |\n+----+------+\n|  1 | Ann  |\n|  2 | Bob  |\n+----+------+\n",
            "x(1, 'Ann'). x(2, 'Bob').",
            "",
        ),
        (
            "| id | name |\n|----+------|\n|  1 | Ann  |\n|----+------|\n|  2 | Bob  |\n",
            "x(1, 'Ann'). x(2, 'Bob').",
            "",
        ),
    ] {
        let (read, notes) = read(text);
        assert_eq!(read, rows, "{text}");
        assert_eq!(notes, [format!("{printed}{left_out}")], "{text}");
    }
}

#[test]
fn dashes_alone_below_a_line_are_a_row_without_what_psql_writes_below() {
    assert_eq!(
        table_with("header: true", "x.csv", "a\n---\nb\n").unwrap().text,
        "/* table: x(a), header: true */\nx('---').\nx(b).\n"
    );
}

#[test]
fn a_table_of_markdown_in_a_quoted_value_stays_there() {
    let read = table("x.csv", "id,body\n1,\"See\n| a | b |\n|---|---|\n| 1 | 2 |\n\"\n");
    assert_eq!(read.tables[0].rows, 1);
    assert!(read.text.contains("| a | b |"), "{}", read.text);
}

proptest! {
    #[test]
    fn tables_that_are_written_as_markdown_come_back(
        rows in prop::collection::vec(prop::collection::vec("[a-z#>\"',:.é+-]{0,6}[a-z]", 3), 1..20),
        is_framed in any::<bool>(),
        dashes in "(:?-{1,4}:?)",
    ) {
        let line = |row: &[String]| match is_framed {
            true => format!("| {} |\n", row.join(" | ")),
            false => format!("{}\n", row.join(" | ")),
        };
        let names = ["x", "y", "z"].map(str::to_owned);
        let rule = vec![dashes; 3];
        let text = format!("{}{}{}", line(&names), line(&rule), rows.iter().map(|row| line(row)).collect::<String>());
        let table = read_as("t.csv", &text, &Wishes::default()).unwrap();
        let expected = rows.iter().map(|row| {
            let mut fact = "t(".to_owned();
            for (at, value) in row.iter().enumerate() {
                fact.push_str(if at > 0 { ", " } else { "" });
                crate::value::push_atom(&mut fact, value);
            }
            format!("{fact}).")
        });
        let found: Vec<&str> = facts(&table).into_iter().filter(|fact| !fact.is_empty()).collect();
        prop_assert_eq!(found, expected.collect::<Vec<_>>());
    }
}
