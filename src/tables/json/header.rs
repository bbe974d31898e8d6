//! Rows that are arrays, of which the first names the columns.

use std::collections::BTreeSet;

use hornbook_base::Fault;
use serde_json::value::RawValue;

use super::super::ColumnKind;
use super::super::header::{ONLY_FIRST, is_name};
use super::super::rows::{NO_HEADER, Reading};
use super::rows::{Elements, Shape};
use super::value::{Wrong, kind_of};

/// What the first row was taken for.
#[derive(Default)]
pub struct Named {
    /// The names of the columns, if it names them.
    pub names: Option<Vec<String>>,
    /// What was assumed.
    pub note: Option<&'static str>,
}

/// How many rows are looked at.
const LOOKED_AT: usize = 200;

/// Whether the first row names the columns, as was said, or else because all its values are different names, and a column
/// has only values other than texts below its name.
pub async fn of(reading: &Reading<'_>, span: (usize, usize), shape: Shape) -> Result<Named, Fault> {
    if reading.found.is_some() || shape == Shape::Members || reading.header == Some(false) {
        return Ok(Named::default());
    }
    let mut elements = Elements::new(reading, span, shape);
    let mut next = || -> Result<Option<Vec<&RawValue>>, Fault> {
        let Some(element) = elements.next()? else {
            return Ok(None);
        };
        if !element.value.get().starts_with('[') {
            return Ok(None);
        }
        let values = Wrong::in_parsed::<Vec<&RawValue>>(element.value.get());
        values.map(Some).map_err(|wrong| wrong.fault(reading))
    };
    let Some(first) = next()?.filter(|row| !row.is_empty()) else {
        return Ok(Named::default());
    };
    let names: Vec<String> = first.iter().map(|json| name(json)).collect();
    let are_texts = first.iter().all(|json| kind_of(json.get()) == ColumnKind::Text);
    let different: BTreeSet<&String> = names.iter().collect();
    let may_name = are_texts && different.len() == names.len() && names.iter().all(|name| is_name(name));
    // How many values are below each name, and how many of them are texts.
    let mut below = vec![(0, 0); names.len()];
    let mut rows = 0;
    while rows < LOOKED_AT
        && let Some(row) = next()?
    {
        for (value, (values, texts)) in row.iter().zip(&mut below) {
            let kind = kind_of(value.get());
            *values += usize::from(kind != ColumnKind::Null);
            *texts += usize::from(kind == ColumnKind::Text);
        }
        rows += 1;
        if reading.pace.is_over(row.len()) {
            reading.pace.rest().await;
        }
    }
    let is_above_others = below.iter().any(|(values, texts)| *values > 0 && *texts == 0);
    let is_header = rows > 0 && (reading.header == Some(true) || may_name && is_above_others);
    let note = match is_header {
        _ if reading.header.is_some() || !may_name || rows == 0 => None,
        true => Some(ONLY_FIRST),
        false => Some(NO_HEADER),
    };
    Ok(Named {
        names: is_header.then_some(names),
        note,
    })
}

fn name(json: &RawValue) -> String {
    let text = json.get();
    match kind_of(text) {
        ColumnKind::Null => String::new(),
        ColumnKind::Text => {
            let text: String = serde_json::from_str(text).unwrap_or_default();
            text.trim().to_owned()
        }
        _ => text.to_owned(),
    }
}
