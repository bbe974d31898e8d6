//! Nodes and experiences: by id, in order of recording, and by their words.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::index::{Document, Filter, Index};
use crate::record::{Experience, Life, Node};
use crate::words::plain;

/// The records of one kind: current ones, and those removed or superseded.
pub(crate) struct Kept<R> {
    pub by_id: HashMap<String, R>,
    pub by_number: BTreeMap<u64, String>,
    pub current: Index,
    pub past: Index,
    /// How many current ones are valid for a limited time.
    pub timed: usize,
    /// Ids of records that may say the same, by a hash of what they say.
    same: HashMap<u64, Vec<String>>,
}

impl<R> Default for Kept<R> {
    fn default() -> Self {
        Kept {
            by_id: HashMap::new(),
            by_number: BTreeMap::new(),
            current: Index::default(),
            past: Index::default(),
            timed: 0,
            same: HashMap::new(),
        }
    }
}

impl<R> Kept<R> {
    pub fn get(&self, id: &str) -> Option<&R> {
        self.by_id.get(id)
    }

    pub fn numbered(&self, number: u64) -> Option<&R> {
        self.by_id.get(self.by_number.get(&number)?)
    }
}

/// A record that is found by its words.
pub(crate) trait Found {
    fn number(&self) -> u64;
    fn life(&self) -> &Life;
    fn document(&self) -> Document<'_>;
    /// Equal for records that say the same.
    fn sameness(&self) -> u64;
}

impl Found for Node {
    fn number(&self) -> u64 {
        self.number
    }

    fn life(&self) -> &Life {
        &self.life
    }

    fn document(&self) -> Document<'_> {
        let (namespace, kind) = (namespace(&self.namespace), Filter::new("type", &self.kind));
        let both = Filter::both(&namespace, &kind);
        let tags = self.tags.iter().flatten();
        let mut fields = vec![(2.0, self.name.as_str())];
        fields.extend(self.description.as_deref().map(|text| (1.0, text)));
        fields.extend(tags.clone().map(|tag| (1.5, tag.as_str())));
        let mut filters = vec![namespace, kind, both];
        filters.extend(tags.map(|tag| Filter::new("tag", tag)));
        Document { fields, filters }
    }

    fn sameness(&self) -> u64 {
        sameness(&self.kind, self.description.as_deref().unwrap_or(&self.name))
    }
}

impl Found for Experience {
    fn number(&self) -> u64 {
        self.number
    }

    fn life(&self) -> &Life {
        &self.life
    }

    fn document(&self) -> Document<'_> {
        let mut fields = vec![(1.0, self.content.as_str())];
        fields.extend(self.context.as_deref().map(|text| (0.5, text)));
        fields.extend(self.tags.iter().map(|tag| (1.0, tag.as_str())));
        let filters = vec![namespace(&self.namespace), Filter::new("type", self.sort.name())];
        Document { fields, filters }
    }

    fn sameness(&self) -> u64 {
        sameness(self.sort.name(), &self.content)
    }
}

pub(crate) fn namespace(name: &str) -> Filter {
    Filter::new("namespace", name)
}

fn sameness(kind: &str, text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (kind, normalized(text)).hash(&mut hasher);
    hasher.finish()
}

/// A text reduced to what matters for its meaning; unchanged if nothing would be left.
pub(crate) fn normalized(text: &str) -> String {
    let plain = plain(text);
    if plain.is_empty() {
        text.trim().to_string()
    } else {
        plain
    }
}

impl<R: Found> Kept<R> {
    pub fn replace(&mut self, id: &str, after: Option<R>) -> Option<R> {
        let before = self.by_id.remove(id);
        if let Some(before) = &before {
            let index = if before.life().is_current() {
                &mut self.current
            } else {
                &mut self.past
            };
            index.remove(before.number(), &before.document());
            self.timed -= usize::from(is_timed(before.life()));
            self.by_number.remove(&before.number());
            if let Some(same) = self.same.get_mut(&before.sameness()) {
                same.retain(|one| one != id);
                if same.is_empty() {
                    self.same.remove(&before.sameness());
                }
            }
        }
        if let Some(after) = after {
            let index = if after.life().is_current() {
                &mut self.current
            } else {
                &mut self.past
            };
            index.insert(after.number(), &after.document());
            self.timed += usize::from(is_timed(after.life()));
            self.by_number.insert(after.number(), id.to_string());
            self.same
                .entry(after.sameness())
                .or_default()
                .push(id.to_string());
            self.by_id.insert(id.to_string(), after);
        }
        before
    }

    /// Candidates of the same kind that may say the same; equal hashes are not proof.
    pub fn same(&self, kind: &str, text: &str) -> impl Iterator<Item = &R> {
        let ids = self.same.get(&sameness(kind, text));
        ids.into_iter().flatten().filter_map(|id| self.by_id.get(id))
    }
}

fn is_timed(life: &Life) -> bool {
    life.is_current() && (life.valid_from.is_some() || life.valid_to.is_some())
}
