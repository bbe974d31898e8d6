//! Parameters that a statement does not use, which engines refuse.

use std::collections::BTreeMap;

use crate::sql::Statement;

/// `statement` with those parameters that its text uses, numbered from 1. The result of an `is` that nothing needs leaves
/// others.
pub(super) fn used(statement: Statement) -> Statement {
    let mut result = Statement::default();
    let mut numbers: BTreeMap<usize, String> = BTreeMap::new();
    let mut text = String::new();
    let mut rest = statement.sql.as_str();
    while let Some(at) = rest.find(['$', '"', '\'']) {
        text += &rest[..at];
        rest = &rest[at..];
        let length = match rest.strip_prefix('$') {
            Some(after) => after
                .find(|c: char| !c.is_ascii_digit())
                .map_or(rest.len(), |digits| digits + 1),
            // A doubled quote begins the next part.
            None => rest[1..].find(&rest[..1]).map_or(rest.len(), |end| end + 2),
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        let number = token
            .strip_prefix('$')
            .and_then(|digits| digits.parse::<usize>().ok());
        let value = number.and_then(|number| statement.parameters.get(number.checked_sub(1)?));
        match (number, value) {
            (Some(number), Some(value)) => {
                text += numbers
                    .entry(number)
                    .or_insert_with(|| result.parameter(value.clone()));
            }
            _ => text += token,
        }
    }
    result.sql = text + rest;
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::Value;

    #[test]
    fn what_is_not_used_goes_and_quotes_stay() {
        let value = |text: &str| Value::Text(text.to_string());
        let statement = Statement {
            sql: "select $2, \"a$1\"\"$1\", '$1', $2 + $3".to_string(),
            parameters: vec![value("a"), value("b"), value("c")],
        };
        let used = used(statement);
        assert_eq!(used.sql, "select $1, \"a$1\"\"$1\", '$1', $1 + $2");
        assert_eq!(used.parameters, [value("b"), value("c")]);
    }
}
