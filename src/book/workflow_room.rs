//! What a book knows of the cells of workflow runs, so that undoing a run takes away what is its own: their keys, how a
//! header names its text, which runs share, and how the operations are described with which a run goes on. The crate of
//! workflows writes by these; each must also fit what is in older books.

/// The room. What a run does there has its name before a colon.
pub const ROOM: &str = "workflow";

/// The descriptions of the records with which a run goes on after it has waited, or their ends.
pub const RESUMED: &str = "is resumed";
pub const ANSWERED: &str = "has its answer";
pub const CONTINUES: &str = "continues by itself";

/// The prefix for the headers of runs.
pub const HEADERS: &str = "run/";

const TEXTS: &str = "text/";

/// The key of a run's header.
pub fn header_key(run: &str) -> String {
    format!("{HEADERS}{run}")
}

/// The key of the text with a hash, which all its runs share.
pub fn text_key(hash: &str) -> String {
    format!("{TEXTS}{hash}")
}

/// The prefix for the names of a text's files.
pub fn files_prefix(hash: &str) -> String {
    format!("{TEXTS}{hash}/")
}

/// The hash of the text whose cell, or a file of which, has this key.
pub(super) fn text_of(key: &str) -> Option<&str> {
    key.strip_prefix(TEXTS)?.split('/').next()
}

/// Whether a header, which is a JSON object, is of a run of the text with a hash.
pub fn has_text(header: &str, hash: &str) -> bool {
    header.contains(&format!("\"text\":\"{hash}\""))
}

/// Whether an action is one with which a run goes on after it has waited.
pub(super) fn goes_on(action: &str) -> bool {
    let ends = |end: &&str| action.strip_suffix(*end).is_some_and(|rest| rest.ends_with(' '));
    [RESUMED, ANSWERED, CONTINUES].iter().any(ends)
}
