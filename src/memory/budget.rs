//! Keeps replies within a budget: estimates the tokens of a text, and cuts lists.

use hornbook_base::cut;
use serde_json::{Map, Value, json};

use crate::results::Counts;

/// A conservative estimate of a text's tokens, tuned to the text of replies.
pub fn tokens(text: &str) -> usize {
    let mut cost = 0.0;
    let mut run = 0usize;
    let mut digits = false;
    let mut end = |run: &mut usize, digits: &mut bool| {
        if *run > 0 {
            // About one token per five letters of a word, and one per two characters of an id or a number.
            cost += if *digits {
                (*run as f64 / 1.7).ceil()
            } else {
                (*run as f64 / 5.0).ceil()
            };
        }
        (*run, *digits) = (0, false);
    };
    let mut others = 0.0;
    for letter in text.chars() {
        if letter.is_ascii_alphanumeric() {
            run += 1;
            digits |= letter.is_ascii_digit();
            continue;
        }
        end(&mut run, &mut digits);
        others += match letter {
            ' ' => 0.05,
            letter if letter.is_ascii() => 0.5,
            letter if letter.is_alphabetic() && (letter as u32) < 0x0E00 => 0.6,
            _ => 1.5,
        };
    }
    end(&mut run, &mut digits);
    (cost + others).ceil() as usize
}

/// A value of about `budget` tokens at most: long texts and lists in it are cut, and end in `…`.
pub fn fitted(value: Value, budget: usize) -> Value {
    let mut limit = budget * 2;
    let mut fitted = shortened(&value, limit);
    while limit > 16 && tokens(&fitted.to_string()) > budget {
        limit /= 2;
        fitted = shortened(&value, limit);
    }
    fitted
}

/// Fields an object may have however small the budget: those of the replies themselves.
const FIELDS: usize = 32;

fn shortened(value: &Value, limit: usize) -> Value {
    match value {
        Value::String(text) => Value::String(cut(text, limit)),
        Value::Array(items) => {
            let most = (limit / 8).max(1);
            let mut kept: Vec<Value> = items
                .iter()
                .take(most)
                .map(|item| shortened(item, limit))
                .collect();
            if items.len() > most {
                kept.push(json!(format!("… {} more", items.len() - most)));
            }
            Value::Array(kept)
        }
        Value::Object(fields) => {
            let most = limit.max(FIELDS);
            let shorten = |(name, value): (&String, &Value)| (cut(name, limit), shortened(value, limit));
            let mut kept: Map<String, Value> = fields.iter().take(most).map(shorten).collect();
            if fields.len() > most {
                kept.insert("…".into(), json!(format!("{} more", fields.len() - most)));
            }
            Value::Object(kept)
        }
        other => other.clone(),
    }
}

/// The length of a list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Total {
    Exactly(usize),
    AtLeast(usize),
}

impl Total {
    pub fn exactly(self) -> Option<usize> {
        match self {
            Total::Exactly(total) => Some(total),
            Total::AtLeast(_) => None,
        }
    }

    pub fn at_least(self) -> Option<usize> {
        match self {
            Total::Exactly(_) => None,
            Total::AtLeast(total) => Some(total),
        }
    }
}

/// A page of a list: its items, and where it begins.
pub struct Page {
    pub items: Vec<Value>,
    pub offset: usize,
    pub total: Total,
}

/// Tokens a reply reserves for what it says besides its lists.
pub const BESIDE: usize = 60;

/// As many of the items as fit; possibly none.
pub fn within(items: Vec<Value>, budget: usize) -> Vec<Value> {
    let mut left = budget.saturating_sub(BESIDE);
    let fits = move |item: &Value| {
        let cost = tokens(&item.to_string());
        let fits = cost <= left;
        left = left.saturating_sub(cost);
        fits
    };
    items.into_iter().take_while(fits).collect()
}

/// As many of the items as fit in `budget`, but at least one.
pub fn room(items: Vec<Value>, budget: usize) -> Vec<Value> {
    let mut left = budget.saturating_sub(BESIDE);
    let mut kept = Vec::new();
    for item in items {
        // An item that would fill the budget is cut, so that something is always shown.
        let item = fitted(item, (budget / 2).max(40));
        let cost = tokens(&item.to_string());
        if cost > left && !kept.is_empty() {
            break;
        }
        left = left.saturating_sub(cost);
        kept.push(item);
    }
    kept
}

/// The items of a page that fit beside the rest of a reply, with their number, the total, and how to continue
/// if some are missing.
pub fn shown(beside: &Value, page: Page, budget: usize) -> (Vec<Value>, Counts) {
    let asked = page.items.len();
    let used = tokens(&beside.to_string());
    let items = room(page.items, budget.saturating_sub(used));
    let next = page.offset + items.len();
    let left_out = Some(asked - items.len()).filter(|left_out| *left_out > 0);
    let more = match page.total {
        Total::Exactly(total) => next < total && !items.is_empty(),
        Total::AtLeast(total) => next < total || items.len() < asked,
    };
    let counts = Counts {
        count: items.len(),
        total: page.total.exactly(),
        total_at_least: page.total.at_least(),
        left_out,
        hint: left_out.map(|_| {
            format!(
                "The budget of {budget} tokens is used up: continue with offset {next}, or give a larger one."
            )
        }),
        next_offset: more.then_some(next),
    };
    (items, counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::NodeList;

    fn list(page: Page, budget: usize) -> Value {
        let (nodes, counts) = shown(&json!({}), page, budget);
        json!(NodeList { nodes, counts })
    }

    #[test]
    fn a_list_ends_where_the_budget_does_and_says_how_to_go_on() {
        let items: Vec<Value> = (0..40).map(|n| json!({ "name": format!("node {n}") })).collect();
        let page = Page {
            items,
            offset: 10,
            total: Total::Exactly(100),
        };
        let reply = list(page, 200);
        let shown = reply["nodes"].as_array().map(Vec::len).unwrap_or_default();
        assert!(shown > 5 && shown < 40, "{reply}");
        assert_eq!(reply["count"], shown);
        assert_eq!(reply["left_out"], 40 - shown);
        assert_eq!(reply["next_offset"], 10 + shown);
        assert!(tokens(&reply.to_string()) <= 200);
    }

    #[test]
    fn one_item_that_is_too_long_is_cut() {
        let page = Page {
            items: vec![json!({ "content": "word ".repeat(100_000), "tags": vec!["tag"; 100_000] })],
            offset: 0,
            total: Total::Exactly(1),
        };
        let reply = list(page, 300);
        assert!(tokens(&reply.to_string()) <= 300, "{reply}");
        assert_eq!(reply["count"], 1);
        assert!(reply.get("next_offset").is_none());
    }
}
