//! What a node changed in a state. Recording only the difference keeps a large state cheap when little of it
//! changes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::json::{Json, Object};

/// The change from one value to another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Change {
    Set(Json),
    Members(Difference),
    /// Keep the first `keep` items, then append these.
    Items {
        keep: usize,
        add: Vec<Json>,
    },
}

/// The change from one object to another.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    put: BTreeMap<String, Change>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    gone: Vec<String>,
}

impl Difference {
    pub fn between(before: &Object, after: &Object) -> Difference {
        let changed = |(key, value): (&String, &Json)| {
            let change = match before.get(key) {
                Some(old) => change(old, value)?,
                None => Change::Set(value.clone()),
            };
            Some((key.clone(), change))
        };
        Difference {
            put: after.iter().filter_map(changed).collect(),
            gone: before
                .keys()
                .filter(|key| !after.contains_key(*key))
                .cloned()
                .collect(),
        }
    }

    /// Turn the object before into the object after.
    pub fn apply(&self, object: &mut Object) {
        for key in &self.gone {
            object.remove(key);
        }
        for (key, change) in &self.put {
            match change {
                Change::Set(value) => {
                    object.insert(key.clone(), value.clone());
                }
                change => change.apply(object.entry(key.clone()).or_default()),
            }
        }
    }
}

impl Change {
    fn apply(&self, value: &mut Json) {
        match (self, value) {
            (Change::Set(new), value) => *value = new.clone(),
            (Change::Members(difference), Json::Object(members)) => difference.apply(members),
            (Change::Items { keep, add }, Json::Array(items)) => {
                items.truncate(*keep);
                items.extend(add.iter().cloned());
            }
            // The change was made from a value of this kind.
            _ => {}
        }
    }
}

/// `None` if they are equal.
fn change(before: &Json, after: &Json) -> Option<Change> {
    match (before, after) {
        (before, after) if before == after => None,
        (Json::Object(before), Json::Object(after)) => {
            Some(Change::Members(Difference::between(before, after)))
        }
        (Json::Array(before), Json::Array(after)) => {
            let same = before.iter().zip(after).take_while(|(old, new)| old == new);
            let keep = same.count();
            Some(Change::Items {
                keep,
                add: after[keep..].to_vec(),
            })
        }
        (_, after) => Some(Change::Set(after.clone())),
    }
}

/// What a node or a step returned, relative to the state it was given.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Gave {
    #[serde(flatten)]
    difference: Difference,
    /// Keys that it returned with their value unchanged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    same: Vec<String>,
}

impl Gave {
    pub fn of(state: &Object, updates: &Object) -> Gave {
        let mut given = Gave::default();
        for (key, value) in updates {
            let change = match state.get(key) {
                Some(old) => change(old, value),
                None => Some(Change::Set(value.clone())),
            };
            match change {
                Some(change) => drop(given.difference.put.insert(key.clone(), change)),
                None => given.same.push(key.clone()),
            }
        }
        given
    }

    pub fn is_empty(&self) -> bool {
        self.same.is_empty() && self.difference == Difference::default()
    }

    pub fn apply(&self, state: &mut Object) {
        self.difference.apply(state);
    }

    /// Reconstruct the updates, from the same state.
    pub fn updates(&self, state: &Object) -> Object {
        let put = self.difference.put.iter().map(|(key, change)| {
            let mut value = state.get(key).cloned().unwrap_or_default();
            change.apply(&mut value);
            (key.clone(), value)
        });
        let same = self
            .same
            .iter()
            .map(|key| (key.clone(), state.get(key).cloned().unwrap_or_default()));
        put.chain(same).collect()
    }
}
