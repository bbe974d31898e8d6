//! The warnings about clauses that may not be what was meant, in words.

use hornbook_engine::reply::Doubt;

/// The message about one word of a doubt.
pub(super) fn message(doubt: Doubt, word: &str) -> String {
    match doubt {
        Doubt::Singleton if is_name(word) => {
            let atom = word.to_lowercase();
            format!("{word} occurs only once: write {atom} for the atom, _{word} if intended.")
        }
        Doubt::Singleton => format!("{word} occurs only once: write _{word} if that is intended."),
        Doubt::Branch => format!("{word} occurs only once in its branch: write _{word} if that is intended."),
        Doubt::Goal => format!("{word} is called as a goal, but nothing binds it first."),
        Doubt::Value => {
            format!("{word} is unified with an expression, which computes nothing: write `is` for its value.")
        }
        Doubt::Function => format!(
            "`:=` does not define functions, so this does not define {word}: write a rule with one more argument, \
             `f(X, Y) :- Y is X*2.`"
        ),
        Doubt::Hyphen => {
            format!(
                "{word} is not a name but `-` of two terms: write {}.",
                word.replace('-', "_")
            )
        }
        Doubt::Rule => format!(
            "This is a fact of `{word}`: for a rule of CHR write `:- use_module(library(chr)).` first, else `:-` or `-->`."
        ),
        Doubt::Quotes => format!("{word} are not quotation marks in Prolog: write ' or \"."),
        Doubt::Modulo => format!("{word}, if this is not a comment."),
        Doubt::Lambda => lost_constraints(word, word),
        Doubt::Undefined => format!("{word} is not defined."),
        Doubt::Shadowed if word == "not/1" => {
            "not/1 is built in: these clauses take its place in the whole book. What is known to be false gets a predicate \
             of its own, as in `not_red(bob).`"
                .to_owned()
        }
        Doubt::Shadowed => format!("{word} is built in: these clauses take its place in the whole book."),
        Doubt::Early => {
            format!("`{word}` is asked before its variable is bound: move it after the goal that binds it.")
        }
        Doubt::Increment => {
            format!("`{word}` never holds: a variable keeps its value, so give the result a new variable.")
        }
        Doubt::Collects => {
            let (name, variable) = word.split_once(' ').unwrap_or((word, "_"));
            match variable {
                "_" => format!("{name}/3 gives a list for each value of `_`: name it X, and write `X^Goal`."),
                _ => format!(
                    "{name}/3 gives a list for each value of {variable}: write `{variable}^Goal` for one list."
                ),
            }
        }
        Doubt::Joins => format!("`{word}` does not join texts: use string_concat/3 or atom_concat/3."),
        Doubt::Term => format!(
            "`{word}` in a head is a term, not its value: put a variable there and compute it with `is` in the body."
        ),
        Doubt::Argument => {
            format!("`{word}` is passed on as a term, not its value: compute it first, `X is {word}`.")
        }
        Doubt::Order => format!("Texts are compared with `{word}`: this compares numbers."),
        Doubt::Output => format!(
            "{word} gets a value in one branch alone: the other leaves it unbound. Parentheses around `( If -> Then ; Else )` end the branches."
        ),
        Doubt::Word => {
            let variable = capital(word);
            format!("`{word}` is an atom: a variable begins with a capital letter, {variable}.")
        }
        Doubt::Compared => {
            format!("`{word}` compares terms and computes nothing: write =:= or =\\= for values.")
        }
        Doubt::Left => {
            format!(
                "{word} calls itself before it has found anything, so it does not end: declare `:- table {word}.`"
            )
        }
        Doubt::Endless => {
            format!("Each clause of {word} calls it again: it needs a clause without {word} that ends it.")
        }
        Doubt::Two => format!("`{word}` is a list of two: for a head and a tail write a bar, as in [H|T]."),
        Doubt::Nested => format!("`{word}` is a list of one element: pass on the tail without brackets."),
        Doubt::Tail => {
            format!("`{word}` ends in what is no list: after the bar comes the tail, as in [a|[b]].")
        }
        Doubt::Inside => {
            let (goal, variable) = word.split_once(' ').unwrap_or((word, "_"));
            format!("{variable} has no value after {goal}, which keeps the variables of its goal inside.")
        }
        Doubt::Unreached => {
            format!("A clause of {word} before this matches everything and cuts: this is never tried.")
        }
        Doubt::Behind => format!(
            "This is never reached: the clause of {word} before it calls {word} again without a condition. Put this one first, and a condition in that one."
        ),
        Doubt::Rows => format!(
            "`{word}` holds once for each row, and so does the result after it: write distinct({word})."
        ),
        Doubt::Date => format!(
            "`{word}` is a difference of numbers, no date: parse_time/2 gives the seconds of one, as in parse_time('2024-03-05', T)."
        ),
        Doubt::Aggregate => {
            format!("aggregate_all/3 has no `{word}`: it has count, sum, max, min, bag and set.")
        }
        Doubt::Evaluable => {
            let (predicate, call) = word.split_once(' ').unwrap_or((word, "_"));
            format!(
                "Arithmetic does not call {predicate}: ask `{call}` as a goal, with its result as one more argument."
            )
        }
        Doubt::Goals => format!(
            "findall/4 takes one goal, and then the list and its end: write findall(X, (A, B), L) for two goals, here with `{word}`."
        ),
        Doubt::Template => {
            let (goal, variable) = word.split_once(' ').unwrap_or((word, "_"));
            format!(
                "{variable} has a value before {goal}, which finds only that one: use another variable inside."
            )
        }
        Doubt::Stored => {
            format!("`{word}` is stored as a term, not its value: compute it first, `X is {word}`.")
        }
        Doubt::Undone => undone_constraint(word),
        Doubt::Labeling => format!(
            "`{word}` alone chooses which variable is labeled first: for the answers in order of a value write {word}(Expr)."
        ),
        Doubt::Escape => {
            format!("The backslashes in `{word}` are escapes, as `\\n` is a new line: write / or two of them.")
        }
        Doubt::Arity => {
            let (declared, defined) = word.split_once(' ').unwrap_or((word, "_"));
            format!("{declared} is declared but has no clauses: did you mean {defined}, which is not declared?")
        }
        Doubt::Apart => format!(
            "The clauses of {word} are not together: move them, or declare `:- discontiguous {word}.`"
        ),
    }
}

/// A constraint where it is not kept: `word` is the goal around it, and the constraint.
fn undone_constraint(word: &str) -> String {
    let (within, constraint) = word.split_once(' ').unwrap_or((word, "_"));
    match within {
        "->" => format!(
            "`{constraint}` as a condition holds where it may hold, and then excludes the other branch: label before it, or write `B #<==> ({constraint})`."
        ),
        "forall" => {
            format!("forall/2 undoes the constraint `{constraint}`: post it with maplist/2 or a recursion.")
        }
        _ => format!(
            "`{constraint}` in a negation is undone, and fails if it may hold: write `#\\ ({constraint})`."
        ),
    }
}

/// A lambda loses the constraints on `what`; `shared` is the variable to share, or an example.
pub(super) fn lost_constraints(what: &str, shared: &str) -> String {
    format!(
        "A lambda copies {what}, and the copy has no constraints: write `{{{shared}}}/[X]>>…`, or a predicate \
         of its own."
    )
}

/// The name of a doubt in structured data.
pub(super) fn name_of(doubt: Doubt) -> &'static str {
    match doubt {
        Doubt::Singleton => "singleton",
        Doubt::Branch => "branch",
        Doubt::Goal => "goal",
        Doubt::Value => "value",
        Doubt::Function => "function",
        Doubt::Hyphen => "hyphen",
        Doubt::Rule => "rule",
        Doubt::Quotes => "quotes",
        Doubt::Modulo => "modulo",
        Doubt::Lambda => "lambda",
        Doubt::Undefined => "undefined",
        Doubt::Shadowed => "shadowed",
        Doubt::Apart => "apart",
        Doubt::Early => "early",
        Doubt::Increment => "increment",
        Doubt::Collects => "collects",
        Doubt::Joins => "joins",
        Doubt::Term => "term",
        Doubt::Argument => "argument",
        Doubt::Order => "order",
        Doubt::Output => "output",
        Doubt::Word => "word",
        Doubt::Compared => "compared",
        Doubt::Left => "left",
        Doubt::Endless => "endless",
        Doubt::Two => "two",
        Doubt::Nested => "nested",
        Doubt::Tail => "tail",
        Doubt::Inside => "inside",
        Doubt::Unreached => "unreached",
        Doubt::Behind => "behind",
        Doubt::Rows => "rows",
        Doubt::Date => "date",
        Doubt::Aggregate => "aggregate",
        Doubt::Evaluable => "evaluable",
        Doubt::Goals => "goals",
        Doubt::Template => "template",
        Doubt::Stored => "stored",
        Doubt::Undone => "undone",
        Doubt::Labeling => "labeling",
        Doubt::Escape => "escape",
        Doubt::Arity => "arity",
    }
}

/// The word with a capital letter.
fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Whether a variable looks like a name: `Carol`, not `X1` or `Xs`.
fn is_name(word: &str) -> bool {
    word.len() > 2 && word.chars().skip(1).all(|c| c.is_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_capital_is_told_how_to_become_an_atom() {
        assert_eq!(
            message(Doubt::Singleton, "Carol"),
            "Carol occurs only once: write carol for the atom, _Carol if intended."
        );
        for variable in ["X", "X1", "Xs", "NewState"] {
            let expected = format!("{variable} occurs only once: write _{variable} if that is intended.");
            assert_eq!(message(Doubt::Singleton, variable), expected);
        }
    }
}
