//! A clause store that knows facts and rules by their text only.
//!
//! A clause that begins with `bad` is a syntax error. Goals are joined by `, `:
//! - `name(X)`: an answer for each clause whose text begins with `name(`, with `X` bound to the text;
//! - `assertz(T)`, `asserta(T)`, `retract(T)`: once, `T` an atom; `say(T)` writes;
//! - `fail` (changes are undone), `loop` (never ends), `soft` (exceeds the engine's own limit), `long` (exceeds
//!   a limit of less than a second, and otherwise never ends), `die`,
//!   `unknown(p/1)`, `bad` (a syntax error).
//!
//! The block of a node is such a goal, behind `interrupt(Q), ` if it asks first.
//!
//! `\+ (…, \+ name(…))` holds while there is a clause of the name. A goal in parentheses is answered by the interpreter
//! of `rules`, which also answers constraints.
//!
//! A query that may change clauses leaves an engine beside the first.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::{Value, json};

use super::clauses::{Clause, Clauses};
use super::rules::{answers, reach, violations};
use super::term::Term;
use hornbook_book::lexer::{Lexer, TokenKind};
use hornbook_book::text::{has_body, indicators};

/// The state of one engine.
#[derive(Default)]
pub struct Engine {
    pub store: Clauses,
    /// The known predicates: name and arity.
    pub known: BTreeSet<(String, u32)>,
    /// An id that was given to a clause while another one had it.
    pub given_twice: Option<i64>,
    adding: Option<Adding>,
    /// The constraints, by their ids.
    constraints: BTreeMap<i64, String>,
    /// The remaining answers of each query.
    queries: BTreeMap<i64, VecDeque<String>>,
}

struct Adding {
    texts: Vec<String>,
    /// Others come with a later request.
    is_more: bool,
    /// The text that comes next, and where in it, in bytes and in characters.
    position: (usize, usize, usize),
    added: Vec<i64>,
}

/// The texts of a list, and whether its end says that others come later.
fn texts_of(list: &Term) -> (Vec<String>, bool) {
    let texts = list.list().iter().filter_map(|text| match text {
        Term::Text(text) => Some(text.clone()),
        _ => None,
    });
    let texts: Vec<String> = texts.collect();
    let is_more = texts.len() < list.list().len();
    (texts, is_more)
}

/// What an engine does with a request.
pub enum Act {
    Reply(Value),
    Hang,
    Die,
}

impl Engine {
    pub fn handle(&mut self, request: &Term) -> Act {
        let Term::Call(name, arguments) = request else {
            panic!("not a request: {request:?}")
        };
        let reply = match (name.as_str(), arguments.as_slice()) {
            ("boot", _) => json!({"ok": true, "version": "0.0.0", "libraries": ["lists"], "refused": [],
                "builtins": ["append/3", "print/1"]}),
            ("add", [_, texts, ids, max]) => {
                let (texts, is_more) = texts_of(texts);
                self.adding = Some(Adding {
                    texts,
                    is_more,
                    position: (0, 0, 0),
                    added: Vec::new(),
                });
                self.step(ids.ids(), max.int())
            }
            ("add_more", [ids, max]) => self.step(ids.ids(), max.int()),
            ("add_more", [ids, max, texts]) => {
                let adding = self.adding.as_mut().expect("an addition");
                assert!(adding.is_more, "no text is awaited");
                let (more, is_more) = texts_of(texts);
                adding.texts.extend(more);
                adding.is_more = is_more;
                self.step(ids.ids(), max.int())
            }
            ("add_abort", []) => {
                for id in self.adding.take().map_or_else(Vec::new, |adding| adding.added) {
                    self.remove(id);
                }
                json!({"ok": true})
            }
            ("retract", [text]) => {
                let wanted = text.text().trim_end_matches('.').to_owned();
                let matches = |clause: &&Clause| clause.text.trim().trim_end_matches('.') == wanted;
                let found = self.store.iter().find(matches).map(|clause| clause.id);
                found.map(|id| self.store.remove(id));
                json!({"ok": true, "removed": found})
            }
            ("check", [_, _, _, _]) => json!({"ok": true, "problems": []}),
            ("remove", [ids]) => {
                for id in ids.ids() {
                    self.remove(id);
                }
                json!({"ok": true})
            }
            ("names", [_, _]) => json!({"ok": true}),
            ("declare", [predicates]) => {
                self.known.extend(predicates.list().iter().map(Term::indicator));
                json!({"ok": true})
            }
            ("undeclare", [predicates]) => {
                for predicate in predicates.list().iter().map(Term::indicator) {
                    if predicate.0 == "print" {
                        let error = json!({"kind": "permission_error", "message": "the system has it, too"});
                        return Act::Reply(json!({"ok": false, "error": error}));
                    }
                    self.store
                        .retain(|clause| (&clause.name, clause.arity) != (&predicate.0, predicate.1));
                    self.known.remove(&predicate);
                }
                json!({"ok": true})
            }
            ("constraints", [ids, most, ..]) => {
                let found = ids.list().iter().map(|id| {
                    let Some(mut messages) = self.violations(id.int()) else {
                        let error = json!({"kind": "error", "message": "no such constraint"});
                        return json!([[], false, error, null]);
                    };
                    let more = messages.len() > most.int() as usize;
                    messages.truncate(most.int() as usize);
                    json!([messages, more, null, null])
                });
                json!({"ok": true, "each": found.collect::<Vec<_>>()})
            }
            ("violation", [id, message, ..]) => {
                let messages = self.violations(id.int());
                assert!(
                    messages.is_some_and(|messages| messages.iter().any(|one| one == message.text())),
                    "it is violated otherwise"
                );
                json!({"ok": true, "bindings": [], "nodes": [], "cut": false})
            }
            ("reaches", [ids]) => {
                let ids = ids.list().iter().map(Term::int);
                let all = || json!([true, true, []]);
                let reach = |id| {
                    self.constraints
                        .get(&id)
                        .map_or_else(all, |goal| self.reach(goal))
                };
                let found = ids.map(reach);
                json!({"ok": true, "each": found.collect::<Vec<_>>()})
            }
            ("goal_reaches", [text]) => json!({"ok": true, "each": [self.reach(text.text())]}),
            ("reload", [predicates, loads]) => self.reload(predicates, loads),
            ("agree", [predicates, loads]) => {
                json!({"ok": true, "differences": self.differences(predicates, loads)})
            }
            ("reset", []) => {
                *self = Engine::default();
                json!({"ok": true})
            }
            ("query", [id, text, take, soft, last, first]) => {
                let id = id.int();
                return self.query(id, text.text(), (take.int(), soft.int()), last.int(), first.int());
            }
            ("query_assuming", [id, text, _, take, soft, last, first]) => {
                let id = id.int();
                return self.query(id, text.text(), (take.int(), soft.int()), last.int(), first.int());
            }
            ("next", [id, take, ..]) => self.answers(id.int(), take.int()),
            ("beside", [request]) => {
                let changes = |text: &Term| {
                    ["assert", "retract"]
                        .iter()
                        .any(|name| format!("{text:?}").contains(name))
                };
                return match request {
                    request if changes(request) => {
                        Act::Reply(json!({"ok": true, "leaves": true, "answers": [],
                        "more": false, "variables": ["X"]}))
                    }
                    request => self.handle(request),
                };
            }
            ("apart", [_, request]) => return self.handle(request),
            ("close", [id]) => json!({"ok": true, "open": self.queries.remove(&id.int()).is_some()}),
            ("book_node_run", [code, _, answers, soft, last, first]) => {
                let bounds = (soft.int(), last.int(), first.int());
                return self.block(code.text(), !answers.list().is_empty(), bounds);
            }
            ("run", [text, soft, last, first]) => {
                let mut act = self.query(-1, text.text(), (1, soft.int()), last.int(), first.int());
                if let Act::Reply(Value::Object(fields)) = &mut act {
                    fields.remove("variables");
                }
                return act;
            }
            other => panic!("unknown request: {other:?}"),
        };
        Act::Reply(reply)
    }

    fn texts(&self) -> Vec<&str> {
        self.store.iter().map(|clause| clause.text.as_str()).collect()
    }

    /// What violates a constraint; `None` if there is none with this id.
    fn violations(&self, id: i64) -> Option<Vec<String>> {
        let found = violations(self.constraints.get(&id)?, &self.texts());
        Some(found.into_iter().collect())
    }

    fn reach(&self, goal: &str) -> Value {
        json!([false, false, reach(goal, &self.texts())])
    }

    fn remove(&mut self, id: i64) {
        self.store.remove(id);
        self.constraints.remove(&id);
    }

    fn step(&mut self, mut ids: VecDeque<i64>, max: i64) -> Value {
        let adding = self.adding.as_mut().expect("an addition");
        let mut items = Vec::new();
        while let Some(text) = adding.texts.get(adding.position.0) {
            let (index, from, before) = adding.position;
            let Some(range) = first_clause(&text[from..]) else {
                adding.position = (index + 1, 0, 0);
                continue;
            };
            if items.len() as i64 == max {
                return json!({"ok": true, "items": compact(items), "more": true});
            }
            let (start, end) = (from + range.start, from + range.end);
            let first = before + text[from..start].chars().count();
            let last = first + text[start..end].chars().count();
            let clause = &text[start..end];
            let tagged = item(clause);
            let mut item = vec![json!(tagged.0), json!(index), json!(first), json!(last)];
            item.extend(tagged.1.clone());
            if tagged.0 != "e" {
                let id = ids.pop_front().expect("ids for all items");
                adding.added.push(id);
                if tagged.0 == "d" && tagged.1[0] == "dynamic" {
                    let declared = indicators(clause).into_iter();
                    self.known
                        .extend(declared.map(|predicate| (predicate.name, predicate.arity)));
                }
                if tagged.0 == "d" && tagged.1[0] == "constraint" {
                    self.constraints.insert(id, plain(clause));
                }
                if matches!(tagged.0, "f" | "r" | "g") {
                    let (name, arity) = indicator_in(&tagged.1);
                    self.known.insert((name.clone(), arity));
                    let text = clause.trim().to_owned();
                    let clause = Clause {
                        id,
                        text,
                        name,
                        arity,
                    };
                    let replaced = self.store.put(clause, false);
                    self.given_twice = self.given_twice.or(replaced.then_some(id));
                }
            }
            items.push(Value::Array(item));
            adding.position = (index, end, last);
        }
        let more = adding.is_more;
        if !more {
            self.adding = None;
        }
        json!({"ok": true, "items": compact(items), "more": more})
    }

    fn reload(&mut self, predicates: &Term, loads: &Term) -> Value {
        for predicate in predicates.list() {
            let (name, arity) = predicate.indicator();
            self.store
                .retain(|clause| (&clause.name, clause.arity) != (&name, arity));
        }
        let mut items = Vec::new();
        for load in loads.list() {
            let Term::Call(_, parts) = load else {
                panic!("not a load")
            };
            let texts = vec![parts[1].text().to_owned()];
            self.adding = Some(Adding {
                texts,
                is_more: false,
                position: (0, 0, 0),
                added: Vec::new(),
            });
            let step = self.step(parts[2].ids(), i64::MAX);
            items.extend(step["items"].as_array().expect("items").clone());
        }
        json!({"ok": true, "items": items})
    }

    /// What differs from a book that knows these predicates and has these entries: the clauses of each
    /// predicate are compared in their order.
    fn differences(&self, predicates: &Term, loads: &Term) -> Vec<String> {
        let known = predicates.list().iter().map(Term::indicator);
        let unknown = known.filter(|predicate| !self.known.contains(predicate));
        let mut differences: Vec<String> = unknown
            .map(|(name, arity)| format!("{name}/{arity} is not known"))
            .collect();
        let mut book: ByPredicate = BTreeMap::new();
        let mut constraints = BTreeMap::new();
        for load in loads.list() {
            let Term::Call(_, parts) = load else {
                panic!("not a load")
            };
            let (mut text, mut ids) = (parts[1].text(), parts[2].ids());
            while let Some(range) = first_clause(text) {
                let (clause, rest) = text.split_at(range.end);
                let id = ids.pop_front().expect("ids for all entries");
                let (tag, parts) = item(clause);
                if tag == "d" && parts[0] == "constraint" {
                    constraints.insert(id, plain(clause));
                }
                if matches!(tag, "f" | "r" | "g") {
                    let held = book.entry(indicator_in(&parts)).or_default();
                    held.push((id, plain(clause)));
                }
                text = rest;
            }
        }
        if constraints != self.constraints {
            differences.push(format!(
                "the constraints are {:?} in the engine and {constraints:?} in the book",
                self.constraints
            ));
        }
        let mut engine: ByPredicate = BTreeMap::new();
        for clause in self.store.iter() {
            let held = engine.entry((clause.name.clone(), clause.arity)).or_default();
            held.push((clause.id, plain(&clause.text)));
        }
        for predicate in book.keys().chain(engine.keys()).collect::<BTreeSet<_>>() {
            let (book, engine) = (book.get(predicate), engine.get(predicate));
            if book != engine {
                let (name, arity) = predicate;
                differences.push(format!(
                    "{name}/{arity} is {engine:?} in the engine and {book:?} in the book"
                ));
            }
        }
        differences
    }

    fn query(
        &mut self,
        id: i64,
        text: &str,
        (take, seconds): (i64, i64),
        mut last: i64,
        mut first: i64,
    ) -> Act {
        let changes = ["assert", "retract"].iter().any(|name| text.contains(name));
        let before = changes.then(|| (self.store.clone(), self.known.clone()));
        let mut added = Vec::new();
        let mut removed = Vec::new();
        let mut output = String::new();
        let mut answers = VecDeque::from(["true".to_owned()]);
        let mut undone = 0;
        let mut reload: Vec<String> = Vec::new();
        let mut error = None;
        let denied = text
            .strip_prefix("\\+ ")
            .and_then(|rest| rest.rsplit("\\+ ").next());
        if let Some((name, _)) = denied.and_then(|denied| denied.split_once('(')) {
            answers.retain(|_| self.store.iter().any(|clause| clause.name == name));
        }
        let is_interpreted = text.starts_with('(');
        if is_interpreted {
            answers = self::answers(text.trim_end_matches('.'), &self.texts()).into();
        }
        let goals = text.trim_end_matches('.').split(", ");
        for goal in goals.filter(|_| denied.is_none() && !is_interpreted) {
            let argument = goal
                .split_once('(')
                .map_or("", |(_, rest)| rest.trim_end_matches(')'));
            let argument = argument.replace('\'', "");
            match goal.split('(').next().expect("a goal") {
                "loop" => return Act::Hang,
                "die" => return Act::Die,
                "assertz" | "asserta" => {
                    let front = goal.starts_with("asserta");
                    let id = if front { &mut first } else { &mut last };
                    let (name, arity) = indicator_of(&argument);
                    let clause = Clause {
                        id: *id,
                        text: argument.clone(),
                        name: name.clone(),
                        arity,
                    };
                    self.store.put(clause, front);
                    self.known.insert((name.clone(), arity));
                    added.push((*id, json!([*id, format!("{argument}."), name, arity])));
                    *id += if front { -1 } else { 1 };
                }
                "retract" => {
                    let found = self.store.iter().find(|clause| clause.name == argument);
                    if let Some(Clause { id, name, arity, .. }) = found.cloned() {
                        self.store.remove(id);
                        added.retain(|(known, _)| *known != id);
                        if before.as_ref().is_some_and(|(before, _)| before.has(id)) {
                            removed.push(id);
                            reload.push(format!("{name}/{arity}"));
                        }
                    }
                }
                "say" => output.push_str(&argument),
                "fail" => answers.clear(),
                "long" if seconds >= 1 => return Act::Hang,
                "long" | "soft" => error = Some(json!({"kind": "timeout", "message": "late"})),
                "unknown" => {
                    let message = format!("Unknown procedure {argument}");
                    error =
                        Some(json!({"kind": "existence_error", "message": message, "predicate": argument}));
                }
                "bad" => {
                    let error = json!({"kind": "syntax_error", "message": "bad", "line": 1, "column": 2});
                    return Act::Reply(json!({"ok": false, "error": error}));
                }
                name => {
                    let begin = format!("{name}(");
                    let texts = self.store.iter().map(|clause| &clause.text);
                    answers = texts.filter(|text| text.starts_with(&begin)).cloned().collect();
                }
            }
        }
        if error.is_some() || answers.is_empty() {
            undone = added.len() + removed.len();
            let kept = std::mem::take(&mut removed);
            if let Some((store, known)) = before {
                self.store = store;
                self.known = known;
                self.store.retain(|clause| !kept.contains(&clause.id));
            }
            added.clear();
            answers.clear();
        } else {
            reload.clear();
        }
        reload.dedup();
        added.sort_by_key(|(id, _)| *id);
        self.queries.insert(id, answers);
        let mut reply = if error.is_some() {
            json!({"answers": [], "more": false})
        } else {
            self.answers(id, take)
        };
        reply["ok"] = json!(true);
        reply["variables"] = json!(["X"]);
        reply["output"] = json!(output);
        reply["undone"] = json!(undone);
        let added: Vec<Value> = added.into_iter().map(|(_, added)| added).collect();
        let declared: Vec<String> = added
            .iter()
            .map(|added: &Value| format!("{}/{}", added[2].as_str().expect("a name"), added[3]))
            .collect();
        let changes = json!({"added": added, "removed": removed, "reload": reload, "declared": declared});
        reply["changes"] = changes;
        if let Some(error) = error {
            reply["error"] = error;
        }
        Act::Reply(reply)
    }

    /// Run the block of a node.
    fn block(&mut self, code: &str, is_answered: bool, (soft, last, first): (i64, i64, i64)) -> Act {
        let asks = code
            .split_once("), ")
            .and_then(|(asks, rest)| Some((asks.strip_prefix("interrupt(")?, rest)));
        let goal = match asks {
            Some((question, _)) if !is_answered => {
                return Act::Reply(
                    json!({"ok": true, "end": "asks", "ended": [question], "output": "", "undone": 0}),
                );
            }
            Some((_, rest)) => rest,
            None => code,
        };
        let Act::Reply(mut reply) = self.query(-1, goal, (1, soft), last, first) else {
            return Act::Hang;
        };
        if reply["ok"] == json!(false) {
            return Act::Reply(reply);
        }
        let (end, ended) = match (reply.get("error"), reply["answers"] == json!([])) {
            (Some(error), _) => (json!("error"), error.clone()),
            (None, true) => (json!(false), json!({"line": 1, "goal": goal})),
            (None, false) => (json!(true), json!([["done", goal]])),
        };
        let kept = ["ok", "output", "undone", "changes"].map(|name| (name.to_owned(), reply[name].take()));
        let mut reply = Value::Object(kept.into_iter().collect());
        reply["end"] = end;
        reply["ended"] = json!([ended]);
        Act::Reply(reply)
    }

    fn answers(&mut self, id: i64, take: i64) -> Value {
        let Some(left) = self.queries.get_mut(&id) else {
            return json!({"ok": false, "error": {"kind": "no_such_query", "message": "no such query"}});
        };
        let taken: Vec<Value> = left
            .drain(..left.len().min(take as usize))
            .map(|text| json!({"bindings": [["X", text, text]], "residual": [], "output": ""}))
            .collect();
        let more = !left.is_empty();
        if !more && take > 0 {
            self.queries.remove(&id);
        }
        json!({"ok": true, "answers": taken, "more": more || take == 0, "output": "",
            "changes": {"added": [], "removed": [], "reload": [], "declared": []}, "undone": 0})
    }
}

/// The ids and texts of clauses by their predicates.
type ByPredicate = BTreeMap<(String, u32), Vec<(i64, String)>>;

/// The text of a clause without layout and its period.
fn plain(clause: &str) -> String {
    clause.trim().trim_end_matches('.').to_owned()
}

/// The name and arity of a clause.
fn indicator_of(clause: &str) -> (String, u32) {
    indicator_in(&item(clause).1)
}

/// The same of the fields of its item.
fn indicator_in(parts: &[Value]) -> (String, u32) {
    let name = parts[0].as_str().expect("a name").to_owned();
    (name, parts[1].as_u64().expect("an arity") as u32)
}

/// Write an item that differs from the previous one only in its place as its end alone.
fn compact(items: Vec<Value>) -> Vec<Value> {
    let same = |a: &Value, b: &Value| [0, 1, 4, 5].iter().all(|at| a[*at] == b[*at]) && a[5].is_number();
    let short = |at: usize| {
        at > 0 && same(&items[at], &items[at - 1]) && items[at][6].is_null() && items[at - 1][6].is_null()
    };
    (0..items.len())
        .map(|at| {
            if short(at) {
                items[at][3].clone()
            } else {
                items[at].clone()
            }
        })
        .collect()
}

/// The tag of an item, and the fields after its place.
fn item(clause: &str) -> (&'static str, Vec<Value>) {
    let tokens: Vec<_> = Lexer::new(clause).collect();
    let word = |at: usize| tokens.get(at).map_or("", |token| &clause[token.start..token.end]);
    let directive = word(0) == ":-";
    let name = word(usize::from(directive)).trim_matches('\'').to_owned();
    let body = clause[tokens[0].end..].trim().trim_end_matches('.').to_owned();
    let mut depth = 0;
    let mut arity = 0;
    for token in tokens.iter().skip(1 + usize::from(directive)) {
        match token.kind {
            TokenKind::Open { arguments } => {
                arity += u32::from(depth == 0 && arguments);
                depth += 1;
            }
            TokenKind::Close => depth -= 1,
            TokenKind::Comma if depth == 1 => arity += 1,
            _ if depth == 0 => break,
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    match name.as_str() {
        "bad" => (
            "e",
            vec![json!({"kind": "syntax_error", "message": "bad clause"})],
        ),
        "initialization" if directive => {
            let goal = body
                .trim_start_matches("initialization(")
                .trim_end_matches(')')
                .trim()
                .trim_matches('\'');
            ("i", vec![json!(goal)])
        }
        "constraint" if directive => ("d", vec![json!(name), json!(arity)]),
        "op" if directive => ("d", vec![json!("op"), json!(3), json!(":- op(0, xfx, =>).")]),
        _ if directive => ("d", vec![json!(name), json!(1)]),
        _ if has_body(clause) => ("r", vec![json!(name), json!(arity)]),
        _ => ("f", vec![json!(name), json!(arity)]),
    }
}

/// The first clause of a text, with what precedes it; its period may be missing.
fn first_clause(text: &str) -> Option<std::ops::Range<usize>> {
    let mut end = None;
    for token in Lexer::new(text) {
        end = Some(token.end);
        if token.kind == TokenKind::End {
            break;
        }
    }
    end.map(|end| 0..end)
}
