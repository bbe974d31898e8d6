//! Text for people and models.

/// `text`, cut to at most `limit` characters; a cut is marked with `…`.
pub fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
