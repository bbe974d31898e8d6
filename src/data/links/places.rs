//! Which row of its source a row is, as proofs say it: `orders.parquet row 812`, `shop.customers id=17`.

use super::source::literal;
use super::{Cell, From, Relation};
use crate::sql::quoted;

/// The column that numbers the rows of a file whose format does not.
const NUMBER: &str = "number of the row";

/// What a statement reads besides the columns of a table, to tell where its rows are.
#[derive(Default)]
pub(super) struct Placed {
    /// What reads it, as text.
    pub columns: Vec<String>,
    /// What stands after FROM, if not the table itself.
    pub source: Option<String>,
}

impl Relation {
    /// What tells where rows are: nothing where the primary key does, or where nothing lasts.
    pub(super) fn placed(&self) -> Placed {
        let (From::Parquet(paths) | From::Csv(paths) | From::Json(paths)) = &self.from else {
            return Placed::default();
        };
        let mut placed = Placed::default();
        let mut column = |sql: String| placed.columns.push(format!("CAST({sql} AS VARCHAR)"));
        match (&self.from, &paths[..]) {
            // A column of the file hides what DuckDB would call so.
            (From::Parquet(_), _) if self.has("file_row_number") || self.has("filename") => {}
            (From::Parquet(_), _) => {
                column("filename".to_owned());
                column("file_row_number + 1".to_owned());
            }
            (_, [path]) => {
                column(literal(path));
                column(quoted(NUMBER));
                let source = self.from.source(&self.columns);
                let number = quoted(NUMBER);
                placed.source = Some(format!(
                    "(SELECT *, row_number() OVER () AS {number} FROM {source}) AS numbered"
                ));
            }
            _ if self.has("filename") => {}
            _ => column("filename".to_owned()),
        }
        placed
    }

    fn has(&self, name: &str) -> bool {
        let mut names = self.columns.iter();
        names.any(|column| column.name.eq_ignore_ascii_case(name))
    }

    /// The rows of a statement that also reads `placed`, as [`Relation::rows`]: each has one more argument, an atom that says
    /// where it is. `of` is what people call the table.
    ///
    /// # Errors
    /// The value that cannot be read.
    pub fn placed_rows(&self, of: &str, rows: &[Vec<Cell>]) -> Result<String, String> {
        let mut out = String::from("[");
        for (at, row) in rows.iter().enumerate() {
            out.push_str(if at > 0 { "," } else { "" });
            self.push_row(&mut out, row)?;
            out.pop();
            out.push_str(if self.columns.is_empty() { "" } else { "," });
            super::push_atom(&mut out, &self.place(of, row)?);
            out.push(']');
        }
        out.push(']');
        Ok(out)
    }

    fn place(&self, of: &str, row: &[Cell]) -> Result<String, String> {
        let texts = row.iter().skip(self.columns.len()).cloned();
        let mut texts = texts.map_while(Cell::into_text);
        if let Some(path) = texts.next().filter(|_| self.is_file()) {
            let file = self.file_name(&path);
            return Ok(match texts.next().filter(|text| text.parse::<u64>().is_ok()) {
                Some(number) => format!("{file} row {number}"),
                None => file.to_owned(),
            });
        }
        let mut key = String::new();
        for (column, cell) in self
            .columns
            .iter()
            .zip(row)
            .filter(|(column, _)| column.is_primary)
        {
            key.push_str(if key.is_empty() { " " } else { ", " });
            key.push_str(&column.name);
            key.push('=');
            self.push(&mut key, column, cell)?;
        }
        Ok(format!("{of}{key}"))
    }

    fn is_file(&self) -> bool {
        !matches!(self.from, From::Table(_))
    }

    /// The path within the folder that all files of the table are in.
    fn file_name<'a>(&self, path: &'a str) -> &'a str {
        let (From::Parquet(paths) | From::Csv(paths) | From::Json(paths)) = &self.from else {
            return path;
        };
        let folder = |path: &str| path.rfind(['/', '\\']).map_or(0, |at| at + 1);
        let mut common = folder(path);
        for other in paths {
            while !other.starts_with(&path[..common]) {
                common = folder(path[..common].trim_end_matches(['/', '\\']));
            }
        }
        &path[common..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::links::Column;
    use crate::sql::Dialect;

    fn column(name: &str, type_name: &str, is_primary: bool) -> Column {
        Column {
            name: name.to_owned(),
            type_name: type_name.to_owned(),
            is_primary,
            ..Column::default()
        }
    }

    fn table(from: From) -> Relation {
        Relation {
            dialect: Dialect::DuckDb,
            from,
            columns: vec![column("id", "INTEGER", true), column("name", "VARCHAR", false)],
        }
    }

    fn rows(relation: &Relation, row: &[Option<&str>]) -> String {
        let row = row
            .iter()
            .map(|text| text.map_or(Cell::Null, |text| Cell::Text(text.to_owned())));
        relation
            .placed_rows("shop.customers", &[row.collect()])
            .expect("rows")
    }

    #[test]
    fn a_row_of_a_table_is_named_by_its_key() {
        let mut relation = table(From::Table(vec!["customers".to_owned()]));
        let row = [Some("17"), Some("anna"), None];
        assert_eq!(rows(&relation, &row), "[[17,anna,'shop.customers id=17']]");
        relation.columns[1].is_primary = true;
        assert_eq!(
            rows(&relation, &row),
            "[[17,anna,'shop.customers id=17, name=anna']]"
        );
        relation
            .columns
            .iter_mut()
            .for_each(|column| column.is_primary = false);
        assert_eq!(rows(&relation, &row), "[[17,anna,'shop.customers']]");
    }

    #[test]
    fn a_row_of_a_file_is_named_by_its_number() {
        let one = table(From::Parquet(vec!["/lake/orders.parquet".to_owned()]));
        let row = |path| [Some("17"), Some("anna"), Some(path), Some("812"), None];
        assert_eq!(
            rows(&one, &row("/lake/orders.parquet")),
            "[[17,anna,'orders.parquet row 812']]"
        );
        let paths = ["/lake/2025/a.parquet", "/lake/2026/b.parquet"].map(str::to_owned);
        let several = table(From::Parquet(paths.to_vec()));
        assert_eq!(
            rows(&several, &row("/lake/2026/b.parquet")),
            "[[17,anna,'2026/b.parquet row 812']]"
        );
        let text = table(From::Csv(vec![
            "/lake/orders.csv".to_owned(),
            "/lake/b.csv".to_owned(),
        ]));
        let row = [Some("17"), Some("anna"), Some("/lake/orders.csv"), None];
        assert_eq!(rows(&text, &row), "[[17,anna,'orders.csv']]");
    }

    #[test]
    fn a_column_that_hides_the_number_of_the_row_leaves_it_out() {
        let mut relation = table(From::Parquet(vec!["/lake/orders.parquet".to_owned()]));
        assert_eq!(relation.placed().columns.len(), 2);
        relation.columns[1].name = "Filename".to_owned();
        assert!(relation.placed().columns.is_empty());
        assert_eq!(
            rows(&relation, &[Some("17"), Some("anna"), None]),
            "[[17,anna,'shop.customers id=17']]"
        );
    }
}
