//! Workflows as Mermaid diagrams.

use std::fmt::Write;

use crate::drawing::{Drawing, Edge, FINISH, Kind, Node, Shape};

/// A flowchart with one line per node and one per edge. Nodes are `n0`, `n1` and so on, in the order of the
/// text.
pub fn diagram(drawing: &Drawing) -> String {
    let mut out = String::from("flowchart TD\n  start([start])\n");
    for node in &drawing.nodes {
        let (open, close) = match node.shape {
            Shape::Loop => ("{{", "}}"),
            Shape::Each => ("[[", "]]"),
            Shape::Graph => ("[/", "/]"),
            Shape::Plain => ("[", "]"),
        };
        let does = match &node.does {
            Some(does) => format!("<br/><small>{}</small>", escaped(does)),
            None => String::new(),
        };
        let Node { id, name, .. } = node;
        let _ = writeln!(out, "  {id}{open}\"{}{does}\"{close}", escaped(name));
    }
    if drawing.edges.iter().any(|edge| edge.to == FINISH) {
        out.push_str("  finish([end])\n");
    }
    for Edge {
        from,
        to,
        label,
        kind,
    } in &drawing.edges
    {
        let arrow = match kind {
            Kind::Next => "-->",
            Kind::Branch => "==>",
            Kind::Error => {
                let _ = writeln!(out, "  {from} -. {label} .-> {to}");
                continue;
            }
        };
        let _ = match label.is_empty() {
            true => writeln!(out, "  {from} {arrow} {to}"),
            false => writeln!(out, "  {from} {arrow}|\"{}\"| {to}", escaped(label)),
        };
    }
    out
}

/// Text for between quotes in Mermaid, which understands HTML entities.
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
