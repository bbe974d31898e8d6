//! An ordered map that is cheap to copy.

use std::borrow::Borrow;
use std::fmt;
use std::rc::Rc;

/// The most elements in a leaf.
const MOST: usize = 128;

type Leaf<K, V> = Rc<Vec<(K, V)>>;

/// An ordered map. Copies share the leaves in which they do not differ, so that copying is cheap, and
/// changing one copy does not affect readers of another.
#[derive(Clone)]
pub struct Leaves<K, V> {
    /// No leaf is empty.
    leaves: Rc<Vec<Leaf<K, V>>>,
    len: usize,
}

impl<K, V> Default for Leaves<K, V> {
    fn default() -> Self {
        Leaves {
            leaves: Rc::default(),
            len: 0,
        }
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for Leaves<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Leaves<K, V> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_map().entries(self.iter()).finish()
    }
}

impl<K, V> Leaves<K, V> {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// In order of the keys.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> {
        self.leaves
            .iter()
            .flat_map(|leaf| leaf.iter().map(|(key, value)| (key, value)))
    }

    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }
}

impl<K: Ord + Clone, V: Clone> Leaves<K, V> {
    /// The leaf that holds the key, or would hold it.
    fn leaf_of<Q: Ord + ?Sized>(&self, key: &Q) -> usize
    where
        K: Borrow<Q>,
    {
        let after = self.leaves.partition_point(|leaf| leaf[0].0.borrow() <= key);
        after.saturating_sub(1)
    }

    /// The leaf of a key and its position there; `Err` with where it would be.
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<(usize, usize), (usize, usize)>
    where
        K: Borrow<Q>,
    {
        // Keys inserted in order come after all others.
        if let Some(last) = self.leaves.last()
            && last[last.len() - 1].0.borrow() < key
        {
            return Err((self.leaves.len() - 1, last.len()));
        }
        let leaf = self.leaf_of(key);
        let Some(found) = self.leaves.get(leaf) else {
            return Err((leaf, 0));
        };
        match found.binary_search_by(|(known, _)| known.borrow().cmp(key)) {
            Ok(at) => Ok((leaf, at)),
            Err(at) => Err((leaf, at)),
        }
    }

    pub fn get_key_value<Q: Ord + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        let (leaf, at) = self.find(key).ok()?;
        let (key, value) = &self.leaves[leaf][at];
        Some((key, value))
    }

    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.get_key_value(key).map(|(_, value)| value)
    }

    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let place = self.find(key).ok()?;
        Some(self.value(place))
    }

    /// The value of a key, inserted if missing.
    pub fn get_or_insert_with(&mut self, key: &K, value: impl FnOnce() -> V) -> &mut V {
        let place = match self.find(key) {
            Ok(place) => place,
            Err(place) => self.put(place, key.clone(), value()),
        };
        self.value(place)
    }

    fn value(&mut self, (leaf, at): (usize, usize)) -> &mut V {
        let leaves = Rc::make_mut(&mut self.leaves);
        &mut Rc::make_mut(&mut leaves[leaf])[at].1
    }

    /// Insert or replace the value of a key.
    pub fn insert(&mut self, key: K, value: V) {
        match self.find(&key) {
            Ok(place) => *self.value(place) = value,
            Err(place) => drop(self.put(place, key, value)),
        }
    }

    /// Insert a key at its position. Returns the position that it then has.
    fn put(&mut self, (leaf, at): (usize, usize), key: K, value: V) -> (usize, usize) {
        self.len += 1;
        let leaves = Rc::make_mut(&mut self.leaves);
        let Some(found) = leaves.get_mut(leaf) else {
            leaves.push(Rc::new(vec![(key, value)]));
            return (leaf, 0);
        };
        let elements = Rc::make_mut(found);
        if elements.len() < MOST {
            elements.insert(at, (key, value));
            return (leaf, at);
        }
        // Appending leaves full leaves behind.
        let middle = if at == MOST { MOST } else { MOST / 2 };
        let mut rest = elements.split_off(middle);
        let place = if at < middle {
            elements.insert(at, (key, value));
            (leaf, at)
        } else {
            rest.insert(at - middle, (key, value));
            (leaf + 1, at - middle)
        };
        leaves.insert(leaf + 1, Rc::new(rest));
        place
    }

    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let (leaf, at) = self.find(key).ok()?;
        self.len -= 1;
        let leaves = Rc::make_mut(&mut self.leaves);
        let elements = Rc::make_mut(&mut leaves[leaf]);
        let (_, value) = elements.remove(at);
        if elements.is_empty() {
            leaves.remove(leaf);
        }
        Some(value)
    }

    /// The elements whose keys come after this one, or all if it is `None`.
    pub fn after<'a>(&'a self, key: Option<&K>) -> impl Iterator<Item = (&'a K, &'a V)> + use<'a, K, V> {
        let (leaf, at) = match key.map(|key| self.find(key)) {
            None => (0, 0),
            Some(Ok((leaf, at))) => (leaf, at + 1),
            Some(Err(place)) => place,
        };
        let first = self.leaves.get(leaf).map_or(&[][..], |found| &found[at..]);
        let others = self.leaves.iter().skip(leaf + 1).flat_map(|leaf| leaf.iter());
        first.iter().chain(others).map(|(key, value)| (key, value))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_an_ordered_map_and_its_copies_do_not_change(
            changes in prop::collection::vec((any::<bool>(), 0..400u16), 0..1_500),
            begin in 0..400u16,
        ) {
            let mut leaves = Leaves::default();
            let mut known = BTreeMap::new();
            let mut copies = Vec::new();
            for (at, (insert, key)) in changes.into_iter().enumerate() {
                if insert {
                    leaves.insert(key, at);
                    known.insert(key, at);
                } else {
                    prop_assert_eq!(leaves.remove(&key), known.remove(&key));
                }
                *leaves.get_or_insert_with(&begin, || 0) += 1;
                *known.entry(begin).or_insert(0) += 1;
                prop_assert_eq!(leaves.get(&key), known.get(&key));
                if at % 300 == 0 {
                    copies.push((leaves.clone(), known.clone()));
                }
            }
            copies.push((leaves, known));
            for (leaves, known) in copies {
                prop_assert_eq!(leaves.len(), known.len());
                prop_assert!(leaves.iter().eq(known.iter()));
                let after = known.range((std::ops::Bound::Excluded(begin), std::ops::Bound::Unbounded));
                prop_assert!(leaves.after(Some(&begin)).eq(after));
            }
        }
    }
}
