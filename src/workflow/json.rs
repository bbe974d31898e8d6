//! The values of a workflow's state: JSON with integers of any size.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use serde::de::{self, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use hornbook_base::Limits;
use hornbook_engine::protocol::{list, quote};

/// The deepest nesting of arrays and objects in a value.
pub const MOST_LEVELS: usize = Limits::DEFAULT.state_levels;

/// The members of an object.
pub type Object = BTreeMap<String, Json>;

#[derive(Debug, Clone, PartialEq, Default)]
pub enum Json {
    #[default]
    Null,
    Bool(bool),
    Int(i64),
    /// The digits of an integer beyond `i64`, with a sign if negative.
    Big(String),
    /// Always finite.
    Float(f64),
    Text(String),
    Array(Vec<Json>),
    Object(Object),
}

impl Json {
    /// The value as serde serializes it; null if that is not JSON.
    pub fn of(value: &impl Serialize) -> Json {
        let json = serde_json::to_string(value).ok();
        json.and_then(|json| serde_json::from_str(&json).ok())
            .unwrap_or_default()
    }

    /// An integer from decimal digits; `None` if `digits` is something else.
    pub fn integer(digits: &str) -> Option<Json> {
        let (sign, plain) = match digits.strip_prefix('-') {
            Some(plain) => ("-", plain),
            None => ("", digits.strip_prefix('+').unwrap_or(digits)),
        };
        if plain.is_empty() || !plain.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let plain = match plain.trim_start_matches('0') {
            "" => "0",
            plain => plain,
        };
        let text = format!("{sign}{plain}");
        Some(text.parse().map_or(Json::Big(text), Json::Int))
    }

    /// The truth value in conditions: empty values, zero and null are false.
    pub fn is_truthy(&self) -> bool {
        match self {
            Json::Null => false,
            Json::Bool(truth) => *truth,
            Json::Int(number) => *number != 0,
            Json::Big(_) => true,
            Json::Float(number) => *number != 0.0,
            Json::Text(text) => !text.is_empty(),
            Json::Array(items) => !items.is_empty(),
            Json::Object(members) => !members.is_empty(),
        }
    }

    /// The name of its type, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "a boolean",
            Json::Int(_) | Json::Big(_) => "an integer",
            Json::Float(_) => "a number",
            Json::Text(_) => "a text",
            Json::Array(_) => "a list",
            Json::Object(_) => "an object",
        }
    }

    /// Whether it is nested deeper than [`MOST_LEVELS`].
    pub fn is_too_deep(&self) -> bool {
        fn deeper(value: &Json, levels: usize) -> bool {
            match value {
                Json::Array(_) | Json::Object(_) if levels == 0 => true,
                Json::Array(items) => items.iter().any(|item| deeper(item, levels - 1)),
                Json::Object(members) => members.values().any(|member| deeper(member, levels - 1)),
                _ => false,
            }
        }
        deeper(self, MOST_LEVELS)
    }

    /// Write it as the text of a Prolog term: texts become atoms, except for the words of JSON, which become
    /// strings; objects become dicts.
    pub fn write_term(&self, out: &mut String) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
            Json::Int(number) => {
                let _ = write!(out, "{number}");
            }
            Json::Big(digits) => out.push_str(digits),
            // With a fraction or an exponent; `1e21` is a float in Prolog, too.
            Json::Float(number) => {
                let _ = write!(out, "{number:?}");
            }
            Json::Text(text) if matches!(text.as_str(), "null" | "true" | "false") => quote(out, text, '"'),
            Json::Text(text) => quote(out, text, '\''),
            Json::Array(items) => list(out, items, |out, item| item.write_term(out)),
            Json::Object(members) => write_dict(out, members),
        }
    }
}

/// Write an object as the text of a dict.
pub fn write_dict(out: &mut String, members: &Object) {
    out.push_str("_{");
    for (index, (key, value)) in members.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        quote(out, key, '\'');
        // The space keeps `:` and a negative number from becoming one token.
        out.push_str(": ");
        value.write_term(out);
    }
    out.push('}');
}

/// As JSON text.
impl fmt::Display for Json {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => out.write_str("null"),
            Json::Bool(truth) => write!(out, "{truth}"),
            Json::Int(number) => write!(out, "{number}"),
            Json::Big(digits) => out.write_str(digits),
            Json::Float(number) => write!(out, "{number:?}"),
            Json::Text(text) => write_text(out, text),
            Json::Array(items) => {
                out.write_char('[')?;
                for (index, item) in items.iter().enumerate() {
                    let comma = if index > 0 { "," } else { "" };
                    write!(out, "{comma}{item}")?;
                }
                out.write_char(']')
            }
            Json::Object(members) => {
                out.write_char('{')?;
                for (index, (key, value)) in members.iter().enumerate() {
                    out.write_str(if index > 0 { "," } else { "" })?;
                    write_text(out, key)?;
                    write!(out, ":{value}")?;
                }
                out.write_char('}')
            }
        }
    }
}

fn write_text(out: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    out.write_str(&serde_json::to_string(text).map_err(|_| fmt::Error)?)
}

/// As an engine writes values: integers that a double cannot represent exactly are `{"$integer": Digits}`,
/// and an object that could be mistaken for one of these is `{"$object": [[Key, Value]]}`.
impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfEngine;

        impl<'de> Visitor<'de> for OfEngine {
            type Value = Json;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a value")
            }

            fn visit_unit<E>(self) -> Result<Json, E> {
                Ok(Json::Null)
            }

            fn visit_bool<E>(self, truth: bool) -> Result<Json, E> {
                Ok(Json::Bool(truth))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Json, E> {
                Ok(Json::Int(number))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
                Ok(number
                    .try_into()
                    .map_or_else(|_| Json::Big(number.to_string()), Json::Int))
            }

            fn visit_f64<E>(self, number: f64) -> Result<Json, E> {
                Ok(Json::Float(number))
            }

            fn visit_str<E>(self, text: &str) -> Result<Json, E> {
                Ok(Json::Text(text.to_owned()))
            }

            fn visit_string<E>(self, text: String) -> Result<Json, E> {
                Ok(Json::Text(text))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
                let mut array = Vec::new();
                while let Some(item) = items.next_element()? {
                    array.push(item);
                }
                Ok(Json::Array(array))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Json, A::Error> {
                let mut object = Object::new();
                while let Some((key, value)) = members.next_entry()? {
                    object.insert(key, value);
                }
                if object.len() > 1 {
                    return Ok(Json::Object(object));
                }
                match object.pop_first() {
                    Some((key, Json::Text(digits))) if key == "$integer" => {
                        Json::integer(&digits).ok_or_else(|| de::Error::custom("an integer without digits"))
                    }
                    Some((key, Json::Array(pairs))) if key == "$object" => {
                        pairs.into_iter().map(pair).collect()
                    }
                    Some((key, value)) => Ok(Json::Object([(key, value)].into())),
                    None => Ok(Json::Object(Object::new())),
                }
            }
        }

        fn pair<E: de::Error>(pair: Json) -> Result<(String, Json), E> {
            match pair {
                Json::Array(pair) => match <[Json; 2]>::try_from(pair) {
                    Ok([Json::Text(key), value]) => Ok((key, value)),
                    _ => Err(E::custom("a member of an object that is no pair")),
                },
                _ => Err(E::custom("a member of an object that is no pair")),
            }
        }

        deserializer.deserialize_any(OfEngine)
    }
}

/// The same format, so that it can be read back.
impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Null => serializer.serialize_unit(),
            Json::Bool(truth) => serializer.serialize_bool(*truth),
            Json::Int(number) => serializer.serialize_i64(*number),
            Json::Big(digits) => one(serializer, "$integer", digits),
            Json::Float(number) => serializer.serialize_f64(*number),
            Json::Text(text) => serializer.serialize_str(text),
            Json::Array(items) => items.serialize(serializer),
            Json::Object(members) => write_object(members, serializer),
        }
    }
}

/// An object in the format of [`Json`], for structs that contain one.
pub fn write_object<S: Serializer>(members: &Object, serializer: S) -> Result<S::Ok, S::Error> {
    let mistakable = |key: &str| key == "$integer" || key == "$object";
    if members.len() == 1 && members.keys().all(|key| mistakable(key)) {
        let pairs: Vec<(&String, &Json)> = members.iter().collect();
        one(serializer, "$object", &pairs)
    } else {
        members.serialize(serializer)
    }
}

fn one<S: Serializer>(serializer: S, key: &str, value: &impl Serialize) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry(key, value)?;
    map.end()
}

impl FromIterator<(String, Json)> for Json {
    fn from_iter<I: IntoIterator<Item = (String, Json)>>(members: I) -> Json {
        Json::Object(members.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(value: &Json) -> String {
        let mut out = String::new();
        value.write_term(&mut out);
        out
    }

    #[test]
    fn texts_are_atoms_but_for_the_words_of_json() {
        let value: Json =
            serde_json::from_str(r#"[null, true, "null", "it's", -5, 3.0, 1e300, {"k": {"z": -1}}, []]"#)
                .unwrap();
        assert_eq!(
            term(&value),
            r#"[null,true,"null",'it\'s',-5,3.0,1e300,_{'k': _{'z': -1}},[]]"#
        );
    }

    #[test]
    fn integers_are_exact() {
        assert_eq!(Json::integer("-9223372036854775808"), Some(Json::Int(i64::MIN)));
        assert_eq!(
            Json::integer("9223372036854775808"),
            Some(Json::Big("9223372036854775808".into()))
        );
        assert_eq!(Json::integer("007"), Some(Json::Int(7)));
        assert_eq!(Json::integer("-"), None);
        assert_eq!(Json::integer("1.5"), None);
    }

    #[test]
    fn what_an_engine_writes_is_unambiguous() {
        let read = |text| serde_json::from_str::<Json>(text).unwrap();
        assert_eq!(
            read(r#"{"$integer":"36893488147419103232"}"#),
            Json::Big("36893488147419103232".into())
        );
        let object = Json::from_iter([("$integer".to_owned(), Json::Text("5".into()))]);
        assert_eq!(read(r#"{"$object":[["$integer","5"]]}"#), object);
    }

    #[test]
    fn depth_is_limited() {
        let nested = |levels| (0..levels).fold(Json::Null, |value, _| Json::Array(vec![value]));
        assert!(!nested(MOST_LEVELS).is_too_deep());
        assert!(nested(MOST_LEVELS + 1).is_too_deep());
    }
}
