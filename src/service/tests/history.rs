use super::*;

#[test]
fn changes_are_undone_redone_and_told() {
    let client = Client::new();
    client.assert_clauses(json!("likes(ann)."));
    client.say(
        "clauses",
        json!({ "operation": "retract", "clauses": "likes(ann)" }),
    );
    let reply = client.call("workspace", json!({ "operation": "undo" }));
    assert!(
        text(&reply).starts_with("Undone: 1 operation, +1 -0; 1 left to undo, 1 to redo"),
        "{reply}"
    );
    assert_eq!(structured(&reply)["type"], "workspace_undo");
    assert_eq!(client.read("prolog://workspace/snapshot"), "likes(ann).");
    let reply = client.call("workspace", json!({ "operation": "undo", "steps": 5 }));
    assert_eq!(structured(&reply)["revisions"].as_array().map(Vec::len), Some(1));
    let reply = client.call("workspace", json!({ "operation": "redo", "steps": 2 }));
    assert_eq!(structured(&reply)["type"], "workspace_redo");
    assert_eq!(client.read("prolog://workspace/snapshot"), "% Empty workspace");
    let reply = client.call(
        "workspace",
        json!({ "operation": "history", "steps": 1, "to": 3 }),
    );
    assert_eq!(structured(&reply)["revisions"][0]["of"], 2);
    assert!(
        text(&reply).ends_with("… and 2 older: continue with to: 2"),
        "{reply}"
    );
    let told = client.say("workspace", json!({ "operation": "diff", "from": 0, "to": 1 }));
    assert_eq!(
        told,
        "--- revision 0\n+++ revision 1\n@@ -0,0 +1,1 @@\n+likes(ann).\n"
    );
    let reply = client.call(
        "workspace",
        json!({ "operation": "provenance", "of": "likes(X)" }),
    );
    assert_eq!(structured(&reply)["clauses"][0]["removed"]["operation"], "redo");
}

#[test]
fn what_cannot_be_undone_or_is_not_known_is_a_fault_of_its_own() {
    let client = Client::new();
    let refused = |arguments: Value| kind(&client.call("workspace", arguments)).to_string();
    assert_eq!(refused(json!({ "operation": "undo" })), "nothing_to_undo");
    assert_eq!(refused(json!({ "operation": "redo" })), "nothing_to_redo");
    assert_eq!(
        refused(json!({ "operation": "history", "to": 1 })),
        "no_such_revision"
    );
    assert_eq!(
        refused(json!({ "operation": "diff", "from": 1 })),
        "no_such_revision"
    );
    assert_eq!(
        refused(json!({ "operation": "undo", "steps": 0 })),
        "invalid_argument"
    );
    assert_eq!(refused(json!({ "operation": "provenance" })), "invalid_argument");
    assert_eq!(
        refused(json!({ "operation": "provenance", "of": "likes/1" })),
        "existence_error"
    );
    assert_eq!(
        refused(json!({ "operation": "provenance", "of": "" })),
        "domain_error"
    );
}

#[test]
fn nothing_is_undone_in_a_book_that_has_changed_since_the_revision_that_the_caller_knows() {
    let client = Client::new();
    for clause in ["likes(ann).", "likes(bob)."] {
        client.assert_clauses(json!(clause));
    }
    let reversed = |operation: &str, from: u64| {
        client.call(
            "workspace",
            json!({ "operation": operation, "steps": 2, "from": from }),
        )
    };
    let reply = reversed("undo", 1);
    assert_eq!(kind(&reply), "conflict");
    assert!(text(&reply).contains("its last revision is 2 by now"), "{reply}");
    assert_eq!(structured(&reversed("undo", 2))["type"], "workspace_undo");
    assert_eq!(kind(&reversed("redo", 2)), "conflict");
    assert_eq!(structured(&reversed("redo", 4))["type"], "workspace_redo");
    assert_eq!(
        client.read("prolog://workspace/snapshot"),
        "likes(ann).\nlikes(bob)."
    );
}
