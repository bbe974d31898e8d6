//! Rules whose heads have aggregates.

use super::engine::Engine;
use crate::sql::Statement;

use super::checked::{Aggregate, Argument, Clause, Head};
use super::kinds::{Kinds, argument_kinds};
use super::program::Kind;
use super::select::{Body, Context};
use super::stored::{Expression, Form, Operand, by_codes, convert};

impl Context {
    /// Aggregates over the different solutions.
    pub(super) fn groups(
        &self,
        clause: &Clause,
        kinds: &[Kinds],
        head: &[Form],
        body: &Body,
        statement: &mut Statement,
    ) -> String {
        let mut inner = Vec::new();
        let mut outer: Vec<Option<Expression>> = vec![None; body.variables.len()];
        for (variable, value) in body.variables.iter().enumerate() {
            if let Some(value) = value {
                inner.push(format!("{} as v{variable}", value.sql));
                let sql = format!("s.v{variable}");
                outer[variable] = Some(Expression {
                    sql,
                    form: value.form,
                });
            }
        }
        if inner.is_empty() {
            inner.push("1 as v0".to_string());
        }
        let mut conditions = Vec::new();
        let mut columns = Vec::new();
        let mut groups = Vec::new();
        for (index, (argument, &form)) in clause.head.iter().zip(head).enumerate() {
            let name = format!("c{}", index + 1);
            let sql = match argument {
                Head::Plain(argument) => {
                    let Some(operand) = Operand::of(argument, &outer) else {
                        continue;
                    };
                    let (sql, condition) = convert(&operand, form, statement);
                    conditions.extend(condition);
                    if matches!(argument, Argument::Variable(_)) {
                        groups.push(sql.clone());
                    }
                    sql
                }
                Head::Aggregate(aggregate, of) => {
                    let mut kind = Kind::Integer;
                    let mut sql = String::new();
                    if let Some(of) = of {
                        let all = argument_kinds(of, kinds);
                        let all = if *aggregate == Aggregate::Sum {
                            all.and(Kinds::NUMBERS)
                        } else {
                            all
                        };
                        kind = all.single().unwrap_or(kind);
                        let Some(operand) = Operand::of(of, &outer) else {
                            continue;
                        };
                        let (of, condition) = convert(&operand, Form::Native(kind), statement);
                        conditions.extend(condition);
                        sql = of;
                    }
                    let sql = aggregated(*aggregate, sql, kind, self.dialect);
                    let aggregate = Expression {
                        sql,
                        form: Form::Native(kind),
                    };
                    convert(&Operand::Expression(aggregate), form, statement).0
                }
            };
            columns.push(format!("{sql} as {name}"));
        }
        let distinct = if self.has_distinct_solutions(clause) {
            ""
        } else {
            "distinct "
        };
        let mut query = format!(
            "select {} from (select {distinct}{}{}) as s",
            columns.join(", "),
            inner.join(", "),
            body.text()
        );
        if !conditions.is_empty() {
            query += &format!(" where {}", conditions.join(" and "));
        }
        if !groups.is_empty() {
            query += &format!(" group by {}", groups.join(", "));
        }
        query + " having count(*) > 0"
    }
}

fn aggregated(aggregate: Aggregate, of: String, kind: Kind, dialect: Engine) -> String {
    match aggregate {
        Aggregate::Count => "count(*)".to_string(),
        // Null where a division by zero was, so that it is noticed.
        Aggregate::Sum => {
            let sql = Form::Native(kind).sql();
            format!("cast(case when count(*) = count({of}) then sum({of}) end as {sql})")
        }
        Aggregate::Min => format!("min({})", by_codes(of, kind, dialect)),
        Aggregate::Max => format!("max({})", by_codes(of, kind, dialect)),
    }
}
