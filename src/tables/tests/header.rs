//! Whether the first row names the columns: the same rows as CSV, `.xlsx` and `.ods`.

use super::workbook::{rows, xlsx, zipped};
use super::*;
use crate::value::{Point, number};

/// A file with the rows of this CSV, in each format. Numbers are numbers in a workbook.
fn files(csv: &str) -> [(&'static str, String); 3] {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(csv.as_bytes());
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let is_number = |text: &str| number(text, Point::Dot).is_some();
    let cells = |record: &csv::StringRecord| -> Vec<String> {
        let cell = |text: &str| match text {
            "" => String::new(),
            number if is_number(number) => number.to_owned(),
            text => format!("\"{text}"),
        };
        record.iter().map(cell).collect()
    };
    let cells: Vec<Vec<String>> = records.iter().map(cells).collect();
    let cells: Vec<Vec<&str>> = cells
        .iter()
        .map(|row| row.iter().map(String::as_str).collect())
        .collect();
    let cells: Vec<&[&str]> = cells.iter().map(Vec::as_slice).collect();
    let element = |text: &str| match text {
        "" => "<table:table-cell/>".to_owned(),
        number if is_number(number) => {
            format!(r#"<table:table-cell office:value-type="float" office:value="{number}"/>"#)
        }
        text => {
            format!(
                r#"<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>"#
            )
        }
    };
    let row = |record: &csv::StringRecord| {
        let cells: String = record.iter().map(element).collect();
        format!("<table:table-row>{cells}</table:table-row>")
    };
    let sheet: String = records.iter().map(row).collect();
    let content = format!(r#"<office:body><table:table table:name="S">{sheet}</table:table></office:body>"#);
    [
        ("x.csv", csv.to_owned()),
        ("x.xlsx", xlsx(&[("S", &rows(&cells))])),
        ("x.ods", zipped(&[("content.xml", content)])),
    ]
}

/// The table, from each format.
fn each(csv: &str) -> impl Iterator<Item = (String, Table)> {
    files(csv)
        .into_iter()
        .map(move |(name, text)| (format!("{name}: {csv}"), table(name, &text)))
}

#[test]
fn names_of_columns_may_be_years_or_stand_beside_an_empty_corner() {
    let note = |first: &str| {
        format!(
            "{first} in the first row were taken as names of columns; if they are data, import it with columns: \"header: false\"."
        )
    };
    for (text, first) in [
        (
            "Country,1960,1961,1962,1963\nAruba,4.82,4.65,5,6\nAngola,7.3,7.35,7,8\n",
            "1960, 1961, 1962, …",
        ),
        (
            "Country,2022,2021,2020\nAruba,1,2,3\nAngola,7,7,8\n",
            "2022, 2021, 2020",
        ),
        ("country name,2010,2020\nAruba,1,2\nAngola,7,7\n", "2010, 2020"),
        (",2010,2020\nAruba,1,2\nAngola,7,7\n", "2010, 2020"),
        ("id,name,2019\n1,x,5\n2,y,6\n", "2019"),
        ("label,1,2,3\n7,4,5,6\n8,4,5,6\n", "1, 2, 3"),
        ("\"\",\"0\",\"1\"\n\"0\",9,5\n\"1\",4,3\n", "0, 1"),
    ] {
        for (what, table) in each(text) {
            assert_eq!(
                (table.tables[0].rows, &table.tables[0].notes),
                (2, &vec![note(first)]),
                "{what}"
            );
        }
    }
    for text in [
        "rent,1600,1650,1700\nfood,400,410,420\n",
        "rent,1900,1950,2000\nfood,400,410,420\n",
        "rent,1900,1910,1920\nfood,400,410,420\n",
        "Goethe,1749,1832\nOvid,-43,17\n",
        "Ann,1960,1961,1962\nBob,1970,1971,1972\n",
        "country,2019\nde,5\n",
        "A 1,2019,2020\nB 22,5,6\n",
        ",2,3\n4,5,6\n",
        "\"\",0,1\n4,5,6\n",
        "sold,1,3\n4,5,6\n",
        "2019,2020,2021\n5,6,7\n",
    ] {
        for (what, table) in each(text) {
            assert_eq!(
                (table.tables[0].rows, &*table.tables[0].notes[0]),
                (2, crate::rows::NO_HEADER),
                "{what}"
            );
        }
    }
    let corner = table("x.csv", "\"\",\"0\",\"1\"\n\"0\",9,5\n\"1\",4,3\n");
    assert_eq!(facts(&corner), ["", "x(0, 9, 5).", "x(1, 4, 3)."]);
    let spans = table("x.csv", "Ann,1960,1961\nBob,1970,1982\n");
    assert_eq!(spans.tables[0].rows, 2);
    assert_eq!(facts(&spans)[0], "x('Ann', 1960, 1961).");
}

#[test]
fn a_mark_of_a_missing_value_names_no_column() {
    for mark in [
        "NA", "NaN", "NULL", "\"\"", "null", "n/a", "N.A.", "None", "-", "?", "sold out",
    ] {
        for text in [
            format!("1,{mark},3\n4,5,6\n7,8,9\n"),
            format!("1,2,{mark}\n4,5,6\n7,8,9\n"),
        ] {
            for (what, table) in each(&text) {
                assert_eq!(
                    (table.tables[0].rows, &*table.tables[0].notes[0]),
                    (3, crate::rows::NO_HEADER),
                    "{what}"
                );
            }
        }
    }
    for text in [
        "NA,NA\n1,2\n3,4\n",
        "Ann,NA\nBob,5\nCid,6\n",
        "\"\",NA\n1,2\n3,4\n",
        "2026-01-01,sold\n2026-01-02,4\n2026-01-03,4\n",
        "Ann,true\nBob,false\nCid,true\n",
    ] {
        for (what, table) in each(text) {
            assert_eq!(table.tables[0].rows, 3, "{what}");
        }
    }
    // Another column tells.
    for (what, named) in each("year,NA,EU\n2020,1,2\n2021,3,NA\n") {
        assert_eq!(named.tables[0].columns[1].name, "na", "{what}");
    }
}

#[test]
fn texts_of_a_row_name_columns_unless_they_come_again() {
    for (csv, rows) in [
        ("id,name\n1,x\n", 1),
        ("1,x\n2,y\n", 2),
        ("anna,bob\nbob,carl\nanna,dora\n", 3),
        ("name,city\nann,rome\nname,city\n", 3),
        ("red\ngreen\nred\nblue\nred\n", 5),
        ("yes\nno\nyes\n", 3),
        ("ann,london\nbob,paris\nann,london\n", 3),
        ("unknown\n5\nunknown\n7\n", 4),
        ("unknown,\n5,\nunknown,\n7,\n", 4),
        ("name,city\nann,rome\nname,\n", 3),
        ("country,2019\nde,5\n", 2),
        ("Customer ID,customerId,,Total (EUR)\n1,2,3,4\n", 1),
        ("answer,count\ntrue,4\nfalse,5\n", 2),
    ] {
        for (what, table) in each(csv) {
            assert_eq!(table.tables[0].rows, rows, "{what}");
        }
    }
}

#[test]
fn a_row_lost_to_doubt_is_told_of() {
    for text in [
        "red\ngreen\nred\n",
        "ann,london\nbob,paris\nann,london\n",
        "unknown\n5\nunknown\n",
    ] {
        for (what, table) in each(text) {
            assert_eq!(table.tables[0].notes, [crate::rows::NO_HEADER], "{what}");
        }
    }
    for (what, table) in each("ann,london\nbob,paris\n") {
        assert_eq!(table.tables[0].notes, [crate::header::ONLY_FIRST], "{what}");
    }
    for text in [
        "name,age\nann,3\n",
        ",city\nann,rome\n",
        "name,born\nann,2026-01-31\n",
    ] {
        for (what, table) in each(text) {
            let is_told = |note: &String| note.contains("The first row was taken");
            assert!(!table.tables[0].notes.iter().any(is_told), "{what}");
        }
    }
}

#[test]
fn a_header_that_comes_again_above_numbers_is_one_and_stays_a_row() {
    for (what, table) in each("name,age\nann,41\nname,age\nbob,17\n") {
        let about = &table.tables[0];
        assert_eq!((about.rows, &*about.columns[1].name), (3, "age"), "{what}");
        assert!(about.notes[0].contains("comes again below"), "{what}");
        assert!(
            facts(&table).iter().any(|fact| fact.ends_with("(name, age).")),
            "{what}"
        );
    }
}

#[test]
fn texts_of_digits_in_a_workbook_are_names() {
    let read = table(
        "x.xlsx",
        &xlsx(&[("S", &rows(&[&["\"2021", "\"2022"], &["5", "6"]]))]),
    );
    assert_eq!((read.tables[0].rows, &*read.tables[0].notes), (1, &[][..]));
}

#[test]
fn times_dates_and_numbers_with_marks_are_rows() {
    for text in [
        "08:30,a\n09:15,b\n",
        "31.01.2026,a\n01.02.2026,b\n",
        "10%,a\n20%,b\n",
        "$5,a\n$6,b\n",
    ] {
        assert_eq!(table("x.csv", text).tables[0].rows, 2, "{text}");
    }
}

#[test]
fn lines_above_a_csv_table_are_left_out_and_told_of() {
    let read = table("x.csv", "Report, May\nfrom the shop\n\nid;name;n\n1;a;2\n2;b;3\n");
    assert_eq!(read.text.lines().nth(4), Some("x(1, a, 2)."));
    let note = "The first 2 lines, which are no rows of the table, were left out: Report, May and so on.";
    assert_eq!(read.tables[0].notes[0], note);
    let said = read_as(
        "x.csv",
        "Report\na,b\n1,2\n",
        &Wishes {
            header: Some(true),
            ..Wishes::default()
        },
    );
    assert!(said.is_err(), "who says what the first row is means the first");
}

#[test]
fn in_doubt_the_first_line_is_the_first_row() {
    for (text, first) in [
        ("name,age\nAnn,41,\nBob,17,\n", "x(Ann, 41)."),
        ("name,city\nAnn,Rome,\nBob,Oslo,\n", "x(Ann, Rome)."),
        ("name\nAnn,\nBob,\n", "x(Ann)."),
    ] {
        let read = table("x.csv", text);
        assert_eq!(facts(&read)[1].replace('\'', ""), first, "{text}");
    }
    for text in [
        "Anna,5\nBob,6,x\nCy,7,y\nDo,8,z\n",
        "a,b\n1,2,3\n4,5,6\n",
        "Anna,Rome\nBob,Oslo,x\nCy,Ulm,y\nDo,Bern,z\n",
    ] {
        assert!(
            refused("x.csv", text).contains("its first line has 2 values"),
            "{text}"
        );
    }
}

#[test]
fn a_header_without_a_value_above_the_names_of_rows_is_one_as_r_writes_it() {
    for text in [
        "\"mpg\",\"cyl\"\n\"Mazda RX4\",21,6\n\"Fiat 128\",32.4,4\n",
        "name,age\n1,Ann,41\n2,Bob,17\n",
    ] {
        let read = table("x.csv", text);
        let about = &read.tables[0];
        assert_eq!((about.rows, &*about.columns[0].name), (2, "column_1"), "{text}");
        assert!(
            about.notes[0].contains("one value less than the rows"),
            "{:?}",
            about.notes
        );
    }
}

#[test]
fn numbers_with_marks_above_texts_are_names() {
    for text in ["Item,EUR 5\na,x\nb,y\n", "name,5%\nAnn,x\nBob,y\n"] {
        assert_eq!(table("x.csv", text).tables[0].rows, 2, "{text}");
    }
}

#[test]
fn the_delimiter_that_excel_is_told_of_is_taken() {
    for text in [
        "sep=;\r\nid;name\r\n1;a,b\r\n",
        "SEP=;\r\nid;name\r\n1;a,b\r\n",
        "sep=\t\r\nid\tname\r\n1\ta,b\r\n",
        "\"sep=|\"\r\nid|name\r\n1|a,b\r\n",
    ] {
        let read = table("x.csv", text);
        assert_eq!(read.text.lines().nth(2), Some("x(1, 'a,b')."), "{text}");
    }
}

#[test]
fn a_first_row_of_json_is_a_header_only_above_values_of_another_kind() {
    for text in [
        r#"[["x",null],["y",2]]"#,
        r#"[["Anna","Berlin"],["Bob","Rome"]]"#,
        r#"[["x",1],["y",2]]"#,
        r#"[["a","a"],[1,2]]"#,
        r#"[["2019","b"],[1,2]]"#,
        r#"[["a","b"],["c",2],["d","e"]]"#,
        r#"[[1,2],[3,4]]"#,
    ] {
        let rows = text.matches("],").count() + 1;
        assert_eq!(table("x.json", text).tables[0].rows, rows, "{text}");
        let lines = text[1..text.len() - 1].replace("],", "]\n");
        assert_eq!(table("x.jsonl", &lines).tables[0].rows, rows, "{text}");
    }
    assert_eq!(
        table("x.jsonl", "[\"x\"]\n[\"y\"]\n").tables[0].notes,
        [crate::rows::NO_HEADER]
    );
    let named = table("x.jsonl", "[\"id\",\"name\"]\n[1,\"a\"]\n[null,\"b\"]\n");
    assert_eq!(named.tables[0].rows, 2);
    assert_eq!(named.tables[0].notes, [crate::header::ONLY_FIRST]);
}

#[test]
fn rows_of_json_that_are_arrays_may_have_a_header() {
    let read = table("x.json", r#"[["id", "name"], [1, "a"], [2, "b", true]]"#);
    assert_eq!(
        read.text.lines().next(),
        Some("/* table: x(id, name, column_3) */ x(1, a, null).")
    );
    assert_eq!(read.tables[0].rows, 2);
    let data = table("x.json", "[[1, \"a\"], [2, \"b\"]]");
    assert_eq!(data.tables[0].rows, 2);
    let said = read_as(
        "x.json",
        r#"[["id", "name"], [1, "a"]]"#,
        &Wishes {
            header: Some(false),
            ..Wishes::default()
        },
    );
    assert_eq!(said.unwrap().tables[0].rows, 2);
    let wide = table("x.json", r#"[["id", "name", "n"], [1, "a"]]"#);
    assert_eq!(
        wide.text.lines().next(),
        Some("/* table: x(id, name, n) */ x(1, a, null).")
    );
}
