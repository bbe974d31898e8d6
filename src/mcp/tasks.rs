//! The methods for tool calls that run as tasks: the client is answered at once, and polls for progress and then for the
//! result.
//!
//! In 2025-11-25 the client asks for a task, and `tasks/result` waits for its result. In 2026-07-28 tasks are
//! an extension: a call that may take long becomes a task if the client declares the extension, `tasks/get`
//! returns the result and the questions to the client, and `tasks/update` brings the answers. A task ends
//! with the process.

use std::rc::Rc;

use futures::future::select;
use serde_json::{Value, json};

use super::call_state::CallState;
use super::era::{Era, TASKS};
use super::jsonrpc::{self, METHOD_NOT_FOUND, Object, RpcError};
use super::route::Route;
use super::server::Server;
use super::task::Task;

/// Whether a tool call is to run as a task: the task's id, and how many milliseconds the client wants it
/// kept.
pub fn wanted(server: &Server, route: &Route, tool: &str) -> Result<Option<(String, Option<u64>)>, RpcError> {
    let service = &server.service;
    match route.era {
        Era::Modern => Ok(declares(route)
            .then(|| service.task_id(tool))
            .flatten()
            .map(|id| (id, None))),
        Era::Legacy => {
            let asked = route.params.get("task").and_then(Value::as_object);
            let Some(asked) = asked.filter(|_| route.client.knows_tasks()) else {
                return Ok(None);
            };
            let ttl_ms = asked
                .get("ttl")
                .and_then(Value::as_f64)
                .map(|ms| ms.max(0.0) as u64);
            match service.task_id(tool) {
                Some(id) => Ok(Some((id, ttl_ms))),
                None => {
                    let message =
                        format!("The tool '{tool}' does not run as a task: call it without \"task\"");
                    Err(RpcError::new(METHOD_NOT_FOUND, message))
                }
            }
        }
    }
}

/// Turn the call of a request into a task. Returns the answer to the request.
pub fn create(
    server: &Server,
    route: &Route,
    state: &CallState,
    (id, ttl_ms): (String, Option<u64>),
) -> Object {
    let task = Task::new(id, route, state.cancel.clone(), ttl_ms, server.clock.clone());
    server.tasks.add(&task);
    let created = task.created();
    state.become_task(task);
    created
}

/// Serve the task methods that can answer at once.
pub fn serve(server: &Server, route: &Route) -> Result<Object, RpcError> {
    if !server.about.features.tasks {
        return Err(RpcError::method_not_found(&route.method));
    }
    if route.era == Era::Modern && matches!(&*route.method, "tasks/get" | "tasks/update" | "tasks/cancel") {
        check_declared(route)?;
    }
    match (&*route.method, route.era) {
        ("tasks/get", _) => Ok(named(server, route)?.state()),
        ("tasks/list", Era::Legacy) => {
            let told = server.tasks.list(route.client.number(), server.clock.now_ms());
            Ok(jsonrpc::object(json!({ "tasks": told })))
        }
        ("tasks/cancel", Era::Legacy) => {
            let task = own(server, route)?;
            if task.is_over() {
                return Err(RpcError::invalid_params(format!("The task {} is over", task.id)));
            }
            task.cancel();
            Ok(task.state())
        }
        ("tasks/cancel", Era::Modern) => {
            own(server, route)?.cancel();
            Ok(Object::new())
        }
        ("tasks/update", Era::Modern) => {
            own(server, route)?.answer(&route.input);
            Ok(Object::new())
        }
        _ => Err(RpcError::method_not_found(&route.method)),
    }
}

/// Answer with the outcome of a task when it ends.
pub fn await_result(server: &Server, route: &Rc<Route>) -> Result<(), RpcError> {
    let task = named(server, route)?;
    let state = CallState::new(route.clone());
    state.runs_for(route);
    (server.spawner)(Box::pin(async move {
        select(Box::pin(task.over()), Box::pin(state.cancel.cancelled())).await;
        // A cancelled request gets no answer.
        state.finish(task.result());
    }));
    Ok(())
}

fn named(server: &Server, route: &Route) -> Result<Rc<Task>, RpcError> {
    let id = route.params.get("taskId").and_then(Value::as_str);
    let id = id.ok_or_else(|| RpcError::invalid_params("\"taskId\" must be a string"))?;
    let found = server.tasks.find(id, route.era, server.clock.now_ms());
    found.ok_or_else(|| {
        RpcError::invalid_params("There is no such task: it may have been forgotten after its ttl")
    })
}

/// The named task, to decide what becomes of it: a request does not decide for a task that may change what it may
/// not.
fn own(server: &Server, route: &Route) -> Result<Rc<Task>, RpcError> {
    let task = named(server, route)?;
    match route.rights.reach(&task.rights) {
        true => Ok(task),
        false => Err(RpcError::invalid_params(
            "This task may change what this client may not: the client that began the task decides",
        )),
    }
}

fn declares(route: &Route) -> bool {
    let extensions = route.modern_capabilities.get("extensions");
    extensions.is_some_and(|extensions| extensions[TASKS].is_object())
}

/// Only clients that declare the extension may use task methods.
pub fn check_declared(route: &Route) -> Result<(), RpcError> {
    match declares(route) {
        true => Ok(()),
        false => Err(RpcError::missing_extension(TASKS)),
    }
}
