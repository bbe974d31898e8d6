//! What running code reads of files: documents, the texts of the book's other files, and files under a root, which the
//! book takes in as documents once the step has ended.

use super::documents::{ROOM, document};
use super::paths::FileText;
use super::turn::Turn;
use super::types::Notice;
use hornbook_book::Operation;
use hornbook_engine::protocol::{list, quote, text_request};
use hornbook_tables::Known;

/// A file that was read for a running goal, and is not in the book yet.
pub(super) struct Read {
    name: String,
    text: String,
}

impl Turn<'_> {
    /// The answer to a goal that asks for a file, as the text of a term: `text(Text)`, `missing`,
    /// `refused(Message)`; to `exists` and `consult` `true` or `false`; to `list` `names(Names)`.
    pub(super) async fn file_answer(&self, name: &str, action: &str) -> String {
        if action == "list" {
            return self.names_in(name).await;
        }
        let path = self.workspace.roots.find_file(name).await;
        let names: Vec<&str> = std::iter::once(name).chain(path.as_deref()).collect();
        match action {
            // What lies under the roots is for those who may take it in.
            "exists" => {
                let is_there = path.is_some() && !self.read_only;
                (is_there || names.iter().any(|name| self.workspace.has(name))).to_string()
            }
            "consult" => {
                let with_extension = self.workspace.roots.find_file(&format!("{name}.pl")).await;
                let in_book = |name: &str| self.workspace.book.borrow().file(name).is_some();
                let loaded = names.iter().any(|name| in_book(name))
                    || in_book(&format!("{name}.pl"))
                    || with_extension.is_some_and(|path| in_book(&path));
                loaded.to_string()
            }
            _ => match names.iter().find_map(|name| self.file_in_book(name)) {
                Some(answer) => answer,
                None if self.read_only => {
                    let message = "the book does not have it, and this client may only read the book";
                    text_request("refused", message)
                }
                None => match &path {
                    Some(path) => self.read_from_root(path).await,
                    None => "missing".to_owned(),
                },
            },
        }
    }

    /// What the book has of a file.
    fn file_in_book(&self, name: &str) -> Option<String> {
        if let Some(read) = self.read.borrow().iter().find(|read| read.name == name) {
            return Some(text_request("text", &read.text));
        }
        let book = self.workspace.book.borrow();
        if let Some(document) = document(&book, name) {
            return Some(text_request("text", document.text));
        }
        let text = &book.file(name)?.source.text;
        Some(match Known::of(text) {
            None => text_request("text", text),
            Some(known) => {
                let columns: Vec<&str> = known.columns().collect();
                let (name, arity, columns) = (known.predicate(), columns.len(), columns.join(", "));
                let message = format!("its rows are the facts {name}/{arity}: call {name}({columns})");
                text_request("refused", &message)
            }
        })
    }

    async fn read_from_root(&self, path: &str) -> String {
        let workspace = self.workspace;
        let read = workspace.roots.read(path, workspace.limits.file_bytes).await;
        let room = |file: FileText| workspace.check_cells(path.len() + file.text.len()).map(|()| file);
        match read.and_then(room) {
            Err(fault) => text_request("refused", fault.message.trim_end_matches('.')),
            Ok(FileText { text, notice }) => {
                if let Some(Notice(notice)) = notice {
                    workspace.supervisor.remark(notice);
                }
                let answer = text_request("text", &text);
                self.read.borrow_mut().push(Read {
                    name: path.to_owned(),
                    text,
                });
                answer
            }
        }
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
        let mut out = String::from("names(");
        list(&mut out, names, |out, name| quote(out, name, '\''));
        out.push(')');
        out
    }

    /// Take the files that goals of this turn have read into the book, each as a revision of its own, so that the
    /// history has what a query read.
    pub(super) async fn keep_read(&self) {
        for Read { name, text } in self.read.take() {
            let kept = self
                .keep_document(Operation::Import(name.clone()), &name, Some(text))
                .await;
            self.workspace.supervisor.remark(match kept {
                Ok(()) => format!("{name} was read, and is now a document of the book."),
                Err(fault) => format!("{name} was read, but is not in the book: {}", fault.message),
            });
        }
    }
}
