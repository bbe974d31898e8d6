//! Names as one writes them in Prolog.

use hornbook_book::Predicate;

/// `name/arity`, as one writes it in Prolog.
pub fn indicator(predicate: &Predicate) -> String {
    format!("{}/{}", quoted(&predicate.name), predicate.arity)
}

/// An atom as one writes it in Prolog.
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
