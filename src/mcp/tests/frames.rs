//! Clients in other windows.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Value, json};

use super::{Bench, request};
use crate::{Frames, Window};

const ALLOWED: &str = "https://agent.example";
const OWN: &str = "https://book.example";
const OTHER: &str = "https://other.example";

/// Each posted message: the target window, its origin, the text.
type Posted = Rc<RefCell<Vec<(Window, String, Value)>>>;

fn frames(bench: &Bench, origins: &[&str]) -> Result<(Frames, Posted), String> {
    let posted = Posted::default();
    let sink = posted.clone();
    let post = Rc::new(move |to, origin: &str, text: String| {
        let message = serde_json::from_str(&text).expect("JSON is posted");
        sink.borrow_mut().push((to, origin.to_owned(), message));
    });
    let near = [
        (Window::Own, OWN.to_owned()),
        (Window::Parent, ALLOWED.to_owned()),
        (Window::Parent, OTHER.to_owned()),
    ];
    let origins = origins.iter().map(|origin| (*origin).to_owned()).collect();
    Ok((Frames::new(bench.server.clone(), origins, &near, post)?, posted))
}

fn wrapped(channel: &str, direction: &str, payload: &Value) -> Value {
    json!({ "channel": channel, "type": "mcp", "direction": direction, "payload": payload })
}

fn from_client(channel: &str, payload: &Value) -> String {
    wrapped(channel, "client-to-server", payload).to_string()
}

fn from_server(channel: &str, payload: &Value) -> Value {
    wrapped(channel, "server-to-client", payload)
}

#[test]
fn origins_are_required_and_written_as_browsers_write_them() {
    let bench = Bench::new();
    let refused = |origins: &[&str]| frames(&bench, origins).err();
    assert_eq!(
        refused(&[]).as_deref(),
        Some("Name the origins of the windows that may connect.")
    );
    for wrong in [
        "*",
        "null",
        "",
        "https://a.example/",
        "HTTPS://a.example",
        "a.example",
        "https://",
        "https://*.example",
    ] {
        let told = refused(&[ALLOWED, wrong]).unwrap_or_else(|| panic!("{wrong} was taken"));
        assert!(
            told.starts_with(&format!("\"{wrong}\" is not an origin;")),
            "{told}"
        );
    }
    for right in [
        "http://localhost:8080",
        "https://[::1]:1",
        "moz-extension://0a-b1",
    ] {
        assert_eq!(refused(&[right]), None);
    }
}

#[test]
fn a_window_of_an_allowed_origin_gets_a_port_and_no_other() {
    let bench = Bench::new();
    let (frames, posted) = frames(&bench, &[ALLOWED]).unwrap();
    posted.take();
    let ask = json!({ "jsonrpc": "2.0", "id": "x", "method": "hornbook/connect" }).to_string();
    for from in [Window::Own, Window::Parent, Window::Other] {
        let answer = frames.receive(from, ALLOWED, &ask).expect("a port");
        assert_eq!(answer, r#"{"id":"x","jsonrpc":"2.0","result":{}}"#);
        for origin in [
            OTHER,
            OWN,
            "null",
            "",
            "*",
            "https://agent.example.evil",
            "https://agent.example/",
        ] {
            assert_eq!(frames.receive(from, origin, &ask), None);
        }
    }
    assert!(posted.borrow().is_empty());
}

#[test]
fn what_is_foreign_is_ignored() {
    let bench = Bench::new();
    let (frames, posted) = frames(&bench, &[ALLOWED]).unwrap();
    posted.take();
    let ping = request(1, "ping", json!({}));
    let foreign = [
        "null".to_owned(),
        "\"mcp-check-ready\"".to_owned(),
        "{".to_owned(),
        json!({ "type": "mcp" }).to_string(),
        ping.to_string(),
        json!({ "jsonrpc": "1.0", "id": 1, "method": "hornbook/connect" }).to_string(),
        from_client("mcp-default", &ping),
        from_client("another", &ping),
        from_client("mcp-iframe", &json!("mcp-what")),
        from_client("mcp-iframe", &json!({ "id": 1, "method": "ping" })),
        wrapped("mcp-iframe", "server-to-client", &ping).to_string(),
    ];
    for text in &foreign {
        assert_eq!(frames.receive(Window::Parent, ALLOWED, text), None);
    }
    frames.receive(Window::Parent, OTHER, &from_client("mcp-iframe", &ping));
    frames.receive(Window::Other, ALLOWED, &from_client("mcp-iframe", &ping));
    bench.settle();
    assert_eq!(*posted.borrow(), []);
}

#[test]
fn windows_that_are_allowed_are_told_that_the_server_is_there() {
    let bench = Bench::new();
    let (_, posted) = frames(&bench, &[ALLOWED]).unwrap();
    let ready = json!("mcp-server-ready");
    let parent = (
        Window::Parent,
        ALLOWED.to_owned(),
        from_server("mcp-iframe", &ready),
    );
    assert_eq!(posted.take(), std::slice::from_ref(&parent));
    let (_, posted) = frames(&bench, &[OWN, ALLOWED]).unwrap();
    let own = (Window::Own, OWN.to_owned(), from_server("mcp-default", &ready));
    assert_eq!(posted.take(), [own, parent]);
}

#[test]
fn a_client_that_wraps_its_messages_is_served_until_the_end() {
    let bench = Bench::new();
    let (frames, posted) = frames(&bench, &[ALLOWED, OWN]).unwrap();
    posted.take();
    for (window, origin, channel) in [
        (Window::Parent, ALLOWED, "mcp-iframe"),
        (Window::Own, OWN, "mcp-default"),
    ] {
        let say = |payload: Value| {
            assert_eq!(
                frames.receive(window, origin, &from_client(channel, &payload)),
                None
            );
            bench.settle();
            let told = |(to, for_origin, message): (Window, String, Value)| {
                assert_eq!((to, for_origin.as_str()), (window, origin));
                assert_eq!(message, from_server(channel, &message["payload"]));
                message["payload"].clone()
            };
            posted.take().into_iter().map(told).collect::<Vec<_>>()
        };
        assert_eq!(say(json!("mcp-check-ready")), [json!("mcp-server-ready")]);
        assert_eq!(
            say(request(1, "ping", json!({}))),
            [json!({ "jsonrpc": "2.0", "id": 1, "result": {} })]
        );
        assert_eq!(
            say(request(2, "tools/call", json!({ "name": "wait" }))),
            Vec::<Value>::new()
        );
        // A new client replaces the old: the old one's calls are cancelled, and its ids are free.
        let cancel = bench.service.cancel.borrow().clone().expect("it waits");
        assert!(!cancel.is_cancelled());
        assert_eq!(say(json!("mcp-check-ready")), [json!("mcp-server-ready")]);
        assert!(cancel.is_cancelled());
        assert_eq!(say(request(2, "ping", json!({})))[0]["id"], 2);
    }
    frames.close();
    let stopped = json!("mcp-server-stopped");
    assert_eq!(
        posted.take(),
        [
            (Window::Own, OWN.to_owned(), from_server("mcp-default", &stopped)),
            (
                Window::Parent,
                ALLOWED.to_owned(),
                from_server("mcp-iframe", &stopped)
            ),
        ]
    );
}

#[test]
fn a_parent_of_another_origin_does_not_get_what_was_asked_before_it() {
    let bench = Bench::new();
    let (frames, posted) = frames(&bench, &[ALLOWED, OTHER]).unwrap();
    posted.take();
    frames.receive(
        Window::Parent,
        ALLOWED,
        &from_client("mcp-iframe", &request(1, "tools/call", json!({ "name": "wait" }))),
    );
    frames.receive(
        Window::Parent,
        OTHER,
        &from_client("mcp-iframe", &request(1, "ping", json!({}))),
    );
    bench.settle();
    let posted = posted.take();
    assert_eq!(posted.len(), 1);
    assert_eq!(
        (posted[0].1.as_str(), &posted[0].2["payload"]["result"]),
        (OTHER, &json!({}))
    );
}
