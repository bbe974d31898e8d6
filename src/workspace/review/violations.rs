//! What constraints say of a draft, and did not say before.

use crate::constraints::{COULD_NOT, ConstraintInfo};

/// What constraints say of a change.
#[derive(Default)]
pub(super) struct New {
    /// What violates them after it, and not before.
    pub violations: Vec<String>,
    /// What violates those that the change brings, and what others warn of.
    pub warnings: Vec<String>,
    /// Which can be checked neither before it nor after it. The book tells that of each change that they see.
    pub unchecked: Vec<String>,
}

/// What constraints say after a change, and did not say before.
pub(super) fn new_among(after: &[ConstraintInfo], before: &[ConstraintInfo]) -> New {
    let was = |one: &ConstraintInfo| before.iter().find(|was| was.text == one.text);
    let New {
        mut violations,
        mut warnings,
        mut unchecked,
    } = New::default();
    for one in after {
        let Some(was) = was(one) else {
            // One that comes with the change refuses nothing.
            let said = one.violated.iter().chain(&one.error);
            warnings.extend(said.map(|message| format!("{} is violated already: {message}", one.text)));
            continue;
        };
        let new = one
            .violated
            .iter()
            .filter(|message| !was.violated.contains(*message));
        if let (Some(error), Some(_)) = (&one.error, &was.error) {
            unchecked.push(format!("{} {COULD_NOT} {error}", one.text));
        }
        if one.warns {
            warnings.extend(new.cloned());
            continue;
        }
        violations.extend(new.cloned());
        if let (Some(error), None) = (&one.error, &was.error) {
            violations.push(format!("{} cannot be checked: {error}", one.text));
        }
    }
    New {
        violations,
        warnings,
        unchecked,
    }
}
