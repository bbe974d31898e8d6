//! The engines of runs: one stands by, so that a run need not wait until its own is started.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use futures::channel::oneshot;

use super::engine::{Engine, Failed};
use hornbook_base::Limits;
use hornbook_base::Spawner;
use hornbook_engine::protocol::{self, BootOptions};
use hornbook_engine::reply::Boot;
use hornbook_engine::{EngineHost, Unknown};

/// A program may recurse as deep as in plain Prolog.
const STACK_BYTES: usize = 512 << 20;

/// Gives each engine once.
pub struct Engines {
    host: Rc<dyn EngineHost>,
    spawner: Spawner,
    /// The engine for whoever comes next: it is ready, or is being started.
    standby: RefCell<Option<oneshot::Receiver<Engine>>>,
    taken: Cell<bool>,
    closed: Cell<bool>,
}

impl Engines {
    pub fn new(host: Rc<dyn EngineHost>, spawner: Spawner) -> Engines {
        Engines {
            host,
            spawner,
            standby: RefCell::default(),
            taken: Cell::default(),
            closed: Cell::default(),
        }
    }

    /// An engine that nobody has used; the error is a plain sentence.
    pub async fn take(&self) -> Result<Engine, String> {
        let first = !self.taken.replace(true);
        let standby = self.standby.take();
        let ready = match standby {
            // Where it could not be started, another is tried.
            Some(standby) => standby.await.ok().filter(|engine| !engine.0.gone()),
            None => None,
        };
        let engine = match ready {
            Some(engine) => engine,
            None => {
                let started = start_engine(self.host.clone()).await;
                started.map_err(|reason| format!("No Prolog engine could be started: {reason}."))?
            }
        };
        // Who ran one program may want no other.
        if !first && !self.closed.get() {
            self.prepare();
        }
        Ok(engine)
    }

    /// End the engine that stands by; none will any more.
    pub fn close(&self) {
        self.closed.set(true);
        self.standby.take();
    }

    fn prepare(&self) {
        let mut standby = self.standby.borrow_mut();
        if standby.is_some() {
            return;
        }
        let (ready, next) = oneshot::channel();
        *standby = Some(next);
        let host = self.host.clone();
        (self.spawner)(Box::pin(async move {
            if let Ok(engine) = start_engine(host).await {
                // Where nobody waits for it any more, it ends.
                let _ = ready.send(engine);
            }
        }));
    }
}

async fn start_engine(host: Rc<dyn EngineHost>) -> Result<Engine, String> {
    let engine = Engine(host.spawn().await?);
    let limits = Limits {
        stack_bytes: STACK_BYTES,
        ..Limits::default()
    };
    let boot = protocol::boot(&BootOptions {
        unknown: Unknown::Error,
        libraries: &[],
        limits: &limits,
        dml: true,
    });
    let _: Boot = engine.ask(boot).await.map_err(Failed::told)?;
    Ok(engine)
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;
    use futures::future::{LocalBoxFuture, ready};
    use serde_json::json;

    use super::*;
    use hornbook_engine::scripted::written;
    use hornbook_engine::{EngineDeath, EngineProcess};

    /// The engines that were started: whether each has ended.
    #[derive(Clone, Default)]
    struct Started(Rc<RefCell<Vec<Rc<Cell<bool>>>>>);

    impl EngineHost for Started {
        fn spawn(&self) -> LocalBoxFuture<'static, Result<Rc<dyn EngineProcess>, String>> {
            let ended = Rc::new(Cell::new(false));
            self.0.borrow_mut().push(ended.clone());
            ready(Ok(Rc::new(Booted(ended)) as Rc<dyn EngineProcess>)).boxed_local()
        }
    }

    struct Booted(Rc<Cell<bool>>);

    impl EngineProcess for Booted {
        fn request(&self, _: String) -> LocalBoxFuture<'static, Result<String, EngineDeath>> {
            ready(Ok(written(
                json!({ "version": "0.0.0", "libraries": [], "refused": [], "builtins": [] }),
            )))
            .boxed_local()
        }

        fn end(&self) {
            self.0.set(true);
        }

        fn gone(&self) -> bool {
            self.0.get()
        }

        fn bytes(&self) -> usize {
            0
        }
    }

    impl Started {
        /// With what is in the background done at once.
        fn engines(&self) -> Engines {
            Engines::new(
                Rc::new(self.clone()),
                Rc::new(|work| work.now_or_never().expect("nothing to wait for")),
            )
        }

        fn alive(&self) -> Vec<bool> {
            self.0.borrow().iter().map(|ended| !ended.get()).collect()
        }
    }

    fn take(engines: &Engines) -> Engine {
        let taken = engines.take().now_or_never().expect("nothing to wait for");
        taken.expect("it starts")
    }

    #[test]
    fn one_stands_by_from_the_second_on() {
        let started = Started::default();
        let engines = started.engines();
        drop(take(&engines));
        assert_eq!(started.alive(), [false]);
        let second = take(&engines);
        assert_eq!(started.alive(), [false, true, true]);
        drop(second);
        let third = take(&engines);
        assert_eq!(started.alive(), [false, false, true, true]);
        drop(third);
        assert_eq!(started.alive(), [false, false, false, true]);
    }

    #[test]
    fn each_is_given_once() {
        let started = Started::default();
        let engines = started.engines();
        let taken: Vec<Engine> = (0..5).map(|_| take(&engines)).collect();
        for (nth, one) in taken.iter().enumerate() {
            assert!(taken[..nth].iter().all(|other| !Rc::ptr_eq(&other.0, &one.0)));
        }
        assert_eq!(started.alive().len(), taken.len() + 1);
    }

    #[test]
    fn who_comes_while_one_is_started_starts_their_own() {
        let started = Started::default();
        let later = Rc::new(RefCell::new(Vec::new()));
        let background = later.clone();
        let engines = Engines::new(
            Rc::new(started.clone()),
            Rc::new(move |work| background.borrow_mut().push(work)),
        );
        let _first = take(&engines);
        let _second = take(&engines);
        let mut third = Box::pin(engines.take());
        assert!(third.as_mut().now_or_never().is_none());
        let fourth = take(&engines);
        let work = later.borrow_mut().remove(0);
        work.now_or_never().expect("nothing to wait for");
        let third = third.now_or_never().expect("it is there").expect("it starts");
        assert!(!Rc::ptr_eq(&third.0, &fourth.0));
    }

    #[test]
    fn one_that_has_ended_is_not_given() {
        let started = Started::default();
        let engines = started.engines();
        let _first = take(&engines);
        let _second = take(&engines);
        started.0.borrow()[2].set(true);
        assert!(!take(&engines).0.gone());
    }

    #[test]
    fn closing_and_dropping_end_the_one_that_stands_by() {
        let started = Started::default();
        let engines = started.engines();
        let (_first, _second) = (take(&engines), take(&engines));
        engines.close();
        assert_eq!(started.alive(), [true, true, false]);
        let _third = take(&engines);
        assert_eq!(started.alive(), [true, true, false, true]);

        let others = Started::default();
        let engines = others.engines();
        let (_first, _second) = (take(&engines), take(&engines));
        drop(engines);
        assert_eq!(others.alive(), [true, true, false]);
    }
}
