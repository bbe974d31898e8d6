//! JSON as the text of Prolog terms: strings are strings, objects are `'$object'([Key-Value, …])`.

use std::fmt::Write;

use serde_json::Value;

use hornbook_engine::protocol::{list, quote};

pub fn write_value(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => {
            let _ = match number.as_f64() {
                // A float has a fraction or an exponent; `1e21` is a float in Prolog, too.
                Some(float) if number.is_f64() => write!(out, "{float:?}"),
                _ => write!(out, "{number}"),
            };
        }
        Value::String(text) => quote(out, text, '"'),
        Value::Array(values) => write_list(out, values),
        Value::Object(pairs) => {
            out.push_str("'$object'(");
            list(out, pairs, |out, (key, value)| {
                quote(out, key, '\'');
                // The space keeps `-` and a negative number from becoming one token.
                out.push_str("- ");
                write_value(out, value);
            });
            out.push(')');
        }
    }
}

pub fn write_list<'a>(out: &mut String, values: impl IntoIterator<Item = &'a Value>) {
    list(out, values, write_value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_terms_and_text_stays_text() {
        let value =
            json!([null, true, -5, 1.5, 1e21, "a\"), halt, x(\"", { "k": [], "it's": -1, "$object": "{X}" }]);
        let mut out = String::new();
        write_value(&mut out, &value);
        assert_eq!(
            out,
            r#"[null,true,-5,1.5,1e21,"a\"), halt, x(\"",'$object'(['$object'- "{X}",'it\'s'- -1,'k'- []])]"#
        );
    }
}
