//! Rows that are arrays, of which the first names the columns.

use hornbook_base::Fault;
use serde_json::value::RawValue;

use super::super::header::{Top, Value};
use super::super::rows::Reading;
use super::rows::{Elements, Shape};
use super::{ColumnKind, Wrong, kind_of};

/// A row that names the columns.
pub struct Named {
    pub names: Vec<String>,
    /// What was assumed.
    pub note: Option<String>,
}

/// The first row, if it names the columns: by the rule of all tables, or as was said.
pub async fn of(reading: &Reading<'_>, span: (usize, usize), shape: Shape) -> Result<Option<Named>, Fault> {
    if reading.found.is_some() || shape == Shape::Members || reading.header == Some(false) {
        return Ok(None);
    }
    let mut elements = Elements::new(reading, span, shape);
    let mut next = || -> Result<Option<Vec<Value<'_>>>, Fault> {
        let Some(element) = elements.next()? else {
            return Ok(None);
        };
        if !element.value.get().starts_with('[') {
            return Ok(None);
        }
        let values = Wrong::in_parsed::<Vec<&RawValue>>(element.value.get());
        let values = values.map_err(|wrong| wrong.fault(reading))?;
        Ok(Some(values.into_iter().map(value).collect()))
    };
    let Some(first) = next()?.filter(|row| !row.is_empty()) else {
        return Ok(None);
    };
    let names = first.iter().map(|value| value.text.to_string()).collect();
    let mut top = Top::new(first);
    let mut rows = 0;
    while !top.has_enough()
        && let Some(row) = next()?
    {
        top.take(&row);
        rows += 1;
        if reading.pace.is_over(row.len()) {
            reading.pace.rest().await;
        }
    }
    let is_header = rows > 0 && reading.header.unwrap_or_else(|| top.is_header());
    let note = reading.header.is_none().then(|| top.note()).flatten();
    Ok(is_header.then_some(Named { names, note }))
}

fn value(json: &RawValue) -> Value<'_> {
    let text = json.get();
    let kind = kind_of(text);
    Value {
        text: match kind {
            ColumnKind::Null => "".into(),
            ColumnKind::Text => serde_json::from_str::<String>(text)
                .unwrap_or_default()
                .trim()
                .to_owned()
                .into(),
            _ => text.into(),
        },
        is_number: kind == ColumnKind::Number,
    }
}
