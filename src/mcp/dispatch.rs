//! The methods of the protocol.

use std::cell::Cell;
use std::rc::Rc;

use serde_json::{Value, json};

use super::about::Features;
use super::call::{Call, ToWhom};
use super::call_state::CallState;
use super::changes::Filter;
use super::client::{Client, Running};
use super::era::{self, Era, LEGACY, LogLevel, MODERN, TASKS};
use super::jsonrpc::{self, INVALID_REQUEST, Object, RpcError};
use super::parked::Origin;
use super::rights::Rights;
use super::route::{Batch, Route};
use super::server::Server;
use super::service::Reply;
use super::tasks;

/// The resources that a client may subscribe to with `resources/subscribe`.
const SUBSCRIPTIONS: usize = 100;
/// The longest URI of a resource that is not listed.
const URI_BYTES: usize = 2_000;

/// How a request arrived.
pub struct Arrived {
    pub batch: Option<Rc<Batch>>,
    /// The size of its message.
    pub bytes: usize,
    pub rights: Rights,
}

/// Start serving a request.
pub fn request(
    server: &Rc<Server>,
    client: &Rc<Client>,
    id: Value,
    method: String,
    mut params: Object,
    arrived: Arrived,
) {
    let metadata = era::metadata(&method, &params);
    let era = if matches!(metadata, Ok(None)) {
        Era::Legacy
    } else {
        Era::Modern
    };
    let (metadata, error) = match metadata {
        Ok(metadata) => (metadata, None),
        Err(error) => (None, Some(error)),
    };
    let input = params.remove("inputResponses");
    let state = params.remove("requestState");
    let (modern_capabilities, modern_log_level) = metadata
        .map(|one| (one.capabilities, one.log_level))
        .unwrap_or_default();
    let meta = params.get("_meta").and_then(|meta| meta.get(era::CLIENT_KEY));
    client.is_called(meta);
    let token = params.get("_meta").and_then(|meta| meta.get("progressToken"));
    let route = Rc::new(Route {
        client: client.clone(),
        era,
        batch: arrived.batch,
        modern_capabilities,
        modern_log_level,
        input: input
            .as_ref()
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default(),
        progress_token: token
            .filter(|token| token.is_string() || token.is_number())
            .cloned(),
        last_progress: Cell::new(None),
        bytes: arrived.bytes,
        rights: arrived.rights,
        id,
        method,
        params,
    });
    let error = error.or_else(|| {
        if client.is_running(&route.id) {
            Some(RpcError::new(
                INVALID_REQUEST,
                "Another request with this id is still running",
            ))
        } else if input.is_some_and(|input| !input.is_object()) {
            Some(RpcError::invalid_params("\"inputResponses\" must be an object"))
        } else {
            None
        }
    });
    let outcome = match (error, state) {
        (Some(error), _) => Err(error),
        (None, Some(state)) if era == Era::Modern => resume(server, &route, &state),
        (None, _) => serve(server, &route),
    };
    match outcome {
        Ok(Served::Now(result)) => route.answer(Ok(result)),
        Ok(Served::Later) => {}
        Err(error) => route.answer(Err(error)),
    }
}

enum Served {
    Now(Object),
    /// The answer is sent when the work is done.
    Later,
}

/// Resume a call: the client has sent its request again with the answers.
fn resume(server: &Server, route: &Rc<Route>, state: &Value) -> Result<Served, RpcError> {
    let Some(state) = state.as_str() else {
        return Err(RpcError::invalid_params("\"requestState\" must be a string"));
    };
    let origin = Origin::of(route);
    server
        .parked
        .resume(state, &origin, route.clone())?
        .runs_for(route);
    Ok(Served::Later)
}

fn serve(server: &Rc<Server>, route: &Rc<Route>) -> Result<Served, RpcError> {
    let service = server.service.clone();
    let params = &route.params;
    match route.method.as_str() {
        "tools/list" => list(params, "tools", tools(server, route)),
        "tools/call" => {
            let (name, arguments) = (text(params, "name")?, arguments(params)?);
            let task = tasks::wanted(server, route, &name)?;
            let work = move |call| service.call_tool(name, arguments, call);
            Ok(match task {
                Some(task) => begin_task(server, route, task, work),
                None => begin(server, route, work),
            })
        }
        "resources/list" => list(params, "resources", service.resources()),
        "resources/templates/list" => list(params, "resourceTemplates", service.resource_templates()),
        "resources/read" => {
            let uri = text(params, "uri")?;
            Ok(begin(server, route, move |call| service.read_resource(uri, call)))
        }
        "prompts/list" => list(params, "prompts", service.prompts()),
        "prompts/get" => {
            let (name, arguments) = (text(params, "name")?, arguments(params)?);
            Ok(begin(server, route, move |call| {
                service.get_prompt(name, arguments, call)
            }))
        }
        "tasks/result" if route.era == Era::Legacy && server.about.features.tasks => {
            tasks::await_result(server, route)?;
            Ok(Served::Later)
        }
        method if method.starts_with("tasks/") => tasks::serve(server, route).map(Served::Now),
        "completion/complete" => complete(server, route).map(Served::Now),
        _ => match route.era {
            Era::Legacy => serve_legacy(server, route).map(Served::Now),
            Era::Modern => serve_modern(server, route),
        },
    }
}

fn serve_legacy(server: &Rc<Server>, route: &Rc<Route>) -> Result<Object, RpcError> {
    let (client, params) = (&route.client, &route.params);
    let features = server.about.features;
    match route.method.as_str() {
        "initialize" => initialize(client, params),
        "ping" => Ok(Object::new()),
        "logging/setLevel" if features.logging => {
            client
                .log_level
                .set(LogLevel::read(params.get("level").unwrap_or(&Value::Null))?);
            Ok(Object::new())
        }
        "resources/subscribe" if features.subscriptions => {
            let uri = text(params, "uri")?;
            if !has_resource(server, &server.service.resources(), &uri) {
                return Err(RpcError::resource_not_found(&clipped(&uri)));
            }
            let mut subscriptions = client.subscriptions.borrow_mut();
            if subscriptions.len() >= SUBSCRIPTIONS && !subscriptions.contains(&uri) {
                return Err(RpcError::invalid_params(format!(
                    "A client subscribes to at most {SUBSCRIPTIONS} resources: end other subscriptions with resources/unsubscribe"
                )));
            }
            subscriptions.insert(uri);
            Ok(Object::new())
        }
        "resources/unsubscribe" if features.subscriptions => {
            let uri = text(params, "uri")?;
            client.subscriptions.borrow_mut().remove(&uri);
            Ok(Object::new())
        }
        method => Err(RpcError::method_not_found(method)),
    }
}

/// Whether there is a resource with this URI: one of those that are `listed`, or one of a template, which is subscribed
/// to.
fn has_resource(server: &Rc<Server>, listed: &[Value], uri: &str) -> bool {
    let is_listed = listed.iter().any(|resource| resource["uri"] == uri);
    is_listed || uri.len() <= URI_BYTES && server.service.subscribe(uri, server.subscription(uri))
}

/// A URI as errors show it.
fn clipped(uri: &str) -> String {
    match uri.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &uri[..end]),
        None => uri.to_owned(),
    }
}

fn serve_modern(server: &Rc<Server>, route: &Rc<Route>) -> Result<Served, RpcError> {
    let about = &server.about;
    match route.method.as_str() {
        "server/discover" => Ok(Served::Now(jsonrpc::object(json!({
            "supportedVersions": [MODERN],
            "capabilities": modern_capabilities(about.features),
            "instructions": about.instructions,
        })))),
        "subscriptions/listen" => {
            if route.params["notifications"].get("taskIds").is_some() {
                tasks::check_declared(route)?;
            }
            let mut filter = Filter::read(&route.params, about.features)?;
            if filter.uri_count() > SUBSCRIPTIONS {
                return Err(RpcError::invalid_params(format!(
                    "A client subscribes to at most {SUBSCRIPTIONS} resources at once"
                )));
            }
            let listed = server.service.resources();
            filter.retain_uris(|uri| has_resource(server, &listed, uri));
            let acknowledgement = filter.acknowledgement(&route.id);
            route
                .client
                .keep(&route.id, Running::Listen(route.id.clone(), filter));
            route.client.send(&acknowledgement);
            Ok(Served::Later)
        }
        method => Err(RpcError::method_not_found(method)),
    }
}

/// The tools, as this client may use them.
fn tools(server: &Server, route: &Route) -> Vec<Value> {
    let service = &server.service;
    let mut tools = service.tools();
    if route.era == Era::Legacy && route.client.knows_tasks() {
        for tool in &mut tools {
            let id = tool["name"].as_str().and_then(|name| service.task_id(name));
            if id.is_some() {
                tool["execution"] = json!({ "taskSupport": "optional" });
            }
        }
    }
    tools
}

/// Run the work once the client has a free slot; its answer is sent when it is done.
fn begin(server: &Server, route: &Rc<Route>, work: impl FnOnce(Call) -> Reply + 'static) -> Served {
    let state = CallState::new(route.clone());
    state.runs_for(route);
    run(server, route, state, work);
    Served::Later
}

/// Like [`begin`], as a task: the request is answered at once, and the task outlives the connection.
fn begin_task(
    server: &Server,
    route: &Rc<Route>,
    task: (String, Option<u64>),
    work: impl FnOnce(Call) -> Reply + 'static,
) -> Served {
    let state = CallState::new(route.clone());
    let created = tasks::create(server, route, &state, task);
    run(server, route, state, work);
    Served::Now(created)
}

fn run(server: &Server, route: &Route, state: Rc<CallState>, work: impl FnOnce(Call) -> Reply + 'static) {
    let (flow, bytes, parked) = (route.client.flow.clone(), route.bytes, server.parked.clone());
    (server.spawner)(Box::pin(async move {
        if state.enter(&flow, bytes).await {
            let call = Call {
                state: state.clone(),
                progress: ToWhom::Client,
                with: Rc::default(),
                parked,
            };
            state.finish(work(call).await);
            state.leave();
        }
    }));
}

fn initialize(client: &Rc<Client>, params: &Object) -> Result<Object, RpcError> {
    let requested = text(params, "protocolVersion")?;
    let revision = LEGACY
        .into_iter()
        .find(|known| *known == requested)
        .unwrap_or(LEGACY[0]);
    client.revision.set(Some(revision));
    let declared = params.get("capabilities").and_then(Value::as_object).cloned();
    *client.capabilities.borrow_mut() = declared.unwrap_or_default();
    client.is_called(params.get("clientInfo"));
    let about = &client.about;
    Ok(jsonrpc::object(json!({
        "protocolVersion": revision,
        "capabilities": legacy_capabilities(client),
        "serverInfo": { "name": about.name, "title": about.title, "version": about.version },
        "instructions": about.instructions,
    })))
}

/// The capabilities that `initialize` reports.
fn legacy_capabilities(client: &Client) -> Value {
    let mut all = capabilities(client.about.features);
    if client.knows_tasks() {
        all["tasks"] = json!({ "list": {}, "cancel": {}, "requests": { "tools": { "call": {} } } });
    }
    all
}

/// The capabilities that `server/discover` reports.
fn modern_capabilities(features: Features) -> Value {
    let mut all = capabilities(features);
    if features.tasks {
        all["extensions"] = json!({ TASKS: {} });
    }
    all
}

/// The capabilities common to both eras.
fn capabilities(features: Features) -> Value {
    let flag = |name: &str, on: bool| if on { json!({ name: true }) } else { json!({}) };
    let mut resources = flag("listChanged", features.resources_change);
    if features.subscriptions {
        resources["subscribe"] = json!(true);
    }
    let mut all = json!({
        "completions": {},
        "prompts": flag("listChanged", features.prompts_change),
        "resources": resources,
        "tools": flag("listChanged", features.tools_change),
    });
    if features.logging {
        all["logging"] = json!({});
    }
    all
}

fn complete(server: &Server, route: &Route) -> Result<Object, RpcError> {
    let field = |name: &str| {
        let value = route.params.get(name).and_then(Value::as_object);
        value.ok_or_else(|| RpcError::invalid_params(format!("\"{name}\" must be an object")))
    };
    let (reference, argument) = (field("ref")?, field("argument")?);
    let (name, value) = (text(argument, "name")?, text(argument, "value")?);
    let mut values = server.service.complete(reference, &name, &value)?;
    let total = values.len();
    values.truncate(100);
    Ok(jsonrpc::object(json!({
        "completion": { "total": total, "hasMore": total > values.len(), "values": values },
    })))
}

/// The whole list: there is no paging, so any cursor is invalid.
fn list(params: &Object, name: &str, items: Vec<Value>) -> Result<Served, RpcError> {
    if params.contains_key("cursor") {
        return Err(RpcError::invalid_params("Unknown cursor; list again without one"));
    }
    Ok(Served::Now(jsonrpc::object(json!({ name: items }))))
}

fn text(params: &Object, name: &str) -> Result<String, RpcError> {
    let value = params.get(name).and_then(Value::as_str);
    value
        .map(str::to_string)
        .ok_or_else(|| RpcError::invalid_params(format!("\"{name}\" must be a string")))
}

fn arguments(params: &Object) -> Result<Object, RpcError> {
    match params.get("arguments") {
        None | Some(Value::Null) => Ok(Object::new()),
        Some(Value::Object(arguments)) => Ok(arguments.clone()),
        Some(_) => Err(RpcError::invalid_params("\"arguments\" must be an object")),
    }
}
