//! The server that the MCP conformance suite runs against: the protocol core of Hornbook with the tools, resources
//! and prompts that the suite expects, over streamable HTTP.
//!
//! Usage: `conformance_server [PORT]`; it prints the URL once it listens.

mod bridge;
mod fixture;
mod http;

use std::net::TcpListener;
use std::rc::Rc;
use std::sync::mpsc;

use futures::executor::LocalPool;
use futures::task::LocalSpawnExt;
use hornbook_base::Limits;
use hornbook_mcp::Server;

fn main() {
    let port = std::env::args()
        .nth(1)
        .and_then(|port| port.parse().ok())
        .unwrap_or(0u16);
    let listener = TcpListener::bind(("127.0.0.1", port)).expect("the port is free");
    println!(
        "http://127.0.0.1:{}/mcp",
        listener.local_addr().expect("an address").port()
    );

    let (sender, events) = mpsc::channel();
    std::thread::spawn(move || http::accept(&listener, &sender));

    // The core lives on this thread alone.
    let mut pool = LocalPool::new();
    let spawner = pool.spawner();
    let service = fixture::Fixture::new();
    let spawn = Rc::new(move |future| spawner.spawn_local(future).expect("the pool is there"));
    let mut bridge = bridge::Bridge::new(Server::new(service, spawn, Limits::default()));
    for event in events {
        bridge.handle(event);
        pool.run_until_stalled();
    }
}
