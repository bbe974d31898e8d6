//! Proofs of answers of sets, a step at a time: by the rule and the round that a tuple was first derived by.

use std::sync::atomic::Ordering;

use super::cursors::{CURSORS, Reading};
use super::questions::{At, Proved};
use super::sets::{Failure, Session, Set, not_null};
use super::sources::Request;
use super::{Linked, Rows};
use hornbook_data::Cell;
use hornbook_data::rules::{Constant, Query, Term};

/// No rule derives it.
const NONE: &str = "none";

impl Linked {
    /// The rule that derived a tuple, what its variables were, and the tuples that it was derived from.
    pub(super) async fn prove(&self, query: u64, number: u64, proved: Proved) -> Result<String, Failure> {
        let Some(mut set) = self.take_set(query, number) else {
            return Ok("gone".to_owned());
        };
        let Proved { goal, at } = proved;
        let plan = self.evaluated(&mut set, &goal, true).await?;
        let (at, known) = match at {
            Some(At {
                predicate,
                round,
                rule,
                tuple,
            }) => (Some((predicate, round, rule)), tuple),
            None => (None, goal.arguments),
        };
        let tuple: Option<Vec<Constant>> = known.into_iter().map(constant).collect();
        let mut text = NONE.to_owned();
        if let Some(tuple) = tuple {
            let at = match (at, plan.goal()) {
                (Some(at), _) => Some(at),
                (None, Some(predicate)) => {
                    let row = self.first_row(&set, &plan.tuple(predicate, &tuple)).await?;
                    let mut numbers = row.into_iter().flatten().filter_map(Cell::into_text);
                    let mut next = || numbers.next()?.parse::<u64>().ok();
                    next()
                        .zip(next())
                        .map(|(round, rule)| (predicate, round, rule as usize))
                }
                (None, None) => None,
            };
            let step = at.and_then(|(predicate, round, rule)| {
                Some((plan.premises(predicate, &tuple, round, rule)?, plan.rule(rule)?))
            });
            if let Some((step, (_, rule))) = step
                && let Some(row) = self.first_row(&set, &step.query).await?
            {
                text = step.text(rule, &row)?;
            }
        }
        self.sets.borrow_mut().insert(number, set);
        Ok(text)
    }

    pub(super) async fn first_row(&self, set: &Set, query: &Query) -> Result<Option<Vec<Cell>>, Failure> {
        let Session { number, host } = &set.session;
        let cursor = CURSORS.fetch_add(1, Ordering::Relaxed);
        let _reading = Reading::of(host, cursor);
        let request = Request {
            session: Some(*number),
            ..self.bounded("", None, Some(query.as_text()))
        };
        host.open(cursor, request.text()).await.map_err(not_null)?;
        let Rows { rows, .. } = self.fetch(cursor, 1).await?;
        Ok(rows.into_iter().next())
    }
}

fn constant(term: Term) -> Option<Constant> {
    match term {
        Term::Constant(constant) => Some(constant),
        Term::Variable(_) => None,
    }
}
