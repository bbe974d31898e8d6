//! The outputs of a task: their types, and the values that a model gives.

use serde_json::{Value, json};

/// What a value must be.
#[derive(Debug, Clone, PartialEq)]
pub enum Type {
    Any,
    String,
    Integer,
    Number,
    Float,
    Boolean,
    List(Box<Type>),
    Object,
}

impl Type {
    /// `list(integer)` and so on, as the engine writes it.
    pub fn parse(text: &str) -> Type {
        if let Some(element) = text.strip_prefix("list(").and_then(|rest| rest.strip_suffix(')')) {
            return Type::List(Box::new(Type::parse(element)));
        }
        match text {
            "string" => Type::String,
            "integer" => Type::Integer,
            "number" => Type::Number,
            "float" => Type::Float,
            "boolean" => Type::Boolean,
            "object" | "dict" => Type::Object,
            _ => Type::Any,
        }
    }

    /// JSON Schema.
    pub fn schema(&self) -> Value {
        match self {
            Type::Any => json!({}),
            Type::String => json!({ "type": "string" }),
            Type::Integer => json!({ "type": "integer" }),
            Type::Number | Type::Float => json!({ "type": "number" }),
            Type::Boolean => json!({ "type": "boolean" }),
            Type::List(element) => json!({ "type": "array", "items": element.schema() }),
            Type::Object => json!({ "type": "object" }),
        }
    }

    fn name(&self) -> String {
        match self {
            Type::Any => "value".into(),
            Type::String => "string".into(),
            Type::Integer => "integer".into(),
            Type::Number | Type::Float => "number".into(),
            Type::Boolean => "boolean".into(),
            Type::List(element) => format!("list whose elements are each one {}", element.name()),
            Type::Object => "object".into(),
        }
    }

    /// The value; JSON does not tell whole floats from integers, but the type does.
    fn accept(&self, value: &Value) -> Option<Value> {
        match (self, value) {
            (Type::Any, _)
            | (Type::String, Value::String(_))
            | (Type::Number, Value::Number(_))
            | (Type::Boolean, Value::Bool(_))
            | (Type::Object, Value::Object(_)) => Some(value.clone()),
            (Type::Integer, Value::Number(number)) => {
                if !number.is_f64() {
                    return Some(value.clone());
                }
                let float = number.as_f64()?;
                (float.fract() == 0.0 && float.abs() < 9e15).then(|| json!(float as i64))
            }
            (Type::Float, Value::Number(number)) => Some(json!(number.as_f64()?)),
            (Type::List(element), Value::Array(values)) => values
                .iter()
                .map(|value| element.accept(value))
                .collect::<Option<Vec<_>>>()
                .map(Value::Array),
            _ => None,
        }
    }
}

/// An output, and its value once there is one.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    pub name: String,
    pub kind: Type,
    pub value: Option<Value>,
}

/// The outputs of one task. A variable that stands there twice has two of one name.
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

    /// Take a value; the error tells the model what to do.
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
            let Some(accepted) = output.kind.accept(value) else {
                let wanted = output.kind.name();
                return Err(format!(
                    "The value of {variable} must be one {wanted}; call set_result again."
                ));
            };
            output.value = Some(accepted);
        }
        Ok(())
    }

    /// Names of the outputs without a value.
    pub fn missing(&self) -> Vec<&str> {
        self.names(|output| output.value.is_none())
    }

    /// What was stored, for the memory.
    pub fn said(&self) -> Vec<String> {
        let mut results: Vec<String> = Vec::new();
        for output in &self.0 {
            let result = format!(
                "{}: {}",
                output.name,
                said(output.value.as_ref().unwrap_or(&Value::Null))
            );
            if !results.contains(&result) {
                results.push(result);
            }
        }
        results
    }

    /// Each name once.
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
pub fn said(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outputs(kinds: &[(&str, &str)]) -> Outputs {
        let output = |(name, kind): &(&str, &str)| Output {
            name: (*name).into(),
            kind: Type::parse(kind),
            value: None,
        };
        Outputs(kinds.iter().map(output).collect())
    }

    #[test]
    fn values_of_the_wrong_type_are_refused_with_what_is_wanted() {
        let mut outputs = outputs(&[("N", "integer"), ("L", "list(list(string))")]);
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
        let mut outputs = outputs(&[("X", "any"), ("X", "integer"), ("F", "float")]);
        assert_eq!(outputs.missing(), ["X", "F"]);
        assert!(outputs.set(&json!({ "variable": "X", "value": "a" })).is_err());
        outputs.set(&json!({ "variable": "X", "value": 2 })).unwrap();
        outputs.set(&json!({ "variable": "F", "value": 2 })).unwrap();
        assert_eq!(outputs.said(), ["X: 2", "F: 2.0"]);
    }

    #[test]
    fn the_schema_names_the_variables_and_each_type_once() {
        let schema = outputs(&[("A", "string"), ("B", "string"), ("C", "object")]).schema();
        assert_eq!(schema["properties"]["variable"]["enum"], json!(["A", "B", "C"]));
        assert_eq!(
            schema["properties"]["value"],
            json!({ "anyOf": [{ "type": "string" }, { "type": "object" }] })
        );
    }
}
