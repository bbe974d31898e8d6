//! Finds the names of the files that a text loads.

use std::rc::Rc;

use super::types::Notice;
use hornbook_base::Pace;
use hornbook_book::lexer::{Lexer, Token, TokenKind};
use hornbook_book::text::unquoted;
use hornbook_book::{Header, Predicate};

/// A file that a directive of a text loads, as named there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Need {
    pub name: String,
    /// The line of the directive, from 1.
    pub line: usize,
    /// Its text belongs to the module of the text that loads it, unless it has a header.
    pub is_part: bool,
}

/// A file to import.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    /// Its path, or the name given with its text.
    pub name: String,
    pub text: String,
    /// An assumption made about the file.
    pub notice: Option<Notice>,
    /// The module to load it into if it has no header, and that module's exports.
    pub module: Option<Rc<str>>,
    pub exports: Option<Vec<Predicate>>,
    /// It comes only because another file loads it.
    pub is_needed: bool,
}

impl Wanted {
    /// A file that no other file loads.
    pub fn alone(name: String, text: String, notice: Option<Notice>) -> Wanted {
        Wanted {
            name,
            text,
            notice,
            module: None,
            exports: None,
            is_needed: false,
        }
    }

    /// A file that this one loads, either as part of its module or on its own.
    pub fn loads(&self, is_part: bool, name: String, text: String) -> Wanted {
        let mut wanted = Wanted::alone(name, text, None);
        if is_part && Header::of_text(&wanted.text).is_none() {
            let own = Header::of_text(&self.text).filter(|header| !header.is_of_user());
            (wanted.module, wanted.exports) = match own {
                Some(header) => (Some(header.module), Some(header.exports.into_iter().collect())),
                None => (self.module.clone(), self.exports.clone()),
            };
        }
        wanted
    }
}

/// How many bytes of a text are searched at once.
const SLICE: usize = 64 << 10;

/// The files that the directives of a text load, not counting libraries.
pub(super) async fn needs(text: &str, pace: &Pace) -> Vec<Need> {
    let mut needs = Vec::new();
    // Facts alone load nothing, and there may be many.
    if !has_neck(text, pace).await {
        return needs;
    }
    let mut clause: Vec<Token> = Vec::new();
    for token in Lexer::of_file(text) {
        // Directives that load files are short.
        if clause.len() < 200 {
            clause.push(token);
        }
        if token.kind == TokenKind::End {
            needs_of(text, &clause, &mut needs);
            clause.clear();
        }
        if pace.is_over(1) {
            pace.rest().await;
        }
    }
    needs
}

/// Whether there is a `:-` in a text.
async fn has_neck(text: &str, pace: &Pace) -> bool {
    let bytes = text.as_bytes();
    for at in (0..bytes.len()).step_by(SLICE) {
        // One byte more, as it may begin with the last.
        let slice = &bytes[at..bytes.len().min(at + SLICE + 1)];
        if slice.windows(2).any(|pair| pair == b":-") {
            return true;
        }
        if pace.is_over(SLICE / 64) {
            pace.rest().await;
        }
    }
    false
}

fn needs_of(text: &str, clause: &[Token], needs: &mut Vec<Need>) {
    let slice = |at: usize| clause.get(at).map_or("", |token| &text[token.start..token.end]);
    if slice(0) != ":-" {
        return;
    }
    let is_part = !matches!(slice(1), "use_module" | "reexport");
    let mut at = match slice(1) {
        "use_module" | "ensure_loaded" | "reexport" | "include" | "consult" | "load_files" => 3,
        "[" => 2,
        _ => return,
    };
    if slice(at) == "[" {
        at += 1;
    }
    let line = text[..clause[0].start].matches('\n').count() + 1;
    loop {
        let mut name = String::new();
        while let Some(token) = clause.get(at) {
            let part = slice(at);
            match token.kind {
                TokenKind::Name => name.push_str(&unquoted(part)),
                TokenKind::Text => name.push_str(part.trim_matches('"')),
                TokenKind::Symbol if part == "/" || part.starts_with("..") => name.push_str(part),
                _ => break,
            }
            at += 1;
        }
        // After `library(lists)` the directive's arguments continue.
        let path = matches!(slice(at), "," | ")" | "]");
        if path && !name.is_empty() {
            needs.push(Need { name, line, is_part });
        } else if !path {
            while !matches!(slice(at), ")" | "") {
                at += 1;
            }
            at += 1;
        }
        // Only a list can hold another file.
        if slice(at) != "," || !matches!(slice(2), "[") && slice(3) != "[" && slice(1) != "[" {
            return;
        }
        at += 1;
    }
}

/// What a directive may leave out of the name of a file.
pub(super) const EXTENSIONS: [&str; 2] = [".pl", ".prolog"];

/// Whether the name in a directive refers to this file of the book: their last parts are equal, apart from the
/// extension.
pub(super) fn is_named(name: &str, need: &str) -> bool {
    let (name, need) = (plain(name), plain(need));
    name == need || name.ends_with(&format!("/{need}")) || need.ends_with(&format!("/{name}"))
}

/// A path without extension, and without steps into a folder and out of it.
fn plain(path: &str) -> String {
    let path = path.replace('\\', "/");
    let stem = EXTENSIONS
        .iter()
        .find_map(|extension| path.strip_suffix(extension));
    let mut parts = Vec::new();
    for part in stem.unwrap_or(&path).split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use hornbook_base::at_once;

    fn names(text: &str) -> Vec<String> {
        let found = at_once(needs(text, &Pace::unbroken()));
        found.into_iter().map(|need| need.name).collect()
    }

    #[test]
    fn a_name_means_a_file_by_whatever_way_it_goes_there() {
        for need in ["c", "./c", "../c", "sub/../c", "./sub/../c.pl", "..//c", "lib/c"] {
            assert!(is_named("/home/lib/c.pl", need), "{need}");
        }
        for need in ["d", "sub/c", "c/d", "cc"] {
            assert!(!is_named("/home/lib/c.pl", need), "{need}");
        }
    }

    #[test]
    fn the_files_that_directives_load() {
        assert_eq!(names(":- use_module(other)."), ["other"]);
        assert_eq!(
            names("p.\n:- use_module('a/b.pl', [q/1]).\n:- include(\"c.pl\")."),
            ["a/b.pl", "c.pl"]
        );
        assert_eq!(
            names(":- [one, 'two.pl'].\n:- consult(dir/three)."),
            ["one", "two.pl", "dir/three"]
        );
        assert_eq!(names(":- ensure_loaded('../up')."), ["../up"]);
        assert_eq!(names(":- use_module([library(lists), mine])."), ["mine"]);
        assert_eq!(at_once(needs("\n\n:- consult(x).", &Pace::unbroken()))[0].line, 3);
        let over_two_slices = format!("{}:- consult(x).", " ".repeat(SLICE - 1));
        assert_eq!(at_once(needs(&over_two_slices, &Pace::unbroken())).len(), 1);
    }

    #[test]
    fn what_loads_no_file() {
        assert!(
            names(":- use_module(library(clpfd)).\n:- use_module(library(dcg/basics), [blank//0]).")
                .is_empty()
        );
        assert!(names(":- use_module(X).\np :- consult(x).\n:- dynamic(p/1).\n% :- consult(y).").is_empty());
    }

    #[test]
    fn a_file_of_the_book_has_its_name_with_or_without_its_folder() {
        assert!(is_named("/data/other.pl", "other"));
        assert!(is_named("other.pl", "./other.pl"));
        assert!(is_named("other", "lib/other"));
        assert!(is_named("/data/other.prolog", "other"));
        assert!(!is_named("/data/another.pl", "other"));
    }
}
