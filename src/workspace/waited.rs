//! What a change waited for.

use super::types::Notice;

/// A client is told what its change waited for from this many milliseconds on.
const TOLD_AFTER_MS: u64 = 1_000;

/// A query that runs, or has run, in the latest turn of the first engine.
pub(super) struct Ran {
    query: String,
    /// When the engine had answered it last: what follows is still of its turn.
    pub ended_ms: Option<u64>,
    /// When its turn was over.
    pub over_ms: Option<u64>,
}

impl Ran {
    pub fn new(query: &str) -> Ran {
        Ran {
            query: query.to_owned(),
            ended_ms: None,
            over_ms: None,
        }
    }

    /// What a change is told that waited from `begun_ms` to `granted_ms`.
    pub fn waited_for(&self, begun_ms: u64, granted_ms: u64) -> Option<Notice> {
        let waited_ms = granted_ms.saturating_sub(begun_ms);
        let was_over = self.over_ms.is_some_and(|over| over < begun_ms);
        if waited_ms < TOLD_AFTER_MS || was_over {
            return None;
        }
        let seconds = |ms: u64| ms as f64 / 1000.0;
        let (waited, query) = (seconds(waited_ms), &self.query);
        let after_ms = self.ended_ms.map_or(0, |ended| granted_ms.saturating_sub(ended));
        // After a refusal, the turn lasts until an engine has the book again.
        Some(Notice(match after_ms.saturating_mul(2) > waited_ms {
            true => format!(
                "This waited {waited:.1} s for query {query}, which had ended {:.1} s before: what it changed was checked, and \
                 kept or taken back.",
                seconds(after_ms)
            ),
            false => format!(
                "This waited {waited:.1} s for query {query}, which was running: its time limit is the longest wait."
            ),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(ended_ms: Option<u64>, over_ms: Option<u64>) -> String {
        let ran = Ran {
            ended_ms,
            over_ms,
            ..Ran::new("q8")
        };
        ran.waited_for(1_000, 3_000)
            .map_or_else(String::new, |Notice(told)| told)
    }

    #[test]
    fn a_wait_is_said_to_be_for_a_query_that_ran_or_for_what_followed_it() {
        for ended in [None, Some(2_990)] {
            assert!(
                told(ended, Some(3_000)).starts_with("This waited 2.0 s for query q8, which was running:")
            );
        }
        for (ended, before) in [(1_200, "1.8"), (500, "2.5")] {
            let begin = format!("This waited 2.0 s for query q8, which had ended {before} s before:");
            assert!(told(Some(ended), Some(3_000)).starts_with(&begin));
        }
        assert_eq!(told(Some(500), Some(600)), "", "another turn was in the way");
    }
}
