//! The answers of a goal as Prolog text.

use super::plan::Query;
use super::program::Kind;
use crate::links::{Cell, push_float};
use crate::sql::Statement;
use hornbook_tables::push_atom;

impl Query {
    /// The query with all values as text.
    pub fn as_text(&self) -> Statement {
        let columns: Vec<String> = (1..=self.columns.len())
            .map(|at| format!("cast(c{at} as varchar)"))
            .collect();
        let read = match columns.is_empty() {
            true => "'true'".to_owned(),
            false => columns.join(", "),
        };
        Statement {
            sql: format!("select {read} from ({}) as answers", self.statement.sql),
            parameters: self.statement.parameters.clone(),
        }
    }
}

/// Rows of [`Query::as_text`] as the text of a list of lists of arguments.
///
/// # Errors
/// The value that cannot be read.
pub fn answer_rows(columns: &[Option<Kind>], rows: &[Vec<Cell>]) -> Result<String, String> {
    let mut out = String::from("[");
    for (at, row) in rows.iter().enumerate() {
        out.push_str(if at > 0 { ",[" } else { "[" });
        for (at, (column, cell)) in columns.iter().zip(row).enumerate() {
            out.push_str(if at > 0 { "," } else { "" });
            let Cell::Text(text) = cell else {
                return Err("an answer has no text".to_owned());
            };
            match column {
                Some(kind) => push(&mut out, kind.tag(), text)?,
                None => {
                    let tag = text.chars().next().ok_or("an answer has no kind")?;
                    push(&mut out, tag, &text[tag.len_utf8()..])?;
                }
            }
        }
        out.push(']');
    }
    out.push(']');
    Ok(out)
}

fn push(out: &mut String, tag: char, text: &str) -> Result<(), String> {
    match tag {
        'f' => push_float(out, text.parse().map_err(|_| format!("{text} is no float"))?),
        'a' => push_atom(out, text),
        's' => push_string(out, text),
        // Digits, or a term as Prolog wrote it.
        _ => out.push_str(text),
    }
    Ok(())
}

fn push_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push_str(&format!("\\x{:x}\\", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_terms() {
        let row = ["7", "an atom", "sa \"b\"", "tf(a)", "f2.0"].map(|text| Cell::Text(text.to_owned()));
        let columns = [Some(Kind::Integer), Some(Kind::Atom), None, None, None];
        let text = answer_rows(&columns, &[row.to_vec()]);
        assert_eq!(text.unwrap(), r#"[[7,'an atom',"a \"b\"",f(a),2.0]]"#);
        assert_eq!(answer_rows(&[], &[vec![]]).unwrap(), "[[]]");
    }
}
