//! The seam between the protocol and everything it serves.

use std::rc::Rc;

use futures::future::LocalBoxFuture;
use serde_json::Value;

use super::about::About;
use super::call::Call;
use super::changes::ChangeListener;
use super::jsonrpc::{Object, RpcError};

/// The result of a request, as the protocol defines it for its method, or a protocol error.
pub type Reply = LocalBoxFuture<'static, Result<Object, RpcError>>;

/// What clients want of a resource that is not listed.
#[derive(Clone)]
pub struct Subscription {
    pub uri: String,
    /// Tells those that want it that the resource has changed.
    pub tell: Rc<dyn Fn()>,
    /// Whether anybody still wants it.
    pub is_wanted: Rc<dyn Fn() -> bool>,
}

/// Tools, resources, prompts and completion. Declarations (`tools`, `resources`, …) are the objects that the
/// list methods return, always in the same order.
pub trait Service {
    fn about(&self) -> About;
    fn tools(&self) -> Vec<Value>;
    /// Returns a `CallToolResult`. An error inside a tool is a result with `isError`.
    fn call_tool(&self, name: String, arguments: Object, call: Call) -> Reply;
    /// An unguessable id for a call of this tool that should run as a task; `None` if it should not.
    fn task_id(&self, _tool: &str) -> Option<String> {
        None
    }
    fn resources(&self) -> Vec<Value>;
    fn resource_templates(&self) -> Vec<Value>;
    /// Returns a `ReadResourceResult`.
    fn read_resource(&self, uri: String, call: Call) -> Reply;
    fn prompts(&self) -> Vec<Value>;
    /// Returns a `GetPromptResult`.
    fn get_prompt(&self, name: String, arguments: Object, call: Call) -> Reply;
    /// Values that begin with `value`, best first, for an argument of a prompt (`{"type": "ref/prompt",
    /// "name": …}`) or of a resource template (`{"type": "ref/resource", "uri": …}`).
    fn complete(&self, reference: &Object, argument: &str, value: &str) -> Result<Vec<String>, RpcError>;
    /// A client subscribes to a resource that is not listed. Returns whether there is such a resource; its changes are
    /// then told by `subscription` while it is wanted, or by [`Service::on_change`].
    fn subscribe(&self, _uri: &str, _subscription: Subscription) -> bool {
        !self.resource_templates().is_empty()
    }
    /// Called once, when the server is made.
    fn on_change(&self, listener: ChangeListener);
}
