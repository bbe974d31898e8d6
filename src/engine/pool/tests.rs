//! Engines of the pool: started in time, used once, one standing by.

use futures::FutureExt;
use futures::future::{LocalBoxFuture, ready};
use serde_json::json;

use super::*;
use crate::scripted::written;

/// For each engine started, whether it has ended.
#[derive(Clone, Default)]
struct Started(Rc<RefCell<Vec<Rc<Cell<bool>>>>>);

impl EngineHost for Started {
    fn spawn(&self, _: bool) -> LocalBoxFuture<'static, Result<Rc<dyn EngineProcess>, String>> {
        let ended = Rc::new(Cell::new(false));
        self.0.borrow_mut().push(ended.clone());
        ready(Ok(Rc::new(Booted(ended)) as Rc<dyn EngineProcess>)).boxed_local()
    }
}

/// Time stands still.
struct Still;

impl Clock for Still {
    fn now_ms(&self) -> u64 {
        0
    }

    fn sleep(&self, _: u64) -> LocalBoxFuture<'static, ()> {
        futures::future::pending().boxed_local()
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

    fn is_dead(&self) -> bool {
        self.0.get()
    }

    fn bytes(&self) -> usize {
        0
    }
}

impl Started {
    /// With background work done at once.
    fn engines(&self) -> Standby {
        self.with(Rc::new(|work| work.now_or_never().expect("nothing to wait for")))
    }

    fn with(&self, spawner: Spawner) -> Standby {
        let host = Rc::new(self.clone());
        let pool = Pool::new(host, Rc::new(Still), spawner, Capacity::default());
        Standby::new(pool, Profile::program("dml", Limits::default()))
    }

    fn alive(&self) -> Vec<bool> {
        self.0.borrow().iter().map(|ended| !ended.get()).collect()
    }
}

fn same(one: &Engine, other: &Engine) -> bool {
    match (&one.0, &other.0) {
        (Some(one), Some(other)) => Rc::ptr_eq(one, other),
        _ => false,
    }
}

fn take(engines: &Standby) -> Engine {
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
        assert!(taken[..nth].iter().all(|other| !same(other, one)));
    }
    assert_eq!(started.alive().len(), taken.len() + 1);
}

#[test]
fn who_comes_while_one_is_started_starts_their_own() {
    let started = Started::default();
    let later = Rc::new(RefCell::new(Vec::new()));
    let background = later.clone();
    let engines = started.with(Rc::new(move |work| background.borrow_mut().push(work)));
    let _first = take(&engines);
    let _second = take(&engines);
    let mut third = Box::pin(engines.take());
    assert!(third.as_mut().now_or_never().is_none());
    let fourth = take(&engines);
    let work = later.borrow_mut().remove(0);
    work.now_or_never().expect("nothing to wait for");
    let third = third.now_or_never().expect("it is there").expect("it starts");
    assert!(!same(&third, &fourth));
}

#[test]
fn one_that_has_ended_is_not_given() {
    let started = Started::default();
    let engines = started.engines();
    let _first = take(&engines);
    let _second = take(&engines);
    started.0.borrow()[2].set(true);
    assert!(!take(&engines).is_dead());
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

/// All time is up at once.
struct Over;

impl Clock for Over {
    fn now_ms(&self) -> u64 {
        0
    }

    fn sleep(&self, _: u64) -> LocalBoxFuture<'static, ()> {
        ready(()).boxed_local()
    }
}

/// Never gets a worker started.
struct Hanging;

impl EngineHost for Hanging {
    fn spawn(&self, _: bool) -> LocalBoxFuture<'static, Result<Rc<dyn EngineProcess>, String>> {
        futures::future::pending().boxed_local()
    }
}

#[test]
fn an_engine_that_is_not_ready_in_time_is_given_up() {
    let pool = Pool::new(
        Rc::new(Hanging),
        Rc::new(Over),
        Rc::new(drop),
        Capacity::default(),
    );
    let engines = Standby::new(pool, Profile::program("dml", Limits::default()));
    let refused = engines.take().now_or_never().expect("nothing to wait for").err();
    let expected = "No Prolog engine could be started: it was not ready within 30000 ms.";
    assert_eq!(refused.as_deref(), Some(expected));
}

#[test]
fn the_limits_of_the_host_reach_every_profile() {
    let limits = Limits {
        output_chars: 7,
        run_stack_bytes: 11,
        ..Limits::default()
    };
    let book = Profile::book(Unknown::Fail, vec!["csv".into()], Vec::new(), limits.clone()).boot();
    let dml = Profile::program("dml", limits).boot();
    assert!(
        book.contains("output_chars-7") && book.contains("unknown(fail)") && book.contains("'csv'"),
        "{book}"
    );
    assert!(
        dml.contains("output_chars-7")
            && dml.contains("stack_bytes-11")
            && dml.contains("capabilities(['dml'])"),
        "{dml}"
    );
}
