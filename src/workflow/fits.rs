//! Whether values fit the schema of the state.

use super::json::Json;
use super::model::{Wait, Workflow};
use super::template::is_template;

impl Workflow {
    /// Check that the schema of the state lets a key have this value. The error is a sentence.
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
        for (name, kind) in &known.members {
            let wanted = kind.name();
            match members.get(name) {
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

    /// Check that a node can take what a signal of this name brings. The error is a sentence.
    pub fn check_signal(&self, name: &str, data: &Json) -> Result<(), String> {
        let checked: Vec<Result<(), String>> = self.taking(name, data);
        match checked.iter().any(Result::is_ok) {
            true => Ok(()),
            false => checked.into_iter().next().unwrap_or(Ok(())),
        }
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
