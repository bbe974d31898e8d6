//! Generates the files, and parts of files, that repeat what the crates define: `cargo run -p
//! hornbook-generate` writes them, `--check` reports which are stale. `cargo test` checks them, too.

mod limits;
mod shapes;
mod tools;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

/// A generated file, or a file with generated parts.
struct Generated {
    /// Relative to the root of the repository.
    path: &'static str,
    /// Makes the file's new text from its current text.
    make: fn(&str) -> String,
}

const ALL: &[Generated] = &[
    Generated {
        path: "docs/limits.md",
        make: limits::document,
    },
    Generated {
        path: "pkg-templates/src/generated/limits.ts",
        make: limits::typescript,
    },
    Generated {
        path: "pkg-templates/src/generated/dml.ts",
        make: shapes::dml,
    },
    Generated {
        path: "pkg-templates/src/generated/hornbook.ts",
        make: shapes::hornbook,
    },
    Generated {
        path: "pkg-templates/src/generated/memory.ts",
        make: shapes::memory,
    },
    Generated {
        path: "pkg-templates/src/generated/tools.ts",
        make: tools::typescript,
    },
    Generated {
        path: "pkg-templates/src/generated/workflow.ts",
        make: shapes::workflow,
    },
    Generated {
        path: "prolog/limits.pl",
        make: limits::prolog,
    },
];

fn main() -> ExitCode {
    let check = std::env::args().any(|argument| argument == "--check");
    let mut stale = false;
    for file in ALL {
        let (path, now, current) = file.read();
        if now == current {
            continue;
        }
        if check {
            stale = true;
            eprintln!(
                "{} is not current: run `cargo run -p hornbook-generate`",
                file.path
            );
        } else {
            let folder = path.parent().expect("a file is in a folder");
            fs::create_dir_all(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
            fs::write(&path, current).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            println!("{}", file.path);
        }
    }
    if stale {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

impl Generated {
    /// The file's path, its current text and the text it should have. The text of a missing file is empty.
    fn read(&self) -> (PathBuf, String, String) {
        let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let path = root.join(self.path);
        let now = fs::read_to_string(&path).unwrap_or_default();
        let current = (self.make)(&now);
        (path, now, current)
    }
}

/// Replace what is between the line that begins with `begin` and the next line that begins with `end` with
/// `inside`.
fn between(text: &str, begin: &str, end: &str, inside: &str) -> String {
    let (before, rest) = split_at_line(text, begin);
    let (line, rest) = rest.split_once('\n').unwrap_or((rest, ""));
    let (_, after) = split_at_line(rest, end);
    format!("{before}{line}\n{inside}{after}")
}

fn split_at_line<'a>(text: &'a str, begin: &str) -> (&'a str, &'a str) {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with(begin) {
            return text.split_at(at);
        }
        at += line.len();
    }
    panic!("no line begins with `{begin}`");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_files_are_current() {
        for file in ALL {
            let (_, now, current) = file.read();
            assert!(
                now == current,
                "{} is not current: run `cargo run -p hornbook-generate`",
                file.path
            );
        }
    }

    #[test]
    fn only_what_is_between_the_marks_is_replaced() {
        let text = "a\n% begin\nold\n% end\nb\n";
        assert_eq!(
            between(text, "% begin", "% end", "new\n"),
            "a\n% begin\nnew\n% end\nb\n"
        );
    }
}
