//! Evaluates rules with a program that has the data engine, over lines of JSON.
//!
//! A line on standard input is a request, and each gets a line:
//!
//! - `{"plan": {"program", "goal", "settings", "limits"}}`, then `{"added": [1, 0]}` with the rows that each statement
//!   added, get `{"run": [statements]}` or `{"done": {"answers", "clear", "goal", "rounds", "rows"}}`;
//! - `{"tuple": {"predicate", "tuple"}}` and `{"premises": {"predicate", "tuple", "round", "rule"}}` get queries for a
//!   proof, once it is done;
//! - `{"oracle": {"program", "goal", "facts"}}` gets the answers by definition, and the rules as text.
//!
//! What is refused gets `{"error": "…"}`.

mod naive;

use std::io::{BufRead, Write, stdin, stdout};

use hornbook_data::rules::{
    Constant, Fixpoint, Goal, Limits, Outcome, Plan, Program, Settings, Source, Step,
};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Request {
    Plan {
        program: Program,
        goal: Goal,
        settings: Settings,
        limits: Limits,
    },
    Added(Outcome),
    Tuple {
        predicate: usize,
        tuple: Vec<Constant>,
    },
    Premises {
        predicate: usize,
        tuple: Vec<Constant>,
        round: u64,
        rule: usize,
    },
    Oracle {
        program: Program,
        goal: Goal,
        facts: Vec<Facts>,
    },
}

#[derive(Deserialize)]
struct Facts {
    name: String,
    arity: usize,
    tuples: Vec<naive::Tuple>,
}

fn main() -> std::io::Result<()> {
    let mut running = None;
    for line in stdin().lock().lines() {
        let reply = reply(&line?, &mut running).unwrap_or_else(|error| json!({ "error": error }));
        println!("{reply}");
        stdout().flush()?;
    }
    Ok(())
}

fn reply(line: &str, running: &mut Option<Fixpoint>) -> Result<Value, String> {
    match serde_json::from_str(line).map_err(|error| error.to_string())? {
        Request::Plan {
            program,
            goal,
            settings,
            limits,
        } => {
            let plan = Plan::new(&program, &goal, settings).map_err(|error| error.to_string())?;
            *running = Some(Fixpoint::new(plan, limits));
            advance(running, &Outcome::default())
        }
        Request::Added(outcome) => advance(running, &outcome),
        Request::Tuple { predicate, tuple } => {
            let query = running
                .as_ref()
                .map(|fixpoint| fixpoint.plan().tuple(predicate, &tuple));
            Ok(json!({ "query": query }))
        }
        Request::Premises {
            predicate,
            tuple,
            round,
            rule,
        } => {
            let plan = running.as_ref().map(Fixpoint::plan);
            let step = plan.and_then(|plan| plan.premises(predicate, &tuple, round, rule));
            Ok(json!({ "step": step, "rule": plan.and_then(|plan| plan.rule(rule)) }))
        }
        Request::Oracle { program, goal, facts } => {
            let facts = facts
                .into_iter()
                .map(|facts| ((facts.name, facts.arity), facts.tuples.into_iter().collect()));
            let known = naive::evaluate(&program, &goal, &facts.collect()).ok_or("too much follows")?;
            Ok(json!({ "answers": naive::answers(&goal, &known), "text": text(&program) }))
        }
    }
}

fn advance(running: &mut Option<Fixpoint>, outcome: &Outcome) -> Result<Value, String> {
    let fixpoint = running.as_mut().ok_or("there is no plan yet: send one")?;
    Ok(match fixpoint.next(outcome).map_err(|error| error.to_string())? {
        Step::Run(statements) => json!({ "run": statements }),
        Step::Done => {
            let plan = fixpoint.plan();
            let (rounds, rows) = fixpoint.totals();
            json!({ "done": {
                "answers": plan.answers(), "clear": plan.clear(), "goal": plan.goal(), "rounds": rounds, "rows": rows
            } })
        }
    })
}

fn text(program: &Program) -> Vec<String> {
    let mut lines = Vec::new();
    for predicate in &program.predicates {
        if let Source::Rules(rules) = &predicate.source {
            lines.extend(rules.iter().map(|rule| rule.text(&predicate.name)));
        }
    }
    lines
}
