//! The prompts: how to go about a task with the tools.

use serde_json::{Value, json};

use super::tools::quoted;
use hornbook_mcp::{Object, RpcError, object};

struct Prompt {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// The argument that says what it is about; it is added at the end of the text.
    subject: Argument,
    /// What the text asks for when no subject is given.
    otherwise: &'static str,
    /// Values of `mode` with their texts, the default first; one text without a name if there is no choice.
    texts: &'static [(&'static str, &'static str)],
}

struct Argument {
    name: &'static str,
    description: &'static str,
}

const PROMPTS: [Prompt; 4] = [
    Prompt {
        name: "expert",
        title: "Prolog expert",
        description: "Prolog programming with these tools: init explains all, quick is a reminder",
        subject: Argument {
            name: "task",
            description: "What to do",
        },
        otherwise: "Ask what the task is.",
        texts: &[
            ("init", include_str!("expert_init.md")),
            ("quick", include_str!("expert_quick.md")),
        ],
    },
    Prompt {
        name: "knowledge",
        title: "Knowledge base",
        description: "Build a knowledge base, or analyze the one in the workspace",
        subject: Argument {
            name: "domain",
            description: "What the knowledge base is about",
        },
        otherwise: "Take the domain from the workspace; if it is empty, ask.",
        texts: &[
            ("builder", include_str!("knowledge_builder.md")),
            ("analyzer", include_str!("knowledge_analyzer.md")),
        ],
    },
    Prompt {
        name: "optimize",
        title: "Query optimizer",
        description: "Make a query faster and show that its answers are the same",
        subject: Argument {
            name: "query",
            description: "The Prolog query",
        },
        otherwise: "Ask which query is too slow.",
        texts: &[("", include_str!("optimize.md"))],
    },
    Prompt {
        name: "puzzle",
        title: "Puzzle solver",
        description: "Solve a logic puzzle with constraints",
        subject: Argument {
            name: "puzzle",
            description: "The puzzle and its clues",
        },
        otherwise: "Offer the reader three classic puzzles, and solve the one that is chosen.",
        texts: &[("", include_str!("puzzle.md"))],
    },
];

/// The declarations, as `prompts/list` returns them.
pub fn declarations() -> Vec<Value> {
    let declare = |prompt: &Prompt| {
        let mut arguments = vec![json!({
            "name": prompt.subject.name,
            "description": prompt.subject.description,
            "required": false,
        })];
        if prompt.has_modes() {
            let description = format!("{} (default: {})", prompt.modes().join(" or "), prompt.texts[0].0);
            arguments.push(json!({ "name": "mode", "description": description, "required": false }));
        }
        json!({
            "name": prompt.name,
            "title": prompt.title,
            "description": prompt.description,
            "arguments": arguments,
        })
    };
    PROMPTS.iter().map(declare).collect()
}

/// A `GetPromptResult`.
pub fn get(name: &str, arguments: &Object) -> Result<Object, RpcError> {
    let prompt = find(name)?;
    for (argument, value) in arguments {
        prompt.expect(argument)?;
        if !value.is_string() {
            return Err(RpcError::invalid_params(format!(
                "Argument '{argument}' must be a string"
            )));
        }
    }
    let argument = |name: &str| {
        arguments
            .get(name)
            .and_then(Value::as_str)
            .map(str::trim)
            .filter(|text| !text.is_empty())
    };
    let mode = argument("mode").unwrap_or(prompt.texts[0].0);
    let Some((_, text)) = prompt.texts.iter().find(|(known, _)| *known == mode) else {
        let modes = prompt.modes().join(", ");
        return Err(RpcError::invalid_params(format!(
            "Unknown mode '{mode}'; the modes are: {modes}"
        )));
    };
    let subject = prompt.subject.name;
    let last = match argument(subject) {
        Some(given) => format!("The {subject}:\n{given}"),
        None => prompt.otherwise.to_string(),
    };
    Ok(object(json!({
        "description": prompt.description,
        "messages": [{ "role": "user", "content": { "type": "text", "text": format!("{text}\n{last}") } }],
    })))
}

/// Values for an argument that begin with `value`. `predicates` completes the start of a predicate's name to
/// `name/arity`.
pub fn complete(
    name: &str,
    argument: &str,
    value: &str,
    predicates: impl Fn(&str) -> Vec<String>,
) -> Result<Vec<String>, RpcError> {
    let prompt = find(name)?;
    prompt.expect(argument)?;
    Ok(match argument {
        "mode" => prompt
            .modes()
            .into_iter()
            .filter(|mode| mode.starts_with(value))
            .map(str::to_string)
            .collect(),
        "query" => complete_goal(value, predicates),
        _ => Vec::new(),
    })
}

/// The name at the end of a goal, completed to a call: `member(X, L), par` to `member(X, L), parent(_, _)`.
fn complete_goal(value: &str, predicates: impl Fn(&str) -> Vec<String>) -> Vec<String> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let start = value
        .char_indices()
        .rev()
        .take_while(|(_, c)| is_name(*c))
        .last()
        .map_or(value.len(), |(at, _)| at);
    let (before, name) = value.split_at(start);
    if !name.starts_with(char::is_lowercase) {
        return Vec::new();
    }
    let call = |indicator: String| {
        let (name, arity) = indicator.rsplit_once('/')?;
        Some(match arity.parse().ok()? {
            0 => format!("{before}{}", quoted(name)),
            arity => format!("{before}{}({})", quoted(name), vec!["_"; arity].join(", ")),
        })
    };
    predicates(name).into_iter().filter_map(call).collect()
}

fn find(name: &str) -> Result<&'static Prompt, RpcError> {
    PROMPTS.iter().find(|prompt| prompt.name == name).ok_or_else(|| {
        let names = PROMPTS.map(|prompt| prompt.name).join(", ");
        RpcError::invalid_params(format!("Unknown prompt '{name}'; the prompts are: {names}"))
    })
}

impl Prompt {
    fn has_modes(&self) -> bool {
        self.texts.len() > 1
    }

    fn modes(&self) -> Vec<&'static str> {
        self.texts.iter().map(|(mode, _)| *mode).collect()
    }

    fn expect(&self, argument: &str) -> Result<(), RpcError> {
        let subject = self.subject.name;
        if argument == subject || (argument == "mode" && self.has_modes()) {
            return Ok(());
        }
        let known = if self.has_modes() {
            format!("{subject}, mode")
        } else {
            subject.to_string()
        };
        Err(RpcError::invalid_params(format!(
            "Unknown argument '{argument}'; the arguments are: {known}"
        )))
    }
}
