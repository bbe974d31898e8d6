//! Programs as Prolog text, for messages and tests.

use std::fmt::{Display, Formatter, Result};

use super::program::{
    Comparison, Constant, Expression, Goal, HeadArgument, Literal, Operation, Rule, Term, ValueComparison,
};

/// Atoms and strings in their quotes.
struct InQuotes<'a>(&'a str, char);

impl Display for InQuotes<'_> {
    fn fmt(&self, f: &mut Formatter) -> Result {
        write!(f, "{}", self.1)?;
        for character in self.0.chars() {
            match character {
                '\n' => f.write_str("\\n")?,
                '\\' => f.write_str("\\\\")?,
                _ if character == self.1 => write!(f, "\\{character}")?,
                _ => write!(f, "{character}")?,
            }
        }
        write!(f, "{}", self.1)
    }
}

struct Atom<'a>(&'a str);

impl Display for Atom<'_> {
    fn fmt(&self, f: &mut Formatter) -> Result {
        let is_plain = self.0.starts_with(|first: char| first.is_ascii_lowercase())
            && self.0.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if is_plain {
            f.write_str(self.0)
        } else {
            InQuotes(self.0, '\'').fmt(f)
        }
    }
}

impl Display for Constant {
    fn fmt(&self, f: &mut Formatter) -> Result {
        match self {
            Constant::Atom(name) => Atom(name).fmt(f),
            Constant::Integer(text) | Constant::Other(text) => f.write_str(text),
            Constant::Float(value) => write!(f, "{value:?}"),
            Constant::String(text) => InQuotes(text, '"').fmt(f),
        }
    }
}

impl Display for Term {
    fn fmt(&self, f: &mut Formatter) -> Result {
        match self {
            Term::Variable(name) => f.write_str(name),
            Term::Constant(constant) => constant.fmt(f),
        }
    }
}

fn arguments<T: Display>(f: &mut Formatter, arguments: &[T]) -> Result {
    if arguments.is_empty() {
        return Ok(());
    }
    f.write_str("(")?;
    listed(f, arguments)?;
    f.write_str(")")
}

fn listed<T: Display>(f: &mut Formatter, items: &[T]) -> Result {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        item.fmt(f)?;
    }
    Ok(())
}

impl Display for Goal {
    fn fmt(&self, f: &mut Formatter) -> Result {
        Atom(&self.name).fmt(f)?;
        arguments(f, &self.arguments)
    }
}

impl Display for HeadArgument {
    fn fmt(&self, f: &mut Formatter) -> Result {
        match self {
            HeadArgument::Count => f.write_str("count"),
            HeadArgument::Sum(of) => write!(f, "sum({of})"),
            HeadArgument::Min(of) => write!(f, "min({of})"),
            HeadArgument::Max(of) => write!(f, "max({of})"),
            HeadArgument::Term(term) => term.fmt(f),
        }
    }
}

impl Display for Literal {
    fn fmt(&self, f: &mut Formatter) -> Result {
        match self {
            Literal::True => f.write_str("true"),
            Literal::Goal(goal) => goal.fmt(f),
            Literal::Not(goal) => write!(f, "\\+ {goal}"),
            Literal::Compare {
                operator,
                left,
                right,
            } => write!(f, "{left} {operator} {right}"),
            Literal::Values {
                operator,
                left,
                right,
            } => write!(f, "{left} {operator} {right}"),
            Literal::Is { result, expression } => write!(f, "{result} is {expression}"),
            Literal::Member { element, list } => {
                write!(f, "member({element}, [")?;
                listed(f, list)?;
                f.write_str("])")
            }
        }
    }
}

impl Rule {
    /// Its text, for the predicate `name`, with the period.
    pub fn text(&self, name: &str) -> String {
        struct Clause<'a>(&'a str, &'a Rule);
        impl Display for Clause<'_> {
            fn fmt(&self, f: &mut Formatter) -> Result {
                Atom(self.0).fmt(f)?;
                arguments(f, &self.1.head)?;
                if !self.1.body.is_empty() {
                    f.write_str(" :- ")?;
                    listed(f, &self.1.body)?;
                }
                f.write_str(".")
            }
        }
        Clause(name, self).to_string()
    }
}

impl Display for Expression {
    fn fmt(&self, f: &mut Formatter) -> Result {
        match self {
            Expression::Term(term) => term.fmt(f),
            Expression::Operation {
                operation,
                arguments: of,
            } => match (operation, of.as_slice()) {
                (Operation::Min | Operation::Max | Operation::Abs, _) => {
                    operation.fmt(f)?;
                    arguments(f, of)
                }
                (_, [left, right]) => write!(f, "({left} {operation} {right})"),
                _ => {
                    write!(f, "{operation}")?;
                    arguments(f, of)
                }
            },
        }
    }
}

impl Display for Operation {
    fn fmt(&self, f: &mut Formatter) -> Result {
        f.write_str(match self {
            Operation::Add => "+",
            Operation::Subtract => "-",
            Operation::Multiply => "*",
            Operation::Divide => "/",
            Operation::IntegerDivide => "//",
            Operation::Modulo => "mod",
            Operation::Min => "min",
            Operation::Max => "max",
            Operation::Abs => "abs",
        })
    }
}

impl Display for Comparison {
    fn fmt(&self, f: &mut Formatter) -> Result {
        f.write_str(match self {
            Comparison::Equal => "=:=",
            Comparison::NotEqual => "=\\=",
            Comparison::Less => "<",
            Comparison::AtMost => "=<",
            Comparison::Greater => ">",
            Comparison::AtLeast => ">=",
        })
    }
}

impl Display for ValueComparison {
    fn fmt(&self, f: &mut Formatter) -> Result {
        f.write_str(match self {
            ValueComparison::Unify => "=",
            ValueComparison::NotUnifiable => "\\=",
            ValueComparison::Identical => "==",
            ValueComparison::NotIdentical => "\\==",
            ValueComparison::Before => "@<",
            ValueComparison::NotAfter => "@=<",
            ValueComparison::After => "@>",
            ValueComparison::NotBefore => "@>=",
        })
    }
}
