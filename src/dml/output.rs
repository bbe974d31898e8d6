//! The outputs of a task: their types, and the values that a model gives.

use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The type of a value.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Type {
    #[default]
    Any,
    String,
    Integer,
    Number,
    Float,
    Boolean,
    Object,
    List(Box<Type>),
    /// One of these values, none of which is a list or an object.
    OneOf(Vec<Value>),
    /// An object with these fields and no others.
    Fields(Vec<Field>),
}

/// A field of an object.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Field {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: Type,
    /// Whether it may be missing.
    #[serde(default)]
    pub optional: bool,
    /// May be empty.
    #[serde(default)]
    pub description: String,
}

impl Type {
    /// The JSON Schema of the type.
    pub fn schema(&self) -> Value {
        match self {
            Type::Any => json!({}),
            Type::String => json!({ "type": "string" }),
            Type::Integer => json!({ "type": "integer" }),
            Type::Number | Type::Float => json!({ "type": "number" }),
            Type::Boolean => json!({ "type": "boolean" }),
            Type::Object => json!({ "type": "object" }),
            Type::List(element) => json!({ "type": "array", "items": element.schema() }),
            Type::OneOf(values) if values.iter().all(Value::is_string) => {
                json!({ "type": "string", "enum": values })
            }
            Type::OneOf(values) => json!({ "enum": values }),
            Type::Fields(fields) => {
                let required: Vec<&str> = fields
                    .iter()
                    .filter(|field| !field.optional)
                    .map(|field| field.name.as_str())
                    .collect();
                let properties: Map<String, Value> = fields.iter().map(Field::property).collect();
                json!({
                    "type": "object",
                    "properties": properties,
                    "required": required,
                    "additionalProperties": false,
                })
            }
        }
    }

    /// The type as a program writes it.
    pub fn written(&self) -> String {
        match self {
            Type::Any => "any".into(),
            Type::String => "string".into(),
            Type::Integer => "integer".into(),
            Type::Number => "number".into(),
            Type::Float => "float".into(),
            Type::Boolean => "boolean".into(),
            Type::Object => "object".into(),
            Type::List(element) => format!("list({})", element.written()),
            Type::OneOf(values) => format!("oneof([{}])", listed(values)),
            Type::Fields(fields) => {
                let fields: Vec<String> = fields.iter().map(Field::written).collect();
                format!("object([{}])", fields.join(", "))
            }
        }
    }

    /// The type in a sentence.
    fn wanted(&self) -> String {
        match self {
            Type::Any => "a value".into(),
            Type::String => "a string".into(),
            Type::Integer => "an integer".into(),
            Type::Number | Type::Float => "a number".into(),
            Type::Boolean => "true or false".into(),
            Type::Object => "an object".into(),
            Type::List(_) => "a list".into(),
            Type::OneOf(values) => format!("one of {}", listed(values)),
            Type::Fields(fields) => {
                let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
                format!("an object with {}", names.join(", "))
            }
        }
    }

    /// The value, converted to the type: JSON does not distinguish whole floats from integers, but the type
    /// does. The error says what is wrong, calling the value `path`, without a period.
    pub fn accept(&self, value: &Value, path: &str) -> Result<Value, String> {
        match (self, value) {
            (Type::Any, _)
            | (Type::String, Value::String(_))
            | (Type::Number, Value::Number(_))
            | (Type::Boolean, Value::Bool(_))
            | (Type::Object, Value::Object(_)) => Ok(value.clone()),
            (Type::Integer, Value::Number(number)) => {
                let whole = |float: f64| float.fract() == 0.0 && float.abs() < 9e15;
                match number.as_f64().filter(|_| number.is_f64()) {
                    None => Ok(value.clone()),
                    Some(float) if whole(float) => Ok(json!(float as i64)),
                    Some(_) => Err(self.refusal(value, path)),
                }
            }
            (Type::Float, Value::Number(number)) => Ok(json!(number.as_f64())),
            (Type::List(element), Value::Array(values)) => {
                let accepted = values
                    .iter()
                    .enumerate()
                    .map(|(index, value)| element.accept(value, &format!("{path}[{index}]")));
                Ok(Value::Array(accepted.collect::<Result<_, _>>()?))
            }
            (Type::OneOf(values), _) if values.contains(value) => Ok(value.clone()),
            (Type::Fields(fields), Value::Object(given)) => {
                if let Some(name) = given
                    .keys()
                    .find(|name| fields.iter().all(|field| field.name != **name))
                {
                    return Err(format!("{path} must be {}, without {name}", self.wanted()));
                }
                let accepted = fields
                    .iter()
                    .filter_map(|field| field.accept(given, path).transpose());
                Ok(Value::Object(accepted.collect::<Result<_, _>>()?))
            }
            _ => Err(self.refusal(value, path)),
        }
    }

    fn refusal(&self, value: &Value, path: &str) -> String {
        let found = match value {
            Value::Array(_) => "a list".into(),
            Value::Object(_) => "an object".into(),
            Value::String(text) if text.chars().count() > 40 => "a string".into(),
            simple => simple.to_string(),
        };
        format!("{path} must be {}, not {found}", self.wanted())
    }
}

impl Field {
    fn property(&self) -> (String, Value) {
        let mut schema = self.kind.schema();
        if !self.description.is_empty() {
            schema["description"] = json!(self.description);
        }
        (self.name.clone(), schema)
    }

    fn written(&self) -> String {
        match self.optional {
            true => format!("{}: optional({})", self.name, self.kind.written()),
            false => format!("{}: {}", self.name, self.kind.written()),
        }
    }

    /// The field's name and value in an object; `None` if it is optional and missing or null.
    fn accept(&self, object: &Map<String, Value>, path: &str) -> Result<Option<(String, Value)>, String> {
        let path = format!("{path}.{}", self.name);
        match object.get(&self.name) {
            None | Some(Value::Null) if self.optional => Ok(None),
            None => Err(format!("{path} is missing: it must be {}", self.kind.wanted())),
            Some(value) => Ok(Some((self.name.clone(), self.kind.accept(value, &path)?))),
        }
    }
}

/// Values in a sentence, separated by commas.
fn listed(values: &[Value]) -> String {
    values.iter().map(in_words).collect::<Vec<_>>().join(", ")
}

/// An output, and its value once there is one.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    pub name: String,
    pub kind: Type,
    pub value: Option<Value>,
}

/// The outputs of one task. A variable that occurs twice has two outputs with the same name.
#[derive(Debug, Clone, PartialEq)]
pub struct Outputs(pub Vec<Output>);

impl Outputs {
    /// The parameters of the tool `set_result`.
    pub fn schema(&self) -> Value {
        let mut kinds: Vec<Value> = Vec::new();
        for output in &self.0 {
            let schema = output.kind.schema();
            if !kinds.contains(&schema) {
                kinds.push(schema);
            }
        }
        let value = match kinds.len() {
            1 => kinds.remove(0),
            _ => json!({ "anyOf": kinds }),
        };
        json!({
            "type": "object",
            "properties": { "variable": { "type": "string", "enum": self.names(|_| true) }, "value": value },
            "required": ["variable", "value"],
        })
    }

    /// Store a value; the error tells the model what to do.
    pub fn set(&mut self, args: &Value) -> Result<(), String> {
        let names = self.names(|_| true).join(", ");
        let Some(variable) = args["variable"].as_str() else {
            return Err(format!("`variable` must be one of: {names}."));
        };
        let Some(value) = args.get("value") else {
            return Err("`value` is missing.".into());
        };
        let mut named = self
            .0
            .iter_mut()
            .filter(|output| output.name == variable)
            .peekable();
        if named.peek().is_none() {
            return Err(format!("There is no variable {variable}; use one of: {names}."));
        }
        for output in named {
            let accepted = output.kind.accept(value, variable);
            output.value = Some(accepted.map_err(|wrong| format!("{wrong}; call set_result again."))?);
        }
        Ok(())
    }

    /// Names of the outputs that have no value yet.
    pub fn missing(&self) -> Vec<&str> {
        self.names(|output| output.value.is_none())
    }

    /// What was stored, for the memory.
    pub fn in_words(&self) -> Vec<String> {
        let mut results: Vec<String> = Vec::new();
        for output in &self.0 {
            let result = format!(
                "{}: {}",
                output.name,
                in_words(output.value.as_ref().unwrap_or(&Value::Null))
            );
            if !results.contains(&result) {
                results.push(result);
            }
        }
        results
    }

    /// Names of outputs, each once.
    fn names(&self, which: impl Fn(&Output) -> bool) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for output in self.0.iter().filter(|output| which(output)) {
            if !names.contains(&output.name.as_str()) {
                names.push(&output.name);
            }
        }
        names
    }
}

/// A value in a sentence: text as it is, other values as JSON.
pub fn in_words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The type that a JSON text describes.
    fn kind_of(text: &str) -> Type {
        serde_json::from_str(text).unwrap()
    }

    fn outputs(kinds: &[(&str, &str)]) -> Outputs {
        let output = |(name, kind): &(&str, &str)| Output {
            name: (*name).into(),
            kind: kind_of(kind),
            value: None,
        };
        Outputs(kinds.iter().map(output).collect())
    }

    #[test]
    fn values_of_the_wrong_type_are_refused_with_what_is_wanted() {
        let mut outputs = outputs(&[("N", r#""integer""#), ("L", r#"{"list":{"list":"string"}}"#)]);
        let refused = outputs
            .set(&json!({ "variable": "N", "value": "7" }))
            .unwrap_err();
        assert!(refused.contains("integer"), "{refused}");
        assert!(
            outputs
                .set(&json!({ "variable": "L", "value": [["a"], [1]] }))
                .is_err()
        );
        assert!(
            outputs
                .set(&json!({ "variable": "M", "value": 1 }))
                .unwrap_err()
                .contains("N, L")
        );
        assert_eq!(outputs.missing(), ["N", "L"]);
        outputs.set(&json!({ "variable": "N", "value": 41.0 })).unwrap();
        outputs
            .set(&json!({ "variable": "L", "value": [["a"], []] }))
            .unwrap();
        assert_eq!(outputs.0[0].value, Some(json!(41)));
        assert!(outputs.missing().is_empty());
    }

    #[test]
    fn a_variable_that_stands_twice_is_stored_once() {
        let mut outputs = outputs(&[("X", r#""any""#), ("X", r#""integer""#), ("F", r#""float""#)]);
        assert_eq!(outputs.missing(), ["X", "F"]);
        assert!(outputs.set(&json!({ "variable": "X", "value": "a" })).is_err());
        outputs.set(&json!({ "variable": "X", "value": 2 })).unwrap();
        outputs.set(&json!({ "variable": "F", "value": 2 })).unwrap();
        assert_eq!(outputs.in_words(), ["X: 2", "F: 2.0"]);
    }

    #[test]
    fn the_schema_names_the_variables_and_each_type_once() {
        let schema = outputs(&[("A", r#""string""#), ("B", r#""string""#), ("C", r#""object""#)]).schema();
        assert_eq!(schema["properties"]["variable"]["enum"], json!(["A", "B", "C"]));
        assert_eq!(
            schema["properties"]["value"],
            json!({ "anyOf": [{ "type": "string" }, { "type": "object" }] })
        );
    }

    const PEOPLE: &str = r#"{"list":{"fields":[
        {"name":"name","type":"string","description":"the whole name"},
        {"name":"age","type":"integer","optional":true},
        {"name":"role","type":{"oneof":["admin","user"]}}]}}"#;

    #[test]
    fn a_schema_has_the_fields_their_descriptions_and_the_values_that_there_may_be() {
        assert_eq!(
            kind_of(PEOPLE).schema(),
            json!({ "type": "array", "items": {
                "type": "object",
                "properties": {
                    "name": { "type": "string", "description": "the whole name" },
                    "age": { "type": "integer" },
                    "role": { "type": "string", "enum": ["admin", "user"] },
                },
                "required": ["name", "role"],
                "additionalProperties": false,
            } })
        );
        assert_eq!(
            kind_of(PEOPLE).written(),
            "list(object([name: string, age: optional(integer), role: oneof([admin, user])]))"
        );
    }

    #[test]
    fn what_is_wrong_within_a_value_is_told_with_its_place() {
        let accept = |value: Value| kind_of(PEOPLE).accept(&value, "People");
        let ann = json!([{ "name": "Ann", "age": 7.0, "role": "user" }]);
        assert_eq!(
            accept(ann),
            Ok(json!([{ "name": "Ann", "age": 7, "role": "user" }]))
        );
        let bob = json!([{ "name": "Bob", "age": null, "role": "admin" }]);
        assert_eq!(accept(bob), Ok(json!([{ "name": "Bob", "role": "admin" }])));
        for (value, wrong) in [
            (json!({}), "People must be a list, not an object"),
            (
                json!([1]),
                "People[0] must be an object with name, age, role, not 1",
            ),
            (
                json!([{ "role": "user" }]),
                "People[0].name is missing: it must be a string",
            ),
            (
                json!([{ "name": "Ann", "role": "user" }, { "name": "Bob", "role": "boss" }]),
                "People[1].role must be one of admin, user, not \"boss\"",
            ),
            (
                json!([{ "name": "Ann", "role": "user", "shoe": 40 }]),
                "People[0] must be an object with name, age, role, without shoe",
            ),
            (
                json!([{ "name": "Ann", "age": 7.5, "role": "user" }]),
                "People[0].age must be an integer, not 7.5",
            ),
        ] {
            assert_eq!(accept(value), Err(wrong.into()));
        }
    }
}
