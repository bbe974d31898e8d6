//! Which row of its source a row is, as proofs say it: `orders.parquet row 812`, `shop.customers id=17`.

use super::cells::push_float;
use super::source::literal;
use super::{Cell, From, Relation, push_atom};
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
        let (From::Parquet(paths) | From::Csv { paths, .. } | From::Json(paths)) = &self.from else {
            return Placed::default();
        };
        let mut placed = Placed::default();
        let mut column = |sql: String| placed.columns.push(format!("CAST({sql} AS VARCHAR)"));
        match &paths[..] {
            [path] => column(literal(path)),
            // A column of the files hides their names. By another name (`filename = '…'`) DuckDB takes a condition on this
            // column for one on the names, and finds no rows.
            _ if self.has("filename") => return placed,
            _ => column("filename".to_owned()),
        }
        match (&self.from, &paths[..]) {
            (From::Parquet(_), _) if !self.has("file_row_number") => {
                column("file_row_number + 1".to_owned());
            }
            (_, [_]) => {
                let number = quoted(&self.unused(NUMBER));
                column(number.clone());
                let source = self.from.source(&self.columns);
                placed.source = Some(format!(
                    "(SELECT *, row_number() OVER () AS {number} FROM {source}) AS numbered"
                ));
            }
            _ => {}
        }
        placed
    }

    /// `name`, or a longer one that no column has.
    fn unused(&self, name: &str) -> String {
        let mut name = name.to_owned();
        while self.has(&name) {
            name.push('_');
        }
        name
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
            push_atom(&mut out, &self.place(of, row)?);
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
            // SQLite has several rows with such a key.
            if cell.is_null() {
                return Ok(of.to_owned());
            }
            key.push_str(if key.is_empty() { " " } else { ", " });
            match column.name.chars().all(|c| c.is_alphanumeric() || c == '_') {
                true => key.push_str(&column.name),
                false => push_atom(&mut key, &column.name),
            }
            key.push('=');
            let mut value = String::new();
            self.push(&mut value, column, cell)?;
            match value.parse() {
                // As Prolog writes what it reads: 2.5 for 2.50.
                Ok(float) if value.contains('.') => push_float(&mut key, float),
                _ => key.push_str(&value),
            }
        }
        Ok(format!("{of}{key}"))
    }

    fn is_file(&self) -> bool {
        !matches!(self.from, From::Table(_))
    }

    /// The path within the folder that all files of the table are in.
    fn file_name<'a>(&self, path: &'a str) -> &'a str {
        let (From::Parquet(paths) | From::Csv { paths, .. } | From::Json(paths)) = &self.from else {
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
        let text = table(csv(&["/lake/orders.csv", "/lake/b.csv"]));
        let row = [Some("17"), Some("anna"), Some("/lake/orders.csv"), None];
        assert_eq!(rows(&text, &row), "[[17,anna,'orders.csv']]");
    }

    fn csv(paths: &[&str]) -> From {
        From::Csv {
            paths: paths.iter().map(|&path| path.to_owned()).collect(),
            line_bytes: 4096,
        }
    }

    #[test]
    fn a_key_without_a_value_names_no_row() {
        let mut relation = table(From::Table(vec!["customers".to_owned()]));
        relation.columns[1].is_primary = true;
        assert_eq!(
            rows(&relation, &[Some("17"), None]),
            "[[17,null,'shop.customers']]"
        );
    }

    #[test]
    fn a_key_is_written_as_prolog_writes_it() {
        let mut relation = table(From::Table(vec!["customers".to_owned()]));
        relation.columns[0] = column("unit price", "DECIMAL(9,2)", true);
        let row = [Some("2.50"), Some("anna")];
        assert_eq!(
            rows(&relation, &row),
            r"[[2.50,anna,'shop.customers \'unit price\'=2.5']]"
        );
    }

    #[test]
    fn columns_of_one_file_do_not_hide_where_its_rows_are() {
        let mut several = table(From::Parquet(vec![
            "/a.parquet".to_owned(),
            "/b.parquet".to_owned(),
        ]));
        assert_eq!(several.placed().source, None);
        several.columns[1].name = "Filename".to_owned();
        assert!(several.placed().columns.is_empty());
        assert_eq!(
            rows(&several, &[Some("17"), Some("x"), None]),
            "[[17,x,'shop.customers id=17']]"
        );
        several.columns[1].name = "file_row_number".to_owned();
        assert_eq!(several.placed().columns.len(), 1);
        let mut one = table(csv(&["/a.csv"]));
        one.columns[1].name = NUMBER.to_owned();
        assert!(one.placed().columns[1].contains("number of the row_"));
    }
}
