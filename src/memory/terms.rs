//! Search texts: words and operators.

use crate::words::{is_joint, stem, words};

/// A search text: all of its words, anywhere. `word*` is a prefix; `NOT word`, and `OR` between words, in
/// capitals, are operators where they stand between words; everything else is text.
#[derive(Debug, Default, PartialEq)]
pub struct Query {
    pub groups: Vec<Group>,
}

#[derive(Debug, Default, PartialEq)]
pub struct Group {
    pub all: Vec<Word>,
    pub none: Vec<Word>,
}

#[derive(Debug, PartialEq)]
pub enum Word {
    Whole(String),
    Beginning(String),
}

impl Query {
    pub fn read(text: &str) -> Query {
        let parts: Vec<&str> = text.split_whitespace().collect();
        let mut groups = vec![Group::default()];
        let mut negated = false;
        for (at, part) in parts.iter().enumerate() {
            let between = at > 0 && at + 1 < parts.len();
            let begun = groups.last().is_some_and(|group| !group.all.is_empty());
            match *part {
                "NOT" if between && begun && !negated => negated = true,
                "OR" if between && begun && !negated => groups.push(Group::default()),
                "AND" if between && begun && !negated => {}
                part => {
                    let words = read_words(part);
                    if let Some(group) = groups.last_mut() {
                        if negated {
                            group.none.extend(words)
                        } else {
                            group.all.extend(words)
                        }
                    }
                    negated = false;
                }
            }
        }
        for group in &mut groups {
            group.leave_out_joints();
        }
        groups.retain(|group| !group.all.is_empty());
        Query { groups }
    }
}

impl Group {
    /// Joint words count only if there are no others.
    fn leave_out_joints(&mut self) {
        let says_something = |word: &Word| match word {
            Word::Whole(stem) => !is_joint(stem),
            Word::Beginning(_) => true,
        };
        if self.all.iter().any(says_something) {
            self.all.retain(says_something);
        }
    }
}

fn read_words(part: &str) -> Vec<Word> {
    let mut words = words(part);
    let last = if part.ends_with('*') { words.pop() } else { None };
    words
        .into_iter()
        .map(|word| Word::Whole(stem(&word)))
        .chain(last.map(Word::Beginning))
        .collect()
}
