//! The names of the signals that a workflow can wait for.

use crate::load::nearest;
use crate::template::is_template;

/// Check that a node can wait for a signal of this name, given the names in the text; one with a template may become
/// any. The error is a sentence.
pub(crate) fn check_name(name: &str, known: &[String]) -> Result<(), String> {
    if name.is_empty() {
        return Err("A signal needs a name.".into());
    }
    if known.iter().any(|known| known == name || is_template(known)) {
        return Ok(());
    }
    let hint = match nearest(name, known.iter().map(String::as_str)) {
        Some(nearest) => format!("Did you mean '{nearest}'?"),
        None if known.is_empty() => "No node waits for a signal.".into(),
        None => format!("There are: {}.", known.join(", ")),
    };
    Err(format!(
        "No node of the run's workflow waits for the signal '{name}'. {hint}"
    ))
}
