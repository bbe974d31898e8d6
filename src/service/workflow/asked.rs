//! Asks the user what a run waits for.

use futures::future::{Either, select};
use hornbook_mcp::{Call, Object as Members, Question};
use hornbook_workflow::json::{Json, Object};
use hornbook_workflow::state::{Interrupt, When};
use serde_json::json;

use super::WorkflowTools;
use super::given::members;
use super::report::{clipped, place_of};

impl WorkflowTools {
    /// The user's changes to the state; `None` if the run should keep waiting.
    pub(super) async fn asked(
        &self,
        run: &str,
        interrupt: &Interrupt,
        state: &Object,
        number: u64,
        call: &Call,
    ) -> Option<Object> {
        if !call.client_can("elicitation") {
            return None;
        }
        let shown = clipped(&Json::Object(state.clone()).to_string(), 1_000);
        let message = format!("Run {run} waits {}. Its state: {shown}", place_of(interrupt));
        let asks = interrupt.when == When::Question;
        let schema = if asks {
            json!({
                "type": "object",
                "properties": { "answer": { "type": "string", "title": "Answer" } },
                "required": ["answer"],
            })
        } else {
            json!({
            "type": "object",
            "properties": {
                "go_on": { "type": "boolean", "title": "Go on" },
                "state": { "type": "string", "title": "Values to change", "description": "JSON, as {\"approved\": true}" },
            },
            "required": ["go_on"],
            })
        };
        let question = Question::elicitation(&format!("interrupt_{number}"), &message, schema);
        let late = self.clock.sleep(self.user_ms);
        let Either::Left((Ok(answers), _)) = select(Box::pin(call.ask(vec![question])), late).await else {
            return None;
        };
        let content = &answers[0]["content"];
        if asks {
            let answer = content["answer"]
                .as_str()
                .filter(|_| answers[0]["action"] == "accept")?;
            return Some([("answer".to_owned(), Json::Text(answer.to_owned()))].into());
        }
        if answers[0]["action"] != "accept" || content["go_on"] != true {
            return None;
        }
        match content["state"].as_str().map(str::trim) {
            None | Some("") => Some(Object::new()),
            // Anything but a JSON object cannot be used: the agent sees that the run is waiting.
            Some(text) => serde_json::from_str::<Members>(text)
                .ok()
                .and_then(|given| members(Some(given)).ok()),
        }
    }
}
