//! Whatever a file has, reading it ends in a table or a fault.

use super::*;
use proptest::prelude::*;

/// Texts of the characters that mean something.
fn texts() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        ",",
        ";",
        "\t",
        "\"",
        "'",
        "\n",
        "\r\n",
        "\r",
        "a",
        "B c",
        "1",
        "-2.5",
        "1,5",
        "#",
        " ",
        "{",
        "}",
        "- ",
        "  ",
        "|\n",
        "&a ",
        "*a",
        "[",
        "]",
        ":",
        "\"k\"",
        "\"k\":",
        "null",
        "true",
        "\\",
        "\\u0041",
        "é",
        "\u{2028}",
        "\u{feff}",
        "😀",
        "(",
        ").",
        "*/",
        "e9",
        "|",
        "-|-",
        "--+--",
        "---\n",
        "> ",
        "(2 rows)\n",
    ]);
    prop::collection::vec(pieces, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_text_ends_in_facts_or_a_fault(text in texts(), header in prop::option::of(any::<bool>())) {
        for file in ["x.csv", "x.tsv", "x.json", "x.jsonl", "x.yaml"] {
            let Ok(table) = read_as(file, &text, &Wishes { header, ..Wishes::default() }) else { continue };
            let known = Known::of(&table.text).expect("its comment is read again");
            prop_assert_eq!(known.columns().count(), table.tables[0].columns.len());
            prop_assert!(table.tables[0].rows <= MOST.rows);
            // Every fact begins a line or follows the comment, and nothing else does.
            let is_fact = |fact: &&str| !fact.is_empty() && !fact.starts_with(":- dynamic(x/");
            let facts = facts(&table).into_iter().filter(is_fact).collect::<Vec<_>>();
            prop_assert!(facts.iter().all(|fact| fact.starts_with("x") && fact.ends_with(").")), "{:?}", facts);
            prop_assert!(facts.len() >= table.tables[0].rows);
        }
    }

    #[test]
    fn tables_that_are_written_as_csv_come_back(
        rows in prop::collection::vec(prop::collection::vec("[a-z ,;\"'\n\\\\é|#]{0,8}", 3), 1..20),
    ) {
        let quoted = |value: &String| format!("\"{}\"", value.replace('"', "\"\""));
        let line = |row: &Vec<String>| row.iter().map(quoted).collect::<Vec<_>>().join(",");
        let text = format!("x,y,z\n{}\n", rows.iter().map(line).collect::<Vec<_>>().join("\n"));
        let table = read_as("t.csv", &text, &Wishes { header: Some(true), ..Wishes::default() }).unwrap();
        let mut expected = Vec::new();
        for row in &rows {
            let mut fact = "t(".to_owned();
            for (at, value) in row.iter().enumerate() {
                fact.push_str(if at > 0 { ", " } else { "" });
                crate::value::push_atom(&mut fact, value);
            }
            expected.push(format!("{fact})."));
        }
        let found: Vec<&str> = facts(&table).into_iter().filter(|fact| !fact.is_empty()).collect();
        prop_assert_eq!(found, expected);
    }
}
