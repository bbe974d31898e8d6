//! The server: one service, any number of clients.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use hornbook_base::{Clock, Limits, Spawner};
use serde_json::json;

use super::about::About;
use super::changes::Change;
use super::client::Client;
use super::era::SUBSCRIPTION_KEY;
use super::jsonrpc;
use super::parked::Parked;
use super::service::{Service, Subscription};
use super::task::Tasks;

/// A service and its clients. All clients of a server are one principal: they share the service's state, and
/// one may resume a call that another began.
pub struct Server {
    pub(super) service: Rc<dyn Service>,
    pub(super) about: Rc<About>,
    pub(super) spawner: Spawner,
    pub(super) clock: Rc<dyn Clock>,
    pub(super) limits: Limits,
    clients: RefCell<Vec<Weak<Client>>>,
    connected: Cell<u64>,
    pub(super) parked: Rc<Parked>,
    pub(super) tasks: Tasks,
}

impl Server {
    pub fn new(
        service: Rc<dyn Service>,
        spawner: Spawner,
        clock: Rc<dyn Clock>,
        limits: Limits,
    ) -> Rc<Server> {
        let server = Rc::new(Server {
            about: Rc::new(service.about()),
            parked: Parked::new(limits.waiting_calls),
            service,
            spawner,
            clock,
            limits,
            clients: RefCell::default(),
            connected: Cell::new(0),
            tasks: Tasks::default(),
        });
        let weak = Rc::downgrade(&server);
        server.service.on_change(Rc::new(move |change| {
            if let Some(server) = weak.upgrade() {
                server.tell(&change);
            }
        }));
        server
    }

    pub(super) fn add_client(&self, send: Rc<dyn Fn(String) -> bool>) -> Rc<Client> {
        self.connected.set(self.connected.get() + 1);
        let client = Client::new(self.about.clone(), &self.limits, self.connected.get(), send);
        let mut clients = self.clients.borrow_mut();
        clients.retain(|client| client.strong_count() > 0);
        clients.push(Rc::downgrade(&client));
        client
    }

    /// The number of tasks that run, or whose results clients may still fetch.
    pub fn tasks(&self) -> usize {
        self.tasks.count(self.clock.now_ms())
    }

    /// Whether the task with this id still runs.
    pub fn task_runs(&self, id: &str) -> bool {
        self.tasks.runs(id)
    }

    /// The subscription of all clients to a resource.
    pub(super) fn subscription(self: &Rc<Server>, uri: &str) -> Subscription {
        let (weak, change) = (Rc::downgrade(self), Change::Resource(uri.to_owned()));
        let (of, wanted) = (weak.clone(), change.clone());
        Subscription {
            uri: uri.to_owned(),
            tell: Rc::new(move || {
                if let Some(server) = weak.upgrade() {
                    server.tell(&change);
                }
            }),
            is_wanted: Rc::new(move || of.upgrade().is_some_and(|server| server.is_wanted(&wanted))),
        }
    }

    fn clients(&self) -> Vec<Rc<Client>> {
        self.clients.borrow().iter().filter_map(Weak::upgrade).collect()
    }

    /// Whether a client wants to be told of this change.
    fn is_wanted(&self, change: &Change) -> bool {
        let clients = self.clients();
        clients
            .iter()
            .any(|client| client.subscribes(change) || !client.listeners(change).is_empty())
    }

    /// Tell the clients that want it of a change.
    fn tell(&self, change: &Change) {
        let (method, params) = match change {
            Change::Tools => ("notifications/tools/list_changed", json!({})),
            Change::Resources => ("notifications/resources/list_changed", json!({})),
            Change::Prompts => ("notifications/prompts/list_changed", json!({})),
            Change::Resource(uri) => ("notifications/resources/updated", json!({ "uri": uri })),
        };
        for client in self.clients() {
            if client.subscribes(change) {
                client.send(&jsonrpc::notification(method, params.clone()));
            }
            for id in client.listeners(change) {
                let mut params = params.clone();
                params["_meta"] = json!({ SUBSCRIPTION_KEY: id });
                client.send(&jsonrpc::notification(method, params));
            }
        }
    }
}
