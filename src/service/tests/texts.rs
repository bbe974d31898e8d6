//! Help and prompts mention only what exists, and the calls they show are accepted by the tools.

use std::collections::BTreeSet;
use std::rc::Rc;

use serde_json::{Value, json};

use crate::help::Help;
use crate::prolog::{TOOLS, TOPICS};
use crate::schema::Arguments;
use crate::{Hornbook, prolog};
use hornbook_base::Fault;
use hornbook_mcp::{Object, RpcError, Service};
use hornbook_workspace::Options;
use hornbook_workspace::bench::Bench;

/// The service of an empty workspace.
fn service() -> Rc<Hornbook> {
    let bench = Bench::new();
    let set = prolog::toolset(bench.open(Options::default()));
    Hornbook::new(vec![set], None, 10_000)
}

fn helper() -> Help {
    Help::of(&[prolog::toolset(Bench::new().open(Options::default()))])
}

fn help(topic: Option<&str>) -> String {
    helper().text(topic)
}

fn declared(list: Vec<Value>, field: &str) -> BTreeSet<String> {
    let text = |one: &Value| one[field].as_str().expect("a text").to_string();
    list.iter().map(text).collect()
}

/// Everything an agent may read, with where it comes from.
fn texts() -> Vec<(String, String)> {
    let mut texts: Vec<(String, String)> = TOPICS
        .iter()
        .map(|topic| (format!("help {}", topic.name), topic.text.to_string()))
        .collect();
    for (name, modes) in [
        ("expert", vec!["init", "quick"]),
        ("knowledge", vec!["builder", "analyzer"]),
        ("optimize", vec![]),
        ("puzzle", vec![]),
    ] {
        let mut all: Vec<Object> = modes
            .iter()
            .map(|mode| [("mode".to_string(), json!(mode))].into_iter().collect())
            .collect();
        all.push(Object::new());
        for arguments in all {
            texts.push((format!("prompt {name} {arguments:?}"), prompt(name, &arguments)));
        }
    }
    texts
}

fn prompt(name: &str, arguments: &Object) -> String {
    let result = get_prompt(name, arguments).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    result["messages"][0]["content"]["text"]
        .as_str()
        .expect("a text")
        .to_string()
}

fn get_prompt(name: &str, arguments: &Object) -> Result<Object, RpcError> {
    service().prompt(name, arguments)
}

/// The parts between backticks.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Whether a tool accepts these arguments; `None` if there is no such tool.
fn check(tool: &str, arguments: Object) -> Option<Result<(), Fault>> {
    let checked = match tool {
        "help" => Arguments::check(&helper().arguments(), arguments),
        _ => Arguments::check(
            TOOLS.iter().find(|known| known.name == tool)?.arguments,
            arguments,
        ),
    };
    Some(checked.map(drop))
}

#[test]
fn the_calls_that_are_shown_are_calls_of_the_tools() {
    let mut shown = BTreeSet::new();
    for (from, text) in texts() {
        for call in code(&text).filter(|code| code.contains(" {")) {
            let (name, arguments) = call.split_once(' ').expect("a space");
            let arguments: Object =
                serde_json::from_str(arguments).unwrap_or_else(|error| panic!("{from}: {call}: {error}"));
            if let Err(fault) = check(name, arguments).unwrap_or_else(|| panic!("{from}: no tool {name}")) {
                panic!("{from}: {call}: {fault:?}");
            }
            shown.insert(name.to_string());
        }
    }
    let expected = [
        "clauses",
        "files",
        "help",
        "query_close",
        "query_next",
        "query_start",
        "workspace",
    ];
    assert!(shown.iter().eq(expected), "{shown:?}");
}

#[test]
fn names_that_look_like_tools_are_tools() {
    let like_a_tool = |word: &&str| {
        word.starts_with("query_") || word.starts_with("workspace_") || word.starts_with("knowledge_base_")
    };
    for (from, text) in texts() {
        let words = text
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(like_a_tool);
        for word in words {
            assert!(
                check(word, Object::new()).is_some() || word == "query_id",
                "{from}: {word}"
            );
        }
    }
}

#[test]
fn resources_that_are_named_exist_and_help_names_all() {
    let mut declared_ones = declared(service().resources(), "uri");
    declared_ones.extend(declared(service().resource_templates(), "uriTemplate"));
    let mut named = BTreeSet::new();
    for (_, text) in texts() {
        let words = text.split(|c: char| c.is_whitespace() || ",`".contains(c));
        named.extend(
            words
                .filter(|word| word.contains("://"))
                .map(|word| word.trim_end_matches('.').to_string()),
        );
    }
    assert_eq!(named, declared_ones);
}

#[test]
fn help_of_the_tools_names_every_argument_and_operation() {
    let text = help(Some("tools"));
    for tool in service().tools() {
        let tool_name = tool["name"].as_str().expect("a name");
        let line = text
            .lines()
            .find(|line| line.starts_with(&format!("- `{tool_name}`")));
        let line = line.unwrap_or_else(|| panic!("no line for {tool_name}"));
        let schema = tool["inputSchema"]["properties"].clone();
        for (name, argument) in schema.as_object().expect("properties") {
            assert!(line.contains(&format!("`{name}`")), "{tool_name}: {name}");
            let operations = if name == "operation" {
                argument["enum"].as_array().cloned()
            } else {
                None
            };
            for operation in operations.unwrap_or_default() {
                assert!(
                    line.contains(operation.as_str().expect("a string")),
                    "{tool_name}: {operation}"
                );
            }
        }
    }
}

#[test]
fn help_without_a_topic_is_all_of_it() {
    let all = help(None);
    assert!(TOPICS.iter().all(|topic| all.contains(topic.text)));
    assert!(
        TOPICS
            .iter()
            .all(|topic| help(Some("overview")).contains(topic.name))
    );
}

#[test]
fn help_of_the_prompts_names_them_all() {
    let text = help(Some("prompts"));
    for prompt in service().prompts() {
        let name = prompt["name"].as_str().expect("a name");
        let line = text
            .lines()
            .find(|line| line.starts_with(&format!("- {name} ")))
            .expect("a line for the prompt");
        for argument in prompt["arguments"].as_array().expect("arguments") {
            assert!(
                line.contains(&format!("`{}`", argument["name"].as_str().expect("a name"))),
                "{line}"
            );
        }
    }
}

#[test]
fn a_prompt_ends_with_its_subject() {
    let text = |subject: Value| prompt("puzzle", &[("puzzle".to_string(), subject)].into_iter().collect());
    assert!(text(json!("Two knights, one liar.")).ends_with("The puzzle:\nTwo knights, one liar."));
    assert!(
        text(json!(" ")).ends_with("the one that is chosen."),
        "an empty subject is none"
    );
}

#[test]
fn prompts_refuse_what_they_do_not_know() {
    let refused = |name: &str, arguments: Value| {
        let error = get_prompt(name, arguments.as_object().expect("an object")).expect_err("refused");
        assert_eq!(error.code, -32602);
        error.message
    };
    assert_eq!(
        refused("poet", json!({})),
        "Unknown prompt 'poet'; the prompts are: expert, knowledge, optimize, puzzle"
    );
    assert_eq!(
        refused("expert", json!({ "mode": "slow" })),
        "Unknown mode 'slow'; the modes are: init, quick"
    );
    assert_eq!(
        refused("puzzle", json!({ "mode": "init" })),
        "Unknown argument 'mode'; the arguments are: puzzle"
    );
    assert_eq!(
        refused("expert", json!({ "task": 7 })),
        "Argument 'task' must be a string"
    );
}

#[test]
fn completion_knows_modes() {
    let complete = |name: &str, argument: &str, value: &str| {
        let reference = json!({ "type": "ref/prompt", "name": name });
        service().complete(reference.as_object().expect("an object"), argument, value)
    };
    assert_eq!(complete("expert", "mode", "").unwrap(), ["init", "quick"]);
    assert_eq!(complete("knowledge", "mode", "an").unwrap(), ["analyzer"]);
    assert_eq!(complete("puzzle", "puzzle", "a").unwrap(), [""; 0]);
    assert_eq!(complete("puzzle", "mode", "a").unwrap_err().code, -32602);
    assert_eq!(complete("poet", "mode", "a").unwrap_err().code, -32602);
}
