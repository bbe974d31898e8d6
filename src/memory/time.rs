//! Times: milliseconds since 1970 internally, ISO 8601 for clients.

use std::time::{Duration, UNIX_EPOCH};

pub const DAY_MS: u64 = 86_400_000;

/// The last time whose year has four digits.
const LAST_MS: u64 = 253_402_300_799_000;

/// `2026-01-31T12:00:00.000Z`.
pub fn iso(ms: u64) -> String {
    let time = UNIX_EPOCH + Duration::from_millis(ms.min(LAST_MS));
    humantime::format_rfc3339_millis(time).to_string()
}

/// Reads a date (its start, in UTC), or a date and time with `Z`, an offset, or neither (meaning UTC). `None`
/// for anything else and for times before 1970.
pub fn read_iso(text: &str) -> Option<u64> {
    let text = text.trim();
    if text.len() == 10 {
        return read(&format!("{text}T00:00:00"));
    }
    if let Some(plain) = text.strip_suffix(['Z', 'z']) {
        return read(plain);
    }
    let Some(at) = text.rfind(['+', '-']).filter(|at| *at > 10) else {
        return read(text);
    };
    let (plain, offset) = text.split_at(at);
    let (hours, minutes) = offset[1..].split_once(':')?;
    let (hours, minutes): (i64, i64) = (two_digits(hours)?, two_digits(minutes)?);
    let shift = (hours * 60 + minutes) * 60_000;
    let local = i64::try_from(read(plain)?).ok()?;
    let utc = if offset.starts_with('+') {
        local - shift
    } else {
        local + shift
    };
    u64::try_from(utc).ok()
}

fn two_digits(text: &str) -> Option<i64> {
    (text.len() == 2).then(|| text.parse().ok()).flatten()
}

/// `YYYY-MM-DDTHH:MM[:SS[.fraction]]` in UTC.
fn read(text: &str) -> Option<u64> {
    let text = if text.len() == 16 {
        format!("{text}:00")
    } else {
        text.to_string()
    };
    let time = humantime::parse_rfc3339_weak(&text).ok()?;
    let since = time.duration_since(UNIX_EPOCH).ok()?;
    u64::try_from(since.as_millis()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_as_it_is_written() {
        assert_eq!(iso(1_769_860_800_123), "2026-01-31T12:00:00.123Z");
        for same in [
            "2026-01-31T12:00:00.123Z",
            "2026-01-31T12:00:00.123",
            "2026-01-31 12:00:00.123",
            "2026-01-31T14:00:00.123+02:00",
            "2026-01-31T06:30:00.123-05:30",
        ] {
            assert_eq!(read_iso(same), Some(1_769_860_800_123), "{same}");
        }
        assert_eq!(read_iso("2026-01-31"), read_iso("2026-01-31T00:00Z"));
        for none in [
            "",
            "yesterday",
            "2026-13-01",
            "2026-1-1",
            "1950-01-01",
            "2026-01-31T12:00+2",
            "9999",
        ] {
            assert_eq!(read_iso(none), None, "{none}");
        }
    }
}
