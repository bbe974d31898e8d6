//! Relations of the host: tools, functions and addresses that answer what is known with rows. An answer is kept for the
//! query that asked, and for as long as the host says.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::cursors::{CURSORS, Reading};
use super::{Linked, wrong_arity};
use hornbook_data::Argument;
use hornbook_engine::protocol;
use hornbook_tables::{push_atom, push_json};

/// A relation as the host names it.
#[derive(Deserialize)]
pub(super) struct Asked {
    columns: Vec<Column>,
    /// For how long an answer holds for other queries.
    keep_ms: u64,
    /// Whether the book keeps what was read.
    record: bool,
}

impl Asked {
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| &*column.name)
    }
}

#[derive(Deserialize)]
struct Column {
    name: String,
    mode: Mode,
}

#[derive(Clone, Copy, Deserialize, PartialEq)]
enum Mode {
    /// Must be known.
    #[serde(rename = "+")]
    In,
    /// Is told if it is known.
    #[serde(rename = "?")]
    Either,
    /// Comes back.
    #[serde(rename = "-")]
    Out,
}

/// A question for the host.
#[derive(Serialize)]
struct Question<'a> {
    source: &'a str,
    table: Option<&'a str>,
    /// The columns that are known, as JSON, by their names.
    given: BTreeMap<&'a str, Box<RawValue>>,
    /// The most bytes that its answer may have.
    bytes: usize,
}

/// What the host answers.
#[derive(Deserialize)]
struct Told {
    /// Each with a value for each column.
    rows: Vec<Vec<Box<RawValue>>>,
    /// When it was read, in ISO format.
    time: String,
    hash: String,
}

/// An answer as the engine gets it.
pub(super) struct Answer {
    /// Until when it holds for other queries.
    until_ms: u64,
    /// When it was asked: the oldest goes first.
    number: u64,
    text: Rc<str>,
}

/// Answers, by the question and the query that they hold for.
pub(super) type Answers = BTreeMap<(String, u64), Answer>;

/// Larger integers are not told exactly.
const MOST_EXACT: u64 = (1 << 53) - 1;

impl Linked {
    /// The rows of a relation of the host, with what the book may record of them; or `recorded`, if its last record is to
    /// answer.
    pub(super) async fn ask(
        &self,
        query: u64,
        asked: &Asked,
        (data, name): (Vec<String>, String),
        arguments: &[Argument],
        recorded: bool,
    ) -> Result<String, String> {
        if asked.columns.len() != arguments.len() {
            return Err(wrong_arity(asked.names(), &data, &name, arguments.len()));
        }
        let mut given = BTreeMap::new();
        let (mut known, mut values) = (String::from("["), String::from("["));
        for (at, (column, argument)) in asked.columns.iter().zip(arguments).enumerate() {
            values.push_str(if values.len() > 1 { "," } else { "" });
            let json = match (column.mode, argument) {
                (Mode::In, Argument::Variable(_)) => {
                    return Ok(protocol::text_request("unbound", &column.name));
                }
                (Mode::Out, _) => {
                    values.push('_');
                    continue;
                }
                // The record says by a variable what could have been told.
                (Mode::Either, Argument::Variable(_)) => {
                    let open = format!("V{at}");
                    values.push_str(&open);
                    push_known(&mut known, &column.name, &open);
                    continue;
                }
                (_, Argument::Integer(digits)) if !is_exact(digits) => {
                    return Err(format!("{} has more digits than are told exactly", column.name));
                }
                // No value is one, as in tables.
                (_, Argument::String) => return Ok("rows([],none)".to_owned()),
                (_, known) => json_of(known).ok_or_else(|| {
                    format!(
                        "{} is told as text, a number, true, false or null only",
                        column.name
                    )
                })?,
            };
            let mut value = String::new();
            push_json(&mut value, json.get())?;
            values.push_str(&value);
            push_known(&mut known, &column.name, &value);
            given.insert(&*column.name, json);
        }
        if recorded || self.is_past {
            return Ok("recorded".to_owned());
        }
        let question = Question {
            source: &data[0],
            table: data.get(1).map(String::as_str),
            given,
            bytes: self.limits.data_answer_bytes,
        };
        let question = serde_json::to_string(&question).map_err(|error| error.to_string())?;
        if let Some(text) = self.answered(query, &question) {
            return Ok(text.to_string());
        }
        let number = CURSORS.fetch_add(1, Ordering::Relaxed);
        let asking = Reading::of(&self.host, number);
        let told = self.host.ask(number, question.clone()).await?;
        drop(asking);
        let told: Told = serde_json::from_str(&told).map_err(|error| error.to_string())?;
        let record = asked.record && self.may_record;
        let mut text = format!("asked({values}],{known}],{record},[");
        for (at, row) in told.rows.iter().enumerate() {
            text.push_str(if at > 0 { ",[" } else { "[" });
            for (at, (column, value)) in asked.columns.iter().zip(row).enumerate() {
                text.push_str(if at > 0 { "," } else { "" });
                push_json(&mut text, value.get())
                    .map_err(|why| format!("its {} cannot be read: {why}", column.name))?;
            }
            text.push(']');
        }
        text.push_str("],");
        push_atom(&mut text, &told.time);
        text.push(',');
        push_atom(&mut text, &told.hash);
        text.push(')');
        let text: Rc<str> = text.into();
        let answer = Answer {
            until_ms: self.clock.now_ms() + asked.keep_ms,
            number,
            text: text.clone(),
        };
        self.keep_answer((question, query), answer);
        Ok(text.to_string())
    }

    /// Only these queries are open.
    pub(super) fn keep_answers(&self, queries: &[u64]) {
        let now_ms = self.clock.now_ms();
        self.answers
            .borrow_mut()
            .retain(|(_, query), answer| now_ms < answer.until_ms || queries.contains(query));
    }

    /// What the query has been answered; else what another has, if that holds for this one, from now on to its end.
    fn answered(&self, query: u64, question: &str) -> Option<Rc<str>> {
        let now_ms = self.clock.now_ms();
        let key = (question.to_owned(), query);
        let lent = {
            let answers = self.answers.borrow();
            if let Some(own) = answers.get(&key) {
                return Some(own.text.clone());
            }
            let all = answers.range((question.to_owned(), 0)..=(question.to_owned(), u64::MAX));
            let (_, last) = { all.filter(|(_, answer)| now_ms < answer.until_ms) }
                .max_by_key(|(_, answer)| answer.number)?;
            Answer {
                text: last.text.clone(),
                ..*last
            }
        };
        let text = lent.text.clone();
        self.keep_answer(key, lent);
        Some(text)
    }

    fn keep_answer(&self, key: (String, u64), answer: Answer) {
        let mut answers = self.answers.borrow_mut();
        answers.insert(key, answer);
        if answers.len() > self.limits.data_answers {
            let oldest = answers.iter().min_by_key(|(_, answer)| answer.number);
            if let Some(oldest) = oldest.map(|(key, _)| key.clone()) {
                answers.remove(&oldest);
            }
        }
    }
}

/// A column of the record with its value, or with a variable.
fn push_known(known: &mut String, column: &str, value: &str) {
    known.push_str(if known.len() > 1 { "," } else { "" });
    push_atom(known, column);
    known.push('=');
    known.push_str(value);
}

fn is_exact(digits: &str) -> bool {
    let digits = digits.trim_start_matches('-');
    digits.parse::<u64>().is_ok_and(|value| value <= MOST_EXACT)
}

/// What is known as JSON; `None` if it is a list or another term.
fn json_of(known: &Argument) -> Option<Box<RawValue>> {
    let text = match known {
        Argument::Atom(word) if matches!(&**word, "true" | "false" | "null") => word.clone(),
        Argument::Atom(text) => serde_json::to_string(text).ok()?,
        Argument::Integer(digits) | Argument::Float(digits) => digits.clone(),
        Argument::Variable(_) | Argument::String | Argument::Term => return None,
    };
    // An infinity is no number of JSON.
    RawValue::from_string(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_text_a_number_or_a_word_of_json() {
        let json = |argument| json_of(&argument).map(|json| json.get().to_owned());
        assert_eq!(
            json(Argument::Atom("it's \"tea\"".to_owned())).unwrap(),
            r#""it's \"tea\"""#
        );
        assert_eq!(json(Argument::Atom("true".to_owned())).unwrap(), "true");
        assert_eq!(
            json(Argument::Integer("12345678901234567890123".to_owned())).unwrap(),
            "12345678901234567890123"
        );
        assert_eq!(json(Argument::Float("1.5".to_owned())).unwrap(), "1.5");
        assert_eq!(json(Argument::Float("inf".to_owned())), None);
        assert_eq!(json(Argument::Term), None);
    }

    #[test]
    fn integers_are_told_as_far_as_javascript_has_them_exactly() {
        assert!(is_exact("9007199254740991") && is_exact("-9007199254740991") && is_exact("0"));
        assert!(!is_exact("9007199254740992") && !is_exact("-100000000000000000000"));
    }

    #[test]
    fn a_relation_has_columns_with_modes() {
        let text = r#"{"columns":[{"name":"item","mode":"+"},{"name":"price","mode":"-"}],"keep_ms":0,"record":true}"#;
        let asked: Asked = serde_json::from_str(text).expect("a relation");
        assert_eq!(asked.names().collect::<Vec<_>>(), ["item", "price"]);
        assert!(asked.columns[0].mode == Mode::In && asked.columns[1].mode == Mode::Out && asked.record);
    }
}
