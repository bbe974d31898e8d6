//! Runs that the answers of a goal begin.

use super::*;

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
fn what_is_wrong_with_it_is_told() {
    for (on, why) in [
        (
            "{gaol: x}",
            "'On' has the unknown key 'gaol'. Did you mean 'goal'?",
        ),
        ("{}", "'on' needs 'goal'."),
        (
            "{goal: x, start: all}",
            "'all' is no way to start runs: 'each' starts one for each answer",
        ),
        ("order(Id)", "'on' must be a map"),
    ] {
        let fault = fault(&format!("on: {on}\nnodes: [{{name: a}}]\n"));
        assert!(fault.to_lowercase().contains(&why.to_lowercase()), "{fault}");
    }
    let within = "nodes: [{name: a, type: workflow, run: {on: {goal: x}, nodes: [{name: b}]}}]";
    assert!(fault(within).contains("runs begin with the outermost text"));
}
