//! What an engine made of texts to be added.

use std::fmt;

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::{BadReply, EngineError, Parts, Reply, predicate};
use hornbook_book::{Kind, Predicate};

#[derive(Debug)]
pub struct Add {
    pub items: Vec<Item>,
    pub more: bool,
}

/// What an engine made of a stretch of text: code points `start..end` of a source.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    pub source: usize,
    pub start: usize,
    pub end: usize,
    pub found: Found,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    Clause {
        kind: ClauseKind,
        predicate: Predicate,
        /// The text that the book keeps instead of the original, which needs operators of a file.
        written: Option<String>,
    },
    Directive {
        predicate: Predicate,
        restore: Option<String>,
        /// As for a clause.
        written: Option<String>,
    },
    /// The goal of an `initialization/1` directive, to run once loading is done.
    Initialization(String),
    /// A directive that is a goal, to run before the next item is read: the last item of a reply that says
    /// more follow.
    Goal { predicate: Predicate, goal: String },
    /// Left out by conditional compilation.
    Skipped,
    /// Not added.
    Refused(EngineError),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClauseKind {
    Fact,
    Rule,
    GrammarRule,
}

impl From<ClauseKind> for Kind {
    fn from(kind: ClauseKind) -> Self {
        match kind {
            ClauseKind::Fact => Kind::Fact,
            ClauseKind::Rule => Kind::Rule,
            ClauseKind::GrammarRule => Kind::GrammarRule,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AddControl {
    items: Vec<Written>,
    more: bool,
}

impl Reply for Add {
    type Control = AddControl;

    fn assemble(control: AddControl, parts: &mut Parts<'_>) -> Result<Self, BadReply> {
        Ok(Add {
            items: items(control.items, parts)?,
            more: control.more,
        })
    }
}

#[derive(Debug)]
pub struct Reloaded {
    pub items: Vec<Item>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReloadedControl {
    items: Vec<Written>,
}

impl Reply for Reloaded {
    type Control = ReloadedControl;

    fn assemble(control: ReloadedControl, parts: &mut Parts<'_>) -> Result<Self, BadReply> {
        Ok(Reloaded {
            items: items(control.items, parts)?,
        })
    }
}

/// Decode items. An item that differs from the previous one only in its place is written as its end alone.
fn items(written: Vec<Written>, parts: &mut Parts<'_>) -> Result<Vec<Item>, BadReply> {
    let mut items: Vec<Item> = Vec::with_capacity(written.len());
    for next in written {
        let item = match next {
            Written::End(end) => {
                let before = items
                    .last()
                    .ok_or_else(|| BadReply::new("an end before any item"))?;
                Item {
                    start: before.end,
                    end,
                    ..before.clone()
                }
            }
            Written::Whole {
                source,
                start,
                end,
                tag,
            } => Item {
                source,
                start,
                end,
                found: tag.found(parts)?,
            },
        };
        items.push(item);
    }
    Ok(items)
}

/// An item in the first line: `[tag, source, start, end, …]`, or its end.
#[derive(Debug)]
enum Written {
    Whole {
        source: usize,
        start: usize,
        end: usize,
        tag: Tag,
    },
    End(usize),
}

#[derive(Debug)]
enum Tag {
    /// With whether another text replaces it.
    Clause(ClauseKind, u32, bool),
    /// With whether it restores something, and whether another text replaces it.
    Directive(u32, bool, bool),
    Initialization,
    Goal(u32),
    Skipped,
    Refused,
}

impl Tag {
    fn found(self, parts: &mut Parts<'_>) -> Result<Found, BadReply> {
        Ok(match self {
            Tag::Clause(kind, arity, rewritten) => Found::Clause {
                kind,
                predicate: predicate(parts.take()?, arity)?,
                written: parts.take_if(rewritten)?,
            },
            Tag::Directive(arity, restores, rewritten) => Found::Directive {
                predicate: predicate(parts.take()?, arity)?,
                restore: parts.take_if(restores)?,
                written: parts.take_if(rewritten)?,
            },
            Tag::Initialization => Found::Initialization(parts.take()?),
            Tag::Goal(arity) => Found::Goal {
                predicate: predicate(parts.take()?, arity)?,
                goal: parts.take()?,
            },
            Tag::Skipped => Found::Skipped,
            Tag::Refused => Found::Refused(parts.take()?),
        })
    }
}

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WrittenVisitor)
    }
}

struct WrittenVisitor;

impl<'de> Visitor<'de> for WrittenVisitor {
    type Value = Written;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an item of an addition, or its end")
    }

    fn visit_u64<E: serde::de::Error>(self, end: u64) -> Result<Written, E> {
        usize::try_from(end).map(Written::End).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Written, A::Error> {
        let tag: char = required(&mut seq)?;
        let source = required(&mut seq)?;
        let start = required(&mut seq)?;
        let end = required(&mut seq)?;
        let mut clause = |kind| -> Result<Tag, A::Error> {
            Ok(Tag::Clause(
                kind,
                required(&mut seq)?,
                seq.next_element::<u8>()?.is_some(),
            ))
        };
        let tag = match tag {
            'f' => clause(ClauseKind::Fact)?,
            'r' => clause(ClauseKind::Rule)?,
            'g' => clause(ClauseKind::GrammarRule)?,
            'd' => {
                let arity = required(&mut seq)?;
                let flags = seq.next_element::<u8>()?.unwrap_or(0);
                Tag::Directive(arity, flags & 1 == 1, flags & 2 == 2)
            }
            'i' => Tag::Initialization,
            'n' => Tag::Goal(required(&mut seq)?),
            's' => Tag::Skipped,
            'e' => Tag::Refused,
            other => return Err(A::Error::custom(format!("unknown item `{other}`"))),
        };
        Ok(Written::Whole {
            source,
            start,
            end,
            tag,
        })
    }
}

fn required<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(seq: &mut A) -> Result<T, A::Error> {
    seq.next_element()?
        .ok_or_else(|| A::Error::custom("an item is too short"))
}

#[cfg(test)]
mod tests {
    use super::super::{Refusal, decode, sealed};
    use super::*;
    use hornbook_base::FaultKind;

    fn read(reply: &str) -> Result<Result<Add, Refusal>, BadReply> {
        decode(&sealed(reply))
    }

    fn named(name: &str, arity: u32) -> Predicate {
        let name = name.into();
        Predicate { name, arity }
    }

    #[test]
    fn items_are_decoded_by_their_tag() {
        let text = r#"ok {"more":false,"items":[["f",0,0,5,1],["d",0,5,30,3,1],["d",1,0,20,1],["i",1,20,40],["e",1,40,50],["s",1,50,60],["n",1,60,70,1],["r",1,70,80,2,1]]}
"a"
"op"
":- op(0, xfx, =>)."
"dynamic"
"main"
{"kind":"syntax_error","message":"Illegal start of term","line":3,"column":2,"offset":44}
"assertz"
"assertz(a)"
"likes"
"likes(===>(a,b), X) :- p(X)."
"#;
        let add = read(text).unwrap().unwrap();
        let fact = Found::Clause {
            kind: ClauseKind::Fact,
            predicate: named("a", 1),
            written: None,
        };
        assert_eq!(add.items[0].found, fact);
        let op = Found::Directive {
            predicate: named("op", 3),
            restore: Some(":- op(0, xfx, =>).".to_owned()),
            written: None,
        };
        assert_eq!(add.items[1].found, op);
        let plain = Found::Directive {
            predicate: named("dynamic", 1),
            restore: None,
            written: None,
        };
        let item = Item {
            source: 1,
            start: 0,
            end: 20,
            found: plain,
        };
        assert_eq!(add.items[2], item);
        assert_eq!(add.items[3].found, Found::Initialization("main".into()));
        assert_eq!(add.items[5].found, Found::Skipped);
        let goal = Found::Goal {
            predicate: named("assertz", 1),
            goal: "assertz(a)".to_owned(),
        };
        assert_eq!(add.items[6].found, goal);
        let rewritten = Found::Clause {
            kind: ClauseKind::Rule,
            predicate: named("likes", 2),
            written: Some("likes(===>(a,b), X) :- p(X).".to_owned()),
        };
        assert_eq!(add.items[7].found, rewritten);
        let Found::Refused(error) = &add.items[4].found else {
            panic!("{:?}", add.items[4])
        };
        assert_eq!(
            (error.kind, error.line, error.column),
            (FaultKind::SyntaxError, Some(3), Some(2))
        );
    }

    #[test]
    fn a_directive_may_have_another_text_that_replaces_it() {
        let text = "ok {\"more\":false,\"items\":[[\"d\",0,0,9,2,2]]}\n\"<=>\"\n\"<=>(a,b).\"\n";
        let rule = Found::Directive {
            predicate: named("<=>", 2),
            restore: None,
            written: Some("<=>(a,b).".to_owned()),
        };
        assert_eq!(read(text).unwrap().unwrap().items[0].found, rule);
    }

    #[test]
    fn an_end_alone_is_an_item_like_the_one_before() {
        let text = "ok {\"more\":true,\"items\":[[\"f\",1,3,5,1],9,12,[\"f\",2,0,4,1]]}\n\"a\"\n\"a\"\n";
        let items = read(text).unwrap().unwrap().items;
        let places: Vec<_> = items
            .iter()
            .map(|item| (item.source, item.start, item.end))
            .collect();
        assert_eq!(places, [(1, 3, 5), (1, 5, 9), (1, 9, 12), (2, 0, 4)]);
        assert_eq!(items[2].found, items[0].found);
    }

    #[test]
    fn items_that_are_none_are_errors() {
        for (items, parts) in [
            ("[5]", ""),
            ("[[\"z\",0,0,1]]", ""),
            ("[[\"f\",0,0,1]]", "\"a\"\n"),
            ("[[\"f\",0,0,1,1,1]]", "\"a\"\n"),
            ("[[\"f\",0,0,-1,1]]", "\"a\"\n"),
            ("[[\"f\",0,0,1,1025]]", "\"a\"\n"),
            ("[[\"f\",0,0,1,1]]", ""),
            ("[[\"f\",0,0,1,1]]", "\"a\"\n\"b\"\n"),
            ("[[\"f\",0,0,1,1]]", "null\n"),
        ] {
            let text = format!("ok {{\"more\":false,\"items\":{items}}}\n{parts}");
            assert!(read(&text).is_err(), "{text}");
        }
    }
}
