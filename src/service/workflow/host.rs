//! Runs the nodes of a workflow that are not Prolog: the server's tools as actions, and its DML programs. A
//! workflow that needs anything else is rejected when it is loaded.

use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use hornbook_mcp::{Call, Object as Members};
use hornbook_workflow::fault::{WorkflowFault, WorkflowFaultKind};
use hornbook_workflow::json::{Json, Object};
use hornbook_workflow::run::{Code, CodeFailure, NodeHost};
use serde_json::{Value, json};

use crate::toolset::Served;

pub(super) struct ToolsOfServer {
    pub sets: Vec<Rc<dyn Served>>,
    /// The call that runs the workflow; when it ends, so does what its tools do.
    pub call: Call,
}

impl ToolsOfServer {
    /// A tool's result: its structured content, or its text if there is none. The error is its text.
    async fn tool(&self, name: &str, arguments: Members, call: &Call) -> Result<Json, String> {
        let mut sets = self.sets.iter();
        let reply = sets.find_map(|set| set.call_tool(name, arguments.clone(), call));
        let reply = reply.ok_or("there is no such tool")?.await;
        let reply = reply.map_err(|error| error.message)?;
        let text = reply["content"][0]["text"].as_str().unwrap_or_default();
        match reply.get("structuredContent") {
            _ if reply.get("isError") == Some(&Value::Bool(true)) => Err(text.to_owned()),
            Some(data) => Ok(json_of(data.clone())),
            None => Ok(Json::Text(text.to_owned())),
        }
    }
}

impl NodeHost for ToolsOfServer {
    fn code<'a>(&'a self, code: Code<'a>) -> LocalBoxFuture<'a, Result<Json, CodeFailure>> {
        let message = format!("Nodes in {} cannot be run here.", code.language.name());
        let fault = WorkflowFault::new(WorkflowFaultKind::Code(code.language), message);
        async move { Err(fault.into()) }.boxed_local()
    }

    fn action<'a>(
        &'a self,
        name: &'a str,
        with: &'a Json,
        _: &'a Object,
        _: &'a str,
        _: Rc<dyn Fn(Json)>,
    ) -> LocalBoxFuture<'a, Result<Json, WorkflowFault>> {
        let failed = move |why: &str| {
            let message = format!("The action {name} failed: {why}");
            WorkflowFault::new(WorkflowFaultKind::Action, message)
        };
        async move {
            let arguments = serde_json::from_str::<Members>(&with.to_string());
            let arguments = arguments.map_err(|_| failed("its parameters are no object"))?;
            let silent = self.call.without_progress();
            let result = self.tool(name, arguments, &silent).await;
            result.map_err(|why| failed(&why))
        }
        .boxed_local()
    }

    fn program<'a>(
        &'a self,
        code: &'a str,
        params: &'a Json,
        tell: Rc<dyn Fn(Json)>,
    ) -> LocalBoxFuture<'a, Result<Json, WorkflowFault>> {
        let failed = |why: String| WorkflowFault::new(WorkflowFaultKind::Program, why);
        async move {
            let params = serde_json::from_str::<Value>(&params.to_string()).unwrap_or_default();
            let arguments = [("code".to_owned(), json!(code)), ("params".to_owned(), params)];
            let told = self.call.telling(Rc::new(move |progress| {
                let event = [("type", "log".to_owned()), ("content", progress.message)];
                let event = event.map(|(key, text)| (key.to_owned(), Json::Text(text)));
                tell(Json::from_iter(event));
            }));
            let arguments = arguments.into_iter().collect();
            let ran = self.tool("dml_run", arguments, &told).await;
            let Json::Object(mut ran) = ran.map_err(failed)? else {
                return Ok(Json::Null);
            };
            if ran.get("status") == Some(&Json::Text("false".into())) {
                return Err(failed("The program was false: agent_main failed.".into()));
            }
            ran.retain(|key, _| matches!(key.as_str(), "answer" | "output"));
            Ok(Json::Object(ran))
        }
        .boxed_local()
    }
}

pub(super) fn json_of(value: Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(truth) => Json::Bool(truth),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => Json::Int(number),
            (None, Some(number)) => Json::Big(number.to_string()),
            (None, None) => Json::Float(number.as_f64().unwrap_or_default()),
        },
        Value::String(text) => Json::Text(text),
        Value::Array(items) => Json::Array(items.into_iter().map(json_of).collect()),
        Value::Object(members) => members
            .into_iter()
            .map(|(key, value)| (key, json_of(value)))
            .collect(),
    }
}
