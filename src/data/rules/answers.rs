//! The answers of a goal as Prolog text.

use super::plan::Query;
use super::program::{Constant, Kind};
use super::proof::{Premise, Step, Value};
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
            push_cell(&mut out, *column, cell)?;
        }
        out.push(']');
    }
    out.push(']');
    Ok(out)
}

impl Step {
    /// What a step of a proof says, as the text of the term `step(Rule, Bindings, Premises)`: the number of the rule,
    /// `Name=Value` for its variables, and `premise(Name, Arguments, Predicate, Round, Rule)` for each tuple with a proof of its
    /// own. `row` is the first of [`Query::as_text`].
    ///
    /// # Errors
    /// The value that cannot be read.
    pub fn text(&self, rule: usize, row: &[Cell]) -> Result<String, String> {
        let push_column =
            |out: &mut String, column: usize| match (self.query.columns.get(column), row.get(column)) {
                (Some(kind), Some(cell)) => push_cell(out, *kind, cell),
                _ => Err("a value of a proof is missing".to_owned()),
            };
        let mut out = format!("step({rule},[");
        for (at, (name, column)) in self.variables.iter().enumerate() {
            out.push_str(if at > 0 { "," } else { "" });
            push_atom(&mut out, name);
            out.push_str("= ");
            push_column(&mut out, *column)?;
        }
        out.push_str("],[");
        let mut is_first = true;
        for premise in &self.premises {
            let Premise::Holds {
                predicate,
                arguments,
                derived: Some(derived),
            } = premise
            else {
                continue;
            };
            out.push_str(if is_first { "premise(" } else { ",premise(" });
            is_first = false;
            push_atom(
                &mut out,
                predicate.rsplit_once('/').map_or(&**predicate, |(name, _)| name),
            );
            out.push_str(",[");
            for (at, argument) in arguments.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                match argument {
                    Value::Constant(constant) => push_constant(&mut out, constant)?,
                    Value::Column(column) => push_column(&mut out, *column)?,
                }
            }
            out.push_str(&format!("],{}", derived.predicate));
            for column in [derived.round, derived.rule] {
                out.push(',');
                push_column(&mut out, column)?;
            }
            out.push(')');
        }
        out.push_str("])");
        Ok(out)
    }
}

fn push_constant(out: &mut String, constant: &Constant) -> Result<(), String> {
    match constant {
        Constant::Atom(text) => push(out, 'a', text),
        Constant::String(text) => push(out, 's', text),
        Constant::Integer(text) | Constant::Other(text) => push(out, 't', text),
        Constant::Float(value) => {
            push_float(out, *value);
            Ok(())
        }
    }
}

fn push_cell(out: &mut String, kind: Option<Kind>, cell: &Cell) -> Result<(), String> {
    let Cell::Text(text) = cell else {
        return Err("an answer has no text".to_owned());
    };
    match kind {
        Some(kind) => push(out, kind.tag(), text),
        None => {
            let tag = text.chars().next().ok_or("an answer has no kind")?;
            push(out, tag, &text[tag.len_utf8()..])
        }
    }
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
    #[test]
    fn a_step_of_a_proof_becomes_a_term() {
        use crate::rules::{Derived, Premise, ProofStep, ProofValue};
        let column = |column| ProofValue::Column(column);
        let holds = |predicate: &str, arguments, derived| Premise::Holds {
            predicate: predicate.to_owned(),
            arguments,
            derived,
        };
        let derived = Derived {
            predicate: 3,
            round: 2,
            rule: 3,
        };
        let step = ProofStep {
            query: Query {
                statement: Statement::default(),
                columns: vec![Some(Kind::Atom), None, Some(Kind::Integer), Some(Kind::Integer)],
            },
            is_group: false,
            premises: vec![
                holds("link/2", vec![column(0), column(1)], None),
                holds(
                    "a/b/2",
                    vec![column(1), ProofValue::Constant(Constant::Float(2.0))],
                    Some(derived),
                ),
            ],
            variables: vec![("A".to_owned(), 0), ("B".to_owned(), 1)],
        };
        let row = ["it's", "i7", "4", "1"].map(|text| Cell::Text(text.to_owned()));
        let text = step.text(2, &row).expect("a term");
        assert_eq!(
            text,
            r"step(2,['A'= 'it\'s','B'= 7],[premise('a/b',[7,2.0],3,4,1)])"
        );
    }
}
