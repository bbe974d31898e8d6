//! The names of options, and detecting unknown ones.

use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};
use serde::forward_to_deserialize_any;

/// The names of a struct's fields, as deserialized.
pub fn names<'de, T: Deserialize<'de>>() -> &'static [&'static str] {
    let mut names: &'static [&'static str] = &[];
    // Deserializing passes on the field names before it reads anything; there is nothing to read.
    let _ = T::deserialize(Fields(&mut names));
    names
}

struct Fields<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Fields<'_> {
    type Error = de::value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(de::Error::custom("there is nothing to read"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        *self.0 = fields;
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// A sentence about the first name that is not `known`; `None` if all are. It suggests a similar name, or all, from
/// `known` and `elsewhere`, the names that hosts know.
pub fn unknown_option(given: &[String], known: &[&str], elsewhere: &[&str]) -> Option<String> {
    let wrong = given.iter().find(|name| !known.contains(&name.as_str()))?;
    let plain = wrong.to_lowercase();
    let near = known
        .iter()
        .chain(elsewhere)
        .filter(|name| *name != wrong)
        .map(|name| (strsim::osa_distance(&plain, &name.to_lowercase()), name))
        .filter(|(distance, name)| *distance <= name.chars().count().min(9) / 3)
        .min_by_key(|(distance, _)| *distance);
    Some(match near {
        Some((_, name)) => format!("there is no option `{wrong}`; did you mean `{name}`?"),
        None => {
            let all = known
                .iter()
                .chain(elsewhere)
                .copied()
                .filter(|name| name != wrong);
            let all: Vec<&str> = all.collect();
            format!(
                "there is no option `{wrong}`; the options are: {}",
                all.join(", ")
            )
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(given: &[&str]) -> Option<String> {
        let given: Vec<String> = given.iter().map(|name| (*name).to_owned()).collect();
        unknown_option(&given, &["limits", "timeoutMs"], &["book"])
    }

    #[test]
    fn the_names_of_options_are_those_that_are_read() {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        #[expect(dead_code, reason = "only the names count")]
        struct Options {
            limits: Vec<u8>,
            timeout_ms: u64,
        }
        assert_eq!(names::<Options>(), ["limits", "timeoutMs"]);
    }

    #[test]
    fn the_name_that_was_meant_is_told() {
        assert_eq!(told(&["timeoutMs", "limits"]), None);
        let meant = |name: &str| told(&["limits", name]).unwrap();
        assert_eq!(
            meant("timeOut_ms"),
            "there is no option `timeOut_ms`; did you mean `timeoutMs`?"
        );
        assert_eq!(meant("bok"), "there is no option `bok`; did you mean `book`?");
        assert_eq!(
            meant("limit"),
            "there is no option `limit`; did you mean `limits`?"
        );
    }

    #[test]
    fn where_none_is_near_all_are_told() {
        let all = "the options are: limits, timeoutMs";
        for name in ["colour", "x"] {
            assert_eq!(
                told(&[name]).unwrap(),
                format!("there is no option `{name}`; {all}, book")
            );
        }
        // One that only another host knows.
        assert_eq!(
            told(&["book"]).unwrap(),
            format!("there is no option `book`; {all}")
        );
    }
}
