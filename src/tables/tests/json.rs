use super::*;

#[test]
fn objects_are_facts_with_their_keys_in_order_of_first_appearance() {
    let text = "[\n {\"b\": 1, \"a\": {\"x y\": [1, \"t\"], \"c\": null}},\n {\"a\": null, \"z\": true}\n]\n";
    let table = table("My data.json", text);
    assert_eq!(
        table.text,
        "/* table: my_data(b, a, z) */\nmy_data(1, _{'x y': [1, t], c: null}, null).\nmy_data(null, null, true).\n"
    );
    assert_eq!(
        columns(&table),
        [
            "b number 1 [1]",
            "a object 1 [_{'x y': [1, t], c: null…]",
            "z boolean 1 [true]"
        ]
    );
}

#[test]
fn lines_arrays_and_single_objects_are_rows() {
    let lines = table("x.jsonl", "{\"a\": 1}\n\n{\"a\": \"t\"}\n");
    assert_eq!(facts(&lines), ["x(1).", "", "x(t)."]);
    assert_eq!(columns(&lines), ["a mixed 0 [1 t]"]);
    let arrays = table("x.json", "[[1, 2], [3, 4, 5]]");
    assert_eq!(facts(&arrays), ["x(1, 2, null).", "x(3, 4, 5)."]);
    let values = table("x.json", "[\"a\", 2]");
    assert_eq!(facts(&values), ["x(a).", "x(2)."]);
    let object = table("x.json", "{\"a\": 1, \"b\": [2]}");
    assert_eq!(facts(&object), ["x(1, [2])."]);
    let inner = table("x.json", "{\"total\": 2,\n \"rows\": [{\"a\": 1},\n {\"a\": 2}]}");
    assert_eq!(facts(&inner), ["", "x(1).", "x(2)."]);
    assert_eq!(
        inner.tables[0].notes,
        ["The rows are those of `rows`; the other members were left out."]
    );
}

#[test]
fn members_that_are_all_objects_are_rows_with_their_keys() {
    let table = table(
        "x.json",
        "{\"de\": {\"n\": 1, \"key\": \"k\"},\n \"O'Neil\": {},\n\n \"at\": {\"n\": 2}}",
    );
    assert_eq!(
        table.text,
        "/* table: x(key, n, key_2) */\nx(de, 1, k).\nx('O\\'Neil', null, null).\n\nx(at, 2, null).\n"
            .replacen('\n', " ", 1)
    );
    assert_eq!(
        table.tables[0].notes,
        ["The rows are the members of the object; the first column has their keys."]
    );
    let one = super::table("x.json", "{\"a\": {\"n\": 1}}");
    assert_eq!(facts(&one), ["x(a, 1)."]);
    let null = super::table("x.json", "{\"a\": {\"n\": 1}, \"b\": null, \"c\": {\"n\": 2}}");
    assert_eq!(facts(&null), ["x(a, 1).", "x(b, null).", "x(c, 2)."]);
    assert_eq!(
        null.tables[0].notes,
        [
            "The rows are the members of the object; the first column has their keys. `b` is null: its row has only the key."
        ]
    );
    let row = super::table("x.json", "{\"a\": {\"n\": 1}, \"b\": null}");
    assert_eq!(facts(&row), ["x(_{n: 1}, null)."]);
    assert_eq!(
        row.tables[0].notes,
        ["The object is one row, as `b` is null. If its members are rows, write `{}` for null."]
    );
    let many: Vec<String> = (0..1_001).map(|n| format!("\"k{n}\": 1")).collect();
    let fault = read_as("x.json", &format!("{{{}}}", many.join(",")), &Wishes::default()).unwrap_err();
    assert_eq!(fault.next, "If each member is a row, give an array of objects.");
}

#[test]
fn numbers_and_texts_are_kept_exactly() {
    let table = table(
        "x.json",
        r#"[[1.50, 123456789012345678901, 1E400, -0, "007", "a\u00e9\n\"'", 0.1e-2]]"#,
    );
    assert_eq!(
        facts(&table),
        [r#"x(1.50, 123456789012345678901, '1E400', 0, '007', 'aé\n"\'', 0.1e-2)."#]
    );
    let asked = table_with("n: number, t: text", "x.json", r#"[["12", 7], ["x", 8]]"#).unwrap();
    assert_eq!(facts(&asked), ["x(12, '7').", "x(x, '8')."]);
    assert_eq!(
        asked.tables[0].notes,
        ["n: 1 of 2 are no numbers and stay as they are: line 1 (x)."]
    );
}

#[test]
fn numbers_that_a_float_does_not_hold_are_no_numbers_in_any_format() {
    for (file, text) in [
        (
            "x.json",
            "[{\"n\": 1},\n {\"n\": 0.12345678901234567891},\n {\"n\": 1e400}]",
        ),
        (
            "x.jsonl",
            "{\"n\": 1}\n{\"n\": 0.12345678901234567891}\n{\"n\": 1e400}\n",
        ),
        ("x.yaml", "- n: 1\n- n: 0.12345678901234567891\n- n: 1e400\n"),
    ] {
        let table = table(file, text);
        assert_eq!(table.tables[0].columns[0].kind, ColumnKind::Mixed, "{file}");
        assert_eq!(
            table.tables[0].notes,
            [
                "n: 2 numbers that a float does not hold exactly are text: line 2 (0.12345678901234567891), line 3 (1e400). Rounded to 15 digits and below 1.8e308 they are numbers."
            ],
            "{file}"
        );
    }
    let all = table("x.json", "[{\"n\": 1e400, \"m\": [1e-400]}]");
    assert_eq!(facts(&all), ["x('1e400', ['1e-400'])."]);
    assert_eq!(all.tables[0].columns[0].kind, ColumnKind::Text);
    assert_eq!(
        all.tables[0].notes[1],
        "m: a number that a float does not hold exactly is text: line 1 (1e-400). Rounded to 15 digits and below 1.8e308 it is a number."
    );
}

#[test]
fn what_is_no_table_is_refused_with_its_line() {
    let deep = format!("[{}1{}]", "[".repeat(100), "]".repeat(100));
    for (text, why) in [
        ("", "it is empty."),
        ("[]", "it has no rows, which would tell its columns."),
        ("[{}]", "its rows have no values."),
        ("42", "it begins neither with an array nor with an object."),
        ("[1,\n2,\n]", "line 3: nothing follows a comma; remove the comma."),
        (
            "[[1,\n2,\n]]",
            "line 3: nothing follows a comma; remove the comma.",
        ),
        (
            "[{\"a\": 1,\n}]",
            "line 2: nothing follows a comma; remove the comma.",
        ),
        (
            "{\"a\": 1,\n \"b\": 2, }",
            "line 2: nothing follows a comma; remove the comma.",
        ),
        (
            "[{\"a\": 1},\n {\"a\": NaN}]",
            "line 2: NaN is not JSON; write null.",
        ),
        ("[NaN]", "line 1: NaN is not JSON; write null."),
        ("[Infinity]", "line 1: Infinity is not JSON; write null."),
        (
            "[{\"a\":\n -Infinity}]",
            "line 2: -Infinity is not JSON; write null.",
        ),
        ("{\"a\": None}", "line 1: None is not JSON; write null."),
        ("[{\"a\": True}]", "line 1: True is not JSON; write true."),
        (
            "[{'a': 1}]",
            "line 1: a text is in single quotes; write double quotes.",
        ),
        (
            "['a']",
            "line 1: a text is in single quotes; write double quotes.",
        ),
        (
            "[1, // one\n2]",
            "line 1: there is a comment, which JSON has not; remove it.",
        ),
        ("[{\"a\": é}]", "line 1: expected value."),
        ("[1\n2]", "line 2: `,` or `]` is missing before `2`."),
        ("[1 \"b\"]", "line 1: `,` or `]` is missing before `\"b\"`."),
        ("[[1 \"b\"]]", "line 1: `,` or `]` is missing before `\"b\"`."),
        (
            "{\"a\": 1 \"b\": 2}",
            "line 1: `,` or `}` is missing before `\"b\":`.",
        ),
        ("{a:1}", "line 1: the key a is not in quotes; write \"a\"."),
        (
            "[{\"b\": 2,\n a_b : 1}]",
            "line 2: the key a_b is not in quotes; write \"a_b\".",
        ),
        ("[{1:1}]", "line 1: the key 1 is not in quotes; write \"1\"."),
        ("[+1]", "line 1: +1 is not JSON; write 1."),
        ("[{\"a\": .5}]", "line 1: .5 is not JSON; write 0.5."),
        ("[-.5]", "line 1: -.5 is not JSON; write -0.5."),
        ("[5.]", "line 1: 5. is not JSON; write 5.0."),
        ("{\"a\": 5.}", "line 1: 5. is not JSON; write 5.0."),
        ("[01]", "line 1: 01 is not JSON; write 1, or \"01\" for a text."),
        ("[00]", "line 1: 00 is not JSON; write 0, or \"00\" for a text."),
        ("[0x1F]", "line 1: 0x1F is not JSON; write 31."),
        ("[[0x1F]]", "line 1: 0x1F is not JSON; write 31."),
        ("[-]", "line 1: invalid number."),
        (
            "\n// x\n[1]",
            "line 2: there is a comment, which JSON has not; remove it.",
        ),
        (
            "[1 // x\n, 2]",
            "line 1: there is a comment, which JSON has not; remove it.",
        ),
        (
            "[\"{a\nb\"]",
            "line 1: a text has a line break, a tab or the like; write \\n for a line break, \\t for a tab.",
        ),
        ("[1, 2", "line 1: `,` or `]` is missing."),
        ("[{\"a\": 1},\n{\"a\" 2}]", "line 2: `:` is missing behind a key."),
        ("[1] x", "line 1: something follows the end of the JSON."),
        ("{\"a\": 1} x", "line 1: expected value."),
        ("[\"a\\u0000\"]", "line 1: a text has a NUL character."),
        (
            "[{\"a\": 1},\n{\"a\": 1,\n\"a\": 2}]",
            "line 3: the key a stands twice in an object; rename or remove one.",
        ),
        (
            "{\"a\": 1,\n\"b\": {\"c\": [\n{\"k\": 1, \"k\": 2}]}}",
            "line 3: the key k stands twice in an object; rename or remove one.",
        ),
        (
            "{\"a\": {\"n\": 1},\n\"a\": {\"n\": 2}}",
            "line 2: the key a stands twice in an object; rename or remove one.",
        ),
        (&deep, "line 1: values are nested deeper than 64."),
    ] {
        assert_eq!(
            refused("x.json", text),
            format!("x.json cannot be read as a table: {why}")
        );
    }
}

#[test]
fn rows_are_found_within_objects_that_wrap_them_by_name() {
    for (text, path) in [
        (
            r#"{"ok": true, "data": {"items": [{"id": 1}], "n": 1}}"#,
            "data.items",
        ),
        (r#"{"data": {"users": [{"id": 1}]}}"#, "data.users"),
        (
            r#"{"meta": {"n": 1}, "data": {"items": [{"id": 1}]}}"#,
            "data.items",
        ),
        (r#"{"data": {"items": [{"id": 1}]}, "error": null}"#, "data.items"),
        (
            r#"{"response": {"result": {"docs": [{"id": 1}]}}}"#,
            "response.result.docs",
        ),
        (r#"{"data": [{"id": 1}], "included": [{"of": 2}]}"#, "data"),
        (r#"{"page": 1, "list": [{"id": 1}]}"#, "list"),
    ] {
        let read = table("x.json", text);
        assert_eq!(facts(&read)[0], "x(1).", "{text}");
        assert!(read.tables[0].notes[0].starts_with(&format!("The rows are those of `{path}`")));
    }
}

#[test]
fn rows_are_not_looked_for_in_objects_that_do_not_wrap() {
    for (text, fact) in [
        (
            r#"{"id": 1, "n": "A", "author": {"books": [{"t": "x"}, {"t": "y"}]}}"#,
            "x(1, 'A', _{books: [_{t: x}, _{t: y}]}).",
        ),
        (
            r#"{"services": {"db": {"image": "pg", "ports": [{"p": 1}]}}}"#,
            "x(services, _{image: pg, ports: [_{p: 1}]}).",
        ),
        (
            r#"{"anna": {"age": 41, "pets": [{"n": "x"}]}}"#,
            "x(anna, 41, [_{n: x}]).",
        ),
        (
            r#"{"a": {"r": [{"id": 1}]}, "b": {"r": []}}"#,
            "x(a, [_{id: 1}]).",
        ),
        (r#"{"2026-01-01": {"usd": 1.1}}"#, "x('2026-01-01', 1.1)."),
        // Two arrays may be meant, or three wraps are too many.
        (
            r#"{"a": [{"r": 1}], "b": [{"r": 2}]}"#,
            "x([_{r: 1}], [_{r: 2}]).",
        ),
        (
            r#"{"data": {"data": {"data": {"r": [{"id": 1}]}}}}"#,
            "x(data, _{data: _{r: [_{id: 1}]}}).",
        ),
        (r#"{"id": 1, "tags": []}"#, "x(1, [])."),
    ] {
        assert_eq!(facts(&table("x.json", text))[0], fact, "{text}");
    }
}

#[test]
fn an_answer_without_rows_has_none_though_others_are_beside_it() {
    for text in [
        r#"{"data": [], "facets": {"brands": [{"b": 1}]}}"#,
        r#"{"data": [], "links": {"next": null}, "meta": {"links": [{"u": 1}]}}"#,
        r#"{"data": [], "links": [{"u": 1}]}"#,
        r#"{"data": {"items": []}}"#,
        r#"{"data": {"items": [], "total": 0}}"#,
        r#"{"total": 0, "rows": []}"#,
    ] {
        let read = table_with("e(id, who)", "x.json", text).unwrap();
        assert_eq!(
            read.text.trim(),
            "/* table: e(id, who), as asked */ :- dynamic(e/2).",
            "{text}"
        );
    }
    for text in [
        r#"{"data": [], "facets": {"brands": [{"b": 1}]}}"#,
        r#"{"data": {"items": []}}"#,
    ] {
        assert!(refused("x.json", text).contains("it has no rows"), "{text}");
    }
    // Columns that are members are those of a row.
    let one = table_with("e(id, tags: text)", "x.json", r#"{"id": 1, "tags": []}"#).unwrap();
    assert_eq!(facts(&one), ["e(1, [])."]);
}
