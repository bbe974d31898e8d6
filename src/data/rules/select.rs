//! A rule as a query.

use super::engine::Engine;
use crate::sql::{Statement, quoted};

use super::arithmetic::Arithmetic;
use super::checked::{Argument, Clause, Head, Program, Source, What};
use super::kinds::{Columns, Kinds, variables};
use super::program::Kind;
use super::stored::{self, Equal, Expression, Form, Operand, convert, equal, of_relation};

/// What rules are rendered with.
pub(super) struct Context {
    pub dialect: Engine,
    pub program: Program,
    pub columns: Columns,
    /// Begins the names of tables.
    pub prefix: String,
}

/// A body in a statement: what it reads, under which conditions, and what its variables are there.
pub(super) struct Body {
    pub from: Vec<String>,
    pub conditions: Vec<String>,
    pub variables: Vec<Option<Expression>>,
}

/// What a goal reads.
pub(super) enum Read {
    /// Its table.
    All,
    /// The tuples of some rounds: a comparison of the column `round`, such as `= 3`.
    Rounds(String),
    /// Another table with its columns, quoted.
    From(String),
}

/// What the goal at a place of the body reads, by the place and the predicate.
pub(super) type Reads<'a> = &'a dyn Fn(usize, usize) -> Read;

impl Context {
    /// The table of `predicate`, quoted.
    pub fn table(&self, predicate: usize) -> String {
        match &self.program.predicates[predicate].source {
            Source::Relation(relation) => quoted(&relation.table),
            Source::Rules(_) => quoted(&format!("{}_{predicate}", self.prefix)),
        }
    }

    /// How the column `index` of `predicate` is stored, if it is derived.
    pub fn form(&self, predicate: usize, index: usize) -> Form {
        Form::of(self.columns[predicate][index])
    }

    /// The column `index` of `predicate`, whose table is called `alias`.
    pub fn column(&self, predicate: usize, index: usize, alias: &str) -> Expression {
        match &self.program.predicates[predicate].source {
            Source::Relation(relation) => {
                let column = &relation.columns[index];
                of_relation(format!("{alias}.{}", quoted(&column.name)), column)
            }
            Source::Rules(_) => Expression {
                sql: format!("{alias}.c{}", index + 1),
                form: self.form(predicate, index),
            },
        }
    }

    /// The tuples that follow by `clause`, as a query whose columns are `c1` and so on, of the forms of `head`; none if
    /// there cannot be any.
    pub fn rows(
        &self,
        clause: &Clause,
        head: &[Form],
        read: Reads,
        statement: &mut Statement,
    ) -> Option<String> {
        if !clause.has_aggregate() {
            let rows = self.repeated_rows(clause, head, read, statement)?;
            let distinct = if self.is_distinct(clause) { "" } else { "distinct " };
            return Some(format!("select {distinct}{rows}"));
        }
        let kinds = variables(clause, &self.columns)?;
        let mut attempt = statement.clone();
        let body = self.body(clause, &kinds, read, &mut attempt)?;
        let query = self.groups(clause, &kinds, head, &body, &mut attempt);
        *statement = attempt;
        Some(query)
    }

    /// Whether each tuple follows but once: all arguments of the goals, of derived tables, which have no tuple twice, are in it.
    fn is_distinct(&self, clause: &Clause) -> bool {
        let is_in_head = |argument: &Argument| {
            matches!(argument, Argument::Constant(_)) || { clause.head.iter() }
                .any(|head| matches!(head, Head::Plain(plain) if plain == argument))
        };
        self.has_distinct_solutions(clause)
            && clause
                .goals()
                .all(|(_, _, arguments)| arguments.iter().all(is_in_head))
    }

    /// Whether no two solutions have the same values for all variables.
    pub(super) fn has_distinct_solutions(&self, clause: &Clause) -> bool {
        clause.body.iter().all(|literal| match &literal.what {
            What::Goal(predicate, _) => self.program.predicates[*predicate].is_derived(),
            What::Member(..) => false,
            _ => true,
        })
    }

    /// What stands after the `select` of a query for the tuples that follow by `clause`, some of them more than once.
    pub fn repeated_rows(
        &self,
        clause: &Clause,
        head: &[Form],
        read: Reads,
        statement: &mut Statement,
    ) -> Option<String> {
        let kinds = variables(clause, &self.columns)?;
        let mut attempt = statement.clone();
        let mut body = self.body(clause, &kinds, read, &mut attempt)?;
        let mut columns = Vec::new();
        for (index, (argument, &form)) in clause.head.iter().zip(head).enumerate() {
            let Head::Plain(argument) = argument else {
                continue;
            };
            let operand = Operand::of(argument, &body.variables)?;
            let (sql, condition) = convert(&operand, form, &mut attempt);
            body.conditions.extend(condition);
            columns.push(format!("{sql} as c{}", index + 1));
        }
        if columns.is_empty() {
            columns.push("1 as c0".to_string());
        }
        *statement = attempt;
        Some(format!("{}{}", columns.join(", "), body.text()))
    }

    /// The body of `clause`; none if it cannot hold.
    pub fn body(
        &self,
        clause: &Clause,
        kinds: &[Kinds],
        read: Reads,
        statement: &mut Statement,
    ) -> Option<Body> {
        let mut body = Body {
            from: Vec::new(),
            conditions: Vec::new(),
            variables: vec![None; clause.variables.len()],
        };
        // What each goal and list has for its arguments.
        let mut had: Vec<Vec<Expression>> = Vec::new();
        for (place, literal) in clause.body.iter().enumerate() {
            let columns = self.source(place, &literal.what, read, &mut body, statement)?;
            for (argument, column) in literal
                .what
                .arguments()
                .iter()
                .chain(member(&literal.what))
                .zip(&columns)
            {
                if let Argument::Variable(variable) = argument {
                    let known = &mut body.variables[*variable];
                    if known
                        .as_ref()
                        .is_none_or(|known| rank(column.form) < rank(known.form))
                    {
                        *known = Some(column.clone());
                    }
                }
            }
            had.push(columns);
        }
        let mut divides = vec![false; clause.variables.len()];
        for (place, literal) in clause.body.iter().enumerate() {
            let holds = match &literal.what {
                What::Goal(_, arguments) => body.equal_all(arguments.iter().zip(&had[place]), statement),
                What::Member(element, _) => {
                    body.equal_all(std::iter::once(element).zip(&had[place]), statement)
                }
                What::Not(predicate, arguments) => {
                    self.not(place, *predicate, arguments, &mut body, statement)
                }
                What::Is(result, formula) => {
                    self.is(result, formula, kinds, &mut divides, &mut body, statement)
                }
                What::Compare(operator, left, right) => {
                    let condition = self
                        .arithmetic(kinds, &body.variables, &divides, statement, &mut body.conditions)
                        .comparison(*operator, left, right);
                    body.conditions.push(condition);
                    true
                }
                What::Different(left, right) => {
                    let (left, right) = body.both(left, right)?;
                    match equal(&left, &right, statement) {
                        Equal::Never => true,
                        Equal::Always => false,
                        Equal::When(condition) => {
                            body.conditions.push(format!("({condition}) is not true"));
                            true
                        }
                    }
                }
                What::Order(operator, left, right) => {
                    self.order(*operator, left, right, kinds, &mut body, statement)
                }
                What::Fail => false,
            };
            if !holds {
                return None;
            }
        }
        Some(body)
    }

    /// Read what a goal or a list has; nothing for other literals.
    fn source(
        &self,
        place: usize,
        what: &What,
        read: Reads,
        body: &mut Body,
        statement: &mut Statement,
    ) -> Option<Vec<Expression>> {
        let alias = format!("t{}", place + 1);
        match what {
            What::Goal(predicate, arguments) => {
                let table = match read(place, *predicate) {
                    Read::All => self.table(*predicate),
                    Read::Rounds(rounds) => {
                        body.conditions.push(format!("{alias}.round {rounds}"));
                        self.table(*predicate)
                    }
                    Read::From(table) => table,
                };
                body.from.push(format!("{table} as {alias}"));
                Some(
                    (0..arguments.len())
                        .map(|index| self.column(*predicate, index, &alias))
                        .collect(),
                )
            }
            What::Member(_, list) => {
                let kinds = list
                    .iter()
                    .fold(Kinds::default(), |kinds, value| kinds.or(Kinds::of(value.kind())));
                let form = Form::of(kinds);
                let row = |value| format!("({})", convert(&Operand::Constant(value), form, statement).0);
                let rows: Vec<String> = list.iter().cloned().map(row).collect();
                if rows.is_empty() {
                    return None;
                }
                body.from
                    .push(format!("(values {}) as {alias}(c1)", rows.join(", ")));
                let sql = format!("{alias}.c1");
                Some(vec![Expression { sql, form }])
            }
            _ => Some(Vec::new()),
        }
    }

    pub(super) fn arithmetic<'a>(
        &self,
        kinds: &'a [Kinds],
        variables: &'a [Option<Expression>],
        divides: &'a [bool],
        statement: &'a mut Statement,
        conditions: &'a mut Vec<String>,
    ) -> Arithmetic<'a> {
        Arithmetic {
            dialect: self.dialect,
            kinds,
            variables,
            statement,
            divides,
            conditions,
        }
    }
}

impl Body {
    /// The `from` and `where` of a query.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if !self.from.is_empty() {
            text += &format!(" from {}", self.from.join(", "));
        }
        if !self.conditions.is_empty() {
            text += &format!(" where {}", self.conditions.join(" and "));
        }
        text
    }

    /// Add a condition.
    pub fn require(&mut self, condition: String) {
        self.conditions.push(condition);
    }

    pub fn both(&self, left: &Argument, right: &Argument) -> Option<(Operand, Operand)> {
        Some((
            Operand::of(left, &self.variables)?,
            Operand::of(right, &self.variables)?,
        ))
    }

    /// Require that each argument is what its column has; false if that cannot be.
    fn equal_all<'a>(
        &mut self,
        pairs: impl Iterator<Item = (&'a Argument, &'a Expression)>,
        statement: &mut Statement,
    ) -> bool {
        for (argument, column) in pairs {
            let Some(known) = Operand::of(argument, &self.variables) else {
                continue;
            };
            if matches!(&known, Operand::Expression(known) if known.sql == column.sql) {
                continue;
            }
            match equal(&known, &Operand::Expression(column.clone()), statement) {
                Equal::Never => return false,
                Equal::Always => {}
                Equal::When(condition) => self.conditions.push(condition),
            }
        }
        true
    }
}

fn member(what: &What) -> Option<&Argument> {
    match what {
        What::Member(element, _) => Some(element),
        _ => None,
    }
}

/// Lower is better for comparing and joining.
fn rank(form: Form) -> u8 {
    match form {
        Form::Native(_) => 0,
        Form::Nullable(_) => 1,
        Form::Tagged => 2,
    }
}

/// The value that `sql` of `form` has for those who read an answer.
pub(super) fn described(form: Form) -> Option<Kind> {
    match form {
        stored::Form::Native(kind) => Some(kind),
        stored::Form::Nullable(_) | stored::Form::Tagged => None,
    }
}
