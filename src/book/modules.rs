//! Modules: which text of the book belongs to one, and how its predicates are named.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::lexer::{Lexer, Token, TokenKind};
use super::text::{indicators, qualified_indicators, unquoted};
use super::{Book, Entry, EntryId, Kind, Known, Predicate, SourceUse, Spot};

/// The contents of a `module/2` directive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    pub module: Rc<str>,
    pub exports: BTreeSet<Predicate>,
}

/// The module of a text whose header is elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextModule {
    pub name: Rc<str>,
    /// The predicates that its text defines for everyone.
    pub exports: Vec<Predicate>,
}

impl Header {
    /// The header in an entry with this code, if it is one. The name `user` stands for no module.
    pub fn of(kind: Kind, predicate: &Predicate, code: &str) -> Option<Header> {
        if kind != Kind::Directive || predicate.name != "module" {
            return None;
        }
        let named = |token: &Token| token.kind == TokenKind::Name;
        let name = Lexer::new(code).filter(named).nth(1)?;
        let module = unquoted(&code[name.start..name.end]);
        let module = match &*module {
            "knowledge_base" => "user",
            module => module,
        };
        Some(Header {
            module: module.into(),
            exports: indicators(code).into_iter().collect(),
        })
    }

    /// The header of a text, found in its tokens: a `module/2` directive before any clause.
    pub fn of_text(text: &str) -> Option<Header> {
        let mut tokens = Lexer::of_file(text).peekable();
        loop {
            let begin = tokens.peek()?.start;
            let mut clause = tokens.by_ref().take_while(|token| token.kind != TokenKind::End);
            let neck = clause.next()?;
            if &text[neck.start..neck.end] != ":-" {
                return None;
            }
            let name = clause.next()?;
            let name = &text[name.start..name.end];
            let end = clause.last().map_or(neck.end, |token| token.end);
            if name == "module" {
                let predicate = Predicate {
                    name: name.to_owned(),
                    arity: 2,
                };
                return Header::of(Kind::Directive, &predicate, &text[begin..end]);
            }
        }
    }

    pub(super) fn of_entry(entry: &Entry) -> Option<Header> {
        Header::of(entry.kind(), entry.predicate(), entry.code())
    }

    /// Whether the text after it belongs to no module.
    pub fn is_of_user(&self) -> bool {
        &*self.module == "user"
    }
}

impl Predicate {
    /// Whether directives of this name are rules of CHR.
    pub fn is_of_chr_rules(&self) -> bool {
        self.arity == 2 && matches!(&*self.name, "<=>" | "==>" | "@" | "pragma")
    }

    /// A module's private predicate, as engines and entries name it.
    pub fn private(module: &str, name: &str, arity: u32) -> Predicate {
        let name = format!("{module}:{name}");
        Predicate { name, arity }
    }

    /// The module and plain name of a predicate that is private to a module.
    pub fn parts(&self) -> Option<(&str, &str)> {
        let (module, name) = self.name.split_once(':')?;
        let is_word = module.starts_with(|c: char| c == '_' || c.is_alphanumeric());
        (is_word && !name.is_empty()).then_some((module, name))
    }

    /// Its name in the text of its module.
    pub fn plain_name(&self) -> &str {
        self.parts().map_or(&self.name, |(_, name)| name)
    }

    /// Whether the same text could mean either predicate, depending on the module it is read in.
    pub fn is_like(&self, other: &Predicate) -> bool {
        self.arity == other.arity && self.plain_name() == other.plain_name()
    }
}

impl Book {
    /// The headers in the book, each with its source.
    pub fn headers(&self) -> impl Iterator<Item = (&SourceUse, Header)> {
        let sources = self.sources.with_headers();
        sources.flat_map(|used| {
            let entries = used.headers().iter().filter_map(|spot| self.entries.get(spot));
            entries.filter_map(move |entry| Some((used, Header::of_entry(entry)?)))
        })
    }

    /// The module that an entry's text belongs to: that of the last header before it in its source, or else
    /// the one that the file was loaded into.
    pub fn module_at(&self, spot: &Spot, entry: &Entry) -> Option<Rc<str>> {
        let source = entry.source();
        let used = self.source(source.number);
        let before = used.and_then(|used| used.headers().iter().rev().find(|header| *header <= spot));
        match before.and_then(|header| Header::of_entry(self.entries.get(header)?)) {
            Some(header) => (!header.is_of_user()).then_some(header.module),
            None => source.module.as_deref().map(Rc::from),
        }
    }

    /// Like `module_at`, with the module's exports.
    pub fn text_module_at(&self, spot: &Spot, entry: &Entry) -> Option<TextModule> {
        let name = self.module_at(spot, entry)?;
        Some(self.text_module(name))
    }

    /// A module, with the exports of its headers in the book. A predicate that another module already exports
    /// is private to this one.
    pub fn text_module(&self, name: Rc<str>) -> TextModule {
        let headers: Vec<Header> = self.headers().map(|(_, header)| header).collect();
        let (own, others): (Vec<_>, Vec<_>) = headers.into_iter().partition(|header| header.module == name);
        let exports: BTreeSet<Predicate> = own.into_iter().flat_map(|header| header.exports).collect();
        let is_private = |one: &Predicate| {
            let private = Predicate::private(&name, &one.name, one.arity);
            let has_other = others.iter().any(|other| other.exports.contains(one));
            has_other && self.standing(&private).clauses > 0
        };
        TextModule {
            exports: exports.into_iter().filter(|one| !is_private(one)).collect(),
            name,
        }
    }

    /// What a `dynamic`, `data` or `table` directive of the book declares, by indicators.
    pub fn declared(&self, spot: &Spot, entry: &Entry) -> Vec<Predicate> {
        let declared = qualified_indicators(entry.text());
        let home = self.text_module_at(spot, entry);
        let named = |(module, declared): (Option<String>, Predicate)| {
            let of = match module.as_deref() {
                None => home.clone(),
                Some("user" | "knowledge_base") => None,
                Some(module) => Some(self.text_module(module.into())),
            };
            match of {
                Some(TextModule { name, exports })
                    if declared.parts().is_none() && !exports.contains(&declared) =>
                {
                    Predicate::private(&name, &declared.name, declared.arity)
                }
                _ => declared,
            }
        };
        declared.into_iter().map(named).collect()
    }

    /// Whether a `multifile` directive shares what would be this private predicate with other modules: it is flat then.
    pub fn shares(&self, private: &Predicate) -> bool {
        let Some((module, name)) = private.parts() else {
            return false;
        };
        let shared = self
            .entries()
            .filter(|(_, entry)| !entry.is_clause() && entry.predicate().name == "multifile");
        let mut named = shared.flat_map(|(id, entry)| {
            let home = self.module_at(&entry.spot(id), entry);
            qualified_indicators(entry.text())
                .into_iter()
                .map(move |(of, predicate)| (of.or(home.as_deref().map(str::to_owned)), predicate))
        });
        named.any(|(of, predicate)| {
            of.as_deref() == Some(module) && predicate.name == name && predicate.arity == private.arity
        })
    }

    /// A clause turned out to be of another predicate. If its former predicate has no other clauses, that is
    /// no longer known.
    pub fn rename(&mut self, id: EntryId, predicate: Predicate) {
        let Some(before) = self.name_anew(id, predicate) else {
            return;
        };
        if self.renamed.get(&id).is_none() {
            self.renamed.insert(id, before);
        }
    }

    /// Name clauses again as they were recorded. What they turned out to be rested on what names meant since; whoever
    /// reads the book from here on finds what a new process does.
    pub fn name_as_recorded(&mut self) {
        for (id, predicate) in std::mem::take(&mut self.renamed).iter() {
            self.name_anew(*id, (**predicate).clone());
        }
    }

    /// Returns the former predicate; `None` if the book has no such clause.
    fn name_anew(&mut self, id: EntryId, predicate: Predicate) -> Option<Rc<Predicate>> {
        let spot = self.spot(id);
        let entry = self.entries.get(&spot).filter(|entry| entry.is_clause())?;
        let before = entry.predicate().clone();
        let predicate = self.interned(&Rc::new(predicate));
        if let Some(entry) = self
            .entries
            .get(&spot)
            .map(|entry| entry.named(predicate.clone()))
        {
            if entry.is_right() {
                self.rights.insert(id, ());
            } else {
                self.rights.remove(&id);
            }
            self.entries.insert(spot, entry);
        }
        if let Some(was) = self.predicates.get_mut(&before) {
            was.clauses -= 1;
            if was.clauses == 0 && was.known == Known::Written {
                was.known = Known::No;
            }
        }
        if let Some(now) = self.predicates.get_mut(&predicate) {
            now.clauses += 1;
            if now.known == Known::No {
                now.known = Known::Written;
            }
        }
        Some(before)
    }
}
