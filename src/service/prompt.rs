//! Prompts: how to approach a task with the tools.

use hornbook_mcp::{Object, RpcError, object};
use serde_json::{Value, json};

pub struct Prompt<C> {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    /// The argument that names the subject of the task.
    pub subject: Subject<C>,
    pub text: Text<C>,
}

pub enum Text<C> {
    /// A fixed text, followed by the subject.
    Written {
        /// Used instead of the subject if none is given.
        otherwise: &'static str,
        /// Values of `mode` with their texts, the default first; a single unnamed text if there is no choice.
        modes: &'static [(&'static str, &'static str)],
    },
    /// Generated, for the subject if one is given; an error sentence if the subject does not exist.
    Made(fn(&C, Option<&str>) -> Result<String, String>),
}

pub struct Subject<C> {
    pub name: &'static str,
    pub description: &'static str,
    /// Values that begin with the given text.
    pub complete: fn(&C, &str) -> Vec<String>,
}

impl<C> Prompt<C> {
    /// As listed by `prompts/list`.
    pub fn declaration(&self) -> Value {
        let mut arguments = vec![json!({
            "name": self.subject.name,
            "description": self.subject.description,
            "required": false,
        })];
        if self.has_modes() {
            let modes = self.modes();
            let description = format!("{} (default: {})", modes.join(" or "), modes[0]);
            arguments.push(json!({ "name": "mode", "description": description, "required": false }));
        }
        json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "arguments": arguments,
        })
    }

    /// A `GetPromptResult`.
    pub fn get(&self, context: &C, arguments: &Object) -> Result<Object, RpcError> {
        for (argument, value) in arguments {
            self.expect(argument)?;
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
        let subject = self.subject.name;
        let text = match self.text {
            Text::Made(make) => make(context, argument(subject)).map_err(RpcError::invalid_params)?,
            Text::Written { otherwise, modes } => {
                let mode = argument("mode").unwrap_or(modes[0].0);
                let Some((_, text)) = modes.iter().find(|(known, _)| *known == mode) else {
                    let modes = self.modes().join(", ");
                    return Err(RpcError::invalid_params(format!(
                        "Unknown mode '{mode}'; the modes are: {modes}"
                    )));
                };
                match argument(subject) {
                    Some(given) => format!("{text}\nThe {subject}:\n{given}"),
                    None => format!("{text}\n{otherwise}"),
                }
            }
        };
        Ok(object(json!({
            "description": self.description,
            "messages": [{ "role": "user", "content": { "type": "text", "text": text } }],
        })))
    }

    /// Values for an argument that begin with `value`.
    pub fn complete(&self, context: &C, argument: &str, value: &str) -> Result<Vec<String>, RpcError> {
        self.expect(argument)?;
        if argument == self.subject.name {
            return Ok((self.subject.complete)(context, value));
        }
        let modes = self.modes().into_iter().filter(|mode| mode.starts_with(value));
        Ok(modes.map(str::to_string).collect())
    }

    fn has_modes(&self) -> bool {
        self.modes().len() > 1
    }

    fn modes(&self) -> Vec<&'static str> {
        match self.text {
            Text::Written { modes, .. } => modes.iter().map(|(mode, _)| *mode).collect(),
            Text::Made(_) => Vec::new(),
        }
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
