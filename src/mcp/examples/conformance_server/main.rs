//! The server that the MCP conformance suite runs against, behind the HTTP of `hornbook serve`: Hornbook's
//! protocol core with the tools, resources and prompts the suite expects. It serves any number of clients
//! over standard input and output: each line is an object with a client's number and a message from or to it;
//! no message means that the client is gone.

mod fixture;

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::rc::Rc;
use std::sync::mpsc;
use std::time::{SystemTime, UNIX_EPOCH};

use futures::FutureExt;
use futures::executor::LocalPool;
use futures::future::LocalBoxFuture;
use futures::task::LocalSpawnExt;
use hornbook_base::{Clock, Limits};
use hornbook_mcp::Server;
use serde_json::{Value, json};

/// Never pauses: nothing else needs the thread.
struct SystemClock;

impl Clock for SystemClock {
    fn now_ms(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.map_or(0, |since| since.as_millis() as u64)
    }

    fn sleep(&self, _: u64) -> LocalBoxFuture<'static, ()> {
        async {}.boxed_local()
    }
}

fn main() {
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });

    // The core lives on this thread alone.
    let mut pool = LocalPool::new();
    let spawner = pool.spawner();
    let service = fixture::Fixture::new();
    let spawn = Rc::new(move |future| spawner.spawn_local(future).expect("the pool is there"));
    let server = Server::new(service, spawn, Rc::new(SystemClock), Limits::default());
    let mut clients = BTreeMap::new();
    for line in lines {
        let line: Value = serde_json::from_str(&line).expect("a line is JSON");
        let number = line["client"].as_u64().expect("a client has a number");
        match line["message"].as_str() {
            Some(message) => clients
                .entry(number)
                .or_insert_with(|| server.connect(Rc::new(move |text| tell(number, &text))))
                .receive(message),
            None => drop(clients.remove(&number)),
        }
        pool.run_until_stalled();
    }
}

fn tell(client: u64, message: &str) -> bool {
    let mut output = std::io::stdout().lock();
    let line = json!({ "client": client, "message": message });
    // The test ends when the output does.
    writeln!(output, "{line}").and_then(|()| output.flush()).is_ok()
}
