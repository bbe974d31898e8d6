//! Nodes, and the steps within them.

use super::keys::{Keys, nearest};
use super::{Context, UsedBook, named_language, used_book};
use crate::detect;
use crate::fault::LoadFault;
use crate::json::Json;
use crate::model::{Each, ErrorMode, Language, Node, OnError, Output, Retries, Step, Work};
use crate::template;
use crate::yaml::{Place, Tree, Yaml};

use super::edges::condition;

const STEP_KEYS: [&str; 12] = [
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
    "book",
];

/// What a node may have beside what a step may.
const NODE_KEYS: [&str; 14] = [
    "steps",
    "goto",
    "fan_in",
    "interrupt",
    // while_loop
    "condition",
    "max_iterations",
    "body",
    // dynamic_parallel
    "items",
    "item_var",
    "index_var",
    "action",
    "max_concurrency",
    "fail_fast",
    "parallel_config",
];

pub fn node(yaml: &Yaml, context: &Context<'_>) -> Result<Node, LoadFault> {
    let what = name_of(yaml).map_or_else(|| "a node".to_owned(), |name| format!("node '{name}'"));
    let keys = Keys::of(yaml, what, &[&STEP_KEYS[..], &NODE_KEYS].concat())?;
    let name = keys.needed("name")?;
    let work = match keys.text("type")? {
        None => plain(&keys, context)?,
        Some(_) if keys.get("book").is_some() => return Err(not_for_book(&keys)),
        Some("dml") => program(&keys, context)?,
        Some("while_loop") => while_loop(&keys, context)?,
        Some("dynamic_parallel") => dynamic_parallel(&keys, context)?,
        Some(kind) => {
            let at = keys.get("type").map_or(keys.at, |kind| kind.at);
            let hint = match nearest(kind, ["while_loop", "dynamic_parallel", "dml"]) {
                Some(name) => format!("Did you mean '{name}'?"),
                None => "There are while_loop, dynamic_parallel and dml; other nodes have no type.".into(),
            };
            return Err(LoadFault::new(
                format!("'{kind}' is no type of a node. {hint}"),
                at,
            ));
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
        work,
        on_error: on_error(&keys, context)?,
        interrupt_before: before,
        interrupt_after: after,
        next: Vec::new(),
        hash: String::new(),
    })
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

/// A node without a type, or a step.
fn plain(keys: &Keys<'_>, context: &Context<'_>) -> Result<Work, LoadFault> {
    let ways: Vec<&str> = ["run", "script", "uses", "steps"]
        .into_iter()
        .filter(|way| keys.get(way).is_some())
        .collect();
    if let [_, second, ..] = ways[..] {
        let at = keys.get(second).map_or(keys.at, |value| value.at);
        return Err(LoadFault::new(
            format!(
                "'{}' and '{second}' of {} exclude each other.",
                ways[0], keys.what
            ),
            at,
        ));
    }
    let of_code = matches!(ways[..], ["run" | "script"]);
    if keys.get("book").is_some() && !of_code {
        return Err(not_for_book(keys));
    }
    match ways.first() {
        None => Ok(Work::Nothing),
        Some(&"uses") => action(keys, context),
        Some(&"steps") => Ok(Work::Steps(steps(keys, "steps", context)?)),
        Some(way) => run(keys, way, context),
    }
}

fn run(keys: &Keys<'_>, way: &str, context: &Context<'_>) -> Result<Work, LoadFault> {
    let Some(value) = keys.get(way) else {
        return Ok(Work::Nothing);
    };
    let (code, wanted) = match &value.tree {
        Tree::Scalar(Json::Text(code)) => {
            let own = match keys.text("language")? {
                Some(word) => named_language(word, keys.get("language").map_or(keys.at, |word| word.at))?,
                None => context.language,
            };
            (code.as_str(), own)
        }
        Tree::Map(_) => {
            let inner = Keys::of(
                value,
                format!("'{way}' of {}", keys.what),
                &["type", "code", "value", "output_key"],
            )?;
            let kind = inner.needed("type")?;
            if kind == "expression" {
                if keys.get("book").is_some() {
                    return Err(not_for_book(keys));
                }
                let expression = inner.needed("value")?;
                let at = inner.get("value").map_or(inner.at, |value| value.at);
                template::check(expression).map_err(|why| bad_template(&keys.what, &why, at))?;
                let key = inner.text("output_key")?.unwrap_or("result");
                return Ok(Work::Expression {
                    expression: expression.to_owned(),
                    key: key.to_owned(),
                });
            }
            let at = inner.get("type").map_or(inner.at, |kind| kind.at);
            (inner.needed("code")?, named_language(kind, at)?)
        }
        _ => return Err(keys.wrong(way, value, "code, or a map with 'type' and 'code'")),
    };
    let own_book = used_book(keys, context.installed)?;
    if own_book.as_ref().is_some_and(|book| *book != UsedBook::None) {
        if wanted.is_some_and(|language| language != Language::Prolog) {
            return Err(not_for_book(keys));
        }
        return Ok(code_of(Language::Prolog, code, own_book.unwrap_or_default()));
    }
    let language = wanted.unwrap_or_else(|| {
        if detect::is_prolog(code) {
            Language::Prolog
        } else if detect::is_lua(code) {
            Language::Lua
        } else {
            Language::Python
        }
    });
    installed(language, wanted.is_some(), keys, context, value.at)?;
    Ok(code_of(
        language,
        code,
        own_book.unwrap_or_else(|| context.book.clone()),
    ))
}

/// Only Prolog uses a book.
fn code_of(language: Language, code: &str, book: UsedBook) -> Work {
    let code = code.to_owned();
    let book = match book {
        _ if language != Language::Prolog => return Work::Code { language, code },
        UsedBook::None => return Work::Code { language, code },
        UsedBook::OfTheRun => None,
        UsedBook::Named(name) => Some(name),
    };
    Work::InBook { code, book }
}

fn not_for_book(keys: &Keys<'_>) -> LoadFault {
    let at = keys.get("book").map_or(keys.at, |book| book.at);
    let message = format!(
        "'book' of {} has no meaning there: only Prolog code, given by 'run', uses the book.",
        keys.what
    );
    LoadFault::new(message, at)
}

fn installed(
    language: Language,
    named: bool,
    keys: &Keys<'_>,
    context: &Context<'_>,
    at: Place,
) -> Result<(), LoadFault> {
    if language == Language::Prolog || context.installed.languages.contains(&language) {
        return Ok(());
    }
    let (name, package) = (language.name(), language.package());
    let guessed = if named {
        ""
    } else {
        " (nothing says its language: 'language: prolog' would)"
    };
    let message = format!(
        "{} is in {name}{guessed}, which needs a package that is not installed. Install it with: npm install {package}. \
         Nodes in Prolog work without it, and so do those in other languages that are installed.",
        super::keys::capital(&keys.what)
    );
    Err(LoadFault::new(message, at))
}

fn action(keys: &Keys<'_>, context: &Context<'_>) -> Result<Work, LoadFault> {
    let name = keys.needed("uses")?;
    let at = keys.get("uses").map_or(keys.at, |uses| uses.at);
    let actions = &context.installed.actions;
    if !actions.iter().any(|action| action == name) {
        let hint = match nearest(name, actions.iter().map(String::as_str)) {
            Some(nearest) => format!("Did you mean '{nearest}'?"),
            None if name.ends_with(".dml") => "A program in DML is used by a node with 'type: dml'.".into(),
            None if name.contains('.') && !has_server(name, actions) => {
                let (server, _) = name.split_once('.').unwrap_or((name, ""));
                format!(
                    "It would be a tool of the MCP server '{server}', which is not among those that were given: by --mcp FILE, \
                     or the option mcpServers."
                )
            }
            None if actions.is_empty() => "The host has registered none.".into(),
            None => format!("There are: {}.", actions.join(", ")),
        };
        let what = super::keys::capital(&keys.what);
        return Err(LoadFault::new(
            format!("{what} uses '{name}', which is no action. {hint}"),
            at,
        ));
    }
    let with = Json::Object(keys.object("with")?);
    Ok(Work::Action {
        name: name.to_owned(),
        with,
        output: output(keys)?,
    })
}

/// A program in DML.
fn program(keys: &Keys<'_>, context: &Context<'_>) -> Result<Work, LoadFault> {
    let other = ["steps", "language", "script"];
    if let Some((key, value)) = other
        .into_iter()
        .find_map(|key| keys.get(key).map(|value| (key, value)))
    {
        let message = format!(
            "'{key}' of {} has no meaning there: a program in DML stands in 'run', or 'uses' names its file.",
            keys.what
        );
        return Err(LoadFault::new(message, value.at));
    }
    let code = match (keys.get("uses"), keys.get("run")) {
        (Some(_), Some(run)) => {
            let message = format!("'uses' and 'run' of {} exclude each other.", keys.what);
            return Err(LoadFault::new(message, run.at));
        }
        (Some(uses), None) => file(keys, uses.at, context)?,
        (None, _) => keys.needed("run")?,
    };
    if !context.installed.programs {
        let message = format!(
            "{} is a DML program, and this server runs none: serve the tool set dml as well (--tools dml,workflow).",
            super::keys::capital(&keys.what)
        );
        return Err(LoadFault::new(message, keys.at));
    }
    Ok(Work::Program {
        code: code.to_owned(),
        with: match keys.get("with") {
            Some(_) => Some(Json::Object(keys.object("with")?)),
            None => None,
        },
        output: output(keys)?,
    })
}

/// The text of the program that a node names.
fn file<'a>(keys: &Keys<'_>, at: Place, context: &Context<'a>) -> Result<&'a str, LoadFault> {
    let (name, files) = (keys.needed("uses")?, &context.installed.files);
    if let Some(text) = files.get(name) {
        return Ok(text);
    }
    let hint = match nearest(name, files.keys().map(String::as_str)) {
        Some(nearest) => format!("Did you mean '{nearest}'?"),
        None => "Give its text by that name, in `files`.".into(),
    };
    let what = super::keys::capital(&keys.what);
    Err(LoadFault::new(
        format!("{what} uses the program '{name}', which was not given. {hint}"),
        at,
    ))
}

/// Where the result goes.
fn output(keys: &Keys<'_>) -> Result<Output, LoadFault> {
    let Some(output) = keys.get("output").or_else(|| keys.get("output_key")) else {
        return Ok(Output::Merged);
    };
    match output.to_json() {
        Json::Text(key) => Ok(Output::Key(key)),
        Json::Object(members) => Ok(Output::Members(members)),
        _ => Err(keys.wrong(
            "output",
            output,
            "a key of the state, or a map from keys to templates",
        )),
    }
}

/// Whether there are actions of the server that the name begins with.
fn has_server(name: &str, actions: &[String]) -> bool {
    let server = name.split_once('.').map_or(name, |(server, _)| server);
    actions.iter().any(|action| {
        action
            .strip_prefix(server)
            .is_some_and(|rest| rest.starts_with('.'))
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
    items
        .iter()
        .enumerate()
        .map(|(index, item)| {
            let name = name_of(item).map_or_else(|| format!("step_{index}"), str::to_owned);
            step(item, name, &keys.what, context)
        })
        .collect()
}

fn step(yaml: &Yaml, name: String, within: &str, context: &Context<'_>) -> Result<Step, LoadFault> {
    let keys = Keys::of(yaml, format!("step '{name}' of {within}"), &STEP_KEYS)?;
    let kind = keys.get("type");
    let is_program = kind.is_some_and(|kind| kind.tree == Tree::Scalar(Json::Text("dml".into())));
    if let Some(kind) = kind.filter(|_| !is_program) {
        return Err(LoadFault::new(
            format!(
                "A {} cannot be within another node: {}.",
                kind.to_json(),
                keys.what
            ),
            kind.at,
        ));
    }
    let work = match is_program {
        true if keys.get("book").is_some() => return Err(not_for_book(&keys)),
        true => program(&keys, context)?,
        false => plain(&keys, context)?,
    };
    Ok(Step {
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
    })
}

fn dynamic_parallel(keys: &Keys<'_>, context: &Context<'_>) -> Result<Work, LoadFault> {
    let items = keys.get("items").ok_or_else(|| keys.lacks("items"))?;
    if let Tree::Scalar(Json::Text(text)) = &items.tree {
        template::check(text).map_err(|why| bad_template(&keys.what, &why, items.at))?;
    } else if !matches!(items.tree, Tree::List(_)) {
        return Err(keys.wrong("items", items, "a list, or a template that gives one"));
    }
    let body = match (keys.get("steps"), keys.get("action")) {
        (Some(_), None) => steps(keys, "steps", context)?,
        (None, Some(action)) => vec![step(action, "action".into(), &keys.what, context)?],
        _ => {
            let message = format!("{} needs one of 'steps' and 'action'.", keys.what);
            return Err(LoadFault::new(message, keys.at));
        }
    };
    let inner = match keys.get("parallel_config") {
        Some(config) => Some(Keys::of(
            config,
            format!("parallel_config of {}", keys.what),
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
        items: items.to_json(),
        item: keys.text("item_var")?.unwrap_or("item").to_owned(),
        index: keys.text("index_var")?.unwrap_or("index").to_owned(),
        body,
        at_once: at_once.map(|most| most as usize),
        fail_fast,
        fan_in: context.index(fan_in, &format!("fan_in of {} is", keys.what), at)?,
    }))
}

const ERROR_KEYS: [&str; 7] = [
    "mode",
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
    let inner = Keys::of(value, format!("on_error of {}", keys.what), &ERROR_KEYS)?;
    let mode = match inner.text("mode")? {
        None | Some("raise") => ErrorMode::Raise,
        Some("retry") => ErrorMode::Retry,
        Some("graceful") => ErrorMode::Graceful,
        Some(mode) => {
            let at = inner.get("mode").map_or(inner.at, |mode| mode.at);
            return Err(LoadFault::new(
                format!("'{mode}' is no mode of on_error: raise, retry or graceful."),
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

pub fn bad_template(what: &str, why: &str, at: Place) -> LoadFault {
    LoadFault::new(format!("An expression of {what} cannot be read: {why}."), at)
}
