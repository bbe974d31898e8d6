//! The request that boots an engine.

use std::fmt::Write;

use super::terms::{list, quote, write_indicators};
use hornbook_base::Limits;
use hornbook_book::Predicate;

/// What calling an undefined procedure does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unknown {
    /// Raises an error that names it.
    #[default]
    Error,
    /// Fails.
    Fail,
}

/// Predicates that goals may use in addition to Prolog's; `room.pl` in the folder of this name in
/// `prolog/` loads them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capability {
    pub name: &'static str,
    /// For predicates whose facts code cannot change, by name: what changes them instead, for the refusal.
    pub changed_by: &'static [(&'static str, &'static str)],
}

impl Capability {
    /// A capability without facts that are changed from outside the engine.
    pub const fn new(name: &'static str) -> Capability {
        Capability {
            name,
            changed_by: &[],
        }
    }
}

pub struct BootOptions<'a> {
    pub unknown: Unknown,
    pub libraries: &'a [String],
    pub limits: &'a Limits,
    /// The capabilities whose predicates code may use.
    pub capabilities: &'a [Capability],
    /// Predicates that the host answers.
    pub host: &'a [Predicate],
}

pub fn boot(options: &BootOptions<'_>) -> String {
    let unknown = match options.unknown {
        Unknown::Error => "error",
        Unknown::Fail => "fail",
    };
    let mut out = format!("boot([unknown({unknown}),libraries(");
    list(&mut out, options.libraries, |out, name| quote(out, name, '\''));
    out.push_str("),limits(");
    list(&mut out, options.limits.of_the_engine(), |out, (name, value)| {
        let _ = write!(out, "{name}-{value}");
    });
    out.push_str("),capabilities(");
    list(&mut out, options.capabilities, |out, capability| {
        quote(out, capability.name, '\'');
    });
    out.push(')');
    for Capability { name, changed_by } in options.capabilities {
        if !changed_by.is_empty() {
            let _ = write!(out, ",changed_by({name},");
            list(&mut out, *changed_by, |out, (predicate, what)| {
                quote(out, predicate, '\'');
                out.push('-');
                quote(out, what, '\'');
            });
            out.push(')');
        }
    }
    if !options.host.is_empty() {
        out.push_str(",host(");
        write_indicators(&mut out, options.host);
        out.push(')');
    }
    out.push_str("])");
    out
}
