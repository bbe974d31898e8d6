//! A file that is read again: what was wished for its columns goes by the names that they have in it.

use hornbook_base::{Fault, Pace, cut};

use super::names::Asked;
use super::{ColumnKind, Request, Table, Wishes, no_table, read_once};

/// Read a file whose columns were called `was` when its wishes were made. What is wished for now goes before them.
pub async fn read(request: &Request, was: &[String], text: &str, pace: &Pace) -> Result<Table, Fault> {
    let wishes = &request.wishes;
    let before = Asked::parse(wishes.columns.as_deref().unwrap_or_default())?;
    let now = Asked::parse(wishes.now.as_deref().unwrap_or_default())?;
    let name = now.name.as_ref().or(before.name.as_ref());
    let with = |columns: &[(String, Option<ColumnKind>)]| Request {
        wishes: Wishes {
            columns: Some(written(name, columns)),
            header: now.header.or(wishes.header),
            was: wishes.was.clone(),
            now: None,
        },
        ..request.clone()
    };
    if now.columns.iter().any(|(_, kind)| kind.is_none()) {
        return read_once(&with(&now.columns), text, pace).await;
    }
    let mut table = read_once(&with(&[]), text, pace).await?;
    if before.columns.is_empty() && now.columns.is_empty() {
        return Ok(table);
    }
    if let [about] = &table.tables[..] {
        let found: Vec<&str> = about.columns.iter().map(|column| &*column.name).collect();
        if now.columns.len() >= found.len() {
            return read_once(&with(&now.columns), text, pace).await;
        }
        let (mut columns, lost) = fitting(&before, was, &found);
        for (name, kind) in &now.columns {
            let chosen = columns.iter().position(|(chosen, _)| chosen == name);
            let Some(at) = chosen.or_else(|| found.iter().position(|found| found == name)) else {
                return Err(no_column(request, name, &columns));
            };
            columns[at].1 = *kind;
        }
        table = read_once(&with(&columns), text, pace).await?;
        if !lost.is_empty() {
            let lost = cut(&lost.join(", "), 200);
            let note = format!("It has other columns than before: what was chosen for {lost} is left out.");
            table.tables[0].notes.push(note);
        }
    } else if !now.columns.is_empty() {
        return read_once(&with(&now.columns), text, pace).await;
    } else if let Some(first) = table.tables.first_mut() {
        let note = "It has several sheets now: the names and types that were chosen before are left out.";
        first.notes.push(note.to_owned());
    }
    Ok(table)
}

/// Read a file of which only some columns are named, with their types. `None` if the wishes are others.
pub async fn typed(request: &Request, text: &str, pace: &Pace) -> Option<Result<Table, Fault>> {
    let asked = Asked::parse(request.wishes.columns.as_deref()?).ok()?;
    if asked.columns.is_empty() || asked.columns.iter().any(|(_, kind)| kind.is_none()) {
        return None;
    }
    let request = Request {
        wishes: Wishes {
            columns: None,
            now: request.wishes.columns.clone(),
            ..request.wishes.clone()
        },
        ..request.clone()
    };
    Some(read(&request, &[], text, pace).await)
}

fn no_column(request: &Request, name: &str, columns: &[(String, Option<ColumnKind>)]) -> Fault {
    let all: Vec<&str> = columns.iter().map(|(name, _)| &**name).collect();
    let why = format!("it has no column {name}, and has {}", cut(&all.join(", "), 400));
    let next = "Name every column in the file's order, or only those whose type you say.";
    no_table(&request.filename, &why).with_next(next)
}

/// The wish for these columns, as callers write it.
fn written(name: Option<&String>, columns: &[(String, Option<ColumnKind>)]) -> String {
    let column = |(name, kind): &(String, Option<ColumnKind>)| match kind {
        Some(kind) => format!("{name}: {}", kind.name()),
        None => name.clone(),
    };
    let columns: Vec<String> = columns.iter().map(column).collect();
    match (name, &columns[..]) {
        (Some(name), []) => name.clone(),
        (None, []) => String::new(),
        (name, _) => format!("{}({})", name.map_or("", |name| name), columns.join(", ")),
    }
}

/// What is wished for the columns that are found, and those for which something was and that are not found.
fn fitting<'a>(
    asked: &Asked,
    was: &'a [String],
    found: &[&str],
) -> (Vec<(String, Option<ColumnKind>)>, Vec<&'a str>) {
    let plain = |name: &&str| ((*name).to_owned(), None);
    let wish = |at: usize| asked.columns.get(at);
    let is_wish = |at: &usize| wish(*at).is_some_and(|(name, kind)| kind.is_some() || *name != was[*at]);
    let of = |name: &str| was.iter().position(|before| before == name);
    let columns: Vec<(String, Option<ColumnKind>)> = found
        .iter()
        .map(|name| of(name).and_then(wish).cloned().unwrap_or_else(|| plain(name)))
        .collect();
    let mut names: Vec<&str> = columns.iter().map(|(name, _)| &**name).collect();
    names.sort_unstable();
    names.dedup();
    if names.len() < found.len() {
        // A column that is new has a name that was chosen for another.
        let all = (0..was.len()).filter(is_wish).map(|at| &*was[at]).collect();
        return (found.iter().map(plain).collect(), all);
    }
    let lost = (0..was.len())
        .filter(is_wish)
        .map(|at| &*was[at])
        .filter(|name| !found.contains(name))
        .collect();
    (columns, lost)
}
