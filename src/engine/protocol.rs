//! Requests: each is the text of one Prolog term, and the texts that follow it (`docs/engine-protocol.md`).

mod boot;
mod terms;

use std::fmt::Write;

use hornbook_book::{Batch, EntryId, Predicate, Run, TextModule, runs};

pub use boot::{BootOptions, Capability, Unknown, boot};
use terms::{follow, write_indicators, write_length, write_runs};
pub use terms::{list, quote, seconds, text_request};

/// How `add` reads its texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddKind {
    /// All texts share one scope for `op` and flag directives; a last period may be missing.
    Inline,
    /// Each text has its own scope.
    File,
}

impl AddKind {
    fn name(self) -> &'static str {
        match self {
            AddKind::Inline => "inline",
            AddKind::File => "file",
        }
    }
}

/// The ids for clauses that running code adds.
#[derive(Debug, Clone, Copy)]
pub struct NextIds {
    pub last: EntryId,
    pub first: EntryId,
}

/// How far a query may go in one request.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    pub take: usize,
    pub soft_ms: u64,
    pub next: NextIds,
}

impl Bounds {
    fn write(self, out: &mut String) {
        let Bounds { take, soft_ms, next } = self;
        let _ = write!(out, ",{take},{},{},{})", seconds(soft_ms), next.last, next.first);
    }
}

/// `module` is the module of the texts unless they name one. If there are `more` texts, [`add_text`] brings them.
pub fn add(
    kind: AddKind,
    module: Option<&TextModule>,
    sources: &[impl AsRef<str>],
    more: bool,
    ids: &[Run],
    max: usize,
) -> String {
    let mut out = String::from("add(");
    of_module(&mut out, module, |out| out.push_str(kind.name()));
    out.push(',');
    write_lengths(&mut out, sources, more);
    out.push(',');
    write_runs(&mut out, ids);
    let _ = write!(out, ",{max})");
    follow(&mut out, sources.iter().map(AsRef::as_ref));
    out
}

/// Go on with an addition, and bring its next text.
pub fn add_text(source: &str, more: bool, ids: &[Run], max: usize) -> String {
    let mut out = add_more(ids, max);
    out.pop();
    out.push(',');
    write_lengths(&mut out, &[source], more);
    out.push(')');
    follow(&mut out, std::iter::once(source));
    out
}

fn write_lengths(out: &mut String, sources: &[impl AsRef<str>], more: bool) {
    list(out, sources, |out, source| write_length(out, source.as_ref()));
    if more {
        out.pop();
        out.push_str(",later]");
    }
}

/// A kind of text, wrapped in the module that it belongs to.
fn of_module(out: &mut String, module: Option<&TextModule>, kind: impl Fn(&mut String)) {
    let Some(TextModule { name, exports }) = module else {
        return kind(out);
    };
    out.push_str("module(");
    quote(out, name, '\'');
    out.push(',');
    write_indicators(out, exports);
    out.push(',');
    kind(out);
    out.push(')');
}

pub fn add_more(ids: &[Run], max: usize) -> String {
    let mut out = String::from("add_more(");
    write_runs(&mut out, ids);
    let _ = write!(out, ",{max})");
    out
}

pub fn add_abort() -> String {
    "add_abort".to_owned()
}

pub fn retract(text: &str) -> String {
    text_request("retract", text)
}

pub fn remove(ids: &[Run]) -> String {
    let mut out = String::from("remove(");
    write_runs(&mut out, ids);
    out.push(')');
    out
}

/// Remove all clauses of these predicates, then add the batches; a batch that does not begin its source is
/// read in the scope of the one before it. Each batch gets one more id than it has clauses, `NO_ENTRY`, so
/// that it is read to its end and a surplus clause is reported.
pub fn reload(predicates: &[Predicate], batches: &[Batch]) -> String {
    let one_more = Run {
        first: NO_ENTRY,
        count: 1,
    };
    let kind = |out: &mut String, batch: &Batch| {
        of_module(out, batch.module.as_ref(), |out| {
            let of = if batch.begins { "file" } else { "part" };
            let _ = write!(out, "{of}({})", batch.source);
        });
    };
    with_batches("reload", predicates, batches, kind, Some(one_more))
}

/// Tell what these directives name, before the text that they are in is read.
pub fn names(batches: &[Batch]) -> String {
    let kind = |out: &mut String, batch: &Batch| {
        of_module(out, batch.module.as_ref(), |out| {
            out.push_str(AddKind::File.name())
        });
    };
    with_batches("names", &[], batches, kind, None)
}

/// Ask what differs from a book that knows these predicates and has these entries.
pub fn agree(predicates: &[Predicate], batches: &[Batch]) -> String {
    let kind = |out: &mut String, batch: &Batch| {
        of_module(out, batch.module.as_ref(), |out| {
            out.push_str(AddKind::File.name())
        });
    };
    with_batches("agree", predicates, batches, kind, None)
}

fn with_batches(
    name: &str,
    predicates: &[Predicate],
    batches: &[Batch],
    kind: impl Fn(&mut String, &Batch),
    one_more: Option<Run>,
) -> String {
    let mut out = format!("{name}(");
    write_indicators(&mut out, predicates);
    out.push(',');
    list(&mut out, batches, |out, batch| {
        out.push_str("load(");
        kind(out, batch);
        out.push(',');
        write_length(out, &batch.text);
        out.push(',');
        let mut ids = runs(&batch.ids);
        ids.extend(one_more);
        write_runs(out, &ids);
        out.push(')');
    });
    out.push(')');
    follow(&mut out, batches.iter().map(|batch| batch.text.as_str()));
    out
}

/// An id that no entry has.
const NO_ENTRY: EntryId = EntryId(0);

/// Make these predicates known, even if they have no clauses.
pub fn declare(predicates: &[Predicate]) -> String {
    let mut out = String::from("declare(");
    write_indicators(&mut out, predicates);
    out.push(')');
    out
}

/// Remove these predicates and their clauses, and forget them.
pub fn undeclare(predicates: &[Predicate]) -> String {
    let mut out = String::from("undeclare(");
    write_indicators(&mut out, predicates);
    out.push(')');
    out
}

pub fn reset() -> String {
    "reset".to_owned()
}

/// `assumed` are the texts of clauses that hold for this query alone. A query that assumes something, even if
/// nothing is in it, leaves no change behind.
pub fn query(id: u64, text: &str, assumed: Option<&[String]>, bounds: Bounds) -> String {
    let name = match assumed {
        None => "query",
        Some(_) => "query_assuming",
    };
    let mut out = format!("{name}({id},");
    quote(&mut out, text, '"');
    if let Some(assumed) = assumed {
        out.push(',');
        list(&mut out, assumed, |out, text| quote(out, text, '"'));
    }
    bounds.write(&mut out);
    out
}

/// Bring facts of a predicate up to date: `rows` is the text of a list of terms whose arguments are those of a fact, and
/// `key` are the places that tell facts apart, from 1. `bounds.take` is ignored.
pub fn upsert(predicate: &Predicate, key: &[usize], rows: &str, bounds: Bounds) -> String {
    let Bounds { soft_ms, next, .. } = bounds;
    let mut out = String::with_capacity(rows.len() + rows.len() / 4);
    out.push_str("upsert(");
    quote(&mut out, &predicate.name, '\'');
    let _ = write!(out, ",{},", predicate.arity);
    list(&mut out, key, |out, place| {
        let _ = write!(out, "{place}");
    });
    out.push(',');
    quote(&mut out, rows, '"');
    let _ = write!(out, ",{},{},{})", seconds(soft_ms), next.last, next.first);
    out
}

/// The host's answer to a question of a query.
pub enum HostAnswer<'a> {
    Text(&'a str),
    /// Its time is up.
    Stop,
}

/// What may ask the host a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asker {
    /// The query with this number.
    Query(u64),
    /// The goal of a directive, which asks for files only.
    Directive,
    /// What is explained, or the goal of a constraint, which asks for linked data only.
    Explanation,
}

/// Continue the step that has asked the host.
pub fn answered(asker: Asker, answer: HostAnswer<'_>, bounds: Bounds) -> String {
    let mut out = match asker {
        Asker::Query(number) => format!("told({number},"),
        Asker::Directive => String::from("told(-1,"),
        Asker::Explanation => String::from("told(-2,"),
    };
    match answer {
        HostAnswer::Text(text) => {
            out.push_str("said(");
            quote(&mut out, text, '"');
            out.push(')');
        }
        HostAnswer::Stop => out.push_str("stop(time)"),
    }
    bounds.write(&mut out);
    out
}

/// `bounds.take` is the number of the answer to prove.
pub fn prove(text: &str, bounds: Bounds) -> String {
    let mut out = String::from("prove(");
    quote(&mut out, text, '"');
    bounds.write(&mut out);
    out
}

/// What violates these constraints, at most `bounds.take` messages of each; each may take `bounds.soft_ms`.
pub fn constraints(ids: &[EntryId], bounds: Bounds) -> String {
    let mut out = String::from("constraints(");
    write_ids(&mut out, ids);
    bounds.write(&mut out);
    out
}

/// How a constraint is violated with this message; `bounds.take` is ignored.
pub fn violation(id: EntryId, message: &str, bounds: Bounds) -> String {
    let Bounds { soft_ms, next, .. } = bounds;
    let mut out = format!("violation({id},");
    quote(&mut out, message, '"');
    let _ = write!(out, ",{},{},{})", seconds(soft_ms), next.last, next.first);
    out
}

/// What these constraints depend on.
pub fn reaches(ids: &[EntryId]) -> String {
    let mut out = String::from("reaches(");
    write_ids(&mut out, ids);
    out.push(')');
    out
}

/// What the answers of a query depend on.
pub fn goal_reaches(text: &str) -> String {
    text_request("goal_reaches", text)
}

fn write_ids(out: &mut String, ids: &[EntryId]) {
    list(out, ids, |out, id| {
        let _ = write!(out, "{id}");
    });
}

/// Why a goal has no answer; `bounds.take` is ignored.
pub fn refute(text: &str, bounds: Bounds) -> String {
    goal_request("refute", text, bounds)
}

/// Why a query has no answer while the clauses of `assumed` hold; `bounds.take` is ignored.
pub fn hint(text: &str, assumed: &[String], bounds: Bounds) -> String {
    let Bounds { soft_ms, next, .. } = bounds;
    let mut out = String::from("hint(");
    quote(&mut out, text, '"');
    out.push(',');
    list(&mut out, assumed, |out, text| quote(out, text, '"'));
    let _ = write!(out, ",{},{},{})", seconds(soft_ms), next.last, next.first);
    out
}

/// The ports of a run of a goal; `bounds.take` is ignored.
pub fn trace(text: &str, bounds: Bounds) -> String {
    goal_request("trace", text, bounds)
}

/// `home` is the module whose file includes the text; `modules` are those of files, which need not be in the
/// book. Unless the text `is_in_book`, it may be the new one of a file, and only the tables that it declares count.
pub fn check(text: &str, home: Option<&str>, modules: &[String], is_in_book: bool) -> String {
    let mut out = text_request("check", text);
    out.pop();
    out.push(',');
    match home {
        None => out.push_str("none"),
        Some(module) => quote(&mut out, module, '\''),
    }
    out.push_str(",[");
    for (at, module) in modules.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        quote(&mut out, module, '\'');
    }
    out.push_str(if is_in_book { "],book)" } else { "],text)" });
    out
}

pub fn outline(text: &str) -> String {
    text_request("outline", text)
}

pub fn next(id: u64, bounds: Bounds) -> String {
    let mut out = format!("next({id}");
    bounds.write(&mut out);
    out
}

/// The request of a query, in the form for an engine beside the first.
pub fn beside(request: &str) -> String {
    format!("beside({request})")
}

/// The request of a query that leaves no global variables, flags or records in the engine. Unless `asks_host`, it may not
/// ask the predicates that the host answers.
pub fn apart(request: &str, asks_host: bool) -> String {
    let asks = if asks_host { "all" } else { "again" };
    format!("apart({asks},{request})")
}

/// The request of a query the JSON of whose answers tells atoms from strings, and floats from integers.
pub fn exact(request: &str) -> String {
    format!("exact({request})")
}

pub fn close(id: u64) -> String {
    format!("close({id})")
}

/// At most one answer, whatever `bounds.take` says.
pub fn run(text: &str, bounds: Bounds) -> String {
    goal_request("run", text, bounds)
}

/// The request `name(text, …)` for a goal that is run once.
fn goal_request(name: &str, text: &str, bounds: Bounds) -> String {
    let Bounds { soft_ms, next, .. } = bounds;
    let mut out = format!("{name}(");
    quote(&mut out, text, '"');
    let _ = write!(out, ",{},{},{})", seconds(soft_ms), next.last, next.first);
    out
}

#[cfg(test)]
mod tests;
