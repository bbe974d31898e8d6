//! Nodes, and the steps within them.

use super::keys::{Keys, nearest};
use super::{Context, UsedBook, named_language, used_book};
use crate::detect;
use crate::fault::LoadFault;
use crate::json::{Json, Object};
use crate::model::{Each, ErrorMode, Language, Node, OnError, Output, Retries, Step, Work};
use crate::template;
use crate::yaml::{Place, Tree, Yaml};

use super::edges::condition;

/// Each belongs to some kinds of nodes.
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
const NODE_KEYS: [&str; 4] = ["steps", "goto", "fan_in", "interrupt"];
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
/// What is done in a node, of which a loop, or the same steps for every item, have none.
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

/// A key of another kind of nodes would do nothing, in silence.
fn check_kind(keys: &Keys<'_>) -> Result<(), LoadFault> {
    let kind = keys.text("type")?;
    let is_loop = kind == Some("while_loop");
    let is_each = kind == Some("dynamic_parallel");
    let because = |key: &&str| match *key {
        key if LOOP_KEYS.contains(&key) && !is_loop => Some("it belongs to a node of 'type: while_loop'"),
        key if EACH_KEYS.contains(&key) && !is_each => {
            Some("it belongs to a node of 'type: dynamic_parallel'")
        }
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
    if ways.first() != Some(&"uses")
        && let Some((key, value)) = ["with", "output", "output_key"]
            .into_iter()
            .find_map(|key| keys.get(key).map(|value| (key, value)))
    {
        let why = "it belongs to 'uses'; code reads the state, and gives its values by their keys";
        return Err(keys.meaningless(key, value, why));
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
                template::check_expression(expression).map_err(|why| bad_template(&keys.what, &why, at))?;
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
    if language == Language::Python {
        template::check(code).map_err(|why| bad_template(&keys.what, &why, value.at))?;
    }
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
    match keys.get("book") {
        Some(book) => keys.meaningless("book", book, "only Prolog code, given by 'run', uses the book"),
        None => keys.lacks("book"),
    }
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
    Ok(Work::Action {
        name: name.to_owned(),
        with: Json::Object(parameters(keys)?),
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
        let why = "a program in DML stands in 'run', or 'uses' names its file";
        return Err(keys.meaningless(key, value, why));
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
            Some(_) => Some(Json::Object(parameters(keys)?)),
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

fn parameters(keys: &Keys<'_>) -> Result<Object, LoadFault> {
    if let Some(with) = keys.get("with") {
        check_templates(with, &keys.what)?;
    }
    keys.object("with")
}

/// Whether the templates within a value can be read, at any depth.
fn check_templates(yaml: &Yaml, what: &str) -> Result<(), LoadFault> {
    match &yaml.tree {
        Tree::Scalar(Json::Text(text)) => {
            template::check(text).map_err(|why| bad_template(what, &why, yaml.at))
        }
        Tree::Scalar(_) => Ok(()),
        Tree::List(items) => items.iter().try_for_each(|item| check_templates(item, what)),
        Tree::Map(entries) => entries
            .iter()
            .try_for_each(|entry| check_templates(&entry.value, what)),
    }
}

/// Where the result goes.
fn output(keys: &Keys<'_>) -> Result<Output, LoadFault> {
    let Some(output) = keys.get("output").or_else(|| keys.get("output_key")) else {
        return Ok(Output::Merged);
    };
    check_templates(output, &keys.what)?;
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

/// The language of a node is that of its steps, where they do not say theirs.
fn within<'a>(keys: &Keys<'_>, context: &Context<'a>) -> Result<Context<'a>, LoadFault> {
    Ok(Context {
        language: match keys.get("language") {
            Some(_) => super::language(keys)?,
            None => context.language,
        },
        ..context.clone()
    })
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
    let given = keys.get("items").ok_or_else(|| keys.lacks("items"))?;
    let items = match &given.tree {
        // An expression needs no braces, as in conditions.
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
    let inner = Keys::of(value, format!("'on_error' of {}", keys.what), &ERROR_KEYS)?;
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
