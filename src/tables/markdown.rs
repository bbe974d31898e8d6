//! Tables as Markdown has them.

/// The rows of a text that is such a table, each in its line: values that bars separate, and no line of dashes below the
/// header. `None` if the text does not begin with a table.
pub fn rows(text: &str) -> Option<String> {
    let begin = text.len() - text.trim_start().len();
    let mut lines = text[begin..].lines();
    let (header, dashes) = (lines.next()?, lines.next()?);
    let is_dashes = |value: &String| {
        let dashes = value.strip_prefix(':').unwrap_or(value);
        let dashes = dashes.strip_suffix(':').unwrap_or(dashes);
        !dashes.is_empty() && dashes.bytes().all(|byte| byte == b'-')
    };
    let below = values(dashes);
    if !header.contains('|') || !below.iter().all(is_dashes) || values(header).len() != below.len() {
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
    if !line.trim().is_empty() {
        for (at, value) in values(line).iter().enumerate() {
            rows.push_str(if at > 0 { "|" } else { "" });
            match value.contains(['|', '"']) {
                true => rows.push_str(&format!("\"{}\"", value.replace('"', "\"\""))),
                false => rows.push_str(value),
            }
        }
    }
    rows.push('\n');
}
