//! Replies: one JSON object each (`ARCHITECTURE.md`, "The engine protocol").

use std::fmt;

use serde::de::{DeserializeOwned, Error as _, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use hornbook_book::Kind;

use hornbook_base::FaultKind;

/// Why an engine refused something, or why a goal ended.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct EngineError {
    pub kind: FaultKind,
    pub message: String,
    /// The unknown procedure, `name/arity`.
    pub predicate: Option<String>,
    /// Line from 1 and column from 0.
    pub line: Option<u32>,
    pub column: Option<u32>,
}

/// What a reply says: what was asked for, or that the engine refused. A reply begins with which of them it is.
pub fn decode<T: DeserializeOwned>(text: &str) -> Result<Result<T, EngineError>, serde_json::Error> {
    #[derive(Deserialize)]
    struct Refusal {
        error: EngineError,
    }
    if text.starts_with(r#"{"ok":true"#) {
        return serde_json::from_str(text).map(Ok);
    }
    serde_json::from_str::<Refusal>(text).map(|refusal| Err(refusal.error))
}

/// The reply to a request that gives nothing back.
#[derive(Debug, Deserialize)]
pub struct Done {}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct Boot {
    pub version: String,
    pub libraries: Vec<String>,
    pub refused: Vec<String>,
    /// `name/arity`.
    pub builtins: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub struct Add {
    #[serde(deserialize_with = "items")]
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
        name: String,
        arity: u32,
    },
    Directive {
        name: String,
        arity: u32,
        restore: Option<String>,
    },
    /// The goal of an `initialization/1` directive, to be run when loading is done.
    Initialization(String),
    /// It was not added.
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

/// Items of a reply; one that differs from the one before it only in its place is its end alone.
fn items<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Item>, D::Error> {
    struct ItemsVisitor;
    impl<'de> Visitor<'de> for ItemsVisitor {
        type Value = Vec<Item>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("the items of an addition")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<Item>, A::Error> {
            let mut items: Vec<Item> = Vec::new();
            while let Some(next) = seq.next_element()? {
                items.push(match next {
                    Written::Whole(item) => item,
                    Written::End(end) => {
                        let before = items
                            .last()
                            .ok_or_else(|| A::Error::custom("an end before any item"))?;
                        Item {
                            start: before.end,
                            end,
                            ..before.clone()
                        }
                    }
                });
            }
            Ok(items)
        }
    }
    deserializer.deserialize_seq(ItemsVisitor)
}

enum Written {
    Whole(Item),
    End(usize),
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
        let found = match tag {
            'f' => clause(ClauseKind::Fact, &mut seq)?,
            'r' => clause(ClauseKind::Rule, &mut seq)?,
            'g' => clause(ClauseKind::GrammarRule, &mut seq)?,
            'd' => Found::Directive {
                name: required(&mut seq)?,
                arity: required(&mut seq)?,
                restore: seq.next_element()?,
            },
            'i' => Found::Initialization(required(&mut seq)?),
            'e' => Found::Refused(required(&mut seq)?),
            other => return Err(A::Error::custom(format!("unknown item `{other}`"))),
        };
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Written::Whole(Item {
            source,
            start,
            end,
            found,
        }))
    }
}

fn required<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(seq: &mut A) -> Result<T, A::Error> {
    seq.next_element()?
        .ok_or_else(|| A::Error::custom("an item is too short"))
}

fn clause<'de, A: SeqAccess<'de>>(kind: ClauseKind, seq: &mut A) -> Result<Found, A::Error> {
    Ok(Found::Clause {
        kind,
        name: required(seq)?,
        arity: required(seq)?,
    })
}

#[derive(Debug, Deserialize)]
pub struct Retracted {
    pub removed: Option<i64>,
}

#[derive(Debug, Deserialize)]
pub struct Reloaded {
    #[serde(deserialize_with = "items")]
    pub items: Vec<Item>,
}

/// The reply to `query`, `next` and `run`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Step {
    /// Only of `query`.
    pub variables: Vec<String>,
    pub answers: Vec<Answer>,
    pub more: bool,
    pub output: String,
    pub error: Option<EngineError>,
    pub changes: Changes,
    pub undone: usize,
    /// Those of the query so far; 0 where the engine does not know.
    pub inferences: u64,
}

#[derive(Debug, Deserialize)]
pub struct Answer {
    pub bindings: Vec<(String, String, Value)>,
    #[serde(default)]
    pub residual: Vec<String>,
    #[serde(default)]
    pub output: String,
}

/// What running code did to the clauses.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Changes {
    /// Id, text, name and arity.
    pub added: Vec<(i64, String, String, u32)>,
    pub removed: Vec<i64>,
    /// Predicates, `name/arity`, whose clauses the engine wants again.
    pub reload: Vec<String>,
    /// Predicates, `name/arity`, that came into being.
    pub declared: Vec<String>,
}

impl Changes {
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.reload.is_empty() && self.declared.is_empty()
    }
}

/// The reply to `prove`.
#[derive(Debug, Deserialize)]
pub struct Proof {
    /// In preorder: depth, goal, how it was proved, and the id of the clause.
    pub nodes: Vec<(usize, String, String, Option<i64>)>,
    /// Whether there were more nodes than are told.
    pub cut: bool,
    pub error: Option<EngineError>,
    #[serde(default)]
    pub changes: Changes,
}

/// The reply to `check`.
#[derive(Debug, Deserialize)]
pub struct Checked {
    pub problems: Vec<Flaw>,
}

/// A problem of the code points `start..end`, one clause.
#[derive(Debug, Deserialize)]
pub struct Flaw {
    pub start: usize,
    pub end: usize,
    pub found: FlawKind,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum FlawKind {
    Error(CheckError),
    /// The names of variables that stand once.
    Singletons(Vec<String>),
}

/// Why a clause would not be added. `offset` is a code point of the text.
#[derive(Debug, Deserialize)]
pub struct CheckError {
    pub kind: FaultKind,
    pub message: String,
    pub predicate: Option<String>,
    pub offset: Option<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_decoded_by_their_tag() {
        let text = r#"{"ok":true,"more":false,"items":[
            ["f",0,0,5,"a",1], ["d",0,5,30,"op",3,":- op(0, xfx, =>)."], ["d",1,0,20,"dynamic",1],
            ["i",1,20,40,"main"],
            ["e",1,40,50,{"kind":"syntax_error","message":"Illegal start of term","line":3,"column":2,"offset":44}]]}"#;
        let add = decode::<Add>(text).unwrap().unwrap();
        assert_eq!(
            add.items[0].found,
            Found::Clause {
                kind: ClauseKind::Fact,
                name: "a".into(),
                arity: 1
            }
        );
        let restore = Some(":- op(0, xfx, =>).".to_owned());
        assert_eq!(
            add.items[1].found,
            Found::Directive {
                name: "op".into(),
                arity: 3,
                restore
            }
        );
        let plain = Found::Directive {
            name: "dynamic".into(),
            arity: 1,
            restore: None,
        };
        assert_eq!(
            add.items[2],
            Item {
                source: 1,
                start: 0,
                end: 20,
                found: plain
            }
        );
        assert_eq!(add.items[3].found, Found::Initialization("main".into()));
        let Found::Refused(error) = &add.items[4].found else {
            panic!("{:?}", add.items[4])
        };
        assert_eq!(
            (error.kind, error.line, error.column),
            (FaultKind::SyntaxError, Some(3), Some(2))
        );
    }

    #[test]
    fn an_end_alone_is_an_item_like_the_one_before() {
        let text = r#"{"ok":true,"more":true,"items":[["f",1,3,5,"a",1],9,12,["f",2,0,4,"a",1]]}"#;
        let items = decode::<Add>(text).unwrap().unwrap().items;
        let places: Vec<_> = items
            .iter()
            .map(|item| (item.source, item.start, item.end))
            .collect();
        assert_eq!(places, [(1, 3, 5), (1, 5, 9), (1, 9, 12), (2, 0, 4)]);
        assert_eq!(items[2].found, items[0].found);
        assert!(decode::<Add>(r#"{"ok":true,"more":true,"items":[5]}"#).is_err());
    }

    #[test]
    fn a_refusal_is_told_from_a_reply() {
        let text = r#"{"ok":false,"error":{"kind":"existence_error","message":"Unknown","predicate":"p/2"}}"#;
        let error = decode::<Step>(text).unwrap().unwrap_err();
        assert_eq!(error.predicate.as_deref(), Some("p/2"));
    }

    #[test]
    fn a_reply_may_end_with_an_error_after_its_answers() {
        let text = r#"{"ok":true,"answers":[{"bindings":[["X","f(Y)",{"functor":"f","args":[{"variable":"Y"}]}]]}],
            "more":false,"output":"x","error":{"kind":"timeout","message":"late"},
            "changes":{"added":[],"removed":[],"reload":["p/1"]},"inferences":7,"undone":2}"#;
        let step = decode::<Step>(text).unwrap().unwrap();
        assert_eq!(step.answers[0].bindings[0].1, "f(Y)");
        assert_eq!(step.error.unwrap().kind, FaultKind::Timeout);
        assert_eq!((step.changes.reload, step.undone), (vec!["p/1".to_owned()], 2));
        assert_eq!(step.inferences, 7);
    }

    #[test]
    fn what_is_not_a_reply_is_an_error() {
        assert!(decode::<Done>("").is_err());
        assert!(decode::<Add>(r#"{"ok":true}"#).is_err());
        assert!(decode::<Add>(r#"{"ok":true,"more":false,"items":[["z",0,0,1]]}"#).is_err());
    }
}
