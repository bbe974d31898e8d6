//! Reads YAML maps with known keys.

use crate::fault::LoadFault;
use crate::json::{Json, Object};
use crate::yaml::{Entry, Place, Tree, Yaml};

/// A map that contains only allowed keys.
pub struct Keys<'a> {
    /// What the map is, for messages: `node 'a'`.
    pub what: String,
    pub at: Place,
    entries: &'a [Entry],
}

impl<'a> Keys<'a> {
    pub fn of(yaml: &'a Yaml, what: impl Into<String>, allowed: &[&str]) -> Result<Keys<'a>, LoadFault> {
        let what = what.into();
        let Tree::Map(entries) = &yaml.tree else {
            let message = format!("{what} must be a map, not {}.", yaml.kind());
            return Err(LoadFault::new(capital(&message), yaml.at));
        };
        for entry in entries {
            if !allowed.contains(&entry.key.as_str()) {
                let hint = match nearest(&entry.key, allowed.iter().copied()) {
                    Some(name) => format!(" Did you mean '{name}'?"),
                    None => format!(" It can have: {}.", allowed.join(", ")),
                };
                let message = format!("{what} has the unknown key '{}'.{hint}", entry.key);
                return Err(LoadFault::new(capital(&message), entry.at));
            }
        }
        Ok(Keys {
            what,
            at: yaml.at,
            entries,
        })
    }

    /// The value of a key; null counts as absent.
    pub fn get(&self, key: &str) -> Option<&'a Yaml> {
        let entry = self.entries.iter().find(|entry| entry.key == key)?;
        (entry.value.tree != Tree::Scalar(Json::Null)).then_some(&entry.value)
    }

    pub fn text(&self, key: &str) -> Result<Option<&'a str>, LoadFault> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        match &value.tree {
            Tree::Scalar(Json::Text(text)) => Ok(Some(text)),
            _ => Err(self.wrong(key, value, "a text")),
        }
    }

    /// A required text.
    pub fn needed(&self, key: &str) -> Result<&'a str, LoadFault> {
        self.text(key)?.ok_or_else(|| self.lacks(key))
    }

    pub fn truth(&self, key: &str) -> Result<Option<bool>, LoadFault> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        match value.tree {
            Tree::Scalar(Json::Bool(truth)) => Ok(Some(truth)),
            _ => Err(self.wrong(key, value, "true or false")),
        }
    }

    pub fn integer(&self, key: &str, least: i64, most: i64) -> Result<Option<u64>, LoadFault> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        match value.tree {
            Tree::Scalar(Json::Int(number)) if (least..=most).contains(&number) => Ok(Some(number as u64)),
            Tree::Scalar(Json::Int(number)) => {
                let wanted = format!("an integer from {least} to {most}, not {number}");
                Err(self.outside(key, value, &wanted))
            }
            _ => Err(self.wrong(key, value, &format!("an integer from {least} to {most}"))),
        }
    }

    pub fn number(&self, key: &str) -> Result<Option<f64>, LoadFault> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        let number = match value.tree {
            Tree::Scalar(Json::Int(number)) => number as f64,
            Tree::Scalar(Json::Float(number)) => number,
            _ => return Err(self.wrong(key, value, "a number")),
        };
        if number < 0.0 {
            return Err(self.outside(key, value, &format!("0 or more, not {number}")));
        }
        Ok(Some(number))
    }

    pub fn list(&self, key: &str) -> Result<Option<&'a [Yaml]>, LoadFault> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        match &value.tree {
            Tree::List(items) => Ok(Some(items)),
            _ => Err(self.wrong(key, value, "a list")),
        }
    }

    /// A map with any keys.
    pub fn object(&self, key: &str) -> Result<Object, LoadFault> {
        let Some(value) = self.get(key) else {
            return Ok(Object::new());
        };
        match value.to_json() {
            Json::Object(members) => Ok(members),
            _ => Err(self.wrong(key, value, "a map")),
        }
    }

    pub fn wrong(&self, key: &str, value: &Yaml, wanted: &str) -> LoadFault {
        let message = format!("'{key}' of {} must be {wanted}, not {}.", self.what, value.kind());
        LoadFault::new(message, value.at)
    }

    /// The error for a number that is out of range.
    pub fn outside(&self, key: &str, value: &Yaml, wanted: &str) -> LoadFault {
        LoadFault::new(format!("'{key}' of {} must be {wanted}.", self.what), value.at)
    }

    /// The error for a key that would have no effect where it is.
    pub fn meaningless(&self, key: &str, value: &Yaml, why: &str) -> LoadFault {
        let message = format!("'{key}' of {} has no meaning there: {why}.", self.what);
        LoadFault::new(message, value.at)
    }

    pub fn lacks(&self, key: &str) -> LoadFault {
        LoadFault::new(capital(&format!("{} needs '{key}'.", self.what)), self.at)
    }
}

/// The name most similar to `name`, if any is similar enough.
pub fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = (name.chars().count() / 3).max(1) + 1;
    names
        .into_iter()
        .map(|other| (strsim::damerau_levenshtein(name, other), other))
        .filter(|&(distance, other)| distance <= most && distance < other.chars().count())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, other)| other)
}

pub fn capital(message: &str) -> String {
    let mut chars = message.chars();
    let first = chars.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}

/// A template of this part of the workflow cannot be read.
pub fn bad_template(what: &str, why: &str, at: Place) -> LoadFault {
    LoadFault::new(format!("An expression of {what} cannot be read: {why}."), at)
}
