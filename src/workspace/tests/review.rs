//! Drafts: what a client proposes, and what becomes of it.

use std::collections::BTreeSet;
use std::pin::pin;

use futures::future::{Either, join, select};
use hornbook_book::Known;
use hornbook_engine::scripted::ScriptedHost;
use hornbook_store::memory::{SeatStore, SharedMemory};
use proptest::prelude::*;

use super::sharing::{Step, carry_out, step};
use super::*;

/// A book and a draft of it.
struct Office {
    bench: Bench,
    log: Rc<SharedMemory>,
    book: Workspace,
    draft: Workspace,
    hosts: [Rc<ScriptedHost>; 2],
}

/// What a client finds in a draft: the clauses, the predicates that are known, and how much can be undone and redone.
type Found = (Vec<String>, Vec<String>, (usize, usize));

impl Office {
    fn new() -> Office {
        let mut bench = Bench::new();
        let log: Rc<SharedMemory> = Rc::default();
        let hosts: [Rc<ScriptedHost>; 2] = Default::default();
        let book = open(&bench, &log, hosts[0].clone());
        bench.settle();
        let draft = bench.draft(&book, hosts[1].clone(), "d");
        draft.serve();
        bench.settle();
        Office {
            bench,
            log,
            book,
            draft,
            hosts,
        }
    }

    /// Carry out an operation in the book, or in the draft.
    fn run(&mut self, in_draft: bool, step: Step) -> Result<(), Fault> {
        let workspace = if in_draft { &self.draft } else { &self.book };
        self.bench.run(carry_out(workspace.clone(), step))
    }

    fn assert(&mut self, in_draft: bool, text: &str) {
        let step = Step::Assert(text.to_owned());
        self.run(in_draft, step).expect("asserted");
    }

    /// The clauses of the book or the draft, and those of its engine, once it has followed.
    fn both(&mut self, in_draft: bool) -> [Vec<String>; 2] {
        let workspace = if in_draft { &self.draft } else { &self.book }.clone();
        let asked = workspace.clone();
        let start = QueryStart {
            query: "zzz".to_owned(),
            take: Some(1),
            ..QueryStart::default()
        };
        let asked = self
            .bench
            .run(async move { asked.query_start(start, &Control::default()).await });
        asked.expect("an engine");
        let book = clauses(&workspace);
        let host = &self.hosts[usize::from(in_draft)];
        let engine = host.clauses().iter().map(|clause| plain(clause)).collect();
        [book.clone(), in_order_of(&book, engine)]
    }

    #[track_caller]
    fn holds(&mut self, in_draft: bool, expected: &[&str]) {
        let [book, engine] = self.both(in_draft);
        assert_eq!(book, expected, "the book");
        assert_eq!(engine, expected, "the engine");
    }

    /// The clauses of the draft as another process opens it.
    fn reopened(&mut self) -> Vec<String> {
        let book = open(&self.bench, &self.log, Rc::default());
        let draft = self.bench.draft(&book, Rc::default(), "d");
        clauses(&draft)
    }

    /// What a client finds in the draft, here and as another process opens it.
    fn found(&mut self) -> [Found; 2] {
        self.both(true);
        let book = open(&self.bench, &self.log, Rc::default());
        let reopened = self.bench.draft(&book, Rc::default(), "d");
        [self.draft.clone(), reopened].map(|draft| {
            let book = draft.0.book();
            let known = book
                .predicates()
                .filter(|(_, standing)| standing.known != Known::No);
            let known = known.map(|(predicate, _)| predicate.to_string()).collect();
            (clauses(&draft), known, book.reversible(|_, _| true))
        })
    }

    #[track_caller]
    fn is_as_reopened(&mut self) {
        let [here, reopened] = self.found();
        assert_eq!(here, reopened);
    }

    /// How many cells of drafts begin so.
    fn log_of(&self, prefix: &str) -> usize {
        let book = self.book.0.book();
        book.cells_from(hornbook_book::DRAFTS, prefix).count()
    }

    /// The goals of the draft as another process opens it.
    fn reopened_asked(&mut self) -> Vec<String> {
        let book = open(&self.bench, &self.log, Rc::default());
        let draft = self.bench.draft(&book, Rc::default(), "d");
        let proposal = self
            .bench
            .run(async move { draft.proposal(&Control::default()).await });
        proposal.expect("it proposes").asked
    }

    fn accept(&mut self) -> Result<Decided, Fault> {
        let draft = self.draft.clone();
        let reviewer = Control {
            client_name: Some("ann".into()),
            ..Control::default()
        };
        self.bench
            .run(async move { draft.accept(None, Some("fine"), &reviewer).await })
    }

    fn reject(&mut self) -> Result<Decided, Fault> {
        let draft = self.draft.clone();
        self.bench
            .run(async move { draft.reject(None, Some("No."), &Control::default()).await })
    }

    fn proposal(&mut self) -> Result<Proposal, Fault> {
        let draft = self.draft.clone();
        self.bench
            .run(async move { draft.proposal(&Control::default()).await })
    }

    /// What the client of the draft is told with its next change.
    fn told(&mut self) -> Vec<String> {
        let draft = self.draft.clone();
        let texts = owned(&["told."]);
        let report = self
            .bench
            .run(async move { draft.assert_clauses(texts, &Control::default()).await });
        let notices = report.expect("asserted").notices;
        notices.into_iter().map(|Notice(text)| text).collect()
    }
}

fn open(bench: &Bench, log: &Rc<SharedMemory>, host: Rc<ScriptedHost>) -> Workspace {
    let store = Rc::new(SeatStore(log.seat()));
    let opened = Journal::open(store, &Limits::default(), &Pace::unbroken()).now_or_never();
    bench.open_on(
        host,
        Options::default(),
        Some(opened.expect("at once").expect("opened")),
    )
}

fn plain(text: &str) -> String {
    text.trim().trim_end_matches('.').to_owned()
}

fn clauses(workspace: &Workspace) -> Vec<String> {
    let book = workspace.0.book.borrow();
    let clauses = book.entries().filter(|(_, entry)| entry.is_clause());
    clauses.map(|(_, entry)| plain(entry.code())).collect()
}

fn retract(text: &str) -> Step {
    Step::Retract(text.to_owned())
}

fn texts(clauses: &[ProposedClause]) -> Vec<&str> {
    clauses.iter().map(|one| one.clause.as_str()).collect()
}

/// Do something while a writer changes this book without a pause.
async fn under_writes<T>(book: Workspace, work: impl Future<Output = T>) -> T {
    let writing = async {
        for number in 0.. {
            let step = Step::Assert(format!("written({number})."));
            carry_out(book.clone(), step).await.expect("asserted");
        }
    };
    match select(pin!(work), pin!(writing)).await {
        Either::Left((done, _)) => done,
        Either::Right(_) => unreachable!("the writer goes on"),
    }
}

/// Decide while a writer of the same process changes the book without a pause.
fn decide_under_writes(accepts: bool) {
    let mut office = Office::new();
    office.assert(true, "proposed(1).");
    let (book, draft) = (office.book.clone(), office.draft.clone());
    let decided = office.bench.run(under_writes(book, async move {
        let control = Control::default();
        match accepts {
            true => draft.accept(None, None, &control).await,
            false => draft.reject(None, None, &control).await,
        }
    }));
    assert_eq!(decided.expect("it is decided").operations, 1);
    let has = clauses(&office.book).iter().any(|clause| clause == "proposed(1)");
    assert_eq!(has, accepts);
}

/// The rule by which the book accepts everything.
const ANYTHING: &str = "accepts_proposal(_, _).";

/// Carry out steps in the draft, one right after the other, and let the book's rules decide.
fn propose(office: &mut Office, steps: Vec<Step>) {
    let draft = office.draft.clone();
    office.bench.run(async move {
        for step in steps {
            carry_out(draft.clone(), step).await.expect("done");
        }
    });
    office.bench.settle();
}

#[test]
fn the_rules_of_the_book_accept_what_is_proposed() {
    let mut office = Office::new();
    office.assert(false, ANYTHING);
    propose(&mut office, vec![Step::Assert("proposed(1).".to_owned())]);
    office.holds(false, &["accepts_proposal(_, _)", "proposed(1)"]);
    assert_eq!(office.log_of("d/"), 0);
}

#[test]
fn the_rules_of_the_book_do_not_accept_what_its_client_has_undone_meanwhile() {
    let mut office = Office::new();
    office.assert(false, ANYTHING);
    let proposed = Step::Assert("proposed(1).".to_owned());
    propose(&mut office, vec![proposed, Step::Undo(1, Whose::Own)]);
    office.holds(false, &["accepts_proposal(_, _)"]);
    office.holds(true, &["accepts_proposal(_, _)"]);
    let proposal = office.proposal().expect("both are proposed");
    let dropped: Vec<_> = proposal.operations.iter().map(|one| &one.dropped).collect();
    assert_eq!(dropped, [&None, &None]);
}

#[test]
fn rules_that_are_gone_when_an_operation_would_be_accepted_do_not_accept_it() {
    let mut office = Office::new();
    office.assert(false, ANYTHING);
    // The rules are asked first, and their answer waits while this is done.
    let (book, spawner) = (office.book.clone(), office.bench.spawner());
    let is_first = std::cell::Cell::new(true);
    office.draft.on_change(move |_| {
        if is_first.replace(false) {
            let retracted = carry_out(book.clone(), retract(ANYTHING));
            spawner(Box::pin(async move { retracted.await.expect("retracted") }));
        }
    });
    office.assert(true, "proposed(1).");
    office.bench.settle();
    office.holds(false, &[]);
    office.holds(true, &["proposed(1)"]);
}

#[test]
fn an_operation_is_not_decided_about_without_what_has_undone_it_since() {
    let mut office = Office::new();
    office.assert(true, "proposed(1).");
    let keys: Vec<String> = office
        .proposal()
        .expect("it proposes")
        .operations
        .into_iter()
        .map(|one| one.key)
        .collect();
    let chosen = {
        let (pool, files) = (office.bench.engines(Rc::default()), office.bench.files.clone());
        let (book, keys) = (office.book.clone(), keys.clone());
        let opened = async move { book.draft("d", Some(keys), pool, files, Options::default()).await };
        office.bench.run(opened).expect("a draft")
    };
    let undone = Step::Undo(1, Whose::Own);
    office.run(true, undone).expect("undone");
    for accepts in [true, false] {
        let (chosen, keys) = (chosen.clone(), keys.clone());
        let decided = office.bench.run(async move {
            let control = Control::default();
            match accepts {
                true => chosen.accept(Some(&keys), None, &control).await,
                false => chosen.reject(Some(&keys), None, &control).await,
            }
        });
        let fault = decided.expect_err("it is undone");
        assert_eq!(fault.kind, FaultKind::Conflict);
        assert!(fault.message.contains("has undone"), "{}", fault.message);
    }
    office.holds(false, &[]);
    assert_eq!(office.log_of("d/"), 2);
    assert_eq!(office.reject().expect("both go").operations, 2);
}

#[test]
fn a_writer_without_a_pause_does_not_keep_a_draft_from_being_accepted() {
    decide_under_writes(true);
}

#[test]
fn a_writer_without_a_pause_does_not_keep_a_draft_from_being_rejected() {
    decide_under_writes(false);
}

#[test]
fn a_writer_without_a_pause_does_not_keep_a_draft_from_being_changed_and_shown() {
    let mut office = Office::new();
    let (book, draft) = (office.book.clone(), office.draft.clone());
    let proposal = office.bench.run(under_writes(book, async move {
        for number in 0..3 {
            let step = Step::Assert(format!("proposed({number})."));
            carry_out(draft.clone(), step).await.expect("asserted");
        }
        draft.proposal(&Control::default()).await
    }));
    assert_eq!(proposal.expect("proposed").operations.len(), 3);
    office.assert(false, "after(1).");
    office.is_as_reopened();
}

#[test]
fn a_predicate_that_a_draft_forgets_is_known_while_the_book_has_clauses_of_it() {
    let mut office = Office::new();
    office.assert(false, "p(0).");
    office.run(true, Step::Undo(1, Whose::All)).expect("undone");
    office.is_as_reopened();
    office.assert(false, "p(1).");
    office.is_as_reopened();
    office.holds(true, &["p(1)"]);
    office.run(false, retract("p(1)")).expect("retracted");
    office.is_as_reopened();
    office.assert(false, "p(2).");
    office.accept().expect("accepted");
    office.holds(false, &["p(2)"]);
}

#[test]
fn a_draft_that_resets_forgets_what_the_book_has_known_since_and_has_no_clauses_of() {
    let mut office = Office::new();
    office.assert(false, "c0.");
    office.run(true, Step::Reset).expect("reset");
    for goal in ["assertz(c4)", "retract(c4)"] {
        office.run(false, Step::Query(goal.to_owned())).expect("done");
        office.is_as_reopened();
    }
}

#[test]
fn a_draft_undoes_first_what_it_did_last_whatever_has_come_into_the_book_since() {
    let mut office = Office::new();
    office.assert(false, "base(1).");
    office.assert(true, "a(1).");
    office.assert(false, "b(1).");
    office.is_as_reopened();
    office.assert(false, "b(2).");
    office.is_as_reopened();
    office.run(true, Step::Undo(1, Whose::All)).expect("undone");
    office.holds(true, &["base(1)", "b(1)", "b(2)"]);
    office.is_as_reopened();
    office.run(true, Step::Undo(1, Whose::All)).expect("undone");
    office.holds(true, &["base(1)", "b(1)"]);
    office.is_as_reopened();
    office.assert(false, "c(1).");
    office.holds(true, &["base(1)", "b(1)", "c(1)"]);
    office.is_as_reopened();
    office.run(true, Step::Redo(1, Whose::All)).expect("redone");
    office.holds(true, &["base(1)", "b(1)", "b(2)", "c(1)"]);
    office.is_as_reopened();
}

#[test]
fn the_engine_of_a_draft_is_new_where_the_book_gets_a_declaration_of_chr() {
    let mut office = Office::new();
    office.assert(true, "a(1).");
    office.assert(false, "b(1).");
    office.holds(true, &["b(1)", "a(1)"]);
    let before = office.hosts[1].spawned.get();
    office.assert(false, ":- chr_constraint c/1.");
    office.holds(true, &["b(1)", "a(1)"]);
    assert_eq!(office.hosts[1].spawned.get(), before + 1);
}

#[test]
fn a_draft_has_what_the_engine_of_its_book_dies_of_and_its_own_does_not() {
    let mut office = Office::new();
    office.assert(false, "a(1)");
    office.assert(false, "b(1)");
    office.assert(true, "c(2)");
    office.holds(true, &["a(1)", "b(1)", "c(2)"]);
    office.hosts[0].script.die_of.borrow_mut().push("a(1".into());
    office.hosts[0].end_all();
    office.both(false);
    assert_eq!(office.book.book().aside().len(), 1);
    // The draft is made anew from a book that changes what it changes.
    office.assert(false, "c(1)");
    office.holds(true, &["a(1)", "b(1)", "c(1)", "c(2)"]);
    let draft = office.draft.clone();
    let differences = office.bench.run(async move { draft.differences().await });
    assert_eq!(differences.expect("an engine"), [""; 0]);
}

#[test]
fn the_goals_that_a_client_asks_are_kept_beside_writers_that_never_pause() {
    let mut office = Office::new();
    office.assert(true, "a(1).");
    let (book, draft) = (office.book.clone(), office.draft.clone());
    let closing = async move {
        draft.note_asked("a(X)");
        draft.keep_asked().await;
    };
    // While one writes, the other waits for its turn.
    let beside_one = under_writes(book.clone(), closing);
    office.bench.run(under_writes(book, beside_one));
    assert_eq!(office.reopened_asked(), ["a(X)"]);
}

#[test]
fn a_draft_sees_the_book_and_the_book_does_not_see_the_draft() {
    let mut office = Office::new();
    office.assert(false, "p(1).");
    office.assert(true, "p(2).");
    office.holds(true, &["p(1)", "p(2)"]);
    office.holds(false, &["p(1)"]);
    office.assert(false, "p(3).");
    office.holds(true, &["p(1)", "p(3)", "p(2)"]);
    office.holds(false, &["p(1)", "p(3)"]);
    assert_eq!(office.reopened(), ["p(1)", "p(3)", "p(2)"]);
}

#[test]
fn a_draft_undoes_its_own_operations_and_the_book_undoes_none_of_them() {
    let mut office = Office::new();
    office.assert(false, "p(1).");
    office.assert(true, "p(2).");
    office.run(true, retract("p(1)")).expect("retracted");
    office.holds(true, &["p(2)"]);
    office.run(false, Step::Undo(1, Whose::Own)).expect("undone");
    office.holds(false, &[]);
    office.run(false, Step::Redo(1, Whose::Own)).expect("redone");
    office.run(true, Step::Undo(1, Whose::Own)).expect("undone");
    office.holds(true, &["p(1)", "p(2)"]);
    office.run(true, Step::Redo(1, Whose::Own)).expect("redone");
    office.run(true, Step::Undo(2, Whose::Own)).expect("undone");
    office.holds(true, &["p(1)"]);
    let fault = office.run(true, Step::Undo(1, Whose::Own)).unwrap_err();
    assert_eq!(fault.kind, FaultKind::NothingToUndo);
    assert_eq!(office.reopened(), ["p(1)"]);
}

#[test]
fn what_is_proposed_after_a_proposal_without_a_reply_was_accepted_has_other_ids() {
    let mut office = Office::new();
    let elsewhere = open(&office.bench, &office.log, Rc::default());
    let reviewed = office.bench.draft(&elsewhere, Rc::default(), "d");
    let (log, book, draft) = (office.log.clone(), office.book.clone(), office.draft.clone());
    office.bench.run(async move {
        log.is_silent.set(true);
        let unknown = carry_out(draft, Step::Assert("p(1).".to_owned())).await;
        assert_eq!(unknown.unwrap_err().kind, FaultKind::StorageError);
        log.is_silent.set(false);
        // The draft does not see it before it is accepted.
        let control = Control::default();
        let turn = book.0.wait(&control).await.expect("a turn");
        let accepted = reviewed.accept(None, None, &control).await.expect("accepted");
        assert_eq!(accepted.added, 1);
        drop(turn);
    });
    office.holds(true, &["p(1)"]);
    office.assert(true, "p(2). p(3).");
    office.holds(true, &["p(1)", "p(2)", "p(3)"]);
    assert_eq!(office.reopened(), ["p(1)", "p(2)", "p(3)"]);
    assert_eq!(office.accept().expect("accepted").added, 2);
    office.holds(false, &["p(1)", "p(2)", "p(3)"]);
}

#[test]
fn what_an_undone_acceptance_brings_back_is_accepted_with_what_was_proposed_since() {
    let mut office = Office::new();
    office.assert(true, "p(1).");
    office.accept().expect("accepted");
    let elsewhere = open(&office.bench, &office.log, Rc::default());
    let anew = office.bench.draft(&elsewhere, Rc::default(), "d");
    let proposed = carry_out(anew, Step::Assert("p(2). p(3).".to_owned()));
    office.bench.run(proposed).expect("asserted");
    office.run(false, Step::Undo(1, Whose::Own)).expect("undone");
    assert_eq!(office.accept().expect("accepted").added, 3);
    let [mut book, mut engine] = office.both(false);
    for held in [&mut book, &mut engine] {
        held.sort();
        assert_eq!(*held, ["p(1)", "p(2)", "p(3)"]);
    }
}

#[test]
fn an_engine_follows_what_is_undone_and_accepted_again_behind_other_clauses() {
    let mut office = Office::new();
    let elsewhere = open(&office.bench, &office.log, Rc::default());
    let reviewed = office.bench.draft(&elsewhere, Rc::default(), "d");
    office.assert(true, "p(1).");
    let accept = async |draft: &Workspace| draft.accept(None, None, &Control::default()).await;
    let first = reviewed.clone();
    office
        .bench
        .run(async move { accept(&first).await })
        .expect("accepted");
    office.assert(false, "p(2).");
    office.holds(false, &["p(1)", "p(2)"]);
    let book = office.book.clone();
    office.bench.run(async move {
        // The book sees both at once.
        let turn = book.0.wait(&Control::default()).await.expect("a turn");
        let undone = carry_out(elsewhere, Step::Undo(1, Whose::Own)).await;
        undone.expect("undone");
        accept(&reviewed).await.expect("accepted");
        drop(turn);
    });
    office.holds(false, &["p(2)", "p(1)"]);
}

#[test]
fn workspaces_of_a_draft_that_were_opened_at_the_same_moment_give_different_ids() {
    let mut office = Office::new();
    let elsewhere = open(&office.bench, &office.log, Rc::default());
    let others = [elsewhere, office.book.clone()].map(|book| office.bench.draft(&book, Rc::default(), "d"));
    let ids = [&office.draft, &others[0], &others[1]].map(|draft| draft.0.ids.id(1));
    assert_eq!(BTreeSet::from(ids).len(), 3, "{ids:?}");
}

#[test]
fn an_accepted_draft_is_one_revision_with_both_names_and_undone_as_one() {
    let mut office = Office::new();
    office.assert(false, "p(1). p(2).");
    office.assert(true, "p(3).");
    office.run(true, retract("p(1)")).expect("retracted");
    office.assert(false, "p(4).");
    let before = office.book.revision();
    let accepted = office.accept().expect("accepted");
    assert_eq!((accepted.operations, accepted.added, accepted.removed), (2, 1, 1));
    assert_eq!(accepted.revision, before + 1);
    let history = office.book.history(1, Some(accepted.revision)).expect("told");
    let event = &history.revisions[0].event;
    assert_eq!((event.operation, event.action.as_deref()), ("accept", Some("d")));
    let told = office.told();
    assert!(
        told.iter()
            .any(|told| told == "ann accepted 2 of your changes: fine."),
        "{told:?}"
    );
    office.run(true, Step::Undo(1, Whose::Own)).expect("undone");
    office.holds(false, &["p(2)", "p(4)", "p(3)"]);
    office.holds(true, &["p(2)", "p(4)", "p(3)"]);
    office.run(false, Step::Undo(1, Whose::Own)).expect("undone");
    office.holds(false, &["p(1)", "p(2)", "p(4)"]);
    office.holds(true, &["p(2)", "p(4)", "p(3)"]);
}

#[test]
fn a_draft_is_refused_by_a_constraint_that_its_workspace_has_yet_to_follow() {
    let mut office = Office::new();
    office.assert(false, "q(1).");
    office.assert(true, "p(1).");
    let (book, draft, clock) = (
        office.book.clone(),
        office.draft.clone(),
        office.bench.clock.clone(),
    );
    let decided = office.bench.run(async move {
        let control = Control::default();
        // Its client is busy.
        let turn = draft.0.wait(&control).await.expect("a turn");
        let constraint = ":- constraint((p(X), q(X)), \"~w is both\"-[X]).";
        let added = carry_out(book, Step::Assert(constraint.to_owned())).await;
        added.expect("asserted");
        let later = async {
            clock.sleep(1).await;
            drop(turn);
        };
        join(draft.accept(None, None, &control), later).await.0
    });
    assert_eq!(decided.unwrap_err().kind, FaultKind::ConstraintViolation);
    assert_eq!(clauses(&office.book), ["q(1)"]);
}

#[test]
fn an_undo_in_a_draft_warns_of_constraints_whatever_comes_into_the_book_meanwhile() {
    let mut office = Office::new();
    office.assert(false, "p(1).");
    office.assert(true, ":- constraint((p(X), q(X)), \"~w is both\"-[X]).");
    office.assert(true, "r(1).");
    office.run(true, retract("p(1)")).expect("retracted");
    office.assert(false, "q(1).");
    let (book, draft) = (office.book.clone(), office.draft.clone());
    let undone = office.bench.run(under_writes(book, async move {
        draft.undo(2, Whose::Own, None, &Control::default()).await
    }));
    let told = undone.expect("undone").notices;
    assert!(told.iter().any(|told| told.0.contains("1 is both")), "{told:?}");
}

#[test]
fn a_rejected_draft_is_gone_and_its_client_reads_why_once() {
    let mut office = Office::new();
    office.assert(true, "p(1).");
    assert_eq!(office.reject().expect("rejected").operations, 1);
    let told = office.told();
    assert!(
        told.iter()
            .any(|told| told == "A person rejected your change: No."),
        "{told:?}"
    );
    assert!(office.told().iter().all(|told| !told.contains("rejected")));
    office.run(true, Step::Undo(2, Whose::Own)).expect("undone");
    office.holds(true, &[]);
    office.holds(false, &[]);
}

#[test]
fn what_no_longer_applies_is_said_and_not_accepted() {
    let mut office = Office::new();
    office.assert(false, "p(1).");
    office.run(true, retract("p(1)")).expect("retracted");
    office.assert(true, "q(1).");
    office.run(false, retract("p(1)")).expect("retracted");
    let told = office.told();
    let expected = "A change of the draft no longer applies to the book: `p(1).` is gone.";
    assert!(told.iter().any(|told| told == expected), "{told:?}");
    let proposal = office.proposal().expect("proposed");
    let dropped: Vec<Option<&str>> = proposal
        .operations
        .iter()
        .map(|one| one.dropped.as_deref())
        .collect();
    assert_eq!(dropped, [Some("`p(1).` is gone"), None, None]);
    let fault = office.accept().unwrap_err();
    assert_eq!(fault.kind, FaultKind::Conflict);
    assert!(fault.message.contains("`p(1).` is gone"), "{}", fault.message);
    office.holds(false, &[]);
}

#[test]
fn a_proposal_says_what_would_be_added_and_removed_in_all() {
    let mut office = Office::new();
    office
        .run(false, Step::Import(1, "a.\nb.\n".to_owned()))
        .expect("imported");
    office
        .run(true, Step::Save(1, "a.\nc.\n".to_owned()))
        .expect("saved");
    office.assert(true, "d.");
    office.run(true, retract("d")).expect("retracted");
    office
        .run(true, Step::Set("key".to_owned(), "1".to_owned()))
        .expect("set");
    let proposal = office.proposal().expect("proposed");
    assert_eq!(
        (texts(&proposal.added), texts(&proposal.removed)),
        (vec!["c."], vec!["b."])
    );
    assert_eq!(proposal.added[0].filename.as_deref(), Some("f1.pl"));
    assert_eq!(
        (&*proposal.cells[0].room, proposal.cells[0].after.as_deref()),
        ("memory", Some("1"))
    );
    let operations: Vec<&str> = proposal.operations.iter().map(|one| &*one.operation).collect();
    assert_eq!(operations, ["import", "assert", "retract", "memory set"]);
    office.accept().expect("accepted");
    office.holds(false, &["a", "c"]);
    assert_eq!(office.book.cell("memory", "key").as_deref(), Some("1"));
}

#[test]
fn clauses_in_another_order_are_said_and_a_decision_is_about_what_was_shown() {
    let mut office = Office::new();
    office.assert(false, "p(1). p(2).");
    office.run(true, retract("p(1)")).expect("retracted");
    office.assert(true, "p(1).");
    let proposal = office.proposal().expect("proposed");
    assert!(proposal.added.is_empty() && proposal.removed.is_empty());
    assert_eq!(proposal.moved, ["p/1"]);
    let shown: Vec<String> = proposal.operations.into_iter().map(|one| one.key).collect();
    office.assert(true, "evil.");
    let draft = office.draft.clone();
    let decided = office.bench.run(async move {
        let control = Control::default();
        (
            draft.accept(Some(&shown), None, &control).await.err(),
            draft.reject(Some(&shown), None, &control).await.err(),
        )
    });
    let kinds = [decided.0.expect("refused").kind, decided.1.expect("refused").kind];
    assert_eq!(kinds, [FaultKind::Conflict, FaultKind::Conflict]);
    office.holds(false, &["p(1)", "p(2)"]);
}

#[test]
fn a_file_that_the_book_has_changed_is_not_replaced_by_a_draft() {
    let mut office = Office::new();
    office
        .run(false, Step::Import(1, "a.\n".to_owned()))
        .expect("imported");
    office.run(true, Step::Save(1, "b.\n".to_owned())).expect("saved");
    office.holds(true, &["b"]);
    office
        .run(false, Step::Save(1, "a.\nc.\n".to_owned()))
        .expect("saved");
    office.holds(true, &["a", "c"]);
    assert!(
        office.proposal().expect("proposed").operations[0]
            .dropped
            .is_some()
    );
}

#[test]
fn a_draft_that_has_emptied_a_file_saves_other_text_as_it() {
    let mut office = Office::new();
    office
        .run(false, Step::Import(1, "a.\n".to_owned()))
        .expect("imported");
    office.run(true, retract("a")).expect("retracted");
    office.run(true, Step::Save(1, "b.\n".to_owned())).expect("saved");
    office.holds(true, &["b"]);
    assert_eq!(office.reopened(), ["b"]);
    assert_eq!(office.accept().expect("accepted").operations, 2);
    office.holds(false, &["b"]);
}

#[test]
fn the_goals_that_a_client_asks_are_kept_with_its_draft_and_go_with_the_decision() {
    let mut office = Office::new();
    let ask = |office: &mut Office, goal: &str| {
        office.draft.note_asked(goal);
        office.bench.settle();
    };
    ask(&mut office, "before(X)");
    assert_eq!(
        office.log_of("d?"),
        0,
        "a client that proposes nothing writes nothing"
    );
    office.assert(true, "a(1).");
    ask(&mut office, " after(X) ");
    ask(&mut office, "after(X)");
    ask(&mut office, &"x".repeat(501));
    assert_eq!(office.log_of("d?"), 2);
    assert_eq!(office.reopened_asked(), ["before(X)", "after(X)"]);
    for number in 0..30 {
        ask(&mut office, &format!("g({number})"));
    }
    assert_eq!(office.log_of("d?"), 20, "more are written after a while");
    let newest =
        |last: usize| -> Vec<String> { (last - 20..last).map(|number| format!("g({number})")).collect() };
    office.bench.wait();
    assert_eq!(office.reopened_asked(), newest(30));
    ask(&mut office, "g(30)");
    office.assert(true, "a(2).");
    assert_eq!(office.reopened_asked(), newest(31), "or with the next operation");
    ask(&mut office, "g(31)");
    let draft = office.draft.clone();
    office.bench.run(async move { draft.keep_asked().await });
    let newest = newest(32);
    assert_eq!(office.reopened_asked(), newest, "or before it is closed");
    assert_eq!(office.proposal().expect("it proposes").asked, newest);
    office.holds(true, &["a(1)", "a(2)"]);
    office.accept().expect("accepted");
    assert_eq!(office.log_of("d?"), 0);
    office.holds(false, &["a(1)", "a(2)"]);
}

#[test]
fn what_a_client_reads_of_a_decision_is_one_line_of_which_all_can_be_seen() {
    let mut office = Office::new();
    office.assert(true, "a(1).");
    let draft = office.draft.clone();
    let reviewer = Control {
        client_name: Some(format!("ann\u{1b}[2J\u{202e}{}", "x".repeat(500)).into()),
        ..Control::default()
    };
    let reason = format!("No.\nIgnore\u{7}{}", "y".repeat(5_000));
    let rejected = office
        .bench
        .run(async move { draft.reject(None, Some(&reason), &reviewer).await });
    rejected.expect("rejected");
    let told = office.told().join("\n");
    assert!(told.starts_with("ann\\x1b\\[2J\\x202e\\xxx"), "{told}");
    assert!(
        told.contains("rejected your change: No. Ignore\\x7\\yyy"),
        "{told}"
    );
    assert!(told.chars().count() < 1_200, "{told}");
}

#[test]
fn a_name_that_is_a_path_is_refused() {
    let mut office = Office::new();
    let (book, pool) = (office.book.clone(), office.bench.engines(Rc::default()));
    let files = office.bench.files.clone();
    let opened = office.bench.run(async move {
        let options = Options::default();
        book.draft("a/b", None, pool, files, options).await.err()
    });
    assert_eq!(opened.expect("refused").kind, FaultKind::DomainError);
}

#[test]
fn a_clause_that_a_draft_brings_back_to_its_file_is_there_when_it_is_opened_anew() {
    let mut office = Office::new();
    let import = Step::Import(0, "c1. c2.".into());
    office.run(false, import).expect("imported");
    office.run(false, Step::Retract("c1".into())).expect("retracted");
    office.run(true, Step::Undo(1, Whose::All)).expect("undone");
    office.holds(true, &["c1", "c2"]);
    assert_eq!(office.reopened(), ["c1", "c2"]);
    // The book moves, and the draft follows.
    office.assert(false, "c3.");
    office.holds(true, &["c1", "c2", "c3"]);
    office.holds(false, &["c2", "c3"]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]

    /// Operations in the book and in the draft, in any order.
    #[test]
    fn a_draft_is_the_book_and_its_changes_however_it_is_opened_and_only_acceptance_changes_the_book(
        steps in prop::collection::vec((any::<bool>(), step()), 1..14),
    ) {
        let mut office = Office::new();
        for (in_draft, step) in steps {
            let before = office.book.0.book.borrow().clone();
            let result = office.run(in_draft, step.clone());
            if let Err(fault) = result {
                prop_assert!(
                    !matches!(fault.kind, FaultKind::StorageError | FaultKind::BadReply | FaultKind::EngineDied),
                    "{:?}: {:?}", step, fault
                );
            }
            if in_draft {
                let after = office.book.0.book.borrow().clone();
                prop_assert!(before.entries().eq(after.entries()), "{:?} changed the book", step);
                prop_assert!(before.predicates().eq(after.predicates()));
            }
            let [draft, engine] = office.both(true);
            prop_assert_eq!(&draft, &engine, "the engine of the draft after {:?}", step);
            let [book, engine] = office.both(false);
            prop_assert_eq!(&book, &engine, "the engine of the book after {:?}", step);
        }
        let [draft, _] = office.both(true);
        prop_assert_eq!(&office.reopened(), &draft, "as another process opens it");
        let [here, reopened] = office.found();
        prop_assert_eq!(here, reopened, "what a client finds");
        let [undecided, _] = office.both(false);
        match office.accept() {
            Ok(_) => {
                let [book, engine] = office.both(false);
                prop_assert_eq!(&book, &draft, "the book with the draft");
                prop_assert_eq!(&engine, &draft, "its engine");
                prop_assert!(office.run(false, Step::Undo(1, Whose::All)).is_ok());
                let [book, _] = office.both(false);
                prop_assert_eq!(book, undecided, "undone");
            }
            Err(fault) => prop_assert!(
                matches!(fault.kind, FaultKind::Conflict | FaultKind::ExistenceError), "{:?}", fault
            ),
        }
    }
}
