//! Tables as Markdown has them.

/// The rows of a text that is such a table, each in its line: values that bars separate, and no line of dashes below the
/// header. `None` if the text is anything else, which may be CSV that bars separate: each line must begin with a bar, and
/// the second have at least three dashes in each cell.
pub fn rows(text: &str) -> Option<String> {
    let begin = text.len() - text.trim_start().len();
    let table = text.trim();
    if !table.lines().all(|line| line.trim_start().starts_with('|')) {
        return None;
    }
    let mut lines = table.lines();
    let (header, dashes) = (lines.next()?, values(lines.next()?));
    let is_dashes = |value: &String| {
        let dashes = value.strip_prefix(':').unwrap_or(value);
        let dashes = dashes.strip_suffix(':').unwrap_or(dashes);
        dashes.len() >= 3 && dashes.bytes().all(|byte| byte == b'-')
    };
    if !dashes.iter().all(is_dashes) || values(header).len() != dashes.len() {
        return None;
    }
    let mut rows = "\n".repeat(text[..begin].matches('\n').count());
    push(&mut rows, header);
    // An empty line is no row.
    rows.push('\n');
    for line in lines {
        push(&mut rows, line);
    }
    Some(rows)
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
