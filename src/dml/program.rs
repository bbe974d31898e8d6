//! Which clause of `agent_main` a run calls, and with which arguments.

use serde::Serialize;
use serde_json::{Map, Value};

use super::engine::Given;
use super::loaded::{Declared, LoadError, Loaded};
use super::output::Type;
use super::replies::RunError;
use hornbook_agent::Event;

pub const NO_MAIN: &str =
    "The program has no agent_main: a run calls agent_main, or agent_main(Parameter, …).";

/// The arguments of `agent_main`: first those given by position, then parameters by the names of its
/// variables, or their declared defaults. The error is one or more plain sentences.
pub fn main_arguments(
    loaded: &Loaded,
    positional: &[Value],
    parameters: &Map<String, Value>,
) -> Result<Vec<Given>, String> {
    wrong_parameters(&loaded.declared, parameters)?;
    let mut candidates = signatures(loaded);
    if candidates.is_empty() {
        return Err(NO_MAIN.into());
    }
    candidates.sort_by_key(|names| std::cmp::Reverse(names.len()));
    let fitting = candidates
        .iter()
        .filter(|names| names.len() >= positional.len())
        .find_map(|names| arguments(names, positional, parameters, &loaded.declared));
    fitting.ok_or_else(|| misfit(&candidates, positional, parameters))
}

/// Check the given parameters against the declared ones.
fn wrong_parameters(declared: &[Declared], parameters: &Map<String, Value>) -> Result<(), String> {
    let wrong: Vec<String> = declared
        .iter()
        .filter_map(|declared| {
            let value = parameter(&declared.name, parameters)?;
            let wrong = declared.kind.accept(value, &declared.name).err()?;
            let why = match declared.description.as_str() {
                "" => String::new(),
                description => format!(" ({description})"),
            };
            Some(format!("The parameter {wrong}{why}."))
        })
        .collect();
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(wrong.join(" "))
    }
}

/// A parameter of a program, given by name.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Parameter {
    pub name: String,
    /// Whether a run needs it.
    pub required: bool,
    /// The type as the program writes it, such as `integer` or `select(json,csv)`, if it does.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The value if none is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// A JSON Schema of its values, if it has a type.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, unknown>"))]
    pub schema: Option<Value>,
}

/// The variables of the `agent_main` with the most of them, and the keys that the program declares, each name
/// once.
pub fn parameters(loaded: &Loaded) -> Vec<Parameter> {
    let longest = signatures(loaded).into_iter().max_by_key(Vec::len);
    let variables = longest.into_iter().flatten().flatten();
    let keys = loaded.declared.iter().map(|declared| declared.name.clone());
    let mut parameters: Vec<Parameter> = Vec::new();
    for (name, variable) in variables
        .map(|name| (name, true))
        .chain(keys.map(|key| (key, false)))
    {
        if parameters.iter().any(|known| plain(&known.name) == plain(&name)) {
            continue;
        }
        let declared = declared_as(&name, &loaded.declared);
        let default = declared.and_then(|declared| declared.default.clone());
        parameters.push(Parameter {
            name,
            required: variable && default.is_none(),
            kind: declared.and_then(|declared| not_empty(&declared.written)),
            description: declared.and_then(|declared| not_empty(&declared.description)),
            schema: declared
                .filter(|declared| declared.kind != Type::Any)
                .map(|declared| declared.kind.schema()),
            default,
        });
    }
    parameters
}

fn not_empty(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn declared_as<'a>(name: &str, declared: &'a [Declared]) -> Option<&'a Declared> {
    declared.iter().find(|known| plain(&known.name) == plain(name))
}

/// The names of the variables of each `agent_main/N`.
fn signatures(loaded: &Loaded) -> Vec<Vec<Option<String>>> {
    let mut signatures: Vec<Vec<Option<String>>> = Vec::new();
    for clause in &loaded.mains {
        match signatures.iter_mut().find(|names| names.len() == clause.len()) {
            None => signatures.push(clause.clone()),
            Some(names) => {
                for (name, other) in names.iter_mut().zip(clause) {
                    if name.is_none() {
                        name.clone_from(other);
                    }
                }
            }
        }
    }
    signatures
}

fn arguments(
    names: &[Option<String>],
    positional: &[Value],
    parameters: &Map<String, Value>,
    declared: &[Declared],
) -> Option<Vec<Given>> {
    let named = names[positional.len()..].iter().map(|name| {
        let name = name.as_deref()?;
        let given = parameter(name, parameters).cloned();
        match (declared_as(name, declared), given) {
            // Without a type, the engine has nothing to convert.
            (Some(known), Some(value)) if known.kind == Type::Any => Some(Given::Value(value)),
            (Some(known), None) if known.default.is_none() => None,
            (Some(known), _) => Some(Given::Parameter(known.name.clone())),
            (None, given) => given.map(Given::Value),
        }
    });
    let named = named.collect::<Option<Vec<_>>>()?;
    let positional = positional.iter().cloned().map(Given::Value);
    Some(positional.chain(named).collect())
}

/// The parameter with exactly this name, or one that differs only in case, hyphens and underscores.
fn parameter<'a>(name: &str, parameters: &'a Map<String, Value>) -> Option<&'a Value> {
    let same = |key: &&String| plain(key) == plain(name);
    parameters.get(name).or_else(|| {
        let key = parameters.keys().find(same)?;
        parameters.get(key)
    })
}

fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| !matches!(c, '_' | '-' | ' '));
    letters.flat_map(char::to_lowercase).collect()
}

fn misfit(
    candidates: &[Vec<Option<String>>],
    positional: &[Value],
    parameters: &Map<String, Value>,
) -> String {
    let shown: Vec<String> = candidates.iter().map(|names| signature(names)).collect();
    let mut message = format!("The program has {}.", shown.join(" and "));
    if !positional.is_empty() {
        message += &format!(" The arguments given are {}.", positional.len());
    }
    if parameters.is_empty() {
        message += " No parameters were given.";
    } else {
        let given: Vec<&str> = parameters.keys().map(String::as_str).collect();
        message += &format!(" The parameters given are: {}.", given.join(", "));
    }
    message
}

fn signature(names: &[Option<String>]) -> String {
    if names.is_empty() {
        return "agent_main".into();
    }
    let names: Vec<&str> = names.iter().map(|name| name.as_deref().unwrap_or("_")).collect();
    format!("agent_main({})", names.join(", "))
}

/// The first error in a program's text, with its position.
pub fn load_error(code: &str, errors: &[LoadError]) -> Option<Event> {
    let first = errors.first()?;
    let (line, column, message) = placed(code, first);
    let mut content = format!("line {line}, column {column}: {message}");
    if errors.len() > 1 {
        content += &format!(" ({} more errors)", errors.len() - 1);
    }
    Some(Event::Error {
        content,
        line: Some(line),
        column: Some(column),
    })
}

/// The message of an error, with the ISO error term that programs catch it by.
pub fn described(error: &RunError) -> String {
    if error.term.is_empty() {
        error.message.clone()
    } else {
        format!("{} [{}]", error.message, error.term)
    }
}

/// The error that ends a run, with the clause that raised it.
pub fn runtime_error(code: &str, error: &RunError) -> Event {
    let mut content = format!("Runtime error: {}", described(error));
    let at = error.offset.map(|offset| place(code, offset));
    match (&error.predicate, at) {
        (Some(predicate), Some((line, _))) => content += &format!(" (in {predicate}, line {line})"),
        (Some(predicate), None) => content += &format!(" (in {predicate})"),
        (None, _) => {}
    }
    Event::Error {
        content,
        line: at.map(|(line, _)| line),
        column: at.map(|(_, column)| column),
    }
}

/// Line from 1, column from 0, and the message.
pub fn placed(code: &str, error: &LoadError) -> (u32, u32, String) {
    let (line, column) = match (error.line, error.offset) {
        (Some(line), _) => (line, error.column.unwrap_or(0)),
        (None, offset) => place(code, offset.unwrap_or(0)),
    };
    let message = if error.is_syntax_error() {
        format!("Syntax error: {}", error.message)
    } else {
        error.message.clone()
    };
    (line, column, message)
}

/// Line (from 1) and column (from 0) of an offset in code points.
pub fn place(code: &str, offset: usize) -> (u32, u32) {
    let (mut line, mut column) = (1, 0);
    for c in code.chars().take(offset) {
        if c == '\n' {
            (line, column) = (line + 1, 0);
        } else {
            column += 1;
        }
    }
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn declared(name: &str, kind: Type, default: Option<Value>) -> Declared {
        Declared {
            name: name.into(),
            written: kind.written(),
            kind,
            description: "what it is".into(),
            default,
        }
    }

    fn loaded(mains: &[&[&str]]) -> Loaded {
        let named = |name: &&str| (!name.is_empty()).then(|| (*name).to_owned());
        Loaded {
            mains: mains
                .iter()
                .map(|names| names.iter().map(named).collect())
                .collect(),
            declared: vec![declared("max", Type::Integer, Some(json!(9)))],
            ..Loaded::default()
        }
    }

    fn call(mains: &[&[&str]], positional: Value, parameters: Value) -> Result<Vec<Value>, String> {
        let positional = positional.as_array().unwrap().clone();
        let given = main_arguments(&loaded(mains), &positional, parameters.as_object().unwrap())?;
        let shown = given.into_iter().map(|given| match given {
            Given::Value(value) => value,
            Given::Parameter(name) => json!({ "parameter": name }),
        });
        Ok(shown.collect())
    }

    #[test]
    fn a_parameter_that_is_not_given_has_its_declared_default() {
        assert_eq!(
            call(&[&["Topic", "Max"]], json!([]), json!({ "topic": "t" })),
            Ok(vec![json!("t"), json!({ "parameter": "max" })])
        );
    }

    #[test]
    fn parameters_go_to_the_variables_of_their_names() {
        let main: &[&[&str]] = &[&["Topic", "MaxResults"]];
        let expected = Ok(vec![json!("qc"), json!(5)]);
        assert_eq!(
            call(main, json!([]), json!({ "MaxResults": 5, "Topic": "qc" })),
            expected
        );
        assert_eq!(
            call(main, json!([]), json!({ "max_results": 5, "topic": "qc" })),
            expected
        );
        assert_eq!(call(main, json!(["qc"]), json!({ "MaxResults": 5 })), expected);
        assert_eq!(call(main, json!(["qc", 5]), json!({})), expected);
    }

    #[test]
    fn a_name_may_come_from_a_later_clause() {
        let main: &[&[&str]] = &[&["", "X"], &["Mode", "X"]];
        assert_eq!(
            call(main, json!([]), json!({ "Mode": 1, "X": 2 })),
            Ok(vec![json!(1), json!(2)])
        );
    }

    #[test]
    fn agent_main_without_arguments_is_called_where_no_other_fits() {
        let main: &[&[&str]] = &[&[], &["X"]];
        assert_eq!(call(main, json!([]), json!({ "Y": 1 })), Ok(vec![]));
        assert_eq!(call(main, json!([]), json!({ "X": 1 })), Ok(vec![json!(1)]));
    }

    #[test]
    fn a_misfit_names_what_there_is() {
        let message = call(&[&["Topic"]], json!([]), json!({ "tpoic": 1 })).unwrap_err();
        assert_eq!(
            message,
            "The program has agent_main(Topic). The parameters given are: tpoic."
        );
        assert!(
            call(&[], json!([]), json!({}))
                .unwrap_err()
                .contains("no agent_main")
        );
        assert!(
            call(&[&[]], json!([1]), json!({}))
                .unwrap_err()
                .contains("arguments given are 1")
        );
    }

    #[test]
    fn parameters_are_variables_and_declared_keys_each_once() {
        let mut loaded = loaded(&[&[], &["Topic", ""], &["Topic", "Max"]]);
        let formats = Type::OneOf(vec![json!("json"), json!("csv")]);
        loaded.declared.push(declared("format", formats, None));
        let told: Vec<_> = parameters(&loaded)
            .into_iter()
            .map(|parameter| (parameter.name, parameter.required, parameter.kind))
            .collect();
        let expected = [
            ("Topic", true, None),
            ("Max", false, Some("integer")),
            ("format", false, Some("oneof([json, csv])")),
        ];
        assert_eq!(
            told,
            expected.map(|(name, required, kind)| (name.to_owned(), required, kind.map(str::to_owned)))
        );
    }

    #[test]
    fn parameters_of_the_wrong_type_are_refused_all_at_once() {
        let mut loaded = loaded(&[&[]]);
        loaded
            .declared
            .push(declared("names", Type::List(Box::new(Type::String)), None));
        let given = json!({ "MAX": "many", "names": ["Ann", 1], "other": 1 });
        assert_eq!(
            main_arguments(&loaded, &[], given.as_object().unwrap()),
            Err(
                "The parameter max must be an integer, not \"many\" (what it is). \
                 The parameter names[1] must be a string, not 1 (what it is)."
                    .into()
            )
        );
    }

    #[test]
    fn places_count_code_points() {
        assert_eq!(place("ž.\nab", 4), (2, 1));
    }
}
