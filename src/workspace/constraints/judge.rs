//! Whether a change may stand, by what constraints said before and after it.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::known::{Met, Standing, State};
use super::{MOST, SHOWN, Verdict};
use hornbook_base::{Fault, FaultKind};
use hornbook_book::EntryId;
use hornbook_engine::reply::Reach;

/// A constraint that is asked.
pub(super) struct Asked {
    pub id: EntryId,
    /// How messages call it.
    pub name: String,
    pub warns: bool,
    /// It comes with the change.
    pub is_new: bool,
    /// Its id before the change: a file that is read again gives it another one.
    pub was: EntryId,
    pub before: State,
}

/// What a constraint that was asked said.
pub(super) struct Answered {
    pub asked: Asked,
    pub reach: Rc<Reach>,
    pub now: Standing,
    /// It was stopped: then it refuses, whatever it said before.
    pub late: Option<String>,
    /// It asked for linked data.
    pub is_linked: bool,
    /// Bindings and proof, by message.
    pub details: BTreeMap<String, String>,
}

impl Answered {
    /// The messages that were not there before, or, if that is not known, all.
    pub fn new_messages(&self) -> impl Iterator<Item = &String> {
        let before = self.asked.before.standing.as_ref();
        let is_new = move |message: &&String| before.is_none_or(|before| !before.messages.contains(*message));
        self.now.messages.iter().filter(is_new)
    }

    /// Whether the judgement needs what it said before the change.
    pub fn is_open(&self) -> bool {
        let is_clean = self.now.messages.is_empty() && !self.now.more && self.now.error.is_none();
        !self.asked.is_new && self.asked.before.standing.is_none() && !is_clean
    }

    /// What is known of it after the change.
    pub fn state(&self) -> (EntryId, State) {
        let mut standing = self.now.clone();
        if standing.error.is_none() {
            standing.error = self.late.clone();
        }
        let state = State {
            reach: Some(self.reach.clone()),
            standing: Some(standing),
            is_linked: self.is_linked,
        };
        (self.asked.id, state)
    }

    /// What it says of new violations, with their details; empty if there are none.
    fn said(&self) -> Vec<String> {
        let detailed = |message: &String| {
            let detail = self.details.get(message).map_or("", String::as_str);
            format!("{}{detail}", message.trim_end())
        };
        self.new_messages().map(detailed).collect()
    }

    fn judge(&self, judgement: &mut Judgement) {
        let name = &self.asked.name;
        let unchecked = |error: &String| format!("{name} cannot be checked: {error}");
        let late = self.late.as_ref().map(|late| format!("{name} {late}"));
        let said = self.said();
        if self.asked.is_new {
            let only = if self.asked.warns {
                ""
            } else {
                "; it refuses new violations only"
            };
            let violated = (!said.is_empty()).then(|| {
                format!(
                    "{name} is violated already{only}: {}",
                    listed(&said, self.now.more)
                )
            });
            let unknown = self
                .now
                .unknown
                .as_ref()
                .map(|unknown| format!("{name}: {unknown}"));
            let error = self.now.error.as_ref().map(unchecked);
            judgement
                .warnings
                .extend(violated.into_iter().chain(unknown).chain(error).chain(late));
            return;
        }
        let before = self.asked.before.standing.clone().unwrap_or_default();
        let mut new = Vec::new();
        new.extend(late);
        if let (Some(error), None) = (&self.now.error, &before.error) {
            new.push(unchecked(error));
        }
        judgement.is_broken |= !new.is_empty();
        if before.error.is_some() || before.more {
            // What violated it before is not known: these may not be new.
            if let (Some(error), Some(_)) = (&self.now.error, &before.error) {
                let also = match said.is_empty() {
                    true => String::new(),
                    false => format!(" As far as it was, it is violated: {}", listed(&said, false)),
                };
                judgement
                    .warnings
                    .push(format!("{name} {COULD_NOT} {error}{also}"));
            } else if self.now.more {
                judgement.warnings.push(format!(
                    "{name} has more than {MOST} violations: new ones are not noticed until there are fewer."
                ));
            } else if before.error.is_some() && !said.is_empty() {
                judgement.warnings.push(format!(
                    "{name} can be checked again, and is violated: {}",
                    listed(&said, false)
                ));
            }
        } else {
            judgement.is_violated |= !said.is_empty() || self.now.more;
            judgement.more |= self.now.more;
            if self.now.more && said.len() <= SHOWN {
                new.push(format!("{name} has more than {MOST} violations"));
            }
            new.extend(said);
        }
        match self.asked.warns {
            true => judgement
                .warnings
                .extend((!new.is_empty()).then(|| listed(&new, false))),
            false => judgement.refused.extend(new),
        }
    }
}

#[derive(Default)]
struct Judgement {
    refused: Vec<String>,
    warnings: Vec<String>,
    /// Whether there are more new violations than are known.
    more: bool,
    /// Whether a new violation is among these.
    is_violated: bool,
    /// Whether a constraint that could not be checked is.
    is_broken: bool,
}

/// The judgement of constraints of which is known what violated them before.
pub(super) fn judged(answered: Vec<Answered>) -> Verdict {
    let mut judgement = Judgement::default();
    for one in &answered {
        one.judge(&mut judgement);
    }
    if judgement.refused.is_empty() {
        return Verdict::Met(Met {
            states: answered.iter().map(Answered::state).collect(),
            warnings: judgement.warnings,
        });
    }
    let message = format!(
        "A constraint refuses this, and nothing was changed: {}",
        listed(&judgement.refused, judgement.more)
    );
    let fault = Fault::new(FaultKind::ConstraintViolation, message);
    Verdict::Refused(match judgement.is_broken && !judgement.is_violated {
        true => fault.with_next(FIX),
        false => fault,
    })
}

/// Said of a constraint that could be checked neither before a change nor after it, and so refuses nothing.
pub(crate) const COULD_NOT: &str = "could not be checked:";

/// What to do about a constraint that cannot be checked.
pub(super) const FIX: &str = "Fix or retract the constraint.";

/// The first of these messages, and how many there are besides.
fn listed(said: &[String], more: bool) -> String {
    let shown: Vec<&str> = said.iter().take(SHOWN).map(String::as_str).collect();
    let is_long = shown.iter().any(|one| one.contains('\n'));
    let mut text = shown.join(if is_long { "\n" } else { "; " });
    let left = said.len().saturating_sub(SHOWN);
    if left > 0 || more {
        let least = if more { "at least " } else { "" };
        text.push_str(&format!("\n… and {least}{} more", left.max(usize::from(more))));
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn standing(messages: &[&str]) -> Standing {
        Standing {
            messages: messages.iter().map(|message| (*message).to_owned()).collect(),
            ..Standing::default()
        }
    }

    fn erring(error: &str) -> Standing {
        Standing {
            error: Some(error.to_owned()),
            ..Standing::default()
        }
    }

    fn many() -> Standing {
        Standing {
            messages: (0..MOST).map(|number| number.to_string()).collect(),
            more: true,
            ..Standing::default()
        }
    }

    fn answered(before: Option<Standing>, now: Standing) -> Answered {
        Answered {
            asked: Asked {
                id: EntryId(1),
                name: "the constraint in f.pl:1".into(),
                warns: false,
                is_new: false,
                was: EntryId(1),
                before: State {
                    standing: before,
                    ..State::default()
                },
            },
            reach: Rc::new(Reach(false, false, BTreeSet::new())),
            now,
            late: None,
            is_linked: false,
            details: BTreeMap::new(),
        }
    }

    /// What refuses the change, or else the warnings.
    fn verdict(one: Answered) -> Result<Vec<String>, String> {
        match judged(vec![one]) {
            Verdict::Met(met) => Ok(met.warnings),
            Verdict::Refused(fault) => Err(fault.message),
            Verdict::Open(_) => panic!("open"),
        }
    }

    fn refused(before: Standing, now: Standing) -> String {
        verdict(answered(Some(before), now)).expect_err("it refuses")
    }

    fn warned(before: Standing, now: Standing) -> Vec<String> {
        verdict(answered(Some(before), now)).expect("it does not refuse")
    }

    #[test]
    fn only_a_new_message_refuses() {
        assert!(refused(standing(&[]), standing(&["a"])).ends_with("changed: a"));
        assert!(refused(standing(&["b"]), standing(&["a", "b"])).ends_with("changed: a"));
        assert!(warned(standing(&["a", "b"]), standing(&["a"])).is_empty());
    }

    #[test]
    fn what_was_not_known_before_is_open_unless_nothing_stands() {
        assert!(answered(None, standing(&["a"])).is_open());
        assert!(answered(None, many()).is_open());
        assert!(answered(None, erring("e")).is_open());
        assert!(!answered(None, standing(&[])).is_open());
        assert!(!answered(Some(standing(&[])), standing(&["a"])).is_open());
    }

    #[test]
    fn an_error_refuses_unless_one_was_there_and_hides_what_is_old() {
        assert!(refused(standing(&[]), erring("e")).contains("f.pl:1 cannot be checked: e"));
        let still = warned(erring("e at f.pl:2"), erring("e at f.pl:3"));
        assert_eq!(
            still,
            ["the constraint in f.pl:1 could not be checked: e at f.pl:3"]
        );
        let violated = Standing {
            messages: standing(&["a"]).messages,
            ..erring("e")
        };
        let partly = warned(erring("e"), violated);
        assert!(
            partly[0].ends_with("could not be checked: e As far as it was, it is violated: a"),
            "{partly:?}"
        );
        let again = warned(erring("e"), standing(&["a"]));
        assert!(
            again[0].contains("can be checked again, and is violated: a"),
            "{again:?}"
        );
    }

    #[test]
    fn too_many_refuse_where_there_were_few_and_only_warn_where_there_were_as_many() {
        assert!(refused(standing(&[]), many()).contains("… and "));
        let same: Vec<String> = many().messages.into_iter().collect();
        let same: Vec<&str> = same.iter().map(String::as_str).collect();
        assert!(refused(standing(&same), many()).contains("more than 1000 violations"));
        assert!(warned(many(), many())[0].contains("new ones are not noticed"));
        assert!(warned(many(), standing(&["new"])).is_empty());
    }

    #[test]
    fn one_that_was_stopped_always_refuses() {
        let mut late = answered(Some(erring("takes longer than 1 ms")), standing(&[]));
        late.late = Some("takes longer than 1 ms".into());
        assert!(
            verdict(late)
                .unwrap_err()
                .contains("f.pl:1 takes longer than 1 ms")
        );
    }

    #[test]
    fn one_that_comes_with_the_change_refuses_nothing() {
        let mut new = answered(None, standing(&["a"]));
        new.asked.is_new = true;
        new.now.unknown = Some("Unknown procedure: q/1.".into());
        let warnings = verdict(new).expect("it does not refuse");
        assert_eq!(
            warnings,
            [
                "the constraint in f.pl:1 is violated already; it refuses new violations only: a",
                "the constraint in f.pl:1: Unknown procedure: q/1."
            ]
        );
    }
}
