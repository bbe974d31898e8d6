//! Two revisions as texts that can be compared. A file that was read again stands behind what was added meanwhile, which
//! would look like all of its clauses having gone and come; so it stands in both texts where it is in the later one.

use std::collections::{BTreeMap, BTreeSet};

use hornbook_base::Pace;

use super::{Book, Entry, EntryId, Origin};

type Entries<'a> = Vec<(EntryId, &'a Entry)>;

/// The texts of two revisions.
pub struct Compared {
    pub before: String,
    pub after: String,
    /// The files that stand behind other clauses than before.
    pub moved: Vec<Box<str>>,
}

impl Book {
    /// The book after two of the revisions that are known; `None` if one is not.
    pub async fn compared(&self, before: u64, after: u64, pace: &Pace) -> Option<Compared> {
        let before = self.entries_at(before, pace).await?;
        let after = self.entries_at(after, pace).await?;
        let (before, moved) = in_order_of(before, &after, pace).await;
        Some(Compared {
            before: self.text_of(before.into_iter(), self.bytes(), pace).await,
            after: self.text_of(after.into_iter(), self.bytes(), pace).await,
            moved,
        })
    }
}

/// Entries with the files that were read again until `after` where they are there, and the names of those that are thus
/// elsewhere.
async fn in_order_of<'a>(
    before: Entries<'a>,
    after: &Entries<'a>,
    pace: &Pace,
) -> (Entries<'a>, Vec<Box<str>>) {
    let (were, are) = (files(&before, pace).await, files(after, pace).await);
    let again: BTreeSet<&str> = were
        .iter()
        .filter(|(name, number)| are.get(*name).is_some_and(|now| now != *number))
        .map(|(name, _)| *name)
        .collect();
    if again.is_empty() {
        return (before, Vec::new());
    }
    let mut known = BTreeSet::new();
    for (id, _) in &before {
        known.insert(*id);
        if pace.is_over(1) {
            pace.rest().await;
        }
    }
    let is_again = |entry: &'a Entry| -> Option<&'a str> { file(entry).filter(|name| again.contains(name)) };
    let stand_behind = behind(&before, is_again, &known, pace).await;
    let will_behind = behind(after, is_again, &known, pace).await;
    let (mut of_files, mut others): (BTreeMap<&str, Entries<'a>>, Entries<'a>) = Default::default();
    for (id, entry) in before {
        match is_again(entry) {
            Some(name) => of_files.entry(name).or_default().push((id, entry)),
            None => others.push((id, entry)),
        }
        if pace.is_over(1) {
            pace.rest().await;
        }
    }
    let mut following: BTreeMap<Option<EntryId>, Vec<&str>> = BTreeMap::new();
    for (name, behind) in &will_behind {
        following.entry(*behind).or_default().push(name);
    }
    let mut take = |behind: Option<EntryId>| -> Entries<'a> {
        let names = following.remove(&behind).unwrap_or_default();
        names
            .into_iter()
            .flat_map(|name| of_files.remove(name).unwrap_or_default())
            .collect()
    };
    let mut ordered = take(None);
    for (id, entry) in others {
        ordered.push((id, entry));
        ordered.append(&mut take(Some(id)));
        if pace.is_over(1) {
            pace.rest().await;
        }
    }
    let stood: BTreeMap<&str, Option<EntryId>> = stand_behind.into_iter().collect();
    let moved = will_behind
        .into_iter()
        .filter(|(name, behind)| stood.get(name) != Some(behind))
        .map(|(name, _)| name.into());
    (ordered, moved.collect())
}

fn file(entry: &Entry) -> Option<&str> {
    match &entry.source().origin {
        Origin::File(name) => Some(name),
        Origin::Inline | Origin::Run => None,
    }
}

/// The files of entries, each with the number of the source that it is.
async fn files<'a>(entries: &Entries<'a>, pace: &Pace) -> BTreeMap<&'a str, u32> {
    let mut files = BTreeMap::new();
    let mut last = None;
    for (_, entry) in entries {
        let number = entry.source().number;
        if last != Some(number)
            && let Some(name) = file(entry)
        {
            files.insert(name, number);
        }
        last = Some(number);
        if pace.is_over(1) {
            pace.rest().await;
        }
    }
    files
}

/// The files that were read again, in order, each with the last entry before it that is in no such file and is known.
async fn behind<'a>(
    entries: &Entries<'a>,
    is_again: impl Fn(&'a Entry) -> Option<&'a str>,
    known: &BTreeSet<EntryId>,
    pace: &Pace,
) -> Vec<(&'a str, Option<EntryId>)> {
    let mut found: Vec<(&str, Option<EntryId>)> = Vec::new();
    let (mut last, mut within) = (None, None);
    for (id, entry) in entries {
        match is_again(entry) {
            Some(name) if within != Some(name) => {
                within = Some(name);
                if found.iter().all(|(other, _)| *other != name) {
                    found.push((name, last));
                }
            }
            Some(_) => {}
            None => {
                within = None;
                last = Some(*id).filter(|id| known.contains(id)).or(last);
            }
        }
        if pace.is_over(1) {
            pace.rest().await;
        }
    }
    found
}
