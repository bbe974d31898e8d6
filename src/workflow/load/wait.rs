//! What a node waits for.

use super::keys::{Keys, bad_template};
use crate::fault::LoadFault;
use crate::json::Json;
use crate::model::Wait;
use crate::yaml::{Tree, Yaml};
use crate::{template, time};

pub(super) fn wait(keys: &Keys<'_>) -> Result<Option<Wait>, LoadFault> {
    let Some(value) = keys.get("wait") else {
        return Ok(None);
    };
    let what = format!("'wait' of {}", keys.what);
    if !matches!(value.tree, Tree::Map(_)) {
        return time(value, &what).map(|time| Some(Wait::Time(time)));
    }
    let inner = Keys::of(value, what.clone(), &["signal", "until", "timeout", "output"])?;
    let (signal, until) = (inner.text("signal")?, inner.get("until"));
    let Some(name) = signal else {
        let until = until.ok_or_else(|| inner.lacks("signal"))?;
        if let Some((key, value)) = ["timeout", "output"]
            .into_iter()
            .find_map(|key| Some((key, inner.get(key)?)))
        {
            return Err(inner.meaningless(key, value, "it belongs to a signal"));
        }
        return time(until, &what).map(|time| Some(Wait::Time(time)));
    };
    if let Some(until) = until {
        return Err(inner.meaningless("until", until, "the 'timeout' of a signal may be a time"));
    }
    let at = inner.get("signal").map_or(inner.at, |signal| signal.at);
    template::check(name).map_err(|why| bad_template(&what, &why, at))?;
    if name.is_empty() {
        return Err(LoadFault::new(format!("The signal of {what} has no name."), at));
    }
    let timeout = inner.get("timeout");
    let timeout = timeout.map(|timeout| time(timeout, &format!("'timeout' of {what}")));
    Ok(Some(Wait::Signal {
        name: name.to_owned(),
        timeout: timeout.transpose()?,
        output: inner.text("output")?.unwrap_or(name).to_owned(),
    }))
}

/// A duration or a time, or a template that yields one.
fn time(value: &Yaml, what: &str) -> Result<Json, LoadFault> {
    let given = value.to_json();
    if let Json::Text(text) = &given
        && (template::is_template(text) || text.trim_start().starts_with("state."))
    {
        // As in conditions, an expression needs no braces.
        let text = match template::is_template(text) {
            true => text.clone(),
            false => format!("{{{{ {text} }}}}"),
        };
        template::check(&text).map_err(|why| bad_template(what, &why, value.at))?;
        return Ok(Json::Text(text));
    }
    match time::check(&given) {
        Ok(()) => Ok(given),
        Err(why) => Err(LoadFault::new(format!("{what} {why}"), value.at)),
    }
}
