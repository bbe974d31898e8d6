//! Runs that the answers of a goal begin.

use super::kept::{Shelf, process};
use super::*;
use crate::runs::Come;

fn run_of(on: &str, bindings: &[(&str, &str)]) -> Option<String> {
    let text = format!("name: ship\n{on}\nnodes: [{{name: a}}]\n");
    let workflow = load(&text, &installed()).unwrap_or_else(|fault| panic!("{fault}"));
    let bindings = bindings
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    workflow.run_of(bindings.collect())
}

#[test]
fn an_answer_has_a_run_of_its_own() {
    let each = "on: {goal: 'order(Id, N), \\+ shipped(Id).'}";
    let first = run_of(each, &[("Id", "7"), ("N", "a")]).unwrap();
    assert!(first.starts_with("on-") && first.len() == 35, "{first}");
    assert_eq!(run_of(each, &[("N", "a"), ("Id", "7")]).as_ref(), Some(&first));
    assert_ne!(run_of(each, &[("Id", "8"), ("N", "a")]).as_ref(), Some(&first));
    assert_ne!(
        run_of("on: {goal: 'order(Id, N)'}", &[("Id", "7"), ("N", "a")]).as_ref(),
        Some(&first)
    );
    let once = "on: {goal: 'order(Id)', start: once}";
    assert_eq!(run_of(once, &[("Id", "7")]), run_of(once, &[("Id", "8")]));
    assert_eq!(run_of("", &[]), None);
}

#[test]
fn runs_of_answers_that_have_not_ended_are_known() {
    const TEXT: &str = "
name: ship
on: {goal: p(X)}
language: prolog
nodes:
- {name: a, run: NODE}
";
    let shelf = Rc::new(Shelf::default());
    let begin = |run: &str, text: &str, revisions: Option<usize>| {
        if let Some(revisions) = revisions {
            shelf.stop_after(revisions);
        }
        process(&shelf).begin_as(run, text, "{}");
        shelf.go_on();
    };
    let fails = TEXT.replace("NODE", "throw");
    let ends = TEXT.replace("NODE", "set x 1");
    begin("on-cut", &ends, Some(1));
    begin("on-failed", &fails, None);
    begin("on-ended", &ends, None);
    begin("on-waits", &ends.replace("run:", "interrupt: before, run:"), None);
    begin("own", &fails, None);
    begin("on-other", &fails.replace("p(X)", "q(X)"), None);
    begin("on-named", &fails.replace("name: ship", "name: other"), None);
    let runs = process(&shelf).runs;
    block_on(runs.fork("on-failed", 1, "on-fork".into(), 0)).unwrap();
    let workflow = |text: &str| load(text, &installed()).unwrap();
    assert_eq!(runs.unfinished(&workflow(&ends)), ["on-cut", "on-failed"]);
    // With another text, too: it may have been mended.
    let mended = TEXT.replace("NODE", "set x 2");
    assert_eq!(runs.unfinished(&workflow(&mended)), ["on-cut", "on-failed"]);
    let without = workflow("name: ship\nnodes: [{name: a}]");
    assert_eq!(runs.unfinished(&without), <[String; 0]>::default());
}

#[test]
fn what_is_wrong_with_it_is_told() {
    for (on, why) in [
        (
            "{gaol: x}",
            "'On' has the unknown key 'gaol'. Did you mean 'goal'?",
        ),
        ("{}", "'on' needs 'goal'."),
        (
            "{goal: x, start: all}",
            "'all' is not a way to start runs: 'each' starts one for each answer",
        ),
        ("order(Id)", "'on' must be a map"),
    ] {
        let fault = fault(&format!("on: {on}\nnodes: [{{name: a}}]\n"));
        assert!(fault.to_lowercase().contains(&why.to_lowercase()), "{fault}");
    }
    let within = "nodes: [{name: a, type: workflow, run: {on: {goal: x}, nodes: [{name: b}]}}]";
    assert!(fault(within).contains("runs begin with the outermost text"));
}

const NIGHTLY: &str = "name: nightly\non: {cron: '0 3 * * *', start: {x: 1}}\nnodes: [{name: a}]\n";
const DAY: u64 = 86_400_000;
const THREE: u64 = 3 * 3_600_000;

#[test]
fn each_time_has_one_run_and_missed_ones_one_together() {
    let shelf = Rc::new(Shelf::default());
    let workflow = load(NIGHTLY, &installed()).unwrap();
    let tick = |now_ms: u64| block_on(process(&shelf).runs.tick(&workflow, now_ms)).unwrap();
    // What came before anybody followed is over.
    assert_eq!(tick(5 * DAY).due, None);
    assert_eq!(tick(5 * DAY).next_ms, Some(5 * DAY + THREE));
    assert_eq!(tick(5 * DAY + THREE - 1).due, None);
    let Come { ms, run } = tick(5 * DAY + THREE).due.unwrap();
    assert_eq!(ms, 5 * DAY + THREE);
    // Another follower, or one after a restart, names the same run.
    assert_eq!(tick(5 * DAY + THREE + 1).due, Some(Come { ms, run: run.clone() }));
    block_on(process(&shelf).runs.ticked(&workflow, ms)).unwrap();
    assert_eq!(tick(5 * DAY + THREE + 1).due, None);
    // After days without anybody there is one run, for the latest time.
    let late = tick(9 * DAY).due.unwrap();
    assert_eq!(late.ms, 8 * DAY + THREE);
    assert_ne!(late.run, run);
    block_on(process(&shelf).runs.ticked(&workflow, late.ms)).unwrap();
    // An earlier time that another follower reports late changes nothing.
    block_on(process(&shelf).runs.ticked(&workflow, ms)).unwrap();
    assert_eq!(tick(9 * DAY).due, None);
}

#[test]
fn a_last_time_in_the_future_counts_as_now() {
    let shelf = Rc::new(Shelf::default());
    let workflow = load(NIGHTLY, &installed()).unwrap();
    let runs = process(&shelf).runs;
    block_on(runs.ticked(&workflow, 3_650 * DAY)).unwrap();
    let tick = |now_ms: u64| block_on(process(&shelf).runs.tick(&workflow, now_ms)).unwrap();
    let back = tick(5 * DAY);
    assert_eq!((back.due, back.next_ms), (None, Some(5 * DAY + THREE)));
    assert_eq!(tick(5 * DAY + THREE).due.unwrap().ms, 5 * DAY + THREE);
}

#[test]
fn who_follows_last_is_the_one() {
    let shelf = Rc::new(Shelf::default());
    let workflow = load(NIGHTLY, &installed()).unwrap();
    let other = load("nodes: [{name: a}]", &installed()).unwrap();
    let first = block_on(process(&shelf).runs.follow(&workflow)).unwrap();
    let runs = process(&shelf).runs;
    assert!(!runs.is_followed_after(&workflow, first));
    block_on(runs.follow(&other)).unwrap();
    assert!(!runs.is_followed_after(&workflow, first));
    let second = block_on(runs.follow(&workflow)).unwrap();
    assert!(runs.is_followed_after(&workflow, first));
    assert!(!runs.is_followed_after(&workflow, second));
}

#[test]
fn a_schedule_that_cannot_be_read() {
    for (on, why) in [
        ("{cron: soon}", "'soon' is not a cron expression"),
        ("{cron: '0 0 30 2 *'}", "'0 0 30 2 *'"),
        ("{cron: '0 3 * * *', goal: p}", "cannot be combined"),
        (
            "{cron: '0 3 * * *', start: once}",
            "a map: the state that runs begin with",
        ),
    ] {
        let fault = fault(&format!("on: {on}\nnodes: [{{name: a}}]"));
        assert!(fault.contains(why), "{fault}");
    }
}
