//! What the text of a workflow refers to, so that a host can prepare what is used.

use std::collections::{BTreeMap, BTreeSet};

use crate::fault::LoadFault;
use crate::json::Json;
use crate::yaml::{self, Place, Tree, Yaml};

/// What a text refers to, in order, each with its position.
#[derive(Debug, Default)]
pub struct Uses {
    pub actions: Vec<(String, Place)>,
    /// DML programs.
    pub files: Vec<(String, Place)>,
    /// Workflows.
    pub graphs: Vec<(String, Place)>,
    /// The signals that nodes wait for.
    pub signals: Vec<String>,
    /// Whether there are DML programs, named or inline.
    pub programs: bool,
}

pub fn uses(text: &str) -> Result<Uses, LoadFault> {
    Ok(uses_of(&yaml::parse(text)?))
}

fn uses_of(yaml: &Yaml) -> Uses {
    let mut found = Uses::default();
    collect(yaml, &mut found);
    found
}

/// The names of the files that it refers to, and of those that these refer to.
pub(super) fn files(yaml: &Yaml, texts: &BTreeMap<String, String>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut waiting = vec![uses_of(yaml)];
    while let Some(uses) = waiting.pop() {
        names.extend(uses.files.into_iter().map(|(name, _)| name));
        for (name, _) in uses.graphs {
            // A file that cannot be read is an error of the node that names it.
            if names.insert(name.clone())
                && let Some(Ok(inner)) = texts.get(&name).map(|text| self::uses(text))
            {
                waiting.push(inner);
            }
        }
    }
    names
}

fn collect(yaml: &Yaml, found: &mut Uses) {
    match &yaml.tree {
        Tree::Scalar(_) => {}
        Tree::List(items) => items.iter().for_each(|item| collect(item, found)),
        Tree::Map(entries) => {
            let kind = entries.iter().find_map(|entry| match &entry.value.tree {
                Tree::Scalar(Json::Text(kind)) if entry.key == "type" => Some(kind.as_str()),
                _ => None,
            });
            found.programs |= kind == Some("dml");
            for entry in entries {
                if entry.key == "wait" {
                    found.signals.extend(signal(&entry.value));
                }
                match &entry.value.tree {
                    Tree::Scalar(Json::Text(name)) if entry.key == "uses" => {
                        let names = match kind {
                            Some("dml") => &mut found.files,
                            Some("workflow") => &mut found.graphs,
                            _ => &mut found.actions,
                        };
                        names.push((name.clone(), entry.value.at));
                    }
                    _ => collect(&entry.value, found),
                }
            }
        }
    }
}

/// The signal that a `wait` names.
fn signal(wait: &Yaml) -> Option<String> {
    let Tree::Map(entries) = &wait.tree else {
        return None;
    };
    entries.iter().find_map(|entry| match &entry.value.tree {
        Tree::Scalar(Json::Text(name)) if entry.key == "signal" => Some(name.clone()),
        _ => None,
    })
}
