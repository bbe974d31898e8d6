//! As much of HTTP/1.1 as the conformance suite needs: one request for each connection.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::mpsc::Sender;

/// What the threads that read tell the thread that serves. Connections are numbered.
pub enum Event {
    Request(u64, Request, TcpStream),
    /// The client has closed the connection.
    Gone(u64),
}

pub struct Request {
    pub method: String,
    pub path: String,
    /// By their names in lower case.
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

impl Request {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }
}

/// Read the requests of each connection on a thread of its own.
pub fn accept(listener: &TcpListener, events: &Sender<Event>) {
    for (number, stream) in (1..).zip(listener.incoming()) {
        let (Ok(stream), events) = (stream, events.clone()) else {
            continue;
        };
        std::thread::spawn(move || {
            let Ok(writer) = stream.try_clone() else { return };
            let mut reader = BufReader::new(stream);
            let Some(request) = read(&mut reader) else { return };
            if events.send(Event::Request(number, request, writer)).is_err() {
                return;
            }
            // Nothing more is expected; the end tells that the client does not wait any more.
            let _ = reader.read(&mut [0]);
            let _ = events.send(Event::Gone(number));
        });
    }
}

fn read(reader: &mut impl BufRead) -> Option<Request> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace();
    let (method, path) = (words.next()?.to_string(), words.next()?.to_string());
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_string());
    }
    let length = headers
        .get("content-length")
        .and_then(|length| length.parse().ok())
        .unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Request {
        method,
        path,
        headers,
        body: String::from_utf8(body).ok()?,
    })
}

/// A response, written as it comes: one JSON document, or a stream of server-sent events.
pub struct Response {
    stream: TcpStream,
    streaming: bool,
    ended: bool,
}

impl Response {
    pub fn new(stream: TcpStream) -> Response {
        Response {
            stream,
            streaming: false,
            ended: false,
        }
    }

    pub fn is_open(&self) -> bool {
        !self.ended
    }

    /// The whole response.
    pub fn whole(&mut self, status: &str, headers: &str, body: &str) {
        let kind = if body.is_empty() {
            ""
        } else {
            "Content-Type: application/json\r\n"
        };
        let length = body.len();
        self.write(&format!(
            "HTTP/1.1 {status}\r\n{kind}{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        ));
        self.end();
    }

    /// Begin a stream of events.
    pub fn stream(&mut self) {
        if !self.streaming {
            self.streaming = true;
            self.write(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n\
                 X-Accel-Buffering: no\r\nConnection: close\r\n\r\n",
            );
        }
    }

    pub fn event(&mut self, message: &str) {
        self.stream();
        self.write(&format!("event: message\ndata: {message}\n\n"));
    }

    pub fn is_streaming(&self) -> bool {
        self.streaming
    }

    pub fn end(&mut self) {
        self.ended = true;
        let _ = self.stream.shutdown(Shutdown::Both);
    }

    /// A client that is gone shows by the end of its connection; nothing else is to be done about it here.
    fn write(&mut self, text: &str) {
        let _ = self
            .stream
            .write_all(text.as_bytes())
            .and_then(|()| self.stream.flush());
    }
}
