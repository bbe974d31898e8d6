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

mod differences;
mod items;
mod queries;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::{Value, json};

use super::clauses::{Clause, Clauses};
use super::rules::{reach, violations};
use super::term::Term;
use hornbook_book::text::indicators;
use items::{compact, first_clause, indicator_in, item, plain};

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
                    if predicate.0 == "tabled" {
                        let error = json!({"kind": "permission_error", "message": "it is tabled"});
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
}
