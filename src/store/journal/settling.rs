//! Lines written with their marks, and what an interrupted write has left put right.

use std::rc::Rc;

use super::State;
use crate::record::Mark;
use crate::recovery::Recovered;
use crate::writer;
use crate::{Store, StoreFault};
use hornbook_base::Pace;

/// Write a line after what ends at `before`, and the mark at `end`. A long line is written in several pieces:
/// it counts only once the mark is written, with the last piece.
pub(super) async fn append(
    store: &dyn Store,
    before: Mark,
    mut pieces: Vec<Vec<u8>>,
    end: Mark,
) -> Result<(), StoreFault> {
    let last = pieces.pop().unwrap_or_default();
    let mut at = before.length;
    for piece in pieces {
        let length = piece.len() as u64;
        store.append(at, piece, before.header().into_bytes()).await?;
        at += length;
    }
    store.append(at, last, end.header().into_bytes()).await
}

/// Make what was found into a journal that can be appended to: a torn end is cut off and kept aside, a
/// journal without a mark is rewritten with all of its history, and records that nobody got a reply for yet
/// are made durable and marked. Returns the notice of what was cut off, and, if it was rewritten, the new
/// journal.
pub(super) async fn settle(
    store: &dyn Store,
    found: &Recovered,
    pace: &Pace,
) -> Result<(Option<String>, Option<State>), StoreFault> {
    let marked = found.header.and_then(|header| header.mark);
    let (mut notice, mut anew) = (None, None);
    if !found.torn.is_empty() {
        let kept = store.set_aside(found.torn.clone()).await?;
        let lost = match marked {
            Some(_) => "Every acknowledged operation is there.",
            None => {
                "The file does not show whether these bytes were an acknowledged operation: inspect them."
            }
        };
        notice = Some(format!(
            "{} ended in the middle of a record, as after a crash: its last {} bytes were cut off and are kept in {kept}. {lost}",
            store.name(),
            found.torn.len()
        ));
    }
    if marked.is_none() {
        let (text, end, sources) = writer::whole(&found.reader.book, usize::MAX, pace).await;
        store.replace(text).await?;
        anew = Some(State {
            end,
            anew: end.length,
            sources: Rc::new(sources),
        });
    } else if !found.torn.is_empty() || marked != Some(found.end) {
        append(store, found.end, Vec::new(), found.end).await?;
    }
    Ok((notice, anew))
}
