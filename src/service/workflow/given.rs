//! What calls give: files, and values for a state.

use std::collections::BTreeMap;

use hornbook_base::Fault;
use hornbook_mcp::Object as Members;
use hornbook_workflow::json::{MOST_LEVELS, Object};

use super::host::json_of;
use crate::report::invalid_argument;
use crate::schema::Arguments;

pub(super) fn refused(message: String) -> Fault {
    invalid_argument(message, "")
}

/// Texts by name.
pub(super) type Files = BTreeMap<String, String>;

pub(super) fn files_of(arguments: &Arguments) -> Files {
    let given = arguments.object("files").unwrap_or_default().into_iter();
    let texts = given.filter_map(|(name, text)| Some((name, text.as_str()?.to_owned())));
    texts.collect()
}

/// An argument as values of a state, none of which a node would refuse for its depth.
pub(super) fn members(given: Option<Members>) -> Result<Object, Fault> {
    let given = given.unwrap_or_default().into_iter();
    given
        .map(|(key, value)| match json_of(value) {
            value if value.is_too_deep() => Err(refused(format!(
                "'{key}' nests deeper than {MOST_LEVELS} levels."
            ))),
            value => Ok((key, value)),
        })
        .collect()
}
