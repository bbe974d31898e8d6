//! Paths as text.

/// Whether a path is absolute in the syntax of Unix or Windows.
pub fn is_absolute(path: &str) -> bool {
    let drive = path.as_bytes().first().is_some_and(u8::is_ascii_alphabetic) && path[1..].starts_with(":");
    drive || path.starts_with(['/', '\\'])
}

/// Whether a real path is a root or inside one.
pub fn is_inside(path: &str, roots: &[String]) -> bool {
    roots.iter().any(|root| {
        let root = root.trim_end_matches(['/', '\\']);
        path.strip_prefix(root)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '\\']))
    })
}

/// The path without `.`, `..` and empty parts.
pub fn without_dots(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let begin = if path.starts_with('/') { "/" } else { "" };
    format!("{begin}{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inside_means_a_whole_path_component() {
        let roots = ["/data/".to_owned(), "C:\\work".to_owned()];
        assert!(is_inside("/data/a.pl", &roots));
        assert!(is_inside("/data", &roots));
        assert!(is_inside("C:\\work\\a.pl", &roots));
        assert!(!is_inside("/database/a.pl", &roots));
        assert!(is_inside("/anything", &["/".to_owned()]));
        assert!(!is_inside("/anything", &[]));
    }

    #[test]
    fn dots_are_taken_out_of_a_path() {
        assert_eq!(without_dots("/a/./b/../../c//d"), "/c/d");
        assert_eq!(without_dots("/../etc"), "/etc");
    }

    #[test]
    fn absolute_paths_are_known_by_their_begin() {
        assert!(is_absolute("/a") && is_absolute("C:\\a") && is_absolute("\\\\host\\a"));
        assert!(!is_absolute("a/b") && !is_absolute("é:x") && !is_absolute(""));
    }
}
