//! Engines that are processes.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};

use futures::FutureExt;
use futures::channel::oneshot;
use futures::future::LocalBoxFuture;

use hornbook_engine::{DeathKind, EngineDeath, EngineHost, EngineProcess, Numbered};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/process/engine.mjs");

/// Starts an engine process for each engine.
pub struct Processes {
    /// The folder of the npm package.
    package: String,
}

impl Processes {
    pub fn new(package: String) -> Self {
        Processes { package }
    }
}

impl EngineHost for Processes {
    fn spawn(&self, _: bool) -> LocalBoxFuture<'static, Result<Rc<dyn EngineProcess>, String>> {
        // Requests sent before it is ready wait in its pipe.
        let started =
            Process::start(&self.package).map_err(|error| format!("node could not be started: {error}"));
        async { Ok(Rc::new(Numbered::new(started?)) as Rc<dyn EngineProcess>) }.boxed_local()
    }
}

type Reply = Result<String, EngineDeath>;

/// Shared by a process and the thread that reads from it.
#[derive(Default)]
struct Shared {
    /// Those waiting for replies, in the order of the requests; `None` once the process is gone.
    waiting: Mutex<Option<VecDeque<oneshot::Sender<Reply>>>>,
    bytes: AtomicUsize,
}

impl Shared {
    fn next(&self) -> Option<oneshot::Sender<Reply>> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.as_mut()?.pop_front()
    }

    /// The process is gone: notify everyone who is waiting.
    fn die(&self, death: &EngineDeath) {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
        for sender in waiting.into_iter().flatten() {
            let _ = sender.send(Err(death.clone()));
        }
    }
}

struct Process {
    child: Mutex<Child>,
    requests: mpsc::Sender<String>,
    shared: Arc<Shared>,
}

impl Process {
    fn start(package: &str) -> io::Result<Process> {
        let mut child = Command::new("node")
            .args([SCRIPT, package])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let missing = || io::Error::other("it has no pipes");
        let mut input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let shared = Arc::new(Shared {
            waiting: Mutex::new(Some(VecDeque::new())),
            ..Shared::default()
        });
        // The host's thread must not wait for a pipe.
        let (requests, queue) = mpsc::channel::<String>();
        std::thread::spawn(move || {
            for text in queue {
                if write!(input, "{}\n{text}", text.len())
                    .and_then(|()| input.flush())
                    .is_err()
                {
                    return;
                }
            }
        });
        let reader = shared.clone();
        std::thread::spawn(move || {
            let death =
                read(output, &reader).unwrap_or_else(|error| dead(DeathKind::Ended, error.to_string()));
            reader.die(&death);
        });
        Ok(Process {
            child: Mutex::new(child),
            requests,
            shared,
        })
    }
}

/// Read replies until the process dies. Returns the cause of death.
fn read(output: ChildStdout, shared: &Shared) -> io::Result<EngineDeath> {
    let mut output = BufReader::new(output);
    loop {
        let mut line = String::new();
        output.read_line(&mut line)?;
        let (word, rest) = line.trim_end().split_once(' ').unwrap_or_default();
        let (first, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        match (word, first.parse(), rest.parse()) {
            ("ok", Ok(length), Ok(bytes)) => {
                let mut text = vec![0; length];
                output.read_exact(&mut text)?;
                shared.bytes.store(bytes, Ordering::Relaxed);
                let reply =
                    String::from_utf8(text).map_err(|_| dead(DeathKind::BadReply, "its reply is no UTF-8"));
                if let Some(sender) = shared.next() {
                    let _ = sender.send(reply);
                }
            }
            ("died", ..) => {
                let kind = match first {
                    "memory" => DeathKind::Memory,
                    "depth" => DeathKind::Depth,
                    "halt" => DeathKind::Halt,
                    _ => DeathKind::Failed,
                };
                return Ok(dead(kind, rest));
            }
            _ => return Ok(dead(DeathKind::Ended, "the process has ended")),
        }
    }
}

fn dead(kind: DeathKind, reason: impl Into<String>) -> EngineDeath {
    let reason = reason.into();
    EngineDeath { kind, reason }
}

impl EngineProcess for Process {
    fn request(&self, text: String) -> LocalBoxFuture<'static, Reply> {
        let gone = || dead(DeathKind::Ended, "the process has ended");
        let (sender, receiver) = oneshot::channel();
        match &mut *self.shared.waiting.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(waiting) => waiting.push_back(sender),
            None => return async move { Err(gone()) }.boxed_local(),
        }
        // If it can no longer be written to, it is gone, and the reader reports that.
        let _ = self.requests.send(text);
        async move { receiver.await.unwrap_or_else(|_| Err(gone())) }.boxed_local()
    }

    fn end(&self) {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        // A process that has ended by itself cannot be killed, but must still be waited for.
        let _ = child.kill();
        let _ = child.wait();
        self.shared.die(&dead(DeathKind::Ended, "the process was ended"));
    }

    fn is_dead(&self) -> bool {
        let waiting = self.shared.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.is_none()
    }

    fn bytes(&self) -> usize {
        self.shared.bytes.load(Ordering::Relaxed)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}
