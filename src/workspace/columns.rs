//! Rows by the names of their columns: `orders{customer: C}` in a text is the goal `orders(_, C, _)`, if the book has a
//! table `orders` or linked data (`docs/tables.md`). The text is written so before anything reads it, so that a clause does not change
//! its meaning with the table.

mod rows;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::tables::known;
use super::types::Notice;
use super::{Inner, links};
use hornbook_base::Fault;
use hornbook_book::Predicate;
use hornbook_tables::Known;
pub(super) use rows::Plain;
use rows::{Tables, add, names_of_rows, plain, plain_or_fault};

impl Inner {
    /// The text of a query or of clauses with plain goals.
    ///
    /// # Errors
    /// If a row names a column that its table does not have.
    pub(super) async fn plain(&self, text: &str) -> Result<String, Fault> {
        let tables = self.tables_in(&[text]).await;
        plain_or_fault(text, &tables)
    }

    pub(super) async fn all_plain(&self, texts: Vec<String>) -> Result<Vec<String>, Fault> {
        let all: Vec<&str> = texts.iter().map(String::as_str).collect();
        let tables = self.tables_in(&all).await;
        all.iter().map(|text| plain_or_fault(text, &tables)).collect()
    }

    /// The text of a file with plain goals. Rows that no table has stay, and Prolog refuses them in their place.
    pub(super) async fn plain_file<'t>(&self, text: &'t str) -> Plain<'t> {
        match self.tables_in(&[text]).await {
            tables if tables.is_empty() => Plain {
                text: text.into(),
                written: Vec::new(),
                wrong: None,
            },
            tables => plain(text, &tables),
        }
    }

    /// As [`Inner::plain_file`], for a text of one's own; and what is wrong with the first row that stays.
    pub(super) async fn plain_own(&self, text: String) -> (String, Option<Notice>) {
        let Plain {
            text: plain, wrong, ..
        } = self.plain_file(&text).await;
        let notice = wrong.map(|wrong| {
            let (what, next) = wrong.told();
            Notice(format!("{what} {next}"))
        });
        let plain = match plain {
            Cow::Borrowed(_) => None,
            Cow::Owned(plain) => Some(plain),
        };
        (plain.unwrap_or(text), notice)
    }

    /// The tables of which the texts may have rows: those of the book, and linked data, which the texts may name themselves.
    async fn tables_in(&self, texts: &[&str]) -> Tables {
        if !texts.iter().any(|text| text.contains('{')) || texts.iter().any(|text| Known::of(text).is_some())
        {
            return Tables::new();
        }
        let named: BTreeSet<String> = texts.iter().flat_map(|text| names_of_rows(text)).collect();
        let mut tables = Tables::new();
        if named.is_empty() {
            return tables;
        }
        let mut linked = BTreeMap::new();
        {
            let book = self.book.borrow();
            for known in known(&book).filter(|known| named.contains(&known.predicate())) {
                let columns: Vec<String> = known.columns().map(str::to_owned).collect();
                let predicate = Predicate {
                    name: known.predicate(),
                    arity: columns.len() as u32,
                };
                add(&mut tables, predicate, Ok(columns));
            }
            let of_texts: Vec<_> = texts.iter().flat_map(|text| links::in_text(text)).collect();
            // What a text declares is what it means.
            let is_anew = |link: &Predicate| of_texts.iter().any(|(own, _)| own.is_like(link));
            let of_book = links::of_book(&book).filter(|(link, _)| !is_anew(link));
            let all = of_book.chain(of_texts.iter().cloned());
            linked.extend(all.filter(|(link, _)| named.contains(link.plain_name())));
        }
        for (link, columns) in self.columns_of_links(&linked, self.timeout_ms).await {
            let predicate = Predicate {
                name: link.plain_name().to_owned(),
                arity: link.arity,
            };
            add(&mut tables, predicate, columns);
        }
        tables
    }
}
