//! Replies: lines of text. The first line controls what the conductor does; the others are data
//! (`docs/engine-protocol.md`).

mod checked;
mod constraints;
mod items;
mod outline;
mod proof;
mod step;

use std::fmt;
use std::str::Lines;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

use hornbook_base::FaultKind;
use hornbook_book::Predicate;

pub use checked::{CheckError, Checked, Doubt, Flaw, FlawKind, Hint};
pub use constraints::{Reach, Reaches, Violated, Violation, Violations};
pub use items::{Add, ClauseKind, Found, Item, Reloaded};
pub use outline::{Outlined, OutlinedItem, OutlinedKind, OutlinedMark, OutlinedMarkKind};
pub use proof::{Node, NodePlaces, Proof};
pub use step::{
    AddedClause, Answer, Changes, ChangesControl, Changing, MayAsk, Opened, Reverting, Step, TakenBack,
    TakenBackControl,
};

/// What is wrong with a malformed reply. Its engine is not believed any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadReply(pub String);

impl BadReply {
    pub fn new(why: impl fmt::Display) -> Self {
        BadReply(why.to_string())
    }
}

impl From<serde_json::Error> for BadReply {
    fn from(error: serde_json::Error) -> Self {
        BadReply::new(error)
    }
}

/// Why an engine refused something, or why a goal ended.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct EngineError {
    #[serde(deserialize_with = "ordinary")]
    pub kind: FaultKind,
    pub message: String,
    /// The unknown procedure, `name/arity`.
    pub predicate: Option<String>,
    /// Line from 1 and column from 0.
    pub line: Option<u32>,
    pub column: Option<u32>,
    /// What led to it: the recursion that filled a stack, what took the most inferences.
    #[serde(default)]
    pub detail: String,
    pub raised: Option<Raised>,
}

/// Where an error was raised.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Raised(
    /// The predicate, `name/arity`.
    pub String,
    /// The id of the clause, if known.
    pub Option<i64>,
    /// Which clause of the predicate it is, from 1.
    pub Option<u32>,
    /// The library predicate that the clause called, `name/arity`.
    pub Option<String>,
);

/// The kinds of error that an engine may report. An error of a kind that only the conductor can know, such as
/// the death of an engine, is rejected.
pub fn ordinary<'de, D: Deserializer<'de>>(deserializer: D) -> Result<FaultKind, D::Error> {
    use FaultKind::*;
    let kind = FaultKind::deserialize(deserializer)?;
    match kind {
        SyntaxError | UnsafeGoal | ExistenceError | TypeError | DomainError | InstantiationError
        | EvaluationError | Undefined | PermissionError | RepresentationError | ResourceError
        | UncaughtException | Halted | Timeout | NoSuchQuery => Ok(kind),
        _ => Err(serde::de::Error::custom("unknown kind of error")),
    }
}

/// Why a request has no result.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    /// The engine is unchanged.
    Refused(EngineError),
    /// The engine no longer knows what it holds; the text says why.
    Died(String),
}

/// The reply to a request.
pub trait Reply: Sized {
    /// The first line, in which the engine's own code writes only numbers and words.
    type Control: DeserializeOwned;

    /// Build the reply from the first line and the parts that it announces.
    fn assemble(control: Self::Control, parts: &mut Parts<'_>) -> Result<Self, BadReply>;
}

/// The lines after the first, each one JSON value.
pub struct Parts<'a>(Lines<'a>);

impl<'a> Parts<'a> {
    pub fn take<T: Deserialize<'a>>(&mut self) -> Result<T, BadReply> {
        let line = self.0.next().ok_or_else(|| BadReply::new("it ends early"))?;
        Ok(serde_json::from_str(line)?)
    }

    pub fn take_if<T: Deserialize<'a>>(&mut self, there: bool) -> Result<Option<T>, BadReply> {
        there.then(|| self.take()).transpose()
    }

    pub fn several<T: Deserialize<'a>>(&mut self, count: usize) -> Result<Vec<T>, BadReply> {
        (0..count).map(|_| self.take()).collect()
    }

    /// Predicates, whose names are the next parts.
    pub fn predicates(&mut self, arities: Vec<u32>) -> Result<Vec<Predicate>, BadReply> {
        arities
            .into_iter()
            .map(|arity| predicate(self.take()?, arity))
            .collect()
    }
}

/// More arguments than a predicate can have.
const MOST_ARGUMENTS: u32 = 1_024;

/// A predicate named by an engine.
pub(super) fn predicate(name: String, arity: u32) -> Result<Predicate, BadReply> {
    if arity > MOST_ARGUMENTS {
        return Err(BadReply(format!("it names a predicate of {arity} arguments")));
    }
    Ok(Predicate { name, arity })
}

/// Decode a reply. Its first eight characters are the CRC-32 of the rest, in hexadecimal.
pub fn decode<T: Reply>(text: &str) -> Result<Result<T, Refusal>, BadReply> {
    let (control, parts) = opened(text)?;
    let mut parts = Parts(parts.lines());
    let reply = match control.split_once(' ') {
        Some(("ok" | ANEW, control)) => Ok(T::assemble(serde_json::from_str(control)?, &mut parts)?),
        Some(("refused", "{}")) => Err(Refusal::Refused(parts.take()?)),
        Some(("died", "{}")) => Err(Refusal::Died(parts.take()?)),
        _ => return Err(BadReply::new("its status is unknown")),
    };
    match parts.0.next() {
        None => Ok(reply),
        Some(_) => Err(BadReply::new("it has unexpected trailing lines")),
    }
}

/// The first word of the reply to a request that was done, by an engine that must be rebuilt from the book
/// before it is used again.
const ANEW: &str = "anew";

/// Whether a reply asks for its engine to be rebuilt from the book.
pub fn asks_anew(text: &str) -> bool {
    opened(text).is_ok_and(|(control, _)| control.split_once(' ').is_some_and(|(word, _)| word == ANEW))
}

/// The first line and the rest of a reply that has arrived whole.
fn opened(text: &str) -> Result<(&str, &str), BadReply> {
    let (stated, reply) = text.split_at_checked(8).unwrap_or_default();
    if u32::from_str_radix(stated, 16) != Ok(crc32fast::hash(reply.as_bytes())) || !reply.ends_with('\n') {
        return Err(BadReply::new("its checksum does not fit"));
    }
    reply
        .split_once('\n')
        .ok_or_else(|| BadReply::new("its control line is missing"))
}

/// A reply as engines send it, made from its lines.
#[cfg(any(test, feature = "testing"))]
pub fn sealed(reply: &str) -> String {
    format!("{:08x}{reply}", crc32fast::hash(reply.as_bytes()))
}

/// The reply to a request without a result.
#[derive(Debug)]
pub struct Done;

/// An empty first line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

impl Reply for Done {
    type Control = Nothing;

    fn assemble(_: Nothing, _: &mut Parts<'_>) -> Result<Self, BadReply> {
        Ok(Done)
    }
}

/// The reply to `close`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Closed {
    #[serde(rename = "open")]
    _was_open: bool,
}

impl Reply for Closed {
    type Control = Closed;

    fn assemble(control: Closed, _: &mut Parts<'_>) -> Result<Self, BadReply> {
        Ok(control)
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Boot {
    pub version: String,
    pub libraries: Vec<String>,
    pub refused: Vec<String>,
    /// `name/arity`.
    pub builtins: Vec<String>,
}

impl Reply for Boot {
    type Control = Nothing;

    fn assemble(_: Nothing, parts: &mut Parts<'_>) -> Result<Self, BadReply> {
        Ok(Boot {
            version: parts.take()?,
            libraries: parts.take()?,
            refused: parts.take()?,
            builtins: parts.take()?,
        })
    }
}

/// The reply to `retract`: the id of the removed clause.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retracted {
    #[serde(deserialize_with = "Option::deserialize")]
    pub removed: Option<i64>,
}

impl Reply for Retracted {
    type Control = Retracted;

    fn assemble(control: Retracted, _: &mut Parts<'_>) -> Result<Self, BadReply> {
        Ok(control)
    }
}

/// The reply to `agree`.
#[derive(Debug)]
pub struct Agreed {
    /// The differences, a sentence each.
    pub differences: Vec<String>,
}

impl Reply for Agreed {
    type Control = Nothing;

    fn assemble(_: Nothing, parts: &mut Parts<'_>) -> Result<Self, BadReply> {
        Ok(Agreed {
            differences: parts.take()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<T: Reply>(reply: &str) -> Result<Result<T, Refusal>, BadReply> {
        decode(&sealed(reply))
    }

    #[test]
    fn a_refusal_and_a_death_are_told_from_a_reply() {
        let refused =
            "refused {}\n{\"kind\":\"existence_error\",\"message\":\"Unknown\",\"predicate\":\"p/2\"}\n";
        match read::<Step>(refused).unwrap() {
            Err(Refusal::Refused(error)) => assert_eq!(error.predicate.as_deref(), Some("p/2")),
            other => panic!("{other:?}"),
        }
        let died = read::<Step>("died {}\n\"it is lost\"\n").unwrap();
        assert_eq!(died.unwrap_err(), Refusal::Died("it is lost".into()));
    }

    #[test]
    fn what_is_not_a_reply_is_an_error() {
        for reply in [
            "",
            "\n",
            "ok\n",
            "ok {}",
            "ok {}\n\n",
            "ok {}\n1\n",
            "ok {} \n\"\"\n",
            "ok {\"more\":true}\n",
            "OK {}\n",
            "refused {}\n",
            "refused {\"x\":1}\n{}\n",
            "died {}\n",
        ] {
            assert!(read::<Done>(reply).is_err(), "{reply:?}");
        }
        assert!(read::<Done>("ok {}\n").unwrap().is_ok());
        assert!(read::<Retracted>("ok {}\n").is_err());
    }

    #[test]
    fn a_reply_that_has_not_come_whole_is_an_error() {
        let whole = sealed("ok {\"removed\":7}\n");
        assert!(decode::<Retracted>(&whole).is_ok());
        for at in 0..whole.len() {
            assert!(decode::<Retracted>(&whole[..at]).is_err(), "{at}");
            let mut altered = whole.clone().into_bytes();
            altered[at] ^= 1;
            assert!(
                decode::<Retracted>(&String::from_utf8(altered).unwrap()).is_err(),
                "{at}"
            );
        }
    }

    #[test]
    fn an_error_is_of_a_kind_that_engines_know_of() {
        for kind in [
            "engine_died",
            "bad_reply",
            "cancelled",
            "storage_error",
            "nonsense",
        ] {
            let refused = format!("refused {{}}\n{{\"kind\":\"{kind}\",\"message\":\"\"}}\n");
            assert!(read::<Done>(&refused).is_err(), "{kind}");
        }
    }

    #[test]
    fn a_line_or_a_column_that_is_none_is_an_error() {
        for place in [
            "\"line\":-1",
            "\"column\":4294967296",
            "\"line\":1.5",
            "\"line\":\"1\"",
        ] {
            let refused = format!("refused {{}}\n{{\"kind\":\"syntax_error\",\"message\":\"\",{place}}}\n");
            assert!(read::<Done>(&refused).is_err(), "{place}");
        }
    }
}
