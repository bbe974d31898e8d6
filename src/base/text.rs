//! Texts that people and models read.

/// `text`, no longer than `limit` characters; what is cut ends in `…`.
pub fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
