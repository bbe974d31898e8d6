//! The work of a node or a step: code, an action, a DML program, or steps.

use super::keys::{Keys, bad_template, nearest};
use super::{Context, UsedBook, named_language, used_book};
use crate::detect;
use crate::fault::LoadFault;
use crate::json::{Json, Object};
use crate::language::Language;
use crate::model::{Output, Work};
use crate::template;
use crate::yaml::{Place, Tree, Yaml};

/// Which of the keys that cannot be combined says what a node without a type, or a step, does.
pub(super) fn way(keys: &Keys<'_>) -> Result<Option<&'static str>, LoadFault> {
    let ways: Vec<&'static str> = ["run", "script", "uses", "steps"]
        .into_iter()
        .filter(|way| keys.get(way).is_some())
        .collect();
    if let [_, second, ..] = ways[..] {
        let at = keys.get(second).map_or(keys.at, |value| value.at);
        return Err(LoadFault::new(
            format!(
                "'{}' and '{second}' of {} cannot be combined.",
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
    Ok(ways.first().copied())
}

/// The work that the key `way` says.
pub(super) fn plain(way: &str, keys: &Keys<'_>, context: &Context<'_>) -> Result<Work, LoadFault> {
    match way {
        "uses" => action(keys, context),
        way => run(keys, way, context),
    }
}

fn run(keys: &Keys<'_>, way: &str, context: &Context<'_>) -> Result<Work, LoadFault> {
    let Some(value) = keys.get(way) else {
        return Ok(Work::Nothing);
    };
    let (code, begins, wanted) = match &value.tree {
        Tree::Scalar(Json::Text(code)) => {
            let own = match keys.text("language")? {
                Some(word) => named_language(word, keys.get("language").map_or(keys.at, |word| word.at))?,
                None => context.language,
            };
            (code.as_str(), value.text_at, own)
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
            let begins = inner.get("code").map_or(inner.at, |code| code.text_at);
            (inner.needed("code")?, begins, named_language(kind, at)?)
        }
        _ => return Err(keys.wrong(way, value, "code, or a map with 'type' and 'code'")),
    };
    let own_book = used_book(keys, context.installed)?;
    if own_book.as_ref().is_some_and(|book| *book != UsedBook::None) {
        if wanted.is_some_and(|language| language != Language::Prolog) {
            return Err(not_for_book(keys));
        }
        return Ok(code_of(
            (Language::Prolog, false),
            code,
            begins,
            own_book.unwrap_or_default(),
        ));
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
        (language, wanted.is_none()),
        code,
        begins,
        own_book.unwrap_or_else(|| context.book.clone()),
    ))
}

/// Only Prolog uses a book.
fn code_of((language, inferred): (Language, bool), code: &str, at: Place, book: UsedBook) -> Work {
    let code = code.to_owned();
    let book = match book {
        book if language != Language::Prolog || book == UsedBook::None => {
            return Work::Code {
                language,
                code,
                at,
                inferred,
            };
        }
        UsedBook::None | UsedBook::OfTheRun => None,
        UsedBook::Named(name) => Some(name),
    };
    Work::InBook { code, book, at }
}

pub(super) fn not_for_book(keys: &Keys<'_>) -> LoadFault {
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
    let what = super::keys::capital(&keys.what);
    let message = match context.installed.only_prolog {
        true => format!(
            "{what} is in {name}{guessed}, and nodes of this server are in Prolog. Write it in Prolog, or run the workflow with \
             `hornbook flow`, which has {name} where the package {package} is installed."
        ),
        false => format!(
            "{what} is in {name}{guessed}, which needs a package that is not installed. Install it with: npm install {package}. \
             Nodes in Prolog work without it, and so do those in other languages that are installed."
        ),
    };
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
            format!("{what} uses '{name}', which is not an action. {hint}"),
            at,
        ));
    }
    Ok(Work::Action {
        name: name.to_owned(),
        with: Json::Object(parameters(keys)?),
        output: output(keys)?,
    })
}

/// A DML program.
pub(super) fn program(keys: &Keys<'_>, context: &Context<'_>) -> Result<Work, LoadFault> {
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
            let message = format!("'uses' and 'run' of {} cannot be combined.", keys.what);
            return Err(LoadFault::new(message, run.at));
        }
        (Some(uses), None) => file(keys, "program", uses.at, context)?,
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

/// The text of the program or the workflow that a node names.
pub(super) fn file<'a>(
    keys: &Keys<'_>,
    kind: &str,
    at: Place,
    context: &Context<'a>,
) -> Result<&'a str, LoadFault> {
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
        format!("{what} uses the {kind} '{name}', which was not given. {hint}"),
        at,
    ))
}

pub(super) fn parameters(keys: &Keys<'_>) -> Result<Object, LoadFault> {
    if let Some(with) = keys.get("with") {
        check_templates(with, &keys.what)?;
    }
    keys.object("with")
}

/// Check that the templates within a value can be parsed, at any depth.
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
pub(super) fn output(keys: &Keys<'_>) -> Result<Output, LoadFault> {
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

/// Whether there are actions of the server that `name` begins with.
fn has_server(name: &str, actions: &[String]) -> bool {
    let server = name.split_once('.').map_or(name, |(server, _)| server);
    actions.iter().any(|action| {
        action
            .strip_prefix(server)
            .is_some_and(|rest| rest.starts_with('.'))
    })
}
