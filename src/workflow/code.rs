//! The code of nodes and steps, where it stands in the text of the workflow.

use serde::Serialize;

use crate::language::Language;
use crate::model::{Each, Step, Work, Workflow};

/// Code of a node or a step.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NodeCode<'a> {
    /// The name of the node, or `NODE.STEP`; within the workflow of a node, `NODE/INNER`.
    pub node: String,
    /// `prolog`, `python`, `lua` or `javascript`.
    pub language: &'static str,
    pub code: &'a str,
    /// The line of its first character in the text of the workflow, from 1.
    pub line: u64,
    /// The column of that character, from 0.
    pub column: u64,
}

impl Workflow {
    /// All code in its text, in order; that of workflows in files of their own is not in it.
    pub fn codes(&self) -> Vec<NodeCode<'_>> {
        let mut codes = Vec::new();
        self.collect("", &mut codes);
        codes
    }

    fn collect<'a>(&'a self, prefix: &str, codes: &mut Vec<NodeCode<'a>>) {
        for node in &self.nodes {
            collect(format!("{prefix}{}", node.name), &node.work, codes);
        }
    }
}

fn collect<'a>(node: String, work: &'a Work, codes: &mut Vec<NodeCode<'a>>) {
    let (language, code, at) = match work {
        Work::Code { language, code, at } => (*language, code, at),
        Work::InBook { code, at, .. } => (Language::Prolog, code, at),
        Work::Steps(steps) | Work::Loop { body: steps, .. } | Work::Each(Each { body: steps, .. }) => {
            for Step { name, work, .. } in steps {
                collect(format!("{node}.{name}"), work, codes);
            }
            return;
        }
        Work::Graph {
            workflow, file: None, ..
        } => return workflow.collect(&format!("{node}/"), codes),
        _ => return,
    };
    let (language, (line, column)) = (language.word(), *at);
    codes.push(NodeCode {
        node,
        language,
        code,
        line,
        column,
    });
}
