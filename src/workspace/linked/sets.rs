//! Predicates that are evaluated as sets (`docs/rules-as-sets.md`): the engine of Prolog gives a program and its facts
//! once, and then goals, whose answers are read from the tables of a session of the host.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::sync::atomic::Ordering;

use serde::Serialize;
use serde_json::Value;

use super::cursors::{CURSORS, Cursor, FIRST_ROWS, Of, Reading};
use super::questions::{Given, Link, Question};
use super::sources::Request;
use super::{DataHost, Linked, wrong_arity};
use hornbook_data::rules::{
    Column, Engine, Facts, Fixpoint, Goal, HeadArgument, Kind, Limits, Literal, Outcome, Plan, Predicate,
    Program, Query, Rule, RuleError, Settings, Source, Step, Term,
};
use hornbook_data::{Dialect, From, Relation, Statement, Value as Parameter, quoted};
use hornbook_engine::protocol;

/// Goals of a program whose tables are kept.
const GOALS: usize = 32;

/// Tables whose rows are counted by one statement, unless they are files of text: each of these has a buffer.
const COUNTED: usize = 16;

/// Rows up to which a linked table is copied, since each round of a recursion reads it again.
const COPIED: u64 = 100_000;

/// A program that the engine has given.
pub(super) struct Set {
    /// The query that gave it: files that it reads are looked at again for each query.
    query: u64,
    dialect: Engine,
    program: Program,
    links: Vec<Link>,
    facts: Vec<(String, Facts)>,
    pub(super) session: Session,
    has_tables: bool,
    /// The linked tables that are read where they are, and what was known of them.
    views: Vec<View>,
    goals: VecDeque<Answered>,
    /// How many goals there were.
    count: u64,
}

/// A linked table.
#[derive(Clone)]
struct View {
    source: String,
    relation: Relation,
    /// Which columns the rules name.
    used: Vec<bool>,
    /// Which columns had nulls when the program began, if that is known.
    nulls: Option<Vec<bool>>,
    /// It was copied, and does not change.
    is_copy: bool,
}

/// A goal whose tables are complete.
struct Answered {
    /// As JSON.
    goal: String,
    plan: Rc<Plan>,
}

/// A session of the host, which ends when this is dropped.
pub(super) struct Session {
    pub(super) number: u64,
    pub(super) host: Rc<dyn DataHost>,
}

impl Drop for Session {
    fn drop(&mut self) {
        self.host.close(self.number);
    }
}

/// A session that the host is to begin.
#[derive(Serialize)]
struct Beginning<'a> {
    dialect: Engine,
    sources: Vec<&'a str>,
    memory_bytes: usize,
    spill_bytes: usize,
    threads: usize,
    timeout_ms: u64,
}

/// A statement that changes the tables of a session, or several that make or drop tables.
#[derive(Serialize)]
struct Change<'a> {
    sql: String,
    parameters: &'a [Parameter],
    defines: bool,
    timeout_ms: u64,
}

/// Why there is no answer.
pub(super) enum Failure {
    /// What the host could not do.
    Failed(String),
    /// What is no set.
    Refused(String),
    ZeroDivisor,
}

impl std::convert::From<String> for Failure {
    fn from(why: String) -> Self {
        Failure::Failed(why)
    }
}

impl std::convert::From<RuleError> for Failure {
    fn from(error: RuleError) -> Self {
        Failure::Refused(error.to_string())
    }
}

impl Linked {
    /// The answer to a question about sets, as the text of a term.
    pub(super) async fn set_answer(&self, query: u64, question: Value) -> String {
        let answer = match serde_json::from_value(question) {
            Ok(Question::Program { set }) => self.begin_set(query, set).await,
            Ok(Question::Facts { set, facts, rows }) => self.take_facts(set, facts, rows),
            Ok(Question::Proof { set, prove }) => self.prove(query, set, prove).await,
            Ok(Question::Check { set, check }) => self.check(query, set, &check).await,
            Ok(Question::Count { set, count }) => self.count(query, set, &count).await,
            Ok(Question::Goal { set, goal }) => self.solve(query, set, goal).await,
            Err(error) => Err(Failure::Failed(error.to_string())),
        };
        match answer {
            Ok(text) => text,
            Err(Failure::Failed(why)) => protocol::text_request("failed", &why),
            Err(Failure::Refused(why)) => protocol::text_request("refused", &why),
            Err(Failure::ZeroDivisor) => "zero_divisor".to_owned(),
        }
    }

    /// Only these queries are open: the files that the programs of others read may change.
    pub(super) fn keep_sets(&self, queries: &[u64]) {
        let stays = |set: &Set| set.links.is_empty() || queries.contains(&set.query);
        self.sets.borrow_mut().retain(|_, set| stays(set));
    }

    async fn begin_set(&self, query: u64, given: Given) -> Result<String, Failure> {
        let host = &self.host;
        let Given { program, links } = given;
        let dialect = self.engine_of(&links).await?;
        let mut sources: Vec<&str> = links.iter().map(|link| &*link.data[0]).collect();
        sources.sort_unstable();
        sources.dedup();
        let beginning = Beginning {
            dialect,
            sources,
            memory_bytes: self.limits.data_memory_bytes,
            spill_bytes: self.limits.data_spill_bytes,
            threads: self.limits.data_threads,
            timeout_ms: self.limits.longest_timeout_ms,
        };
        let beginning = serde_json::to_string(&beginning).map_err(|error| error.to_string())?;
        let session = Session {
            number: CURSORS.fetch_add(1, Ordering::Relaxed),
            host: host.clone(),
        };
        let number = session.number;
        if !host.begin(number, beginning).await? {
            return Ok("none".to_owned());
        }
        let set = Set {
            query,
            dialect,
            program,
            links,
            facts: Vec::new(),
            session,
            has_tables: false,
            views: Vec::new(),
            goals: VecDeque::new(),
            count: 0,
        };
        self.make_room();
        self.sets.borrow_mut().insert(number, set);
        Ok(format!("set({number})"))
    }

    /// Forget the oldest program that no cursor reads, if there are many.
    fn make_room(&self) {
        let mut sets = self.sets.borrow_mut();
        if sets.len() < self.limits.set_programs {
            return;
        }
        let open = self.open.borrow();
        let is_read = |number: &u64| open.values().any(|cursor| cursor.session == Some(*number));
        let oldest = sets.keys().copied().find(|number| !is_read(number));
        if let Some(number) = oldest {
            sets.remove(&number);
        }
    }

    /// The engine that can read all of these tables.
    async fn engine_of(&self, links: &[Link]) -> Result<Engine, Failure> {
        let mut dialects = Vec::new();
        for link in links {
            if let super::Source::Asked { .. } = self.described(&link.data).await? {
                let from = link.data.join(":");
                return Err(Failure::Refused(format!(
                    "{from} is asked with what is known, and has no rows to join: table it without `as set`"
                )));
            }
            dialects.push((self.relation(&link.data).await?.dialect, &link.data[0]));
        }
        let refused = |why: String| Err(Failure::Refused(why));
        if let Some((_, source)) = dialects.iter().find(|(dialect, _)| *dialect == Dialect::Sqlite) {
            return refused(format!(
                "{source} is a database of SQLite, which does not evaluate rules: copy the table to a Parquet or CSV file"
            ));
        }
        let is_postgres = |(dialect, _): &&(Dialect, &String)| *dialect == Dialect::Postgres;
        let Some((_, postgres)) = dialects.iter().find(is_postgres) else {
            return Ok(Engine::DuckDb);
        };
        match dialects.iter().find(|(_, source)| source != postgres) {
            None => Ok(Engine::Postgres),
            Some((_, other)) => refused(format!(
                "{postgres} and {other} are not in one engine: rules take tables of one Postgres database, or files and \
                 databases of DuckDB"
            )),
        }
    }

    fn take_facts(&self, number: u64, name: String, rows: Vec<Vec<String>>) -> Result<String, Failure> {
        let mut sets = self.sets.borrow_mut();
        let set = sets
            .get_mut(&number)
            .ok_or_else(|| "its facts came too late".to_owned())?;
        match set.facts.last_mut() {
            Some((last, facts)) if *last == name && facts.arity() == rows.first().map_or(0, Vec::len) => {
                facts.extend(rows);
            }
            _ => {
                let mut facts = Facts::default();
                facts.extend(rows);
                set.facts.push((name, facts));
            }
        }
        Ok("done".to_owned())
    }

    async fn solve(&self, query: u64, number: u64, goal: Goal) -> Result<String, Failure> {
        let Some(mut set) = self.take_set(query, number) else {
            return Ok("gone".to_owned());
        };
        let answers = self.evaluated(&mut set, &goal, false).await?.answers();
        self.check_open()?;
        let cursor = CURSORS.fetch_add(1, Ordering::Relaxed);
        let host = set.session.host.clone();
        let reading = Reading::of(&host, cursor);
        let request = Request {
            session: Some(number),
            ..self.bounded("", None, Some(answers.as_text()))
        };
        host.open(cursor, request.text()).await.map_err(not_null)?;
        reading.goes_on();
        self.sets.borrow_mut().insert(number, set);
        let open = Cursor {
            query,
            of: Of::Answers(answers.columns.into()),
            session: Some(number),
            rows: FIRST_ROWS.min(self.limits.data_rows),
        };
        Ok(self.read(cursor, open).await?)
    }

    /// How many answers the goal has.
    async fn count(&self, query: u64, number: u64, goal: &Goal) -> Result<String, Failure> {
        let Some(mut set) = self.take_set(query, number) else {
            return Ok("gone".to_owned());
        };
        let count = self.evaluated(&mut set, goal, false).await?.count();
        let row = self.first_row(&set, &count).await?;
        self.sets.borrow_mut().insert(number, set);
        let count = row.and_then(|row| row.into_iter().next()?.into_text());
        let count = count.ok_or_else(|| "it has no count".to_owned())?;
        Ok(format!("count({count})"))
    }

    /// Whether the goal can be evaluated as a set, of which Prolog then has the answers.
    async fn check(&self, query: u64, number: u64, goal: &Goal) -> Result<String, Failure> {
        let Some(mut set) = self.take_set(query, number) else {
            return Ok("gone".to_owned());
        };
        self.planned(&mut set, goal, false).await?;
        self.sets.borrow_mut().insert(number, set);
        Ok("done".to_owned())
    }

    async fn planned(&self, set: &mut Set, goal: &Goal, proofs: bool) -> Result<Plan, Failure> {
        if !set.has_tables {
            self.make_tables(set).await?;
            set.has_tables = true;
        }
        set.count += 1;
        let settings = Settings {
            dialect: set.dialect,
            prefix: format!("goal_{}", set.count),
            proofs,
        };
        Ok(Plan::new(&set.program, goal, settings)?)
    }

    /// The program with this number. Others do not see it while it is evaluated; an error, or a cancellation, ends its
    /// session.
    pub(super) fn take_set(&self, query: u64, number: u64) -> Option<Set> {
        let set = self.sets.borrow_mut().remove(&number);
        set.filter(|set| set.links.is_empty() || set.query == query)
    }

    /// The plan of a goal, once all tuples that it needs are in tables; if `proofs`, with what proofs need.
    pub(super) async fn evaluated(
        &self,
        set: &mut Set,
        goal: &Goal,
        proofs: bool,
    ) -> Result<Rc<Plan>, Failure> {
        let key = serde_json::to_string(goal).map_err(|error| error.to_string())?;
        let is_it = |known: &&Answered| known.goal == key && (known.plan.has_proofs() || !proofs);
        if let Some(known) = set.goals.iter().find(is_it) {
            return Ok(known.plan.clone());
        }
        let plan = self.planned(set, goal, proofs).await?;
        let limits = Limits {
            rounds: self.limits.set_rounds,
            rows: self.limits.set_tuples,
        };
        let mut fixpoint = Fixpoint::new(plan, limits);
        let mut outcome = Outcome::default();
        while let Step::Run(statements) = fixpoint
            .next(&outcome)
            .map_err(|stopped| format!("{stopped} (limits: set_rounds, set_tuples)"))?
        {
            let added = self.run_all(set, &statements).await;
            if let Err(Failure::ZeroDivisor) = added
                && let Some(source) = self.with_new_null(set).await?
            {
                return Err(format!("{source} has changed while rules read it: ask again").into());
            }
            outcome = Outcome(added?);
        }
        if set.goals.len() >= GOALS
            && let Some(oldest) = set.goals.pop_front()
        {
            self.run_all(set, &oldest.plan.clear()).await?;
        }
        let plan = Rc::new(fixpoint.into_plan());
        set.goals.push_back(Answered {
            goal: key,
            plan: plan.clone(),
        });
        Ok(plan)
    }

    /// Make the views of linked tables and the tables of facts, and the predicates that read them.
    async fn make_tables(&self, set: &mut Set) -> Result<(), Failure> {
        let mut views = Vec::new();
        for link in &set.links {
            let mut relation = (*self.relation(&link.data).await?).clone();
            if relation.columns.len() != link.arity {
                let columns = relation.columns.iter().map(|column| &*column.name);
                return Err(wrong_arity(columns, &link.data, &link.name, link.arity).into());
            }
            if let (Engine::DuckDb, From::Table(parts)) = (set.dialect, &mut relation.from) {
                parts[0] = format!("linked_{}", link.data[0]);
            }
            views.push(View {
                source: link.data[0].clone(),
                relation,
                used: used(&set.program, &link.name, link.arity + usize::from(link.numbered)),
                nulls: None,
                is_copy: false,
            });
        }
        if set.dialect == Engine::DuckDb {
            self.copy_small(set, &mut views).await?;
        }
        let mut statements = Vec::new();
        let mut predicates = Vec::new();
        for (at, (link, view)) in set.links.iter().zip(&views).enumerate() {
            let table = format!("link_{at}");
            let (mut sql, mut columns) = view.relation.as_tuples(&view.used).map_err(|why| {
                let from = link.data.join(".");
                Failure::Refused(format!("{}/{} (from {from}): {why}", link.name, link.arity))
            })?;
            for (column, &has_null) in columns.iter_mut().zip(view.nulls.iter().flatten()) {
                column.nullable = has_null;
            }
            if link.numbered {
                sql = format!("select t.*, row_number() over () as number from ({sql}) as t");
                columns.push(Column {
                    name: "number".to_owned(),
                    kinds: vec![Kind::Integer],
                    nullable: false,
                });
            }
            statements.push(plain(format!(
                "create temporary view {} as {sql}",
                quoted(&table)
            )));
            predicates.push(Predicate {
                name: link.name.clone(),
                arity: link.arity + usize::from(link.numbered),
                source: Source::Relation(hornbook_data::rules::Relation { table, columns }),
            });
        }
        for (at, (name, facts)) in std::mem::take(&mut set.facts).into_iter().enumerate() {
            let relation = facts.relation(&format!("facts_{at}"));
            statements.extend(facts.statements(&relation, set.dialect));
            predicates.push(Predicate {
                name,
                arity: facts.arity(),
                source: Source::Relation(relation),
            });
        }
        set.program.predicates.extend(predicates);
        views.retain(|view| !view.is_copy && view.nulls.is_some());
        set.views = views;
        self.run_all(set, &statements).await?;
        Ok(())
    }

    /// Copy tables of few rows, and find out which columns have nulls.
    async fn copy_small(&self, set: &Set, views: &mut [View]) -> Result<(), Failure> {
        let mut read: Vec<&mut View> = { views.iter_mut() }
            .filter(|view| view.used.contains(&true))
            .collect();
        let rows = self.count_rows(set, &mut read).await?;
        let mut statements = Vec::new();
        let mut copied = Vec::new();
        for (at, (view, rows)) in read.into_iter().zip(rows).enumerate() {
            if rows <= COPIED {
                let copy = format!("copy_{at}");
                let rows = view.relation.only(&view.used);
                statements.push(plain(format!(
                    "create temporary table {} as {rows}",
                    quoted(&copy)
                )));
                view.relation.from = From::Table(vec![copy]);
                view.is_copy = true;
                copied.push(view);
            }
        }
        self.run_all(set, &statements).await?;
        // The files may have changed since.
        self.count_rows(set, &mut copied).await?;
        Ok(())
    }

    /// How many rows each table has; and note which of its columns have nulls. One without any is joined as it is stored.
    /// DuckDB often knows it from the file; Postgres would have to read the table, where goals may need few of its rows.
    async fn count_rows(&self, set: &Set, views: &mut [&mut View]) -> Result<Vec<u64>, Failure> {
        let mut all = Vec::new();
        let is_text = |view: &View| matches!(view.relation.from, From::Csv { .. } | From::Json(_));
        let together = views.chunk_by_mut(|one, next| !is_text(one) && !is_text(next));
        for views in together.flat_map(|views| views.chunks_mut(COUNTED)) {
            let counts: Vec<String> = { views.iter().enumerate() }
                .map(|(at, view)| format!("({}) as c{}", view.relation.counts(&view.used), at + 1))
                .collect();
            let query = Query {
                statement: plain(format!("select {}", counts.join(", "))),
                columns: vec![Some(Kind::Atom); counts.len()],
            };
            let row = self.first_row(set, &query).await?.unwrap_or_default();
            for (view, cell) in views.iter_mut().zip(row) {
                let text = cell.into_text().unwrap_or_default();
                let mut counts = text
                    .split(' ')
                    .map(|count| count.parse::<u64>().unwrap_or_default());
                let rows = counts.next().unwrap_or_default();
                view.nulls = Some(counts.map(|count| count < rows).collect());
                all.push(rows);
            }
        }
        Ok(all)
    }

    /// The source of a table that is read where it is and has got its first null in a column.
    async fn with_new_null(&self, set: &Set) -> Result<Option<String>, Failure> {
        let mut now = set.views.clone();
        self.count_rows(set, &mut now.iter_mut().collect::<Vec<_>>())
            .await?;
        let changed = set
            .views
            .iter()
            .zip(&now)
            .find(|(view, now)| view.nulls != now.nulls);
        Ok(changed.map(|(view, _)| view.source.clone()))
    }

    /// Run statements, and say how many rows each added. Those that make and drop tables go together.
    async fn run_all(&self, set: &Set, statements: &[Statement]) -> Result<Vec<u64>, Failure> {
        let Session { number, host } = &set.session;
        let defines = |statement: &Statement| {
            statement.parameters.is_empty()
                && (statement.sql.starts_with("create") || statement.sql.starts_with("drop"))
        };
        let mut added = Vec::new();
        for together in statements.chunk_by(|one, next| defines(one) && defines(next)) {
            let texts: Vec<&str> = together.iter().map(|one| &*one.sql).collect();
            let change = Change {
                sql: texts.join("; "),
                parameters: &together[0].parameters,
                defines: defines(&together[0]),
                timeout_ms: self.limits.longest_timeout_ms,
            };
            let change = serde_json::to_string(&change).map_err(|error| error.to_string())?;
            let last = host.change(*number, change).await.map_err(not_null)?;
            added.resize(added.len() + together.len() - 1, 0);
            added.push(last);
        }
        Ok(added)
    }
}

/// What an error of the engine means: a division by zero is a null where none may be.
pub(super) fn not_null(why: String) -> Failure {
    let lower = why.to_ascii_lowercase();
    match lower.contains("not null constraint") || lower.contains("not-null constraint") {
        true => Failure::ZeroDivisor,
        false => Failure::Failed(why),
    }
}

fn plain(sql: String) -> Statement {
    Statement {
        sql,
        parameters: Vec::new(),
    }
}

/// Which arguments of a predicate the rules name. An aggregate is over all of them.
fn used(program: &Program, name: &str, arity: usize) -> Vec<bool> {
    let mut used = vec![false; arity];
    let is_aggregate = |head: &HeadArgument| !matches!(head, HeadArgument::Term(_));
    for rule in program.predicates.iter().flat_map(rules) {
        let all = rule.head.iter().any(is_aggregate);
        for literal in &rule.body {
            let (Literal::Goal(goal) | Literal::Not(goal)) = literal else {
                continue;
            };
            if goal.name != name || goal.arguments.len() != arity {
                continue;
            }
            for (used, argument) in used.iter_mut().zip(&goal.arguments) {
                *used |= all || !matches!(argument, Term::Variable(name) if name == "_");
            }
        }
    }
    used
}

fn rules(predicate: &Predicate) -> &[Rule] {
    match &predicate.source {
        Source::Rules(rules) => rules,
        Source::Relation(_) => &[],
    }
}

/// The programs that this book's engines have given, by the numbers of their sessions.
pub(super) type Sets = BTreeMap<u64, Set>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_a_program_facts_or_a_goal() {
        let read = |text: &str| serde_json::from_str::<Question>(text).expect(text);
        let program = read(r#"{"set":{"program":{"predicates":[]},"links":[]}}"#);
        assert!(matches!(program, Question::Program { .. }));
        let facts = read(r#"{"set":7,"facts":"p","rows":[["aa"]]}"#);
        assert!(matches!(facts, Question::Facts { set: 7, .. }));
        let goal = read(r#"{"set":7,"goal":{"name":"p","arguments":[{"variable":"V0"}]},"left":[]}"#);
        assert!(matches!(goal, Question::Goal { set: 7, .. }));
    }

    #[test]
    fn a_column_that_no_rule_names_is_not_used() {
        let program: Program = serde_json::from_str(
            r#"{"predicates":[
                {"name":"p","arity":1,"rules":[{"head":[{"variable":"A"}],
                    "body":[{"goal":{"name":"t","arguments":[{"variable":"A"},{"variable":"_"}]}}]}]}]}"#,
        )
        .expect("a program");
        assert_eq!(used(&program, "t", 2), [true, false]);
    }

    #[test]
    fn a_null_where_none_may_be_is_a_division_by_zero() {
        for why in [
            "shop: Constraint Error: NOT NULL constraint failed: goal_1_0.c1",
            "null value in column \"c1\" of relation \"goal_1_0\" violates not-null constraint",
        ] {
            assert!(matches!(not_null(why.to_owned()), Failure::ZeroDivisor), "{why}");
        }
        assert!(matches!(not_null("no such file".to_owned()), Failure::Failed(_)));
    }
}
