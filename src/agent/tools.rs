//! The host's tools, and which of them may be called.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::files::{self, FileOperation, missing_tool};

/// A registered tool of the host.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Tool {
    #[serde(default)]
    pub description: String,
    /// A JSON Schema of type `object`. The order of its properties is the order of positional arguments.
    #[serde(default = "no_parameters")]
    pub parameters: Value,
    /// The names of the parameters in order; `parameters` itself loses its order on the way here.
    #[serde(default)]
    pub names: Vec<String>,
}

fn no_parameters() -> Value {
    json!({ "type": "object", "properties": {} })
}

/// Which of the host's tools may be called. In names, `*` matches anything.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ToolPolicy"))]
#[serde(deny_unknown_fields)]
pub struct Policy {
    pub mode: PolicyMode,
    pub tools: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum PolicyMode {
    Whitelist,
    Blacklist,
}

/// The tools and the policy of one run. Every call of a host's tool goes through [`ToolSet::find`].
#[derive(Debug, Clone, Default)]
pub struct ToolSet {
    pub tools: BTreeMap<String, Tool>,
    pub policy: Option<Policy>,
    /// Which of the tools are operations on the run's files.
    pub files: BTreeMap<String, FileOperation>,
    /// Whether the tool [`ASK_USER`] is the run's own, and none of the host's.
    pub asks: bool,
}

/// The tool that asks the user.
pub const ASK_USER: &str = "ask_user";

impl ToolSet {
    /// Add the tools for files, except those that the host provides itself.
    pub fn add_files(&mut self) {
        for (name, operation, description, parameters) in files::TOOLS {
            if self.tools.contains_key(name) {
                continue;
            }
            let names: Vec<String> = parameters.iter().map(|name| (*name).to_owned()).collect();
            let properties: Map<String, Value> = names
                .iter()
                .map(|name| (name.clone(), json!({ "type": "string" })))
                .collect();
            let tool = Tool {
                description: description.into(),
                parameters: json!({ "type": "object", "properties": properties, "required": names }),
                names,
            };
            self.tools.insert(name.to_owned(), tool);
            self.files.insert(name.to_owned(), operation);
        }
    }

    /// Add the tool that asks the user, unless the host has one of this name.
    pub fn add_user(&mut self) {
        if self.tools.contains_key(ASK_USER) {
            return;
        }
        let names = vec!["prompt".to_owned()];
        let tool = Tool {
            description: "Ask the user a question.".into(),
            parameters: json!({ "type": "object", "properties": { "prompt": { "type": "string" } }, "required": names }),
            names,
        };
        self.tools.insert(ASK_USER.to_owned(), tool);
        self.asks = true;
    }

    /// Whether the policy allows a tool of this name; the error says why not.
    pub fn allows(&self, name: &str) -> Result<(), String> {
        if let Some(policy) = &self.policy {
            let listed = policy.tools.iter().any(|pattern| matches(pattern, name));
            match policy.mode {
                PolicyMode::Whitelist if !listed => {
                    return Err(format!(
                        "The tool {name} is not on the whitelist of the tool policy."
                    ));
                }
                PolicyMode::Blacklist if listed => {
                    return Err(format!("The tool {name} is on the blacklist of the tool policy."));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The tool, if it exists and may be called; the error says why not.
    pub fn find(&self, name: &str) -> Result<&Tool, String> {
        self.allows(name)?;
        self.tools.get(name).ok_or_else(|| missing_tool(name))
    }
}

/// Whether the name matches; `*` in the pattern stands for any number of characters.
pub fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((begin, rest)) => name.strip_prefix(begin).is_some_and(|tail| {
            let mut ends = tail.char_indices().map(|(at, _)| at).chain([tail.len()]);
            ends.any(|at| matches(rest, &tail[at..]))
        }),
    }
}

/// An argument as the program wrote it: `Value` or `Name: Value`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Argument {
    pub name: Option<String>,
    pub value: Value,
}

/// The arguments of a call by name; the error lists the names that exist.
pub fn named_arguments(name: &str, tool: &Tool, arguments: Vec<Argument>) -> Result<Value, String> {
    if let [
        Argument {
            name: None,
            value: Value::Object(named),
        },
    ] = &arguments[..]
        && (tool.names.is_empty() || named.keys().all(|key| tool.names.contains(key)))
    {
        return Ok(Value::Object(named.clone()));
    }
    let count = arguments
        .iter()
        .filter(|argument| argument.name.is_none())
        .count();
    if !tool.names.is_empty() && count > tool.names.len() {
        let (known, names) = (tool.names.len(), tool.names.join(", "));
        return Err(format!(
            "The tool {name} takes {known} arguments ({names}), not {count}."
        ));
    }
    let mut named = Map::new();
    let mut position = 0;
    for argument in arguments {
        let key = argument.name.unwrap_or_else(|| {
            position += 1;
            let known = tool.names.get(position - 1).cloned();
            known.unwrap_or_else(|| format!("arg{position}"))
        });
        named.insert(key, argument.value);
    }
    Ok(Value::Object(named))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_anything() {
        let yes = [
            ("*", ""),
            ("file_*", "file_read"),
            ("*_read", "file_read"),
            ("a*b*c", "aXbbc"),
            ("ž*", "ž"),
        ];
        let no = [("file_*", "file"), ("a*b", "abc"), ("a", "ab"), ("", "a")];
        assert!(yes.iter().all(|(pattern, name)| matches(pattern, name)));
        assert!(!no.iter().any(|(pattern, name)| matches(pattern, name)));
    }

    fn tool(names: &[&str]) -> Tool {
        Tool {
            description: String::new(),
            parameters: no_parameters(),
            names: names.iter().map(|name| (*name).into()).collect(),
        }
    }

    fn positional(value: Value) -> Argument {
        Argument { name: None, value }
    }

    #[test]
    fn arguments_go_by_position_by_name_or_in_one_object() {
        let named = |argument: &str, value| Argument {
            name: Some(argument.into()),
            value,
        };
        let add = tool(&["x", "y"]);
        let call = |arguments| named_arguments("add", &add, arguments);
        assert_eq!(
            call(vec![positional(json!(1)), named("y", json!(2))]),
            Ok(json!({ "x": 1, "y": 2 }))
        );
        assert_eq!(call(vec![positional(json!({ "y": 2 }))]), Ok(json!({ "y": 2 })));
        assert_eq!(
            call(vec![positional(json!({ "k": 2 }))]),
            Ok(json!({ "x": { "k": 2 } }))
        );
        assert!(call(vec![positional(json!(1)); 3]).unwrap_err().contains("x, y"));
    }

    #[test]
    fn the_policy_comes_before_the_tool() {
        let tools = BTreeMap::from([("file_read".to_owned(), tool(&[]))]);
        let mut set = ToolSet {
            tools,
            ..ToolSet::default()
        };
        assert!(set.find("file_read").is_ok());
        assert!(set.find("nope").unwrap_err().contains("no tool"));
        let policy = |mode, pattern: &str| Policy {
            mode,
            tools: vec![pattern.into()],
        };
        set.policy = Some(policy(PolicyMode::Blacklist, "file_*"));
        assert!(set.find("file_read").unwrap_err().contains("blacklist"));
        set.policy = Some(policy(PolicyMode::Whitelist, "web*"));
        assert!(set.find("file_read").unwrap_err().contains("whitelist"));
    }
}
