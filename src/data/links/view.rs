//! Linked tables as relations of rules: queries whose columns have the values that goals see.

use super::Relation;
use super::source::{Column, DEFAULT_COLLATION, Kind, UNKNOWN_COLLATION, kind, precise};
use crate::rules;
use crate::sql::{Dialect, quoted};

impl Relation {
    /// The query whose rows are the tuples, and its columns. One that rules do not use has nulls.
    ///
    /// # Errors
    /// The column that rules cannot use, and what to do.
    pub fn as_tuples(&self, used: &[bool]) -> Result<(String, Vec<rules::Column>), String> {
        let mut read = Vec::new();
        let mut columns = Vec::new();
        for (at, (column, &used)) in self.columns.iter().zip(used).enumerate() {
            let name = format!("c{}", at + 1);
            let (sql, kinds) = if used {
                self.tuple_column(column)?
            } else {
                ("cast(null as varchar)".to_owned(), vec![rules::Kind::Atom])
            };
            read.push(format!("{sql} as {name}"));
            columns.push(rules::Column {
                name,
                kinds,
                nullable: true,
            });
        }
        let sql = format!(
            "select {} from {}",
            read.join(", "),
            self.from.source(&self.columns)
        );
        Ok((sql, columns))
    }

    /// The query for a text that has the number of rows, and then of each column how many have a value; 0 for one that is not
    /// used. DuckDB often knows them from the file.
    pub fn counts(&self, used: &[bool]) -> String {
        let mut read = vec!["count(*)".to_owned()];
        for (column, used) in self.columns.iter().zip(used) {
            read.push(match *used {
                true => format!("count({})", quoted(&column.name)),
                false => "0".to_owned(),
            });
        }
        format!(
            "select concat_ws(' ', {}) from {}",
            read.join(", "),
            self.from.source(&self.columns)
        )
    }

    /// The query for the columns that are used, by their names.
    pub fn only(&self, used: &[bool]) -> String {
        let columns = self.columns.iter().zip(used).filter(|&(_, &used)| used);
        let names: Vec<String> = columns.map(|(column, _)| quoted(&column.name)).collect();
        format!(
            "select {} from {}",
            names.join(", "),
            self.from.source(&self.columns)
        )
    }

    fn tuple_column(&self, column: &Column) -> Result<(String, Vec<rules::Kind>), String> {
        let name = quoted(&column.name);
        let refused = |what: &str| {
            Err(format!(
                "the column {} has {what}, which rules as sets do not use: make a view that casts it, or leave it as `_`",
                column.name
            ))
        };
        let text = format!("cast({name} as varchar)");
        Ok(match kind(self.dialect, &column.type_name) {
            Kind::Any => return refused("values of any type"),
            Kind::Nested => return refused("lists or structs"),
            Kind::Boolean => (
                format!("case when {name} then 'true' when not {name} then 'false' end"),
                vec![rules::Kind::Atom],
            ),
            Kind::Integer if is_wide(&column.type_name) => (
                format!("'i' || {text}"),
                vec![rules::Kind::Integer, rules::Kind::Other],
            ),
            Kind::Integer => (format!("cast({name} as bigint)"), vec![rules::Kind::Integer]),
            Kind::Float => {
                // Arithmetic of rules is that of finite floats.
                let not_finite = match self.dialect {
                    Dialect::Postgres => format!("{name} in ('NaN', 'Infinity', '-Infinity')"),
                    Dialect::DuckDb | Dialect::Sqlite => format!("not isfinite({name})"),
                };
                let error =
                    format!("cast('rules as sets have finite floats, not ' || {text} as double precision)");
                (
                    format!("case when {not_finite} then {error} else cast({name} as double precision) end"),
                    vec![rules::Kind::Float],
                )
            }
            Kind::Decimal => match digits(&column.type_name) {
                Some((all, 0)) if all <= 18 => {
                    (format!("cast({name} as bigint)"), vec![rules::Kind::Integer])
                }
                Some((all, 1..)) if all <= 15 => (
                    format!("cast({name} as double precision)"),
                    vec![rules::Kind::Float],
                ),
                _ => return refused("decimals of more than 15 digits"),
            },
            Kind::Digits => {
                let long = format!("length(regexp_replace({name}, '[^0-9]', '', 'g')) > 15");
                let error =
                    |what: &str| format!("cast('rules as sets have {what} ' || {name} as double precision)");
                let (too_long, too_large) = (
                    error("no numbers of more than 15 digits, as"),
                    error("finite floats, not"),
                );
                (
                    format!(
                        "case when {long} then {too_long} when not isfinite(cast({name} as double precision)) \
                         then {too_large} else cast({name} as double precision) end"
                    ),
                    vec![rules::Kind::Float],
                )
            }
            Kind::Time => {
                let joined = format!("replace({text}, ' ', 'T')");
                let utc = format!("regexp_replace({joined}, '[+]00$', 'Z')");
                (utc, vec![rules::Kind::Atom])
            }
            Kind::Text if column.collation == UNKNOWN_COLLATION => {
                // A cast to a type that it has keeps its collation.
                (format!("decode(encode({name}))"), vec![rules::Kind::Atom])
            }
            Kind::Text if !matches!(&*column.collation, "" | DEFAULT_COLLATION) => {
                (format!("{text} collate \"C\""), vec![rules::Kind::Atom])
            }
            Kind::Text | Kind::Date | Kind::Other => (text, vec![rules::Kind::Atom]),
        })
    }
}

/// Whether integers of this type may have more than 64 bits.
pub(super) fn is_wide(type_name: &str) -> bool {
    let name = type_name.to_ascii_lowercase();
    matches!(&*name, "hugeint" | "uhugeint" | "ubigint" | "bignum")
}

impl Relation {
    /// Whether comparing integers of this column with those of another type may round both to floats.
    pub(super) fn rounds(&self, column: &Column) -> bool {
        let name = column.type_name.to_ascii_lowercase();
        self.dialect == Dialect::DuckDb && matches!(&*name, "uhugeint" | "bignum")
    }
}

/// How many digits decimals of this type have, and how many of them after the point.
pub(super) fn digits(type_name: &str) -> Option<(u32, u32)> {
    let (_, inner) = match precise(type_name) {
        Some(type_name) => type_name.split_once('('),
        None => type_name
            .strip_prefix("numeric")
            .and_then(|rest| rest.split_once('(')),
    }?;
    let (all, after) = inner.strip_suffix(')')?.split_once(',')?;
    Some((all.trim().parse().ok()?, after.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::From;

    fn tuples(dialect: Dialect, type_name: &str, used: bool) -> Result<String, String> {
        let (type_name, collation) = type_name.split_once(':').unwrap_or((type_name, ""));
        let relation = Relation {
            dialect,
            from: From::Table(vec!["t".to_owned()]),
            columns: vec![Column {
                name: "x".to_owned(),
                type_name: type_name.to_owned(),
                collation: collation.to_owned(),
                ..Column::default()
            }],
        };
        let (sql, columns) = relation.as_tuples(&[used])?;
        let kinds: Vec<char> = columns[0].kinds.iter().map(|kind| kind.tag()).collect();
        let sql = sql
            .strip_prefix("select ")
            .and_then(|sql| sql.strip_suffix(" as c1 from \"t\""));
        Ok(format!("{}: {}", String::from_iter(kinds), sql.unwrap_or("?")))
    }

    #[test]
    fn a_column_has_the_values_of_goals() {
        let duckdb = |type_name: &str| tuples(Dialect::DuckDb, type_name, true);
        assert_eq!(duckdb("INTEGER").unwrap(), "i: cast(\"x\" as bigint)");
        assert_eq!(duckdb("HUGEINT").unwrap(), "it: 'i' || cast(\"x\" as varchar)");
        assert_eq!(duckdb("VARCHAR").unwrap(), "a: cast(\"x\" as varchar)");
        assert_eq!(duckdb("VARCHAR:unknown").unwrap(), "a: decode(encode(\"x\"))");
        assert_eq!(
            duckdb("DECIMAL(12,2)").unwrap(),
            "f: cast(\"x\" as double precision)"
        );
        assert_eq!(duckdb("DECIMAL(12,0)").unwrap(), "i: cast(\"x\" as bigint)");
        let postgres = tuples(Dialect::Postgres, "numeric(8,3)", true);
        assert_eq!(postgres.unwrap(), "f: cast(\"x\" as double precision)");
        let of_collation = |text: &str| tuples(Dialect::Postgres, text, true).unwrap();
        assert_eq!(of_collation("text:100"), "a: cast(\"x\" as varchar)");
        assert_eq!(
            of_collation("text:12345"),
            "a: cast(\"x\" as varchar) collate \"C\""
        );
    }

    #[test]
    fn what_rules_cannot_use_is_refused_if_they_do() {
        for type_name in ["DECIMAL(38,2)", "INTEGER[]"] {
            let refused = tuples(Dialect::DuckDb, type_name, true).unwrap_err();
            assert!(refused.starts_with("the column x has "), "{refused}");
            assert!(tuples(Dialect::DuckDb, type_name, false).is_ok());
        }
        assert!(tuples(Dialect::Postgres, "numeric", true).is_err());
    }
}
