//! The workspace's prompts.

use hornbook_workspace::Workspace;

use super::names::quoted;
use crate::prompt::{Prompt, Subject, Text};

pub const PROMPTS: [Prompt<Workspace>; 4] = [
    Prompt {
        name: "expert",
        title: "Prolog expert",
        description: "Prolog programming with these tools: init explains all, quick is a reminder",
        subject: Subject {
            name: "task",
            description: "What to do",
            complete: |_, _| Vec::new(),
        },
        text: Text::Written {
            otherwise: "Ask what the task is.",
            modes: &[
                ("init", include_str!("prompts/expert_init.md")),
                ("quick", include_str!("prompts/expert_quick.md")),
            ],
        },
    },
    Prompt {
        name: "knowledge",
        title: "Knowledge base",
        description: "Build a knowledge base, or analyze the one in the workspace",
        subject: Subject {
            name: "domain",
            description: "What the knowledge base is about",
            complete: |_, _| Vec::new(),
        },
        text: Text::Written {
            otherwise: "Take the domain from the workspace; if it is empty, ask.",
            modes: &[
                ("builder", include_str!("prompts/knowledge_builder.md")),
                ("analyzer", include_str!("prompts/knowledge_analyzer.md")),
            ],
        },
    },
    Prompt {
        name: "optimize",
        title: "Query optimizer",
        description: "Make a query faster and show that its answers are the same",
        subject: Subject {
            name: "query",
            description: "The Prolog query",
            complete: |workspace, goal| complete_goal(goal, |name| workspace.complete_predicate(name)),
        },
        text: Text::Written {
            otherwise: "Ask which query is too slow.",
            modes: &[("", include_str!("prompts/optimize.md"))],
        },
    },
    Prompt {
        name: "puzzle",
        title: "Puzzle solver",
        description: "Solve a logic puzzle with constraints",
        subject: Subject {
            name: "puzzle",
            description: "The puzzle and its clues",
            complete: |_, _| Vec::new(),
        },
        text: Text::Written {
            otherwise: "Offer the reader three classic puzzles, and solve the one that is chosen.",
            modes: &[("", include_str!("prompts/puzzle.md"))],
        },
    },
];

/// Complete the name at the end of a goal to a call: `member(X, L), par` to `member(X, L), parent(_, _)`.
fn complete_goal(value: &str, predicates: impl Fn(&str) -> Vec<String>) -> Vec<String> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let start = value
        .char_indices()
        .rev()
        .take_while(|(_, c)| is_name(*c))
        .last()
        .map_or(value.len(), |(at, _)| at);
    let (before, name) = value.split_at(start);
    if !name.starts_with(char::is_lowercase) {
        return Vec::new();
    }
    let call = |indicator: String| {
        let (name, arity) = indicator.rsplit_once('/')?;
        Some(match arity.parse().ok()? {
            0 => format!("{before}{}", quoted(name)),
            arity => format!("{before}{}({})", quoted(name), vec!["_"; arity].join(", ")),
        })
    };
    predicates(name).into_iter().filter_map(call).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_at_the_end_of_a_goal_is_completed_to_a_call() {
        let complete = |goal: &str| {
            let known = ["parent/2", "parse/0", "other/1"];
            let predicates = |prefix: &str| {
                let found = known.iter().filter(|known| known.starts_with(prefix));
                found.map(|known| known.to_string()).collect()
            };
            complete_goal(goal, predicates)
        };
        assert_eq!(
            complete("member(X, L), par"),
            ["member(X, L), parent(_, _)", "member(X, L), parse"]
        );
        assert_eq!(complete("member(X, Par"), [""; 0], "a variable is not completed");
        assert_eq!(complete(""), [""; 0]);
    }
}
