//! `kn_experience`: what was learned, and fades.

use serde_json::json;

use crate::arguments::Arguments;
use crate::budget::{Page, Total, shown};
use crate::correct::{New, revive, supersede, take_out, went_together};
use crate::decay::{Confidence, Sort, learned_before, relevance};
use crate::draft::{Answer, Draft};
use crate::graph::{NAMESPACE, page};
use crate::index::Filter;
use crate::kept::normalized;
use crate::rank::round;
use crate::record::{Experience, Node, Record};
use crate::results::{
    ExperienceDetails, ExperienceItem, ExperienceList, Kept, Pruned, Rank, Removed, Restored,
    SavedExperience, Span,
};
use crate::search::{Search, View};
use crate::similar::like_experience;

/// The most experiences examined when they are not sorted by relevance, or must be counted.
const LISTED: usize = 50_000;
/// By default, experiences less relevant than this are pruned.
const THRESHOLD: f64 = 0.01;

pub(crate) fn save(draft: &mut Draft, arguments: &Arguments) -> Answer {
    let new = draft_of(draft, arguments)?;
    let old = arguments.text("supersedes");
    let twin = twin(draft, &new, old, |one| {
        one.confidence == new.confidence && one.context == new.context
    });
    let kept = keep(draft, new, twin, old)?;
    if let Some(old) = old {
        let new = New {
            node: &kept.id,
            experience: &kept.id,
        };
        supersede(draft, old, &new, arguments)?;
    }
    if twin.is_none() {
        draft.warnings = like_experience(draft, &kept, "save");
    }
    let rate = draft.memory.half_lives.rate(kept.sort, kept.confidence);
    Ok(json!(SavedExperience {
        sort: kept.sort,
        confidence: kept.confidence,
        decay_rate: (rate * 1e6).round() / 1e6,
        score: 1.0,
        kept: how_kept(&kept, old),
        id: kept.id,
    }))
}

pub(crate) fn how_kept(kept: &Experience, old: Option<&str>) -> Kept {
    let is_known = kept.times > 1;
    Kept {
        strengthened: is_known.then_some(true),
        times: is_known.then_some(kept.times),
        supersedes: old.map(str::to_string),
    }
}

/// The experience that a call describes.
pub(crate) fn draft_of(draft: &mut Draft, arguments: &Arguments) -> Result<Experience, String> {
    let sort = arguments
        .text("type")
        .and_then(Sort::read)
        .ok_or("type is required")?;
    let life = draft.life(arguments)?;
    Ok(Experience {
        id: draft.new_id(),
        number: draft.number(),
        namespace: arguments.text("namespace").unwrap_or(NAMESPACE).to_string(),
        sort,
        content: arguments.required("content"),
        context: arguments.text("context").map(str::to_string),
        confidence: arguments
            .text("confidence")
            .and_then(Confidence::read)
            .unwrap_or(Confidence::High),
        tags: arguments.texts("tags").unwrap_or_default(),
        learned_at: draft.now,
        times: 1,
        node_id: None,
        supersedes: arguments.text("supersedes").map(str::to_string),
        life,
    })
}

/// The current experience that says the same as `new`, unless it is the one being superseded.
pub(crate) fn twin<'a>(
    draft: &Draft<'a, '_>,
    new: &Experience,
    old: Option<&str>,
    also: impl Fn(&Experience) -> bool,
) -> Option<&'a Experience> {
    let mut same = draft.memory.experiences.same(new.sort.name(), &new.content);
    same.find(|one| {
        let superseded = old.is_some_and(|old| old == one.id || one.node_id.as_deref() == Some(old));
        one.life.seen_at(draft.now, false)
            && !superseded
            && one.namespace == new.namespace
            && one.sort == new.sort
            && normalized(&one.content) == normalized(&new.content)
            && also(one)
    })
}

/// Add a new experience, or strengthen the twin that says the same: it becomes as fresh as a new one, and as
/// sure as it ever was.
pub(crate) fn keep(
    draft: &mut Draft,
    new: Experience,
    twin: Option<&Experience>,
    old: Option<&str>,
) -> Result<Experience, String> {
    let Some(twin) = twin else {
        draft.insert(Record::Experience(new.clone()));
        return Ok(new);
    };
    let mut kept = twin.clone();
    kept.learned_at = draft.now;
    kept.times += 1;
    kept.confidence = kept.confidence.max(new.confidence);
    kept.context = new.context.or(kept.context);
    kept.supersedes = old.map(str::to_string).or(kept.supersedes);
    kept.life.valid_from = new.life.valid_from.or(kept.life.valid_from);
    kept.life.valid_to = new.life.valid_to.or(kept.life.valid_to);
    if kept.life.valid_to.is_some_and(|to| to <= kept.life.begins()) {
        return Err("valid_to must be later than valid_from".into());
    }
    add_tags(&mut kept.tags, new.tags);
    draft.replace(Record::Experience(twin.clone()), Record::Experience(kept.clone()));
    Ok(kept)
}

pub(crate) fn add_tags(tags: &mut Vec<String>, more: Vec<String>) {
    for tag in more {
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
}

pub(crate) fn search(draft: &Draft, arguments: &Arguments) -> Answer {
    let view = View::new(draft, arguments);
    let (limit, offset) = page(arguments);
    let least = arguments.number("min_relevance").unwrap_or(0.0);
    let kind = arguments.text("type").and_then(Sort::read);
    let full = arguments.is_full();
    let experiences = &draft.memory.experiences;
    let (items, total) = match arguments.text("text") {
        Some(text) => {
            let filters = view.filters(kind.map(|sort| Filter::new("type", sort.name())));
            let (mut found, all) = view.find_experiences(&Search::fitting(text), &filters, least);
            // By relevance, rounded; then by how well it matches.
            let relevance = |one: &crate::rank::Candidate| (one.recency * 100.0).round();
            found.sort_by(|one, other| relevance(other).total_cmp(&relevance(one)));
            let total = if all {
                Total::Exactly(found.len())
            } else {
                Total::AtLeast(found.len())
            };
            let items = found.iter().skip(offset).take(limit).filter_map(|one| {
                let rank = one.rank(full);
                let item = item(&view, experiences.numbered(one.number)?, full, rank);
                Some(json!(item))
            });
            (items.collect(), total)
        }
        None => {
            let (found, total) = browse(&view, kind, least, offset + limit, |_| false);
            let items = found
                .iter()
                .skip(offset)
                .filter_map(|number| experiences.numbered(*number));
            let items = items.map(|one| json!(item(&view, one, full, Rank::default())));
            (items.collect(), total)
        }
    };
    let page = Page { items, offset, total };
    let (experiences, counts) = shown(&json!({}), page, arguments.budget());
    Ok(json!(ExperienceList { experiences, counts }))
}

/// The most relevant experiences but those to skip, as many as wanted, and how many there are.
pub(crate) fn browse(
    view: &View,
    kind: Option<Sort>,
    least: f64,
    wanted: usize,
    skip: impl Fn(&Experience) -> bool,
) -> (Vec<u64>, Total) {
    let experiences = &view.memory.experiences;
    let filters = view.filters(kind.map(|sort| Filter::new("type", sort.name())));
    let narrowed = filters.len() > usize::from(kind.is_some());
    if view.past || narrowed {
        return browse_some(view, &filters, least, wanted, skip);
    }
    let classes = view
        .memory
        .fading
        .iter()
        .filter(|((sort, _), _)| kind.is_none_or(|kind| kind == *sort));
    let mut lines: Vec<_> = classes
        .map(|((sort, confidence), fading)| {
            let rate = view.memory.half_lives.rate(*sort, *confidence);
            (rate, fading.iter().rev().peekable())
        })
        .collect();
    let mut found = Vec::new();
    let (mut looked, mut skipped) = (0, false);
    // Each class fades at its own rate and is sorted by age, so the next result is the most relevant of the
    // classes' first entries.
    while found.len() <= wanted && looked < LISTED {
        let next = lines
            .iter_mut()
            .filter_map(|(rate, line)| {
                let (learned, number) = **line.peek()?;
                Some((relevance(*rate, learned, view.at), number, line))
            })
            .max_by(|(one, number, _), (other, than, _)| one.total_cmp(other).then(number.cmp(than)));
        let Some((relevance, _, line)) = next else { break };
        let Some((_, number)) = line.next() else { break };
        looked += 1;
        if relevance < least {
            break;
        }
        let one = experiences.numbered(*number);
        match one.filter(|one| view.sees_experience(one)) {
            Some(one) if skip(one) => skipped = true,
            Some(_) => found.push(*number),
            None => {}
        }
    }
    let total = match (
        found.len() <= wanted && looked < LISTED,
        least > 0.0 || experiences.timed > 0 || skipped,
        kind,
    ) {
        (true, ..) => Total::Exactly(found.len()),
        (_, true, _) => Total::AtLeast(found.len()),
        (_, _, Some(sort)) => Total::Exactly(experiences.current.count(&Filter::new("type", sort.name()))),
        (_, _, None) => Total::Exactly(experiences.current.len()),
    };
    found.truncate(wanted);
    (found, total)
}

/// The same for past experiences or those of one namespace, which are not sorted by relevance.
fn browse_some(
    view: &View,
    filters: &[Filter],
    least: f64,
    wanted: usize,
    skip: impl Fn(&Experience) -> bool,
) -> (Vec<u64>, Total) {
    let experiences = &view.memory.experiences;
    let accept = |number| {
        let one = experiences.numbered(number);
        one.is_some_and(|one| view.sees_experience(one) && view.relevance(one) >= least && !skip(one))
    };
    let (mut found, mut all) = experiences.current.list(filters, LISTED, accept);
    if view.past {
        let (past, whole) = experiences.past.list(filters, LISTED, accept);
        found.extend(past);
        all &= whole;
    }
    let relevance = |number: &u64| {
        experiences
            .numbered(*number)
            .map_or(0.0, |one| view.relevance(one))
    };
    found.sort_by(|one, other| relevance(other).total_cmp(&relevance(one)).then(other.cmp(one)));
    let total = if all {
        Total::Exactly(found.len())
    } else {
        Total::AtLeast(found.len())
    };
    found.truncate(wanted);
    (found, total)
}

fn item(view: &View, one: &Experience, full: bool, rank: Rank) -> ExperienceItem {
    ExperienceItem {
        id: one.id.clone(),
        sort: one.sort,
        content: one.content.clone(),
        confidence: one.confidence,
        relevance: round(view.relevance(one)),
        tags: one.tags.clone(),
        details: details(one, full),
        span: Span::of(&one.life),
        rank,
    }
}

fn details(one: &Experience, full: bool) -> ExperienceDetails {
    if !full {
        return ExperienceDetails::default();
    }
    ExperienceDetails {
        context: Some(one.context.clone()),
        namespace: Some(one.namespace.clone()),
        times: Some(one.times),
        created_at: Some(crate::time::iso(one.life.created_at)),
    }
}

/// Remove what has faded below the threshold; all of it can be restored.
pub(crate) fn prune(draft: &mut Draft, arguments: &Arguments) -> Answer {
    let threshold = arguments.number("threshold").unwrap_or(THRESHOLD);
    let memory = draft.memory;
    let mut faded = Vec::new();
    for ((sort, confidence), fading) in &memory.fading {
        let rate = memory.half_lives.rate(*sort, *confidence);
        let Some(before) = learned_before(rate, threshold, draft.now) else {
            continue;
        };
        let below = fading
            .range(..(before, 0))
            .filter(|(learned, _)| relevance(rate, *learned, draft.now) < threshold);
        faded.extend(below.map(|(_, number)| *number));
    }
    faded.sort();
    let mut ids = Vec::new();
    for one in faded
        .into_iter()
        .filter_map(|number| memory.experiences.numbered(number))
    {
        ids.push(one.id.clone());
        take_out(draft, one);
    }
    Ok(json!(Pruned {
        pruned_count: ids.len(),
        pruned_ids: ids
    }))
}

pub(crate) fn remove(draft: &mut Draft, arguments: &Arguments) -> Answer {
    let id = arguments.required("experience_id");
    let found = draft
        .memory
        .experiences
        .get(&id)
        .filter(|one| one.life.removed_at.is_none());
    let before = found.ok_or_else(|| format!("Experience not found: {id}"))?;
    take_out(draft, before);
    let node = node_of(draft, before).filter(|node| node.life.removed_at.is_none());
    if let Some(node) = node {
        let mut after = node.clone();
        after.life.removed_at = Some(draft.now);
        draft.replace(Record::Node(node.clone()), Record::Node(after));
    }
    Ok(json!(Removed::Experience {
        id,
        node_id: node.map(|node| node.id.clone()),
    }))
}

/// Bring back what was removed, pruned or superseded.
pub(crate) fn restore(draft: &mut Draft, arguments: &Arguments) -> Answer {
    let id = arguments.required("experience_id");
    let before = draft
        .memory
        .experiences
        .get(&id)
        .ok_or_else(|| format!("Experience not found: {id}"))?;
    let mut after = before.clone();
    if !revive(&mut after.life) {
        return Err(format!("Experience is not removed: {id}"));
    }
    draft.replace(Record::Experience(before.clone()), Record::Experience(after));
    let node = node_of(draft, before).filter(|node| went_together(&node.life, &before.life));
    if let Some(node) = node {
        let mut after = node.clone();
        revive(&mut after.life);
        draft.replace(Record::Node(node.clone()), Record::Node(after));
    }
    Ok(json!(Restored::Experience {
        id,
        node_id: node.map(|node| node.id.clone()),
    }))
}

/// The node that was learned with an experience.
fn node_of<'a>(draft: &Draft<'a, '_>, one: &Experience) -> Option<&'a Node> {
    draft.memory.nodes.get(one.node_id.as_deref()?)
}
