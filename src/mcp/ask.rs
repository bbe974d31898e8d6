//! Asks the client for something while one of its requests is running.
//!
//! Up to 2025-11-25 the server sends a request of its own. From 2026-07-28 the server answers the running
//! request with `input_required`, and the client sends it again with the answers. The code that serves a
//! request sees no difference: it awaits the answers.

use futures::channel::oneshot;
use futures::future::{Either, select};
use serde_json::{Value, json};

use super::call::Call;
use super::era::Era;
use super::jsonrpc::{self, Object, RpcError};
use super::parked::Origin;
use super::route::Route;

/// An input request of the protocol.
#[derive(Debug, Clone)]
pub struct Question {
    /// The key of the answer; unique within its request.
    pub key: String,
    kind: Kind,
    params: Value,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Elicitation,
    Sampling,
    Roots,
}

impl Question {
    /// A form for the user; `schema` is an object schema of primitive properties.
    pub fn elicitation(key: &str, message: &str, schema: Value) -> Question {
        let params = json!({ "message": message, "requestedSchema": schema });
        Question {
            key: key.into(),
            kind: Kind::Elicitation,
            params,
        }
    }

    /// A completion by the client's model; `params` are those of `sampling/createMessage`.
    pub fn sampling(key: &str, params: Value) -> Question {
        Question {
            key: key.into(),
            kind: Kind::Sampling,
            params,
        }
    }

    /// The client's root directories.
    pub fn roots(key: &str) -> Question {
        Question {
            key: key.into(),
            kind: Kind::Roots,
            params: json!({}),
        }
    }

    fn method(&self) -> &'static str {
        match self.kind {
            Kind::Elicitation => "elicitation/create",
            Kind::Sampling => "sampling/createMessage",
            Kind::Roots => "roots/list",
        }
    }

    fn capability(&self) -> &'static str {
        match self.kind {
            Kind::Elicitation => "elicitation",
            Kind::Sampling => "sampling",
            Kind::Roots => "roots",
        }
    }

    fn checked(&self, answer: Value) -> Result<Value, RpcError> {
        if self.accepts(&answer) {
            return Ok(answer);
        }
        let message = format!("The client's answer to {} is malformed", self.method());
        Err(RpcError::new(jsonrpc::INTERNAL_ERROR, message))
    }

    /// Whether `answer` has the shape of an answer to this question.
    fn accepts(&self, answer: &Value) -> bool {
        match self.kind {
            Kind::Elicitation => match answer["action"].as_str() {
                Some("accept") => answer["content"].is_object(),
                Some("decline" | "cancel") => true,
                _ => false,
            },
            Kind::Sampling => {
                answer["role"].is_string() && (answer["content"].is_object() || answer["content"].is_array())
            }
            Kind::Roots => answer["roots"].is_array(),
        }
    }
}

impl Call {
    /// The client's answers (`ElicitResult`, `CreateMessageResult`, `ListRootsResult`), in the order of the
    /// questions. Fails if the client cannot be asked or refuses.
    pub async fn ask(&self, questions: Vec<Question>) -> Result<Vec<Value>, RpcError> {
        let route = self.state.route().ok_or_else(RpcError::cancelled)?;
        // A call that waits for the client gives up its slot, so that the client's other calls can run.
        self.state.leave();
        let answers = self.answers(&route, questions).await;
        self.state.enter(&route.client.flow, 0).await;
        answers
    }

    async fn answers(&self, route: &Route, questions: Vec<Question>) -> Result<Vec<Value>, RpcError> {
        match route.era {
            Era::Legacy => {
                let mut answers = Vec::new();
                for question in &questions {
                    answers.push(self.ask_by_request(question).await?);
                }
                Ok(answers)
            }
            Era::Modern if self.state.task().is_some() => self.ask_by_task(&questions).await,
            Era::Modern => self.ask_by_result(&questions).await,
        }
    }

    async fn ask_by_request(&self, question: &Question) -> Result<Value, RpcError> {
        self.require(question)?;
        let route = self.state.route().ok_or_else(RpcError::cancelled)?;
        let task = self.state.task();
        let params = task.map(|task| task.asks(&question.params));
        let params = params.as_ref().unwrap_or(&question.params);
        let (id, answer) = route
            .client
            .ask(question.method(), params, self.state.rights.clone());
        let answered = select(answer, Box::pin(self.state.cancel.cancelled())).await;
        if let Some(task) = task {
            task.goes_on();
        }
        match answered {
            Either::Left((answer, _)) => {
                question.checked(answer.unwrap_or_else(|oneshot::Canceled| Err(RpcError::cancelled()))?)
            }
            Either::Right(_) => {
                route.client.withdraw(&id);
                Err(RpcError::cancelled())
            }
        }
    }

    async fn ask_by_task(&self, questions: &[Question]) -> Result<Vec<Value>, RpcError> {
        let task = self.state.task().ok_or_else(RpcError::cancelled)?;
        let mut requests = Object::new();
        for question in questions {
            self.require(question)?;
            let request = json!({ "method": question.method(), "params": question.params });
            requests.insert(question.key.clone(), request);
        }
        let answered = select(
            Box::pin(task.ask(requests)),
            Box::pin(self.state.cancel.cancelled()),
        );
        let Either::Left((answers, _)) = answered.await else {
            return Err(RpcError::cancelled());
        };
        let mut answers = answers?;
        let given = |question: &Question| question.checked(answers.remove(&question.key).unwrap_or_default());
        questions.iter().map(given).collect()
    }

    async fn ask_by_result(&self, questions: &[Question]) -> Result<Vec<Value>, RpcError> {
        let mut answers = Object::new();
        loop {
            let route = self.state.route().ok_or_else(RpcError::cancelled)?;
            let mut wanted = Object::new();
            for question in questions {
                if answers.contains_key(&question.key) {
                    continue;
                }
                match route
                    .input
                    .get(&question.key)
                    .filter(|answer| question.accepts(answer))
                {
                    Some(answer) => {
                        answers.insert(question.key.clone(), answer.clone());
                    }
                    None => {
                        self.require(question)?;
                        let request = json!({ "method": question.method(), "params": question.params });
                        wanted.insert(question.key.clone(), request);
                    }
                }
            }
            if wanted.is_empty() {
                return Ok(questions
                    .iter()
                    .filter_map(|question| answers.remove(&question.key))
                    .collect());
            }
            let origin = Origin::of(&route);
            let (state, woken) = self.parked.park(self.state.clone(), origin, route.bytes);
            self.state.finish(Ok(jsonrpc::object(json!({
                "resultType": "input_required",
                "inputRequests": wanted,
                "requestState": state,
            }))));
            woken.await.map_err(|oneshot::Canceled| RpcError::cancelled())?;
        }
    }

    fn require(&self, question: &Question) -> Result<(), RpcError> {
        if self.client_can(question.capability()) {
            Ok(())
        } else {
            Err(RpcError::missing_capability(question.capability()))
        }
    }
}
