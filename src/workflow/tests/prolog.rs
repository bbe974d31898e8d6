//! The Prolog of nodes, with scripted engines.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use futures::FutureExt;
use futures::executor::block_on;
use futures::future::{LocalBoxFuture, join, pending, ready};

use crate::fault::WorkflowFaultKind;
use crate::json::{Json, Object};
use crate::prolog::{Block, End, Executed, Prolog, Solutions};
use hornbook_base::{Clock, Limits};
use hornbook_engine::reply::sealed;
use hornbook_engine::{Capacity, EngineDeath, EngineHost, EngineProcess, Pool};

/// Every engine that was started: whether it has ended, and the requests it got.
#[derive(Clone)]
struct Engines {
    started: Rc<RefCell<Vec<Rc<Script>>>>,
    /// The reply to `node_run` and `node_condition`; without one, they take forever.
    reply: Option<&'static str>,
}

struct Script {
    reply: Option<&'static str>,
    asked: RefCell<Vec<String>>,
    ended: Cell<bool>,
}

impl EngineHost for Engines {
    fn spawn(&self, _: bool) -> LocalBoxFuture<'static, Result<Rc<dyn EngineProcess>, String>> {
        let script = Rc::new(Script {
            reply: self.reply,
            asked: RefCell::default(),
            ended: Cell::default(),
        });
        self.started.borrow_mut().push(script.clone());
        ready(Ok(Rc::new(Process(script)) as Rc<dyn EngineProcess>)).boxed_local()
    }
}

struct Process(Rc<Script>);

impl EngineProcess for Process {
    fn request(&self, text: String) -> LocalBoxFuture<'static, Result<String, EngineDeath>> {
        let reply = match text.split('(').next() {
            Some("boot") => Some("ok {}\n\"1\"\n[]\n[]\n[]\n"),
            _ => self.0.reply,
        };
        self.0.asked.borrow_mut().push(text);
        match reply {
            Some(reply) => ready(Ok(sealed(reply))).boxed_local(),
            None => pending().boxed_local(),
        }
    }

    fn end(&self) {
        self.0.ended.set(true);
    }

    fn is_dead(&self) -> bool {
        self.0.ended.get()
    }

    fn bytes(&self) -> usize {
        0
    }
}

/// Every time is over at once.
struct Hasty;

impl Clock for Hasty {
    fn now_ms(&self) -> u64 {
        0
    }

    fn sleep(&self, _: u64) -> LocalBoxFuture<'static, ()> {
        ready(()).boxed_local()
    }
}

fn prolog(reply: Option<&'static str>, size: usize) -> (Prolog, Engines) {
    let engines = Engines {
        started: Rc::default(),
        reply,
    };
    let spawner =
        Rc::new(|work: LocalBoxFuture<'static, ()>| work.now_or_never().expect("nothing to wait for"));
    let pool = Pool::new(
        Rc::new(engines.clone()),
        Rc::new(Hasty),
        spawner,
        Capacity::default(),
    );
    (Prolog::new(pool, Limits::default(), size), engines)
}

fn block<'a>(code: &'a str, state: &'a Object, timeout_ms: u64) -> Block<'a> {
    Block {
        code,
        state,
        answers: &[],
        timeout_ms,
    }
}

fn run(prolog: &Prolog) -> Result<Executed, crate::fault::WorkflowFault> {
    let state = Object::from([("x".to_owned(), Json::Int(1))]);
    let answers = [(Json::Text("sure".into()), Json::Bool(true))];
    let block = Block {
        answers: &answers,
        ..block("p.", &state, 1_500)
    };
    block_on(prolog.run_block(block, Solutions::First))
}

impl Engines {
    fn ended(&self) -> Vec<bool> {
        self.started
            .borrow()
            .iter()
            .map(|engine| engine.ended.get())
            .collect()
    }
}

const GIVEN: &str = "ok {\"end\":true,\"worn\":false,\"output\":true,\"answers\":1}\n\"hi\"\n[[\"y\",{\"$integer\":\"18446744073709551616\"}],[\"$integer\",1]]\n";

#[test]
fn what_a_block_gives_comes_with_its_output() {
    let (prolog, engines) = prolog(Some(GIVEN), 1);
    let given = Object::from([
        ("y".to_owned(), Json::Big("18446744073709551616".into())),
        ("$integer".to_owned(), Json::Int(1)),
    ]);
    let executed = run(&prolog).unwrap();
    assert_eq!(
        (executed.output.as_str(), executed.end),
        ("hi", End::Solutions(vec![given]))
    );
    assert!(engines.started.borrow()[0].asked.borrow()[0].contains("capabilities(['workflow'])"));
    assert_eq!(
        engines.started.borrow()[0].asked.borrow()[1],
        "node_run(\"p.\",_{'x': 1},[['sure',true]],first,1.500)"
    );
}

#[test]
fn an_engine_is_used_again_until_it_is_worn() {
    let (sound, engines) = prolog(Some(GIVEN), 1);
    run(&sound).unwrap();
    run(&sound).unwrap();
    assert_eq!(engines.ended(), [false]);
    let (worn, engines) = prolog(
        Some("ok {\"end\":false,\"worn\":true,\"output\":false}\n{\"line\":1,\"goal\":\"p\"}\n"),
        1,
    );
    run(&worn).unwrap();
    assert_eq!(engines.ended(), [true, false]);
    run(&worn).unwrap();
    assert_eq!(engines.ended(), [true, true, false]);
}

#[test]
fn an_engine_that_takes_too_long_is_ended() {
    let (late, engines) = prolog(None, 1);
    let fault = run(&late).unwrap_err();
    assert_eq!(fault.kind, WorkflowFaultKind::Timeout);
    assert_eq!(
        fault.message,
        "Prolog execution timeout: the code ran longer than 1.5 s."
    );
    assert_eq!(engines.ended(), [true, false]);
}

#[test]
fn errors_have_their_kind() {
    let error = |reply| run(&prolog(Some(reply), 1).0).unwrap_err();
    let refused = error(
        "ok {\"end\":\"error\",\"worn\":false,\"output\":false}\n{\"kind\":\"unsafe_goal\",\"message\":\"no\",\"line\":2}\n",
    );
    assert_eq!(
        (refused.kind, refused.line),
        (WorkflowFaultKind::Sandbox, Some(2))
    );
    let timeout = error(
        "ok {\"end\":\"error\",\"worn\":false,\"output\":false}\n{\"kind\":\"timeout\",\"message\":\"late\"}\n",
    );
    assert_eq!(timeout.kind, WorkflowFaultKind::Timeout);
    // An error whose text says timeout is not a timeout.
    let thrown = error(
        "ok {\"end\":\"error\",\"worn\":false,\"output\":false}\n{\"kind\":\"type_error\",\"message\":\"timeout_setting\"}\n",
    );
    assert_eq!(thrown.kind, WorkflowFaultKind::Prolog);
    assert_eq!(error("died {}\n\"why\"\n").kind, WorkflowFaultKind::Prolog);
    assert_eq!(error("nonsense\n").kind, WorkflowFaultKind::Engine);
}

#[test]
fn who_comes_when_all_are_out_waits() {
    let (prolog, engines) = prolog(Some(GIVEN), 1);
    let state = Object::new();
    let both = join(
        prolog.run_block(block("a.", &state, 1_000), Solutions::First),
        prolog.run_block(block("b.", &state, 1_000), Solutions::First),
    );
    let (first, second) = block_on(both);
    assert!(first.is_ok() && second.is_ok());
    assert_eq!(engines.started.borrow().len(), 1);
}

#[test]
fn closing_ends_the_engines() {
    let (prolog, engines) = prolog(Some(GIVEN), 2);
    run(&prolog).unwrap();
    prolog.close();
    assert_eq!(engines.ended(), [true]);
    assert_eq!(run(&prolog).unwrap_err().kind, WorkflowFaultKind::Engine);
}
