//! Names in Prolog syntax.

use hornbook_book::Predicate;

/// `name/arity` in Prolog syntax.
pub fn indicator(predicate: &Predicate) -> String {
    format!("{}/{}", named(predicate), predicate.arity)
}

/// A predicate's name in Prolog syntax; one that is private to a module is qualified with the module's name.
pub fn named(predicate: &Predicate) -> String {
    match predicate.parts() {
        Some((module, name)) => format!("{}:{}", quoted(module), quoted(name)),
        None => quoted(&predicate.name),
    }
}

/// An atom in Prolog syntax.
pub fn quoted(name: &str) -> String {
    const SYMBOLS: &str = "#$&*+-./:<=>?@^~\\";
    let plain = name.starts_with(char::is_lowercase) && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let symbolic = !name.is_empty() && name.chars().all(|c| SYMBOLS.contains(c));
    if plain || (symbolic && name != ".") || matches!(name, "[]" | "{}" | "!" | ";" | ",") {
        return name.to_string();
    }
    let escaped = name
        .replace('\\', "\\\\")
        .replace('\'', "\\'")
        .replace('\n', "\\n");
    format!("'{escaped}'")
}
