//! Numbers as people write them.

use super::*;
use crate::marked::marked;

fn read(text: &str, point: Point) -> Option<String> {
    marked(text, point).map(|marked| marked.digits)
}

#[test]
fn marks_of_people_are_read_with_either_decimal_point() {
    for (text, digits) in [
        ("1,200.50", "1200.50"),
        ("$12.50", "12.50"),
        ("-$1,200", "-1200"),
        ("$ -5", "-5"),
        ("€ 5", "5"),
        ("5 EUR", "5"),
        ("(3.00)", "-3.00"),
        ("1'200.5", "1200.5"),
        ("1 200 300", "1200300"),
        ("10%", "0.1"),
        ("12.5 %", "0.125"),
        ("0.05%", "0.0005"),
        ("100%", "1"),
        (".5", "0.5"),
        ("5.", "5"),
        ("+7", "7"),
        ("007", "7"),
        ("−4", "-4"),
    ] {
        assert_eq!(read(text, Point::Dot).as_deref(), Some(digits), "{text}");
    }
    assert_eq!(read("1.200,50 €", Point::Comma).as_deref(), Some("1200.50"));
    for text in [
        "1,20,0", "1,2", "12-5", "$", "%", "1.2.3", "five", "1 2", "0,500", "00,500", "0'500", "--1", "$5$",
        "1e999", "()",
    ] {
        assert_eq!(read(text, Point::Dot), None, "{text}");
    }
}

#[test]
fn a_column_asked_to_be_number_has_one_decimal_point() {
    let said = |text: &str| {
        let table = table_with("n: number", "x.csv", text).unwrap();
        let facts: Vec<String> = facts(&table)[1..].iter().map(|fact| (*fact).to_owned()).collect();
        (facts.join(" "), table.tables[0].notes.join(" "))
    };
    let (facts, notes) = said("n;m\n1.200,50;a\n1.200;b\n");
    assert_eq!(facts, "x(1200.50, a). x(1200, b).");
    assert!(
        notes.contains("n: decimals stand behind a comma, so 1.200 (line 3) is 1200."),
        "{notes}"
    );
    let (facts, notes) = said("n,m\n\"1,200.50\",a\n\"1,200\",b\n");
    assert_eq!(facts, "x(1200.50, a). x(1200, b).");
    assert!(
        notes.contains("n: decimals stand behind a dot, so 1,200 (line 3) is 1200."),
        "{notes}"
    );
    let (facts, notes) = said("n,m\n\"1,200\",a\n");
    assert_eq!(facts, "x(1200, a).");
    assert!(
        notes.contains("n: 1,200 (line 2) was read as 1200, and may mean 1.200: no value tells which."),
        "{notes}"
    );
    let (facts, notes) = said("n,m\n12.5,a\n13.5,b\n\"1,5\",c\n");
    assert_eq!(facts, "x(12.5, a). x(13.5, b). x('1,5', c).");
    assert!(
        notes.contains("n: 1 of 3 are no numbers and stay text: line 4 ('1,5')."),
        "{notes}"
    );
    let (facts, notes) = said("n,m\n10%,a\n$5,b\n€ 6,c\n,d\n");
    assert_eq!(facts, "x(0.1, a). x(5, b). x(6, c). x(null, d).");
    assert!(notes.contains("n: 10% (line 2) was read as 0.1."), "{notes}");
    assert!(
        notes.contains("n: $ and € were left out, though they are different units"),
        "{notes}"
    );
}

#[test]
fn a_column_with_marks_stays_text_and_says_how_it_becomes_numbers() {
    for (text, why) in [
        (
            "n,m\n$12.50,a\n$3,b\n",
            "$12.50 (line 2) is not written as a plain number; columns: \"n: number\" reads numbers.",
        ),
        (
            "n,m\n\"1,200\",a\n\"3,400\",b\n",
            "1,200 (line 2) may be 1200 or 1.200; columns: \"n: number\" reads numbers.",
        ),
        (
            "n;m\n1.200,50;a\n1,200.50;b\n",
            "1,200.50 (line 3) has a decimal point, and 1.200,50 (line 2) a decimal comma; columns: \"n: number\" reads those with a decimal point, and the others stay text.",
        ),
        (
            "n;m\n1,5;a\n2.5;b\n",
            "2.5 (line 3) has a decimal point, and 1,5 (line 2) a decimal comma; columns: \"n: number\" reads those with a decimal point, and the others stay text.",
        ),
        (
            "n,m\n\"12,5\",a\n",
            "12,5 (line 2) has a decimal comma; columns: \"n: number\" reads numbers.",
        ),
    ] {
        let table = table("x.csv", text);
        assert_eq!(table.tables[0].columns[0].kind, ColumnKind::Text, "{text}");
        let note = format!("n stays text: {why}");
        assert!(
            table.tables[0].notes.contains(&note),
            "{:?}",
            table.tables[0].notes
        );
    }
    for text in [
        "n,m\n007,a\n012,b\n",
        "n,m\n-007,a\n",
        "n,m\n+49 123,a\n",
        "n,m\n192.168.100.200,a\n192.168.100.201,b\n",
    ] {
        let notes = table("x.csv", text).tables[0].notes.join(" ");
        assert!(!notes.contains("stays text"), "{notes}");
    }
    let dots = table("x.csv", "n;m\n1.200;3\n").tables[0].notes.join(" ");
    assert!(
        dots.contains(
            "n: the dot of 1.200 was read as a decimal point; if it separates thousands, remove it"
        ),
        "{dots}"
    );
}

#[test]
fn columns_with_types_may_be_named_without_the_others() {
    for (file, text) in [
        ("x.csv", "id;preis;name\n1;2,50 €;a\n"),
        ("x.json", r#"[{"id": 1, "preis": "2.50 €", "name": "a"}]"#),
    ] {
        let table = table_with("preis: number", file, text).unwrap();
        assert_eq!(facts(&table).last(), Some(&"x(1, 2.50, a)."), "{file}");
        assert!(
            table
                .text
                .starts_with("/* table: x(id, preis: number, name), as asked */"),
            "{}",
            table.text
        );
    }
    let fault = table_with("prise: number", "x.csv", "id,preis\n1,2\n").expect_err("there is none");
    assert_eq!(
        fault.message,
        "x.csv cannot be read as a table: it has no column prise, and has id, preis."
    );
    let named = table_with("t(preis: text)", "x.csv", "id,preis\n1,2\n").unwrap();
    assert_eq!(facts(&named)[1..], ["t(1, '2')."]);
}

#[test]
fn what_follows_a_zero_is_decimals_in_each_format() {
    let quoted = "id,v\n1,\"0,500\"\n2,\"0,125\"\n3,\"0,075\"\n";
    let json = r#"[{"id":1,"v":"0,500"},{"id":2,"v":"0,125"},{"id":3,"v":"0,075"}]"#;
    for (file, text) in [
        ("x.csv", quoted),
        (
            "x.tsv",
            &quoted
                .replace(",\"", "\t")
                .replace("id,v", "id\tv")
                .replace('"', ""),
        ),
        ("x.json", json),
    ] {
        let table = table_with("v: number", file, text).unwrap();
        let mut found = facts(&table);
        found.retain(|fact| !fact.is_empty());
        assert_eq!(found, ["x(1, 0.500).", "x(2, 0.125).", "x(3, 0.075)."], "{file}");
        assert_eq!(
            table.tables[0].notes,
            ["v: the comma was read as a decimal comma."],
            "{file}"
        );
    }
    let dots = table_with("v: number", "x.csv", "id,v\n1,0.500\n2,0.125\n").unwrap();
    assert_eq!(dots.tables[0].notes, [""; 0]);
}

#[test]
fn a_column_of_json_has_one_decimal_mark_as_one_of_csv_has() {
    let json = r#"[{"v":"1.200,50"},{"v":"1.200"},{"v":7},{"v":null},{"v":"x"}]"#;
    let table = table_with("x(v: number)", "x.json", json).unwrap();
    let about = &table.tables[0];
    assert!(
        table
            .text
            .contains("x(1200.50).\nx(1200).\nx(7).\nx(null).\nx(x)."),
        "{}",
        table.text
    );
    assert_eq!(about.columns[0].examples, ["1200.50", "1200"]);
    assert_eq!(
        about.notes.join(" "),
        "v: 1 of 4 are no numbers and stay as they are: line 1 (x). v: decimals stand behind a comma, so 1.200 (line 1) is 1200."
    );
}

#[test]
fn several_dots_without_decimals_are_no_number_unless_another_value_has_a_decimal_comma() {
    let ips = table_with("v: number", "x.csv", "id,v\n1,192.168.100.200\n2,5\n3,1.2.3\n").unwrap();
    assert_eq!(
        facts(&ips)[1..],
        ["x(1, '192.168.100.200').", "x(2, 5).", "x(3, '1.2.3')."]
    );
    let note = "v: 2 of 3 are no numbers and stay text: line 2 ('192.168.100.200'), line 4 ('1.2.3').";
    assert_eq!(ips.tables[0].notes, [note]);
    let german = table_with("v: number", "x.csv", "id;v\n1;1.234.567\n2;3,5\n").unwrap();
    assert_eq!(facts(&german)[1..], ["x(1, 1234567).", "x(2, 3.5)."]);
}
