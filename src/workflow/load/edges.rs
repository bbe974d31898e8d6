//! Where a run goes from each node: `goto`, then edges, then the next node in the list.

use std::collections::BTreeSet;

use super::Context;
use super::keys::{Keys, bad_template};
use crate::detect;
use crate::fault::LoadFault;
use crate::json::Json;
use crate::model::{Condition, Edge, Goal, Target, Work, Workflow};
use crate::template;
use crate::yaml::{Place, Tree, Yaml};

const KEYS: [&str; 8] = [
    "from",
    "to",
    "type",
    "fan_in",
    "when",
    "condition",
    "language",
    "description",
];

pub fn connect(
    workflow: &mut Workflow,
    items: &[Yaml],
    top: &Keys<'_>,
    context: &Context<'_>,
) -> Result<(), LoadFault> {
    for edge in top.list("edges")?.unwrap_or_default() {
        let (from, edge) = self::edge(edge, context)?;
        match from {
            Some(index) => workflow.nodes[index].next.push(edge),
            None => workflow.start.push(edge),
        }
    }
    if workflow.start.is_empty() {
        workflow.start.push(always(Target::Node(0)));
    }
    let mut implied = BTreeSet::new();
    for (index, item) in items.iter().enumerate() {
        let goto = match &item.tree {
            Tree::Map(entries) => entries
                .iter()
                .find(|entry| entry.key == "goto")
                .map(|entry| &entry.value),
            _ => None,
        };
        let node = &mut workflow.nodes[index];
        if let Some(goto) = goto {
            node.next = self::goto(goto, &node.name, context)?;
        } else if node.next.is_empty() {
            let next = index + 1;
            let to = if next < items.len() {
                Target::Node(next)
            } else {
                Target::End
            };
            node.next.push(always(to));
            implied.insert(index);
        }
        // Such a node is followed by the one that takes its results.
        if let Work::Each(each) = &node.work {
            node.next = vec![always(Target::Node(each.fan_in))];
            implied.remove(&index);
        }
    }
    end_branches(workflow, implied);
    check_branches(workflow)
}

/// A node of a parallel branch that names no next one leads to the branch's end: the next one of the list may
/// belong to another branch. `implied` are the nodes that name none.
fn end_branches(workflow: &mut Workflow, mut implied: BTreeSet<usize>) {
    let begun = workflow.nodes.iter().flat_map(|node| &node.next);
    let mut waiting: Vec<(usize, Target)> = begun.filter_map(|edge| Some((edge.fan_in?, edge.to))).collect();
    let mut seen = BTreeSet::new();
    while let Some((end, target)) = waiting.pop() {
        let Target::Node(index) = target else {
            continue;
        };
        if index == end || !seen.insert((end, index)) {
            continue;
        }
        let node = &mut workflow.nodes[index];
        if implied.remove(&index) {
            node.next = vec![always(Target::Node(end))];
        }
        waiting.extend(node.next.iter().map(|edge| (end, edge.to)));
    }
}

fn always(to: Target) -> Edge {
    Edge {
        to,
        condition: Condition::Always(true),
        fan_in: None,
    }
}

/// The edge and its source (`None` for the start).
fn edge(yaml: &Yaml, context: &Context<'_>) -> Result<(Option<usize>, Edge), LoadFault> {
    let keys = Keys::of(yaml, "an edge", &KEYS)?;
    let place = |key: &str| keys.get(key).map_or(keys.at, |value| value.at);
    let kind = keys.text("type")?.unwrap_or("normal");
    if !matches!(kind, "normal" | "parallel" | "conditional" | "entry" | "finish") {
        let message =
            format!("'{kind}' is not an edge type: normal, conditional, parallel, entry or finish.");
        return Err(LoadFault::new(message, place("type")));
    }
    let from = match keys.text("from")? {
        None if kind == "entry" => None,
        None => return Err(keys.lacks("from")),
        Some("__start__") => None,
        Some("__end__") => return Err(LoadFault::new("No edge can start at __end__.", place("from"))),
        Some(name) => Some(context.index(name, "An edge begins at", place("from"))?),
    };
    let to = match keys.text("to")? {
        None if kind == "finish" => Target::End,
        None => return Err(keys.lacks("to")),
        Some(name) => target(name, "An edge goes to", place("to"), context)?,
    };
    let fan_in = match (kind, keys.text("fan_in")?) {
        ("parallel", Some(name)) => Some(context.index(name, "fan_in of an edge is", place("fan_in"))?),
        ("parallel", None) => {
            let message = "A parallel edge needs 'fan_in', the node where its branches come together.";
            return Err(LoadFault::new(message, keys.at));
        }
        (_, Some(_)) => {
            let message = "Only an edge of 'type: parallel' has 'fan_in'.";
            return Err(LoadFault::new(message, place("fan_in")));
        }
        (_, None) => None,
    };
    let prolog = match keys.text("language")? {
        None | Some("jinja" | "auto") => false,
        Some("prolog") => true,
        Some(word) => {
            let message = format!("'{word}' is not a condition language: jinja or prolog.");
            return Err(LoadFault::new(message, place("language")));
        }
    };
    let condition = match (keys.get("condition"), keys.get("when")) {
        (None, None) => Condition::Always(true),
        (None, Some(when)) => self::condition(when, prolog, "an edge")?,
        (Some(test), None) => self::condition(test, prolog, "an edge")?,
        (Some(test), Some(value)) => Condition::Is(
            Box::new(self::condition(test, prolog, "an edge")?),
            value.to_json(),
        ),
    };
    Ok((
        from,
        Edge {
            to,
            condition,
            fan_in,
        },
    ))
}

fn target(name: &str, who: &str, at: Place, context: &Context<'_>) -> Result<Target, LoadFault> {
    if name == "__end__" {
        return Ok(Target::End);
    }
    context.index(name, who, at).map(Target::Node)
}

fn goto(yaml: &Yaml, node: &str, context: &Context<'_>) -> Result<Vec<Edge>, LoadFault> {
    let who = format!("goto of node '{node}' is");
    match &yaml.tree {
        Tree::Scalar(Json::Text(name)) => Ok(vec![always(target(name, &who, yaml.at, context)?)]),
        Tree::List(rules) => rules
            .iter()
            .map(|rule| {
                let keys = Keys::of(
                    rule,
                    format!("a rule of goto of node '{node}'"),
                    &["if", "to", "language"],
                )?;
                let at = keys.get("to").map_or(keys.at, |to| to.at);
                let prolog = keys.text("language")? == Some("prolog");
                let condition = match keys.get("if") {
                    Some(test) => self::condition(test, prolog, &keys.what)?,
                    None => Condition::Always(true),
                };
                Ok(Edge {
                    to: target(keys.needed("to")?, &who, at, context)?,
                    condition,
                    fan_in: None,
                })
            })
            .collect(),
        _ => {
            let message = format!(
                "goto of node '{node}' must be the name of a node or a list of rules, not {}.",
                yaml.kind()
            );
            Err(LoadFault::new(message, yaml.at))
        }
    }
}

/// A condition: a truth value, a key of the state, an expression, or a Prolog goal.
pub fn condition(yaml: &Yaml, prolog: bool, what: &str) -> Result<Condition, LoadFault> {
    match &yaml.tree {
        Tree::Scalar(Json::Bool(truth)) => Ok(Condition::Always(*truth)),
        Tree::Scalar(Json::Text(text)) if prolog => Ok(Condition::Prolog(goal(text, yaml.at))),
        Tree::Scalar(Json::Text(text)) => text_condition(text.trim(), what, yaml.at),
        Tree::Map(_) => {
            let keys = Keys::of(yaml, format!("a condition of {what}"), &["type", "value", "code"])?;
            let (key, text) = match keys.text("value")? {
                Some(text) => ("value", text),
                None => ("code", keys.needed("code")?),
            };
            let at = keys.get(key).map_or(keys.at, |text| text.at);
            match keys.needed("type")? {
                "prolog" => Ok(Condition::Prolog(goal(text, at))),
                "expression" | "jinja" => {
                    template::check_expression(text).map_err(|why| bad_template(what, &why, yaml.at))?;
                    Ok(Condition::Template(text.to_owned()))
                }
                kind => {
                    let message = format!("'{kind}' is not a condition type: expression or prolog.");
                    Err(LoadFault::new(message, yaml.at))
                }
            }
        }
        _ => {
            let message = format!("A condition of {what} must be a text, not {}.", yaml.kind());
            Err(LoadFault::new(message, yaml.at))
        }
    }
}

fn goal(code: &str, at: Place) -> Goal {
    let code = code.to_owned();
    Goal { code, at }
}

fn text_condition(text: &str, what: &str, at: Place) -> Result<Condition, LoadFault> {
    match text.to_lowercase().as_str() {
        "true" => return Ok(Condition::Always(true)),
        "false" => return Ok(Condition::Always(false)),
        _ => {}
    }
    let (key, negated) = match text.strip_prefix('!') {
        Some(key) => (key.trim(), true),
        None => (text, false),
    };
    let mut chars = key.chars();
    let starts = chars
        .next()
        .is_some_and(|first| first.is_alphabetic() || first == '_');
    if starts && chars.all(|c| c.is_alphanumeric() || c == '_') {
        return Ok(Condition::Key {
            key: key.to_owned(),
            negated,
        });
    }
    if !template::is_template(text) && detect::is_prolog(text) {
        return Ok(Condition::Prolog(goal(text, at)));
    }
    template::check_expression(text).map_err(|why| bad_template(what, &why, at))?;
    Ok(Condition::Template(text.to_owned()))
}

/// Check that the branches of a node meet in one node.
fn check_branches(workflow: &Workflow) -> Result<(), LoadFault> {
    for node in &workflow.nodes {
        let mut ends = node.next.iter().filter_map(|edge| edge.fan_in);
        let Some(end) = ends.next() else {
            continue;
        };
        if ends.any(|other| other != end) {
            let message = format!(
                "The parallel edges of node '{}' have several fan_in nodes: they need one.",
                node.name
            );
            return Err(LoadFault::new(message, node.at));
        }
    }
    Ok(())
}
