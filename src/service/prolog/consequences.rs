//! What goals answer after one revision and not after another, in a reply of `workspace diff`.

use serde_json::json;

use super::results::GoalDifference;
use super::solutions::solution;
use crate::budget::{NOTE, fitted, most_tokens, most_tokens_of};
use crate::report::{count, invalid_argument};
use hornbook_base::{Fault, cut};
use hornbook_workspace::{Answer, Consequence};

/// Goals, answers and the reasons why some are not known are cut to this many characters.
const CHARS: usize = 300;

/// The goals in a text, one a line; `?-`, the last period and lines of comment are left out.
pub fn goals_in(text: &str) -> Result<Vec<String>, Fault> {
    let lines = text.lines().map(|line| {
        let line = line.trim();
        line.strip_prefix("?-").unwrap_or(line).trim_start()
    });
    let goals = lines.filter(|line| !line.is_empty() && !line.starts_with('%'));
    let goals: Vec<String> = goals
        .map(|line| line.strip_suffix('.').unwrap_or(line).to_owned())
        .collect();
    match goals.is_empty() {
        false => Ok(goals),
        true => Err(invalid_argument(
            "Argument 'of' has no goal.",
            "Give goals, one a line, or leave it out.",
        )),
    }
}

/// The differences as text and as data, as many as fit, and how many goals do not.
pub fn render(
    found: &[Consequence],
    (from, to): (u64, u64),
    budget: usize,
) -> (String, Vec<GoalDifference>, usize) {
    let mut room = budget.saturating_sub(NOTE);
    let (mut text, mut data) = (String::new(), Vec::new());
    for (number, one) in found.iter().enumerate() {
        let said = |end: &Option<String>| end.as_ref().map(|end| cut(end, CHARS));
        let mut told = GoalDifference {
            goal: cut(&one.goal, CHARS),
            gained: Vec::new(),
            lost: Vec::new(),
            left_out: None,
            unknown_before: said(&one.unknown.0),
            unknown_after: said(&one.unknown.1),
        };
        let heading = heading(one, &told, from, to);
        // With the line of what is left out.
        let cost = most_tokens(&heading).max(most_tokens_of(&json!(told))) + NOTE;
        if cost > room {
            break;
        }
        let share = (room / (found.len() - number)).saturating_sub(cost);
        let line = |sign: &'static str| {
            move |answer: &Answer| {
                let answer = cut(&solution(answer), CHARS);
                (format!("\n{sign} {answer}"), answer)
            }
        };
        let for_lost = match one.gained.is_empty() {
            true => share,
            false => share / 2,
        };
        let lost = fitted(for_lost, one.lost.iter().map(line("-")));
        let used = |text: &str, data: &[String]| most_tokens(text).max(most_tokens_of(&json!(data)));
        let used_by_lost = used(&lost.text, &lost.data);
        let gained = fitted(
            share.saturating_sub(used_by_lost),
            one.gained.iter().map(line("+")),
        );
        room = room.saturating_sub(cost + used_by_lost + used(&gained.text, &gained.data));
        let shown = lost.data.len() + gained.data.len();
        let left = one.lost.len() + one.gained.len() - shown;
        text.push_str(&format!("{heading}{}{}", lost.text, gained.text));
        if left > 0 {
            text.push_str(&format!("\n… and {left} more: ask a narrower goal, alone"));
        }
        (told.lost, told.gained) = (lost.data, gained.data);
        told.left_out = (left > 0).then_some(left);
        data.push(told);
    }
    let left = found.len() - data.len();
    if left > 0 {
        text.push_str(&format!(
            "\n… and {}: ask them in another call",
            count(left, "more goal")
        ));
    }
    (text, data, left)
}

/// The goal, and what is not known of it.
fn heading(one: &Consequence, told: &GoalDifference, from: u64, to: u64) -> String {
    let goal = &told.goal;
    let (before, after) = one.answers;
    let of = |revision: u64, answers: usize, unknown: &Option<String>| {
        let unknown = unknown.as_ref().map_or(String::new(), |why| format!(", {why}"));
        format!("\n  revision {revision}: {}{unknown}", count(answers, "answer"))
    };
    match (&told.unknown_before, &told.unknown_after) {
        (None, None) if one.gained.is_empty() && one.lost.is_empty() => {
            format!("\n?- {goal}.  % the same: {}", count(after, "answer"))
        }
        (None, None) => format!("\n?- {goal}."),
        (unknown_before, unknown_after) => format!(
            "\n?- {goal}.{}{}",
            of(from, before, unknown_before),
            of(to, after, unknown_after)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hornbook_workspace::Binding;

    fn answers(texts: &[String]) -> Vec<Answer> {
        let answer = |text: &String| Answer {
            bindings: vec![Binding {
                name: "X".into(),
                text: text.clone(),
                json: json!(text),
            }],
            residual: Vec::new(),
            undefined: false,
            output: String::new(),
        };
        texts.iter().map(answer).collect()
    }

    fn consequence(goal: &str, gained: &[String], lost: &[String]) -> Consequence {
        Consequence {
            goal: goal.into(),
            gained: answers(gained),
            lost: answers(lost),
            answers: (3, 3),
            unknown: (None, None),
        }
    }

    #[test]
    fn goals_are_lines_without_prompt_period_and_comments() {
        let goals = goals_in("% Who?\n?- p(X).\n\n  q(X, 'a.'), r \r\n?-s").unwrap();
        assert_eq!(goals, ["p(X)", "q(X, 'a.'), r", "s"]);
        assert!(goals_in(" \n% nothing").is_err());
    }

    #[test]
    fn a_goal_shows_what_it_lost_and_gained_or_what_is_not_known() {
        let cut = Consequence {
            unknown: (Some("it is not known".into()), None),
            ..consequence("q(X)", &[], &[])
        };
        let found = [
            consequence("p(X)", &["b".into()], &["a".into()]),
            cut,
            consequence("r", &[], &[]),
        ];
        let (text, data, left) = render(&found, (4, 7), 1_000);
        assert_eq!(
            text,
            "\n?- p(X).\n- X = a\n+ X = b\n?- q(X).\n  revision 4: 3 answers, it is not known\n  revision 7: 3 answers\n\
             ?- r.  % the same: 3 answers"
        );
        assert_eq!(
            json!(data),
            json!([
                { "goal": "p(X)", "gained": ["X = b"], "lost": ["X = a"] },
                { "goal": "q(X)", "gained": [], "lost": [], "unknownBefore": "it is not known" },
                { "goal": "r", "gained": [], "lost": [] },
            ])
        );
        assert_eq!(left, 0);
    }

    #[test]
    fn no_budget_is_exceeded_and_whatever_is_left_out_is_counted() {
        let many: Vec<String> = (0..1_000).map(|number| format!("\"item {number}\"")).collect();
        let long = vec!["\\".repeat(5_000)];
        let found: Vec<Consequence> = (0..50)
            .map(|_| consequence(&"goal, ".repeat(90), &many, &long))
            .collect();
        for budget in [0, 100, 300, 1_000, 5_000, 20_000] {
            let (text, data, left) = render(&found, (1, 2), budget);
            assert_eq!(data.len() + left, 50);
            let most = budget.max(NOTE);
            assert!(most_tokens(&text) <= most, "{} of {budget}", most_tokens(&text));
            assert!(most_tokens_of(&json!(data)) <= most, "the data for {budget}");
            for one in &data {
                let shown = one.gained.len() + one.lost.len();
                assert_eq!(shown + one.left_out.unwrap_or(0), 1_001);
            }
            assert_eq!(text.contains("ask them in another call"), left > 0);
        }
        let (text, data, _) = render(&found[..1], (1, 2), 5_000);
        assert!(data[0].gained.len() > 20, "{text}");
        assert!(text.ends_with("more: ask a narrower goal, alone"), "{text}");
    }
}
