//! Who may change what: the facts `may_change(Client, What)` of the book. They are read here and never run, so
//! nothing that a client defines changes what they mean.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fmt;
use std::iter::Peekable;

use hornbook_base::{Pace, Who};

use super::lexer::{Lexer, Token, TokenKind};
use super::text::unquoted;
use super::{Book, Entry, EntryId, Kind, Origin, Predicate, Revision};

/// How many of a client's rules a refusal shows.
const SHOWN: usize = 5;

/// A fact: what it lets whom change.
#[derive(Debug, PartialEq)]
struct Rule {
    client: Client,
    what: Vec<What>,
}

/// Whom a fact is about.
#[derive(Debug, PartialEq)]
enum Client {
    Any,
    Named(String),
    /// Whom the host lets do this.
    Scope(String),
}

/// What a fact lets its client change.
#[derive(Debug, PartialEq)]
enum What {
    Everything,
    /// What stands in this file, or the document of this name.
    File(String),
    /// The clauses of a predicate; of directives, those with such a goal.
    Of(Predicate),
    /// What is kept beside the clauses: `memory`, `workflow`, `documents`.
    Room(String),
}

impl Client {
    fn is(&self, who: &Who) -> bool {
        match self {
            Client::Any => true,
            Client::Named(name) => **name == *who.name,
            Client::Scope(scope) => who.scope.as_deref() == Some(scope),
        }
    }
}

impl What {
    /// Whether it has this entry; the facts themselves are for those who may change everything.
    fn has(&self, entry: &Entry) -> bool {
        match (self, &entry.source().origin) {
            (What::Everything, _) => true,
            _ if entry.is_right() => false,
            (What::File(file), Origin::File(name)) => *file == **name,
            (What::Of(predicate), _) => *predicate == **entry.predicate(),
            _ => false,
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Everything => out.write_str("everything"),
            What::File(name) => write!(out, "the file {name}"),
            What::Of(predicate) => write!(out, "{predicate}"),
            What::Room(room) => write!(out, "`{room}`"),
        }
    }
}

impl Book {
    /// The facts that say who may change what, in the order of their ids. Without any, everybody may change
    /// everything.
    pub fn rights(&self) -> impl Iterator<Item = (EntryId, &Entry)> {
        let rights = self.rights.iter().map(|(id, ())| *id);
        rights.filter_map(|id| Some((id, self.get(id)?)))
    }

    /// Why a client may not make this change of the book: a sentence or two that name the facts which are about the
    /// client. `None` if it may.
    pub async fn forbids(&self, who: &Who, revision: &Revision, pace: &Pace) -> Option<String> {
        let rules = Rules::of(self, who)?;
        let changed = forbidden(&rules.allowed, revision, pace).await?;
        Some(rules.refusal(who, &changed))
    }

    /// Why a client may not write records of its own making into the log of the book, which could be anything.
    pub fn forbids_records(&self, who: &Who) -> Option<String> {
        let rules = Rules::of(self, who).filter(|rules| !rules.allowed.contains(&What::Everything))?;
        Some(rules.refusal(who, "the book through its log"))
    }
}

/// What the facts of a book say of a client.
struct Rules<'a> {
    allowed: Vec<What>,
    /// The facts about it.
    about: Vec<&'a Entry>,
    first: &'a Entry,
    /// A clause that is no such fact.
    unread: Option<&'a Entry>,
}

impl<'a> Rules<'a> {
    /// `None` if the book has none.
    fn of(book: &'a Book, who: &Who) -> Option<Rules<'a>> {
        let (_, first) = book.rights().next()?;
        let mut rules = Rules {
            allowed: Vec::new(),
            about: Vec::new(),
            first,
            unread: None,
        };
        for (_, entry) in book.rights() {
            match Rule::of(entry) {
                None => rules.unread = rules.unread.or(Some(entry)),
                Some(rule) if rule.client.is(who) => {
                    rules.allowed.extend(rule.what);
                    rules.about.push(entry);
                }
                Some(_) => {}
            }
        }
        Some(rules)
    }

    fn refusal(&self, who: &Who, changed: &str) -> String {
        let name = match &*who.name {
            "" => "A client without a name",
            name => name,
        };
        let rules = match self.about.is_empty() {
            true => format!(
                "The book has rules of who may change what, such as {}, and none is about it.",
                shown(self.first)
            ),
            false => {
                let named: Vec<String> = self.about.iter().take(SHOWN).map(|entry| shown(entry)).collect();
                let more = match self.about.len().saturating_sub(SHOWN) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                format!("What it may change: {}{more}.", named.join(", "))
            }
        };
        let unread = self.unread.map_or(String::new(), |entry| {
            format!(
                " Nobody may change anything by {}, which is no such fact.",
                shown(entry)
            )
        });
        format!("{name} may not change {changed}, and nothing was changed. {rules}{unread}")
    }
}

/// How messages name a fact: its text, and where it stands.
fn shown(entry: &Entry) -> String {
    let code = entry.code();
    let code = code.strip_suffix('.').unwrap_or(code);
    match &entry.source().origin {
        Origin::File(name) => format!("`{code}` ({name}:{})", entry.line()),
        Origin::Inline | Origin::Run => format!("`{code}`"),
    }
}

/// The first thing that a revision changes and that is not among what is allowed.
async fn forbidden(allowed: &[What], revision: &Revision, pace: &Pace) -> Option<String> {
    if allowed.contains(&What::Everything) {
        return None;
    }
    let mut of_file = false;
    let after: OnceCell<BTreeMap<EntryId, &Entry>> = OnceCell::new();
    // Where a clause of a file is replaced, the others come back as they were.
    let stays = |id: &EntryId| {
        let before = revision.removed.binary_search_by_key(id, |(id, _)| *id).ok();
        let after = after.get_or_init(|| revision.added.iter().map(|(id, entry)| (*id, entry)).collect());
        before
            .zip(after.get(id))
            .is_some_and(|(before, after)| is_same(&revision.removed[before].1, after))
    };
    for (id, entry) in revision.removed.iter().chain(&revision.added) {
        if pace.is_over(1) {
            pace.rest().await;
        }
        let Some(by) = allowed.iter().find(|what| what.has(entry)) else {
            match stays(id) {
                true => continue,
                false => return Some(named(entry)),
            }
        };
        of_file |= matches!(by, What::File(_));
    }
    for change in &revision.known {
        let has = |what: &What| matches!(what, What::Of(predicate) if *predicate == *change.predicate);
        // A file declares what it likes.
        if !of_file && !allowed.iter().any(has) {
            return Some(change.predicate.to_string());
        }
    }
    for change in &revision.cells {
        let has = |what: &What| match what {
            What::Room(room) => **room == *change.room,
            What::File(name) => &*change.room == "documents" && **name == *change.key,
            What::Everything | What::Of(_) => false,
        };
        if !allowed.iter().any(has) {
            return Some(match &*change.room {
                "documents" => format!("the document {}", change.key),
                room => format!("`{room}`"),
            });
        }
    }
    None
}

/// Whether an entry comes back as it was.
fn is_same(before: &Entry, after: &Entry) -> bool {
    let (was, is) = (before.source(), after.source());
    before.code() == after.code()
        && before.predicate() == after.predicate()
        && before.kind() == after.kind()
        && before.place() == after.place()
        && (&was.origin, &was.module) == (&is.origin, &is.module)
}

/// How a refusal calls what would change.
fn named(entry: &Entry) -> String {
    let predicate = entry.predicate();
    let what = match entry.kind() {
        _ if entry.is_right() => return "who may change what (may_change/2)".to_owned(),
        Kind::Directive => format!("directives like {predicate}"),
        _ => predicate.to_string(),
    };
    match &entry.source().origin {
        Origin::File(name) => format!("{what} in {name}"),
        Origin::Inline | Origin::Run => what,
    }
}

impl Rule {
    /// `None` if the clause is no such fact.
    fn of(entry: &Entry) -> Option<Rule> {
        let code = entry.code();
        let mut terms = Terms {
            code,
            tokens: Lexer::new(code).peekable(),
        };
        terms.next()?;
        // A clause may be qualified with a module.
        if terms.take(":") {
            terms.next()?;
        }
        if !terms.take("(") {
            return None;
        }
        let client = terms.client()?;
        if !terms.take(",") {
            return None;
        }
        let what = terms.list()?;
        let is_whole = terms.take(")") && terms.tokens.all(|token| token.kind == TokenKind::End);
        is_whole.then_some(Rule { client, what })
    }
}

/// The tokens of a fact that have yet to be read.
struct Terms<'a> {
    code: &'a str,
    tokens: Peekable<Lexer<'a>>,
}

impl<'a> Terms<'a> {
    fn next(&mut self) -> Option<(TokenKind, &'a str)> {
        let token = self.tokens.next()?;
        Some((token.kind, &self.code[token.start..token.end]))
    }

    /// Whether the next token reads so; then it is taken.
    fn take(&mut self, text: &str) -> bool {
        let code = self.code;
        let reads = |token: &Token| &code[token.start..token.end] == text;
        self.tokens.next_if(reads).is_some()
    }

    fn client(&mut self) -> Option<Client> {
        let (kind, text) = self.next()?;
        match kind {
            TokenKind::Variable => Some(Client::Any),
            TokenKind::Name if text == "scope" && self.take("(") => {
                let (kind, scope) = self.next()?;
                let scope = name_of(kind, scope)?;
                self.take(")").then_some(Client::Scope(scope))
            }
            _ => name_of(kind, text).map(Client::Named),
        }
    }

    /// One thing, or a list of them.
    fn list(&mut self) -> Option<Vec<What>> {
        if self.take("[]") {
            return Some(Vec::new());
        }
        if !self.take("[") {
            return Some(vec![self.what()?]);
        }
        let mut all = Vec::new();
        if self.take("]") {
            return Some(all);
        }
        loop {
            all.push(self.what()?);
            if self.take("]") {
                return Some(all);
            }
            if !self.take(",") {
                return None;
            }
        }
    }

    fn what(&mut self) -> Option<What> {
        let (kind, text) = self.next()?;
        if kind == TokenKind::Variable {
            return Some(What::Everything);
        }
        let name = name_of(kind, text)?;
        if text == "file" && self.take("(") {
            let (kind, file) = self.next()?;
            let file = name_of(kind, file)?;
            return self.take(")").then_some(What::File(file));
        }
        let (module, name) = match self.take(":") {
            true => {
                let (kind, text) = self.next()?;
                (Some(name), name_of(kind, text)?)
            }
            false => (None, name),
        };
        if !self.take("/") {
            return module.is_none().then_some(What::Room(name));
        }
        let arity = self.next()?.1.parse().ok()?;
        Some(What::Of(match module {
            Some(module) => Predicate::private(&module, &name, arity),
            None => Predicate { name, arity },
        }))
    }
}

/// The text that an atom or a string stands for.
fn name_of(kind: TokenKind, text: &str) -> Option<String> {
    match kind {
        TokenKind::Name => Some(unquoted(text)),
        TokenKind::Text => Some(text.strip_prefix('"')?.strip_suffix('"')?.to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::super::{Cell, Delta, Draft, Operation, Piece, text};
    use super::*;
    use hornbook_base::at_once;

    fn predicate(name: &str, arity: u32) -> Rc<Predicate> {
        let name = name.to_owned();
        Rc::new(Predicate { name, arity })
    }

    fn piece(id: i64, range: std::ops::Range<usize>, kind: Kind, of: Rc<Predicate>) -> Piece {
        Piece {
            id: EntryId(id),
            place: None,
            start: range.start,
            end: range.end,
            kind,
            predicate: of,
            restore: None,
        }
    }

    /// The entries of a text, all of one predicate.
    fn entries(book: &mut Book, origin: Origin, text: &str, kind: Kind, of: &Rc<Predicate>) -> Delta {
        let first = book.next_last();
        let ranges = text::clause_ranges(text).into_iter().zip(first..);
        let pieces = ranges
            .map(|(range, id)| piece(id, range, kind, of.clone()))
            .collect();
        let draft = Draft {
            origin,
            text: text.to_owned(),
            tail: text.len(),
            pieces,
            module: None,
        };
        Delta {
            added: book.draft(draft, 0),
            ..Delta::default()
        }
    }

    fn ruled(rules: &str) -> Book {
        let mut book = Book::default();
        let of = predicate("may_change", 2);
        let file = Origin::File("rights.pl".into());
        let delta = entries(&mut book, file, rules, Kind::Fact, &of);
        enter(&mut book, delta);
        book
    }

    fn enter(book: &mut Book, delta: Delta) {
        let revision = book
            .plan(Operation::Assert, 0, delta)
            .expect("it changes something");
        book.apply(revision);
    }

    fn who(name: &str) -> Who {
        Who {
            name: name.into(),
            scope: Some("write".into()),
        }
    }

    fn why(book: &Book, name: &str, delta: Delta) -> Option<String> {
        let revision = book
            .plan(Operation::Assert, 0, delta)
            .expect("it changes something");
        at_once(book.forbids(&who(name), &revision, &Pace::unbroken()))
    }

    /// Whether this client may add a fact of `name/1`.
    fn may_add(rules: &str, client: &str, name: &str) -> bool {
        let mut book = ruled(rules);
        let of = predicate(name, 1);
        let delta = entries(&mut book, Origin::Inline, "f(1).", Kind::Fact, &of);
        why(&book, client, delta).is_none()
    }

    #[test]
    fn a_fact_lets_its_client_change_what_it_says() {
        for (rule, is_allowed) in [
            ("may_change(eve, note/1).", true),
            ("may_change('eve', [price/2, note/1]).", true),
            ("may_change(\"eve\", note/1).", true),
            ("may_change(_, note/1).", true),
            ("may_change(scope(write), note/1).", true),
            ("may_change(eve, _).", true),
            ("m:may_change(eve, note/1).", true),
            ("may_change(eve, note/2).", false),
            ("may_change(eve, m:note/1).", false),
            ("may_change(eve, []).", false),
            ("may_change(eve, [ ]).", false),
            ("may_change(ann, note/1).", false),
            ("may_change(scope(propose), note/1).", false),
            ("may_change(scope(eve), note/1).", false),
            ("may_change(eve, note).", false),
            ("may_change(eve, file(note)).", false),
            ("may_change(eve, note/1) :- true.", false),
            ("may_change(eve, [note/1|_]).", false),
            ("may_change(eve, [note/1, 7]).", false),
            ("may_change(f(eve), note/1).", false),
        ] {
            assert_eq!(may_add(rule, "eve", "note"), is_allowed, "{rule}");
        }
    }

    #[test]
    fn without_facts_everybody_may_change_everything() {
        let mut book = Book::default();
        let of = predicate("may_change", 2);
        let delta = entries(&mut book, Origin::Inline, "may_change(eve, []).", Kind::Fact, &of);
        assert_eq!(why(&book, "eve", delta), None);
    }

    #[test]
    fn the_facts_are_for_those_who_may_change_everything_in_whatever_file_or_module() {
        let rules = "may_change(eve, [may_change/2, file('eve.pl'), note/1]). may_change(ann, _).";
        for (name, origin) in [
            ("may_change", Origin::Inline),
            ("may_change", Origin::File("eve.pl".into())),
            ("m:may_change", Origin::Inline),
        ] {
            let mut book = ruled(rules);
            let of = predicate(name, 2);
            let delta = entries(&mut book, origin, "may_change(eve, _).", Kind::Fact, &of);
            let refused = why(&book, "eve", delta.clone()).expect("it refuses");
            assert!(refused.contains("who may change what"), "{refused}");
            assert_eq!(why(&book, "ann", delta), None);
        }
        let book = ruled(rules);
        let ids = book.entries().map(|(id, _)| id).collect();
        let delta = Delta {
            removed: ids,
            ..Delta::default()
        };
        assert!(why(&book, "eve", delta).is_some());
    }

    #[test]
    fn a_file_covers_what_stands_in_it_and_a_room_its_cells() {
        let mut book = ruled("may_change(eve, [file('eve.pl'), memory]).");
        let of = predicate("op", 3);
        let mut added = |name: &str| {
            let origin = Origin::File(name.into());
            let text = ":- op(700, xfx, =>).";
            entries(&mut book, origin, text, Kind::Directive, &of)
        };
        let (own, others) = (added("eve.pl"), added("shop.pl"));
        assert_eq!(why(&book, "eve", own), None);
        let refused = why(&book, "eve", others).expect("it refuses");
        assert!(refused.contains("directives like op/3 in shop.pl"), "{refused}");
        let cell = |room: &str, key: &str| Delta {
            cells: vec![Cell {
                room: room.into(),
                key: key.into(),
                value: Some("v".into()),
            }],
            ..Delta::default()
        };
        assert_eq!(why(&book, "eve", cell("memory", "k")), None);
        assert_eq!(why(&book, "eve", cell("documents", "eve.pl")), None);
        assert!(why(&book, "eve", cell("documents", "shop.txt")).is_some());
        assert!(why(&book, "eve", cell("draft", "eve/1")).is_some());
    }

    #[test]
    fn what_comes_back_as_it_was_is_no_change() {
        let mut book = ruled("may_change(eve, note/1).");
        let file = || Origin::File("both.pl".into());
        let text = "price(1). note(1).";
        let ranges = text::clause_ranges(text);
        let (price, note) = (predicate("price", 1), predicate("note", 1));
        let mut both = |text: &str, second: std::ops::Range<usize>| {
            let draft = Draft {
                origin: file(),
                text: text.to_owned(),
                tail: text.len(),
                pieces: vec![
                    piece(50, ranges[0].clone(), Kind::Fact, price.clone()),
                    piece(51, second, Kind::Fact, note.clone()),
                ],
                module: None,
            };
            book.draft(draft, 0)
        };
        let first = both(text, ranges[1].clone());
        let changed = both("price(1). note(2).", ranges[1].clone());
        let spoiled = both("price(2). note(1).", ranges[1].clone());
        let added = |added| Delta {
            added,
            ..Delta::default()
        };
        enter(&mut book, added(first));
        let instead = |entries| Delta {
            removed: vec![EntryId(50), EntryId(51)],
            ..added(entries)
        };
        assert_eq!(why(&book, "eve", instead(changed)), None);
        let refused = why(&book, "eve", instead(spoiled)).expect("it refuses");
        assert!(refused.contains("may not change price/1 in both.pl"), "{refused}");
    }

    #[test]
    fn a_refusal_names_the_facts_about_the_client_and_those_that_cannot_be_read() {
        let rules = "may_change(eve, note/1).\nmay_change(ann, _).\nmay_change(eve, X) :- own(X).";
        let mut book = ruled(rules);
        let of = predicate("price", 1);
        let delta = entries(&mut book, Origin::Inline, "price(1).", Kind::Fact, &of);
        assert_eq!(
            why(&book, "eve", delta.clone()).expect("it refuses"),
            "eve may not change price/1, and nothing was changed. What it may change: `may_change(eve, note/1)` \
             (rights.pl:1). Nobody may change anything by `may_change(eve, X) :- own(X)` (rights.pl:3), which is no such fact."
        );
        let refused = why(&book, "joe", delta).expect("it refuses");
        assert!(refused.contains("such as `may_change(eve, note/1)` (rights.pl:1), and none is about it"));
    }
}
