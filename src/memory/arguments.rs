//! The arguments of a call, as its tool declares them.

use hornbook_base::argument;
use serde_json::Value;

use crate::time::read_iso;
use crate::tools::{Action, Kind, Object, TOOLS, Tool};

pub const DEFAULT_BUDGET: usize = 2_000;

/// The arguments of one call, converted as declared: numbers as numbers, times in milliseconds.
#[derive(Debug, Default)]
pub struct Arguments {
    values: Object,
    /// About arguments that other actions of the tool take, and this one does not.
    pub warnings: Vec<String>,
}

/// Read a call: its tool, its action and its arguments. The error is a sentence without a period. Numbers,
/// flags and arrays may come as text; `null` counts as absent. The schema lists the arguments of all actions, so one
/// that belongs to another action is left out, with a warning.
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
    let mut unused = Vec::new();
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
        if !own.contains(&name.as_str()) {
            if action.changing.contains(&name.as_str()) {
                return Err(format!("{name} changes something, and only reading is allowed"));
            }
            unused.push(name);
            continue;
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
    let warnings = unused.iter().map(|name| {
        let (action, own) = (action.name, own.join(", "));
        format!("{action} does not use {name}; its arguments are: {own}")
    });
    let warnings = warnings.collect();
    Ok((
        tool,
        action,
        Arguments {
            values: read,
            warnings,
        },
    ))
}

fn read_action(
    tool: &'static Tool,
    given: Option<Value>,
    only_reading: bool,
) -> Result<&'static Action, String> {
    let actions = || tool.actions(only_reading);
    let names: Vec<&str> = actions().map(|action| action.name).collect();
    let names = names.join(", ");
    match given {
        None => Err(format!("action is required. Must be one of {names}")),
        Some(given) => {
            let named = |action: &&'static Action| given.as_str().map(str::trim) == Some(action.name);
            let action = actions().find(named);
            action.ok_or_else(|| format!("Unknown action: {}. Must be one of {names}", shown(&given)))
        }
    }
}

/// A value as shown in a message.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    hornbook_base::cut(&text, 80)
}

impl Kind {
    fn read(&self, name: &str, value: Value) -> Result<Value, String> {
        let wrong = |wanted: String| Err(format!("Invalid {name}: {}. Must be {wanted}", shown(&value)));
        match self {
            Kind::Text => match value {
                Value::String(_) => Ok(value),
                _ => wrong("a string".into()),
            },
            Kind::Texts => match argument::texts(&value) {
                Some(texts) => Ok(texts.into()),
                None => wrong("an array of strings".into()),
            },
            Kind::Flag => match argument::flag(&value) {
                Some(flag) => Ok(flag.into()),
                None => wrong("true or false".into()),
            },
            Kind::Whole(least, most) => {
                match argument::whole(&value).filter(|number| (least..=most).contains(&number)) {
                    Some(number) => Ok(number.into()),
                    None => wrong(format!("an integer from {least} to {most}")),
                }
            }
            Kind::Number(least, most) => {
                match argument::number(&value).filter(|number| (least..=most).contains(&number)) {
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

impl Arguments {
    /// The text without surrounding blanks; `None` if it is blank.
    pub fn text(&self, name: &str) -> Option<&str> {
        let text = self.values.get(name)?.as_str()?.trim();
        (!text.is_empty()).then_some(text)
    }

    /// A text argument that was required.
    pub fn required(&self, name: &str) -> String {
        self.text(name).unwrap_or_default().to_string()
    }

    pub fn texts(&self, name: &str) -> Option<Vec<String>> {
        let items = self.values.get(name)?.as_array()?;
        Some(
            items
                .iter()
                .filter_map(Value::as_str)
                .map(str::to_string)
                .collect(),
        )
    }

    pub fn is_given(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    pub fn flag(&self, name: &str) -> bool {
        self.values.get(name).and_then(Value::as_bool).unwrap_or_default()
    }

    pub fn number(&self, name: &str) -> Option<f64> {
        self.values.get(name)?.as_f64()
    }

    pub fn whole(&self, name: &str) -> Option<usize> {
        self.values.get(name)?.as_u64().map(|number| number as usize)
    }

    pub fn time(&self, name: &str) -> Option<u64> {
        self.values.get(name)?.as_u64()
    }

    pub fn budget(&self) -> usize {
        self.whole("budget").unwrap_or(DEFAULT_BUDGET)
    }

    /// Any value but `summary` means full.
    pub fn is_full(&self) -> bool {
        self.text("detail").is_some_and(|detail| detail != "summary")
    }
}
