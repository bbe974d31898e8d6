//! Tables with a rule, a line of dashes, below the header: as Markdown has them, and as psql and MySQL print them.

/// How many lines are looked at for the rule.
const SAMPLE_LINES: usize = 50;

/// A table in a text.
pub struct Found<'t> {
    /// Its header and rows, each in its line of the text: values that bars separate.
    pub rows: String,
    /// The lines that are none of its rows and not empty, with their numbers.
    pub left_out: Vec<(usize, &'t str)>,
    /// Why it cannot be read.
    pub why_not: Option<String>,
    /// It is as psql and MySQL print it.
    pub is_printed: bool,
}

/// The first table with a rule in a text. `None` if the text is anything else, which may be CSV that bars separate.
pub fn table(text: &str) -> Option<Found<'_>> {
    let sample: Vec<&str> = text.lines().take(SAMPLE_LINES).collect();
    // Long texts are looked at to their end only if they may have it.
    let footer = |above: usize| text.lines().skip(above).position(is_footer).map(|at| above + at);
    let rules = || {
        sample.windows(2).enumerate().filter_map(|(at, pair)| {
            let rule = Rule::of(bare(pair[1], is_quoted(pair[0])))?;
            let is_sure = rule.may_be_below(pair[0]) && (!rule.is_bare || footer(at + 2).is_some());
            is_sure.then_some((at, rule))
        })
    };
    let fits = |(at, rule): &(usize, Rule)| rule.count(sample[*at]) == rule.columns;
    // Few dashes may be values that are missing.
    let is_meant = |(at, rule): &(usize, Rule)| {
        let is_row_above = *at > 0 && sample[*at - 1].contains('|');
        rule.columns > 1 && sample[*at + 1].contains("---") && !is_row_above
    };
    let (header, rule) = rules().find(fits).or_else(|| rules().find(is_meant))?;
    let above = &sample[..header];
    // A table within a quoted value of CSV is none of the text.
    let quotes: usize = above.iter().map(|line| line.matches('"').count()).sum();
    let is_quoted = is_quoted(sample[header]);
    let header_line = bare(sample[header], is_quoted);
    let is_row_above = above.last().is_some_and(|line| rule.is_like(header_line, line));
    if !quotes.is_multiple_of(2) || !rule.has_plus && is_row_above {
        return None;
    }
    let mut found = Found {
        rows: "\n".repeat(header),
        left_out: Vec::new(),
        why_not: None,
        is_printed: rule.has_plus || rule.is_bare,
    };
    let (values, columns) = (rule.count(sample[header]), rule.columns);
    if values != columns {
        found.why_not = Some(format!(
            "line {} has dashes for {columns} columns, and the header above it {values} values: give each column its own",
            header + 2
        ));
        return Some(found);
    }
    for (at, whole) in above.iter().enumerate() {
        let line = bare(whole, is_quoted);
        if !line.is_empty() && Rule::of(line).is_none() {
            found.left_out.push((at + 1, whole));
        }
    }
    push(&mut found.rows, &rule.values(header_line));
    // An empty line is no row.
    found.rows.push('\n');
    let footer = rule.is_bare.then(|| footer(header + 2)).flatten();
    // An empty line above, or any that is no row.
    let (mut is_apart, mut is_over) = (false, false);
    for (at, whole) in text.lines().enumerate().skip(header + 2) {
        let line = bare(whole, is_quoted);
        let is_printed_row = footer.is_some_and(|footer| at < footer) && !line.is_empty();
        let is_row =
            is_printed_row || line.contains('|') && (!is_apart || rule.is_framed && line.starts_with('|'));
        match Rule::of(line) {
            Some(other) if is_over && (rule.is_bare || !other.is_bare) => {
                let why =
                    "it has more than one table with a line of dashes below its header: keep one of them";
                found.why_not = Some(why.to_owned());
                break;
            }
            Some(other) if other.has_plus => {}
            _ if is_row => {
                push(&mut found.rows, &rule.values(line));
                continue;
            }
            _ if line.is_empty() => (is_apart, is_over) = (true, true),
            _ => {
                is_over = true;
                found.left_out.push((at + 1, whole));
            }
        }
        found.rows.push('\n');
    }
    Some(found)
}

/// A line whose values are all dashes, perhaps with colons for their alignment.
struct Rule {
    columns: usize,
    /// It begins with a bar or a plus.
    is_framed: bool,
    has_plus: bool,
    /// It has dashes alone.
    is_bare: bool,
}

impl Rule {
    fn of(line: &str) -> Option<Rule> {
        let marks = ['|', '+'];
        let inner = line.strip_prefix(marks).unwrap_or(line);
        let inner = inner.strip_suffix(marks).unwrap_or(inner);
        let is_dashes = |value: &str| {
            let dashes = value.trim();
            let dashes = dashes.strip_prefix(':').unwrap_or(dashes);
            let dashes = dashes.strip_suffix(':').unwrap_or(dashes);
            !dashes.is_empty() && dashes.bytes().all(|byte| byte == b'-')
        };
        inner.split(marks).all(is_dashes).then(|| Rule {
            columns: inner.split(marks).count(),
            is_framed: line.starts_with(marks),
            has_plus: line.contains('+'),
            is_bare: !line.contains(marks),
        })
    }

    /// Whether the line above it may be a header, of however many values.
    fn may_be_below(&self, line: &str) -> bool {
        let line = bare(line, is_quoted(line));
        !line.is_empty() && Rule::of(line).is_none() && (line.contains('|') != self.is_bare)
    }

    /// How many values the line above it has.
    fn count(&self, line: &str) -> usize {
        self.values(bare(line, is_quoted(line))).len()
    }

    /// Whether a line may be a row if the header is one: of what has a header and titles it is not known which is above.
    fn is_like(&self, header: &str, line: &str) -> bool {
        let line = line.trim();
        line.contains('|')
            && !line.starts_with(['#', '>'])
            && line.starts_with('|') == header.starts_with('|')
            && self.values(line).len() == self.columns
    }

    /// The values of a line. A bar outside is beside no value, unless without it there are too few.
    fn values(&self, line: &str) -> Vec<String> {
        if self.is_bare {
            return vec![line.to_owned()];
        }
        let mut values = vec![String::new()];
        let mut chars = line.chars().peekable();
        while let Some(c) = chars.next() {
            match (c, values.last_mut()) {
                ('|', _) => values.push(String::new()),
                ('\\', Some(value)) if chars.next_if_eq(&'|').is_some() => value.push('|'),
                (c, Some(value)) => value.push(c),
                (_, None) => {}
            }
        }
        for value in &mut values {
            *value = value.trim().to_owned();
        }
        let is_outside = |values: &[String]| self.is_framed || values.len() > self.columns;
        if line.starts_with('|') && is_outside(&values) {
            values.remove(0);
        }
        if values.len() > 1 && values.last().is_some_and(String::is_empty) && is_outside(&values) {
            values.pop();
        }
        values
    }
}

/// Whether a line is in a quotation of Markdown.
fn is_quoted(line: &str) -> bool {
    line.trim_start().starts_with('>')
}

/// A line without the spaces around it, and without what quotes it.
fn bare(line: &str, is_quoted: bool) -> &str {
    match is_quoted {
        true => line.trim_start_matches(|c: char| c == '>' || c.is_whitespace()),
        false => line,
    }
    .trim()
}

/// Whether a line is what psql writes below a table: `(2 rows)`.
fn is_footer(line: &str) -> bool {
    let count = line
        .trim()
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(" rows)").or_else(|| rest.strip_suffix(" row)")));
    count.is_some_and(|count| !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Append a line as CSV has it.
fn push(rows: &mut String, values: &[String]) {
    for (at, value) in values.iter().enumerate() {
        rows.push_str(if at > 0 { "|" } else { "" });
        // A line with nothing in it would be no row, and one that begins with # a comment.
        let is_special = value.contains(['|', '"', '\r']) || value.starts_with('#');
        match is_special || values.len() == 1 && value.is_empty() {
            true => rows.push_str(&format!("\"{}\"", value.replace('"', "\"\""))),
            false => rows.push_str(value),
        }
    }
    rows.push('\n');
}
