//! What the tools take: declared once, for the check of each call.

use serde_json::{Map, Value};

use crate::decay::{Confidence, Sort};
use crate::record::{Phase, Status};
use crate::time::read_iso;

pub type Object = Map<String, Value>;

/// A tool: what can be done with it.
pub struct Tool {
    pub name: &'static str,
    pub actions: &'static [Action],
    parameters: &'static [(&'static str, Kind)],
}

pub struct Action {
    pub name: &'static str,
    /// Whether it changes nothing.
    pub reads: bool,
    required: &'static [&'static str],
    optional: &'static [&'static str],
    /// What it takes and does not use, because its callers tend to give it.
    ignored: &'static [&'static str],
    /// What it takes beside that, and what makes it change something.
    changing: &'static [&'static str],
}

enum Kind {
    Text,
    Texts,
    Flag,
    Whole(i64, i64),
    Number(f64, f64),
    Time,
    /// One of these; with what it is called in a refusal.
    Choice(&'static str, &'static [&'static str]),
}

const LIMIT: (&str, Kind) = ("limit", Kind::Whole(1, 50));
const OFFSET: (&str, Kind) = ("offset", Kind::Whole(0, 1_000_000));
/// Tokens that a reply may have.
const BUDGET: (&str, Kind) = ("budget", Kind::Whole(200, 100_000));
pub const DEFAULT_BUDGET: usize = 2_000;
const AS_OF: (&str, Kind) = ("as_of", Kind::Time);
const STALE: (&str, Kind) = ("stale", Kind::Flag);
const VALID_FROM: (&str, Kind) = ("valid_from", Kind::Time);
const VALID_TO: (&str, Kind) = ("valid_to", Kind::Time);
const SUPERSEDES: (&str, Kind) = ("supersedes", Kind::Text);

const fn writes(
    name: &'static str,
    required: &'static [&'static str],
    optional: &'static [&'static str],
) -> Action {
    Action {
        name,
        reads: false,
        required,
        optional,
        ignored: &[],
        changing: &[],
    }
}

const fn reads(
    name: &'static str,
    required: &'static [&'static str],
    optional: &'static [&'static str],
) -> Action {
    Action {
        reads: true,
        ..writes(name, required, optional)
    }
}

pub static TOOLS: [Tool; 5] = [
    Tool {
        name: "kn_graph",
        actions: &[
            writes(
                "add",
                &["name", "type"],
                &[
                    "namespace",
                    "description",
                    "tags",
                    "valid_from",
                    "valid_to",
                    "supersedes",
                ],
            ),
            writes(
                "connect",
                &["source_id", "target_id", "edge_type"],
                &["weight", "valid_from", "valid_to"],
            ),
            reads(
                "query",
                &[],
                &[
                    "text",
                    "node_type",
                    "tags",
                    "namespace",
                    "detail",
                    "limit",
                    "offset",
                    "as_of",
                    "stale",
                ],
            ),
            writes("remove", &[], &["node_id", "source_id", "target_id", "edge_type"]),
            writes(
                "restore",
                &[],
                &["node_id", "source_id", "target_id", "edge_type"],
            ),
            reads("status", &[], &[]),
        ],
        parameters: &[
            ("name", Kind::Text),
            ("type", Kind::Text),
            ("namespace", Kind::Text),
            ("description", Kind::Text),
            ("tags", Kind::Texts),
            ("source_id", Kind::Text),
            ("target_id", Kind::Text),
            ("edge_type", Kind::Text),
            ("weight", Kind::Number(0.0, 1.0)),
            ("node_id", Kind::Text),
            ("text", Kind::Text),
            ("node_type", Kind::Text),
            ("detail", Kind::Text),
            LIMIT,
            OFFSET,
            SUPERSEDES,
            VALID_FROM,
            VALID_TO,
            AS_OF,
            STALE,
            BUDGET,
        ],
    },
    Tool {
        name: "kn_project",
        actions: &[
            Action {
                ignored: &["phase"],
                ..writes("create", &["name"], &["goals", "stakeholders", "success_metrics"])
            },
            writes(
                "update",
                &["project_id", "name"],
                &["phase", "goals", "stakeholders", "success_metrics"],
            ),
            Action {
                changing: &["set_active"],
                ..reads("list", &[], &["active_only", "project_id", "limit", "offset"])
            },
            writes(
                "log",
                &["project_id", "action_text"],
                &["type", "result", "next_step"],
            ),
        ],
        parameters: &[
            ("name", Kind::Text),
            ("project_id", Kind::Text),
            ("phase", Kind::Choice("phase", &Phase::NAMES)),
            ("goals", Kind::Texts),
            ("stakeholders", Kind::Texts),
            ("success_metrics", Kind::Texts),
            ("active_only", Kind::Flag),
            ("set_active", Kind::Text),
            ("action_text", Kind::Text),
            ("type", Kind::Choice("type", &["progress", "failure"])),
            ("result", Kind::Text),
            ("next_step", Kind::Text),
            LIMIT,
            OFFSET,
            BUDGET,
        ],
    },
    Tool {
        name: "kn_experience",
        actions: &[
            writes(
                "save",
                &["content", "type"],
                &[
                    "context",
                    "confidence",
                    "tags",
                    "namespace",
                    "valid_from",
                    "valid_to",
                    "supersedes",
                ],
            ),
            reads(
                "search",
                &[],
                &[
                    "text",
                    "type",
                    "namespace",
                    "min_relevance",
                    "detail",
                    "limit",
                    "offset",
                    "as_of",
                    "stale",
                ],
            ),
            writes("prune", &[], &["threshold"]),
            writes("remove", &["experience_id"], &[]),
            writes("restore", &["experience_id"], &[]),
        ],
        parameters: &[
            ("content", Kind::Text),
            ("type", Kind::Choice("experience type", &Sort::NAMES)),
            ("context", Kind::Text),
            ("confidence", Kind::Choice("confidence level", &Confidence::NAMES)),
            ("tags", Kind::Texts),
            ("namespace", Kind::Text),
            ("experience_id", Kind::Text),
            ("text", Kind::Text),
            ("min_relevance", Kind::Number(0.0, 1.0)),
            ("threshold", Kind::Number(0.0, 1.0)),
            ("detail", Kind::Text),
            LIMIT,
            OFFSET,
            SUPERSEDES,
            VALID_FROM,
            VALID_TO,
            AS_OF,
            STALE,
            BUDGET,
        ],
    },
    Tool {
        name: "kn_idea",
        actions: &[
            Action {
                ignored: &["status"],
                ..writes("create", &["title"], &["category", "score", "link_to"])
            },
            writes(
                "update",
                &["idea_id", "title"],
                &["category", "score", "status", "link_to"],
            ),
            reads("list", &[], &["status", "category", "limit", "offset"]),
        ],
        parameters: &[
            ("title", Kind::Text),
            ("idea_id", Kind::Text),
            ("category", Kind::Text),
            ("score", Kind::Number(f64::MIN, f64::MAX)),
            ("status", Kind::Choice("status", &Status::NAMES)),
            ("link_to", Kind::Text),
            LIMIT,
            OFFSET,
            BUDGET,
        ],
    },
    Tool {
        name: "kn_intel",
        actions: &[
            writes(
                "learn",
                &["content", "type"],
                &[
                    "context",
                    "confidence",
                    "tags",
                    "namespace",
                    "valid_from",
                    "valid_to",
                    "supersedes",
                ],
            ),
            reads(
                "recall",
                &[],
                &[
                    "topic",
                    "min_relevance",
                    "namespace",
                    "detail",
                    "limit",
                    "offset",
                    "as_of",
                    "stale",
                ],
            ),
            reads(
                "crossref",
                &["problem"],
                &["namespace", "detail", "limit", "offset", "as_of", "stale"],
            ),
            reads(
                "context",
                &["keywords"],
                &["namespace", "detail", "limit", "offset", "as_of", "stale"],
            ),
            reads("infer", &["goal"], &["assume", "limit", "offset", "as_of"]),
            reads(
                "related",
                &["node_id"],
                &[
                    "depth",
                    "edge_type",
                    "namespace",
                    "limit",
                    "offset",
                    "as_of",
                    "stale",
                ],
            ),
        ],
        parameters: &[
            ("content", Kind::Text),
            ("type", Kind::Choice("type", &Sort::NAMES)),
            ("context", Kind::Text),
            ("confidence", Kind::Choice("confidence", &Confidence::NAMES)),
            ("tags", Kind::Texts),
            ("namespace", Kind::Text),
            ("topic", Kind::Text),
            ("problem", Kind::Text),
            ("keywords", Kind::Text),
            ("goal", Kind::Text),
            ("assume", Kind::Texts),
            ("detail", Kind::Text),
            ("node_id", Kind::Text),
            ("depth", Kind::Whole(1, 5)),
            ("edge_type", Kind::Text),
            ("min_relevance", Kind::Number(0.0, 1.0)),
            LIMIT,
            OFFSET,
            SUPERSEDES,
            VALID_FROM,
            VALID_TO,
            AS_OF,
            STALE,
            BUDGET,
        ],
    },
];

/// The arguments of one call, as they were declared: numbers as numbers, times in milliseconds.
#[derive(Debug, Default)]
pub struct Arguments(Object);

/// Reads a call: its tool, its action, and its arguments, or what is wrong with them, a sentence without a period.
/// Clients that send numbers and flags as text are understood; `null` means that nothing is given.
pub fn read(
    tool: &str,
    mut given: Object,
    only_reading: bool,
) -> Result<(&'static Tool, &'static Action, Arguments), String> {
    let tool = TOOLS.iter().find(|known| known.name == tool);
    let tool = tool.ok_or("Unknown tool")?;
    given.retain(|_, value| !value.is_null());
    let action = read_action(tool, given.remove("action"), only_reading)?;
    let changing = if only_reading { &[] } else { action.changing };
    let own: Vec<&str> = [action.required, action.optional, changing, &["budget"]].concat();
    let mut read = Object::new();
    for (name, value) in given {
        let Some((_, kind)) = tool.parameters.iter().find(|(known, _)| *known == name) else {
            let own = own.join(", ");
            return Err(format!(
                "Unknown argument: {name}. The arguments of {} are: {own}",
                action.name
            ));
        };
        if action.name == "create" && name == "phase" {
            return Err("phase cannot be set on create (starts at planning)".into());
        }
        if action.ignored.contains(&name.as_str()) {
            continue;
        }
        if !own.contains(&name.as_str()) {
            let (action, own) = (action.name, own.join(", "));
            return Err(format!(
                "{name} is no argument of {action}; its arguments are: {own}"
            ));
        }
        let value = kind.read(&name, value)?;
        read.insert(name, value);
    }
    for name in action.required {
        let missing = match read.get(*name) {
            None => true,
            Some(Value::String(text)) => text.trim().is_empty(),
            Some(_) => false,
        };
        if missing {
            return Err(format!("{name} is required for {}", action.name));
        }
    }
    Ok((tool, action, Arguments(read)))
}

fn read_action(
    tool: &'static Tool,
    given: Option<Value>,
    only_reading: bool,
) -> Result<&'static Action, String> {
    let actions = || tool.actions.iter().filter(|action| action.reads || !only_reading);
    let names: Vec<&str> = actions().map(|action| action.name).collect();
    let names = names.join(", ");
    match given {
        None => Err(format!("action is required. Must be one of {names}")),
        Some(given) => {
            let named = |action: &&Action| given.as_str().map(str::trim) == Some(action.name);
            let action = actions().find(named);
            action.ok_or_else(|| format!("Unknown action: {}. Must be one of {names}", shown(&given)))
        }
    }
}

impl Tool {
    /// The names of all that its actions take, or those that only read.
    pub fn arguments(&self, only_reading: bool) -> Vec<&'static str> {
        let actions = self.actions.iter().filter(|action| action.reads || !only_reading);
        let taken: Vec<&str> = actions
            .flat_map(|action| {
                let changing = if only_reading { &[] } else { action.changing };
                [action.required, action.optional, changing].concat()
            })
            .collect();
        let names = self.parameters.iter().map(|(name, _)| *name);
        names
            .filter(|name| *name == "budget" || taken.contains(name))
            .collect()
    }
}

impl Action {
    /// Whether a call of it changes nothing.
    pub fn only_reads(&self, given: &Object) -> bool {
        self.reads && !self.changing.iter().any(|name| given.contains_key(*name))
    }
}

/// A value in a message.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    crate::budget::cut(&text, 80)
}

impl Kind {
    fn read(&self, name: &str, value: Value) -> Result<Value, String> {
        let wrong = |wanted: String| Err(format!("Invalid {name}: {}. Must be {wanted}", shown(&value)));
        match self {
            Kind::Text => match value {
                Value::String(_) => Ok(value),
                _ => wrong("a string".into()),
            },
            Kind::Texts => match &value {
                Value::Array(items) if items.iter().all(Value::is_string) => Ok(value),
                _ => wrong("an array of strings".into()),
            },
            Kind::Flag => match &value {
                Value::Bool(_) => Ok(value),
                Value::String(text) if text == "true" || text == "1" => Ok(Value::Bool(true)),
                Value::String(text) if text == "false" || text == "0" => Ok(Value::Bool(false)),
                Value::Number(number) if number.as_i64() == Some(1) => Ok(Value::Bool(true)),
                Value::Number(number) if number.as_i64() == Some(0) => Ok(Value::Bool(false)),
                _ => wrong("true or false".into()),
            },
            Kind::Whole(least, most) => match whole(&value).filter(|number| (least..=most).contains(&number))
            {
                Some(number) => Ok(number.into()),
                None => wrong(format!("an integer from {least} to {most}")),
            },
            Kind::Number(least, most) => {
                match number(&value).filter(|number| (least..=most).contains(&number)) {
                    Some(number) => Ok(number.into()),
                    None if *most == f64::MAX => wrong("a number".into()),
                    None => wrong(format!("a number from {least} to {most}")),
                }
            }
            Kind::Time => match value.as_str().and_then(read_iso) {
                Some(time) => Ok(time.into()),
                None => wrong("a date or a time of ISO 8601, as 2026-01-31 or 2026-01-31T12:00:00Z".into()),
            },
            Kind::Choice(what, values) => {
                match value.as_str().map(str::trim).filter(|text| values.contains(text)) {
                    Some(choice) => Ok(choice.into()),
                    None => match value.as_str().map(str::trim) {
                        Some("") => Ok("".into()),
                        _ => Err(format!(
                            "Invalid {what}: {}. Must be one of {}",
                            shown(&value),
                            values.join(", ")
                        )),
                    },
                }
            }
        }
    }
}

fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::String(text) => text.trim().parse().ok()?,
        value => value.as_f64()?,
    };
    number.is_finite().then_some(number)
}

fn whole(value: &Value) -> Option<i64> {
    let number = number(value)?;
    (number.fract() == 0.0 && number.abs() < 1e15).then_some(number as i64)
}

impl Arguments {
    /// Without blanks around it; `None` for one of blanks only.
    pub fn text(&self, name: &str) -> Option<&str> {
        let text = self.0.get(name)?.as_str()?.trim();
        (!text.is_empty()).then_some(text)
    }

    /// One that was required.
    pub fn given(&self, name: &str) -> String {
        self.text(name).unwrap_or_default().to_string()
    }

    pub fn texts(&self, name: &str) -> Option<Vec<String>> {
        let items = self.0.get(name)?.as_array()?;
        Some(
            items
                .iter()
                .filter_map(Value::as_str)
                .map(str::to_string)
                .collect(),
        )
    }

    pub fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or_default()
    }

    pub fn number(&self, name: &str) -> Option<f64> {
        self.0.get(name)?.as_f64()
    }

    pub fn whole(&self, name: &str) -> Option<usize> {
        self.0.get(name)?.as_u64().map(|number| number as usize)
    }

    pub fn time(&self, name: &str) -> Option<u64> {
        self.0.get(name)?.as_u64()
    }

    pub fn budget(&self) -> usize {
        self.whole("budget").unwrap_or(DEFAULT_BUDGET)
    }

    /// Whatever is no summary is full.
    pub fn is_full(&self) -> bool {
        self.text("detail").is_some_and(|detail| detail != "summary")
    }
}
