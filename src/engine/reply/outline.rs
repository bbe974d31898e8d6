//! What is where in a text.

use serde::Deserialize;

use super::{BadReply, Parts, Reply, predicate};
use hornbook_book::Predicate;

/// The reply to `outline`. Positions are code points of the text.
#[derive(Debug, PartialEq)]
pub struct Outlined {
    pub items: Vec<OutlinedItem>,
}

#[derive(Debug, PartialEq)]
pub struct OutlinedItem {
    pub kind: OutlinedKind,
    pub start: usize,
    pub end: usize,
    pub marks: Vec<OutlinedMark>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum OutlinedKind {
    #[serde(rename = "f")]
    Fact,
    #[serde(rename = "r")]
    Rule,
    #[serde(rename = "g")]
    Grammar,
    #[serde(rename = "d")]
    Directive,
    /// It cannot be read.
    #[serde(rename = "e")]
    Error,
    /// Comments after the last clause.
    #[serde(rename = "s")]
    Comments,
}

#[derive(Debug, PartialEq)]
pub struct OutlinedMark {
    pub kind: OutlinedMarkKind,
    pub start: usize,
    pub end: usize,
    pub predicate: Option<Predicate>,
    /// The module written before the predicate.
    pub module: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum OutlinedMarkKind {
    #[serde(rename = "h")]
    Head,
    #[serde(rename = "c")]
    Call,
    #[serde(rename = "i")]
    Indicator,
    #[serde(rename = "v")]
    Variable,
    #[serde(rename = "a")]
    Atom,
    #[serde(rename = "n")]
    Number,
    #[serde(rename = "s")]
    String,
    #[serde(rename = "%")]
    Comment,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutlinedControl {
    items: Vec<(OutlinedKind, usize, usize)>,
}

/// For a predicate, with its name and arity, and its module if written.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Qualified(OutlinedMarkKind, usize, usize, String, u32, String),
    Predicate(OutlinedMarkKind, usize, usize, String, u32),
    Other(OutlinedMarkKind, usize, usize),
}

impl Reply for Outlined {
    type Control = OutlinedControl;

    fn assemble(control: OutlinedControl, parts: &mut Parts<'_>) -> Result<Self, BadReply> {
        let items = control.items.into_iter().map(|(kind, start, end)| {
            let marks: Vec<Written> = parts.take()?;
            Ok(OutlinedItem {
                kind,
                start,
                end,
                marks: marks.into_iter().map(mark).collect::<Result<_, BadReply>>()?,
            })
        });
        Ok(Outlined {
            items: items.collect::<Result<_, BadReply>>()?,
        })
    }
}

fn mark(written: Written) -> Result<OutlinedMark, BadReply> {
    let (kind, start, end, named, module) = match written {
        Written::Qualified(kind, start, end, name, arity, module) => {
            (kind, start, end, Some(predicate(name, arity)?), Some(module))
        }
        Written::Predicate(kind, start, end, name, arity) => {
            (kind, start, end, Some(predicate(name, arity)?), None)
        }
        Written::Other(kind, start, end) => (kind, start, end, None, None),
    };
    Ok(OutlinedMark {
        kind,
        start,
        end,
        predicate: named,
        module,
    })
}

#[cfg(test)]
mod tests {
    use super::super::{decode, sealed};
    use super::*;

    #[test]
    fn each_item_has_its_marks() {
        let reply = sealed(
            "ok {\"items\":[[\"f\",0,7],[\"e\",7,9]]}\n[[\"h\",0,1,\"p\",1],[\"v\",2,3],[\"c\",6,7,\"q\",0,\"m\"]]\n[]\n",
        );
        let outlined = decode::<Outlined>(&reply).unwrap().unwrap();
        let [fact, error] = &outlined.items[..] else {
            panic!("{outlined:?}")
        };
        assert_eq!((fact.kind, fact.start, fact.end), (OutlinedKind::Fact, 0, 7));
        assert_eq!(fact.marks[0].predicate.as_ref().unwrap().to_string(), "p/1");
        assert_eq!(
            (fact.marks[1].kind, &fact.marks[1].predicate),
            (OutlinedMarkKind::Variable, &None)
        );
        assert_eq!(
            (&fact.marks[0].module, fact.marks[2].module.as_deref()),
            (&None, Some("m"))
        );
        assert_eq!((error.kind, error.marks.len()), (OutlinedKind::Error, 0));
    }

    #[test]
    fn a_mark_that_is_none_spoils_the_reply() {
        for marks in ["[[\"x\",0,1]]", "[[\"h\",0,1,\"p\",2000]]", "[[\"h\",0]]"] {
            let reply = sealed(&format!("ok {{\"items\":[[\"f\",0,7]]}}\n{marks}\n"));
            assert!(decode::<Outlined>(&reply).is_err(), "{marks}");
        }
    }
}
