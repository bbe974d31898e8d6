//! Numbers of JSON: integers are exact at any size.

use std::cmp::Ordering;

use super::json::Json;

/// The sum; `None` if one of them is no number, or the sum is beyond what a float can hold.
pub fn sum(a: &Json, b: &Json) -> Option<Json> {
    match (digits(a), digits(b)) {
        (Some(a), Some(b)) => Json::integer(&add(&a, &b)),
        _ => Some(float(a)? + float(b)?)
            .filter(|sum| sum.is_finite())
            .map(Json::Float),
    }
}

/// By their exact values; `None` if one of them is no number.
pub fn compare(a: &Json, b: &Json) -> Option<Ordering> {
    match (digits(a), digits(b), a, b) {
        (Some(a), Some(b), ..) => Some(compare_digits(&a, &b)),
        (Some(a), _, _, Json::Float(b)) => compare_with_float(&a, *b),
        (_, Some(b), Json::Float(a), _) => compare_with_float(&b, *a).map(Ordering::reverse),
        _ => float(a)?.partial_cmp(&float(b)?),
    }
}

/// No float rounds the integer.
fn compare_with_float(digits: &str, number: f64) -> Option<Ordering> {
    if !number.is_finite() {
        return 0.0.partial_cmp(&number);
    }
    let whole = format!("{:.0}", number.trunc());
    let whole = if whole == "-0" { "0" } else { &whole };
    match compare_digits(digits, whole) {
        Ordering::Equal => 0.0.partial_cmp(&number.fract()),
        larger => Some(larger),
    }
}

/// The digits of an integer, with a sign if negative.
fn digits(value: &Json) -> Option<String> {
    match value {
        Json::Int(number) => Some(number.to_string()),
        Json::Big(digits) => Some(digits.clone()),
        _ => None,
    }
}

fn float(value: &Json) -> Option<f64> {
    match value {
        Json::Int(number) => Some(*number as f64),
        Json::Big(digits) => digits.parse().ok(),
        Json::Float(number) => Some(*number),
        _ => None,
    }
}

fn signed(digits: &str) -> (bool, &str) {
    match digits.strip_prefix('-') {
        Some(plain) => (true, plain),
        None => (false, digits),
    }
}

fn compare_digits(a: &str, b: &str) -> Ordering {
    let ((a_negative, a), (b_negative, b)) = (signed(a), signed(b));
    let larger = compare_plain(a, b);
    match (a_negative, b_negative) {
        (false, false) => larger,
        (true, true) => larger.reverse(),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    }
}

/// Without signs and leading zeros.
fn compare_plain(a: &str, b: &str) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

fn add(a: &str, b: &str) -> String {
    let ((a_negative, a), (b_negative, b)) = (signed(a), signed(b));
    let (negative, larger, smaller) = match compare_plain(a, b) {
        Ordering::Less => (b_negative, b, a),
        _ => (a_negative, a, b),
    };
    let sign = if a_negative == b_negative { 1 } else { -1 };
    let places = |digits: &str| -> Vec<i8> { digits.bytes().rev().map(|byte| (byte - b'0') as i8).collect() };
    let (mut sum, other) = (places(larger), places(smaller));
    let mut carry = 0;
    for (place, digit) in sum.iter_mut().enumerate() {
        let all = *digit + sign * other.get(place).copied().unwrap_or(0) + carry;
        *digit = all.rem_euclid(10);
        carry = all.div_euclid(10);
    }
    if carry > 0 {
        sum.push(carry);
    }
    let digits = sum.iter().rev().map(|digit| (b'0' + *digit as u8) as char);
    let sign = if negative { "-" } else { "" };
    sign.chars().chain(digits).collect()
}
