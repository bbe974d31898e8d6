//! Parts of modules: a file without a header that a module's text loads belongs to that module, whichever of
//! the two is imported first.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::Inner;
use super::edit::Edit;
use super::needs::{Need, Wanted, needs};
use super::paths::Finds;
use super::saving::Out;
use super::turn::Turn;
use super::types::{ImportReport, Notice};
use hornbook_base::{Control, Fault};
use hornbook_book::{Book, Header};

/// What must be known before a file is read.
struct Parts {
    /// Files of the book that now belong to its module, to be read again, each before the file that loads it.
    files: Vec<Wanted>,
    /// Warnings about files that it loads and that belong to another module.
    warnings: Vec<String>,
}

/// The reports of the files read before a file.
#[derive(Default)]
pub(super) struct Before<'t> {
    pub errors: Vec<String>,
    pub warnings: Vec<String>,
    pub notices: Vec<Notice>,
    output: String,
    /// The engine is rebuilt once all is read: predicates of files in the book get other names.
    pub edits: Vec<Edit<'t>>,
}

impl<'t> Before<'t> {
    /// Add the report of a file read before.
    pub fn take(&mut self, name: &str, read: ImportReport) {
        let located = |told: Vec<String>| told.into_iter().map(move |one| format!("{name}:{one}"));
        self.errors.extend(located(read.errors));
        self.notices.extend(read.notices);
        self.output.push_str(&read.output);
    }

    /// Add the report of a file that was imported because another loads it; `notice` is an assumption made about it.
    pub fn take_needed(&mut self, name: &str, read: ImportReport, notice: Option<Notice>) {
        let count = read.clauses_added;
        let clauses = if count == 1 { "clause" } else { "clauses" };
        let imported = Notice(format!(
            "{name} was imported because this file loads it: {count} {clauses}."
        ));
        let notices = std::iter::once(imported).chain(notice).collect();
        self.take(name, ImportReport { notices, ..read });
    }

    pub fn join(&mut self, other: Before<'t>) {
        self.errors.extend(other.errors);
        self.warnings.extend(other.warnings);
        self.notices.extend(other.notices);
        self.output.push_str(&other.output);
        self.edits.extend(other.edits);
    }

    /// Whether files of the book were read again.
    pub fn any(&self) -> bool {
        !self.edits.is_empty()
    }

    /// Merge these reports into that of the file itself.
    pub fn told_before(self, report: &mut ImportReport) {
        report.errors.splice(..0, self.errors);
        report.warnings.splice(..0, self.warnings);
        report.notices.splice(..0, self.notices);
        report.output.insert_str(0, &self.output);
    }
}

impl Inner {
    /// The file with its module, if a file of the book loads it as a part, and a notice of that; and
    /// warnings.
    pub(super) async fn at_home(&self, mut wanted: Wanted) -> (Wanted, Vec<String>) {
        if wanted.module.is_some() || Header::of_text(&wanted.text).is_some() {
            return (wanted, Vec::new());
        }
        let current = current(&self.book(), &wanted.name);
        let homes = self.homes(&wanted.name, None).await;
        let home = home(current.as_ref(), &homes);
        let mut warnings = Vec::new();
        if let (Some(home), [_, _, ..]) = (&home, &homes[..]) {
            let others: Vec<&str> = homes
                .iter()
                .filter(|one| *one != home)
                .map(|one| &**one)
                .collect();
            warnings.push(of_another(&wanted.name, home, &others.join(", ")));
        }
        if let Some(home) = home.as_ref().filter(|home| Some(*home) != current.as_ref()) {
            wanted.notice.get_or_insert_with(|| read_as(&wanted.name, home));
        }
        wanted.module = home;
        (wanted, warnings)
    }

    /// Move the files of the book that this one loads as parts into its module, each by an operation of its
    /// own.
    pub(super) async fn take_parts<'t>(
        &self,
        turn: &'t Turn<'_>,
        whole: &Wanted,
        control: &Control,
    ) -> Result<Before<'t>, Fault> {
        let Parts { files, warnings } = self.parts_of(whole).await;
        let mut before = Before {
            warnings,
            ..Before::default()
        };
        if !files.is_empty() {
            turn.need_engine(control).await?;
            before.edits.push(turn.edit());
        }
        let out = Out {
            engine: true,
            stays: false,
            put: None,
            with: &[],
        };
        for part in files {
            let name = part.name.clone();
            self.take_out(turn, &name).await?;
            // What was retracted from it stays so.
            let had = self.had(&name, true, &self.pace()).await;
            let read = self
                .read_again(turn, part, Some(&whole.name), out, had, control)
                .await?;
            before.take(&name, read);
        }
        Ok(before)
    }

    /// Whether a file of the book moves to another module.
    pub(super) fn changes_module(&self, wanted: &Wanted) -> bool {
        let book = self.book.borrow();
        book.file(&wanted.name).is_some() && current(&book, &wanted.name) != wanted.module
    }

    /// The files of the book that become parts of this file's module.
    async fn parts_of(&self, whole: &Wanted) -> Parts {
        let mut parts = Parts {
            files: Vec::new(),
            warnings: Vec::new(),
        };
        let pace = self.pace();
        let loaded = needs(&whole.text, &pace).await;
        if loaded.is_empty() {
            return parts;
        }
        let finds = Finds::default();
        let before = self.headers_of(&whole.name);
        // With other exports, the predicates of its parts get other names.
        let anew = !before.is_empty() && before.first() != Header::of_text(&whole.text).as_ref();
        let mut seen = BTreeSet::from([whole.name.clone()]);
        let mut stack = vec![(whole.clone(), loaded.into_iter())];
        while let Some((by, left)) = stack.last_mut() {
            let Some(need) = left.next() else {
                // The bottom of the stack is the file itself.
                let (read, _) = stack.pop().expect("it is the last one");
                if !stack.is_empty() {
                    parts.files.push(read);
                }
                continue;
            };
            let Some(part) = self.part_of_book(by, &need, &finds).await else {
                continue;
            };
            let Some(module) = part.module.clone().filter(|_| seen.insert(part.name.clone())) else {
                continue;
            };
            let current = current(&self.book(), &part.name);
            if current.as_ref() == Some(&module) && !anew {
                continue;
            }
            let mut homes = self.homes(&part.name, Some(&whole.name)).await;
            homes.push(module.clone());
            let home = home(current.as_ref(), &homes).expect("there is one");
            if home != module {
                parts.warnings.push(of_another(&part.name, &home, &module));
                continue;
            }
            let loaded = needs(&part.text, &pace).await.into_iter();
            stack.push((part, loaded));
        }
        parts
    }

    /// The file of the book, without a header, that a module's text loads, as a part of that module.
    async fn part_of_book(&self, by: &Wanted, need: &Need, finds: &Finds) -> Option<Wanted> {
        let name = self.meant_part(&by.name, need, "", finds).await?;
        let book = self.book.borrow();
        let source = &book.file(&name)?.source;
        let mut part = by.loads(true, name, source.text.to_string());
        part.is_needed = source.is_needed;
        let module = part.module.as_ref()?;
        part.notice = Some(read_as(&part.name, module));
        Some(part)
    }

    /// The modules whose text in the book loads a file of this name as a part, in the order of the book,
    /// ignoring what the file `but` loads.
    async fn homes(&self, name: &str, but: Option<&str>) -> Vec<Rc<str>> {
        let (book, pace, finds) = (self.book(), self.pace(), Finds::default());
        let mut homes: Vec<Rc<str>> = Vec::new();
        for (by, used) in book.files() {
            let is_of_module = !used.headers().is_empty() || used.source.module.is_some();
            if !is_of_module || by == name || Some(by) == but {
                continue;
            }
            for (id, entry) in book.entries_of(used) {
                if pace.is_over(1) {
                    pace.rest().await;
                }
                if entry.is_clause() {
                    continue;
                }
                let mut loads_it = false;
                for need in needs(entry.code(), &pace).await {
                    loads_it |= self.meant_part(by, &need, name, &finds).await.as_deref() == Some(name);
                }
                if loads_it
                    && let Some(module) = book.module_at(&entry.spot(id), entry)
                    && !homes.contains(&module)
                {
                    homes.push(module);
                }
            }
        }
        homes
    }

    /// The headers of a file of the book.
    pub(super) fn headers_of(&self, name: &str) -> Vec<Header> {
        let book = self.book.borrow();
        let Some(file) = book.file(name).filter(|used| !used.headers().is_empty()) else {
            return Vec::new();
        };
        let headers = book
            .headers()
            .filter(|(used, _)| used.source.number == file.source.number);
        headers.map(|(_, header)| header).collect()
    }
}

/// The module that a file of the book was loaded into.
fn current(book: &Book, name: &str) -> Option<Rc<str>> {
    book.file(name)?.source.module.as_deref().map(Rc::from)
}

/// The module of a file: its current one if that still loads it or no other does, otherwise the first that
/// loads it.
fn home(current: Option<&Rc<str>>, homes: &[Rc<str>]) -> Option<Rc<str>> {
    let stays = current.filter(|current| homes.contains(current));
    stays.or(homes.first()).or(current).cloned()
}

fn read_as(name: &str, module: &str) -> Notice {
    Notice(format!("{name} now belongs to module {module}, which loads it."))
}

fn of_another(name: &str, home: &str, other: &str) -> String {
    format!("{name} belongs to module {home}, which also loads it, not to {other}.")
}
