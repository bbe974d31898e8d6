//! Times in the texts of workflows.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use humantime::{parse_duration, parse_rfc3339_weak};

use super::json::Json;

/// When a wait ends: a number of seconds, a duration (`10m`), or a time (`2026-12-24T18:00:00Z`).
pub fn until_ms(given: &Json, now_ms: u64) -> Result<u64, String> {
    let after = |ms: f64| now_ms.saturating_add(ms.max(0.0) as u64);
    let until = match given {
        Json::Int(seconds) => Some(after(*seconds as f64 * 1_000.0)),
        Json::Float(seconds) => Some(after(seconds * 1_000.0)),
        Json::Text(text) => of_text(text.trim(), now_ms),
        _ => None,
    };
    until.ok_or_else(|| {
        format!("must be seconds, a duration as '10m', or a time as '2026-12-24T18:00:00Z', not {given}.")
    })
}

fn of_text(text: &str, now_ms: u64) -> Option<u64> {
    if let Ok(seconds) = text.parse::<f64>() {
        return until_ms(&Json::Float(seconds), now_ms).ok();
    }
    if let Ok(duration) = parse_duration(text) {
        return Some(now_ms.saturating_add(duration.as_millis() as u64));
    }
    time_ms(text)
}

/// Milliseconds since 1970 of a time; without an offset, it is in UTC.
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
    let time: SystemTime = parse_rfc3339_weak(&format!("{date}T{clock}Z")).ok()?;
    let since: Duration = time.duration_since(UNIX_EPOCH).ok()?;
    u64::try_from(since.as_millis() as i64 - offset_ms).ok()
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
        for wrong in ["soon", "10x", "2026-13-01", "2026-01-01T00:00:00+1", ""] {
            assert!(until(wrong).is_err(), "{wrong}");
        }
    }
}
