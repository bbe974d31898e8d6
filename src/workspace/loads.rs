//! Which file loads which: what a name in a directive means, and the order in which files come into the book.

use std::collections::{BTreeMap, BTreeSet};

use super::Inner;
use super::formats::FileFormat;
use super::needs::{EXTENSIONS, Need, Wanted, is_named, needs};
use super::paths::{FileText, Finds};
use hornbook_base::paths::is_absolute;
use hornbook_base::{Fault, FaultKind};
use hornbook_book::Origin;

/// The files of the book that each loads, in the order of its directives.
pub(super) type Loads = BTreeMap<String, Vec<String>>;

/// What a name in a directive means.
#[derive(Debug)]
enum Meant {
    /// A file of the book.
    Held(String),
    /// A file that the book lacks, at this path.
    Found(String),
}

/// A file that another one loads, or that one itself.
#[derive(Debug)]
pub(super) struct Loaded {
    pub wanted: Wanted,
    /// The file that loads it.
    pub by: Option<String>,
    /// The files that it loads, in order.
    pub loads: Vec<String>,
    /// Its text is what the file has now, which may not be what the book has.
    pub is_read: bool,
}

/// What happens to files of the book that a file loads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    Stay,
    /// They are read again, and what they load.
    Anew,
}

impl Inner {
    /// The files to read for `first`, each before the file that loads it, and `first` last. Also returns
    /// messages about files that cannot be found.
    pub(super) async fn with_needs(
        &self,
        first: Wanted,
        held: Held,
        finds: &Finds,
    ) -> Result<(Vec<Loaded>, Vec<String>), Fault> {
        let mut seen = BTreeSet::from([first.name.clone()]);
        let (mut order, mut missing) = (Vec::new(), Vec::new());
        let pace = self.pace();
        let open = async |wanted: Wanted, by: Option<String>, is_read: bool| {
            let left = needs(&wanted.text, &pace).await.into_iter();
            let loads = Vec::new();
            let loaded = Loaded {
                wanted,
                by,
                loads,
                is_read,
            };
            (loaded, left)
        };
        let mut stack = vec![open(first, None, true).await];
        loop {
            let depth = stack.len();
            let Some((loaded, left)) = stack.last_mut() else {
                return Ok((order, missing));
            };
            let Some(need) = left.next() else {
                order.extend(stack.pop().map(|(loaded, _)| loaded));
                continue;
            };
            let (by, line) = (loaded.wanted.name.clone(), need.line);
            // The file itself is named in no message.
            let of = if depth == 1 {
                String::new()
            } else {
                format!("{by}:")
            };
            let found = match self.meant(&by, &need.name, &seen, finds).await {
                Ok(Meant::Found(path)) if self.is_document(&path) => {
                    if seen.insert(path.clone()) {
                        missing.push(format!(
                            "{of}{line}:0: the book has {path} as a document, not as clauses. Unimport it first."
                        ));
                    }
                    continue;
                }
                Ok(found) => found,
                Err(fault) => {
                    let (name, why) = (&need.name, fault.message.trim_end_matches('.'));
                    missing.push(format!(
                        "{of}{line}:0: {name} is neither in the book nor found: {why}. Import it first."
                    ));
                    continue;
                }
            };
            let (path, is_held) = match found {
                Meant::Held(path) => (path, true),
                Meant::Found(path) => (path, false),
            };
            if path != by && !loaded.loads.contains(&path) {
                loaded.loads.push(path.clone());
            }
            if is_held && (held == Held::Stay || FileFormat::of(&path) != FileFormat::Prolog)
                || !seen.insert(path.clone())
            {
                continue;
            }
            if !is_held {
                let FileText { text, notice } = self.roots.read(&path, self.limits.file_bytes).await?;
                let mut needed = loaded
                    .wanted
                    .loads(need.is_part, path, self.plain_own(text).await.0);
                (needed.notice, needed.is_needed) = (notice, true);
                stack.push(open(needed, Some(by), true).await);
                continue;
            }
            let (text, is_needed) = self.held(&path).expect("it is in the book");
            let mut again = Wanted::alone(path.clone(), text, None);
            again.is_needed = is_needed;
            let is_there = match self.roots.find_once(&path, finds).await {
                Ok(found) => is_absolute(&path) && found == path,
                Err(fault) if fault.kind == FaultKind::FileError && is_absolute(&path) => {
                    missing.push(format!(
                        "{of}{line}:0: {path} is not there any more. The book keeps what it had of it: restore the file, or unimport it."
                    ));
                    false
                }
                Err(_) => false,
            };
            if is_there {
                let FileText { text, notice } = self.roots.read(&path, self.limits.file_bytes).await?;
                (again.text, again.notice) = (self.plain_own(text).await.0, notice);
            }
            stack.push(open(again, Some(by), is_there).await);
        }
    }

    /// All that hangs together with a file of this text: what it loads, what loads it, and what that loads, each before the
    /// file that loads it, as if the files that no other loads were imported in the order that they have in the book.
    /// `loads` are those of the book. Messages as [`Inner::with_needs`] returns them.
    pub(super) async fn together_with(
        &self,
        first: Wanted,
        loads: &Loads,
        finds: &Finds,
    ) -> Result<(Vec<Loaded>, Vec<String>), Fault> {
        let name = first.name.clone();
        let (own, missing) = self.with_needs(first, Held::Anew, finds).await?;
        let mut loads = loads.clone();
        loads.extend(own.iter().map(|one| (one.wanted.name.clone(), one.loads.clone())));
        let mut own: BTreeMap<String, Loaded> = { own.into_iter() }
            .map(|one| (one.wanted.name.clone(), one))
            .collect();
        let mut order = Vec::new();
        for file in in_order(&self.heads(&name, &own, &loads), &loads) {
            if let Some(loaded) = own.remove(&file) {
                order.push(loaded);
            } else if let Some((text, is_needed)) = self.held(&file) {
                let mut wanted = Wanted::alone(file.clone(), text, None);
                wanted.is_needed = is_needed;
                order.push(Loaded {
                    wanted,
                    by: None,
                    loads: loads.remove(&file).unwrap_or_default(),
                    is_read: false,
                });
            }
        }
        Ok((order, missing))
    }

    /// The files that are in the book by themselves and load one of `own`, directly or not, or are one of them: first those
    /// that no other loads, in the order that they have in the book.
    fn heads(&self, name: &str, own: &BTreeMap<String, Loaded>, loads: &Loads) -> Vec<String> {
        let mut together: BTreeSet<&str> = own.keys().map(String::as_str).collect();
        loop {
            let before = together.len();
            let reaches = |(_, files): &(&String, &Vec<String>)| {
                files.iter().any(|file| together.contains(file.as_str()))
            };
            let found: Vec<&str> = { loads.iter().filter(reaches) }
                .map(|(file, _)| file.as_str())
                .collect();
            together.extend(found);
            if together.len() == before {
                break;
            }
        }
        let is_loaded: BTreeSet<&str> = { together.iter() }
            .flat_map(|file| {
                let files = loads.get(*file).into_iter().flatten();
                files.map(String::as_str).filter(move |one| one != file)
            })
            .collect();
        let mut heads: Vec<&str> = together
            .into_iter()
            .filter(|file| *file == name || !self.is_needed(file))
            .collect();
        let book = self.book.borrow();
        heads.sort_by_cached_key(|file| {
            let spot = book.file(file).map(|used| used.span().0.clone());
            (is_loaded.contains(file), spot.is_none(), spot)
        });
        heads.into_iter().map(str::to_owned).collect()
    }

    /// The text with which a file of the book was imported, and whether it came only because another loads it.
    pub(super) fn held(&self, name: &str) -> Option<(String, bool)> {
        let book = self.book.borrow();
        if let Some(emptied) = book.emptied(name) {
            return Some((emptied.text.into_owned(), emptied.is_needed));
        }
        let source = &book.file(name)?.source;
        Some((source.text.to_string(), source.is_needed))
    }

    /// Which files of the book each of them loads.
    pub(super) async fn loads(&self, finds: &Finds) -> Loads {
        let book = self.book();
        let mut loads = Loads::new();
        for (name, used) in book.files() {
            loads.insert(name.to_owned(), self.loaded(name, &used.source.text, finds).await);
        }
        for (name, emptied) in book.all_emptied() {
            loads.insert(name.to_owned(), self.loaded(name, &emptied.text, finds).await);
        }
        loads
    }

    /// The other files of the book that the directives of a text load, in order.
    pub(super) async fn loaded(&self, by: &str, text: &str, finds: &Finds) -> Vec<String> {
        let mut loaded = Vec::new();
        for need in needs(text, &self.pace()).await {
            if let Ok(Meant::Held(file)) = self.meant(by, &need.name, &BTreeSet::new(), finds).await
                && file != by
                && !loaded.contains(&file)
            {
                loaded.push(file);
            }
        }
        loaded
    }

    /// The files that directives load which belong to no file.
    pub(super) async fn loaded_inline(&self, finds: &Finds) -> BTreeSet<String> {
        let (book, pace) = (self.book(), self.pace());
        let mut files = BTreeSet::new();
        for (_, entry) in book.entries() {
            if !entry.is_clause() && !matches!(entry.source().origin, Origin::File(_)) {
                files.extend(self.loaded("", entry.code(), finds).await);
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        files
    }

    /// The file of the book that a directive loads as a part of its module.
    pub(super) async fn meant_part(
        &self,
        by: &str,
        need: &Need,
        also: &str,
        finds: &Finds,
    ) -> Option<String> {
        if !need.is_part {
            return None;
        }
        let also = BTreeSet::from([also.to_owned()]);
        match self.meant(by, &need.name, &also, finds).await {
            Ok(Meant::Held(file)) if file != by => Some(file),
            Ok(Meant::Found(file)) if also.contains(&file) => Some(file),
            _ => None,
        }
    }

    /// The file that a name means in a directive of `by`: the one at that path, but a text that was given with this name
    /// before one that the book lacks; then one that is not at its path any more; and if there is none of these, one that was
    /// imported by itself from elsewhere. `also` are names that the book will have.
    async fn meant(
        &self,
        by: &str,
        need: &str,
        also: &BTreeSet<String>,
        finds: &Finds,
    ) -> Result<Meant, Fault> {
        let found = self.found(by, need, finds).await;
        let is_held = |name: &str| {
            let book = self.book.borrow();
            book.file(name).is_some() || book.emptied(name).is_some()
        };
        let known = |name: String| match is_held(&name) {
            true => Meant::Held(name),
            false => Meant::Found(name),
        };
        if let Ok(path) = &found
            && (is_held(path) || also.contains(path))
        {
            return Ok(known(path.clone()));
        }
        if let Some(given) = self.named(by, need, also, |name| !is_absolute(name)) {
            return Ok(known(given));
        }
        let fault = match found {
            Ok(path) => return Ok(Meant::Found(path)),
            Err(fault) => fault,
        };
        for path in ways(by, need) {
            let gone = self.roots.find_file(&path, is_held).await;
            if let Some(path) = gone.filter(|path| is_held(path)) {
                return Ok(Meant::Held(path));
            }
        }
        let by_itself = |name: &str| !is_absolute(by) || is_held(name) && !self.is_needed(name);
        self.named(by, need, also, by_itself).map(known).ok_or(fault)
    }

    /// The first file with this name that may be meant, and before it one in the same folder.
    fn named(
        &self,
        by: &str,
        need: &str,
        also: &BTreeSet<String>,
        may_be: impl Fn(&str) -> bool,
    ) -> Option<String> {
        let book = self.book.borrow();
        let held = book.files().map(|(name, _)| name);
        let held = held.chain(book.all_emptied().map(|(name, _)| name));
        let names = held.chain(also.iter().map(String::as_str));
        let named = names.filter(|name| *name != by && is_named(name, need) && may_be(name));
        // `false` sorts before `true`; the first of equals wins.
        let first = named.min_by_key(|name| folder(name) != folder(by));
        first.map(str::to_owned)
    }

    /// The path of a file that another one loads: relative to that file, or under a root.
    async fn found(&self, by: &str, need: &str, finds: &Finds) -> Result<String, Fault> {
        let mut fault = None;
        for path in ways(by, need) {
            match self.roots.find_once(&path, finds).await {
                Ok(found) => return Ok(found),
                Err(why) => fault = Some(why),
            }
        }
        Err(fault.expect("there is a path"))
    }
}

/// Where a file may be that another one loads: beside that file, or under a root.
fn ways(by: &str, need: &str) -> impl Iterator<Item = String> {
    let beside = folder(by).map(|folder| format!("{folder}/{need}"));
    { beside.into_iter() }.chain([need.to_owned()]).flat_map(|path| {
        let named = EXTENSIONS.map(|extension| format!("{path}{extension}"));
        named.into_iter().chain([path])
    })
}

fn folder(name: &str) -> Option<&str> {
    name.rsplit_once(['/', '\\']).map(|(folder, _)| folder)
}

/// These files and all that they load, each before the file that loads it.
fn in_order(heads: &[String], loads: &Loads) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut order = Vec::new();
    let open = |file: &str| {
        let left = loads.get(file).cloned().unwrap_or_default();
        (file.to_owned(), left.into_iter())
    };
    for head in heads {
        let mut stack: Vec<_> = seen
            .insert(head.clone())
            .then(|| open(head))
            .into_iter()
            .collect();
        while let Some((_, left)) = stack.last_mut() {
            match left.next() {
                Some(file) if seen.insert(file.clone()) => stack.push(open(&file)),
                Some(_) => {}
                None => order.extend(stack.pop().map(|(file, _)| file)),
            }
        }
    }
    order
}

/// These files, and all that they load.
pub(super) fn reached(files: impl IntoIterator<Item = String>, loads: &Loads) -> BTreeSet<String> {
    let files: Vec<String> = files.into_iter().collect();
    in_order(&files, loads).into_iter().collect()
}
