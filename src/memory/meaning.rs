//! Similarity in meaning, for hosts that can make vectors of texts. Vectors are not part of the memory: they
//! are made when a search needs them, and whoever makes them may cache them.

use std::collections::BTreeMap;

use futures::future::LocalBoxFuture;

use crate::kept::{Found, Kept};
use crate::memory::Memory;

/// Makes vectors of texts.
pub trait Embed {
    /// One vector per text, in order, all of the same length. The error is a sentence.
    fn embed(&self, texts: Vec<String>) -> LocalBoxFuture<'_, Result<Vec<Vec<f32>>, String>>;
}

/// The most texts in one request to the host.
const TEXTS: usize = 128;
/// The most requests in one search for entries that have no vector yet; the rest wait for the next search.
const REQUESTS: usize = 16;
/// Only this many characters of a text go into its vector.
const CHARS: usize = 8_000;

/// A unit vector; `None` if what came for a text has no direction.
type Direction = Option<Vec<f32>>;

/// By entry number; `None` for an entry that cannot be compared, which only words find.
type Vectors = BTreeMap<u64, Direction>;

/// How near each entry is to a text, by its number, from 0 to 1; without those that are not near at all. A search takes
/// the nearest of those that it may show.
#[derive(Debug, Default)]
pub struct Near {
    pub(crate) nodes: Vec<(u64, f32)>,
    pub(crate) experiences: Vec<(u64, f32)>,
}

/// The vectors of a memory's entries.
#[derive(Default)]
pub(crate) struct Meanings {
    /// The length of every vector.
    length: usize,
    nodes: Vectors,
    experiences: Vectors,
}

/// An entry without a vector: its kind and its number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Entry {
    Node(u64),
    Experience(u64),
}

impl Meanings {
    /// Entries without a vector, newest first, with their texts: as many as fit in one request. Drops the
    /// vectors of entries that are gone.
    pub fn missing(&mut self, memory: &Memory) -> Vec<(Entry, String)> {
        let nodes = missing(&mut self.nodes, &memory.nodes, Entry::Node);
        let room = TEXTS - nodes.len();
        let experiences = missing(&mut self.experiences, &memory.experiences, Entry::Experience);
        nodes
            .into_iter()
            .chain(experiences.into_iter().take(room))
            .collect()
    }

    /// Keep the vector of an entry, and return whether it can be compared.
    pub fn keep(&mut self, entry: Entry, vector: Direction) -> bool {
        let vector = vector.filter(|vector| vector.len() == self.length);
        let is_comparable = vector.is_some();
        match entry {
            Entry::Node(number) => self.nodes.insert(number, vector),
            Entry::Experience(number) => self.experiences.insert(number, vector),
        };
        is_comparable
    }

    pub fn near(&self, text: &[f32]) -> Near {
        Near {
            nodes: near(&self.nodes, text),
            experiences: near(&self.experiences, text),
        }
    }

    /// If the length has changed, so has the model: drop all vectors.
    pub fn expect(&mut self, length: usize) {
        if self.length != length {
            *self = Meanings {
                length,
                ..Meanings::default()
            };
        }
    }
}

fn missing<R: Found>(vectors: &mut Vectors, kept: &Kept<R>, entry: fn(u64) -> Entry) -> Vec<(Entry, String)> {
    vectors.retain(|number, _| kept.by_number.contains_key(number));
    if vectors.len() == kept.by_number.len() {
        return Vec::new();
    }
    let without = kept
        .by_number
        .keys()
        .rev()
        .filter(|number| !vectors.contains_key(number));
    without
        .take(TEXTS)
        .filter_map(|number| Some((entry(*number), text_of(kept.numbered(*number)?))))
        .collect()
}

fn text_of(entry: &impl Found) -> String {
    let document = entry.document();
    let texts: Vec<&str> = document.fields.iter().map(|(_, text)| *text).collect();
    texts.join("\n")
}

fn near(vectors: &Vectors, text: &[f32]) -> Vec<(u64, f32)> {
    let nearness = |vector: &Vec<f32>| vector.iter().zip(text).map(|(a, b)| a * b).sum::<f32>();
    let found = vectors.iter().filter_map(|(number, vector)| {
        let vector = vector.as_ref().filter(|vector| vector.len() == text.len())?;
        Some((*number, nearness(vector)))
    });
    found.filter(|(_, nearness)| *nearness > 0.0).collect()
}

fn normal(mut vector: Vec<f32>) -> Direction {
    let length = vector.iter().map(|part| part * part).sum::<f32>().sqrt();
    if !(length.is_finite() && length > 0.0) {
        return None;
    }
    for part in &mut vector {
        *part /= length;
    }
    Some(vector)
}

/// The unit vectors of texts; an error is a sentence.
pub(crate) async fn vectors_of(embed: &dyn Embed, texts: Vec<String>) -> Result<Vec<Direction>, String> {
    let count = texts.len();
    let start = |text: String| text.chars().take(CHARS).collect();
    let vectors = embed.embed(texts.into_iter().map(start).collect()).await?;
    if vectors.len() != count {
        return Err(format!("{} vectors came for {count} texts", vectors.len()));
    }
    Ok(vectors.into_iter().map(normal).collect())
}

/// The unit vector of one text; an error is a sentence.
pub(crate) async fn vector_of(embed: &dyn Embed, text: &str) -> Result<Vec<f32>, String> {
    let vectors = vectors_of(embed, vec![text.to_string()]).await?;
    let only = vectors.into_iter().next().flatten();
    only.ok_or_else(|| "The topic's vector has no direction: its parts are zero, or no numbers".into())
}

/// The requests one search may make.
pub(crate) fn requests() -> std::ops::Range<usize> {
    0..REQUESTS
}
