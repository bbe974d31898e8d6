//! Cron expressions, in UTC.

use chrono::{DateTime, Utc};
use croner::parser::{CronParser, Seconds};

/// A cron expression of five fields: minute, hour, day of the month, month, day of the week.
#[derive(Debug, Clone)]
pub struct Cron {
    pub text: String,
    cron: croner::Cron,
}

impl Cron {
    /// The error is a sentence.
    pub fn parse(text: &str) -> Result<Cron, String> {
        check_fields(text)?;
        let parser = CronParser::builder().seconds(Seconds::Disallowed).build();
        let cron = parser.parse(text.trim()).map_err(|error| {
            let why = error.to_string();
            let why = why.trim_end_matches('.');
            format!(
                "'{text}' is not a cron expression: {why}. It has five fields, as '0 9 * * 1-5' (minute, hour, day, month, \
                 weekday), in UTC."
            )
        })?;
        let cron = Cron {
            text: text.trim().to_owned(),
            cron,
        };
        match cron.next(0) {
            Some(_) => Ok(cron),
            None => Err(format!("'{text}' never comes: change its day or its month.")),
        }
    }

    /// The first time after this one.
    pub fn next(&self, after_ms: u64) -> Option<u64> {
        let next = self.cron.find_next_occurrence(&time(after_ms)?, false).ok()?;
        u64::try_from(next.timestamp_millis()).ok()
    }

    /// The last time up to this one.
    pub fn last(&self, until_ms: u64) -> Option<u64> {
        let last = self.cron.find_previous_occurrence(&time(until_ms)?, true).ok()?;
        u64::try_from(last.timestamp_millis()).ok()
    }
}

/// Check what the parser reads as something else.
fn check_fields(text: &str) -> Result<(), String> {
    // How many values there are, in the order of the fields.
    for (field, values) in text.split_whitespace().zip([60, 24, 31, 12, 7]) {
        for part in field.split(',') {
            if part.is_empty() {
                return Err(format!(
                    "'{text}' is not a cron expression: '{field}' has a comma with nothing beside it."
                ));
            }
            let step = part
                .split_once('/')
                .and_then(|(_, step)| step.parse::<u64>().ok());
            if let Some(step) = step.filter(|step| *step > values) {
                return Err(format!(
                    "'{text}' is not a cron expression: a step of {step} is more than the {values} values of its field."
                ));
            }
        }
    }
    Ok(())
}

fn time(ms: u64) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp_millis(i64::try_from(ms).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Monday, 2026-11-30T00:00:00Z.
    const MONDAY: u64 = 1_796_000_400_000 - 400_000;
    const HOUR: u64 = 3_600_000;

    #[test]
    fn times_in_utc() {
        let monday = MONDAY - MONDAY % (24 * HOUR);
        let cron = Cron::parse("0 9 * * 1-5").unwrap();
        let first = cron.next(monday).unwrap();
        assert_eq!(first % (24 * HOUR), 9 * HOUR);
        let times: Vec<u64> = std::iter::successors(Some(first), |time| cron.next(*time))
            .take(8)
            .collect();
        // Five days of a week, and then two without.
        let gaps: Vec<u64> = times.windows(2).map(|pair| (pair[1] - pair[0]) / HOUR).collect();
        assert_eq!(gaps.iter().filter(|gap| **gap == 72).count(), 1, "{gaps:?}");
        assert_eq!(cron.last(first), Some(first));
        assert_eq!(
            cron.last(first - 1).map(|last| last % (24 * HOUR)),
            Some(9 * HOUR)
        );
    }

    #[test]
    fn what_is_no_expression() {
        for text in [
            "",
            "soon",
            "* * *",
            "61 * * * *",
            "0 0 30 2 *",
            "0 0 9 * * 1",
            "*/61 * * * *",
            "1,,2 * * * *",
            "0 0 1, * *",
            "0 */25 * * *",
        ] {
            assert!(Cron::parse(text).is_err(), "{text}");
        }
        for text in ["@daily", "*/60 */2 1,15 * 1-5", "0 9 * * MON"] {
            assert!(Cron::parse(text).is_ok(), "{text}");
        }
    }
}
