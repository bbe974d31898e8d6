//! A model at work on a task.

use super::*;

#[test]
fn a_task_gives_its_results_to_the_engine_and_tells_what_it_took() {
    let said = json!({ "text": "hm", "calls": [], "usage": { "inputTokens": 5, "outputTokens": 2 } });
    let result = call("set_result", json!({ "variable": "N", "value": 41 }));
    let bench = bench(
        [
            task(json!([{ "name": "N", "type": "integer" }])),
            truth(json!(true)),
        ],
        [said, result, call("finish", json!({ "success": true }))],
    );
    let events = bench.run(Budgets::default());
    assert_eq!(types(&events), ["usage", "output", "finished"]);
    assert_eq!(events[2]["usage"]["inputTokens"], 5);
    let requests = bench.script.requests.borrow();
    assert_eq!(
        requests[3],
        r#"dml_next(1,done([41],"Task completed. Results: N: 41"),60.000)"#
    );
    assert!(*bench.script.ended.borrow());
}

#[test]
fn a_tool_of_the_program_runs_in_an_engine_of_its_own() {
    let bench = bench(
        [task(json!([])), truth(json!("49")), truth(json!(true))],
        [call("sq", json!({ "arg1": 7 })), call("finish", json!({}))],
    );
    assert_eq!(types(&bench.run(Budgets::default())), ["finished"]);
    let requests = bench.script.requests.borrow();
    assert_eq!(requests[3], r#"dml_tool(2,'sq',["7"],["sq"],none,60.000)"#);
    let asked = bench.model.requests.borrow();
    assert_eq!(asked[1].messages.last().unwrap().content, r#"{"result":"49"}"#);
}

#[test]
fn what_a_model_does_wrong_is_told_to_it() {
    let finish = call("finish", json!({ "success": true }));
    let turns = [
        call("nope", json!({})),
        call("set_result", json!({ "variable": "N", "value": "7" })),
        finish,
        call("finish", json!({ "success": false })),
    ];
    let bench = bench(
        [
            task(json!([{ "name": "N", "type": "integer" }])),
            truth(json!(true)),
        ],
        turns,
    );
    bench.run(Budgets::default());
    let asked = bench.model.requests.borrow();
    let told: Vec<&str> = asked[1..]
        .iter()
        .map(|request| request.messages.last().unwrap().content.as_str())
        .collect();
    assert!(
        told[0].contains("There is no tool nope; the tools are: finish, set_result, sq."),
        "{told:?}"
    );
    assert!(told[1].contains("integer"), "{told:?}");
    assert!(told[2].contains("store N with set_result"), "{told:?}");
    assert_eq!(bench.script.requests.borrow()[3], "dml_next(1,failed,60.000)");
}

#[test]
fn transient_failures_are_tried_again_others_fail_the_task_and_a_model_that_is_not_there_is_an_error() {
    let busy = json!({ "message": "busy", "transient": true });
    let gone = json!({ "message": "bad key", "unreachable": true });
    let bench = bench(
        [
            task(json!([])),
            task(json!([])),
            task(json!([])),
            truth(json!(true)),
        ],
        [
            busy,
            call("finish", json!({})),
            json!({ "message": "too long" }),
            gone,
        ],
    );
    let events = bench.run(Budgets::default());
    assert_eq!(types(&events)[0], "log");
    let requests = bench.script.requests.borrow();
    let outage = "outage(model_error(failed,\"The task failed: the model failed: too long.\"))";
    assert_eq!(requests[4], format!("dml_next(1,{outage},60.000)"));
    assert_eq!(requests[5], "dml_next(1,refused(\"bad key\"),60.000)");
}

#[test]
fn a_model_that_repeats_itself_is_stopped() {
    let turn = json!({ "text": "again" });
    let bench = bench([task(json!([])), truth(json!(true))], vec![turn; 50]);
    bench.run(Budgets::default());
    assert_eq!(bench.model.requests.borrow().len(), 3);
}
