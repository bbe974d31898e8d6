use super::*;

#[test]
fn a_row_is_a_fact_in_the_line_that_it_has_in_the_file() {
    let text = "id,name,amount\r\n1,Anna,12.50\r\n\r\n2,\"two\nlines\",\r\n3,\"\",7\r\n";
    let table = table("orders.csv", text);
    assert_eq!(
        table.text,
        "/* table: orders(id, name, amount) */\n\
         orders(1, 'Anna', 12.50).\n\n\
         orders(2, 'two\\nlines', null).\n\n\
         orders(3, '', 7).\n"
    );
    assert_eq!(
        columns(&table),
        [
            "id number 0 [1 2]",
            "name text 0 ['Anna' 'two\\nlines']",
            "amount number 1 [12.50 7]"
        ]
    );
    assert_eq!((table.tables[0].rows, table.tables[0].notes.len()), (3, 0));
}

#[test]
fn what_is_no_number_exactly_as_written_makes_a_column_text() {
    let is_number = |value: &str| {
        let table = table("x.csv", &format!("key,value\na,1\nb,\"{value}\"\n"));
        table.tables[0].columns[1].kind == ColumnKind::Number
    };
    for value in [
        "0",
        "-1",
        "-0",
        "123456789012345678901234567890",
        "1.0",
        "-0.25",
        "1e5",
        "1.5E-3",
        "0.1",
        "5e-300",
        "1.7976931348623157e308",
        "48.053808600000004",
    ] {
        assert!(is_number(value), "{value}");
    }
    for value in [
        "007",
        "+1",
        "1,000",
        "1e999",
        "1e-400",
        ".5",
        "5.",
        "0x1F",
        "1_000",
        "inf",
        "-",
        "0.12345678901234567890",
        "48.053808600000003",
        "12 kg",
        "2026-01-31",
    ] {
        assert!(!is_number(value), "{value}");
    }
    let table = table("x.csv", "a,b\n1e5,2\n1E-3,3\n");
    assert_eq!(facts(&table), ["", "x(1.0e5, 2).", "x(1.0e-3, 3)."]);
}

#[test]
fn text_stays_what_it_is_in_quoted_atoms() {
    let table = table(
        "x.csv",
        "word,n\nplain,1\nO'Neil,2\n\"say \"\"hi\"\"\",3\nC:\\x,4\n\"a\tb\u{1}\",5\nÄrger,6\n_x,7\n[],8\n:- halt.,9\n",
    );
    let words: Vec<&str> = facts(&table)[1..]
        .iter()
        .map(|fact| &fact[2..fact.len() - 5])
        .collect();
    assert_eq!(
        words,
        [
            "plain",
            "'O\\'Neil'",
            "'say \"hi\"'",
            "'C:\\\\x'",
            "'a\\tb\\x1\\'",
            "'Ärger'",
            "'_x'",
            "'[]'",
            "':- halt.'"
        ]
    );
}

#[test]
fn a_number_may_be_missing_in_the_ways_that_programs_write() {
    let table = table(
        "x.csv",
        "\"n\",\"m\",\"t\",\"z\"\n\"1\",NA,\"\",NA\n\"\",2,NA,NA\n\"3\",NaN,null,NA\n",
    );
    assert_eq!(
        facts(&table),
        [
            "",
            "x(1, null, '', 'NA').",
            "x(null, 2, 'NA', 'NA').",
            "x(3, null, null, 'NA')."
        ]
    );
    assert_eq!(
        columns(&table),
        ["n number 1 [1 3]", "m number 2 [2]", "t text 1 []", "z text 0 []"]
    );
    assert_eq!(
        table.tables[0].notes,
        [
            "n: \"\" was read as null.",
            "m: 2 times NA or the like was read as null."
        ]
    );
}

#[test]
fn a_decimal_that_is_as_near_as_the_shortest_is_a_number() {
    // A float has both ends of a tie.
    for text in ["147.22000122070312", "147.22000122070313", "0.1", "5e-324"] {
        assert!(number(text, Point::Dot).is_some(), "{text}");
    }
    for text in ["0.12345678901234567891", "147.220001220703125", "1e-400"] {
        assert!(number(text, Point::Dot).is_none(), "{text}");
    }
}

#[test]
fn dots_beside_decimal_commas_are_no_decimal_points() {
    let note = "b stays text: beside decimal commas, the dots of 3.645 may separate thousands. columns: \"b: number\" reads it as 3645.";
    for text in [
        "a;b\n1,5;3.645\n2;12\n",
        "a;b\n1,5;3.645\n2,25;1.234.567\n",
        "a,b\n\"1,5\",3.645\n\"2,25\",-7.000\n",
        "a;b\n1.234,56;3.645\n2,25;7.000\n",
        "a;b\n0,125;3.645\nNA;7.000\n",
    ] {
        let table = table("x.csv", text);
        assert_eq!(table.tables[0].columns[1].kind, ColumnKind::Text, "{text}");
        assert!(
            table.tables[0].notes.iter().any(|found| found == note),
            "{:?}",
            table.tables[0].notes
        );
    }
    for text in [
        "a;b\n1.5;3.645\n2;12\n",
        "a;b\n1,5;3.645\n2;12.5\n",
        "a;b\n1,5;0.125\n2;0.250\n",
        "a;b\n1,000;3.645\n2,000;1.250\n",
    ] {
        let table = table("x.csv", text);
        assert_eq!(table.tables[0].columns[1].kind, ColumnKind::Number, "{text}");
    }
    let said = table_with("a, b: number", "x.csv", "a;b\n1,5;3.645\nNA;12\n").unwrap();
    assert_eq!(facts(&said), ["", "x(1.5, 3645).", "x(null, 12)."]);
    assert_eq!(
        said.tables[0].notes[1..],
        [
            "a: NA was read as null. a: the comma was read as a decimal comma.",
            "b: 3.645 (line 2) was read as 3645, and may mean 3.645: no value tells which. If it does, write it so in the file."
        ]
    );
}

#[test]
fn dialects_are_recognized() {
    let european = table("x.csv", "\u{feff}Datum;Betrag\n2026-01-02;12,50\n2026-01-03;-3\n");
    assert_eq!(facts(&european)[1], "x('2026-01-02', 12.50).");
    assert_eq!(
        european.tables[0].notes,
        [
            "Values are separated by semicolons.",
            "betrag: the comma was read as a decimal comma."
        ]
    );
    let thousands = table("x.csv", "a;b\n1,000;2\n12,345;3\n");
    assert_eq!(columns(&thousands)[0], "a text 0 ['1,000' '12,345']");
    let bars = table("x.csv", "a|b\n1|x, y\n");
    assert_eq!(facts(&bars)[1], "x(1, 'x, y').");
    let tabs = table("x.tsv", "a\tb\n1\tx, y\n");
    assert_eq!(facts(&tabs)[1], "x(1, 'x, y').");
    let spaced = table("x.csv", "a, b\n1, x\n2, y\n");
    assert_eq!(facts(&spaced), ["", "x(1, x).", "x(2, y)."]);
    let quoted = table("x.csv", "a, b\n1, \"x, \"\"y\"\"\"\n\"2, 3\", \"z\n w\" \n");
    assert_eq!(
        facts(&quoted),
        ["", "x('1', 'x, \"y\"').", "x('2, 3', 'z\\n w')."]
    );
    let single = table("x.csv", "'a','b'\n'1','x, ''y'''\n");
    assert_eq!(facts(&single)[1], "x(1, 'x, \\'y\\'').");
    let comments = table("x.csv", "# made by hand\n# twice\na,b\n1,2\n# done\n3,4\n");
    assert_eq!(facts(&comments), ["", "", "", "x(1, 2).", "", "x(3, 4)."]);
    assert_eq!(
        comments.tables[0].notes,
        ["Lines that begin with # were left out."]
    );
    let hash = table("x.csv", "#,name\n1,x\n2,y\n");
    assert_eq!(columns(&hash), ["column_1 number 0 [1 2]", "name text 0 [x y]"]);
    let old_mac = table("x.csv", "a,b\r1,2\r3,4\r");
    assert_eq!(old_mac.tables[0].rows, 2);
}

#[test]
fn a_header_is_recognized_or_said() {
    let names = |text: &str, header| {
        let table = read_as(
            "x.csv",
            text,
            &Wishes {
                header,
                ..Wishes::default()
            },
        )
        .unwrap();
        let names: Vec<String> = table.tables[0]
            .columns
            .iter()
            .map(|column| column.name.clone())
            .collect();
        (names.join(" "), table.tables[0].rows)
    };
    let is = |names: &str, rows| (names.to_owned(), rows);
    assert_eq!(names("id,name\n1,x\n", None), is("id name", 1));
    assert_eq!(names("1,x\n2,y\n", None), is("column_1 column_2", 2));
    assert_eq!(
        names("anna,bob\nbob,carl\nanna,dora\n", None),
        is("column_1 column_2", 3)
    );
    assert_eq!(names("country,2019\nde,5\n", None), is("column_1 column_2", 2));
    assert_eq!(names("country,2019\nde,5\n", Some(true)), is("country 2019", 1));
    assert_eq!(names("id,name\n1,x\n", Some(false)), is("column_1 column_2", 2));
    let said = table_with("t, header: false", "x.csv", "id,name\n1,x\n").unwrap();
    assert_eq!((said.tables[0].name.as_str(), said.tables[0].rows), ("t", 2));
    assert_eq!(
        table_with("header: true", "x.csv", "1,2\n3,4\n").unwrap().tables[0].rows,
        1
    );
    assert_eq!(
        names("Customer ID,customerId,,Total (EUR)\n1,2,3,4\n", None),
        is("customer_id customer_id_2 column_3 total_eur", 1)
    );
}

#[test]
fn ragged_rows_are_named_and_nothing_is_lost() {
    let table = table("x.csv", "a,b\n1,2\n3\n4,5,,\n6,7,eight\n9,10\n11,12\n");
    assert_eq!(
        facts(&table),
        [
            "",
            "x(1, 2).",
            "x(3, null).",
            "x(4, 5).",
            "x_ragged(5, ['6', '7', eight]).",
            "x(9, 10).",
            "x(11, 12)."
        ]
    );
    assert_eq!(
        table.tables[0].notes,
        [
            "1 row (line 3) has fewer values than columns: what is missing is null.",
            "1 row (line 5) has more values than columns: kept as x_ragged(Line, Values)."
        ]
    );
    assert_eq!(table.tables[0].rows, 5);
}

#[test]
fn what_does_not_fit_a_type_is_counted_with_its_line() {
    let text = "id,amount\n1,5\n2,n/a\n3,7\n";
    let asked = table_with("id: text, amount: number", "x.csv", text).unwrap();
    assert_eq!(facts(&asked), ["", "x('1', 5).", "x('2', 'n/a').", "x('3', 7)."]);
    assert_eq!(
        asked.tables[0].notes,
        ["amount: 1 of 3 are no numbers and stay text: line 3 ('n/a')."]
    );
    let rows: String = (0..20).map(|n| format!("{n},{n}\n")).collect();
    let found = table("x.csv", &format!("id,amount\n{rows}x,-\n"));
    assert_eq!(found.tables[0].notes.len(), 2);
    assert_eq!(
        found.tables[0].notes[1],
        "amount is text because of line 22 ('-'); columns: \"amount: number\" keeps the other values numbers."
    );
}

#[test]
fn what_is_no_table_is_refused_with_its_place() {
    let wide = vec!["x"; 16_384].join(",");
    let cell = format!("a,b\n1,{}\n", "y".repeat(10 << 20));
    for (text, why) in [
        ("", "x.csv cannot be read as a table: it is empty."),
        (
            "a,b\n1,\"open\n2,3\n",
            "x.csv cannot be read as a table: line 2: a quote is opened and not closed.",
        ),
        (
            "a\0b",
            "x.csv cannot be read as a table: it has NUL characters, as a binary file.",
        ),
        (
            "<html>\n<p>",
            "x.csv cannot be read as a table: it is HTML or XML.",
        ),
        (
            &cell,
            "x.csv cannot be read as a table: line 2: value 2 has more than 1048576 bytes.",
        ),
        (&wide, "A table may have 1000 columns, and this one has 16384."),
        (
            "Report of May\na,b,c\n1,2,3\n4\n5,6,7\n",
            "x.csv cannot be read as a table: its first line has 1 values, and most others have another number (line 2).",
        ),
    ] {
        assert_eq!(refused("x.csv", text), why);
    }
    let many: String = (0..1_002).map(|n| format!("{n},x\n")).collect();
    let fault = read_as("x.csv", &many, &Wishes::default()).expect_err("there is no room");
    assert_eq!(
        fault.message,
        "x.csv has more rows than the 1000 for which the book has room (limit: entries = 7000)."
    );
}

#[test]
fn colons_divide_lines_that_nothing_else_divides_or_are_told_of() {
    let passwd = table(
        "passwd.csv",
        "root:x:0:/root\nann:x:1000:/home/ann\nbob:x:1001:\n",
    );
    assert_eq!(passwd.tables[0].columns.len(), 4);
    assert!(
        passwd.text.contains("passwd(bob, x, 1001, null)."),
        "{}",
        passwd.text
    );
    let told = "Values are separated by colons.".to_owned();
    assert!(passwd.tables[0].notes.contains(&told));
    let whole = "Each line is one value: a colon does not divide it.".to_owned();
    let one = table("x.csv", "name:age\nann:30\nbob:41\n");
    assert_eq!(one.tables[0].columns.len(), 1);
    assert!(one.tables[0].notes.contains(&whole));
    for text in [
        "time\n10:15:20\n10:15:21\n",
        "10:15:20\n10:15:21\n",
        "00:1a:2b\nff:00:01\n",
        "a:b,c\nd:e,f\n",
        "2024-01-01T10:11:12Z\n2024-01-02T10:11:13Z\n",
    ] {
        let table = table("x.csv", text);
        assert!(
            !table.tables[0].notes.iter().any(|note| note.contains("colon")),
            "{text}"
        );
    }
}

#[test]
fn values_with_colons_are_not_torn_apart() {
    for value in [
        "2024-01-01T10:11:12Z",
        "2024-01-01T10:11:12+02:00",
        "10:11:12.5",
        "10:11:12 AM",
        "2024-01-01 10:11:12",
        "-10:11:12",
        "10:11:12 started",
        "10:11:12:13",
        "urn:isbn:123",
        "urn:a:b:123",
        "arn:aws:s3:::bucket",
        "http://a:80/x",
        "http://ann:secret@a:80/x:1",
        "Note: he said: yes",
        "Note: he said: yes: 1",
        "Foo::Bar::Baz",
        "fe80::1%eth0",
        "fe80:0:0:1%eth0",
        "00:1B:44:11:3A:B7",
        "org.apache:commons:jar:1",
        "src/main.c:10:5:12",
        "[10:11:12] a",
        "x:y:z",
    ] {
        for text in [
            format!("{value}\n{value}0\n{value}1\n"),
            format!("value\n{value}\n{value}0\n"),
        ] {
            let table = table("x.csv", &text);
            assert_eq!(table.tables[0].columns.len(), 1, "{text}");
        }
    }
    for text in [
        "Foo::Bar::Baz\nStd::Vec::Into\n",
        "abc:x:1:2\nbad:x:3:4\n",
        "std:vec:Vec:new\ncore:fmt:Display:fmt\n",
        "one: 2: 3: 4\ntwo: 3: 4: 5\n",
        "ann:1:2:3\nbob:1:2\n",
        "\"one:2:3:4\"\n\"two:2:3:4\"\n",
    ] {
        assert_eq!(table("x.csv", text).tables[0].columns.len(), 1, "{text}");
    }
    let whole = "Each line is one value: a colon does not divide it.".to_owned();
    let names = table("x.csv", "Foo::Bar::Baz\nStd::Vec::Into\n");
    assert!(names.tables[0].notes.contains(&whole));
}

#[test]
fn a_table_without_rows_declares_its_predicate() {
    let read = table("x.csv", "Name,Age\r\n");
    assert_eq!(read.text, "/* table: x(name, age) */ :- dynamic(x/2).\n");
    assert_eq!(read.tables[0].rows, 0);
    let note = "It has a header and no rows: x/2 is there and fails. If the line is a row, import it with columns: \"header: false\".";
    assert_eq!(read.tables[0].notes, [note]);
}

#[test]
fn what_has_no_rows_is_a_table_of_the_columns_that_are_named() {
    for (filename, text) in [
        ("x.json", "[]"),
        ("x.json", " {}\n"),
        ("x.json", "{\"rows\": [ ]}"),
        ("x.json", ""),
        ("x.jsonl", "\n"),
        ("x.yaml", "[]"),
        ("x.yaml", "# nothing\n"),
        ("x.csv", "\n"),
        ("x.tsv", ""),
    ] {
        let read = table_with("none(id, n: number)", filename, text).unwrap();
        let wanted = "/* table: none(id, n: number), as asked */ :- dynamic(none/2).";
        assert_eq!(read.text.trim(), wanted, "{filename} {text}");
        let fault = table_with("", filename, text).unwrap_err();
        assert!(
            fault.next.contains("columns: \"x(…)\" with their names"),
            "{filename}: {fault:?}"
        );
    }
}

#[test]
fn dots_beside_decimal_commas_separate_thousands_in_numbers_that_are_asked_for() {
    let text = "who;n;price\na;1.200;5,00\nb;3;6,10\n";
    assert_eq!(
        facts(&table("x.csv", text))[1..],
        ["x(a, '1.200', 5.00).", "x(b, '3', 6.10)."]
    );
    let asked = table_with("n: number", "x.csv", text).unwrap();
    assert_eq!(facts(&asked)[1..], ["x(a, 1200, 5.00).", "x(b, 3, 6.10)."]);
    let notes = asked.tables[0].notes.join(" ");
    assert!(
        notes.contains("n: 1.200 (line 2) was read as 1200, and may mean 1.200"),
        "{notes}"
    );
    let dots = table_with("n: number", "x.csv", "who;n;price\na;1.2;5,00\nb;1.200;6,10\n").unwrap();
    assert_eq!(facts(&dots)[1..], ["x(a, 1.2, 5.00).", "x(b, 1.200, 6.10)."]);
    let whole = table_with("n: number", "x.csv", "who;n;price\na;1;5,00\nb;2;6,10\n").unwrap();
    assert!(
        !whole.tables[0].notes.join(" ").contains("n: "),
        "{:?}",
        whole.tables[0].notes
    );
}

#[test]
fn lines_above_a_table_may_end_in_a_delimiter() {
    let above = "\"Account:\";\"DE12\";\n\n\"From:\";\"01.01.2026\";\n\"Balance:\";\"1.234,56 EUR\";\n\n";
    let text = format!(
        "{above}\"Date\";\"Name\";\"Amount\";\n\"31.01.2026\";\"Shop\";\"-45,90\";\n\"30.01.2026\";\"Work\";\"10,00\";\n"
    );
    let read = table("x.csv", &text);
    let rows = [
        "x('31.01.2026', 'Shop', -45.90, null).",
        "x('30.01.2026', 'Work', 10.00, null).",
    ];
    assert_eq!(facts(&read)[6..], rows);
    assert!(
        read.tables[0].notes[0].starts_with("The first "),
        "{:?}",
        read.tables[0].notes
    );
}

#[test]
fn lines_above_a_table_may_be_filled_up_with_delimiters() {
    for above in [
        "Statement;;\n",
        "Statement;;\nAccount;DE12;\n;;\n",
        "\"a; b\";;\n",
    ] {
        let read = table(
            "x.csv",
            &format!("{above}Date;Name;Amount\n31.01.2026;Shop;-45,90\n"),
        );
        assert_eq!(
            facts(&read).last(),
            Some(&"x('31.01.2026', 'Shop', -45.90)."),
            "{above}"
        );
        assert_eq!(columns(&read).len(), 3);
        assert!(read.tables[0].notes[0].starts_with("The first "), "{above}");
    }
    // In doubt the first line is a row or the header.
    for (text, rows) in [
        ("Name;;\nAnn;x;1\nBob;y;2\n", 2),
        ("id;;\na;b;c\nd;e;f\n", 2),
        ("a;;\n1;2;3\n4;5;6\n", 2),
    ] {
        let read = table("x.csv", text);
        assert_eq!(read.tables[0].rows, rows, "{text}");
        assert!(!read.tables[0].notes.join(" ").contains("left out"), "{text}");
    }
}

#[test]
fn a_table_whose_only_row_has_too_many_values_is_declared() {
    let read = table_with("header: true", "x.csv", "a,b\n1,2,3\n").unwrap();
    assert_eq!(
        read.text,
        "/* table: x(a, b), header: true */\nx_ragged(2, ['1', '2', '3']).\n:- dynamic(x/2).\n"
    );
}
