//! Finds what is where in a text that is being written.

use super::Workspace;
use super::check::check_readable;
use super::places::Places;
use super::request::Watch;
use super::types::*;
use hornbook_base::{Control, Fault};
use hornbook_engine::protocol;
use hornbook_engine::reply::{
    BadReply, Outlined, OutlinedItem, OutlinedKind, OutlinedMark, OutlinedMarkKind,
};

impl Workspace {
    /// Where a text defines, calls and mentions predicates, and where its variables and other tokens are,
    /// clause by clause. Nothing is added.
    pub async fn outline(&self, text: &str, control: &Control) -> Result<Vec<OutlineItem>, Fault> {
        check_readable(&self.0, text).await?;
        let turn = self.0.turn(control).await?;
        let places = Places::new(text);
        let believe = |outlined: Outlined| within(&places, outlined);
        let outlined = turn
            .ask_believing(protocol::outline(text), Watch::short("outline"), believe)
            .await?;
        Ok(outlined
            .items
            .into_iter()
            .map(|item| outline_item(&places, item))
            .collect())
    }
}

/// Check that items and marks are within the text.
fn within(places: &Places, outlined: Outlined) -> Result<Outlined, BadReply> {
    let is_within = |item: &OutlinedItem| {
        places.has(item.start, item.end) && item.marks.iter().all(|mark| places.has(mark.start, mark.end))
    };
    match outlined.items.iter().all(is_within) {
        true => Ok(outlined),
        false => Err(BadReply::new("it names a place outside of the text")),
    }
}

fn outline_item(places: &Places, item: OutlinedItem) -> OutlineItem {
    let mark = |OutlinedMark {
                    kind,
                    start,
                    end,
                    predicate,
                    module,
                }: OutlinedMark| {
        let (name, arity) = predicate
            .map(|predicate| (predicate.name, predicate.arity))
            .unzip();
        OutlineMark {
            kind: match kind {
                OutlinedMarkKind::Head => OutlineMarkKind::Head,
                OutlinedMarkKind::Call => OutlineMarkKind::Call,
                OutlinedMarkKind::Indicator => OutlineMarkKind::Indicator,
                OutlinedMarkKind::Variable => OutlineMarkKind::Variable,
                OutlinedMarkKind::Atom => OutlineMarkKind::Atom,
                OutlinedMarkKind::Number => OutlineMarkKind::Number,
                OutlinedMarkKind::String => OutlineMarkKind::String,
                OutlinedMarkKind::Comment => OutlineMarkKind::Comment,
            },
            start: places.unit_of(start),
            end: places.unit_of(end),
            name,
            arity,
            module,
        }
    };
    OutlineItem {
        kind: match item.kind {
            OutlinedKind::Fact => OutlineKind::Fact,
            OutlinedKind::Rule => OutlineKind::Rule,
            OutlinedKind::Grammar => OutlineKind::Grammar,
            OutlinedKind::Directive => OutlineKind::Directive,
            OutlinedKind::Error => OutlineKind::Error,
            OutlinedKind::Comments => OutlineKind::Comments,
        },
        start: places.unit_of(item.start),
        end: places.unit_of(item.end),
        marks: item.marks.into_iter().map(mark).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(start: usize, end: usize, marks: Vec<(usize, usize)>) -> OutlinedItem {
        let mark = |(start, end)| OutlinedMark {
            kind: OutlinedMarkKind::Atom,
            start,
            end,
            predicate: None,
            module: None,
        };
        OutlinedItem {
            kind: OutlinedKind::Fact,
            start,
            end,
            marks: marks.into_iter().map(mark).collect(),
        }
    }

    #[test]
    fn places_become_units_of_utf_16() {
        let places = Places::new("p('😀', é).");
        let told = outline_item(&places, item(0, 10, vec![(2, 5), (7, 8)]));
        let marks: Vec<_> = told.marks.iter().map(|mark| (mark.start, mark.end)).collect();
        assert_eq!((told.start, told.end, marks), (0, 11, vec![(2, 6), (8, 9)]));
    }

    #[test]
    fn a_place_outside_of_the_text_is_not_believed() {
        let places = Places::new("p(a).");
        let of = |item| within(&places, Outlined { items: vec![item] }).is_ok();
        assert!(of(item(0, 5, vec![(2, 3)])));
        assert!(!of(item(0, 6, vec![])));
        assert!(!of(item(0, 5, vec![(3, 2)])));
        assert!(!of(item(0, 5, vec![(2, 9)])));
    }
}
