//! The connection of one client, as its host holds it.

use std::iter;
use std::rc::Rc;

use serde_json::Value;

use super::inbox::{Came, Inbox};
use super::jsonrpc;
use super::long;
use super::rights::Acting;
use super::server::Server;

impl Server {
    /// Add a client. `send` takes each message for it, one JSON text, and returns whether the client keeps up
    /// with reading: if not, none of its calls starts until [`Connection::resume`].
    pub fn connect(self: &Rc<Server>, send: Rc<dyn Fn(String) -> bool>) -> Connection {
        Connection {
            inbox: Inbox::new(self.clone(), self.add_client(send)),
        }
    }
}

/// A client's connection to the server. Dropping it closes it.
pub struct Connection {
    inbox: Rc<Inbox>,
}

impl Connection {
    /// Take one message from the client, a JSON text. Returns at once; every request is answered exactly
    /// once, now or later, unless the client cancels it. A long message is read in slices, and messages that
    /// arrive meanwhile are handled after it.
    pub fn receive(&self, text: &str) {
        if self.inbox.client.is_closed() {
            return;
        }
        if text.len() > self.line_bytes() {
            self.inbox.refuse(text);
        } else if text.len() >= long::AT_ONCE || self.inbox.is_reading() {
            self.take_later(text.len(), iter::once(text.to_owned()));
        } else {
            let rights = self.inbox.rights.borrow().clone();
            self.inbox.take(text, serde_json::from_str(text), &rights);
        }
    }

    /// Like [`Connection::receive`], for a long message of at least `bytes` bytes that the host hands over in
    /// parts, so that the transfer does not block its thread either.
    pub fn receive_parts(&self, bytes: usize, parts: impl Iterator<Item = String> + 'static) {
        if bytes > self.line_bytes() {
            self.refuse_line();
        } else if !self.inbox.client.is_closed() {
            self.take_later(bytes, parts);
        }
    }

    fn take_later(&self, bytes: usize, parts: impl Iterator<Item = String> + 'static) {
        self.inbox.take_later(Came {
            bytes,
            parts: Box::new(parts),
            rights: self.inbox.rights.borrow().clone(),
        });
    }

    /// Like [`Connection::receive`], for a message already parsed from a text of `bytes` bytes.
    pub fn receive_value(&self, message: Value, bytes: usize) {
        let rights = self.inbox.rights.borrow().clone();
        self.inbox.take_value(message, bytes, &rights);
    }

    /// Whether the messages received from now on may only read the book. It is decided for each message when
    /// it arrives: what a call begun earlier may do stays as it was.
    pub fn set_read_only(&self, read_only: bool) {
        self.inbox.rights.borrow_mut().read_only = read_only;
    }

    /// Whom the book's clauses of `may_change/2` take the client for. It is decided for each message when it arrives.
    pub fn set_acting(&self, acting: Acting) {
        self.inbox.rights.borrow_mut().acting = acting;
    }

    /// All connections with this number are one client, and each client uses only the queries that it started
    /// itself. The number must not be that of another client.
    pub fn belongs_to(&self, client: u64) {
        self.inbox.client.set_number(client);
    }

    /// The most bytes a message may have (the limit `line_bytes`). A host that reads lines need not keep
    /// longer ones.
    pub fn line_bytes(&self) -> usize {
        self.inbox.line_bytes()
    }

    /// Report a message longer than [`Connection::line_bytes`] that the host did not keep.
    pub fn refuse_line(&self) {
        // Its id is not known.
        self.inbox.refuse("");
    }

    /// Whether so many calls are waiting that the host should stop reading from the client.
    pub fn is_full(&self) -> bool {
        self.inbox.is_full() || self.inbox.client.flow.is_full()
    }

    /// The client has read what it was sent: resume what waited for that.
    pub fn resume(&self) {
        self.inbox.client.flow.set_congested(false);
    }

    /// Take a JSON text from a pipe that others share; anything that is not a JSON-RPC message is ignored.
    pub fn receive_if_rpc(&self, text: &str) {
        if jsonrpc::is_rpc(text) {
            self.receive(text);
        }
    }

    /// Limit replies to this client to `tokens` tokens, whatever the service's own limit is.
    pub fn set_reply_tokens(&self, tokens: usize) {
        self.inbox.client.reply_tokens.set(Some(tokens));
    }

    /// Cancel everything that runs for this client, and send it nothing more.
    pub fn close(&self) {
        self.inbox.client.close();
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.close();
    }
}
