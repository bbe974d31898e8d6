//! Limits: the tables in the docs, the TypeScript type and list, the defaults of an engine that is not
//! booted.

use std::fmt::Write;

use hornbook_base::limits::{Limit, Limits, Unit};

use crate::between;

/// `docs/limits.md`.
pub fn document(now: &str) -> String {
    let with = between(now, "<!-- settable", "<!-- end", &table(true));
    between(&with, "<!-- fixed", "<!-- end of fixed", &table(false))
}

fn table(settable: bool) -> String {
    let mut out = String::from("\n| name | default | what |\n|---|---|---|\n");
    for limit in Limits::ALL.iter().filter(|limit| limit.settable == settable) {
        let _ = writeln!(out, "| `{}` | {} | {} |", limit.name, default(limit), limit.doc);
    }
    out.push('\n');
    out
}

/// The default with its unit.
fn default(limit: &Limit) -> String {
    let value = limit.default;
    match limit.unit {
        Unit::Count => grouped(value),
        Unit::Bytes if value.is_multiple_of(1 << 20) => format!("{} MiB", value >> 20),
        Unit::Bytes => format!("{} bytes", grouped(value)),
        Unit::Chars if value.is_multiple_of(1 << 20) => format!("{} Mi characters", value >> 20),
        Unit::Chars => format!("{} characters", grouped(value)),
        Unit::Ms => format!("{} ms", grouped(value)),
        Unit::Levels => format!("{} levels", grouped(value)),
    }
}

/// 10000 as 10,000.
fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `pkg-templates/src/generated/limits.ts`.
pub fn typescript(_: &str) -> String {
    let settable = || Limits::ALL.iter().filter(|limit| limit.settable);
    let mut out = String::from(
        "// Generated from src/base/limits.rs by `cargo run -p hornbook-generate`.\n\n\
         /** The limits that can be set. What would pass one is refused or stopped with an error that names it. */\n\
         export interface Limits {\n",
    );
    for limit in settable() {
        let _ = writeln!(out, "  /** {} Default: {}. */", limit.doc, default(limit));
        let _ = writeln!(out, "  {}?: number;", limit.name);
    }
    out.push_str("}\n\n/** Their names. */\nexport const LIMITS = [\n");
    for limit in settable() {
        let _ = writeln!(out, "  '{}',", limit.name);
    }
    out.push_str("] as const satisfies (keyof Limits)[];\n");
    out
}

/// `prolog/limits.pl`.
pub fn prolog(now: &str) -> String {
    let mut facts = String::from("\n");
    for limit in Limits::ALL.iter().filter(|limit| limit.engine) {
        let _ = writeln!(facts, "limit_of({}, {}).", limit.name, limit.default);
    }
    facts.push('\n');
    between(now, "%   Generated", "%   End", &facts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_told_with_their_unit() {
        let named = |name: &str| default(Limits::ALL.iter().find(|limit| limit.name == name).unwrap());
        assert_eq!(named("entries"), "1,000,000");
        assert_eq!(named("bytes"), "256 MiB");
        assert_eq!(named("diff_bytes"), "100,000 bytes");
        assert_eq!(named("grace_ms"), "500 ms");
    }
}
