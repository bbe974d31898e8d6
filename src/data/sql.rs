//! Statements, and the dialects that they are written in.

use serde::{Deserialize, Serialize};

/// The language of a data engine.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    DuckDb,
    Postgres,
    Sqlite,
}

/// A value of a table or of a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    Null,
    Boolean(bool),
    /// An integer of any size, in decimal digits.
    Integer(String),
    /// An exact decimal number, such as `12.50`.
    Decimal(String),
    Float(f64),
    /// Text: an atom in Prolog.
    Text(String),
}

/// A statement with its parameters, `$1` being the first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    pub sql: String,
    pub parameters: Vec<Value>,
}

impl Statement {
    /// Add `value` as a parameter, and return what stands for it in the text.
    pub fn parameter(&mut self, value: Value) -> String {
        self.parameters.push(value);
        format!("${}", self.parameters.len())
    }
}

/// `name` as an identifier, in any dialect: in double quotes, which are doubled within it.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_end_its_quotes() {
        assert_eq!(quoted("a\"; drop table t; --"), "\"a\"\"; drop table t; --\"");
    }

    #[test]
    fn parameters_are_numbered_from_one() {
        let mut statement = Statement::default();
        assert_eq!(statement.parameter(Value::Null), "$1");
        assert_eq!(statement.parameter(Value::Boolean(true)), "$2");
    }
}
