//! A large file in parts that are parsed one by one.

/// About how many bytes of a list are parsed at once.
const SLICE: usize = 32 << 10;

/// Whether a line has no value.
pub fn is_between(line: &str) -> bool {
    line.trim().is_empty() || line.starts_with('#') || line.trim_end() == "---"
}

/// A file in parts, each of whole items of one list, or of whole members of one map.
pub struct Parts<'a> {
    /// The line before the list, if it is that of a key: `rows:`.
    pub key: Option<&'a str>,
    /// The first line of each, and its text.
    pub all: Vec<(usize, &'a str)>,
}

/// The parts of a list or a map that is the whole file, or of a list that is its only member. `None` if the file is
/// anything else, or if one part may refer to another.
pub fn parts(text: &str) -> Option<Parts<'_>> {
    if may_stand(text, '&') && may_stand(text, '*') {
        return None;
    }
    let mut content = text.split_inclusive('\n').filter(|line| !is_between(line));
    let first = content.next()?;
    let is_alone = is_member(first) && first.trim_end().ends_with(':');
    let (key, indent) = match content.next() {
        Some(second) if is_alone && is_item(second.trim_start_matches(' ')) => {
            (Some(first), second.len() - second.trim_start_matches(' ').len())
        }
        _ => (None, 0),
    };
    let is_list = key.is_some() || is_item(first);
    let begins = |line: &str| match is_list {
        true => line.get(indent..).is_some_and(is_item),
        false => is_member(line),
    };
    let is_inside =
        |line: &str| line.trim().is_empty() || line.len() - line.trim_start_matches(' ').len() > indent;
    let mut all = Vec::new();
    let (mut from, mut first_line) = (0, 1);
    let (mut at, mut is_in) = (0, false);
    for (index, line) in text.split_inclusive('\n').enumerate() {
        if !is_in {
            // What is above is none of it.
            is_in = !is_between(line) && key != Some(line);
            (from, first_line) = (at, index + 1);
        }
        if is_in {
            let is_beginning = begins(line);
            if !is_beginning && !is_inside(line) && !line.starts_with('#') {
                return None;
            }
            if is_beginning && at - from >= SLICE {
                all.push((first_line, &text[from..at]));
                (from, first_line) = (at, index + 1);
            }
        }
        at += line.len();
    }
    all.push((first_line, &text[from..]));
    Some(Parts { key, all })
}

fn is_item(line: &str) -> bool {
    line == "-" || line.starts_with("- ") || line.starts_with("-\n") || line.starts_with("-\r")
}

/// Whether a line begins with a key that is a word or a few.
fn is_member(line: &str) -> bool {
    let key = line.split(':').next().unwrap_or_default();
    let after = line.get(key.len() + 1..).unwrap_or("?");
    key.starts_with(char::is_alphanumeric)
        && !key.contains(['#', '{', '[', '"', '\''])
        && (after.is_empty() || after.starts_with([' ', '\n', '\r']))
}

/// Whether a mark may stand before the name of an anchor, rather than in a text.
fn may_stand(text: &str, mark: char) -> bool {
    text.match_indices(mark).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + 1..].chars().next();
        before.is_none_or(|c| c.is_whitespace() || matches!(c, '[' | '{' | ',' | ':'))
            && after.is_some_and(|c| !c.is_whitespace())
    })
}
