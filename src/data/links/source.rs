//! Where rows are, the columns they have, and the statements that list both.

use crate::sql::{Dialect, Statement, Value, quoted};

/// Where the rows are.
#[derive(Clone, Debug, PartialEq)]
pub enum From {
    /// A table by the parts of its name, such as its schema and its own name.
    Table(Vec<String>),
    Parquet(Vec<String>),
    Csv {
        paths: Vec<String>,
        /// The longest line that is read.
        line_bytes: usize,
    },
    /// JSON Lines.
    Json(Vec<String>),
}

impl From {
    /// What stands after FROM in a statement.
    pub(super) fn source(&self, columns: &[Column]) -> String {
        match self {
            From::Table(parts) => parts
                .iter()
                .map(|part| quoted(part))
                .collect::<Vec<_>>()
                .join("."),
            From::Parquet(paths) => format!("read_parquet({}{})", literals(paths), of_several(paths)),
            From::Csv { paths, line_bytes } => {
                let digits = columns.iter().filter(|column| column.type_name == DIGITS);
                let digits: Vec<String> = digits
                    .map(|column| format!("{}: 'VARCHAR'", literal(&column.name)))
                    .collect();
                let types = match digits.is_empty() {
                    true => String::new(),
                    false => format!(", types = {{{}}}", digits.join(", ")),
                };
                // A buffer of its own choice has 16 lines of the longest, for each file of a statement.
                format!(
                    "read_csv({}{AS_IMPORTED}, max_line_size = {line_bytes}, buffer_size = {}{types}{})",
                    literals(paths),
                    line_bytes * 2,
                    of_several(paths)
                )
            }
            From::Json(paths) => format!(
                "read_json({}, format = 'newline_delimited'{})",
                literals(paths),
                of_several(paths)
            ),
        }
    }
}

/// Columns of CSV are numbers, ISO dates or text, as in tables that are imported.
pub(super) const AS_IMPORTED: &str = ", auto_type_candidates = ['BIGINT', 'DOUBLE', 'DATE', 'VARCHAR'], dateformat = '%Y-%m-%d', \
                           allow_quoted_nulls = false";

/// The type of a column of CSV that has numbers: it is read as text, since a float does not keep all digits.
pub(super) const DIGITS: &str = "digits";

/// Files may have columns that others lack, or numbers of another type.
pub(super) fn of_several(paths: &[String]) -> &'static str {
    match paths.len() {
        0 | 1 => "",
        _ => ", union_by_name = true",
    }
}

impl Column {
    /// A column as the engine lists it.
    pub fn listed(from: &From, name: String, listed: &str) -> Column {
        let mut parts = listed.split(MARK);
        let type_name = parts.next().unwrap_or_default();
        let mut column = Column {
            name,
            type_name: match from {
                From::Csv { .. } if type_name == "DOUBLE" => DIGITS.to_owned(),
                _ => type_name.to_owned(),
            },
            ..Column::default()
        };
        for part in parts {
            match part {
                "not null" => column.is_not_null = true,
                "key" => column.is_key = true,
                "primary" => column.is_primary = true,
                collation => column.collation = collation.to_owned(),
            }
        }
        column
    }
}

/// A column and its type, as the engine writes it.
#[derive(Clone, Debug, Default)]
pub struct Column {
    pub name: String,
    pub type_name: String,
    /// As far as it is known.
    pub is_not_null: bool,
    /// It is the number of a row of SQLite, and so an integer.
    pub is_key: bool,
    /// It is the primary key, or a part of it.
    pub is_primary: bool,
    /// In Postgres its number. In a table of DuckDB, which does not tell it, `UNKNOWN_COLLATION`.
    pub collation: String,
}

/// The collation of Postgres that tells apart what has other bytes.
pub(super) const DEFAULT_COLLATION: &str = "100";

/// A collation that may take values for equal that have other bytes.
pub(super) const UNKNOWN_COLLATION: &str = "unknown";

/// Stands before what the engine says of a column besides its type.
pub(super) const MARK: char = '\u{1}';

/// The statement that lists the tables of a database: the schema and the name of each.
pub fn tables(dialect: Dialect) -> Statement {
    let sql = match dialect {
        Dialect::DuckDb => {
            "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = 'linked' AND NOT internal \
             UNION ALL \
             SELECT schema_name, view_name FROM duckdb_views() WHERE database_name = 'linked' AND NOT internal \
             ORDER BY 1, 2"
        }
        Dialect::Postgres => {
            "SELECT n.nspname::text, c.relname::text FROM pg_catalog.pg_class c \
             JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
             WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND n.nspname NOT LIKE 'pg\\_%' \
             AND n.nspname <> 'information_schema' AND has_table_privilege(c.oid, 'SELECT') ORDER BY 1, 2"
        }
        Dialect::Sqlite => {
            "SELECT 'main' AS c0, name AS c1 FROM sqlite_schema \
             WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
        }
    };
    Statement {
        sql: sql.to_owned(),
        parameters: Vec::new(),
    }
}

/// The statement that lists the columns of a table: the name and the type of each, in their order.
pub fn columns(dialect: Dialect, from: &From) -> Statement {
    let mut statement = Statement::default();
    let source = from.source(&[]);
    statement.sql = match (dialect, from) {
        (Dialect::DuckDb, from) => {
            let marks = match from {
                From::Table(parts) => {
                    let names = parts.iter().map(|part| Value::Text(part.clone()));
                    let names: Vec<String> = names.map(|name| statement.parameter(name)).collect();
                    format!(
                        "CASE column_type WHEN 'VARCHAR' THEN chr(1) || '{UNKNOWN_COLLATION}' ELSE '' END \
                         || CASE WHEN column_name IN (SELECT unnest(constraint_column_names) FROM duckdb_constraints() \
                         WHERE constraint_type = 'PRIMARY KEY' AND [database_name, schema_name, table_name] = [{}]) \
                         THEN chr(1) || 'primary' ELSE '' END",
                        names.join(", ")
                    )
                }
                _ => "''".to_owned(),
            };
            format!("SELECT column_name, column_type || {marks} FROM (DESCRIBE SELECT * FROM {source})")
        }
        (Dialect::Postgres, _) => {
            let table = statement.parameter(Value::Text(source));
            format!(
                "SELECT a.attname::text, \
                 pg_catalog.format_type(coalesce(nullif(t.typbasetype, 0), a.atttypid), a.atttypmod) \
                 || chr(1) || a.attcollation::text \
                 || CASE WHEN a.attnotnull THEN chr(1) || 'not null' ELSE '' END \
                 || CASE WHEN EXISTS (SELECT 1 FROM pg_catalog.pg_index i WHERE i.indrelid = a.attrelid \
                 AND i.indisprimary AND a.attnum = ANY (i.indkey)) THEN chr(1) || 'primary' ELSE '' END \
                 FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid \
                 WHERE a.attrelid = CAST({table} AS regclass) AND a.attnum > 0 AND NOT a.attisdropped \
                 ORDER BY a.attnum"
            )
        }
        (Dialect::Sqlite, from) => {
            let name = match from {
                From::Table(parts) => parts.last().cloned().unwrap_or_default(),
                _ => String::new(),
            };
            let table = statement.parameter(Value::Text(name));
            format!(
                // A primary key that has an index, as one that is descending, is not the number of a row.
                "SELECT name AS c0, type || CASE WHEN pk = 1 AND upper(type) = 'INTEGER' \
                 AND (SELECT count(*) FROM pragma_table_info({table}) WHERE pk > 0) = 1 \
                 AND NOT EXISTS (SELECT 1 FROM pragma_index_list({table}) WHERE origin = 'pk') \
                 THEN char(1) || 'key' ELSE '' END \
                 || CASE WHEN pk > 0 THEN char(1) || 'primary' ELSE '' END AS c1 \
                 FROM pragma_table_info({table}) ORDER BY cid"
            )
        }
    };
    statement
}

/// What the values of a column are in Prolog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The atoms `true` and `false`.
    Boolean,
    Integer,
    /// Exact, with digits after the point.
    Decimal,
    /// The text of a number.
    Digits,
    Float,
    Text,
    Date,
    /// An atom such as `'2026-01-31T14:30:00'`.
    Time,
    /// A list or a dict.
    Nested,
    /// An atom with the text of the value.
    Other,
    /// Each value has its own type.
    Any,
}

pub(super) fn kind(dialect: Dialect, type_name: &str) -> Kind {
    if dialect == Dialect::Sqlite {
        return Kind::Any;
    }
    let lower = type_name.to_ascii_lowercase();
    if lower.ends_with(']') || lower.starts_with("struct") || lower.starts_with("map") {
        return Kind::Nested;
    }
    let name = lower.split('(').next().unwrap_or_default().trim();
    match name {
        DIGITS => Kind::Digits,
        "boolean" | "bool" => Kind::Boolean,
        "tinyint" | "smallint" | "integer" | "bigint" | "hugeint" | "utinyint" | "usmallint" | "uinteger"
        | "ubigint" | "uhugeint" | "int2" | "int4" | "int8" | "bignum" => Kind::Integer,
        "decimal" | "numeric" => Kind::Decimal,
        "float" | "double" | "real" | "double precision" | "float4" | "float8" => Kind::Float,
        "varchar" | "text" | "character varying" => Kind::Text,
        "date" => Kind::Date,
        "timestamp"
        | "timestamp with time zone"
        | "timestamp without time zone"
        | "timestamp_s"
        | "timestamp_ms"
        | "timestamp_ns" => Kind::Time,
        "json" | "jsonb" | "union" => Kind::Nested,
        _ => Kind::Other,
    }
}

/// The type of decimals with a precision and scale, as DuckDB writes it.
pub(super) fn precise(type_name: &str) -> Option<&str> {
    let digits = type_name.strip_prefix("DECIMAL(")?.strip_suffix(')')?;
    digits
        .bytes()
        .all(|c| c.is_ascii_digit() || c == b',')
        .then_some(type_name)
}

/// Texts as a list of literals: in single quotes, which are doubled within.
pub(super) fn literals(texts: &[String]) -> String {
    let literals: Vec<String> = texts.iter().map(|text| literal(text)).collect();
    format!("[{}]", literals.join(", "))
}

pub(super) fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
