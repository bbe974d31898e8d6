//! Restricts reading to files whose real path is inside a root.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::types::Notice;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hornbook_base::paths::{is_absolute, is_inside, without_dots};
use hornbook_base::{Fault, FaultKind, FileFault, Files};

/// The contents of a file.
pub(super) struct FileText {
    pub text: String,
    /// An assumption made about it.
    pub notice: Option<Notice>,
}

/// What was found while one request looks for many files, so that each name is looked for once.
#[derive(Default)]
pub(super) struct Finds {
    /// The real paths of the roots.
    roots: RefCell<Option<Rc<[String]>>>,
    /// By the name that was looked for.
    paths: RefCell<BTreeMap<String, Result<String, Fault>>>,
}

/// The directories from which files may be read.
pub(super) struct Roots {
    files: Rc<dyn Files>,
    /// As given.
    given: Vec<String>,
    first: RefCell<Option<String>>,
}

impl Roots {
    pub fn new(files: Rc<dyn Files>, given: Vec<String>) -> Self {
        Roots {
            files,
            given,
            first: RefCell::default(),
        }
    }

    /// The real path of a file, given an absolute path or one relative to a root.
    pub async fn find(&self, name: &str) -> Result<String, Fault> {
        self.look_for(name, &self.real().await).await
    }

    /// As [`Roots::find`], but what was found before is not looked for again.
    pub async fn find_once(&self, name: &str, finds: &Finds) -> Result<String, Fault> {
        let known = finds.paths.borrow().get(name).cloned();
        if let Some(known) = known {
            return known;
        }
        let roots = finds.roots.borrow().clone();
        let roots = match roots {
            Some(roots) => roots,
            None => {
                let roots: Rc<[String]> = self.real().await.into();
                finds.roots.replace(Some(roots.clone()));
                roots
            }
        };
        let found = self.look_for(name, &roots).await;
        finds.paths.borrow_mut().insert(name.to_owned(), found.clone());
        found
    }

    /// The real path of a file in one of these roots.
    async fn look_for(&self, name: &str, roots: &[String]) -> Result<String, Fault> {
        if name.trim().is_empty() {
            return Err(Fault::new(FaultKind::FileError, "A file name is required."));
        }
        if name.contains('\0') {
            return Err(Fault::new(
                FaultKind::FileError,
                "A file name cannot contain a NUL character.",
            ));
        }
        let mut missing = None;
        for candidate in self.candidates(name) {
            match self.files.resolve(candidate.clone()).await {
                Ok(path) if is_inside(&path, roots) => return Ok(path),
                Ok(_) => {}
                // Do not reveal whether a file outside the roots exists.
                Err(fault) => {
                    let path = without_dots(&candidate);
                    if is_inside(&path, roots) || is_inside(&path, &self.given) {
                        missing = missing.or(Some(fault));
                    }
                }
            }
        }
        Err(match missing {
            Some(FileFault::NotFound) if !is_absolute(name) => {
                let message = format!("File not found: {name} (looked in {})", self.given.join(", "));
                Fault::new(FaultKind::FileError, message)
            }
            Some(fault) => file_fault(name, fault),
            None => self.violation(name),
        })
    }

    /// The real paths of a directory, given as for [`Roots::find`]; of the roots, if it is empty.
    pub async fn directories(&self, name: &str) -> Vec<String> {
        let found = match name {
            "" => return self.real().await,
            _ => self.find(name).await,
        };
        let Ok(path) = found else {
            return Vec::new();
        };
        let is_directory = self.files.list(path.clone()).await.is_ok();
        is_directory.then_some(path).into_iter().collect()
    }

    /// The real path of the root in which relative names are looked for first, once [`Roots::find_first`] has ended.
    pub fn first(&self) -> Option<String> {
        self.first.borrow().clone()
    }

    /// Find out the real path of the first root.
    pub async fn find_first(&self) {
        let Some(root) = self.given.first() else {
            return;
        };
        if self.first.borrow().is_none()
            && let Ok(path) = self.files.resolve(root.clone()).await
        {
            self.first
                .replace(Some(path.trim_end_matches(['/', '\\']).to_owned()));
        }
    }

    /// The real path of a file, given as for [`Roots::find`], or the path of one that the book has, whether it is
    /// still there or not; `None` if there is none, or only a directory.
    pub async fn find_file(&self, name: &str, in_book: impl Fn(&str) -> bool) -> Option<String> {
        if name.trim().is_empty() || name.contains('\0') {
            return None;
        }
        let roots = self.real().await;
        for (root, candidate) in self.candidates_in_roots(name).await {
            match self.files.resolve(candidate).await {
                Ok(path) if !is_inside(&path, &roots) => {}
                Ok(path) if in_book(&path) || self.files.list(path.clone()).await.is_err() => {
                    return Some(path);
                }
                Ok(_) => {}
                Err(_) => {
                    let path = without_dots(&root);
                    if in_book(&path) {
                        return Some(path);
                    }
                }
            }
        }
        None
    }

    /// Where a name may be: by the real path of its root, and by the path as given.
    async fn candidates_in_roots(&self, name: &str) -> Vec<(String, String)> {
        if is_absolute(name) {
            return vec![(name.to_owned(), name.to_owned())];
        }
        let mut candidates = Vec::with_capacity(self.given.len());
        for (root, given) in self.given.iter().zip(self.candidates(name)) {
            let real = self.files.resolve(root.clone()).await;
            candidates.push((
                real.map_or_else(|_| given.clone(), |real| format!("{real}/{name}")),
                given,
            ));
        }
        candidates
    }

    /// The text of a file whose path came from [`Roots::find`], of at most `most` bytes, the limit
    /// `file_bytes`. Text that is not UTF-8 is read as UTF-16 if it starts with the byte order mark, and
    /// otherwise as Windows-1252 or ISO-8859-1, as in older files, unless it is not text at all.
    pub async fn read(&self, path: &str, most: usize) -> Result<FileText, Fault> {
        let bytes = self.bytes(path, most).await?;
        let old = match String::from_utf8(bytes) {
            Ok(text) => return Ok(FileText { text, notice: None }),
            Err(error) => error.into_bytes(),
        };
        if let Some(text) = utf16(&old) {
            return Ok(FileText { text, notice: None });
        }
        if old.contains(&0) {
            return Err(file_fault(path, FileFault::NotText));
        }
        let text: String = old.iter().copied().map(char::from).collect();
        if text.contains(":- encoding(iso_latin_1)") {
            return Ok(FileText { text, notice: None });
        }
        // ISO-8859-1 has controls there, which no text has.
        let (text, encoding) = match old.iter().any(|byte| (0x80..0xa0).contains(byte)) {
            true => (old.into_iter().map(windows_1252).collect(), "Windows-1252"),
            false => (text, "ISO-8859-1"),
        };
        let notice = Some(Notice(format!("{path} is not UTF-8: it was read as {encoding}.")));
        Ok(FileText { text, notice })
    }

    /// The bytes of a file, as [`Roots::read`], in base64.
    pub async fn read_base64(&self, path: &str, most: usize) -> Result<FileText, Fault> {
        let text = BASE64_STANDARD.encode(self.bytes(path, most).await?);
        Ok(FileText { text, notice: None })
    }

    async fn bytes(&self, path: &str, most: usize) -> Result<Vec<u8>, Fault> {
        let read = self.files.read(path.to_owned(), most).await;
        read.map_err(|fault| match fault {
            FileFault::TooLarge => Fault::limit(format!("File {path} is too large"), "file_bytes", most),
            fault => file_fault(path, fault),
        })
    }

    /// Paths of files and directories that start with `prefix`, spelled as in `prefix`.
    pub async fn complete(&self, prefix: &str, limit: usize) -> Vec<String> {
        let (directory, begin) = prefix
            .rsplit_once('/')
            .map_or(("", prefix), |(directory, begin)| {
                if directory.is_empty() {
                    ("/", begin)
                } else {
                    (directory, begin)
                }
            });
        let shown = &prefix[..prefix.len() - begin.len()];
        let roots = self.real().await;
        let mut found = Vec::new();
        for candidate in self.candidates(directory) {
            let Ok(path) = self.files.resolve(candidate).await else {
                continue;
            };
            if !is_inside(&path, &roots) {
                continue;
            }
            let names = self.files.list(path).await.unwrap_or_default();
            found.extend(
                names
                    .iter()
                    .filter(|name| name.starts_with(begin))
                    .map(|name| format!("{shown}{name}")),
            );
        }
        found.sort_unstable();
        found.dedup();
        found.truncate(limit);
        found
    }

    fn candidates(&self, name: &str) -> Vec<String> {
        if is_absolute(name) {
            return vec![name.to_owned()];
        }
        self.given
            .iter()
            .map(|root| format!("{}/{name}", root.trim_end_matches(['/', '\\'])))
            .collect()
    }

    async fn real(&self) -> Vec<String> {
        let mut real = Vec::with_capacity(self.given.len());
        for root in &self.given {
            real.extend(self.files.resolve(root.clone()).await.ok());
        }
        real
    }

    fn violation(&self, name: &str) -> Fault {
        if self.given.is_empty() {
            let message = "File access is off: no roots are allowed.";
            return Fault::new(FaultKind::NoRoots, message);
        }
        let roots = self.given.join(", ");
        let message = format!("File must be within allowed roots: {roots}. Attempted: {name}");
        Fault::new(FaultKind::FilePathViolation, message)
    }
}

fn file_fault(name: &str, fault: FileFault) -> Fault {
    let message = match fault {
        FileFault::NotFound => format!("File not found: {name}"),
        FileFault::NotAFile => format!("Not a file: {name}"),
        FileFault::TooLarge => format!("File is too large: {name}"),
        FileFault::Unreadable(reason) => format!("File cannot be read: {name} ({reason})"),
        FileFault::NotText => format!("File is not text: {name}"),
        FileFault::NotSupported => {
            let fault = Fault::new(FaultKind::FileError, "This host has no files.");
            return fault.with_next("Give the contents as text.");
        }
    };
    Fault::new(FaultKind::FileError, message)
}

/// What Windows-1252 has from 0x80 on where ISO-8859-1 has controls; five of them are the same in both.
const WINDOWS_1252: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";

fn windows_1252(byte: u8) -> char {
    let at = usize::from(byte).checked_sub(0x80);
    let other = at.and_then(|at| WINDOWS_1252.chars().nth(at));
    other.unwrap_or_else(|| char::from(byte))
}

/// The text of bytes that start with the byte order mark of UTF-16, if they are valid UTF-16 throughout.
fn utf16(bytes: &[u8]) -> Option<String> {
    let (mark, rest) = bytes.split_at_checked(2)?;
    let unit: fn([u8; 2]) -> u16 = match mark {
        [0xfe, 0xff] => u16::from_be_bytes,
        [0xff, 0xfe] => u16::from_le_bytes,
        _ => return None,
    };
    let (pairs, []) = rest.as_chunks::<2>() else {
        return None;
    };
    let units = pairs.iter().map(|pair| unit(*pair));
    char::decode_utf16(units).collect::<Result<_, _>>().ok()
}
