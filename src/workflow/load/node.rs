//! Parses nodes and their steps.

use super::Context;
use super::edges::condition;
use super::graph::nested;
use super::keys::{Keys, bad_template, nearest};
use super::wait::wait;
use super::work::{self, not_for_book, program};
use crate::fault::{LoadFault, WorkflowFaultKind};
use crate::json::Json;
use crate::model::{Each, ErrorMode, Node, OnError, Retries, Step, Work};
use crate::template;
use crate::yaml::{Tree, Yaml};

/// Each key belongs to certain kinds of nodes.
const STEP_KEYS: [&str; 13] = [
    "name",
    "description",
    "type",
    "run",
    "script",
    "language",
    "uses",
    "with",
    "output",
    "output_key",
    "on_error",
    "timeout",
    "book",
];
/// Keys of nodes in addition to those of steps.
const NODE_KEYS: [&str; 5] = ["steps", "goto", "fan_in", "interrupt", "wait"];
const LOOP_KEYS: [&str; 3] = ["condition", "max_iterations", "body"];
const EACH_KEYS: [&str; 7] = [
    "items",
    "item_var",
    "index_var",
    "action",
    "max_concurrency",
    "fail_fast",
    "parallel_config",
];
/// Keys for the work of a node; loops and `each` nodes have none.
const WORK_KEYS: [&str; 6] = ["run", "script", "uses", "with", "output", "output_key"];

pub fn node(yaml: &Yaml, context: &Context<'_>) -> Result<Node, LoadFault> {
    let what = name_of(yaml).map_or_else(|| "a node".to_owned(), |name| format!("node '{name}'"));
    let all = [&STEP_KEYS[..], &NODE_KEYS, &LOOP_KEYS, &EACH_KEYS].concat();
    let keys = Keys::of(yaml, what, &all)?;
    let name = keys.needed("name")?;
    check_kind(&keys)?;
    let work = match keys.text("type")? {
        None => plain(&keys, context)?,
        Some(_) if keys.get("book").is_some() => return Err(not_for_book(&keys)),
        Some("dml") => program(&keys, context)?,
        Some("workflow") => nested(&keys, context)?,
        Some("while_loop") => while_loop(&keys, context)?,
        Some("dynamic_parallel") => dynamic_parallel(&keys, context)?,
        Some(kind) => {
            let at = keys.get("type").map_or(keys.at, |kind| kind.at);
            let hint = match nearest(kind, ["while_loop", "dynamic_parallel", "dml", "workflow"]) {
                Some(name) => format!("Did you mean '{name}'?"),
                None => "There are while_loop, dynamic_parallel, dml and workflow; other nodes have no type."
                    .into(),
            };
            return Err(LoadFault::new(format!("'{kind}' is not a node type. {hint}"), at));
        }
    };
    let (before, after) = match keys.text("interrupt")? {
        None => (false, false),
        Some("before") => (true, false),
        Some("after") => (false, true),
        Some(_) => {
            let at = keys.get("interrupt").map_or(keys.at, |value| value.at);
            return Err(LoadFault::new(
                format!("'interrupt' of {} is before or after.", keys.what),
                at,
            ));
        }
    };
    Ok(Node {
        name: name.to_owned(),
        at: keys.at,
        timeout_ms: timeout_ms(&keys, &work)?,
        work,
        on_error: on_error(&keys, context)?,
        wait: wait(&keys)?,
        interrupt_before: before,
        interrupt_after: after,
        next: Vec::new(),
        hash: String::new(),
    })
}

/// A key for another kind of node would silently do nothing.
fn check_kind(keys: &Keys<'_>) -> Result<(), LoadFault> {
    let kind = keys.text("type")?;
    let is_loop = kind == Some("while_loop");
    let is_each = kind == Some("dynamic_parallel");
    let because = |key: &&str| match *key {
        key if LOOP_KEYS.contains(&key) && !is_loop => Some("it belongs to a node of 'type: while_loop'"),
        key if EACH_KEYS.contains(&key) && !is_each => {
            Some("it belongs to a node of 'type: dynamic_parallel'")
        }
        // It tells how the loop ended.
        "output" if is_loop => None,
        key if WORK_KEYS.contains(&key) && is_loop => Some("what a loop does stands in its 'body'"),
        key if WORK_KEYS.contains(&key) && is_each => Some("what is done for each item stands in 'steps'"),
        "steps" if is_loop => Some("the steps of a loop stand in its 'body'"),
        _ => None,
    };
    let known = LOOP_KEYS.iter().chain(&EACH_KEYS).chain(&WORK_KEYS);
    match known
        .chain(&["steps"])
        .find_map(|key| Some((key, keys.get(key)?, because(key)?)))
    {
        Some((key, value, why)) => Err(keys.meaningless(key, value, why)),
        None => Ok(()),
    }
}

fn name_of(yaml: &Yaml) -> Option<&str> {
    let Tree::Map(entries) = &yaml.tree else {
        return None;
    };
    entries
        .iter()
        .find(|entry| entry.key == "name")
        .and_then(|entry| match &entry.value.tree {
            Tree::Scalar(Json::Text(name)) => Some(name.as_str()),
            _ => None,
        })
}

fn steps(keys: &Keys<'_>, key: &str, context: &Context<'_>) -> Result<Vec<Step>, LoadFault> {
    let items = keys.list(key)?.ok_or_else(|| keys.lacks(key))?;
    if items.is_empty() {
        return Err(LoadFault::new(
            format!("'{key}' of {} is empty.", keys.what),
            keys.at,
        ));
    }
    let context = &within(keys, context)?;
    items
        .iter()
        .enumerate()
        .map(|(index, item)| {
            let name = name_of(item).map_or_else(|| format!("step_{index}"), str::to_owned);
            step(item, name, &keys.what, context)
        })
        .collect()
}

/// A node's language is the default for its steps.
fn within<'a>(keys: &Keys<'_>, context: &Context<'a>) -> Result<Context<'a>, LoadFault> {
    Ok(Context {
        language: match keys.get("language") {
            Some(_) => super::language(keys)?,
            None => context.language,
        },
        ..context.clone()
    })
}

/// The work of a node without a type, or of a step.
fn plain(keys: &Keys<'_>, context: &Context<'_>) -> Result<Work, LoadFault> {
    match work::way(keys)? {
        None => Ok(Work::Nothing),
        Some("steps") => Ok(Work::Steps(steps(keys, "steps", context)?)),
        Some(way) => work::plain(way, keys, context),
    }
}

fn step(yaml: &Yaml, name: String, within: &str, context: &Context<'_>) -> Result<Step, LoadFault> {
    let keys = Keys::of(yaml, format!("step '{name}' of {within}"), &STEP_KEYS)?;
    let work = match keys.text("type")? {
        None => plain(&keys, context)?,
        Some(kind) if !matches!(kind, "dml" | "workflow") => {
            let at = keys.get("type").map_or(keys.at, |kind| kind.at);
            let message = format!("A {kind} cannot be within another node: {}.", keys.what);
            return Err(LoadFault::new(message, at));
        }
        Some(_) if keys.get("book").is_some() => return Err(not_for_book(&keys)),
        Some("dml") => program(&keys, context)?,
        Some(_) => nested(&keys, context)?,
    };
    Ok(Step {
        timeout_ms: timeout_ms(&keys, &work)?,
        work,
        on_error: on_error(&keys, context)?,
        name,
    })
}

fn while_loop(keys: &Keys<'_>, context: &Context<'_>) -> Result<Work, LoadFault> {
    let test = keys.get("condition").ok_or_else(|| keys.lacks("condition"))?;
    let most = keys
        .integer("max_iterations", 1, 1_000)?
        .ok_or_else(|| keys.lacks("max_iterations"))?;
    Ok(Work::Loop {
        condition: condition(test, false, &keys.what)?,
        most,
        body: steps(keys, "body", context)?,
        output: keys.text("output")?.map(str::to_owned),
    })
}

fn dynamic_parallel(keys: &Keys<'_>, context: &Context<'_>) -> Result<Work, LoadFault> {
    let given = keys.get("items").ok_or_else(|| keys.lacks("items"))?;
    let items = match &given.tree {
        // As in conditions, an expression needs no braces.
        Tree::Scalar(Json::Text(text)) if !template::is_template(text) => {
            Json::Text(format!("{{{{ {text} }}}}"))
        }
        Tree::Scalar(Json::Text(_)) | Tree::List(_) => given.to_json(),
        _ => return Err(keys.wrong("items", given, "a list, or a template that gives one")),
    };
    if let Json::Text(text) = &items {
        template::check(text).map_err(|why| bad_template(&keys.what, &why, given.at))?;
    }
    let body = match (keys.get("steps"), keys.get("action")) {
        (Some(_), None) => steps(keys, "steps", context)?,
        (None, Some(action)) => {
            let context = within(keys, context)?;
            vec![step(action, "action".into(), &keys.what, &context)?]
        }
        _ => {
            let message = format!("{} needs one of 'steps' and 'action'.", keys.what);
            return Err(LoadFault::new(message, keys.at));
        }
    };
    let inner = match keys.get("parallel_config") {
        Some(config) => Some(Keys::of(
            config,
            format!("'parallel_config' of {}", keys.what),
            &["max_concurrency", "fail_fast"],
        )?),
        None => None,
    };
    let at_once = match (keys.integer("max_concurrency", 1, 10_000)?, &inner) {
        (Some(most), _) => Some(most),
        (None, Some(inner)) => inner.integer("max_concurrency", 1, 10_000)?,
        (None, None) => None,
    };
    let fail_fast = match (keys.truth("fail_fast")?, &inner) {
        (Some(truth), _) => truth,
        (None, Some(inner)) => inner.truth("fail_fast")?.unwrap_or(false),
        (None, None) => false,
    };
    let fan_in = keys.needed("fan_in")?;
    let at = keys.get("fan_in").map_or(keys.at, |fan_in| fan_in.at);
    Ok(Work::Each(Each {
        items,
        item: keys.text("item_var")?.unwrap_or("item").to_owned(),
        index: keys.text("index_var")?.unwrap_or("index").to_owned(),
        body,
        at_once: at_once.map(|most| most as usize),
        fail_fast,
        fan_in: context.index(fan_in, &format!("fan_in of {} is", keys.what), at)?,
    }))
}

/// How long an attempt may take.
fn timeout_ms(keys: &Keys<'_>, work: &Work) -> Result<Option<u64>, LoadFault> {
    let (Some(seconds), Some(value)) = (keys.number("timeout")?, keys.get("timeout")) else {
        return Ok(None);
    };
    if matches!(work, Work::Nothing | Work::Expression { .. }) {
        return Err(keys.meaningless("timeout", value, "nothing of it takes time"));
    }
    match (seconds * 1_000.0) as u64 {
        0 => Err(keys.outside("timeout", value, "at least 0.001 (seconds)")),
        ms => Ok(Some(ms)),
    }
}

const ERROR_KEYS: [&str; 8] = [
    "mode",
    "retry_on",
    "max_retries",
    "base_delay",
    "retry_delay",
    "max_delay",
    "backoff_multiplier",
    "fallback",
];

fn on_error(keys: &Keys<'_>, context: &Context<'_>) -> Result<OnError, LoadFault> {
    let Some(value) = keys.get("on_error") else {
        return Ok(OnError::default());
    };
    let inner = Keys::of(value, format!("'on_error' of {}", keys.what), &ERROR_KEYS)?;
    let mode = match inner.text("mode")? {
        None | Some("raise") => ErrorMode::Raise,
        Some("retry") => ErrorMode::Retry,
        Some("graceful") => ErrorMode::Graceful,
        Some(mode) => {
            let at = inner.get("mode").map_or(inner.at, |mode| mode.at);
            return Err(LoadFault::new(
                format!("'{mode}' is not a mode of on_error: raise, retry or graceful."),
                at,
            ));
        }
    };
    let usual = Retries::default();
    let base = match inner.number("base_delay")? {
        Some(base) => Some(base),
        None => inner.number("retry_delay")?,
    };
    let fallback = match inner.text("fallback")? {
        Some(name) => {
            let at = inner.get("fallback").map_or(inner.at, |value| value.at);
            Some(context.index(name, &format!("fallback of {} is", keys.what), at)?)
        }
        None => None,
    };
    Ok(OnError {
        mode,
        retry_on: retry_on(&inner, mode)?,
        retries: Retries {
            most: inner.integer("max_retries", 0, 1_000)?.unwrap_or(usual.most),
            base_ms: base.map_or(usual.base_ms, |seconds| seconds * 1_000.0),
            factor: inner.number("backoff_multiplier")?.unwrap_or(usual.factor),
            most_ms: inner
                .number("max_delay")?
                .map_or(usual.most_ms, |seconds| seconds * 1_000.0),
        },
        fallback,
    })
}

/// The kinds of errors that are retried.
fn retry_on(keys: &Keys<'_>, mode: ErrorMode) -> Result<Option<Vec<WorkflowFaultKind>>, LoadFault> {
    let (Some(items), Some(value)) = (keys.list("retry_on")?, keys.get("retry_on")) else {
        return Ok(None);
    };
    if mode != ErrorMode::Retry {
        return Err(keys.meaningless("retry_on", value, "it belongs to 'mode: retry'"));
    }
    let kind = |item: &Yaml| {
        let Tree::Scalar(Json::Text(word)) = &item.tree else {
            return Err(keys.wrong("retry_on", item, "a list of kinds of errors"));
        };
        let kinds = WorkflowFaultKind::ALL;
        if let Some(kind) = kinds.into_iter().find(|kind| kind.word() == word) {
            return Ok(kind);
        }
        let words = kinds.map(WorkflowFaultKind::word);
        let hint = match nearest(word, words) {
            Some(name) => format!("Did you mean '{name}'?"),
            None => format!("There are: {}.", words.join(", ")),
        };
        let message = format!("'{word}' is not a kind of error. {hint}");
        Err(LoadFault::new(message, item.at))
    };
    items.iter().map(kind).collect::<Result<_, _>>().map(Some)
}
