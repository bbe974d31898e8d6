//! What running code reads of files: documents, the texts of the book's other files, and files under a root, which the
//! book takes in as documents once the step has ended.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::documents::ROOM;
use super::needs::EXTENSIONS;
use super::paths::FileText;
use super::request::Watch;
use super::telling::telling;
use super::turn::{Read, Turn};
use super::types::Notice;
use hornbook_base::Fault;
use hornbook_base::paths::without_dots;
use hornbook_engine::protocol::{list, quote, text_request};
use hornbook_engine::reply::Done;
use hornbook_tables::Known;

/// What the book has of a file.
enum InBook {
    /// A document, which engines know.
    Document,
    Text(Rc<str>),
    /// Why it is not read.
    Refused(String),
}

impl Turn<'_> {
    /// The answer to a goal that asks for a file, as the text of a term: `at(Path)` once the engine knows the text under
    /// this path, `missing`, `refused(Message)`; to `exists` `true` or `false`, to `consult` also `document`; to `list`
    /// `names(Names)` or `missing`.
    ///
    /// `lent` are the texts that the engine has for this step alone.
    pub(super) async fn file_answer(
        &self,
        name: &str,
        action: &str,
        lent: &mut BTreeSet<String>,
    ) -> Result<String, Fault> {
        if action == "list" {
            return Ok(self.names_in(name).await);
        }
        let workspace = self.workspace;
        let in_book = |name: &str| workspace.has(name) || self.has_read(name).is_some();
        let plain = without_dots(name);
        let path = match [name, &*plain].into_iter().find(|name| in_book(name)) {
            Some(name) => Some(name.to_owned()),
            None => workspace.roots.find_file(name, in_book).await,
        };
        match action {
            // What lies under the roots is for those who may take it in.
            "exists" => {
                let exists = path.is_some_and(|path| !self.read_only || workspace.has(&path));
                Ok(exists.to_string())
            }
            "consult" => {
                let has_clauses = |name: &str| workspace.book.borrow().file(name).is_some();
                let mut names = vec![path];
                for with_extension in EXTENSIONS.iter().map(|extension| format!("{name}{extension}")) {
                    names.push(workspace.roots.find_file(&with_extension, has_clauses).await);
                    names.push(Some(with_extension));
                }
                let mut names = names.iter().flatten();
                let answer = if names.clone().any(|name| has_clauses(name)) {
                    "true"
                } else if names.any(|name| workspace.is_document(name)) {
                    "document"
                } else {
                    "false"
                };
                Ok(answer.to_owned())
            }
            _ => match path {
                Some(path) => self.read_answer(&path, lent).await,
                None => Ok("missing".to_owned()),
            },
        }
    }

    async fn read_answer(&self, path: &str, lent: &mut BTreeSet<String>) -> Result<String, Fault> {
        let text = match self.file_in_book(path) {
            Some(InBook::Document) => None,
            Some(InBook::Text(text)) => Some(text),
            Some(InBook::Refused(message)) => return Ok(text_request("refused", &message)),
            // What lies under the roots is not told apart from what does not.
            None if self.read_only => return Ok("missing".to_owned()),
            None => match self.read_from_root(path).await {
                Ok(text) => Some(text),
                Err(fault) => return Ok(text_request("refused", fault.message.trim_end_matches('.'))),
            },
        };
        if let Some(text) = text
            && lent.insert(path.to_owned())
        {
            let texts = [(path, &*text)].into_iter();
            for request in telling(self.workspace.roots.first(), "lent", texts) {
                self.ask::<Done>(request, Watch::short("load")).await?;
            }
        }
        let mut out = String::from("at(");
        quote(&mut out, path, '\'');
        out.push(')');
        Ok(out)
    }

    fn has_read(&self, name: &str) -> Option<Rc<str>> {
        let read = self.read.borrow();
        let read = read.iter().find(|read| read.name == name)?;
        Some(read.text.clone())
    }

    fn file_in_book(&self, name: &str) -> Option<InBook> {
        if let Some(text) = self.has_read(name) {
            return Some(InBook::Text(text));
        }
        if self.workspace.is_document(name) {
            return Some(InBook::Document);
        }
        let book = self.workspace.book.borrow();
        let text = &book.file(name)?.source.text;
        Some(match Known::of(text) {
            None => InBook::Text((**text).into()),
            Some(known) => {
                let columns: Vec<&str> = known.columns().collect();
                let (name, arity, columns) = (known.predicate(), columns.len(), columns.join(", "));
                InBook::Refused(format!(
                    "its rows are the facts {name}/{arity}: call {name}({columns}); to read its text, unimport it and import it with format: document"
                ))
            }
        })
    }

    async fn read_from_root(&self, path: &str) -> Result<Rc<str>, Fault> {
        let workspace = self.workspace;
        let FileText { text, notice } = workspace.roots.read(path, workspace.limits.file_bytes).await?;
        let pending = |read: &Read| read.name.len() + read.text.len();
        let pending: usize = self.read.borrow().iter().map(pending).sum();
        workspace.check_cells(pending + path.len() + text.len())?;
        if let Some(Notice(notice)) = notice {
            workspace.supervisor.remark(notice);
        }
        let text: Rc<str> = text.into();
        self.read.borrow_mut().push(Read {
            name: path.to_owned(),
            text: text.clone(),
        });
        Ok(text)
    }

    /// The names of the book's files in a directory, which may be relative to a root.
    async fn names_in(&self, directory: &str) -> String {
        let directory = match directory {
            "." | "./" => "",
            "/" => "/",
            _ => directory.trim_end_matches('/'),
        };
        let mut begins = vec![match directory {
            "" | "/" => directory.to_owned(),
            _ => format!("{directory}/"),
        }];
        let paths = self.workspace.roots.directories(directory).await;
        begins.extend(
            paths
                .iter()
                .map(|path| format!("{}/", path.trim_end_matches('/'))),
        );
        let book = self.workspace.book.borrow();
        let files = book.files().map(|(name, _)| name);
        let all = files.chain(book.cells_of(ROOM).map(|(name, _)| name));
        let mut names: Vec<&str> = all
            .flat_map(|name| begins.iter().filter_map(move |begin| name.strip_prefix(&**begin)))
            .filter(|name| !name.is_empty() && !name.contains('/'))
            .collect();
        names.sort_unstable();
        names.dedup();
        let is_there = directory.is_empty() || (!paths.is_empty() && !self.read_only);
        if names.is_empty() && !is_there {
            return "missing".to_owned();
        }
        let mut out = String::from("names(");
        list(&mut out, names, |out, name| quote(out, name, '\''));
        out.push(')');
        out
    }

    /// Take the files that goals of this turn have read into the book, each as a revision of its own, so that the
    /// history has what a query read.
    pub(super) async fn keep_read(&self) {
        for Read { name, text } in self.read.take() {
            let kept = match self.workspace.has(&name) {
                true => continue,
                false => self.keep_new_document(&name, &text).await,
            };
            self.workspace.supervisor.remark(match kept {
                Ok(()) => format!("{name} was read, and is now a document of the book."),
                Err(fault) => format!("{name} was read, but is not in the book: {}", fault.message),
            });
        }
    }
}
