//! Goals over linked data next to one another, as far as one statement has them.

use std::rc::Rc;
use std::sync::atomic::Ordering;

use super::cursors::{CURSORS, Of, Reading};
use super::{Goal, Linked, Rows};
use hornbook_data::{Aggregate, Called, Cell, Dialect, From, Literal, MOST_TABLES, Statement, joined};

impl Linked {
    /// The rows of the goals from the first on that one statement has; the others stay Prolog's. Or what is made of the
    /// answers of all of them.
    pub(super) async fn join(
        &self,
        query: u64,
        literals: Vec<Literal<Goal>>,
        aggregate: Option<Aggregate>,
    ) -> Result<String, String> {
        let count = literals.len();
        let mut sources = Vec::new();
        let mut called = Vec::new();
        let mut tables = 0;
        for literal in literals {
            if matches!(literal, Literal::Goal(_) | Literal::Not(_)) {
                tables += 1;
                if tables > MOST_TABLES {
                    break;
                }
            }
            called.push(match literal {
                Literal::Compare(operator, left, right) => Literal::Compare(operator, left, right),
                Literal::Member(element, list) => Literal::Member(element, list),
                Literal::Goal(goal) => match self.called(goal, &mut sources).await {
                    Some(goal) => Literal::Goal(goal),
                    None => break,
                },
                Literal::Not(goal) => match self.called(goal, &mut sources).await {
                    Some(goal) => Literal::Not(goal),
                    None => break,
                },
            });
        }
        if sources.len() > 1 {
            called.iter_mut().for_each(by_source);
        }
        let request = |statement: Statement| {
            let mut request = self.bounded(&sources[0].0, None, Some(statement));
            if sources.len() > 1 {
                request.sources = sources.iter().map(|(source, _)| &**source).collect();
                request.sources.sort_unstable();
            }
            request.text()
        };
        if let Some(aggregate) = aggregate {
            let is_whole = called.len() == count;
            let statement = is_whole.then(|| aggregate.statement(&called)).flatten();
            let Some(statement) = statement else {
                return Ok("apart".to_owned());
            };
            return match self.only_row(request(statement)).await {
                Ok(row) => aggregate.result(&row),
                Err(_) => Ok("apart".to_owned()),
            };
        }
        let mut found = joined(&called, true);
        if let Some(pairs) = found.as_ref().and_then(|found| found.pairs.clone()) {
            let row = self.only_row(request(pairs)).await;
            let row = row.map(|row| row.into_iter().next().and_then(Cell::into_text));
            if row != Ok(Some("1".to_owned())) {
                found = joined(&called, false);
            }
        }
        let Some(joined) = found else {
            return Ok("apart".to_owned());
        };
        let parts = joined.parts();
        let Some(statement) = joined.statement.clone() else {
            return Ok(format!("joined({parts},[],none)"));
        };
        Ok(
            match self.open(query, request(statement), Of::Joined(joined)).await {
                Ok(rows) => rows.replacen("rows(", &format!("joined({parts},"), 1),
                // As when it has no room for all rows. One by one, the goals may do, or say what is wrong.
                Err(_) => "apart".to_owned(),
            },
        )
    }

    async fn only_row(&self, request: String) -> Result<Vec<Cell>, String> {
        let cursor = CURSORS.fetch_add(1, Ordering::Relaxed);
        let _reading = Reading::of(&self.host, cursor);
        self.host.open(cursor, request).await?;
        let Rows { rows, .. } = self.fetch(cursor, 1).await?;
        rows.into_iter()
            .next()
            .ok_or_else(|| "the statement has no row".to_owned())
    }

    /// A goal with its table and its source, if the engine of `sources` has that, too. What is wrong with it is said when
    /// Prolog calls it.
    async fn called(&self, goal: Goal, sources: &mut Vec<(String, Dialect)>) -> Option<Called> {
        let Goal { data, arguments, .. } = goal;
        let relation = self.relation(&data).await.ok()?;
        let source = (data[0].clone(), relation.dialect);
        let is_one_engine = match sources.first() {
            Some((_, Dialect::DuckDb)) => relation.dialect == Dialect::DuckDb,
            Some(first) => *first == source,
            None => true,
        };
        if !is_one_engine || relation.columns.len() != arguments.len() {
            return None;
        }
        let called = Called {
            relation,
            arguments,
            source: source.0.clone(),
        };
        if !sources.contains(&source) {
            sources.push(source);
        }
        Some(called)
    }
}

/// An engine of several sources knows the database of each by the name of the source.
fn by_source(literal: &mut Literal<Called>) {
    let (Literal::Goal(called) | Literal::Not(called)) = literal else {
        return;
    };
    if let From::Table(parts) = &mut Rc::make_mut(&mut called.relation).from {
        parts[0] = format!("linked_{}", called.source);
    }
}
