//! Arguments of tools: declared once, for both the input schema that clients see and the check of each call.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::report::invalid_argument;
use hornbook_base::{Fault, argument};
use hornbook_mcp::Object;

/// One argument of a tool.
pub struct Argument {
    pub name: &'static str,
    pub kind: Kind,
    pub required: bool,
    /// The values of `operation` it applies to; empty if it applies to all.
    pub operations: &'static [&'static str],
    /// For the model; empty if the name says it all.
    pub description: &'static str,
}

/// The type of an argument.
pub enum Kind {
    Text,
    /// A string or an array of strings.
    Texts,
    /// An array of strings.
    List,
    Flag,
    Number,
    /// An integer of at least this.
    Integer(u64),
    Choice(Cow<'static, [&'static str]>),
    Object,
}

impl Kind {
    pub const fn choice(values: &'static [&'static str]) -> Kind {
        Kind::Choice(Cow::Borrowed(values))
    }

    fn schema(&self) -> Value {
        match self {
            Kind::Text => json!({ "type": "string" }),
            Kind::Texts => {
                json!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] })
            }
            Kind::List => json!({ "type": "array", "items": { "type": "string" } }),
            Kind::Flag => json!({ "type": "boolean" }),
            Kind::Number => json!({ "type": "number" }),
            Kind::Integer(least) => json!({ "type": "integer", "minimum": least }),
            Kind::Choice(values) => json!({ "type": "string", "enum": values }),
            Kind::Object => json!({ "type": "object" }),
        }
    }

    /// The value as its type has it, which hosts may send as text; `None` if it is of another type.
    fn read(&self, value: &Value) -> Option<Value> {
        match self {
            Kind::Text => value.is_string().then(|| value.clone()),
            Kind::Texts => match argument::texts(value) {
                Some(texts) => Some(texts.into()),
                None => value.is_string().then(|| value.clone()),
            },
            Kind::List => argument::texts(value).map(Value::from),
            Kind::Flag => argument::flag(value).map(Value::from),
            Kind::Number => argument::number(value).map(Value::from),
            Kind::Integer(least) => {
                let number = value.as_u64().or_else(|| argument::whole(value)?.try_into().ok());
                number.filter(|number| number >= least).map(Value::from)
            }
            Kind::Choice(values) => {
                let known = value.as_str().is_some_and(|value| values.contains(&value));
                known.then(|| value.clone())
            }
            Kind::Object => argument::object(value).map(Value::from),
        }
    }

    fn wanted(&self) -> String {
        match self {
            Kind::Text => "a string".into(),
            Kind::Texts => "a string or an array of strings".into(),
            Kind::List => "an array of strings".into(),
            Kind::Flag => "true or false".into(),
            Kind::Number => "a number".into(),
            Kind::Integer(least) => format!("an integer of at least {least}"),
            Kind::Choice(values) => format!("one of {}", values.join(", ")),
            Kind::Object => "an object".into(),
        }
    }
}

/// The JSON Schema of an object with these arguments and no others.
pub fn input_schema(arguments: &[Argument]) -> Value {
    let mut properties = Object::new();
    let mut required = Vec::new();
    for argument in arguments {
        let mut schema = argument.kind.schema();
        if !argument.description.is_empty() {
            schema["description"] = json!(argument.description);
        }
        properties.insert(argument.name.into(), schema);
        if argument.required {
            required.push(argument.name);
        }
    }
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

/// The arguments of a call, checked against their declarations.
pub struct Arguments(Object);

impl Arguments {
    /// Check the arguments against their declarations. Numbers, flags, arrays and objects may come as text;
    /// `null` for an optional argument counts as absent.
    pub fn check(declared: &[Argument], mut given: Object) -> Result<Arguments, Fault> {
        given.retain(|_, value| !value.is_null());
        if let Some(unknown) = given
            .keys()
            .find(|name| declared.iter().all(|one| one.name != name.as_str()))
        {
            let names: Vec<&str> = declared.iter().map(|argument| argument.name).collect();
            let next = if names.is_empty() {
                "This tool takes no arguments.".to_string()
            } else {
                format!("The arguments are: {}.", names.join(", "))
            };
            return Err(invalid_argument(format!("Unknown argument '{unknown}'."), next));
        }
        for argument in declared {
            let (name, wanted) = (argument.name, argument.kind.wanted());
            match given.get_mut(name) {
                Some(value) => match argument.kind.read(value) {
                    Some(read) => *value = read,
                    None => {
                        let shown: String = value.to_string().chars().take(60).collect();
                        let message = format!("Argument '{name}' cannot be {shown}.");
                        return Err(invalid_argument(message, format!("'{name}' must be {wanted}.")));
                    }
                },
                None if argument.required => {
                    let message = format!("Missing argument '{name}'.");
                    return Err(invalid_argument(message, format!("Give '{name}', {wanted}.")));
                }
                None => {}
            }
        }
        let operation = given.get("operation").and_then(Value::as_str).unwrap_or_default();
        let foreign = declared.iter().find(|argument| {
            let belongs = argument.operations.is_empty() || argument.operations.contains(&operation);
            !belongs && given.contains_key(argument.name)
        });
        if let Some(foreign) = foreign {
            let (name, owners) = (foreign.name, foreign.operations.join(", "));
            return Err(invalid_argument(
                format!("Argument '{name}' does not belong to {operation}; nothing was done."),
                format!("Leave it out; '{name}' belongs to {owners}."),
            ));
        }
        Ok(Arguments(given))
    }

    /// For a tool that checks its arguments itself.
    pub fn unchecked(given: Object) -> Arguments {
        Arguments(given)
    }

    /// All arguments, as received.
    pub fn into_object(self) -> Object {
        self.0
    }

    pub fn text(&self, name: &str) -> Option<String> {
        self.0.get(name)?.as_str().map(str::to_string)
    }

    pub fn texts(&self, name: &str) -> Option<Vec<String>> {
        match self.0.get(name)? {
            Value::Array(items) => Some(
                items
                    .iter()
                    .filter_map(Value::as_str)
                    .map(str::to_string)
                    .collect(),
            ),
            value => value.as_str().map(|text| vec![text.to_string()]),
        }
    }

    pub fn object(&self, name: &str) -> Option<Object> {
        self.0.get(name)?.as_object().cloned()
    }

    pub fn flag(&self, name: &str) -> Option<bool> {
        self.0.get(name)?.as_bool()
    }

    /// The position to continue from; 0 if absent.
    pub fn index(&self, name: &str) -> usize {
        let index = self.integer(name).unwrap_or(0);
        usize::try_from(index).unwrap_or(usize::MAX)
    }

    pub fn integer(&self, name: &str) -> Option<u64> {
        self.0.get(name)?.as_u64()
    }
}
