//! What `help` and `reference://help` say.

/// The topics, in the order in which they are told.
pub const TOPICS: [&str; 6] = ["overview", "tools", "prompts", "modes", "security", "examples"];

const TEXTS: [&str; 6] = [
    include_str!("overview.md"),
    include_str!("tools.md"),
    include_str!("prompts.md"),
    include_str!("modes.md"),
    include_str!("security.md"),
    include_str!("examples.md"),
];

/// The text of one topic; of all of them for `None` or a topic that there is not.
pub fn help(topic: Option<&str>) -> String {
    let position = TOPICS.iter().position(|known| Some(*known) == topic);
    match position {
        Some(position) => TEXTS[position].to_string(),
        None => TEXTS.join("\n"),
    }
}
