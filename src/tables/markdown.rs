//! Tables as Markdown has them.

/// How many lines are looked at for the beginning of a table.
const SAMPLE_LINES: usize = 50;

/// A table of Markdown in a text.
pub struct Found<'t> {
    /// Its rows, each in its line of the text: values that bars separate, and no line of dashes below the header.
    pub rows: String,
    /// The lines around it that are not empty.
    pub around: Vec<&'t str>,
    /// Another table follows.
    pub has_more: bool,
}

/// The first table in a text of Markdown. `None` if the text is anything else, which may be CSV that bars separate: each
/// line of the table must begin with a bar, and the second have dashes in each cell, three or more unless all lines also end
/// with a bar.
pub fn table(text: &str) -> Option<Found<'_>> {
    let lines: Vec<&str> = text.lines().take(SAMPLE_LINES).collect();
    let begin = lines.iter().position(|line| is_row(line))?;
    let above = &lines[..begin];
    // A table within a quoted value of CSV is none of the text.
    let quotes: usize = above.iter().map(|line| line.matches('"').count()).sum();
    if !quotes.is_multiple_of(2) || above.iter().any(|line| line.contains('|')) {
        return None;
    }
    let all = || text.lines().skip(begin);
    let table = || all().take_while(|line| is_row(line));
    let least = if table().all(|line| line.trim_end().ends_with('|')) {
        1
    } else {
        3
    };
    let (header, dashes) = (table().next()?, table().nth(1)?);
    if !is_dashes(dashes, least) || values(header).len() != values(dashes).len() {
        return None;
    }
    let mut rows = "\n".repeat(begin);
    push(&mut rows, header);
    // An empty line is no row.
    rows.push('\n');
    for line in table().skip(2) {
        push(&mut rows, line);
    }
    let below = || all().skip(table().count());
    let is_filled = |line: &&str| !line.trim().is_empty();
    Some(Found {
        rows,
        has_more: below().any(|line| is_row(line) && is_dashes(line, 1)),
        around: above.iter().copied().chain(below()).filter(is_filled).collect(),
    })
}

fn is_row(line: &str) -> bool {
    line.trim_start().starts_with('|')
}

/// Whether each value of a line is at least so many dashes, perhaps with colons for its alignment.
fn is_dashes(line: &str, least: usize) -> bool {
    values(line).iter().all(|value| {
        let dashes = value.strip_prefix(':').unwrap_or(value);
        let dashes = dashes.strip_suffix(':').unwrap_or(dashes);
        dashes.len() >= least && dashes.bytes().all(|byte| byte == b'-')
    })
}

/// The values of a line.
fn values(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let mut values = vec![String::new()];
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, values.last_mut()) {
            ('|', _) if chars.peek().is_none() => {}
            ('|', _) => values.push(String::new()),
            ('\\', Some(value)) if chars.next_if_eq(&'|').is_some() => value.push('|'),
            (c, Some(value)) => value.push(c),
            (_, None) => {}
        }
    }
    for value in &mut values {
        *value = value.trim().to_owned();
    }
    values
}

/// Append a line as CSV has it.
fn push(rows: &mut String, line: &str) {
    let values = values(line);
    for (at, value) in values.iter().enumerate() {
        rows.push_str(if at > 0 { "|" } else { "" });
        // A line with nothing in it would be no row.
        match value.contains(['|', '"']) || values.len() == 1 && value.is_empty() {
            true => rows.push_str(&format!("\"{}\"", value.replace('"', "\"\""))),
            false => rows.push_str(value),
        }
    }
    rows.push('\n');
}
