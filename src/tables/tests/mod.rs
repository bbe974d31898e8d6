//! What files become.

mod delimited;
mod header;
mod json;
mod marked;
mod random;
mod ruled;
mod workbook;
mod yaml;

use super::*;
use hornbook_base::at_once;

const MOST: Most = Most {
    rows: 1_000,
    entries: 7_000,
    bytes: 10 << 20,
};

fn read_as(filename: &str, text: &str, wishes: &Wishes) -> Result<Table, Fault> {
    let request = Request {
        filename: filename.to_owned(),
        format: Format::of(filename).expect("it is a table's"),
        wishes: wishes.clone(),
        most: MOST,
    };
    at_once(read(&request, text, &Pace::unbroken()))
}

/// The facts, line by line, without the comment.
fn facts(table: &Table) -> Vec<&str> {
    let (_, facts) = table.text.split_once("*/").expect("there is a comment");
    facts.lines().map(str::trim).collect()
}

fn table(filename: &str, text: &str) -> Table {
    read_as(filename, text, &Wishes::default()).expect("it is a table")
}

fn table_with(columns: &str, filename: &str, text: &str) -> Result<Table, Fault> {
    let columns = Some(columns.to_owned());
    read_as(
        filename,
        text,
        &Wishes {
            columns,
            ..Wishes::default()
        },
    )
}

/// Each column in a line, as `amount number 1 [12.5, 3]`.
fn columns(table: &Table) -> Vec<String> {
    let of = |column: &Column| {
        let (kind, examples) = (column.kind.name(), column.examples.join(" "));
        format!("{} {kind} {} [{examples}]", column.name, column.nulls)
    };
    table.tables[0].columns.iter().map(of).collect()
}

fn refused(filename: &str, text: &str) -> String {
    read_as(filename, text, &Wishes::default())
        .expect_err("it is no table")
        .message
}

#[test]
fn predicates_are_named_after_files() {
    for (file, name) in [
        ("Sales 2026.csv", "sales_2026"),
        ("/data/2026-orders.CSV", "t_2026_orders"),
        ("customerOrders.json", "customer_orders"),
        ("C:\\x\\Größe.tsv", "größe"),
        ("---.csv", "table_1"),
    ] {
        assert_eq!(stem(file), name);
    }
}

#[test]
fn the_comment_at_the_head_tells_the_columns_and_what_was_asked_for() {
    let table = table_with("sales(id, code: text)", "x.csv", "A,B\n1,2\n").unwrap();
    assert!(
        table
            .text
            .starts_with("/* table: sales(id, code: text), as asked of (a, b) */\nsales(1, '2').\n"),
        "{}",
        table.text
    );
    let known = Known::of(&table.text).unwrap();
    assert_eq!(known.columns().collect::<Vec<_>>(), ["id", "code"]);
    let wishes = known.wishes();
    assert_eq!(wishes.columns.as_deref(), Some("sales(id, code: text)"));
    assert_eq!(read_as("x.csv", "A,B\n1,2\n", &wishes).unwrap(), table);
    let plain = super::tests::table("x.csv", "A,B\n1,2\n");
    let was = Some(vec!["a".to_owned(), "b".to_owned()]);
    let wanted = Wishes {
        was,
        ..Wishes::default()
    };
    assert_eq!(Known::of(&plain.text).unwrap().wishes(), wanted);
    assert_eq!(read_as("x.csv", "A,B\n1,2\n", &wanted).unwrap(), plain);
    assert_eq!(Known::of("/* a table */ p(1)."), None);
}

#[test]
fn a_file_without_rows_that_is_read_again_has_the_columns_that_it_had() {
    for (columns, filename, first, wanted) in [
        (
            "",
            "t.json",
            r#"[{"id": 1, "who": "Ann"}]"#,
            "t(id, who) */ :- dynamic(t/2).",
        ),
        (
            "tt(nr, who: text)",
            "t.json",
            r#"[{"id": 1, "who": "Ann"}]"#,
            "tt(nr, who: text), as asked of (id, who) */ :- dynamic(tt/2).",
        ),
        (
            "tt(id, who)",
            "t.json",
            "[]",
            "tt(id, who), as asked */ :- dynamic(tt/2).",
        ),
        ("", "t.csv", "id,who\n1,Ann\n", "t(id, who) */ :- dynamic(t/2)."),
    ] {
        let mut read = table_with(columns, filename, first).unwrap();
        for second in ["", "[]", "{}", r#"{"total": 0, "rows": []}"#] {
            if filename.ends_with("csv") && !second.is_empty() {
                continue;
            }
            let wishes = Known::of(&read.text).unwrap().wishes();
            read = read_as(filename, second, &wishes).unwrap();
            assert_eq!(
                read.text.trim(),
                format!("/* table: {wanted}"),
                "{columns} {second}"
            );
        }
    }
    // What has rows again has its own columns, and what was chosen stays.
    let empty = table_with("tt(nr, who: text)", "t.json", r#"[{"id": 1, "who": 2}]"#).unwrap();
    let empty = read_as("t.json", "[]", &Known::of(&empty.text).unwrap().wishes()).unwrap();
    let again = r#"[{"who": 7, "id": 1, "more": true}]"#;
    let again = read_as("t.json", again, &Known::of(&empty.text).unwrap().wishes()).unwrap();
    assert_eq!(facts(&again), ["tt('7', 1, true)."]);
}

#[test]
fn what_was_chosen_for_a_column_goes_with_its_name_in_the_file() {
    let again = |columns: &str, first: &str, second: &str| {
        let table = table_with(columns, "t.csv", first).unwrap();
        let wishes = Known::of(&table.text).unwrap().wishes();
        let again = read_as("t.csv", second, &wishes).unwrap();
        let (comment, _) = again.text.split_once(" */").unwrap();
        (comment.to_owned(), again.tables[0].notes.join(" "))
    };
    let first = "name,age\nAnn,30\n";
    for (columns, second, comment, note) in [
        ("tt", "age,name\n30,Ann\n", "tt(age, name), as asked", ""),
        (
            "tt(who, age: text)",
            "age,name\n30,Ann\n",
            "tt(age: text, who), as asked of (age, name)",
            "",
        ),
        (
            "tt(who, age)",
            "name,town,age\nAnn,Ulm,30\n",
            "tt(who, town, age), as asked of (name, town, age)",
            "",
        ),
        (
            "tt(name, age)",
            "name,town\nAnn,Ulm\n",
            "tt(name, town), as asked",
            crate::header::ONLY_FIRST,
        ),
        (
            "tt(who, age: text)",
            "age,town\n30,Ulm\n",
            "tt(age: text, town), as asked",
            "It has other columns than before: what was chosen for name is left out.",
        ),
        (
            "tt(who, age)",
            "who,name\nUlm,Ann\n",
            "tt(who, name), as asked",
            &format!(
                "{} It has other columns than before: what was chosen for name is left out.",
                crate::header::ONLY_FIRST
            ),
        ),
    ] {
        let (found, notes) = again(columns, first, second);
        assert_eq!(found, format!("/* table: {comment}"));
        assert_eq!(notes, note);
    }
    // Without a header they go by their places.
    let (found, notes) = again("code, who, header: false", "12,Ann\n007,Bob\n", "13,Cid,x\n");
    assert_eq!(
        found,
        "/* table: t(code, who, column_3), as asked of (column_1, column_2, column_3), header: false"
    );
    assert_eq!(notes, "");
}

#[test]
fn what_is_chosen_when_a_file_is_read_again_keeps_what_was_chosen_before() {
    let again = |before: &str, now: &str| {
        let text = "id,amount,zip\n1,2,034\n";
        let first = table_with(before, "n.csv", text).unwrap();
        let now = Wishes {
            columns: Some(now.to_owned()),
            ..Wishes::default()
        };
        let wishes = now.after(Known::of(&first.text).unwrap().wishes());
        let again = read_as("n.csv", text, &wishes);
        again.map(|table| table.text.lines().next().unwrap_or_default().to_owned())
    };
    let sales = "sales(id, v, zip: text)";
    for (before, now, comment) in [
        (
            sales,
            "v: number",
            "sales(id, v: number, zip: text), as asked of (id, amount, zip)",
        ),
        (
            sales,
            "amount: number",
            "sales(id, v: number, zip: text), as asked of (id, amount, zip)",
        ),
        (
            sales,
            "zip: number",
            "sales(id, v, zip: number), as asked of (id, amount, zip)",
        ),
        (
            sales,
            "costs",
            "costs(id, v, zip: text), as asked of (id, amount, zip)",
        ),
        (sales, "a, b, c", "sales(a, b, c), as asked of (id, amount, zip)"),
        (
            sales,
            "costs(a, b, c)",
            "costs(a, b, c), as asked of (id, amount, zip)",
        ),
        (
            sales,
            "header: true",
            "sales(id, v, zip: text), as asked of (id, amount, zip), header: true",
        ),
        (
            "header: false",
            "header: true",
            "n(id, amount, zip), header: true",
        ),
        (
            "s, header: true",
            "zip: text",
            "s(id, amount, zip: text), as asked, header: true",
        ),
    ] {
        let found = again(before, now).unwrap();
        assert!(
            found.starts_with(&format!("/* table: {comment} */")),
            "{now}: {found}"
        );
    }
    let fault = again(sales, "price: number").expect_err("there is none");
    assert_eq!(
        fault.message,
        "n.csv cannot be read as a table: it has no column price, and has id, v, zip."
    );
    let umlaut = table_with("a, b: text", "größe.csv", "x,y\n1,2\n").unwrap();
    let wishes = Known::of(&umlaut.text).unwrap().wishes();
    assert_eq!(read_as("größe.csv", "x,y\n1,2\n", &wishes).unwrap(), umlaut);
}

#[test]
fn what_is_asked_for_and_unclear_is_refused() {
    for (columns, at) in [
        ("sales(id, amount", "sales(id, amount"),
        ("sales(id: int)", "id: int"),
        ("id, id", "id"),
        ("Sales", "Sales"),
        ("a b, c", "a b"),
    ] {
        let fault = table_with(columns, "x.csv", "a,b\n1,2\n").expect_err(columns);
        assert_eq!(
            fault.message,
            format!("Argument 'columns' cannot be read at `{at}`.")
        );
    }
    let fault = table_with("id", "x.csv", "a,b\n1,2\n");
    assert!(fault.is_ok(), "one word alone is the predicate");
    let fault = table_with("id, b, c", "x.csv", "a,b\n1,2\n").expect_err("there are two");
    assert_eq!(
        fault.message,
        "x.csv cannot be read as a table: 'columns' names 3, and it has 2: a, b."
    );
}
