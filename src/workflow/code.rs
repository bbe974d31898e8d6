//! The code of nodes and steps, and the goals of conditions and reducers, where they stand in the text of the workflow.

use serde::Serialize;

use crate::language::Language;
use crate::model::{Condition, Each, Goal, Reduce, Step, Work, Workflow};

/// What code is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "CodePart"))]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// What the node or the step does.
    Run,
    /// The goal of an edge, a rule of `goto`, or a loop.
    Condition,
    /// The goal that combines the values of a key.
    Reducer,
}

/// Code of a node or a step, or a goal.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NodeCode<'a> {
    /// The name of the node, or `NODE.STEP`; within the workflow of a node, `NODE/INNER`. Of a reducer, the key.
    pub node: String,
    pub part: Part,
    /// `prolog`, `python`, `lua` or `javascript`.
    pub language: &'static str,
    pub code: &'a str,
    /// The line of its first character in the text of the workflow, from 1.
    pub line: u64,
    /// The column of that character, from 0.
    pub column: u64,
}

impl Workflow {
    /// All code in its text, node by node; that of workflows in files of their own is not in it.
    pub fn codes(&self) -> Vec<NodeCode<'_>> {
        let mut codes = Codes(Vec::new());
        codes.of_workflow("", self);
        codes.0
    }
}

struct Codes<'a>(Vec<NodeCode<'a>>);

impl<'a> Codes<'a> {
    fn of_workflow(&mut self, prefix: &str, workflow: &'a Workflow) {
        for key in &workflow.schema {
            if let Some(Reduce::Goal(goal)) = &key.reduce {
                self.goal(format!("{prefix}{}", key.name), Part::Reducer, goal);
            }
        }
        for node in &workflow.nodes {
            let name = format!("{prefix}{}", node.name);
            self.of_work(name.clone(), &node.work);
            for edge in &node.next {
                self.condition(&name, &edge.condition);
            }
        }
    }

    fn of_work(&mut self, node: String, work: &'a Work) {
        let (language, code, at) = match work {
            Work::Code {
                language, code, at, ..
            } => (*language, code, at),
            Work::InBook { code, at, .. } => (Language::Prolog, code, at),
            Work::Steps(steps) | Work::Loop { body: steps, .. } | Work::Each(Each { body: steps, .. }) => {
                if let Work::Loop { condition, .. } = work {
                    self.condition(&node, condition);
                }
                for Step { name, work, .. } in steps {
                    self.of_work(format!("{node}.{name}"), work);
                }
                return;
            }
            Work::Graph {
                workflow, file: None, ..
            } => return self.of_workflow(&format!("{node}/"), workflow),
            _ => return,
        };
        let (language, (line, column)) = (language.word(), *at);
        self.0.push(NodeCode {
            node,
            part: Part::Run,
            language,
            code,
            line,
            column,
        });
    }

    fn condition(&mut self, node: &str, condition: &'a Condition) {
        match condition {
            Condition::Prolog(goal) => self.goal(node.to_owned(), Part::Condition, goal),
            Condition::Is(condition, _) => self.condition(node, condition),
            Condition::Always(_) | Condition::Key { .. } | Condition::Template(_) => {}
        }
    }

    fn goal(&mut self, node: String, part: Part, goal: &'a Goal) {
        let (line, column) = goal.at;
        self.0.push(NodeCode {
            node,
            part,
            language: Language::Prolog.word(),
            code: &goal.code,
            line,
            column,
        });
    }
}
