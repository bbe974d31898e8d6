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

/// The most entries of each kind that count as near to a text.
pub(crate) const NEAR: usize = 50;
/// The most texts in one request to the host.
const TEXTS: usize = 128;
/// The most requests in one search for entries that have no vector yet; the rest wait for the next search.
const REQUESTS: usize = 16;
/// Only this many characters of an entry go into its vector.
const CHARS: usize = 8_000;

/// Unit vectors by entry number.
type Vectors = BTreeMap<u64, Vec<f32>>;

/// The entries nearest to a text, by number, with their nearness from 0 to 1.
#[derive(Debug, Default)]
pub struct Near {
    pub(crate) nodes: BTreeMap<u64, f32>,
    pub(crate) experiences: BTreeMap<u64, f32>,
}

/// The vectors of a memory's entries.
#[derive(Default)]
pub(crate) struct Meanings {
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

    pub fn keep(&mut self, entry: Entry, vector: Vec<f32>) {
        match entry {
            Entry::Node(number) => self.nodes.insert(number, vector),
            Entry::Experience(number) => self.experiences.insert(number, vector),
        };
    }

    pub fn near(&self, text: &[f32]) -> Near {
        Near {
            nodes: nearest(&self.nodes, text),
            experiences: nearest(&self.experiences, text),
        }
    }

    /// If the length has changed, so has the model: drop all vectors.
    pub fn expect(&mut self, length: usize) {
        let other = |vectors: &Vectors| vectors.values().next().is_some_and(|one| one.len() != length);
        if other(&self.nodes) || other(&self.experiences) {
            *self = Meanings::default();
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
    texts.join("\n").chars().take(CHARS).collect()
}

fn nearest(vectors: &Vectors, text: &[f32]) -> BTreeMap<u64, f32> {
    let mut near: Vec<(u64, f32)> = vectors
        .iter()
        .map(|(number, vector)| (*number, vector.iter().zip(text).map(|(a, b)| a * b).sum::<f32>()))
        .filter(|(_, nearness)| *nearness > 0.0)
        .collect();
    near.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    near.truncate(NEAR);
    near.into_iter().collect()
}

/// The unit vector; `None` for a vector without a direction.
fn normal(mut vector: Vec<f32>) -> Option<Vec<f32>> {
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
pub(crate) async fn vectors_of(embed: &dyn Embed, texts: Vec<String>) -> Result<Vec<Vec<f32>>, String> {
    let count = texts.len();
    let vectors = embed.embed(texts).await?;
    if vectors.len() != count {
        return Err(format!("{} vectors came for {count} texts", vectors.len()));
    }
    let normals: Option<Vec<Vec<f32>>> = vectors.into_iter().map(normal).collect();
    let normals = normals.ok_or("A vector has no direction: its parts are zero, or no numbers")?;
    if normals.windows(2).any(|two| two[0].len() != two[1].len()) {
        return Err("The vectors are not all of one length".into());
    }
    Ok(normals)
}

/// The requests one search may make.
pub(crate) fn requests() -> std::ops::Range<usize> {
    0..REQUESTS
}
