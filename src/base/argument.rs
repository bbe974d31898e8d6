//! Arguments of tools as hosts send them. Several hosts send numbers, flags, arrays and objects as their JSON
//! text, so each is read from its text as well.

use serde_json::{Map, Value};

/// A finite number, or the text of one.
pub fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::String(text) => text.trim().parse().ok()?,
        value => value.as_f64()?,
    };
    f64::is_finite(number).then_some(number)
}

/// A number without a fraction, of less than 16 digits, or the text of one.
pub fn whole(value: &Value) -> Option<i64> {
    let number = number(value)?;
    (number.fract() == 0.0 && number.abs() < 1e15).then_some(number as i64)
}

/// `true` or `false`, 1 or 0, or the text of one of these.
pub fn flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::String(text) => match text.trim() {
            "1" => Some(true),
            "0" => Some(false),
            word if word.eq_ignore_ascii_case("true") => Some(true),
            word if word.eq_ignore_ascii_case("false") => Some(false),
            _ => None,
        },
        value => match value.as_f64() {
            Some(1.0) => Some(true),
            Some(0.0) => Some(false),
            _ => None,
        },
    }
}

/// An array of strings, or its text.
pub fn texts(value: &Value) -> Option<Vec<String>> {
    let string = |item: Value| match item {
        Value::String(text) => Some(text),
        _ => None,
    };
    match read(value, '[')? {
        Value::Array(items) => items.into_iter().map(string).collect(),
        _ => None,
    }
}

/// An object, or its text.
pub fn object(value: &Value) -> Option<Map<String, Value>> {
    match read(value, '{')? {
        Value::Object(fields) => Some(fields),
        _ => None,
    }
}

/// The value itself, or the one that its text says, which begins with `opening`.
fn read(value: &Value, opening: char) -> Option<Value> {
    match value {
        Value::String(text) if text.trim_start().starts_with(opening) => serde_json::from_str(text).ok(),
        Value::String(_) => None,
        value => Some(value.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_read_as_they_are_and_from_their_text() {
        for value in [json!(5), json!("5"), json!(" 5 "), json!(5.0), json!("5.0")] {
            assert_eq!((number(&value), whole(&value)), (Some(5.0), Some(5)), "{value}");
        }
        for value in [json!(true), json!("true"), json!("True"), json!("1"), json!(1)] {
            assert_eq!(flag(&value), Some(true), "{value}");
        }
        for value in [
            json!(false),
            json!("false"),
            json!(" FALSE"),
            json!("0"),
            json!(0),
        ] {
            assert_eq!(flag(&value), Some(false), "{value}");
        }
        for value in [
            json!(["a", "b"]),
            json!("[\"a\", \"b\"]"),
            json!("\n [\"a\",\"b\"] "),
        ] {
            assert_eq!(
                texts(&value),
                Some(vec!["a".to_owned(), "b".to_owned()]),
                "{value}"
            );
        }
        assert_eq!(texts(&json!("[]")), Some(vec![]));
        for value in [json!({ "a": [1] }), json!("{\"a\": [1]}")] {
            assert_eq!(json!(object(&value)), json!({ "a": [1] }), "{value}");
        }
    }

    #[test]
    fn a_text_of_something_else_is_not_read() {
        for value in [
            json!("five"),
            json!(""),
            json!("inf"),
            json!("NaN"),
            json!(true),
            json!([5]),
        ] {
            assert_eq!(number(&value), None, "{value}");
        }
        assert_eq!((whole(&json!("1.5")), whole(&json!(1e15))), (None, None));
        for value in [json!("yes"), json!(2), json!("2"), json!(null)] {
            assert_eq!(flag(&value), None, "{value}");
        }
        for value in [
            json!("a"),
            json!("[a]."),
            json!("[1]"),
            json!([1]),
            json!({}),
            json!("[\"a\""),
        ] {
            assert_eq!(texts(&value), None, "{value}");
        }
        for value in [json!("a"), json!("[]"), json!([]), json!("{a}")] {
            assert_eq!(object(&value), None, "{value}");
        }
    }
}
