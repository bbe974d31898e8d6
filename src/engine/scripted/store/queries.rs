//! Queries, whose goals are answered from the texts of clauses.

use std::collections::{BTreeSet, VecDeque};

use serde_json::{Value, json};

use super::super::clauses::{Clause, Clauses};
use super::super::rules::answers;
use super::items::indicator_of;
use super::{Act, Engine};

/// What the goals of a query have done so far.
struct Done {
    /// The clauses and known predicates before it, if it may change them.
    before: Option<(Clauses, BTreeSet<(String, u32)>)>,
    answers: VecDeque<String>,
    /// The ids of the next clause at the end and at the beginning.
    last: i64,
    first: i64,
    added: Vec<(i64, Value)>,
    removed: Vec<i64>,
    reload: Vec<String>,
    output: String,
    error: Option<Value>,
}

impl Engine {
    pub(super) fn query(
        &mut self,
        id: i64,
        text: &str,
        (take, seconds): (i64, i64),
        last: i64,
        first: i64,
    ) -> Act {
        let changes = ["assert", "retract"].iter().any(|name| text.contains(name));
        let mut done = Done {
            before: changes.then(|| (self.store.clone(), self.known.clone())),
            answers: VecDeque::from(["true".to_owned()]),
            last,
            first,
            added: Vec::new(),
            removed: Vec::new(),
            reload: Vec::new(),
            output: String::new(),
            error: None,
        };
        if let Some(denied) = text.strip_prefix("\\+ ") {
            let denied = denied.rsplit("\\+ ").next().unwrap_or(denied);
            if let Some((name, _)) = denied.split_once('(') {
                let is_there = self.store.iter().any(|clause| clause.name == name);
                done.answers.retain(|_| is_there);
            }
        } else if text.starts_with('(') {
            done.answers = answers(text.trim_end_matches('.'), &self.texts()).into();
        } else {
            for goal in text.trim_end_matches('.').split(", ") {
                if let Some(act) = self.goal(goal, seconds, &mut done) {
                    return act;
                }
            }
        }
        let undone = match done.error.is_some() || done.answers.is_empty() {
            true => self.undo(&mut done),
            false => {
                done.reload.clear();
                0
            }
        };
        self.reply(id, take, undone, done)
    }

    /// Carry out a goal. Returns what the engine does at once, instead of the goals that follow.
    fn goal(&mut self, goal: &str, seconds: i64, done: &mut Done) -> Option<Act> {
        let argument = goal
            .split_once('(')
            .map_or("", |(_, rest)| rest.trim_end_matches(')'));
        let argument = argument.replace('\'', "");
        match goal.split('(').next().expect("a goal") {
            "loop" => return Some(Act::Hang),
            "die" => return Some(Act::Die),
            "assertz" | "asserta" => self.assert(argument, goal.starts_with("asserta"), done),
            "retract" => self.retract(&argument, done),
            "say" => done.output.push_str(&argument),
            "fail" => done.answers.clear(),
            "long" if seconds >= 1 => return Some(Act::Hang),
            "long" | "soft" => done.error = Some(json!({"kind": "timeout", "message": "late"})),
            "unknown" => {
                let message = format!("Unknown procedure {argument}");
                done.error =
                    Some(json!({"kind": "existence_error", "message": message, "predicate": argument}));
            }
            "bad" => {
                let error = json!({"kind": "syntax_error", "message": "bad", "line": 1, "column": 2});
                return Some(Act::Reply(json!({"ok": false, "error": error})));
            }
            name => {
                let begin = format!("{name}(");
                let texts = self.store.iter().map(|clause| &clause.text);
                done.answers = texts.filter(|text| text.starts_with(&begin)).cloned().collect();
            }
        }
        None
    }

    fn assert(&mut self, text: String, front: bool, done: &mut Done) {
        let id = if front { &mut done.first } else { &mut done.last };
        let (name, arity) = indicator_of(&text);
        done.added
            .push((*id, json!([*id, format!("{text}."), name, arity])));
        self.known.insert((name.clone(), arity));
        let clause = Clause {
            id: *id,
            text,
            name,
            arity,
        };
        self.store.put(clause, front);
        *id += if front { -1 } else { 1 };
    }

    fn retract(&mut self, wanted: &str, done: &mut Done) {
        let found = self.store.iter().find(|clause| clause.name == wanted);
        if let Some(Clause { id, name, arity, .. }) = found.cloned() {
            self.store.remove(id);
            done.added.retain(|(known, _)| *known != id);
            if done.before.as_ref().is_some_and(|(before, _)| before.has(id)) {
                done.removed.push(id);
                done.reload.push(format!("{name}/{arity}"));
            }
        }
    }

    /// Undo the changes of a query that failed, but for what it removed, which is loaded again. Returns how many there were.
    fn undo(&mut self, done: &mut Done) -> usize {
        let undone = done.added.len() + done.removed.len();
        let gone = std::mem::take(&mut done.removed);
        if let Some((store, known)) = done.before.take() {
            self.store = store;
            self.known = known;
            self.store.retain(|clause| !gone.contains(&clause.id));
        }
        done.added.clear();
        done.answers.clear();
        undone
    }

    fn reply(&mut self, id: i64, take: i64, undone: usize, mut done: Done) -> Act {
        done.reload.dedup();
        done.added.sort_by_key(|(id, _)| *id);
        self.queries.insert(id, done.answers);
        let mut reply = match done.error {
            Some(_) => json!({"answers": [], "more": false}),
            None => self.answers(id, take),
        };
        reply["ok"] = json!(true);
        reply["variables"] = json!(["X"]);
        reply["output"] = json!(done.output);
        reply["undone"] = json!(undone);
        let added: Vec<Value> = done.added.into_iter().map(|(_, added)| added).collect();
        let declared: Vec<String> = added
            .iter()
            .map(|added: &Value| format!("{}/{}", added[2].as_str().expect("a name"), added[3]))
            .collect();
        reply["changes"] =
            json!({"added": added, "removed": done.removed, "reload": done.reload, "declared": declared});
        if let Some(error) = done.error {
            reply["error"] = error;
        }
        Act::Reply(reply)
    }

    /// Run the block of a node.
    pub(super) fn block(
        &mut self,
        code: &str,
        is_answered: bool,
        (soft, last, first): (i64, i64, i64),
    ) -> Act {
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

    pub(super) fn answers(&mut self, id: i64, take: i64) -> Value {
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
