//! A file that is read again: what was wished for its columns goes by the names that they have in it.

use hornbook_base::{Fault, Pace, cut};

use super::names::Asked;
use super::{Request, Table, Wishes, no_table, read_once};

/// Read a file whose columns were called `was` when its wishes were made.
pub async fn read(request: &Request, was: &[String], text: &str, pace: &Pace) -> Result<Table, Fault> {
    let with = |columns: Option<String>| Request {
        wishes: Wishes {
            columns,
            header: request.wishes.header,
            was: None,
        },
        ..request.clone()
    };
    let mut table = read_once(&with(None), text, pace).await?;
    let wished = request.wishes.columns.as_deref().unwrap_or_default();
    if let [about] = &table.tables[..] {
        let found: Vec<&str> = about.columns.iter().map(|column| &*column.name).collect();
        let (columns, lost) = fitting(&Asked::parse(wished)?, was, &found);
        let name = wished.split_once('(').map_or("", |(name, _)| name);
        table = read_once(&with(Some(format!("{name}({})", columns.join(", ")))), text, pace).await?;
        if !lost.is_empty() {
            let lost = cut(&lost.join(", "), 200);
            let note = format!("It has other columns than before: what was chosen for {lost} is left out.");
            table.tables[0].notes.push(note);
        }
    } else if let Some(first) = table.tables.first_mut() {
        let note = "It has several sheets now: the names and types that were chosen before are left out.";
        first.notes.push(note.to_owned());
    }
    Ok(table)
}

/// Read a file of which only some columns are named, with their types. `None` if the wishes are others.
pub async fn typed(request: &Request, text: &str, pace: &Pace) -> Option<Result<Table, Fault>> {
    let wished = request.wishes.columns.as_deref()?;
    let asked = Asked::parse(wished).ok()?;
    if asked.columns.is_empty() || asked.columns.iter().any(|(_, kind)| kind.is_none()) {
        return None;
    }
    let with = |columns: Option<String>| Request {
        wishes: Wishes {
            columns,
            header: request.wishes.header.or(asked.header),
            was: None,
        },
        ..request.clone()
    };
    let table = read_once(&with(asked.name.clone()), text, pace).await.ok()?;
    let [about] = &table.tables[..] else { return None };
    if asked.columns.len() >= about.columns.len() {
        return None;
    }
    let found: Vec<&str> = about.columns.iter().map(|column| &*column.name).collect();
    if let Some((unknown, _)) = asked.columns.iter().find(|(name, _)| !found.contains(&&**name)) {
        let why = format!(
            "it has no column {unknown}, and has {}",
            cut(&found.join(", "), 400)
        );
        let next = "Name every column in the file's order, or only those whose type you say.";
        return Some(Err(no_table(&request.filename, &why).with_next(next)));
    }
    let column = |name: &&str| {
        let said = asked.columns.iter().find(|(asked, _)| asked == name);
        let kind = said.and_then(|(_, kind)| *kind);
        kind.map_or_else(|| (*name).to_owned(), |kind| format!("{name}: {}", kind.name()))
    };
    let columns: Vec<String> = found.iter().map(column).collect();
    let wished = format!("{}({})", asked.name.unwrap_or_default(), columns.join(", "));
    Some(read_once(&with(Some(wished)), text, pace).await)
}

/// What is wished for the columns that are found, and those for which something was and that are not found.
fn fitting<'a>(asked: &Asked, was: &'a [String], found: &[&str]) -> (Vec<String>, Vec<&'a str>) {
    let wish = |at: usize| {
        let (name, kind) = asked.columns.get(at)?;
        Some(kind.map_or_else(|| name.clone(), |kind| format!("{name}: {}", kind.name())))
    };
    let is_wish = |at: &usize| wish(*at).is_some_and(|wish| wish != was[*at]);
    let of = |name: &str| was.iter().position(|before| before == name);
    let name_of = |at: usize| asked.columns.get(at).map(|(name, _)| &**name);
    let mut names: Vec<&str> = found
        .iter()
        .map(|name| of(name).and_then(name_of).unwrap_or(name))
        .collect();
    names.sort_unstable();
    names.dedup();
    if names.len() < found.len() {
        // A column that is new has a name that was chosen for another.
        let all = (0..was.len()).filter(is_wish).map(|at| &*was[at]).collect();
        return (found.iter().map(|name| (*name).to_owned()).collect(), all);
    }
    let columns = found
        .iter()
        .map(|name| of(name).and_then(wish).unwrap_or_else(|| (*name).to_owned()))
        .collect();
    let lost = (0..was.len())
        .filter(is_wish)
        .map(|at| &*was[at])
        .filter(|name| !found.contains(name))
        .collect();
    (columns, lost)
}
