//! What the memory already says in nearly the same words: probably what something new is to replace.

use std::collections::{BTreeMap, HashSet};

use crate::draft::Draft;
use crate::kept::{Found, Kept, namespace, normalized};
use crate::record::{Experience, Node};
use crate::words::{keywords, stem, words};

/// Texts are alike from this share of common keywords on (the cosine of their sets), and with this many, or with all.
/// What has other numbers, ids or names is not alike, however much of the rest is: it mostly is one more of its kind.
const ALIKE: f64 = 0.7;
const SHARED: usize = 3;
/// The best finds of the search that are compared.
const COMPARED: usize = 16;
/// The most of them that are told, and the most letters of each.
const TOLD: usize = 2;
const SHOWN: usize = 120;

/// By id, how much alike, and what it says.
type Alike = BTreeMap<String, (f64, String)>;

/// Sentences on what says nearly the same as a new experience, in its namespace. `action` is the one that adds it.
pub(crate) fn like_experience(draft: &Draft, new: &Experience, action: &str) -> Vec<String> {
    let (memory, stems) = (draft.memory, keywords(&new.content));
    let mut found = Alike::new();
    let mut nodes = candidates(draft, "node", &memory.nodes, &new.namespace, &stems);
    nodes.retain(|node| Some(&node.id) != new.node_id.as_ref());
    found.extend(nodes.into_iter().filter_map(|node| {
        let text = said(node);
        Some((node.id.clone(), (alike(&new.content, &stems, &text)?, text)))
    }));
    let experiences = candidates(draft, "experience", &memory.experiences, &new.namespace, &stems);
    found.extend(experiences.into_iter().filter_map(|one| {
        // A node stands for what was learned with it.
        let id = one.node_id.as_ref().unwrap_or(&one.id);
        let likeness = alike(&new.content, &stems, &one.content)?;
        Some((id.clone(), (likeness, one.content.clone())))
    }));
    told(found, |id| {
        format!("If this replaces it, {action} it again with supersedes: \"{id}\"")
    })
}

/// The same for a new node.
pub(crate) fn like_node(draft: &Draft, new: &Node) -> Vec<String> {
    let content = said(new);
    let stems = keywords(&content);
    let nodes = candidates(draft, "node", &draft.memory.nodes, &new.namespace, &stems);
    let found = nodes.into_iter().filter_map(|node| {
        let text = said(node);
        let is_named_so = node.kind == new.kind && normalized(&node.name) == normalized(&new.name);
        let likeness = if is_named_so {
            1.0
        } else {
            alike(&content, &stems, &text)?
        };
        Some((node.id.clone(), (likeness, text)))
    });
    let new = &new.id;
    told(found.collect(), |id| {
        format!("If this replaces it, remove {new} and add it again with supersedes: \"{id}\"")
    })
}

/// What a node says.
fn said(node: &Node) -> String {
    match &node.description {
        Some(text) if node.kind.starts_with("learned_") => text.clone(),
        Some(text) => format!("{}: {text}", node.name),
        None => node.name.clone(),
    }
}

/// What holds now and shares most with these keywords, except what this call has already changed.
fn candidates<'a, R: Found>(
    draft: &Draft,
    room: &str,
    kept: &'a Kept<R>,
    of: &str,
    stems: &[String],
) -> Vec<&'a R> {
    let is_changed = |number: u64| {
        let id = kept.by_number.get(&number);
        let key = id.map(|id| format!("{room}/{id}"));
        draft
            .changes
            .iter()
            .any(|change| Some(&change.key) == key.as_ref())
    };
    let holds = |number| {
        let record = kept.numbered(number);
        record.is_some_and(|one| one.life().seen_at(draft.now, false)) && !is_changed(number)
    };
    let mut found = kept.current.any_of(stems, &[namespace(of)], holds).entries;
    found.sort_by(|(one, score), (other, than)| than.total_cmp(score).then(other.cmp(one)));
    let found = found.into_iter().take(COMPARED);
    found.filter_map(|(number, _)| kept.numbered(number)).collect()
}

/// How much the text is like `new`, which has these keywords, if enough.
fn alike(new: &str, stems: &[String], text: &str) -> Option<f64> {
    let others = keywords(text);
    let stems: HashSet<&String> = stems.iter().collect();
    let shared = others.iter().filter(|stem| stems.contains(stem)).count();
    let likeness = shared as f64 / ((stems.len() * others.len()) as f64).sqrt();
    let enough = shared >= SHARED || (shared == stems.len() && shared == others.len());
    (likeness >= ALIKE && enough && !differ_in_name(new, text)).then_some(likeness)
}

/// Whether each of the texts has a number, an id or a name that the other has not.
fn differ_in_name(one: &str, other: &str) -> bool {
    let has_own = |text: &str, than: &str| {
        let than: HashSet<String> = words(than).iter().map(|word| stem(word)).collect();
        named(text).iter().any(|name| !than.contains(name))
    };
    has_own(one, other) && has_own(other, one)
}

/// The stems of the numbers, ids and names of a text: words with a digit or a capital letter, and what is quoted.
fn named(text: &str) -> Vec<String> {
    let mut quoted = false;
    let mut found = Vec::new();
    for part in text.split_inclusive(['"', '`', '“', '”']) {
        let tokens = part.split_whitespace();
        let names = tokens.filter(|token| quoted || token.chars().any(is_of_name));
        found.extend(names.flat_map(words).map(|word| stem(&word)));
        quoted ^= part.ends_with(['"', '`', '“', '”']);
    }
    found
}

fn is_of_name(letter: char) -> bool {
    letter.is_uppercase() || letter.is_numeric()
}

fn told(found: Alike, next: impl Fn(&str) -> String) -> Vec<String> {
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by(|(_, (one, _)), (_, (other, _))| other.total_cmp(one));
    let found = found.into_iter().take(TOLD);
    let sentences = found.map(|(id, (_, text))| {
        let mut shown: String = text.chars().take(SHOWN).collect();
        if shown.len() < text.len() {
            shown.push('…');
        }
        format!("{id} says nearly the same: “{shown}”. {}", next(&id))
    });
    sentences.collect()
}
