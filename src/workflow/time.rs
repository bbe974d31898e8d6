//! Times in the texts of workflows.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use humantime::{parse_duration, parse_rfc3339_weak};
use serde::{Deserialize, Deserializer};

use super::json::Json;

/// The longest wait: ten years.
const MOST_MS: u64 = 3_653 * 86_400_000;
/// The end of the year 9999, in milliseconds since 1970. JavaScript's numbers hold it exactly.
const LAST_MS: u64 = 253_402_300_799_999;

/// When a wait ends.
enum End {
    /// After so many milliseconds.
    After(f64),
    /// At a time, in milliseconds since 1970.
    At(u64),
}

/// When a wait ends: a number of seconds, a duration (`10m`), or a time (`2026-12-24T18:00:00Z`).
pub fn until_ms(given: &Json, now_ms: u64) -> Result<u64, String> {
    let until = match end(given)? {
        End::After(ms) => now_ms.saturating_add(ms as u64),
        End::At(ms) => ms,
    };
    match until.saturating_sub(now_ms) > MOST_MS {
        true => Err(too_long(given)),
        false => Ok(until),
    }
}

/// Check what does not depend on the time it is now.
pub fn check(given: &Json) -> Result<(), String> {
    end(given).map(drop)
}

fn end(given: &Json) -> Result<End, String> {
    let end = match given {
        Json::Int(seconds) => Some(End::After(*seconds as f64 * 1_000.0)),
        Json::Float(seconds) => Some(End::After(seconds * 1_000.0)),
        Json::Text(text) => of_text(text.trim()),
        _ => None,
    };
    match end {
        Some(End::After(ms)) if ms > MOST_MS as f64 => Err(too_long(given)),
        Some(End::After(ms)) if ms < 0.0 => Err(format!("must not be negative, as {given} is.")),
        Some(end) if !matches!(end, End::After(ms) if ms.is_nan()) => Ok(end),
        _ => Err(format!(
            "must be seconds, a duration as '10m', or a time as '2026-12-24T18:00:00Z', not {given}."
        )),
    }
}

fn too_long(given: &Json) -> String {
    format!("must come within ten years, which {given} does not.")
}

fn of_text(text: &str) -> Option<End> {
    if let Ok(seconds) = text.parse::<f64>() {
        return Some(End::After(seconds * 1_000.0));
    }
    if let Some(positive) = text.strip_prefix('-') {
        let duration = parse_duration(positive).ok()?;
        return Some(End::After(-(duration.as_millis() as f64)));
    }
    if let Ok(duration) = parse_duration(text) {
        return Some(End::After(duration.as_millis() as f64));
    }
    time_ms(text).map(End::At)
}

/// A stored time. Versions before this one stored times that JavaScript's numbers cannot hold.
pub fn stored<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    let ms = Option::<u64>::deserialize(from)?;
    Ok(ms.map(|ms| ms.min(LAST_MS)))
}

/// A time as people and JSON write it, as `2026-12-24T18:00:00Z`.
pub fn shown(ms: u64) -> String {
    let time = UNIX_EPOCH + Duration::from_millis(ms.min(LAST_MS));
    humantime::format_rfc3339_seconds(time).to_string()
}

/// Milliseconds since 1970 of a time, 0 if it is earlier; without an offset, it is in UTC.
fn time_ms(text: &str) -> Option<u64> {
    let plain = text.strip_suffix('Z').unwrap_or(text);
    let (date, clock) = plain.split_once(['T', ' ']).unwrap_or((plain, "00:00:00"));
    let (clock, offset_ms) = match clock.find(['+', '-']) {
        Some(at) => (&clock[..at], offset_ms(&clock[at..])?),
        None => (clock, 0),
    };
    let clock = match clock.matches(':').count() {
        1 => format!("{clock}:00"),
        _ => clock.to_owned(),
    };
    let (year, rest) = date.split_at_checked(4)?;
    let before = year.bytes().all(|byte| byte.is_ascii_digit()) && year < "1970";
    // The parser knows no times before 1970, but tells whether there is such a day in a year like it.
    let date = match before {
        true => format!("1972{rest}"),
        false => date.to_owned(),
    };
    let time: SystemTime = parse_rfc3339_weak(&format!("{date}T{clock}Z")).ok()?;
    let since: Duration = time.duration_since(UNIX_EPOCH).ok()?;
    match before {
        true => Some(0),
        false => Some(u64::try_from(since.as_millis() as i64 - offset_ms).unwrap_or(0)),
    }
}

/// Of `+01:00` or `-0530`.
fn offset_ms(text: &str) -> Option<i64> {
    let (sign, digits) = text.split_at(1);
    let digits = digits.replace(':', "");
    if digits.len() != 4 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let minutes = digits[..2].parse::<i64>().ok()? * 60 + digits[2..].parse::<i64>().ok()?;
    Some(minutes * 60_000 * if sign == "-" { -1 } else { 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_times() {
        let until = |text: &str| until_ms(&Json::Text(text.into()), 1_000);
        assert_eq!(until("10m"), Ok(601_000));
        assert_eq!(until("1h 30m"), Ok(5_401_000));
        assert_eq!(until("2.5"), Ok(3_500));
        assert_eq!(until("1970-01-02T00:00:00Z"), Ok(86_400_000));
        assert_eq!(until("1970-01-02"), Ok(86_400_000));
        assert_eq!(until("1970-01-02T01:00:00+01:00"), Ok(86_400_000));
        assert_eq!(until("1970-01-01T18:30-0530"), Ok(86_400_000));
        assert_eq!(until_ms(&Json::Int(3), 1_000), Ok(4_000));
        // What has passed is over at once.
        assert_eq!(until("1960-02-29"), Ok(0));
        assert_eq!(until("1970-01-01T00:00+01:00"), Ok(0));
        let wrong = [
            "soon",
            "10x",
            "2026-13-01",
            "1960-13-01",
            "2026-01-01T00:00:00+1",
            "nan",
            "",
        ];
        for wrong in wrong {
            let why = until(wrong).expect_err(wrong);
            assert!(why.contains("must be seconds"), "{why}");
        }
    }

    #[test]
    fn a_wait_has_bounds() {
        let text = |text: &str| Json::Text(text.into());
        let most = MOST_MS as i64 / 1_000;
        assert_eq!(until_ms(&Json::Int(most), 1_000), Ok(1_000 + MOST_MS));
        let long = [
            Json::Int(most + 1),
            Json::Int(i64::MAX),
            Json::Float(1e13),
            Json::Float(f64::INFINITY),
        ];
        for long in long
            .into_iter()
            .chain([text("inf"), text("999999999d"), text("1e400")])
        {
            let why = until_ms(&long, 0).expect_err("it is too long");
            assert!(why.contains("within ten years"), "{why}");
            assert!(check(&long).is_err(), "{long}");
        }
        for negative in [
            Json::Int(-5),
            Json::Float(-0.5),
            text("-1s"),
            text("-inf"),
            text("-2"),
        ] {
            let why = until_ms(&negative, 0).expect_err("it is negative");
            assert!(why.contains("must not be negative"), "{why}");
        }
        // How far off a time is, is known when the run comes there.
        assert_eq!(check(&text("2099-01-01")), Ok(()));
        assert!(until_ms(&text("2099-01-01"), 0).is_err());
        assert!(until_ms(&text("2099-01-01"), 4_000_000_000_000).is_ok());
        assert_eq!(shown(86_400_000), "1970-01-02T00:00:00Z");
        assert_eq!(shown(u64::MAX), "9999-12-31T23:59:59Z");
    }
}
