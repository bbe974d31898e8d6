//! Workbooks, made here part by part.

use std::io::{Cursor, Write};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use proptest::prelude::*;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;

pub fn zipped(parts: &[(&str, String)]) -> String {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        zip.start_file(*name, SimpleFileOptions::default())
            .expect("a part begins");
        zip.write_all(text.as_bytes()).expect("a part is written");
    }
    BASE64_STANDARD.encode(zip.finish().expect("the archive ends").into_inner())
}

const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// The parts of a workbook with these sheets, each the XML of its rows. Style 1 is a date, 2 a date with a time, 3 a
/// duration.
fn parts(sheets: &[(&str, &str)]) -> Vec<(String, String)> {
    let (mut list, mut relations) = (String::new(), String::new());
    let mut parts = Vec::new();
    for (at, (name, rows)) in sheets.iter().enumerate() {
        let id = at + 1;
        list.push_str(&format!(
            r#"<sheet name="{name}" sheetId="{id}" r:id="rId{id}"/>"#
        ));
        relations.push_str(&format!(
            r#"<Relationship Id="rId{id}" Type="{RELATIONS}/worksheet" Target="worksheets/sheet{id}.xml"/>"#
        ));
        let sheet = format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
        parts.push((format!("xl/worksheets/sheet{id}.xml"), sheet));
    }
    let styles = r#"<styleSheet><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy-mm-dd hh:mm"/>
        <numFmt numFmtId="165" formatCode="[h]:mm:ss"/></numFmts><cellXfs count="4"><xf numFmtId="0"/>
        <xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>"#;
    let strings = r#"<sst count="2"><si><t>shared</t></si><si><r><t xml:space="preserve">two </t></r><r><t>runs</t></r></si></sst>"#;
    let root = format!(
        r#"<Relationships><Relationship Id="rId1" Type="{RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>"#
    );
    parts.extend([
        ("_rels/.rels".to_owned(), root),
        (
            "xl/workbook.xml".to_owned(),
            format!(r#"<workbook xmlns:r="{RELATIONS}"><sheets>{list}</sheets></workbook>"#),
        ),
        (
            "xl/_rels/workbook.xml.rels".to_owned(),
            format!("<Relationships>{relations}</Relationships>"),
        ),
        ("xl/styles.xml".to_owned(), styles.to_owned()),
        ("xl/sharedStrings.xml".to_owned(), strings.to_owned()),
    ]);
    parts
}

pub fn xlsx(sheets: &[(&str, &str)]) -> String {
    let parts = parts(sheets);
    let parts: Vec<(&str, String)> = parts.iter().map(|(name, text)| (&**name, text.clone())).collect();
    zipped(&parts)
}

/// The XML of rows from line 1 on; an empty value is no cell. Those with a quote are text.
pub fn rows(rows: &[&[&str]]) -> String {
    let mut xml = String::new();
    for (row, values) in rows.iter().enumerate() {
        xml.push_str(&format!(r#"<row r="{}">"#, row + 1));
        for (column, value) in values.iter().enumerate() {
            let place = format!("{}{}", char::from(b'A' + column as u8), row + 1);
            match value.strip_prefix('"') {
                _ if value.is_empty() => {}
                Some(text) => xml.push_str(&format!(r#"<c r="{place}" t="str"><v>{text}</v></c>"#)),
                None => xml.push_str(&format!(r#"<c r="{place}"><v>{value}</v></c>"#)),
            }
        }
        xml.push_str("</row>");
    }
    xml
}

fn sheet(values: &[&[&str]]) -> Table {
    table("Book 1.xlsx", &xlsx(&[("Sheet1", &rows(values))]))
}

#[test]
fn a_sheet_is_a_table_with_the_types_of_its_cells() {
    let read = sheet(&[
        &["\"Item", "\"Amount", "\"Code"],
        &["\"tea", "12.5", "\"007"],
        &["\"Milk &amp; more", "", "\"42"],
    ]);
    assert_eq!(
        read.text.lines().next(),
        Some("/* table: book_1(item, amount, code) */")
    );
    assert_eq!(
        facts(&read)[1..],
        ["book_1(tea, 12.5, '007').", "book_1('Milk & more', null, '42')."]
    );
    assert_eq!(
        columns(&read),
        [
            "item text 0 [tea 'Milk & more']",
            "amount number 1 [12.5]",
            "code text 0 ['007' '42']"
        ]
    );
    assert_eq!(read.tables[0].notes, [""; 0]);
}

#[test]
fn shared_texts_dates_times_booleans_and_numbers_are_read() {
    let row = concat!(
        r#"<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" s="1"><v>46053</v></c>"#,
        r#"<c r="D1" s="2"><v>46053.604166666664</v></c><c r="E1" s="3"><v>1.5034722222222223</v></c>"#,
        r#"<c r="F1" s="2"><v>0.25</v></c><c r="G1" t="b"><v>1</v></c><c r="H1"><v>1E+300</v></c>"#,
        r#"<c r="I1"><v>0.30000000000000004</v></c><c r="J1" t="inlineStr"><is><t>in line</t></is></c></row>"#,
    );
    let read = table("b.xlsx", &xlsx(&[("S", row)]));
    assert_eq!(
        facts(&read),
        [
            "b(shared, 'two runs', '2026-01-31', '2026-01-31T14:30:00', 'PT36H05M00S', '06:00:00', true, 1.0e300, \
          0.30000000000000004, 'in line')."
        ]
    );
    assert!(read.tables[0].notes[0].starts_with("No header was recognized"));
}

#[test]
fn rows_keep_their_lines_and_titles_above_the_table_are_left_out() {
    let read = sheet(&[
        &["\"Report"],
        &[],
        &["\"name", "\"age"],
        &["\"ann", "41"],
        &[],
        &["\"bob", "17"],
    ]);
    let lines: Vec<&str> = read.text.lines().collect();
    assert_eq!((lines[3], lines[5]), ("book_1(ann, 41).", "book_1(bob, 17)."));
    assert_eq!(read.tables[0].notes, ["The first row, a title, was left out."]);
}

#[test]
fn each_sheet_with_rows_is_a_table_of_its_own() {
    let orders = rows(&[&["\"id", "\"who"], &["1", "\"ann"]]);
    let people = rows(&[&["\"name"], &["\"ann"]]);
    let header = rows(&[&["\"a", "\"b"]]);
    let text = xlsx(&[
        ("Orders", &orders),
        ("Empty", ""),
        ("People 2026", &people),
        ("Header", &header),
    ]);
    let read = table("shop.xlsx", &text);
    let lines: Vec<&str> = read.text.lines().collect();
    assert_eq!(
        lines[0],
        "/* table: shop_orders(id, who) *//* table: shop_people_2026(name) */"
    );
    assert_eq!(
        (lines[1], lines[11]),
        ("shop_orders(1, ann).", "shop_people_2026(ann).")
    );
    let known: Vec<String> = Known::all(&read.text).map(|known| known.predicate()).collect();
    assert_eq!(known, ["shop_orders", "shop_people_2026"]);
    let notes: Vec<&[String]> = read.tables.iter().map(|about| &*about.notes).collect();
    assert_eq!(notes[0], ["Sheet Orders.", "Without rows, and left out: Header."]);
    assert_eq!(
        notes[1],
        [
            "Sheet People 2026; its row 1 is line 11.",
            crate::header::ONLY_FIRST
        ]
    );
    let refused = table_with("sales(id, who)", "shop.xlsx", &text).expect_err("two sheets have rows");
    assert!(
        refused.message.contains("(Orders, People 2026, Header)"),
        "{refused:?}"
    );
}

#[test]
fn errors_and_formulas_that_were_never_computed_are_told() {
    let xml = concat!(
        r#"<row r="1"><c r="A1" t="str"><v>x</v></c><c r="B1" t="str"><v>y</v></c></row>"#,
        r##"<row r="2"><c r="A2" t="e"><v>#DIV/0!</v></c><c r="B2"><f>A2+1</f></c></row>"##,
        r#"<row r="3"><c r="A3"><f>1+1</f><v>2</v></c><c r="B3"><f>A3+1</f></c></row>"#,
    );
    let read = table("b.xlsx", &xlsx(&[("S", xml)]));
    assert_eq!(facts(&read)[1..], ["b(null, null).", "b(2, null)."]);
    assert_eq!(
        read.tables[0].notes,
        [
            "A cell with an error is null: A2 #DIV/0!.",
            "2 cells with formulas that were not computed are null: B2, B3. Open the file in a spreadsheet program, save \
             it, and import it again.",
        ]
    );
}

#[test]
fn dates_before_the_first_and_fractions_of_seconds_are_kept() {
    let row = concat!(
        r#"<row r="1"><c r="A1" s="1"><v>-33192</v></c><c r="B1" s="1"><v>2958466</v></c>"#,
        r#"<c r="C1" s="2"><v>0.39583912037037</v></c><c r="D1" s="3"><v>0.99999652777</v></c>"#,
        r#"<c r="E1"><v>4111111111111111</v></c></row>"#,
    );
    let read = table("b.xlsx", &xlsx(&[("S", row)]));
    assert_eq!(
        facts(&read),
        ["b('1809-02-13', null, '09:30:00.500', '23:59:59.700', 4111111111111111)."]
    );
    assert_eq!(
        read.tables[0].notes[1],
        "A cell with an error is null: B1 (no date: 2958466)."
    );
}

#[test]
fn rows_with_one_value_are_titles_only_above_a_table() {
    let all = |values: &[&[&str]]| {
        facts(&sheet(values))
            .iter()
            .filter(|line| !line.is_empty())
            .count()
    };
    assert_eq!(all(&[&["\"name"], &["\"a"], &["\"b"], &["\"c", "\"note"]]), 3);
    assert_eq!(
        all(&[&["\"T"], &["\"name", "\"n"], &["\"a", "1"], &["\"b", "2"]]),
        2
    );
    // A mark of a missing value names no column.
    assert_eq!(all(&[&["\"a", "\"NA"], &["\"b", "2"]]), 2);
    let text = xlsx(&[("S", &rows(&[&["\"name"], &["\"a", "1"], &["\"b", "2"]]))]);
    let said = table_with("header: true", "b.xlsx", &text).expect("it is a table");
    assert_eq!(columns(&said), ["name text 0 [a b]", "column_2 number 0 [1 2]"]);
}

#[test]
fn sheets_that_are_hidden_are_told_of() {
    let cells = rows(&[&["\"a"], &["1"]]);
    let parts = parts(&[("Shown", &cells), ("Kept", &cells)]);
    let hidden = |name: &str, text: &str| match name {
        "xl/workbook.xml" => text.replace(r#"name="Kept""#, r#"name="Kept" state="hidden""#),
        _ => text.to_owned(),
    };
    let parts: Vec<(&str, String)> = parts
        .iter()
        .map(|(name, text)| (&**name, hidden(name, text)))
        .collect();
    let styles = concat!(
        r#"<style:style style:name="ta1" style:family="table"><style:table-properties table:display="true"/></style:style>"#,
        r#"<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>"#,
    );
    let sheet = |name: &str, style: &str| {
        let cell = |attributes: &str| {
            format!("<table:table-row><table:table-cell {attributes}</table:table-cell></table:table-row>")
        };
        let header = cell(r#"office:value-type="string"><text:p>a</text:p>"#);
        let row = cell(r#"office:value-type="float" office:value="1">"#);
        format!(r#"<table:table table:name="{name}" table:style-name="{style}">{header}{row}</table:table>"#)
    };
    let ods = content(&format!(
        "{styles}{}{}",
        sheet("Shown", "ta1"),
        sheet("Kept", "ta2")
    ));
    for (file, text) in [("t.xlsx", zipped(&parts)), ("t.ods", zipped(&ods))] {
        let table = table(file, &text);
        let notes: Vec<Vec<String>> = table.tables.into_iter().map(|about| about.notes).collect();
        assert_eq!(notes[0], ["Sheet Shown."], "{file}");
        assert_eq!(
            notes[1],
            ["Sheet Kept; its row 1 is line 11.", "The sheet Kept is hidden."],
            "{file}"
        );
    }
}

#[test]
fn sheets_whose_names_are_alike_are_tables_of_their_own() {
    let cells = rows(&[&["\"a"], &["1"]]);
    let text = xlsx(&[
        ("a b", &cells),
        ("a_b", &cells),
        ("!", &cells),
        ("Sheet 3", &cells),
    ]);
    let names: Vec<String> = table("t.xlsx", &text)
        .tables
        .into_iter()
        .map(|about| about.name)
        .collect();
    assert_eq!(names, ["t_a_b", "t_a_b_2", "t_sheet_3", "t_sheet_3_2"]);
}

#[test]
fn columns_and_header_can_be_said() {
    let text = xlsx(&[("S", &rows(&[&["\"a", "\"b"], &["\"c", "\"2"]]))]);
    let named =
        table_with("t(first, second: number), header: false", "b.xlsx", &text).expect("it is a table");
    assert_eq!(facts(&named), ["t(a, b).", "t(c, 2)."]);
    let again = Known::of(&named.text).expect("it is one").wishes();
    assert_eq!(again.columns.as_deref(), Some("t(first, second: number)"));
    assert_eq!(again.header, Some(false));
}

#[test]
fn repeats_that_no_integer_holds_are_many() {
    for row in [
        r#"<table:table-row table:number-rows-repeated="4294967296"><table:table-cell office:value-type="float" office:value="1"/></table:table-row>"#,
        r#"<table:table-row><table:table-cell table:number-columns-repeated="99999999999999999999" office:value-type="float" office:value="1"/></table:table-row>"#,
    ] {
        let text = zipped(&content(&format!("<table:table>{row}</table:table>")));
        assert!(read_as("b.ods", &text, &Wishes::default()).is_err(), "{row}");
    }
}

fn content(table: &str) -> Vec<(&'static str, String)> {
    let mimetype = "application/vnd.oasis.opendocument.spreadsheet".to_owned();
    let xml = format!(
        "<office:document-content><office:body><office:spreadsheet>{table}</office:spreadsheet></office:body>\
         </office:document-content>"
    );
    vec![("mimetype", mimetype), ("content.xml", xml)]
}

#[test]
fn opendocument_sheets_are_read_with_what_they_repeat() {
    let xml = concat!(
        r#"<table:table table:name="People"><table:table-row><table:table-cell office:value-type="string">"#,
        r#"<text:p>name</text:p></table:table-cell><table:table-cell office:value-type="string"><text:p>n</text:p>"#,
        r#"</table:table-cell><table:table-cell office:value-type="string"><text:p>at</text:p></table:table-cell>"#,
        r#"</table:table-row><table:table-row table:number-rows-repeated="2"><table:table-cell "#,
        r#"office:value-type="string">  <office:annotation><text:p>a comment</text:p></office:annotation><text:p>Ann"#,
        r#"<text:s text:c="2"/>&amp; Bob</text:p><text:p>two</text:p></table:table-cell><table:table-cell "#,
        r#"office:value-type="float" office:value="1.5"/><table:table-cell office:value-type="date" "#,
        r#"office:date-value="2026-01-31"/></table:table-row><table:table-row><table:table-cell/><table:table-cell "#,
        r#"office:value-type="boolean" office:boolean-value="true"/><table:table-cell office:value-type="time" "#,
        r#"office:time-value="PT14H30M00S"/></table:table-row><table:table-row "#,
        r#"table:number-rows-repeated="1048572"><table:table-cell table:number-columns-repeated="16384"/>"#,
        r#"</table:table-row></table:table>"#,
    );
    let read = table("p.ods", &zipped(&content(xml)));
    let row = "p('Ann  & Bob\\ntwo', 1.5, '2026-01-31').";
    assert_eq!(facts(&read)[1..], [row, row, "p(null, true, '14:30:00')."]);
}

#[test]
fn durations_of_opendocument_are_those_of_excel() {
    let cells = |durations: &[&str]| -> String {
        let cell = |text: &&str| {
            format!(
                r#"<table:table-row><table:table-cell office:value-type="time" office:time-value="{text}"/></table:table-row>"#
            )
        };
        durations.iter().map(cell).collect()
    };
    let durations = [
        ("PT14H30M00S", "14:30:00"),
        ("PT5M", "00:05:00"),
        ("P0DT1H", "01:00:00"),
        ("PT00H00M01,25S", "00:00:01.250"),
        ("PT36H30M00.0000S", "PT36H30M00S"),
        ("P1DT12H30M", "PT36H30M00S"),
        ("-PT1H", "-PT01H00M00S"),
        ("P1Y2M", "P1Y2M"),
        ("P", "P"),
        ("PT", "PT"),
        ("PT1e3S", "PT1e3S"),
    ];
    let text = cells(&durations.map(|(given, _)| given));
    let xml = format!("<table:table table:name=\"S\">{text}</table:table>");
    let read = table_with("header: false", "d.ods", &zipped(&content(&xml))).expect("it is a workbook");
    let wanted = durations.map(|(_, read)| format!("d('{read}')."));
    assert_eq!(facts(&read), wanted);
}

#[test]
fn a_sheet_that_has_a_header_alone_declares_its_predicate() {
    let header: &[&str] = &["\"Name", "\"Age"];
    for sheet in [&[header][..], &[&["\"Members"], header]] {
        let read = table("none.xlsx", &xlsx(&[("S", &rows(sheet))]));
        assert_eq!(
            read.text.trim(),
            "/* table: none(name, age) */ :- dynamic(none/2)."
        );
        let notes = read.tables[0].notes.join(" ");
        assert!(
            notes.contains("It has a header and no rows: none/2 is there and fails."),
            "{notes}"
        );
    }
}

#[test]
fn what_is_no_workbook_says_so() {
    for (name, text, why) in [
        (
            "b.xlsx",
            "hello, world".to_owned(),
            "what was given is not base64",
        ),
        (
            "b.xlsx",
            BASE64_STANDARD.encode("a,b\n1,2\n"),
            "it is no workbook",
        ),
        (
            "b.xls",
            BASE64_STANDARD.encode(b"\xd0\xcf\x11\xe0 and more"),
            "protected by a password, or in an older",
        ),
        (
            "b.xlsb",
            zipped(&[("xl/workbook.bin", String::new())]),
            "it is a binary workbook",
        ),
        (
            "b.xlsx",
            zipped(&[("other", String::new())]),
            "it is damaged, or no workbook",
        ),
        ("b.xlsx", xlsx(&[("S", "")]), "its sheets are empty"),
        (
            "b.xlsx",
            xlsx(&[("S", &rows(&[&["\"a", "\"b"]])), ("T", &rows(&[&["\"c"]]))]),
            "its sheet S has no rows below the header",
        ),
        (
            "b.ods",
            zipped(&content("<table:table></table:row>")),
            "it is damaged",
        ),
    ] {
        let told = refused(name, &text);
        assert!(told.contains(why), "{told}");
    }
}

fn refused_in_a_mebibyte(filename: &str, text: &str) -> String {
    let most = Most {
        rows: 1_000,
        entries: 7_000,
        bytes: 1 << 20,
    };
    refused_with(filename, text, most)
}

fn refused_with(filename: &str, text: &str, most: Most) -> String {
    let request = Request {
        filename: filename.to_owned(),
        format: Format::Workbook,
        wishes: Wishes::default(),
        most,
    };
    let refused = at_once(read(&request, text, &Pace::unbroken()));
    refused.err().map_or_else(String::new, |fault| fault.message)
}

#[test]
fn what_would_fill_the_memory_is_refused() {
    let bomb = xlsx(&[("S", &" ".repeat(9 << 20))]);
    assert!(refused_in_a_mebibyte("b.xlsx", &bomb).contains("too large"));
    let far = r#"<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>"#;
    assert!(refused("b.xlsx", &xlsx(&[("S", far)])).contains("column XFD"));
    let cell = r#"<table:table-cell table:number-columns-repeated="16384" office:value-type="float" office:value="1"/>"#;
    let wide = format!("<table:table><table:table-row>{cell}</table:table-row></table:table>");
    assert!(refused("b.ods", &zipped(&content(&wide))).contains("column ALM"));
    let cell = |columns: u32| {
        format!(
            r#"<table:table-cell table:number-columns-repeated="{columns}" office:value-type="float" office:value="1"/>"#
        )
    };
    let repeated = |rows: u32, cells: &str| {
        let row =
            format!(r#"<table:table-row table:number-rows-repeated="{rows}">{cells}</table:table-row>"#);
        zipped(&content(&format!("<table:table>{row}</table:table>")))
    };
    assert!(refused("b.ods", &repeated(1_000_000, &cell(900))).contains("more rows than the 1000"));
    let most = Most {
        rows: 2_000_000,
        entries: 2_000_000,
        bytes: 1 << 30,
    };
    let roomy = |text: &str| refused_with("b.ods", text, most);
    assert!(roomy(&repeated(1_000_000, &cell(900))).contains("more than 10000000 values"));
    let far = cell(1) + r#"<table:table-cell table:number-columns-repeated="998"/>"# + &cell(1);
    let most = Most {
        bytes: 10 << 20,
        ..most
    };
    assert!(refused_with("b.ods", &repeated(10_000, &far), most).contains("too large"));
    let text = format!(
        r#"<table:table-cell table:number-columns-repeated="900" office:value-type="string" office:string-value="{}"/>"#,
        "x".repeat(1 << 20)
    );
    assert!(refused("b.ods", &repeated(900, &text)).contains("too large"));
    // Sheets that begin far down are far apart.
    let low = r#"<row r="1048570"><c r="A1048570"><v>1</v></c></row>"#;
    assert!(refused("b.xlsx", &xlsx(&[("S", low), ("T", low), ("U", low)])).contains("too large"));
    let spaces = r#"<table:table-cell office:value-type="string"><text:p><text:s text:c="2000000000"/></text:p></table:table-cell>"#;
    let row = format!("<table:table><table:table-row>{spaces}</table:table-row></table:table>");
    assert!(refused("b.ods", &zipped(&content(&row))).contains("more than 1048576 bytes"));
}

/// A part with some bytes changed, left out, or doubled.
fn broken() -> impl Strategy<Value = (usize, Vec<(usize, u8, String)>)> {
    let piece = prop_oneof![
        Just("<"),
        Just(">"),
        Just("/"),
        Just("\""),
        Just("&"),
        Just("99999999999"),
        Just("-1"),
        Just("<c r=\"\">"),
        Just("r=\"A0\""),
        Just("<row>"),
        Just("</row>"),
        Just("t=\"s\""),
        Just("<v>"),
        Just("1e400"),
        Just("é"),
        Just("s=\"9\""),
        Just("<table:table>"),
        Just("table:number-columns-repeated=\"4000000000\""),
        Just("<f t=\"shared\" ref=\"A1:XFD1048576\" si=\"0\">A1</f>"),
        Just("<mergeCells><mergeCell ref=\"A1:XFD1048576\"/></mergeCells>"),
        Just("<workbookPr date1904=\"1\"/>"),
        Just("<dimension ref=\"A1:XFD1048576\"/>"),
        Just("t=\"d\""),
        Just("s=\"1\""),
        Just("-693900"),
        Just("2958466"),
        Just("&#x110000;"),
        Just("<![CDATA["),
        Just("office:value-type=\"time\" office:time-value=\"PT99999999999H0M0S\"")
    ];
    let change = (0..4_000_usize, 0..3_u8, piece.prop_map(str::to_owned));
    (0..7_usize, proptest::collection::vec(change, 1..6))
}

fn damaged(text: &str, changes: &[(usize, u8, String)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (at, kind, piece) in changes {
        let at = at % (chars.len() + 1);
        let end = (at + piece.len()).min(chars.len());
        match kind {
            0 => drop(chars.splice(at..at, piece.chars())),
            1 => drop(chars.drain(at..end)),
            _ => drop(chars.splice(at..end, piece.chars())),
        }
    }
    chars.into_iter().collect()
}

proptest! {
    // `PROPTEST_CASES` asks for more.
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(2_000)))]

    #[test]
    fn damaged_workbooks_never_panic((part, changes) in broken()) {
        let values = rows(&[&["\"a", "\"b"], &["1", "\"x"], &["2.5", ""]]);
        let mut parts = parts(&[("S", &values), ("T", &values)]);
        let at = part % parts.len();
        parts[at].1 = damaged(&parts[at].1, &changes);
        let parts: Vec<(&str, String)> = parts.iter().map(|(name, text)| (&**name, text.clone())).collect();
        let _ = read_as("b.xlsx", &zipped(&parts), &Wishes::default());
    }

    #[test]
    fn damaged_opendocument_never_panics((_, changes) in broken()) {
        let cell = r#"<table:table-cell office:value-type="string"><text:p>a<text:s/></text:p></table:table-cell>"#;
        let row = format!("<table:table-row>{cell}{cell}</table:table-row>");
        let mut parts = content(&format!("<table:table table:name=\"S\">{row}{row}</table:table>"));
        parts[1].1 = damaged(&parts[1].1, &changes);
        let _ = read_as("b.ods", &zipped(&parts), &Wishes::default());
    }

    #[test]
    fn what_repeats_is_a_table_or_refused(
        rows in proptest::collection::vec((any::<u32>(), proptest::collection::vec((any::<u32>(), any::<bool>()), 0..4)), 1..4),
    ) {
        let mut xml = String::new();
        for (repeated, cells) in rows {
            xml.push_str(&format!(r#"<table:table-row table:number-rows-repeated="{repeated}">"#));
            for (repeated, has_value) in cells {
                let value = if has_value { r#"office:value-type="float" office:value="1""# } else { "" };
                xml.push_str(&format!(r#"<table:table-cell table:number-columns-repeated="{repeated}" {value}/>"#));
            }
            xml.push_str("</table:table-row>");
        }
        let text = zipped(&content(&format!("<table:table>{xml}</table:table>")));
        if let Ok(table) = read_as("b.ods", &text, &Wishes::default()) {
            prop_assert!(table.tables[0].rows <= MOST.rows);
        }
    }

    #[test]
    fn damaged_archives_never_panic(at in 0..4_000_usize, byte in any::<u8>(), end in 0..4_000_usize) {
        let text = xlsx(&[("S", &rows(&[&["\"a"], &["1"]]))]);
        let mut bytes = BASE64_STANDARD.decode(text).expect("it is base64");
        let length = bytes.len();
        bytes[at % length] = byte;
        bytes.truncate(length - end % 64);
        let _ = read_as("b.xlsx", &BASE64_STANDARD.encode(bytes), &Wishes::default());
    }
}
