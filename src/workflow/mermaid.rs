//! A workflow as a diagram of Mermaid.

use std::fmt::Write;

use crate::model::{Condition, Edge, Target, Work, Workflow};

/// A flowchart: a line a node, a line an edge. Nodes are `n0`, `n1` and so on, in the order of the text.
pub fn diagram(workflow: &Workflow) -> String {
    let mut out = String::from("flowchart TD\n  start([start])\n");
    for (index, node) in workflow.nodes.iter().enumerate() {
        let (open, close) = match node.work {
            Work::Loop { .. } => ("{{", "}}"),
            Work::Each(_) => ("[[", "]]"),
            _ => ("[", "]"),
        };
        let kind = match &node.work {
            Work::Code { language, .. } => format!("<br/><small>{}</small>", language.word()),
            Work::Action { name, .. } => format!("<br/><small>{}</small>", escaped(name)),
            _ => String::new(),
        };
        let _ = writeln!(out, "  n{index}{open}\"{}{kind}\"{close}", escaped(&node.name));
    }
    let ends = |edges: &[Edge]| edges.iter().any(|edge| edge.to == Target::End);
    if ends(&workflow.start) || workflow.nodes.iter().any(|node| ends(&node.next)) {
        out.push_str("  finish([end])\n");
    }
    for edge in &workflow.start {
        write_edge(&mut out, "start", edge);
    }
    for (index, node) in workflow.nodes.iter().enumerate() {
        for edge in &node.next {
            write_edge(&mut out, &format!("n{index}"), edge);
        }
        if let Some(fallback) = node.on_error.fallback {
            let _ = writeln!(out, "  n{index} -. on error .-> n{fallback}");
        }
    }
    out
}

fn write_edge(out: &mut String, from: &str, edge: &Edge) {
    let to = match edge.to {
        Target::End => "finish".to_owned(),
        Target::Node(index) => format!("n{index}"),
    };
    let arrow = if edge.fan_in.is_some() { "==>" } else { "-->" };
    let label = label(&edge.condition);
    let _ = match label.is_empty() {
        true => writeln!(out, "  {from} {arrow} {to}"),
        false => writeln!(out, "  {from} {arrow}|\"{}\"| {to}", escaped(&label)),
    };
}

fn label(condition: &Condition) -> String {
    match condition {
        Condition::Always(true) => String::new(),
        Condition::Always(false) => "never".into(),
        Condition::Key { key, negated } => format!("{}{key}", if *negated { "not " } else { "" }),
        Condition::Template(text) | Condition::Prolog(text) => text.trim().to_owned(),
        Condition::Is(condition, value) => format!("{} is {value}", label(condition)),
    }
}

/// Text between quotes of Mermaid, which knows the entities of HTML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("#quot;"),
            '<' => out.push_str("#lt;"),
            '>' => out.push_str("#gt;"),
            '#' => out.push_str("#35;"),
            '\n' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
