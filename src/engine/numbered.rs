//! Replies that carry the number of their request.

use std::cell::Cell;

use futures::FutureExt;
use futures::future::LocalBoxFuture;

use super::host::{DeathKind, EngineDeath, EngineProcess};

/// Hexadecimal digits of the number.
const DIGITS: usize = 8;

/// An engine whose replies begin with the number of their request, counted from 1. A reply to another
/// request, or one that comes twice, is rejected.
pub struct Numbered<P> {
    process: P,
    asked: Cell<u32>,
}

impl<P> Numbered<P> {
    /// Wrap an engine that has had no request yet.
    pub fn new(process: P) -> Self {
        let asked = Cell::new(0);
        Numbered { process, asked }
    }
}

impl<P: EngineProcess> EngineProcess for Numbered<P> {
    fn request(&self, text: String) -> LocalBoxFuture<'static, Result<String, EngineDeath>> {
        let number = self.asked.get().wrapping_add(1);
        self.asked.set(number);
        let reply = self.process.request(text);
        async move {
            let mut reply = reply.await?;
            if !reply.starts_with(&format!("{number:0DIGITS$x}")) {
                return Err(EngineDeath {
                    kind: DeathKind::BadReply,
                    reason: "its reply answers another request".to_owned(),
                });
            }
            reply.drain(..DIGITS);
            Ok(reply)
        }
        .boxed_local()
    }

    fn end(&self) {
        self.process.end();
    }

    fn is_dead(&self) -> bool {
        self.process.is_dead()
    }

    fn bytes(&self) -> usize {
        self.process.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::future::ready;

    /// Replies with what the request asks for.
    struct Echo;

    impl EngineProcess for Echo {
        fn request(&self, text: String) -> LocalBoxFuture<'static, Result<String, EngineDeath>> {
            ready(Ok(text)).boxed_local()
        }

        fn end(&self) {}

        fn is_dead(&self) -> bool {
            false
        }

        fn bytes(&self) -> usize {
            0
        }
    }

    fn ask(engine: &Numbered<Echo>, reply: &str) -> Option<String> {
        let reply = engine.request(reply.to_owned()).now_or_never().expect("a reply");
        match reply {
            Ok(reply) => Some(reply),
            Err(death) => {
                assert_eq!(death.kind, DeathKind::BadReply);
                None
            }
        }
    }

    #[test]
    fn a_reply_is_taken_for_its_own_request_alone() {
        let engine = Numbered::new(Echo);
        assert_eq!(ask(&engine, "00000001ok").as_deref(), Some("ok"));
        assert_eq!(ask(&engine, "00000001ok"), None);
        assert_eq!(ask(&engine, "00000004ok"), None);
        assert_eq!(ask(&engine, "00000004ok").as_deref(), Some("ok"));
        assert_eq!(ask(&engine, "ok"), None);
        assert_eq!(ask(&engine, "００００"), None);
    }
}
