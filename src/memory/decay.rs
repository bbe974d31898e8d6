//! How experiences fade.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::time::DAY_MS;

/// The kind of an experience.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ExperienceType"))]
pub enum Sort {
    Solution,
    Pattern,
    Decision,
    Workaround,
    Gotcha,
}

impl Sort {
    pub const ALL: [Sort; 5] = [
        Sort::Solution,
        Sort::Pattern,
        Sort::Decision,
        Sort::Workaround,
        Sort::Gotcha,
    ];
    pub const NAMES: [&str; 5] = ["solution", "pattern", "decision", "workaround", "gotcha"];

    pub fn name(self) -> &'static str {
        Sort::NAMES[self as usize]
    }

    pub fn read(name: &str) -> Option<Sort> {
        Sort::ALL.into_iter().find(|sort| sort.name() == name)
    }
}

/// How sure the agent was. The less sure, the faster it fades.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(rename = "ExperienceConfidence")
)]
pub enum Confidence {
    Low,
    Medium,
    High,
}

impl Confidence {
    pub const ALL: [Confidence; 3] = [Confidence::High, Confidence::Medium, Confidence::Low];
    pub const NAMES: [&str; 3] = ["high", "medium", "low"];

    pub fn name(self) -> &'static str {
        match self {
            Confidence::High => "high",
            Confidence::Medium => "medium",
            Confidence::Low => "low",
        }
    }

    pub fn read(name: &str) -> Option<Confidence> {
        Confidence::ALL.into_iter().find(|one| one.name() == name)
    }

    /// How many times faster it fades.
    fn factor(self) -> f64 {
        match self {
            Confidence::High => 1.0,
            Confidence::Medium => 2.0,
            Confidence::Low => 4.0,
        }
    }
}

/// In how many days an experience of high confidence loses half its relevance, in the order of `Sort::ALL`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfLives(pub [f64; 5]);

impl Default for HalfLives {
    fn default() -> Self {
        HalfLives([200.0, 300.0, 100.0, 50.0, 200.0])
    }
}

impl HalfLives {
    /// Set half-lives by type name, in days. The error is a sentence: an unknown type, or days out of range.
    pub fn set(&mut self, days: &BTreeMap<String, f64>) -> Result<(), String> {
        for (name, days) in days {
            let Some(sort) = Sort::read(name) else {
                let names = Sort::NAMES.join(", ");
                return Err(format!(
                    "there is no type of experience '{name}'; the types are: {names}"
                ));
            };
            // Beyond this, times are no longer exact.
            if !(*days > 0.0 && *days <= 1e6) {
                return Err(format!(
                    "the half-life of {name} must be a number of days above 0, at most 1,000,000, not {days}"
                ));
            }
            self.0[sort as usize] = *days;
        }
        Ok(())
    }

    /// The decay rate per day: relevance is `exp(-rate * days)`.
    pub fn rate(&self, sort: Sort, confidence: Confidence) -> f64 {
        std::f64::consts::LN_2 * confidence.factor() / self.0[sort as usize]
    }
}

/// 1 when it was learned, approaching 0.
pub fn relevance(rate: f64, learned_ms: u64, now_ms: u64) -> f64 {
    let days = now_ms.saturating_sub(learned_ms) as f64 / DAY_MS as f64;
    (-rate * days).exp()
}

/// The time before which an experience must have been learned for its relevance to be below `threshold` now;
/// `None` if that is impossible. Rounding may put it slightly off: check entries close to it.
pub fn learned_before(rate: f64, threshold: f64, now_ms: u64) -> Option<u64> {
    if threshold <= 0.0 {
        return None;
    }
    let days = -threshold.min(1.0).ln() / rate;
    let age = (days * DAY_MS as f64).floor() as u64;
    Some(now_ms.checked_sub(age)?.saturating_add(2))
}
