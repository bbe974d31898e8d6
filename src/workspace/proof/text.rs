//! A proof, or why there is none, as indented lines.

use std::collections::BTreeMap;

use super::super::types::{ProofClause, ProofNode};

type Clauses = BTreeMap<String, ProofClause>;

/// Lines at a greater depth say how deep they are instead of being indented further: the text would grow with the square
/// of a long chain.
const DEEPEST: usize = 40;

/// One line for each step, with the origin of its clause. The first goal at which a clause stops is on the
/// line of the clause, and a clause that comes near is on the line of those that do not match.
pub(super) fn lines(nodes: &[ProofNode], clauses: &Clauses, cut: bool) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    // The indentation of the last node at each depth.
    let mut indents: Vec<usize> = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        indents.truncate(node.depth);
        let before = at.checked_sub(1).map(|at| &nodes[at]);
        let joined = before.is_some_and(|before| joins(before, node));
        let indent = match indents.last() {
            Some(indent) if joined => *indent,
            Some(indent) => indent + 2,
            None => 0,
        };
        indents.resize(node.depth + 1, indent);
        let text = line(node, &nodes[at + 1..], clauses);
        match lines.last_mut() {
            Some(line) if joined => {
                let colon = if node.how == "nearest" { ", " } else { ": " };
                let colon = if line.ends_with(NEAREST) { " " } else { colon };
                line.push_str(colon);
                line.push_str(&text);
            }
            _ if indent > 2 * DEEPEST => {
                lines.push(format!("{}({}) {text}", " ".repeat(2 * DEEPEST), indent / 2));
            }
            _ => lines.push(format!("{}{text}", " ".repeat(indent))),
        }
    }
    if cut {
        lines.push(format!("… (the first {} steps)", nodes.len()));
    }
    lines
}

/// Precedes the clauses that come near.
const NEAREST: &str = "nearest:";

/// Whether a node is on the same line as the node before it.
fn joins(before: &ProofNode, node: &ProofNode) -> bool {
    let below = node.depth == before.depth + 1;
    match &*before.how {
        "tried" | "unmatched" => below,
        "fails(undefined)" | "reason" => below,
        "nearest" => node.how == "nearest" && node.depth == before.depth,
        _ => false,
    }
}

fn line(node: &ProofNode, after: &[ProofNode], clauses: &Clauses) -> String {
    let ProofNode { goal, how, count, .. } = node;
    match &**how {
        "tried" => match node.clause {
            Some(_) => format!("clause {count}{}", place(node, clauses, " (", ")")),
            None => format!("… and {} more, tried in vain", clauses_of(*count)),
        },
        "untried" => format!("{}: not tried, because of a cut", clauses_of(*count)),
        "unmatched" => unmatched(node, after),
        "undefined" | "reason" => goal.clone(),
        "also" => format!("{goal} fails, too"),
        "nearest" => format!("{goal}{}", place(node, clauses, " (", ")")),
        "clause" => format!("{goal}{}", place(node, clauses, "  % ", "")),
        _ => match fails(how) {
            None if how == "neither" => format!("{goal}  % undefined: neither true nor false"),
            None => format!("{goal}  % {how}"),
            Some(why) => {
                let ways = match count {
                    0 | 1 => String::new(),
                    _ => format!(", the first of {count} ways to get here"),
                };
                format!("{goal} fails{why}{ways}")
            }
        },
    }
}

/// The reason after `fails`, if `how` is that of a goal that fails.
fn fails(how: &str) -> Option<&str> {
    let why = how.strip_prefix("fails")?;
    Some(match why {
        "(deep)" => " (too deep to look into)",
        "(negation)" => ", because this holds:",
        _ => "",
    })
}

fn unmatched(node: &ProofNode, after: &[ProofNode]) -> String {
    let mut others = after.iter().take_while(|other| other.depth >= node.depth);
    let tried = others.any(|other| other.depth == node.depth && other.how == "tried");
    let near = after.first().is_some_and(|next| next.how == "nearest");
    match (node.count, tried) {
        (0, _) => format!("{} has no clauses", node.goal),
        (1, true) => "1 clause does not match".to_owned(),
        (count, true) => format!("{count} clauses do not match"),
        (count, false) => {
            let nearest = if near { "; nearest:" } else { "" };
            format!("no match in {}{nearest}", clauses_of(count))
        }
    }
}

/// `1 clause`, `2 clauses`.
fn clauses_of(count: usize) -> String {
    match count {
        1 => "1 clause".to_owned(),
        _ => format!("{count} clauses"),
    }
}

/// `before`, the file and line, and `after`, if the clause is from a file; otherwise where it is in a node's
/// code.
fn place(node: &ProofNode, clauses: &Clauses, before: &str, after: &str) -> String {
    let clause = node.clause.and_then(|id| clauses.get(&id.to_string()));
    match clause.map(|clause| (&clause.filename, clause.line)) {
        Some((Some(filename), Some(line))) => format!("{before}{filename}:{line}{after}"),
        Some((None, Some(line))) => format!("{before}line {line}{after}"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(depth: usize, goal: &str, how: &str, clause: Option<i64>, count: usize) -> ProofNode {
        let (goal, how) = (goal.to_owned(), how.to_owned());
        ProofNode {
            depth,
            goal,
            how,
            clause,
            count,
        }
    }

    fn clauses() -> Clauses {
        let clause = |line| ProofClause {
            text: String::new(),
            origin: "file",
            filename: Some("family.pl".into()),
            line: Some(line),
        };
        [1, 2, 3]
            .map(|id: usize| (id.to_string(), clause(id)))
            .into_iter()
            .collect()
    }

    #[test]
    fn a_proof_is_a_tree_with_the_places_of_its_clauses() {
        let nodes = [
            node(0, "gp(tom,ann)", "clause", Some(3), 1),
            node(1, "p(tom,bob)", "clause", Some(1), 1),
            node(1, "bob\\==ann", "builtin", None, 1),
            node(1, "new(ann)", "clause", Some(7), 1),
        ];
        assert_eq!(
            lines(&nodes, &clauses(), true),
            [
                "gp(tom,ann)  % family.pl:3",
                "  p(tom,bob)  % family.pl:1",
                "  bob\\==ann  % builtin",
                "  new(ann)",
                "… (the first 4 steps)",
            ]
        );
    }

    #[test]
    fn a_long_chain_is_not_indented_without_end() {
        let nodes: Vec<ProofNode> = { 0..1000 }
            .map(|depth| node(depth, &format!("n({depth})"), "clause", None, 1))
            .collect();
        let lines = lines(&nodes, &clauses(), false);
        assert_eq!(lines.len(), 1000);
        assert_eq!(lines[DEEPEST], format!("{}n(40)", " ".repeat(2 * DEEPEST)));
        assert_eq!(
            lines[DEEPEST + 1],
            format!("{}(41) n(41)", " ".repeat(2 * DEEPEST))
        );
    }

    #[test]
    fn what_fails_tells_where_each_clause_stops_and_what_comes_near() {
        let nodes = [
            node(0, "gp(tom,sue)", "fails", None, 1),
            node(1, "gp/2", "unmatched", None, 1),
            node(1, "gp/2", "tried", Some(3), 1),
            node(2, "p(bob,sue)", "fails", None, 2),
            node(3, "p/2", "unmatched", None, 3),
            node(4, "p(bob,ann)", "nearest", Some(1), 1),
            node(4, "p(bob,pat)", "nearest", Some(2), 1),
            node(2, "p(liz,sue)", "fails", None, 1),
            node(3, "p/2", "unmatched", None, 3),
            node(1, "gp/2", "tried", Some(9), 2),
            node(2, "\\+a", "fails(negation)", None, 1),
            node(3, "a", "clause", None, 1),
            node(1, "gp/2", "untried", None, 2),
            node(1, "", "tried", None, 4),
            node(0, "nope(1)", "fails(undefined)", None, 1),
            node(1, "nope/1 is not defined", "undefined", None, 1),
            node(0, "none(1)", "fails", None, 1),
            node(1, "none/1", "unmatched", None, 0),
            node(0, "ok(d)", "fails", None, 1),
            node(1, "ok/1", "tried", Some(9), 1),
            node(2, "forall(e(P),s(P))", "fails(builtin)", None, 1),
            node(3, "for e(bob)", "reason", None, 1),
            node(4, "s(bob)", "fails", None, 1),
            node(5, "s/1", "unmatched", None, 2),
            node(2, "late(d)", "also", None, 1),
        ];
        assert_eq!(
            lines(&nodes, &clauses(), false),
            [
                "gp(tom,sue) fails",
                "  1 clause does not match",
                "  clause 1 (family.pl:3): p(bob,sue) fails, the first of 2 ways to get here",
                "    no match in 3 clauses; nearest: p(bob,ann) (family.pl:1), p(bob,pat) (family.pl:2)",
                "    p(liz,sue) fails",
                "      no match in 3 clauses",
                "  clause 2: \\+a fails, because this holds:",
                "    a",
                "  2 clauses: not tried, because of a cut",
                "  … and 4 clauses more, tried in vain",
                "nope(1) fails: nope/1 is not defined",
                "none(1) fails",
                "  none/1 has no clauses",
                "ok(d) fails",
                "  clause 1: forall(e(P),s(P)) fails",
                "    for e(bob): s(bob) fails",
                "      no match in 2 clauses",
                "    late(d) fails, too",
            ]
        );
    }
}
