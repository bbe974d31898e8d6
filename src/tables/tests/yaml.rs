use super::*;

#[test]
fn a_list_of_maps_is_a_table_whose_rows_are_in_their_lines() {
    let text =
        "# Orders\n---\n- id: 1\n  who: Anna\n  tags: [a, {b: 2}]\n\n- who: O'Neil\n  id: 2\n  paid: true\n";
    let table = table("orders.yaml", text);
    assert_eq!(
        table.text,
        "/* table: orders(id, who, tags, paid) */\n\norders(1, 'Anna', [a, _{b: 2}], null).\n\n\n\norders(2, 'O\\'Neil', null, true).\n"
    );
    assert_eq!(
        columns(&table),
        [
            "id number 0 [1 2]",
            "who text 0 ['Anna' 'O\\'Neil']",
            "tags list 1 [[a, _{b: 2}]]",
            "paid boolean 1 [true]"
        ]
    );
}

#[test]
fn scalars_are_numbers_as_written_or_text() {
    let text = "- [1.50, 12345678901234567890123, 007, +1, 1_000, 0x1F, 1e999, .inf, '5', 2026-01-31, yes, ~, null, false]\n";
    assert_eq!(
        facts(&table("x.yml", text)),
        [
            "x(1.50, 12345678901234567890123, '007', '+1', '1_000', '0x1F', '1e999', '.inf', '5', '2026-01-31', yes, null, null, false)."
        ]
    );
    let lines = "- a: |\n    one\n    two\n  b: >-\n    folded\n    text\n";
    assert_eq!(
        facts(&table("x.yaml", lines)),
        [r"x('one\ntwo\n', 'folded text')."]
    );
}

#[test]
fn the_only_list_of_maps_in_a_map_has_the_rows_and_aliases_are_followed() {
    let text = "total: 2\nrows:\n  - &first {a: 1, b: x}\n  - {a: 2, b: y}\n  - *first\n";
    let table = table("x.yaml", text);
    assert_eq!(facts(&table), ["", "", "x(1, x).", "x(2, y).", "x(1, x)."]);
    assert_eq!(
        table.tables[0].notes,
        ["The rows are those of `rows`; the other members were left out."]
    );
}

#[test]
fn a_long_list_is_read_in_parts_as_if_it_were_whole() {
    let item = |n: usize| {
        format!(
            "- n: {n}\n  text: |\n    - no item\n    R&D {}\n",
            "x".repeat(200)
        )
    };
    let text: String = (0..600).map(item).collect();
    let table = table("x.yaml", &text);
    assert_eq!(table.tables[0].rows, 600);
    let lines: Vec<&str> = table.text.lines().collect();
    assert!(lines[4 * 599].starts_with("x(599, "), "{}", lines[4 * 599]);
    let broken = text.replacen("- n: 500\n", "- n: [500\n", 1);
    let refused = refused("x.yaml", &broken);
    assert!(refused.contains("line 200"), "{refused}");
}

#[test]
fn a_long_map_and_a_long_list_in_a_map_are_read_in_parts_too() {
    let filler = "x".repeat(200);
    let map: String = (0..600)
        .map(|n| format!("k{n}:\n  n: {n}\n  text: AT&T *{filler}\n"))
        .collect();
    let keyed = table("x.yaml", &map);
    assert_eq!(keyed.tables[0].rows, 600);
    assert!(
        keyed
            .text
            .lines()
            .nth(3 * 599)
            .unwrap()
            .starts_with("x(k599, 599, ")
    );
    let again = map.replacen("k500:", "k1:", 1);
    assert!(refused("x.yaml", &again).contains("the key k1 stands twice"));
    let items: String = (0..600)
        .map(|n| format!("    - n: {n}\n      text: {filler}\n"))
        .collect();
    let list = table("x.yaml", &format!("# all\nrows:\n\n{items}"));
    assert_eq!(list.tables[0].notes, ["The rows are those of `rows`."]);
    assert!(list.text.lines().nth(3 + 2 * 599).unwrap().starts_with("x(599, "));
    let more = table("x.yaml", &format!("rows:\n{items}total: 600\n"));
    assert_eq!(more.tables[0].rows, 600);
}

#[test]
fn what_is_no_table_is_refused_with_its_line() {
    for (text, why) in [
        ("", "it is empty."),
        ("# nothing\n---\n", "it is empty."),
        ("[]", "it has no rows, which would tell its columns."),
        ("just text", "it begins neither with an array nor with an object."),
        (
            "- {a: 1}\n- {a: 1, a: 2}\n",
            "line 2: the key a stands twice in a map; rename or remove one.",
        ),
        ("- {a: 1}\n- b: [\n", "line 2: unclosed bracket"),
        (
            "- a: 1\n---\n- a: 2\n",
            "line 3: another document begins after the first; put each into a file of its own.",
        ),
        ("- a: *b\n", "line 1: an alias has no anchor before it; define it"),
        (
            "- ? [a]\n  : 1\n",
            "line 1: a key is a list or a map; make it text.",
        ),
        ("- a: !!binary x\n", "line 1: "),
        (
            "- a: !foo x\n  b: &c [*c]\n",
            "line 2: an alias refers to what it is part of;",
        ),
    ] {
        let message = refused("x.yaml", text);
        assert!(
            message.starts_with(&format!("x.yaml cannot be read as a table: {why}")),
            "{text:?}: {message}"
        );
    }
    let bomb = format!(
        "a: &a [{0}]\nb: &b [{1}]\nc: &c [{2}]\nd: &d [{3}]\nrows: [{4}]\n",
        ["lol"; 100].join(","),
        ["*a"; 100].join(","),
        ["*b"; 100].join(","),
        ["*c"; 100].join(","),
        ["*d"; 100].join(",")
    );
    let message = refused("x.yaml", &bomb);
    assert!(
        message.contains("its aliases stand for too many values; use fewer of them."),
        "{message}"
    );
    let deep = format!("- a: {}{}\n", "[".repeat(3_000), "]".repeat(3_000));
    let message = refused("x.yaml", &deep);
    assert!(
        message.contains("line 1: values are nested too deeply; make it flatter."),
        "{message}"
    );
}

#[test]
fn a_workflow_is_no_table() {
    assert_eq!(Format::of("orders.YML"), Some(Format::Yaml));
    assert_eq!(Format::of("triage.flow.yaml"), None);
}
