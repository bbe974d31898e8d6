//! YAML as a tree with positions.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{Location, Spanned};

use super::fault::LoadFault;
use super::json::Json;

/// Line from 1 and column from 0, in code points.
pub type Place = (u64, u64);

/// A value and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Yaml {
    pub tree: Tree,
    pub at: Place,
    /// Where its text begins: within quotes, or on the lines below `|`.
    pub text_at: Place,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Tree {
    /// Neither a list nor a map.
    Scalar(Json),
    List(Vec<Yaml>),
    /// In the order of the text; keys are unique.
    Map(Vec<Entry>),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub key: String,
    /// The position of the key.
    pub at: Place,
    pub value: Yaml,
}

/// Parse a single document.
pub fn parse(text: &str) -> Result<Yaml, LoadFault> {
    let options = serde_saphyr::options! { with_snippet: false, strict_booleans: true };
    let root: Result<Spanned<Tree>, _> = serde_saphyr::from_str_with_options(text, options);
    let mut root: Yaml = root.map(Yaml::from).map_err(|error| {
        let place = error.location().map_or((1, 0), |place| place_of(&place));
        let message = error.without_snippet().to_string();
        let message = message.lines().next().unwrap_or_default();
        let message = message.split(" at line ").next().unwrap_or(message);
        LoadFault::new(format!("This is not YAML: {message}"), place)
    })?;
    let lines: Vec<&str> = text.lines().collect();
    exact(&mut root, &lines);
    find_text(&mut root, &lines);
    check_whole(&root, &lines)?;
    Ok(root)
}

/// Keys whose values are code or conditions.
const CODE_KEYS: [&str; 6] = ["run", "script", "code", "when", "condition", "if"];

/// In YAML, ` #` begins a comment, so `run: X #> 3, label([X])` would silently become just `X`.
fn check_whole(yaml: &Yaml, lines: &[&str]) -> Result<(), LoadFault> {
    match &yaml.tree {
        Tree::Scalar(_) => Ok(()),
        Tree::List(items) => items.iter().try_for_each(|item| check_whole(item, lines)),
        Tree::Map(entries) => entries.iter().try_for_each(|entry| {
            if CODE_KEYS.contains(&entry.key.as_str())
                && let Some(lost) = lost(&entry.value, lines)
            {
                let message = format!(
                    "YAML takes `{lost}` for a comment: put the whole value in quotes, or on lines of its own below '{}: |'.",
                    entry.key
                );
                return Err(LoadFault::new(message, entry.value.at));
            }
            check_whole(&entry.value, lines)
        }),
    }
}

/// A comment after a value on its line that begins like a CLP(FD) constraint.
fn lost<'a>(yaml: &Yaml, lines: &[&'a str]) -> Option<&'a str> {
    let Tree::Scalar(Json::Text(text)) = &yaml.tree else {
        return None;
    };
    let (line, column) = yaml.at;
    let line = lines.get(line.saturating_sub(1) as usize)?;
    let (start, _) = line.char_indices().nth(column as usize)?;
    let rest = line[start..].strip_prefix(text.as_str())?.trim_start();
    let operator = rest.strip_prefix('#')?;
    operator
        .starts_with(['=', '<', '>', '\\'])
        .then_some(rest.trim_end())
}

/// The parser counts columns from 1.
fn place_of(location: &Location) -> Place {
    (location.line(), location.column().saturating_sub(1))
}

/// Integers too large for the parser are taken from the text.
fn exact(yaml: &mut Yaml, lines: &[&str]) {
    let (line, column) = yaml.at;
    match &mut yaml.tree {
        Tree::Scalar(value @ Json::Float(_)) => {
            let line = lines
                .get(line.saturating_sub(1) as usize)
                .copied()
                .unwrap_or_default();
            let rest = line.chars().skip(column as usize);
            let token: String = rest
                .take_while(|c| !c.is_whitespace() && !matches!(c, ',' | ']' | '}'))
                .collect();
            if let Some(integer) = Json::integer(&token) {
                *value = integer;
            }
        }
        Tree::Scalar(_) => {}
        Tree::List(items) => items.iter_mut().for_each(|item| exact(item, lines)),
        Tree::Map(entries) => entries
            .iter_mut()
            .for_each(|entry| exact(&mut entry.value, lines)),
    }
}

/// Find where texts begin that are in quotes, or on lines of their own behind blank ones.
fn find_text(yaml: &mut Yaml, lines: &[&str]) {
    let (line, column) = yaml.at;
    match &mut yaml.tree {
        Tree::Scalar(Json::Text(text)) => {
            let first = lines.get(line.saturating_sub(1) as usize);
            let quote = first.and_then(|line| line.chars().nth(column as usize));
            let blank = text.chars().take_while(|c| *c == '\n').count() as u64;
            yaml.text_at = match quote {
                Some('"' | '\'') => (line, column + 1),
                _ => (line.saturating_sub(blank), column),
            };
        }
        Tree::Scalar(_) => {}
        Tree::List(items) => items.iter_mut().for_each(|item| find_text(item, lines)),
        Tree::Map(entries) => entries
            .iter_mut()
            .for_each(|entry| find_text(&mut entry.value, lines)),
    }
}

impl Yaml {
    pub fn to_json(&self) -> Json {
        match &self.tree {
            Tree::Scalar(value) => value.clone(),
            Tree::List(items) => Json::Array(items.iter().map(Yaml::to_json).collect()),
            Tree::Map(entries) => entries
                .iter()
                .map(|entry| (entry.key.clone(), entry.value.to_json()))
                .collect(),
        }
    }

    /// The type of the value, for messages.
    pub fn kind(&self) -> &'static str {
        match &self.tree {
            Tree::Scalar(value) => value.kind(),
            Tree::List(_) => "a list",
            Tree::Map(_) => "a map",
        }
    }
}

impl From<Spanned<Tree>> for Yaml {
    fn from(spanned: Spanned<Tree>) -> Yaml {
        let at = place_of(&spanned.referenced);
        Yaml {
            at,
            text_at: at,
            tree: spanned.value,
        }
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Scalar(Json::Null))
    }

    fn visit_none<E>(self) -> Result<Tree, E> {
        Ok(Tree::Scalar(Json::Null))
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Tree, D::Error> {
        Tree::deserialize(deserializer)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Tree, E> {
        Ok(Tree::Scalar(Json::Bool(truth)))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Tree, E> {
        Ok(Tree::Scalar(Json::Int(number)))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Tree, E> {
        Ok(integer(number))
    }

    fn visit_i128<E>(self, number: i128) -> Result<Tree, E> {
        Ok(integer(number))
    }

    fn visit_u128<E>(self, number: u128) -> Result<Tree, E> {
        Ok(integer(number))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Tree, E> {
        Ok(Tree::Scalar(if number.is_finite() {
            Json::Float(number)
        } else {
            Json::Text(number.to_string())
        }))
    }

    fn visit_str<E>(self, text: &str) -> Result<Tree, E> {
        Ok(Tree::Scalar(Json::Text(text.to_owned())))
    }

    fn visit_string<E>(self, text: String) -> Result<Tree, E> {
        Ok(Tree::Scalar(Json::Text(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Tree, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element::<Spanned<Tree>>()? {
            list.push(item.into());
        }
        Ok(Tree::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Tree, A::Error> {
        let mut entries = Vec::new();
        while let Some(key) = members.next_key::<Spanned<String>>()? {
            entries.push(Entry {
                at: place_of(&key.referenced),
                key: key.value,
                value: members.next_value::<Spanned<Tree>>()?.into(),
            });
        }
        Ok(Tree::Map(entries))
    }
}

fn integer(number: impl ToString) -> Tree {
    let text = number.to_string();
    Tree::Scalar(Json::integer(&text).unwrap_or(Json::Text(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get<'a>(yaml: &'a Yaml, name: &str) -> &'a Entry {
        let Tree::Map(entries) = &yaml.tree else {
            panic!("no map")
        };
        entries
            .iter()
            .find(|entry| entry.key == name)
            .expect("the key is there")
    }

    #[test]
    fn everything_knows_its_place() {
        let yaml = parse("a: 1\nb:\n  - {c: x, d: [true, ~]}\n").unwrap();
        let b = get(&yaml, "b");
        assert_eq!(b.at, (2, 0));
        let Tree::List(items) = &b.value.tree else {
            panic!("no list")
        };
        let d = get(&items[0], "d");
        assert_eq!((d.at, d.value.at), ((3, 11), (3, 14)));
        assert_eq!(
            yaml.to_json().to_string(),
            r#"{"a":1,"b":[{"c":"x","d":[true,null]}]}"#
        );
    }

    #[test]
    fn a_text_knows_where_its_first_character_stands() {
        let yaml = parse(
            "- run: |\n    a.\n      b.\n- run: 'c.'\n- run: >-\n\n      d.\n- run: e.\n- run: |2\n      f.\n",
        );
        let Tree::List(items) = yaml.unwrap().tree else {
            panic!("no list")
        };
        let places: Vec<Place> = items.iter().map(|item| get(item, "run").value.text_at).collect();
        assert_eq!(places, [(2, 4), (4, 8), (6, 6), (8, 7), (10, 4)]);
    }

    #[test]
    fn scalars_are_those_of_yaml() {
        let yaml =
            parse("{i: 12345678901234567890123, f: 1.5, s: '1', t: |\n  a\n  b\n, n: null, y: yes, m: -3}")
                .map(|yaml| yaml.to_json().to_string());
        let plain =
            parse("i: 12345678901234567890123\nf: 1.5\ns: '1'\nt: |\n  a\n  b\nn: null\nm: -3\n1: x\n")
                .unwrap();
        assert!(yaml.is_err());
        assert_eq!(
            plain.to_json().to_string(),
            r#"{"1":"x","f":1.5,"i":12345678901234567890123,"m":-3,"n":null,"s":"1","t":"a\nb\n"}"#
        );
    }

    #[test]
    fn a_constraint_that_would_be_a_comment_is_told() {
        for text in ["- run: X #> 3, label([X])\n", "- if: state(x, X), X #= 3\n"] {
            let error = parse(text).unwrap_err();
            assert!(error.message.starts_with("YAML takes `#"), "{error}");
            assert_eq!(error.line, 1, "{error}");
        }
        let whole = "- run: 'X #> 3'\n- run: |\n    X #> 3\n- run: p. # why\n- name: a #> b\n";
        assert!(parse(whole).is_ok());
    }

    #[test]
    fn only_true_and_false_are_booleans() {
        let yaml = parse("- n\n- yes\n- on\n- false\n").unwrap();
        assert_eq!(yaml.to_json().to_string(), r#"["n","yes","on",false]"#);
    }

    #[test]
    fn errors_have_their_place() {
        let error = parse("a: 1\nb: [1, 2\nc: 3\n").unwrap_err();
        assert!(error.line >= 2, "{error}");
        let error = parse("a: 1\na: 2\n").unwrap_err();
        assert_eq!(error.line, 2, "{error}");
    }
}
