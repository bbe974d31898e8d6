//! Comparisons, and elements of lists, as conditions.

use super::super::{Argument, Condition};
use super::{Making, Part, value};
use crate::sql::quoted;

impl Making<'_> {
    /// A comparison of numbers, which Prolog runs again. What SQL cannot decide of any row stays Prolog's, with all that
    /// follows: it may be an error.
    pub(super) fn numbers(&mut self, operator: &str, left: &Argument, right: &Argument) -> Option<Part> {
        match (self.place(left), self.place(right)) {
            (None, None) => {
                self.has_more = true;
                (is_number(left) && is_number(right)).then_some(Part::Check)
            }
            (Some(place), None) => self.number(place, operator, right),
            (None, Some(place)) => self.number(place, turned(operator), left),
            (Some(one), Some(two)) => {
                let [first, second] = [one, two].map(|(table, at)| {
                    let (relation, column) = self.column_of(table, at);
                    relation.numeric(column, &value(table, at))
                });
                let (condition, undecided) = first?.beside(operator, &second?);
                self.require(condition);
                self.decide(undecided);
                Some(Part::Check)
            }
        }
    }

    /// A comparison of a column with a number that is known.
    fn number(&mut self, (table, at): (usize, usize), operator: &str, known: &Argument) -> Option<Part> {
        let (relation, column) = self.column_of(table, at);
        let outside = relation.numeric(column, &value(table, at))?;
        if self.tables[table].undecided == self.undecided.len() {
            let inside = relation.numeric(column, &quoted(&column.name))?;
            let condition = inside.with(operator, known, &mut self.statement)?;
            self.tables[table].conditions.push(condition);
        } else {
            let condition = outside.with(operator, known, &mut self.statement)?;
            self.require(condition);
        }
        self.decide(outside.undecided);
        Some(Part::Check)
    }

    /// A comparison of terms, which is no error. Prolog runs it again.
    pub(super) fn values(&mut self, operator: &str, left: &Argument, right: &Argument) -> Option<Part> {
        match (self.place(left), self.place(right)) {
            (Some(one), Some(two)) => {
                let (relation, _) = self.column_of(one.0, one.1);
                let second = self.column(two.0, two.1);
                match relation.equal(self.column(one.0, one.1), second, self.exactness()) {
                    Some(equal) if matches!(operator, "=" | "==") => self.require(equal),
                    _ => self.has_more = true,
                }
                Some(Part::Check)
            }
            (Some(place), None) | (None, Some(place)) => {
                let known = if self.place(left).is_some() { right } else { left };
                match known {
                    // It would bind the variable, or one in the term.
                    Argument::Variable(_) | Argument::Term if operator == "=" => return None,
                    Argument::Variable(_) | Argument::Term => self.has_more = true,
                    known => self.value(place, operator, known),
                }
                Some(Part::Check)
            }
            (None, None) => {
                self.has_more = true;
                (operator != "=").then_some(Part::Check)
            }
        }
    }

    fn value(&mut self, (table, at): (usize, usize), operator: &str, known: &Argument) {
        let (relation, column) = self.column_of(table, at);
        let equal = matches!(operator, "=" | "==");
        let is_exact = relation.is_exact(column, known);
        self.has_more |= !is_exact;
        if self.tables[table].undecided != self.undecided.len() {
            self.has_more = true;
            return;
        }
        if !equal && !is_exact {
            return;
        }
        match relation.condition(column, known, &mut self.statement) {
            Condition::All => {}
            Condition::None if equal => self.tables[table].conditions.push("1 = 0".to_owned()),
            Condition::None => {}
            Condition::If(text) if equal => self.tables[table].conditions.push(text),
            Condition::If(text) => {
                let condition = format!("({text}) IS NOT TRUE");
                self.tables[table].conditions.push(condition);
            }
        }
    }

    pub(super) fn member(&mut self, element: &Argument, list: &[Argument]) -> Option<Part> {
        let (table, at) = self.place(element)?;
        if list
            .iter()
            .any(|one| matches!(one, Argument::Variable(_) | Argument::Term))
        {
            return None;
        }
        // What is there twice is a solution twice, and the second has its rows of the goals behind after the first.
        if (1..list.len()).any(|at| list[..at].contains(&list[at])) {
            return None;
        }
        if self.tables[table].undecided != self.undecided.len() {
            self.has_more = true;
            return Some(Part::Check);
        }
        let (relation, column) = self.column_of(table, at);
        self.has_more |= list.iter().any(|one| !relation.is_exact(column, one));
        let parameters = self.statement.parameters.len();
        let mut any = Vec::new();
        for known in list {
            match relation.condition(column, known, &mut self.statement) {
                Condition::All => {
                    self.statement.parameters.truncate(parameters);
                    return Some(Part::Check);
                }
                Condition::None => {}
                Condition::If(text) => any.push(text),
            }
        }
        self.tables[table].conditions.push(match any.is_empty() {
            true => "1 = 0".to_owned(),
            false => format!("({})", any.join(" OR ")),
        });
        Some(Part::Check)
    }
}

fn is_number(argument: &Argument) -> bool {
    matches!(argument, Argument::Integer(_) | Argument::Float(_))
}

/// The operator with its sides exchanged.
fn turned(operator: &str) -> &str {
    match operator {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        other => other,
    }
}
