//! Guesses the language of a node's code when none is given.

/// Whether `code` looks like Prolog: it begins with `% prolog`, or contains, outside quotes and comments,
/// something of Prolog and nothing that only Python or Lua has.
pub fn is_prolog(code: &str) -> bool {
    let start = code.trim_start();
    if let Some(comment) = start.strip_prefix('%')
        && let Some(after) = comment.trim_start().strip_prefix("prolog")
        && !after.starts_with(|c: char| c.is_alphanumeric() || c == '_')
    {
        return true;
    }
    let plain = plain(code);
    if plain.lines().any(is_statement) || has_subscript(&plain) {
        return false;
    }
    plain.lines().any(|line| line.trim_start().starts_with("?-"))
        || has_rule(&plain)
        || has_constraint(&plain)
        || has_domain(&plain)
        || !has_method(&plain)
            && PREDICATES
                .iter()
                .any(|(name, arguments)| calls(&plain, name, *arguments))
}

/// Whether a line is a statement of Python or Lua, and a syntax error in Prolog.
fn is_statement(line: &str) -> bool {
    let line = line.trim();
    let (word, rest) = line.split_at(line.find(|c: char| !is_of_name(c)).unwrap_or(line.len()));
    let next = rest.trim_start().chars().next();
    let names = rest.starts_with([' ', '\t']) && next.is_some_and(is_of_name);
    match word {
        "def" | "class" | "import" | "from" | "local" | "function" | "elif" | "async" | "del" | "global" => {
            names
        }
        // Prolog has `return(Key, Value)`.
        "return" => {
            rest.starts_with([' ', '\t']) && next.is_some_and(|c| !matches!(c, '(' | ',' | '-' | '.' | ':'))
        }
        "if" | "for" | "while" | "with" => {
            names && [":", " then", " do"].iter().any(|end| line.ends_with(end))
        }
        "else" | "try" => rest == ":",
        "end" => rest.is_empty(),
        _ => false,
    }
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// `state["x"]`, `values[0]`: in Prolog no list follows a name at once.
fn has_subscript(plain: &str) -> bool {
    plain
        .match_indices('[')
        .any(|(at, _)| plain[..at].ends_with(|c: char| is_of_name(c) || matches!(c, ')' | ']')))
}

/// `state.get(`: only a variable's value, a dict, has functions in Prolog.
fn has_method(plain: &str) -> bool {
    plain.match_indices('.').any(|(at, _)| {
        let (before, after) = (&plain[..at], &plain[at + 1..]);
        let name = before.rsplit(|c: char| !is_of_name(c)).next().unwrap_or_default();
        name.starts_with(char::is_lowercase) && after.starts_with(char::is_lowercase)
    })
}

/// Whether `code` looks like Lua.
pub fn is_lua(code: &str) -> bool {
    if code.trim_start().starts_with("-- lua") || code.trim_start().starts_with("--lua") {
        return true;
    }
    let plain = plain(code);
    let words: Vec<&str> = plain.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    ["local", "then", "end", "elseif"]
        .iter()
        .any(|word| words.contains(word))
        || plain.contains(" .. ")
}

/// Names of predicates, with the fewest arguments of a call.
const PREDICATES: [(&str, usize); 13] = [
    ("state", 1),
    // Python's `return(x)` has one argument.
    ("return", 2),
    ("assert", 1),
    ("asserta", 1),
    ("assertz", 1),
    ("retract", 1),
    ("retractall", 1),
    ("findall", 1),
    ("forall", 1),
    ("aggregate_all", 1),
    ("label", 1),
    ("labeling", 1),
    ("use_module", 1),
];

/// The text without the contents of quotes and comments; the quotes themselves and line ends are kept.
fn plain(code: &str) -> String {
    let mut out = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        let line_start =
            out.trim_end_matches([' ', '\t']).is_empty() || out.trim_end_matches([' ', '\t']).ends_with('\n');
        let skipped = match c {
            // Prolog character literals.
            '0' if rest.starts_with("0'") && !out.ends_with(|c: char| c.is_alphanumeric()) => {
                rest.char_indices().nth(3).map_or(rest.len(), |(at, _)| at)
            }
            '\'' | '"' => quoted(rest, c),
            '%' => to_line_end(rest),
            '#' if rest[1..].starts_with([' ', '!']) && (line_start || out.ends_with(' ')) => {
                to_line_end(rest)
            }
            '-' if line_start && rest.starts_with("--") => to_line_end(rest),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |at| at + 2),
            _ => 0,
        };
        if skipped == 0 {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        } else {
            if matches!(c, '\'' | '"') {
                out.push(c);
                out.push(c);
            }
            rest = &rest[skipped..];
        }
    }
    out
}

fn to_line_end(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

/// The length of the quoted text at the start of `text`; if it does not end on its line, only its quote
/// counts.
fn quoted(text: &str, quote: char) -> usize {
    let triple: String = std::iter::repeat_n(quote, 3).collect();
    if let Some(inside) = text.strip_prefix(&triple) {
        return inside.find(&triple).map_or(text.len(), |at| at + 6);
    }
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' if !escaped => return 1,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    1
}

/// `:-`, unless it belongs to a slice, a number or a lambda in Python.
fn has_rule(plain: &str) -> bool {
    let mut open = 0_usize;
    for (at, c) in plain.char_indices() {
        match c {
            '[' | '{' => open += 1,
            ']' | '}' => open = open.saturating_sub(1),
            ':' if open == 0 && plain[at..].starts_with(":-") => {
                let line = plain[..at].rsplit('\n').next().unwrap_or_default();
                let number = plain[at + 2..].starts_with(|c: char| c.is_ascii_digit());
                if !number && !line.split_whitespace().any(|word| word == "lambda") {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// A CLP(FD) operator after an operand.
fn has_constraint(plain: &str) -> bool {
    plain.lines().any(|line| {
        line.match_indices('#')
            .any(|(at, _)| !line[..at].trim().is_empty() && line[at + 1..].starts_with(['=', '<', '>', '\\']))
    })
}

/// `X in 1..5`, `[X,Y] ins L..H`.
fn has_domain(plain: &str) -> bool {
    plain.lines().any(|line| {
        [" in ", " ins "].iter().any(|word| {
            line.match_indices(word).any(|(at, _)| {
                let left = line[..at].trim_end();
                let name = left
                    .rsplit(|c: char| !c.is_alphanumeric() && c != '_')
                    .next()
                    .unwrap_or_default();
                let right = line[at + word.len()..].trim_start();
                let bounds = right
                    .split_once("..")
                    .is_some_and(|(low, high)| !low.ends_with(' ') && !high.starts_with(' '));
                (left.ends_with(']') || name.starts_with(|c: char| c.is_uppercase() || c == '_'))
                    && (bounds || right.starts_with(|c: char| c.is_ascii_digit()) && right.contains(".."))
            })
        })
    })
}

/// Whether there is a call `name(` with at least `arguments` arguments that is neither a definition nor a
/// method.
fn calls(plain: &str, name: &str, arguments: usize) -> bool {
    plain.match_indices(name).any(|(at, _)| {
        let (before, after) = (&plain[..at], &plain[at + name.len()..]);
        let Some(inside) = after.strip_prefix('(') else {
            return false;
        };
        let word = before.ends_with(|c: char| is_of_name(c) || c == '.');
        let defined = ["def", "function"]
            .iter()
            .any(|keyword| before.trim_end().ends_with(keyword));
        !word && !defined && count_arguments(inside) >= arguments
    })
}

fn count_arguments(inside: &str) -> usize {
    let mut depth = 0_usize;
    let mut count = 1;
    for c in inside.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' if depth == 0 => break,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => count += 1,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prolog_is_told_from_others() {
        for code in [
            "% prolog\nfoo.",
            "%prolog\nfoo(X)",
            "?- member(X,[1]).",
            "a :- b.",
            "a:-b.",
            ":- dynamic p/1.",
            "state(x, X)",
            "return(y, 1)",
            "assertz(p(1))",
            "assert(p(1))",
            "retract(p(1))",
            "retractall(p(_))",
            "findall(X,p(X),L)",
            "forall(p(X),q(X))",
            "aggregate_all(count, p(_), N)",
            "X #= 3",
            "X #\\= Y",
            "X #>= Y",
            "X in 1..5",
            "[X,Y] ins 0..9",
            "Xs ins L..H",
            "label([X])",
            "labeling([ff], Xs)",
            "use_module(library(clpfd))",
            "X = 'it''s', state(a, X).",
            "C = 0'x, state(c, C).",
            "state(x, X),\nreturn(y, X).",
            "X = _{a: 1}.get(a), return(x, X).",
            "p(1).q(2).\nfindall(X, p(X), L), return(l, L)",
            "fact(end).\nfact(def).\nforall(fact(X), atom(X))",
            "state(l, L),\nfindall(X-[Y], member(X-[Y|_], L), R),\nreturn(\n  r,\n  R\n)",
            "( a -> return(y, 1) ; else ),\nlocal",
            "findall(N, (\n  member(N, [1])\n), [_|T]),\nreturn (t, T)",
        ] {
            assert!(is_prolog(code), "{code}");
        }
        for code in [
            "state['x'] + 1",
            "estate(1)",
            "{{ state.x }}",
            "X = 1, Y = 2.",
            "% just a comment",
            "% prologue",
            "def label(x): return x",
            "function label(x) return x end",
            "return ({'a': 1})",
            "return({'a': 1, 'b': 2})",
            "print('..' in x)",
            "print('a..b' if k in x else 'c')",
            "s = 'a:-b'",
            "x = state['s'][:-1]",
            "d = {'a':-1}",
            "f = lambda x:-x",
            "re.findall('a', s)",
            "#=== a section ===\nx = 1",
            "# state(x, y)\nx = 1",
            "for k, v in pairs(t) do s = s .. k end",
            "return {\"y\": state[\"x\"] * 10}",
            "\"\"\"\nstate(x, X)\n\"\"\"\nx = 1",
            "assert(state[\"x\"] > 0)\nreturn {\"y\": 2}",
            "assert(x > 0)\nreturn {\"y\": 2}",
            "def label(s):\n    return s\nreturn {\"l\": label(state)}",
            "from re import findall\nx = len(findall(\"a\", \"banana\"))",
            "local x = assert(state.x)\nreturn { x = x }",
            "x = assert(state.x, 'none')",
            "if forall(xs):\n    y = 1",
            "for x in xs do\n  assert(x)\nend",
            "y = findall(xs)[0]",
            "state.update(retract(x))",
        ] {
            assert!(!is_prolog(code), "{code}");
        }
    }

    #[test]
    fn lua_is_told_from_python() {
        for code in [
            "-- lua\nx = 1",
            "local x = 1",
            "if a then b = 1 end",
            "return { s = a .. \"!\" }",
        ] {
            assert!(is_lua(code), "{code}");
        }
        for code in [
            "return {\"y\": 1}",
            "y = 'the end'",
            "for i in range(3):\n    s += '..'",
        ] {
            assert!(!is_lua(code), "{code}");
        }
    }
}
