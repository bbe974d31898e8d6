//! Templates and expressions in Jinja syntax.

use std::collections::HashSet;

use minijinja::value::{Value, ValueKind};
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior};

use super::fault::{WorkflowFault, WorkflowFaultKind};
use super::json::{Json, Object};
use hornbook_base::Limits;

/// What templates can refer to, besides the state.
#[derive(Debug, Clone, Default)]
pub struct Names {
    pub variables: Object,
    pub settings: Object,
    pub secrets: Object,
    pub env: Object,
    pub data: Object,
}

/// What a template sees.
pub struct Scope<'a> {
    pub names: &'a Names,
    pub state: &'a Object,
    /// What the node returned.
    pub result: Option<&'a Json>,
    /// The results of the branches before a fan-in node.
    pub parallel_results: Option<&'a Json>,
}

/// Whether there is anything to substitute.
pub fn is_template(text: &str) -> bool {
    text.contains("{{") || text.contains("{%")
}

/// Check a template; the error is a sentence.
pub fn check(text: &str) -> Result<(), String> {
    if !is_template(text) {
        return Ok(());
    }
    let environment = environment();
    let checked = match expression_of(text) {
        Some(expression) => environment.compile_expression(expression).map(|_| ()),
        None => environment.template_from_str(text).map(|_| ()),
    };
    checked.map_err(|error| reason_of(&error))
}

/// Check an expression, with or without braces; the error is a sentence.
pub fn check_expression(expression: &str) -> Result<(), String> {
    if is_template(expression) {
        return check(expression);
    }
    environment()
        .compile_expression(expression)
        .map(|_| ())
        .map_err(|error| reason_of(&error))
}

impl Scope<'_> {
    /// A text with the parts in braces replaced; if it is just one expression in braces, that expression's
    /// value.
    pub fn value(&self, text: &str) -> Result<Json, WorkflowFault> {
        match expression_of(text) {
            Some(expression) => {
                let value = self.evaluate(expression)?;
                if value.is_undefined() {
                    return Err(fault(text, "it is undefined"));
                }
                json(&value).map_err(|why| fault(text, &why))
            }
            None => self.text(text).map(Json::Text),
        }
    }

    /// A text with the parts in braces replaced.
    pub fn text(&self, text: &str) -> Result<String, WorkflowFault> {
        if !is_template(text) {
            return Ok(text.to_owned());
        }
        let environment = environment();
        let failed = |error: Error| fault(text, &reason_of(&error));
        let template = environment.template_from_str(text).map_err(failed)?;
        let rendered = template.render(self.context());
        rendered.map_err(|error| {
            fault(
                text,
                &self.reason_of(&error, || template.undeclared_variables(true)),
            )
        })
    }

    /// Replace texts within a value, at any depth.
    pub fn values(&self, value: &Json) -> Result<Json, WorkflowFault> {
        match value {
            Json::Text(text) => self.value(text),
            Json::Array(items) => items
                .iter()
                .map(|item| self.values(item))
                .collect::<Result<_, _>>()
                .map(Json::Array),
            Json::Object(members) => members
                .iter()
                .map(|(key, value)| Ok((key.clone(), self.values(value)?)))
                .collect(),
            other => Ok(other.clone()),
        }
    }

    /// Whether an expression, with or without braces, holds.
    pub fn holds(&self, text: &str) -> Result<bool, WorkflowFault> {
        let expression = match expression_of(text) {
            Some(expression) => expression,
            None if is_template(text) => {
                let rendered = self.text(text)?;
                let word = rendered.trim().to_lowercase();
                return Ok(!matches!(word.as_str(), "" | "false" | "0" | "no" | "none"));
            }
            None => text,
        };
        Ok(self.evaluate(expression)?.is_true())
    }

    /// The value of an expression: without braces, in braces, or with parts of it in braces.
    pub fn expression(&self, text: &str) -> Result<Json, WorkflowFault> {
        let replaced;
        let expression = match expression_of(text) {
            Some(expression) => expression,
            None => {
                replaced = self.text(text)?;
                &replaced
            }
        };
        let value = self.evaluate(expression)?;
        json(&value).map_err(|why| fault(text, &why))
    }

    fn evaluate(&self, expression: &str) -> Result<Value, WorkflowFault> {
        let environment = environment();
        let failed = |error: Error| fault(expression, &reason_of(&error));
        let compiled = environment.compile_expression(expression).map_err(failed)?;
        let value = compiled.eval(self.context());
        value.map_err(|error| {
            fault(
                expression,
                &self.reason_of(&error, || compiled.undeclared_variables(true)),
            )
        })
    }

    /// The reason for an error, including the undefined name if there is one: `state.KEY`, or another name
    /// used in the text.
    fn reason_of(&self, error: &Error, used: impl FnOnce() -> HashSet<String>) -> String {
        let reason = reason_of(error);
        if error.kind() != ErrorKind::UndefinedError {
            return reason;
        }
        let (known, environment) = (self.context(), environment());
        let mut used: Vec<String> = used().into_iter().collect();
        used.sort();
        let missing = used.iter().find_map(|name| {
            let (root, rest) = name.split_once('.').unwrap_or((name, ""));
            let key = rest.split('.').next().unwrap_or_default();
            if root == "state" && !key.is_empty() && !self.state.contains_key(key) {
                return Some(format!("the state has no '{key}'"));
            }
            let is_known = known.get_attr(root).is_ok_and(|value| !value.is_undefined())
                || environment.globals().any(|(global, _)| global == root);
            (!is_known)
                .then(|| format!("'{root}' is not a name here; a key of the state is written state.{root}"))
        });
        missing.map_or_else(|| reason.clone(), |missing| format!("{reason}: {missing}"))
    }

    fn context(&self) -> Value {
        let Names {
            variables,
            settings,
            secrets,
            env,
            data,
        } = self.names;
        let mut pairs = vec![
            ("state", object(self.state)),
            ("variables", object(variables)),
            ("settings", object(settings)),
            ("secrets", object(secrets)),
            ("env", object(env)),
            ("data", object(data)),
        ];
        if let Some(result) = self.result {
            pairs.push(("result", value_of(result)));
        }
        if let Some(results) = self.parallel_results {
            pairs.push(("parallel_results", value_of(results)));
        }
        Value::from_pairs(pairs)
    }
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    environment.set_fuel(Some(Limits::DEFAULT.template_steps));
    environment.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
    environment.add_filter("fromjson", |text: String| -> Result<Value, Error> {
        let value: Json = serde_json::from_str(&text)
            .map_err(|error| Error::new(ErrorKind::InvalidOperation, format!("this is not JSON: {error}")))?;
        Ok(value_of(&value))
    });
    environment.add_global("None", Value::from(()));
    // For people who know Python.
    environment.add_function("len", |value: Value| {
        let countable = |length| Value::from(length);
        let no_length = || Error::new(ErrorKind::InvalidOperation, "this has no length");
        value.len().map(countable).ok_or_else(no_length)
    });
    environment
}

/// The expression, if the text is nothing but one expression in braces.
fn expression_of(text: &str) -> Option<&str> {
    let inside = text.trim().strip_prefix("{{")?.strip_suffix("}}")?;
    // A `-` next to the braces controls whitespace; in `{{ -x }}` it is a sign.
    let inside = inside.strip_prefix('-').unwrap_or(inside);
    let inside = inside.strip_suffix('-').unwrap_or(inside).trim();
    let braces = ["{{", "}}", "{%"].iter().any(|braces| inside.contains(braces));
    // A nested object ends with two braces, too.
    let alone = !braces || environment().compile_expression(inside).is_ok();
    alone.then_some(inside)
}

/// Integers beyond `i128` become their digits.
fn value_of(value: &Json) -> Value {
    match value {
        Json::Null => Value::from(()),
        Json::Bool(truth) => Value::from(*truth),
        Json::Int(number) => Value::from(*number),
        Json::Big(digits) => digits
            .parse::<i128>()
            .map_or_else(|_| Value::from(digits.as_str()), Value::from),
        Json::Float(number) => Value::from(*number),
        Json::Text(text) => Value::from(text.as_str()),
        Json::Array(items) => items.iter().map(value_of).collect(),
        Json::Object(members) => object(members),
    }
}

fn object(members: &Object) -> Value {
    Value::from_pairs(members.iter().map(|(key, value)| (key.as_str(), value_of(value))))
}

fn json(value: &Value) -> Result<Json, String> {
    Ok(match value.kind() {
        ValueKind::Undefined | ValueKind::None => Json::Null,
        ValueKind::Bool => Json::Bool(value.is_true()),
        ValueKind::Number => number(value),
        ValueKind::String => Json::Text(value.to_string()),
        ValueKind::Seq | ValueKind::Iterable => {
            let items = value.try_iter().map_err(|error| reason_of(&error))?;
            Json::Array(items.map(|item| json(&item)).collect::<Result<_, _>>()?)
        }
        ValueKind::Map => {
            let keys = value.try_iter().map_err(|error| reason_of(&error))?;
            keys.map(|key| {
                let member = value.get_item(&key).map_err(|error| reason_of(&error))?;
                Ok((key.to_string(), json(&member)?))
            })
            .collect::<Result<Json, String>>()?
        }
        kind => return Err(format!("its value is {kind}, which the state cannot hold")),
    })
}

fn number(value: &Value) -> Json {
    let text = value.to_string();
    match Json::integer(&text) {
        Some(integer) => integer,
        None => f64::try_from(value.clone()).map_or(Json::Text(text), Json::Float),
    }
}

fn reason_of(error: &Error) -> String {
    let detail = error
        .detail()
        .map(|detail| format!(": {detail}"))
        .unwrap_or_default();
    format!("{}{detail}", error.kind())
}

fn fault(text: &str, why: &str) -> WorkflowFault {
    let mut shown: String = text.trim().chars().take(120).collect();
    if shown.len() < text.trim().len() {
        shown.push_str("...");
    }
    WorkflowFault::new(WorkflowFaultKind::Template, format!("{shown}: {why}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with<T>(state: &str, run: impl FnOnce(&Scope<'_>) -> T) -> T {
        let Json::Object(state) = serde_json::from_str(state).unwrap() else {
            panic!("no object")
        };
        let names = Names {
            variables: [("factor".to_owned(), Json::Int(3))].into(),
            ..Names::default()
        };
        run(&Scope {
            names: &names,
            state: &state,
            result: None,
            parallel_results: None,
        })
    }

    #[test]
    fn conditions_hold_or_not() {
        for (condition, expected) in [
            ("state.score >= 50", true),
            ("{{ state.score < 50 }}", false),
            ("state['kind'] == 'even' and not state.stop", true),
            ("state.nope", false),
            ("not state.nope", true),
            ("state.get('nope', 3) == 3", true),
            ("'b' in state.tags", true),
            ("state.tags | length == 2", true),
            ("state.stop is defined and state.nope is not defined", true),
            ("{% if state.stop %}yes{% endif %}", false),
            ("variables.factor == 3 and state.none == None and True", true),
        ] {
            let state = r#"{"score": 70, "kind": "even", "stop": false, "tags": ["a", "b"], "none": null}"#;
            assert_eq!(
                with(state, |scope| scope.holds(condition)),
                Ok(expected),
                "{condition}"
            );
        }
    }

    #[test]
    fn one_expression_alone_keeps_its_type() {
        let state =
            r#"{"l": [1, 2.5, {"k": null}], "big": {"$integer": "12345678901234567890123"}, "x": 3.0}"#;
        with(state, |scope| {
            assert_eq!(
                scope.value("{{ state.l }}").unwrap().to_string(),
                r#"[1,2.5,{"k":null}]"#
            );
            assert_eq!(
                scope.value("{{ state.big }}").unwrap(),
                Json::Big("12345678901234567890123".into())
            );
            assert_eq!(scope.value("{{ state.x }}").unwrap(), Json::Float(3.0));
            assert_eq!(
                scope.value("a {{ variables.factor }}").unwrap(),
                Json::Text("a 3".into())
            );
            assert_eq!(scope.value("plain").unwrap(), Json::Text("plain".into()));
            assert_eq!(
                scope
                    .expression("{{ variables.factor }} * 2 + len(state.l)")
                    .unwrap(),
                Json::Int(9)
            );
            assert_eq!(scope.value("{{ -state.x }}").unwrap(), Json::Float(-3.0));
            assert_eq!(scope.value("{{- -1 -}}").unwrap(), Json::Int(-1));
            let nested = scope.value("{{ {'a': {'b': state.x}} }}").unwrap();
            assert_eq!(nested.to_string(), r#"{"a":{"b":3.0}}"#);
            assert_eq!(scope.value("{{ 1 }}{{ 2 }}").unwrap(), Json::Text("12".into()));
            assert!(scope.value("{{ state.nope }}").is_err());
        });
    }

    #[test]
    fn a_name_that_is_not_there_is_told() {
        with(r#"{"x": 1}"#, |scope| {
            let message = |fault: Result<bool, WorkflowFault>| fault.unwrap_err().message;
            let key = "the state has no 'nope'";
            assert!(message(scope.holds("state.x > 0 and state.nope > 3")).contains(key));
            assert!(message(scope.text("{{ state.nope }} a").map(|_| true)).contains(key));
            assert!(
                message(scope.holds("x > 3"))
                    .contains("'x' is not a name here; a key of the state is written state.x")
            );
        });
    }

    #[test]
    fn a_template_has_an_end() {
        let endless = "{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}";
        assert!(with("{}", |scope| scope.text(endless)).is_err());
    }
}
