//! Whether values fit the schema of the state.

use super::json::Json;
use super::model::{Reduce, Wait, Workflow};
use super::signals;
use super::template::is_template;

impl Workflow {
    /// Check that the schema of the state lets a key have this value. Members that are merged may come one by one. The
    /// error is a sentence.
    pub fn check_value(&self, key: &str, value: &Json) -> Result<(), String> {
        let Some(known) = self.schema.iter().find(|known| known.name == key) else {
            return Ok(());
        };
        if !known.kind.takes(value) {
            let (wanted, kind) = (known.kind.name(), value.kind());
            return Err(format!("'{key}' of the state must be {wanted}, not {kind}."));
        }
        let Json::Object(members) = value else {
            return Ok(());
        };
        let may_lack = known.reduce == Some(Reduce::Merge);
        for (name, kind) in &known.members {
            let wanted = kind.name();
            match members.get(name) {
                None if may_lack => {}
                None => return Err(format!("'{key}' of the state lacks '{name}', {wanted}.")),
                Some(value) if !kind.takes(value) => {
                    let kind = value.kind();
                    return Err(format!(
                        "'{name}' in '{key}' of the state must be {wanted}, not {kind}."
                    ));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Check that a node can wait for a signal of this name, and take what it brings. The error is a sentence.
    pub fn check_signal(&self, name: &str, data: &Json) -> Result<(), String> {
        signals::check_name(name, &self.signals())?;
        let checked: Vec<Result<(), String>> = self.taking(name, data);
        match checked.iter().any(Result::is_ok) {
            true => Ok(()),
            false => checked.into_iter().next().unwrap_or(Ok(())),
        }
    }

    /// The names of the signals that its nodes wait for, some of which may be templates.
    fn signals(&self) -> Vec<String> {
        let own = self.nodes.iter().filter_map(|node| match &node.wait {
            Some(Wait::Signal { name, .. }) => Some(name.clone()),
            _ => None,
        });
        let graphs = self.nodes.iter().flat_map(|node| node.work.graphs());
        let mut names: Vec<String> = own.chain(graphs.flat_map(Workflow::signals)).collect();
        names.sort();
        names.dedup();
        names
    }

    /// For each node that waits for a signal of this name: whether it can take this.
    fn taking(&self, name: &str, data: &Json) -> Vec<Result<(), String>> {
        let own = self.nodes.iter().filter_map(|node| match &node.wait {
            Some(Wait::Signal {
                name: known, output, ..
            }) if known == name => Some(self.check_value(output, data)),
            // Its name is known only once the run is there.
            Some(Wait::Signal { name: known, .. }) if is_template(known) => Some(Ok(())),
            _ => None,
        });
        let graphs = self.nodes.iter().flat_map(|node| node.work.graphs());
        own.chain(graphs.flat_map(|graph| graph.taking(name, data)))
            .collect()
    }
}
