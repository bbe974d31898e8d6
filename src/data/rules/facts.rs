//! Facts that a program gives as tuples: a table for them, and what fills it.

use std::collections::BTreeSet;

use super::engine::Engine;
use super::program::{Column, Kind, Relation};
use crate::sql::{Statement, Value};

/// Rows that one statement adds.
const ROWS: usize = 5_000;

/// The facts of one predicate. Each value is text with the tag of its kind: see [`Kind::tag`].
#[derive(Clone, Debug, Default)]
pub struct Facts {
    rows: Vec<Vec<String>>,
}

impl Facts {
    /// Add rows, all of as many values.
    pub fn extend(&mut self, rows: Vec<Vec<String>>) {
        self.rows.extend(rows);
    }

    /// How many values each has.
    pub fn arity(&self) -> usize {
        self.rows.first().map_or(0, Vec::len)
    }

    /// The relation that they are in `table`.
    pub fn relation(&self, table: &str) -> Relation {
        let columns = (0..self.arity()).map(|at| Column {
            name: format!("c{}", at + 1),
            kinds: self.kinds(at),
            nullable: false,
        });
        Relation {
            table: table.to_owned(),
            columns: columns.collect(),
        }
    }

    /// What makes `relation` and fills it.
    pub fn statements(&self, relation: &Relation, dialect: Engine) -> Vec<Statement> {
        let table = crate::sql::quoted(&relation.table);
        let natives: Vec<Option<Kind>> = relation.columns.iter().map(native).collect();
        let types = natives.iter().map(|kind| match kind {
            Some(Kind::Integer) => "bigint",
            Some(Kind::Float) => "double precision",
            _ => "varchar",
        });
        let types: Vec<&str> = types.collect();
        let columns = relation.columns.iter().zip(&types);
        let columns: Vec<String> = columns
            .map(|(column, sql)| format!("{} {sql} not null", column.name))
            .collect();
        let mut statements = vec![Statement {
            sql: format!("create temporary table {table} ({})", columns.join(", ")),
            parameters: Vec::new(),
        }];
        for rows in self.rows.chunks(ROWS) {
            let text: Vec<Vec<&str>> = { rows.iter() }
                .map(|row| row.iter().zip(&natives).map(plain).collect())
                .collect();
            let mut statement = Statement::default();
            let json = serde_json::to_string(&text).unwrap_or_default();
            let given = statement.parameter(Value::Text(json));
            let read = types.iter().enumerate().map(|(at, sql)| match dialect {
                Engine::DuckDb => format!("cast(r[{}] as {sql})", at + 1),
                Engine::Postgres => format!("cast(r ->> {at} as {sql})"),
            });
            let from = match dialect {
                Engine::DuckDb => format!(
                    "(select unnest(from_json(cast({given} as varchar), '[[\"VARCHAR\"]]')) as r) as given"
                ),
                Engine::Postgres => format!("json_array_elements(cast({given} as json)) as given(r)"),
            };
            let read: Vec<String> = read.collect();
            statement.sql = format!("insert into {table} select {} from {from}", read.join(", "));
            statements.push(statement);
        }
        statements
    }

    fn kinds(&self, at: usize) -> Vec<Kind> {
        let tags: BTreeSet<(char, bool)> = { self.rows.iter() }
            .filter_map(|row| row.get(at))
            .filter_map(|value| {
                let tag = value.chars().next()?;
                Some((tag, tag == 'i' && value[1..].parse::<i64>().is_err()))
            })
            .collect();
        let has = |kind: &Kind| match kind {
            // Integers beyond 64 bits are among the others.
            Kind::Other => tags.iter().any(|&(tag, is_wide)| tag == 't' || is_wide),
            kind => tags.contains(&(kind.tag(), false)),
        };
        Kind::ALL.into_iter().filter(has).collect()
    }
}

/// The kind whose values a column holds as the engine's own type.
fn native(column: &Column) -> Option<Kind> {
    match column.kinds.as_slice() {
        [Kind::Other] => None,
        [kind] => Some(*kind),
        _ => None,
    }
}

fn plain<'a>((value, native): (&'a String, &Option<Kind>)) -> &'a str {
    match native {
        Some(_) => &value[1..],
        None => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_one_kind_hold_plain_values() {
        let mut facts = Facts::default();
        let row = |values: [&str; 3]| values.map(str::to_owned).to_vec();
        facts.extend(vec![row(["i1", "aa", "i99999999999999999999"])]);
        facts.extend(vec![row(["i2", "i3", "i1"])]);
        let relation = facts.relation("facts_1");
        let kinds: Vec<_> = relation
            .columns
            .iter()
            .map(|column| column.kinds.clone())
            .collect();
        assert_eq!(kinds[0], [Kind::Integer]);
        assert_eq!(kinds[1], [Kind::Integer, Kind::Atom]);
        assert_eq!(kinds[2], [Kind::Integer, Kind::Other]);
        let [table, rows] = &facts.statements(&relation, Engine::DuckDb)[..] else {
            panic!("a table and its rows")
        };
        assert!(
            table
                .sql
                .ends_with("(c1 bigint not null, c2 varchar not null, c3 varchar not null)")
        );
        let json = r#"[["1","aa","i99999999999999999999"],["2","i3","i1"]]"#;
        assert_eq!(rows.parameters, [Value::Text(json.to_owned())]);
    }
}
