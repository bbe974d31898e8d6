//! What the code that serves a request may use.

use std::rc::Rc;

use hornbook_base::{Control, Priority, Progress, Who};
use serde_json::{Value, json};

use super::call_state::CallState;
use super::era::LogLevel;
use super::jsonrpc;
use super::parked::Parked;

/// The context of one request, for the code that serves it. Clones refer to the same call.
#[derive(Clone)]
pub struct Call {
    pub(super) state: Rc<CallState>,
    pub(super) progress: ToWhom,
    /// Those whose work it carries on.
    pub(super) with: Rc<[Who]>,
    /// Where it waits for answers of a modern client.
    pub(super) parked: Rc<Parked>,
}

/// Who gets the progress of a call.
#[derive(Clone)]
pub(super) enum ToWhom {
    Client,
    Nobody,
    Caller(Rc<dyn Fn(Progress)>),
}

impl Call {
    /// Cancellation, and progress if the client asked for it.
    pub fn control(&self) -> Control {
        let route = self.state.route();
        let heard = route.is_some_and(|route| route.progress_token.is_some()) || self.state.task().is_some();
        let progress: Rc<dyn Fn(Progress)> = match &self.progress {
            ToWhom::Client => {
                let state = self.state.clone();
                Rc::new(move |progress| state.progress(&progress))
            }
            ToWhom::Nobody => Rc::new(|_| {}),
            ToWhom::Caller(tell) => tell.clone(),
        };
        let wanted = heard && !matches!(self.progress, ToWhom::Nobody);
        Control {
            cancel: self.state.cancel.clone(),
            progress: wanted.then_some(progress),
            client: self.state.client,
            priority: Priority::Normal,
            own_queries_only: self.state.is_alone,
            client_name: self.state.author(),
            read_only: self.state.rights.read_only,
            who: Who::carrying_on(self.state.who().as_deref(), &self.with),
            person: None,
        }
    }

    /// The same call without progress, for a part of the work whose progress is not that of the whole.
    pub fn without_progress(&self) -> Call {
        Call {
            progress: ToWhom::Nobody,
            ..self.clone()
        }
    }

    /// The same call, whose progress, if the client wants any, goes to whoever carries on the whole.
    pub fn telling(&self, tell: Rc<dyn Fn(Progress)>) -> Call {
        Call {
            progress: ToWhom::Caller(tell),
            ..self.clone()
        }
    }

    /// The same call for work that others have begun: it may do what they may, too, and nothing else.
    pub fn carrying_on(&self, others: &[Who]) -> Call {
        Call {
            with: others.into(),
            ..self.clone()
        }
    }

    /// The most tokens a reply to this client may have, if its host set a limit.
    pub fn reply_tokens(&self) -> Option<usize> {
        self.state.reply_tokens
    }

    /// Send a message to the client's log, if it wants messages of this level.
    pub fn log(&self, level: LogLevel, data: Value) {
        let Some(route) = self.state.route() else { return };
        if route.log_level().is_some_and(|least| level >= least) {
            let message = json!({ "level": level, "data": data });
            route
                .client
                .send(&jsonrpc::notification("notifications/message", message));
        }
    }

    /// Wait until the client has read what it was sent.
    pub async fn read(&self) {
        if let Some(route) = self.state.route() {
            route.client.flow.read().await;
        }
    }

    /// What the client declared for a capability.
    pub fn client_capability(&self, capability: &str) -> Option<Value> {
        self.state.route()?.declared(capability)
    }

    /// Whether the client declared a capability: `elicitation` (with forms), `sampling` or `roots`.
    pub fn client_can(&self, capability: &str) -> bool {
        self.state
            .route()
            .is_some_and(|route| route.client_can(capability))
    }
}
