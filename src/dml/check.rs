//! Finds errors in a program without running it.

use futures::future::{Either, select};
use hornbook_agent::{ASK_USER, is_for_files};
use serde::Serialize;

use super::engine;
use super::loaded::{Checked, Use, UseKind};
use super::program::{self, Parameter, place};
use super::run::Dml;

/// A problem in a program's text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Finding {
    /// From 1.
    pub line: u32,
    /// From 0.
    pub column: u32,
    /// A plain sentence.
    pub message: String,
}

/// What can be known about a program without running it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Inspected {
    /// In the order of the text.
    pub findings: Vec<Finding>,
    pub parameters: Vec<Parameter>,
}

impl Dml {
    /// Check a program against the current tools and policy: syntax, undefined predicates, missing tools,
    /// names in texts that have no value. Findings are in the order of the text; the error is a plain
    /// sentence.
    pub async fn inspect(&self, code: &str) -> Result<Inspected, String> {
        let engine = self.engines.take().await?;
        let asked = engine.ask(engine::check(code));
        let most_ms = self.limits().step_ms;
        let checked: Checked = match select(Box::pin(asked), self.sleep(most_ms)).await {
            Either::Left((checked, _)) => checked.map_err(engine::why_no_reply)?,
            Either::Right(_) => {
                let seconds = most_ms / 1000;
                return Err(format!("The check took longer than its {seconds} seconds."));
            }
        };
        Ok(Inspected {
            findings: self.findings(code, &checked),
            parameters: program::parameters(&checked.loaded),
        })
    }

    fn findings(&self, code: &str, checked: &Checked) -> Vec<Finding> {
        let loaded = &checked.loaded;
        let mut findings: Vec<Finding> = loaded
            .errors
            .iter()
            .map(|error| {
                let (line, column, message) = program::placed(code, error);
                Finding {
                    line,
                    column,
                    message,
                }
            })
            .collect();
        let misread = loaded.errors.iter().any(|error| error.is_syntax_error());
        if loaded.mains.is_empty() && !misread {
            let (line, column, message) = (1, 0, program::NO_MAIN.into());
            findings.push(Finding {
                line,
                column,
                message,
            });
        }
        for used in &checked.uses {
            // The predicate may be defined in the part that could not be read.
            if misread && used.kind == UseKind::Undefined {
                continue;
            }
            if let Some(message) = self.complaint(used, checked) {
                let (line, column) = place(code, used.offset);
                findings.push(Finding {
                    line,
                    column,
                    message,
                });
            }
        }
        findings.sort();
        findings
    }

    fn complaint(&self, used: &Use, checked: &Checked) -> Option<String> {
        let what = &used.what;
        match used.kind {
            UseKind::Undefined => Some(format!("The predicate {what} is not defined.")),
            // Whether a run has a folder is not up to the program's text.
            UseKind::Tool if is_for_files(what) || what == ASK_USER => None,
            UseKind::Tool => self.tool_set().find(what).err(),
            UseKind::Unbound => Some(format!(
                "{{{what}}} stands in a text where nothing has bound the variable {what} yet."
            )),
            UseKind::Unknown => {
                let named = what.starts_with(|c: char| c.is_uppercase() || c == '_');
                let mains = checked.loaded.mains.iter().flatten().flatten();
                let declared = &checked.loaded.declared;
                let known = declared.iter().map(|declared| declared.name.as_str());
                let mut parameters = mains.map(String::as_str).chain(known);
                (named && !parameters.any(|key| key.to_lowercase() == what.to_lowercase())).then(|| {
                    format!(
                        "{{{what}}} is neither a variable of this clause nor a declared parameter; \
                         declare it with :- param(\"{what}\", \"…\")."
                    )
                })
            }
        }
    }
}
