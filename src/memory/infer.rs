//! `kn_intel infer`: what follows from the memory by the rules of its book, and from which facts.

use std::collections::{BTreeMap, BTreeSet};

use hornbook_engine::protocol::{Bounds, list, quote, seconds};
use hornbook_engine::reply::{BadReply, Parts, Reply, Reverting, TakenBack, TakenBackControl};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::budget::{self, Page, Total};
use crate::draft::envelope;
use crate::facts::write_time;
use crate::graph::page;
use crate::memory::Memory;
use crate::rank::round;
use crate::record::EdgeId;
use crate::results::{FactItem, InferredAnswer, InferredAnswers, RuleItem};
use crate::time::iso;
use crate::tools::Object;
use hornbook_base::cut;

/// A rule in an answer is cut to this many characters.
const RULE: usize = 300;

/// A goal over the memory.
#[derive(Debug, Clone)]
pub struct Question {
    goal: String,
    /// Clauses that hold for this answer only.
    assumed: Vec<String>,
    /// The time as of which the memory is seen.
    at: u64,
    limit: usize,
    offset: usize,
    budget: usize,
}

impl Question {
    pub(crate) fn read(arguments: &Arguments, now_ms: u64) -> Question {
        let (limit, offset) = page(arguments);
        Question {
            goal: arguments.required("goal"),
            assumed: arguments.texts("assume").unwrap_or_default(),
            at: arguments.time("as_of").unwrap_or(now_ms),
            limit,
            offset,
            budget: arguments.budget(),
        }
    }

    /// The request to an engine; its reply is [`Inferred`].
    pub fn request(&self, bounds: Bounds) -> String {
        let mut out = String::from("memory_infer(");
        quote(&mut out, &self.goal, '"');
        out.push(',');
        list(&mut out, &self.assumed, |out, clause| quote(out, clause, '"'));
        out.push(',');
        write_time(&mut out, self.at);
        let Bounds { soft_ms, next, .. } = bounds;
        let (skip, take) = (self.offset, self.limit);
        out.push_str(&format!(
            ",bounds({skip},{take},{}),{},{})",
            seconds(soft_ms),
            next.last,
            next.first
        ));
        out
    }
}

/// The answers to a question.
#[derive(Debug, Default)]
pub struct Inferred {
    answers: Vec<Derived>,
    /// Whether there are more than were wanted.
    more: bool,
    taken_back: TakenBack,
}

/// An answer: the bindings, the steps of its proof in preorder, and whether the proof has more steps than
/// these, and whether it is undefined.
#[derive(Debug, Deserialize)]
struct Derived(Vec<(String, String)>, Vec<Step>, bool, bool);

/// The depth, the clause's id, the goal, and what else proved it.
#[derive(Debug, Deserialize)]
struct Step(usize, Option<i64>, String, String);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Control {
    answers: usize,
    more: bool,
    #[serde(flatten)]
    taken_back: TakenBackControl,
}

impl Reply for Inferred {
    type Control = Control;

    fn assemble(control: Control, parts: &mut Parts<'_>) -> Result<Self, BadReply> {
        Ok(Inferred {
            answers: parts.several(control.answers)?,
            more: control.more,
            taken_back: TakenBack::assemble(control.taken_back, parts)?,
        })
    }
}

impl Reverting for Inferred {
    fn taken_back(&mut self) -> &mut TakenBack {
        &mut self.taken_back
    }
}

/// A clause of the book: its text and its origin.
pub struct Rule {
    pub text: String,
    pub from: String,
}

impl Inferred {
    /// The clauses that the answers rest on.
    pub fn clauses(&self) -> BTreeSet<i64> {
        let steps = self.answers.iter().flat_map(|Derived(_, steps, _, _)| steps);
        steps.filter_map(|step| step.1).collect()
    }
}

/// The tool's answer.
pub(crate) fn answer(
    memory: &Memory,
    question: &Question,
    inferred: Inferred,
    rules: &BTreeMap<i64, Rule>,
) -> Object {
    let shown = inferred.answers.len();
    let seen = question.offset + shown;
    let total = match inferred.more {
        true => Total::AtLeast(seen + 1),
        false => Total::Exactly(seen),
    };
    let items = inferred
        .answers
        .iter()
        .map(|derived| item(memory, question.at, derived, rules));
    let page = Page {
        items: items.collect(),
        offset: question.offset,
        total,
    };
    let goal = question.goal.clone();
    let (answers, counts) = budget::shown(&json!({ "goal": goal }), page, question.budget);
    let reply = json!(InferredAnswers {
        goal,
        answers,
        counts
    });
    envelope(budget::fitted(reply, question.budget))
}

fn item(
    memory: &Memory,
    at: u64,
    Derived(bindings, steps, more, undefined): &Derived,
    rules: &BTreeMap<i64, Rule>,
) -> Value {
    let mut facts: BTreeMap<&str, Fact> = BTreeMap::new();
    let mut used: BTreeSet<i64> = BTreeSet::new();
    let mut proof: Vec<String> = Vec::new();
    for Step(depth, clause, goal, how) in steps {
        let by = match clause {
            Some(id) if rules.contains_key(id) => {
                used.insert(*id);
                format!("rule {id}")
            }
            Some(_) => "assumed".to_string(),
            None if how == "neither" => "undefined: neither true nor false".to_owned(),
            None => how.clone(),
        };
        if let Some(fact) = fact(memory, how, at) {
            facts.insert(how, fact);
        }
        proof.push(format!("{}{goal}: {by}", "  ".repeat(*depth)));
    }
    if *more {
        proof.push("…".into());
    }
    let confidence = facts.values().map(|fact| fact.confidence).fold(1.0, f64::min);
    let rules = used.iter().filter_map(|id| {
        let rule = rules.get(id)?;
        Some(RuleItem {
            rule: *id,
            text: cut(&rule.text, RULE),
            from: rule.from.clone(),
        })
    });
    let rules = rules.collect();
    let facts = facts.into_iter().map(|(source, fact)| fact.item(source));
    json!(InferredAnswer {
        bindings: bindings.iter().cloned().collect(),
        undefined: undefined.then_some(true),
        confidence: round(confidence),
        proof,
        facts: facts.collect(),
        rules,
    })
}

/// A record that an answer rests on.
struct Fact {
    /// An edge's weight, an experience's relevance; otherwise 1.
    confidence: f64,
    stated_at: u64,
    by: Option<String>,
}

impl Fact {
    fn item(self, source: &str) -> FactItem {
        FactItem {
            fact: source.to_owned(),
            told: iso(self.stated_at),
            confidence: round(self.confidence),
            by: self.by,
        }
    }
}

/// The record with this key as a fact; `None` if `key` names no record.
fn fact(memory: &Memory, key: &str, at: u64) -> Option<Fact> {
    let (kind, id) = key.split_once('/')?;
    match kind {
        "node" => memory.nodes.get(id).map(|node| Fact {
            confidence: 1.0,
            stated_at: node.life.created_at,
            by: Some(node.source_type.clone()),
        }),
        "edge" => memory.edge(&EdgeId::of(id)).map(|edge| Fact {
            confidence: edge.weight,
            stated_at: edge.life.created_at,
            by: None,
        }),
        "experience" => memory.experiences.get(id).map(|one| {
            let rate = memory.half_lives.rate(one.sort, one.confidence);
            Fact {
                confidence: crate::decay::relevance(rate, one.learned_at, at),
                stated_at: one.life.created_at,
                by: Some(one.confidence.name().to_string()),
            }
        }),
        "project" => memory.projects.get(id).map(|one| plain(one.created_at)),
        "idea" => memory.ideas.get(id).map(|one| plain(one.created_at)),
        _ => None,
    }
}

fn plain(stated_at: u64) -> Fact {
    Fact {
        confidence: 1.0,
        stated_at,
        by: None,
    }
}
