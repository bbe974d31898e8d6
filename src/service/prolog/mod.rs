//! The toolset `prolog`: a workspace's tools (one per file), resources, prompts and help.

mod clauses;
mod consequences;
mod files;
mod history;
mod names;
mod prompts;
mod query_close;
mod query_next;
mod query_start;
pub mod results;
mod solutions;
mod workspace;

#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::rc::Rc;

use futures::FutureExt;
use hornbook_mcp::{Change, Subscription};
use hornbook_workspace::Workspace;

use crate::budget::{most_tokens, within};
use crate::resource::{Contents, Resource};
use crate::toolset::{Served, Tool, Toolset, Topic};
use names::indicator;
pub(crate) use names::{named, quoted};
pub(crate) use workspace::symbol_line;

const SNAPSHOT: &str = "prolog://workspace/snapshot";
const QUERY: &str = "prolog://query/";
const SYMBOLS: &str = "prolog://workspace/symbols";

/// A workspace's tools, resources, prompts and help.
pub fn toolset(workspace: Workspace) -> Rc<dyn Served> {
    let set = Toolset {
        name: "prolog",
        instructions: INSTRUCTIONS,
        checks_itself: false,
        tools: &TOOLS,
        resources: &RESOURCES,
        prompts: &prompts::PROMPTS,
        topics: &TOPICS,
        task_id: |_, _| None,
        on_subscribe: |workspace, goal, Subscription { uri, tell, is_wanted }| {
            let (begun, is_first) = (workspace.revision(), Cell::new(true));
            workspace.watch_while(uri, goal, is_wanted, move |watched| {
                // The client knows the answers of now, or asks for them.
                if !is_first.replace(false) || watched.revision != begun {
                    tell();
                }
            });
        },
        on_change: |workspace, listener| {
            workspace.on_change(move |changed| {
                if changed.clauses {
                    listener(Change::Resource(SNAPSHOT.into()));
                }
                if changed.symbols {
                    listener(Change::Resource(SYMBOLS.into()));
                }
            });
        },
    };
    set.on(workspace)
}

const INSTRUCTIONS: &str = "Hornbook reasons with SWI-Prolog over a workspace of clauses that you write. \
Add facts and rules with clauses, or import files; ask with query_start (take: several solutions at once) and \
query_next; see everything with workspace snapshot. Use it for what must follow exactly: rules, constraints \
(clpfd is loaded), puzzles, graphs, schedules, checks. help explains the rest.";

pub(crate) const TOOLS: [&Tool<Workspace>; 6] = [
    &clauses::TOOL,
    &files::TOOL,
    &workspace::TOOL,
    &query_start::TOOL,
    &query_next::TOOL,
    &query_close::TOOL,
];

pub(crate) const RESOURCES: [Resource<Workspace>; 3] = [
    Resource {
        uri: SNAPSHOT,
        name: "Workspace snapshot",
        description: "The source text of all clauses, as they were written",
        mime_type: "text/x-prolog",
        text: Contents::Whole(|workspace| {
            let workspace = workspace.clone();
            async move {
                begin(
                    workspace.snapshot().await.text,
                    "% Empty workspace",
                    workspace.reply_tokens(),
                )
            }
            .boxed_local()
        }),
    },
    Resource {
        uri: SYMBOLS,
        name: "Workspace symbols",
        description: "The predicates of the workspace, name/arity, one a line",
        mime_type: "text/plain",
        text: Contents::Whole(|workspace| {
            let workspace = workspace.clone();
            async move {
                let symbols = workspace.symbols().await;
                let predicates: Vec<String> = symbols
                    .iter()
                    .map(|symbol| indicator(&symbol.predicate))
                    .collect();
                begin(
                    predicates.join("\n"),
                    "% No predicates defined",
                    workspace.reply_tokens(),
                )
            }
            .boxed_local()
        }),
    },
    Resource {
        uri: QUERY,
        name: "Query",
        description: "The answers of a goal. Subscribe to be told when they change.",
        mime_type: "text/plain",
        text: Contents::Each("goal", |workspace, goal| {
            let workspace = workspace.clone();
            async move { solutions::answers(&workspace, goal).await }.boxed_local()
        }),
    },
];

/// As much of a text as fits in a reply of `tokens`, and which tool returns the rest.
fn begin(text: String, empty: &str, tokens: usize) -> String {
    if text.is_empty() {
        return empty.to_string();
    }
    if within(&text, tokens).len() == text.len() {
        return text;
    }
    let note = |left: usize| {
        format!("\n% {left} more characters: the tool workspace has all, snapshot and list_symbols with from")
    };
    let longest = most_tokens(&note(text.len()));
    let kept = within(&text, tokens.saturating_sub(longest));
    format!("{kept}{}", note(text[kept.len()..].chars().count()))
}

pub(crate) const TOPICS: [Topic; 6] = [
    Topic {
        name: "overview",
        text: include_str!("help/overview.md"),
    },
    Topic {
        name: "tools",
        text: include_str!("help/tools.md"),
    },
    Topic {
        name: "prompts",
        text: include_str!("help/prompts.md"),
    },
    Topic {
        name: "modes",
        text: include_str!("help/modes.md"),
    },
    Topic {
        name: "security",
        text: include_str!("help/security.md"),
    },
    Topic {
        name: "examples",
        text: include_str!("help/examples.md"),
    },
];
