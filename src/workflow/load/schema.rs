//! The schema of the state: the type of each key, and how its values come together.

use super::keys::{Keys, nearest};
use crate::fault::LoadFault;
use crate::json::Json;
use crate::model::{Goal, Key, Reduce, Type};
use crate::yaml::{Entry, Tree, Yaml};

/// The reducers that have names, and what they take.
const REDUCERS: [(&str, Reduce, &[Type]); 5] = [
    ("append", Reduce::Append, &[Type::List]),
    ("sum", Reduce::Sum, &[Type::Integer, Type::Number]),
    ("merge", Reduce::Merge, &[Type::Object]),
    ("max", Reduce::Max, &[Type::Integer, Type::Number]),
    ("min", Reduce::Min, &[Type::Integer, Type::Number]),
];

pub(super) fn schema(top: &Keys<'_>) -> Result<Vec<Key>, LoadFault> {
    let Some(schema) = top.get("state_schema") else {
        return Ok(Vec::new());
    };
    let Tree::Map(entries) = &schema.tree else {
        return Err(top.wrong("state_schema", schema, "a map from keys to types"));
    };
    entries.iter().map(key).collect()
}

fn key(entry: &Entry) -> Result<Key, LoadFault> {
    let name = entry.key.clone();
    match &entry.value.tree {
        Tree::Scalar(Json::Text(word)) => Ok(Key {
            kind: kind(word, &entry.value)?,
            members: Vec::new(),
            reduce: None,
            name,
        }),
        Tree::Map(_) => {
            let what = format!("'{name}' of state_schema");
            let keys = Keys::of(&entry.value, what, &["type", "description", "members", "reduce"])?;
            let kind = kind(keys.needed("type")?, keys.get("type").unwrap_or(&entry.value))?;
            Ok(Key {
                kind,
                members: members(&keys, kind)?,
                reduce: reduce(&keys, kind)?,
                name,
            })
        }
        _ => {
            let message = format!(
                "The type of '{name}' must be a text, or a map with 'type', 'members' and 'reduce', not {}.",
                entry.value.kind()
            );
            Err(LoadFault::new(message, entry.value.at))
        }
    }
}

fn kind(word: &str, yaml: &Yaml) -> Result<Type, LoadFault> {
    Type::named(word).ok_or_else(|| {
        let message =
            format!("'{word}' is not a state type: there are str, int, float, bool, list, dict and any.");
        LoadFault::new(message, yaml.at)
    })
}

fn members(keys: &Keys<'_>, of: Type) -> Result<Vec<(String, Type)>, LoadFault> {
    let Some(value) = keys.get("members") else {
        return Ok(Vec::new());
    };
    if of != Type::Object {
        return Err(keys.meaningless("members", value, "only a dict has members"));
    }
    let Tree::Map(entries) = &value.tree else {
        return Err(keys.wrong("members", value, "a map from names to types"));
    };
    let member = |entry: &Entry| {
        let Tree::Scalar(Json::Text(word)) = &entry.value.tree else {
            let message = format!(
                "The type of the member '{}' must be a text, not {}.",
                entry.key,
                entry.value.kind()
            );
            return Err(LoadFault::new(message, entry.value.at));
        };
        Ok((entry.key.clone(), kind(word, &entry.value)?))
    };
    entries.iter().map(member).collect()
}

fn reduce(keys: &Keys<'_>, kind: Type) -> Result<Option<Reduce>, LoadFault> {
    let Some(value) = keys.get("reduce") else {
        return Ok(None);
    };
    let word = match &value.tree {
        Tree::Scalar(Json::Text(word)) => word,
        Tree::Map(_) => return goal(keys, value).map(Some),
        _ => {
            return Err(keys.wrong(
                "reduce",
                value,
                "the name of a reducer, or a map with 'type' and 'code'",
            ));
        }
    };
    let Some((_, reduce, kinds)) = REDUCERS.into_iter().find(|(name, ..)| name == word) else {
        let hint = match nearest(word, REDUCERS.iter().map(|(name, ..)| *name)) {
            Some(name) => format!("Did you mean '{name}'?"),
            None => "There are append, sum, merge, max and min, and goals: {type: prolog, code: G}.".into(),
        };
        return Err(LoadFault::new(
            format!("'{word}' is not a reducer. {hint}"),
            value.at,
        ));
    };
    if kind != Type::Any && !kinds.contains(&kind) {
        let takes: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
        let message = format!(
            "The reducer {word} of {} gives {}, and its type is {}.",
            keys.what,
            takes.join(" or "),
            kind.name()
        );
        return Err(LoadFault::new(message, value.at));
    }
    Ok(Some(reduce))
}

/// A goal, called with the old value, the new one, and a variable for the result.
fn goal(keys: &Keys<'_>, value: &Yaml) -> Result<Reduce, LoadFault> {
    let inner = Keys::of(value, format!("'reduce' of {}", keys.what), &["type", "code"])?;
    let (language, code) = (inner.needed("type")?, inner.needed("code")?);
    if language != "prolog" {
        let at = inner.get("type").map_or(inner.at, |word| word.at);
        let message =
            format!("A reducer is a goal in Prolog ({{type: prolog, code: G}}), not in {language}.");
        return Err(LoadFault::new(message, at));
    }
    Ok(Reduce::Goal(Goal {
        code: code.trim().trim_end_matches('.').to_owned(),
        at: inner.get("code").map_or(inner.at, |code| code.at),
    }))
}
