//! What the options of tasks may be, as `prolog/dml/option_ranges.pl` says.

const TABLE: &str = include_str!("../../prolog/dml/option_ranges.pl");

/// Check the value of an option that the table has as `option`. `unit` of it make one of the table's.
///
/// # Errors
/// What `name` must be.
pub(crate) fn check(option: &str, name: &str, unit: f64, value: Option<f64>) -> Result<(), String> {
    let Some(value) = value else {
        return Ok(());
    };
    let (least, most) = range(option);
    if (least..=most).contains(&(value / unit)) {
        return Ok(());
    }
    Err(format!(
        "{name} must be a number from {} to {}, not {value}",
        least * unit,
        most * unit
    ))
}

/// The least and the most.
fn range(option: &str) -> (f64, f64) {
    let find = |line: &str| {
        let arguments = line.strip_prefix("range(")?.strip_suffix(").")?;
        let (name, rest) = arguments.split_once(", ")?;
        let (_, bounds) = rest.split_once(", ").filter(|_| name == option)?;
        let (least, most) = bounds.split_once(", ")?;
        Some((least.parse().ok()?, most.parse().ok()?))
    };
    TABLE.lines().find_map(find).expect("the table has the option")
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn options_are_checked_against_the_table() {
        assert_eq!(check("retries", "retries", 1.0, Some(3.0)), Ok(()));
        assert_eq!(check("retries", "retries", 1.0, None), Ok(()));
        assert_eq!(
            check("top_p", "topP", 1.0, Some(-1.0)),
            Err("topP must be a number from 0 to 1, not -1".into())
        );
        assert_eq!(
            check("call_timeout", "callTimeoutMs", 1000.0, Some(1e12)),
            Err("callTimeoutMs must be a number from 0 to 604800000, not 1000000000000".into())
        );
        for (option, most) in [("temperature", 100.0), ("max_output_tokens", 1e9)] {
            assert_eq!(check(option, option, 1.0, Some(most)), Ok(()));
            assert!(check(option, option, 1.0, Some(most + 1.0)).is_err());
        }
    }
}
