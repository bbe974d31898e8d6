//! How runs end.

use super::*;

#[test]
fn spent_budgets_end_the_run_with_a_sentence() {
    let exec = || step(json!({ "kind": "exec", "tool": "t", "arguments": [] }));
    let ended = |replies: Vec<Value>, budgets: Budgets| {
        let turn = json!({ "text": "x", "usage": { "inputTokens": 9, "outputTokens": 1 } });
        let bench = bench(replies, vec![turn; 3]);
        let tool = serde_json::from_value(json!({})).unwrap();
        bench.dml.register_tool("t", tool);
        bench.run(budgets).pop().unwrap()["content"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let all = Budgets::default;
    let calls = ended(
        vec![task(json!([]))],
        Budgets {
            model_calls: Some(1),
            ..all()
        },
    );
    assert_eq!(calls, "The run has made its 1 calls of the model.");
    let tokens = ended(
        vec![task(json!([]))],
        Budgets {
            tokens: Some(15),
            ..all()
        },
    );
    assert_eq!(tokens, "The run has used its 15 tokens (20 in all).");
    let tools = ended(
        vec![exec(), exec()],
        Budgets {
            tool_calls: Some(1),
            ..all()
        },
    );
    assert_eq!(tools, "The run has made its 1 calls of tools.");
    let gas = ended(
        vec![exec()],
        Budgets {
            inferences: Some(10),
            ..all()
        },
    );
    assert_eq!(
        gas,
        "Gas exhausted: the program took more than its 10 inferences."
    );
}

#[test]
fn an_aborted_run_says_so_and_ends_its_engine() {
    let bench = bench([], []);
    let run = bench.start(Budgets::default(), false);
    assert!(run.next().now_or_never().is_none());
    run.abort();
    let event = run.next().now_or_never().flatten();
    assert_eq!(event, Some(Event::error("Execution aborted.")));
    assert!(*bench.script.ended.borrow());
    assert_eq!(run.next().now_or_never(), Some(None));
}

#[test]
fn errors_of_a_program_have_a_place() {
    let bench = bench([], []);
    let error = json!({ "kind": "syntax_error", "message": "oops", "line": 3, "column": 4, "offset": 9 });
    let loaded = json!({ "errors": [error], "mains": [], "tools": [], "declared": [] });
    bench.script.replies.borrow_mut()[1] = loaded;
    let events = bench.run(Budgets::default());
    assert_eq!(
        events,
        [
            json!({ "type": "error", "content": "line 3, column 4: Syntax error: oops", "line": 3, "column": 4 })
        ]
    );
}
