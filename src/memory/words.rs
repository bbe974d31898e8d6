//! Words as used in searches: folded (case and accents are ignored) and stemmed. Text has no syntax here:
//! quotes, hyphens and everything else that is not a letter or digit separates words.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use rust_stemmers::{Algorithm, Stemmer};

/// Letters, and the letters that fold to them.
const ACCENTED: &[(&str, &str)] = &[
    ("a", "àáâãäåāăąǎạảấầẩẫậắằẳẵặª"),
    ("ae", "æ"),
    ("c", "çćĉċč"),
    ("d", "ďđð"),
    ("e", "èéêëēĕėęěẹẻẽếềểễệ"),
    ("g", "ĝğġģ"),
    ("h", "ĥħ"),
    ("i", "ìíîïĩīĭįıǐịỉ"),
    ("j", "ĵ"),
    ("k", "ķ"),
    ("l", "ĺļľŀł"),
    ("n", "ñńņňŉ"),
    ("o", "òóôõöøōŏőǒơọỏốồổỗộớờởỡợº"),
    ("oe", "œ"),
    ("r", "ŕŗř"),
    ("s", "śŝşšș"),
    ("ss", "ß"),
    ("t", "ţťŧț"),
    ("th", "þ"),
    ("u", "ùúûüũūŭůűųǔưụủứừửữự"),
    ("w", "ŵ"),
    ("y", "ýÿŷỳỵỷỹ"),
    ("z", "źżž"),
    ("α", "ά"),
    ("ε", "έ"),
    ("η", "ή"),
    ("ι", "ίϊΐ"),
    ("ο", "ό"),
    ("υ", "ύϋΰ"),
    ("ω", "ώ"),
    ("σ", "ς"),
    ("е", "ё"),
];

/// Words that say nothing about a text's subject.
const STOP_WORDS: &str = "a about above after again all also am an and any anything are as at away be because been \
before being below between both but by can cannot could couldnt d did didnt do does doesnt doing done dont down during \
each either else ever every few for from further get gets getting give go goes going got had has hasnt have havent \
having he her here hers herself hey hi him himself his how i if ill im in into is isnt it its itself ive just kind let \
lets like ll m made make many may maybe me might more most much must my myself need no nor not now of off oh ok okay \
on once only onto or other our ours ourselves out over re really s shall she should so some something \
such t take than that thats the their theirs them themselves then there these they thing things this those though \
through to too try under until up upon us use used using ve very want was wasnt way we well were what whats when where \
whether which while who whom whose why will with within without wont would yeah yes yet you your yours yourself";

thread_local! {
    static FOLDED: HashMap<char, &'static str> = ACCENTED
        .iter()
        .flat_map(|(plain, letters)| letters.chars().map(move |letter| (letter, *plain)))
        .collect();
    static STOP: HashSet<&'static str> = STOP_WORDS.split(' ').collect();
    static STEMMER: Stemmer = Stemmer::create(Algorithm::English);
    /// A cache of stems: a few words make up most of every text.
    static STEMS: RefCell<HashMap<String, String>> = RefCell::default();
}

const STEMS_KEPT: usize = 20_000;

/// Letters of scripts without spaces between words: each pair of them is a word.
fn is_unspaced(letter: char) -> bool {
    matches!(letter as u32,
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF
        | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

fn is_mark(letter: char) -> bool {
    matches!(letter as u32, 0x0300..=0x036F | 0x200D | 0xFE00..=0xFE0F)
}

/// The words of a text, folded.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter.is_ascii_alphanumeric() {
            word.push(letter.to_ascii_lowercase());
        } else if is_unspaced(letter) {
            end(&mut word, &mut words);
            words.push(letter.to_string());
            if let Some(next) = letters.peek().filter(|next| is_unspaced(**next)) {
                words.push(format!("{letter}{next}"));
            }
        } else if letter.is_alphanumeric() {
            for lower in letter.to_lowercase() {
                match FOLDED.with(|folded| folded.get(&lower).copied()) {
                    Some(plain) => word.push_str(plain),
                    None if is_mark(lower) => {}
                    None => word.push(lower),
                }
            }
        } else if is_mark(letter) || matches!(letter, '\'' | '’') && !word.is_empty() {
            // "don't" is one word.
        } else {
            end(&mut word, &mut words);
        }
    }
    end(&mut word, &mut words);
    words
}

fn end(word: &mut String, words: &mut Vec<String>) {
    if !word.is_empty() {
        words.push(std::mem::take(word));
    }
}

/// What all forms of a word have in common.
pub fn stem(word: &str) -> String {
    STEMS.with_borrow_mut(|stems| {
        if let Some(stem) = stems.get(word) {
            return stem.clone();
        }
        let stem = STEMMER.with(|stemmer| stemmer.stem(word).into_owned());
        if stems.len() >= STEMS_KEPT {
            stems.clear();
        }
        stems.insert(word.to_string(), stem.clone());
        stem
    })
}

pub fn is_stop_word(word: &str) -> bool {
    STOP.with(|stop| stop.contains(word)) || (word.len() == 1 && word.as_bytes()[0].is_ascii_alphabetic())
}

/// Whether a word only joins others.
pub fn is_joint(word: &str) -> bool {
    const JOINTS: [&str; 16] = [
        "a", "an", "the", "of", "to", "in", "on", "at", "is", "are", "and", "or", "for", "with", "by", "from",
    ];
    JOINTS.contains(&word)
}

/// The stems of what a text is about, each once, in order. A run of letters without spaces is represented by
/// its pairs, if it has any.
pub fn keywords(text: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    let words = words(text);
    let paired: HashSet<char> = words
        .iter()
        .filter(|word| is_pair(word))
        .flat_map(|word| word.chars())
        .collect();
    words
        .iter()
        .filter(|word| !is_stop_word(word) && !is_part(word, &paired))
        .map(|word| stem(word))
        .filter(|stem| seen.insert(stem.clone()))
        .collect()
}

fn is_pair(word: &str) -> bool {
    word.chars().count() == 2 && word.chars().all(is_unspaced)
}

/// Whether the word is a single letter that is also in a pair.
fn is_part(word: &str, paired: &HashSet<char>) -> bool {
    let mut letters = word.chars();
    matches!((letters.next(), letters.next()), (Some(letter), None) if paired.contains(&letter))
}

/// A text without what does not affect its meaning: case, accents, spaces, marks.
pub fn plain(text: &str) -> String {
    words(text).join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_folded_and_parted_by_everything_else() {
        assert_eq!(
            words("Zürich's self-healing, \"naïve\" Straße_1"),
            ["zurichs", "self", "healing", "naive", "strasse", "1"]
        );
        assert_eq!(words("Zu\u{308}rich"), ["zurich"]);
        assert_eq!(words("Ελλάδα Йод"), ["ελλαδα", "йод"]);
        assert_eq!(words("知识图"), ["知", "知识", "识", "识图", "图"]);
        assert_eq!(words("🌍 -- \"'"), [""; 0]);
    }

    #[test]
    fn keywords_are_stems_of_what_says_something() {
        assert_eq!(keywords("Where is it ok to be a"), [""; 0]);
        assert_eq!(keywords("Caching the caches"), ["cach"]);
        assert_eq!(keywords("知识"), ["知识"]);
        assert_eq!(keywords("知"), ["知"]);
    }
}
