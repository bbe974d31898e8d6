//! Properties that hold after any calls.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::Bench;
use crate::decay::{Confidence, HalfLives, Sort, relevance};
use crate::time::iso;

/// A call that changes something; it refers to ids by their index among those assigned.
fn change() -> impl Strategy<Value = (&'static str, Value)> {
    let word = prop_oneof![
        Just("alpha"),
        Just("beta"),
        Just("gamma alpha"),
        Just("alphas, beta!")
    ];
    let tag = prop_oneof![Just("a"), Just("b")];
    let id = 0..12usize;
    let sort = prop::sample::select(Sort::NAMES.to_vec());
    let confidence = prop::sample::select(Confidence::NAMES.to_vec());
    let supersedes = prop::option::of(0..12usize);
    prop_oneof![
        3 => (word.clone(), tag.clone(), supersedes.clone()).prop_map(|(name, tag, old)| ("kn_graph", json!({ "action": "add", "name": name, "type": tag, "tags": [tag], "supersedes": old }))),
        2 => (id.clone(), id.clone(), tag.clone()).prop_map(|(one, other, tag)| ("kn_graph", json!({ "action": "connect", "source_id": one, "target_id": other, "edge_type": tag }))),
        1 => id.clone().prop_map(|id| ("kn_graph", json!({ "action": "remove", "node_id": id }))),
        1 => id.clone().prop_map(|id| ("kn_graph", json!({ "action": "restore", "node_id": id }))),
        1 => (id.clone(), id.clone(), tag.clone()).prop_map(|(one, other, tag)| ("kn_graph", json!({ "action": "remove", "source_id": one, "target_id": other, "edge_type": tag }))),
        3 => (word.clone(), sort.clone(), confidence.clone(), supersedes.clone()).prop_map(|(content, sort, confidence, old)| ("kn_intel", json!({ "action": "learn", "content": content, "type": sort, "confidence": confidence, "supersedes": old }))),
        2 => (word.clone(), sort, confidence).prop_map(|(content, sort, confidence)| ("kn_experience", json!({ "action": "save", "content": content, "type": sort, "confidence": confidence }))),
        1 => (0.0..1.0f64).prop_map(|threshold| ("kn_experience", json!({ "action": "prune", "threshold": threshold }))),
        1 => id.clone().prop_map(|id| ("kn_experience", json!({ "action": "restore", "experience_id": id }))),
        1 => word.clone().prop_map(|name| ("kn_project", json!({ "action": "create", "name": name }))),
        1 => id.clone().prop_map(|id| ("kn_project", json!({ "action": "list", "set_active": id }))),
        1 => (id.clone(), word.clone()).prop_map(|(id, text)| ("kn_project", json!({ "action": "log", "project_id": id, "action_text": text }))),
        1 => (word.clone(), tag, prop::option::of(-1.0..1.0f64), id.clone()).prop_map(|(title, category, score, link)| ("kn_idea", json!({ "action": "create", "title": title, "category": category, "score": score, "link_to": link }))),
        1 => (id, word, prop::sample::select(crate::record::Status::NAMES.to_vec())).prop_map(|(id, title, status)| ("kn_idea", json!({ "action": "update", "idea_id": id, "title": title, "status": status }))),
    ]
}

/// Make the call with real ids instead of indexes; time passes.
fn carry_out(bench: &mut Bench, (tool, arguments): &(&str, Value)) -> Value {
    let mut arguments = arguments.clone();
    let named = [
        "node_id",
        "source_id",
        "target_id",
        "supersedes",
        "experience_id",
        "project_id",
        "set_active",
        "idea_id",
        "link_to",
    ];
    for name in named {
        if let Some(number) = arguments[name].as_u64() {
            arguments[name] = json!(format!("id{number:06}"));
        }
    }
    let object = arguments.as_object_mut().expect("an object");
    object.retain(|_, value| !value.is_null());
    bench.now_ms += 86_400_000;
    bench.call(tool, arguments)
}

fn undo(bench: &mut Bench) {
    for change in bench.changes.clone().iter().rev() {
        bench
            .memory
            .apply(&change.reversed())
            .expect("a change can be reversed");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reversing_the_changes_of_a_call_gives_the_memory_before_it(calls in prop::collection::vec(change(), 1..24)) {
        let mut bench = Bench::new();
        for call in &calls {
            let (state, now) = (bench.state(), bench.now_ms);
            let latest = bench.now_ms + 2 * 86_400_000;
            bench.now_ms = latest;
            let answers = bench.answers();
            bench.now_ms = now;
            let reply = carry_out(&mut bench, call);
            prop_assert!(reply.get("error").is_none() || bench.changes.is_empty());
            let changes = bench.changes.clone();
            undo(&mut bench);
            prop_assert_eq!(bench.state(), state);
            let now = bench.now_ms;
            bench.now_ms = latest;
            prop_assert_eq!(bench.answers(), answers);
            bench.now_ms = now;
            // Redo the changes; applying them twice makes no difference.
            for change in changes.iter().chain(&changes) {
                bench.memory.apply(change).expect("a change can be applied");
            }
        }
    }

    #[test]
    fn a_memory_that_is_built_from_its_records_gives_the_same_answers(calls in prop::collection::vec(change(), 1..24)) {
        let mut bench = Bench::new();
        for call in &calls {
            carry_out(&mut bench, call);
        }
        let mut built = Bench { now_ms: bench.now_ms, ids: bench.ids, ..Bench::new() };
        for (key, value) in bench.memory.records() {
            let change = crate::Change { key, before: None, after: Some(value) };
            prop_assert_eq!(built.memory.apply(&change), Ok(()));
        }
        prop_assert_eq!(sorted(built.answers()), sorted(bench.answers()));
    }

    #[test]
    fn restore_after_remove_gives_the_same_answers(calls in prop::collection::vec(change(), 1..20), which in 0..12usize) {
        let mut bench = Bench::new();
        for call in &calls {
            carry_out(&mut bench, call);
        }
        let id = format!("id{which:06}");
        bench.now_ms += 10_000;
        let (now, before) = (bench.now_ms, bench.answers());
        if bench.call("kn_graph", json!({ "action": "remove", "node_id": id })).get("error").is_none() {
            bench.ok("kn_graph", json!({ "action": "restore", "node_id": id }));
        }
        bench.now_ms = now;
        prop_assert_eq!(bench.answers(), before);
    }

    #[test]
    fn as_of_never_sees_what_came_later(before in prop::collection::vec(change(), 1..12), after in prop::collection::vec(change(), 1..12)) {
        let mut bench = Bench::new();
        for call in &before {
            carry_out(&mut bench, call);
        }
        let then = iso(bench.now_ms);
        let seen = |bench: &mut Bench| {
            let nodes = bench.names(json!({ "as_of": then, "limit": 50 }));
            let by_text = bench.graph(json!({ "action": "query", "text": "alpha", "as_of": then, "limit": 50 }))["count"].clone();
            let told = bench.experience(json!({ "action": "search", "as_of": then, "limit": 50 }))["total"].clone();
            (sorted(nodes), by_text, told)
        };
        let first = seen(&mut bench);
        for call in after.iter().filter(|(_, arguments)| arguments["action"] != "restore") {
            // Renaming or restoring something leaves the past as it was.
            if call.0 != "kn_idea" {
                carry_out(&mut bench, call);
            }
        }
        prop_assert_eq!(seen(&mut bench), first);
    }

    #[test]
    fn pruning_never_takes_what_is_above_the_threshold(calls in prop::collection::vec(change(), 1..20), threshold in 0.0..1.0f64) {
        let mut bench = Bench::new();
        for call in &calls {
            carry_out(&mut bench, call);
        }
        let now = bench.now_ms.max(bench.memory.latest() + 1);
        let above = |bench: &Bench| {
            let kept = bench.memory.experiences.by_id.values().filter(|one| one.life.is_current());
            let mut ids: Vec<String> = kept
                .filter(|one| relevance(HalfLives::default().rate(one.sort, one.confidence), one.learned_at, now) >= threshold)
                .map(|one| one.id.clone())
                .collect();
            ids.sort();
            ids
        };
        let before = above(&bench);
        bench.experience(json!({ "action": "prune", "threshold": threshold }));
        let left = bench.memory.experiences.by_id.values().filter(|one| one.life.is_current()).count();
        prop_assert_eq!(above(&bench), before.clone());
        prop_assert_eq!(left, before.len());
    }

    #[test]
    fn relevance_only_falls_and_the_less_sure_falls_faster(sort in 0..5usize, ages in (0..4_000_000_000u64, 0..4_000_000_000u64)) {
        let sort = Sort::ALL[sort];
        let rate = |confidence| HalfLives::default().rate(sort, confidence);
        let (young, old) = (ages.0.min(ages.1), ages.0.max(ages.1));
        for confidence in Confidence::ALL {
            prop_assert!(relevance(rate(confidence), 0, old) <= relevance(rate(confidence), 0, young));
        }
        let at = |confidence| relevance(rate(confidence), 0, old);
        prop_assert!(at(Confidence::Low) <= at(Confidence::Medium) && at(Confidence::Medium) <= at(Confidence::High));
    }
}

fn sorted<T: serde::Serialize>(mut values: Vec<T>) -> Vec<T> {
    values.sort_by_key(|value| json!(value).to_string());
    values
}
