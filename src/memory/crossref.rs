//! `kn_intel crossref`: what this book and others know about a problem.

use serde_json::json;

use crate::arguments::Arguments;
use crate::budget::{Page, Total, shown};
use crate::draft::{CallContext, Draft};
use crate::graph::page;
use crate::intel::{LEAST, by_turns, find, sum};
use crate::memory::Memory;
use crate::others::Other;
use crate::results::{Crossref, CrossrefItem, RecalledItem, Unread, UnreadBook};

/// The name under which this book appears among the others.
const OWN: &str = "default";
/// The most unreadable books that are listed by name.
const UNREAD: usize = 5;

/// Results alternate between the books, each with its best first; the other books come before this one.
pub(crate) fn crossref(own: &Memory, others: &[Other], arguments: &Arguments, now_ms: u64) -> Crossref {
    let mut lists = Vec::new();
    let mut total = Total::Exactly(0);
    let mut unread = Vec::new();
    let read = others.iter().filter_map(|other| match &other.memory {
        Ok(memory) => Some((other.name.as_str(), &**memory)),
        Err(why) => {
            unread.push(UnreadBook {
                workspace: other.name.clone(),
                why: why.clone(),
            });
            None
        }
    });
    for (name, memory) in read.chain([(OWN, own)]) {
        let (found, all) = best(memory, name, arguments, now_ms);
        lists.push(found);
        total = sum(total, all);
    }
    let (limit, offset) = page(arguments);
    let items = by_turns(lists, |one| one.item.is_over()).skip(offset).take(limit);
    let page = Page {
        items: items.map(|item| json!(item)).collect(),
        offset,
        total,
    };
    let unread = match unread.len() {
        0 => Unread::default(),
        count => {
            unread.truncate(UNREAD);
            Unread {
                unread: Some(count),
                unread_books: Some(unread),
            }
        }
    };
    let (results, counts) = shown(&json!(unread), page, arguments.budget());
    Crossref {
        results,
        unread,
        counts,
    }
}

/// What one book knows, alternating between nodes and experiences.
fn best(memory: &Memory, name: &str, arguments: &Arguments, now_ms: u64) -> (Vec<CrossrefItem>, Total) {
    let given = CallContext {
        now_ms,
        only_reading: true,
        new_id: &mut String::new,
        near: None,
    };
    let draft = Draft::new(memory, given);
    let found = find(&draft, arguments, arguments.text("problem"), LEAST);
    let items =
        by_turns(vec![found.nodes, found.experiences], RecalledItem::is_over).map(|item| CrossrefItem {
            item,
            workspace: name.to_string(),
        });
    (items.collect(), found.total)
}
