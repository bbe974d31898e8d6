//! The memory at a glance, for resources and prompts.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use crate::arguments::DEFAULT_BUDGET;
use crate::budget::{Page, Total, fitted, shown};
use crate::draft::envelope;
use crate::experience::browse;
use crate::graph;
use crate::memory::Memory;
use crate::project::{kind, log_of, newest};
use crate::rank::round;
use crate::record::{Experience, LogEntry, Project, Status};
use crate::results::Counts;
use crate::search::View;
use crate::tools::Object;
use hornbook_base::cut;

/// The most projects shown, and the most entries of each.
const PROJECTS: usize = 50;
const ENTRIES: usize = 3;
/// The most experiences shown, their least relevance, and the most letters of each.
const MEMORIES: usize = 20;
const RELEVANT: f64 = 0.1;
const TOLD: usize = 200;

/// `kn://status`.
pub fn status(memory: &Memory) -> Object {
    let active = active(memory)
        .map(|project| json!({ "id": project.id, "name": project.name, "phase": project.phase }));
    let status = json!({ "graph": graph::status(memory), "active_project": active });
    envelope(fitted(status, DEFAULT_BUDGET))
}

#[derive(Serialize)]
struct Projects {
    projects: Vec<Value>,
    #[serde(flatten)]
    counts: Counts,
}

/// `kn://projects`.
pub fn projects(memory: &Memory) -> Object {
    let first = active(memory);
    let others = newest(memory).filter(|project| !project.active);
    let items = first.into_iter().chain(others).take(PROJECTS);
    let page = Page {
        items: items.map(|project| progress(memory, project)).collect(),
        offset: 0,
        total: Total::Exactly(memory.projects.len()),
    };
    let (projects, counts) = shown(&json!({}), page, DEFAULT_BUDGET);
    envelope(json!(Projects { projects, counts }))
}

fn progress(memory: &Memory, project: &Project) -> Value {
    let entries = log_of(memory, &project.id).take(ENTRIES);
    let entries: Vec<Value> = entries
        .map(|entry| json!({ "action": cut(&entry.action, TOLD), "type": kind(entry) }))
        .collect();
    json!({
        "id": project.id,
        "name": project.name,
        "phase": project.phase,
        "active": project.active,
        "goals": project.goals,
        "recent_progress": entries,
    })
}

/// `kn://memories`.
pub fn memories(memory: &Memory, now_ms: u64) -> Object {
    let view = View::now(memory, now_ms);
    let experiences: Vec<Value> = relevant(&view, RELEVANT, MEMORIES)
        .map(|one| {
            json!({
                "id": one.id,
                "type": one.sort,
                "content": begin(&one.content, TOLD),
                "confidence": one.confidence,
                "relevance": round(view.relevance(one)),
            })
        })
        .collect();
    let mut reply = json!({ "count": experiences.len() });
    reply["experiences"] = json!(experiences);
    envelope(reply)
}

fn relevant<'a>(view: &View<'a>, least: f64, most: usize) -> impl Iterator<Item = &'a Experience> {
    let memory = view.memory;
    let (found, _) = browse(view, None, least, most, |_| false);
    found
        .into_iter()
        .filter_map(|number| memory.experiences.numbered(number))
}

fn begin(text: &str, letters: usize) -> String {
    text.chars().take(letters).collect()
}

fn active(memory: &Memory) -> Option<&Project> {
    memory.projects.get(memory.active_project.as_ref()?)
}

/// The project with this id or name, or else the active one.
fn chosen<'a>(memory: &'a Memory, project: Option<&str>) -> Result<Option<&'a Project>, String> {
    match project {
        None => Ok(active(memory)),
        Some(text) => {
            let named = || newest(memory).find(|project| project.name == text);
            let found = memory.projects.get(text).or_else(named);
            found
                .map(Some)
                .ok_or_else(|| format!("Project not found: {text}"))
        }
    }
}

/// Lines are cut to this many letters.
const LINE: usize = 500;

fn joined(lines: &[String]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| cut(line, LINE)).collect();
    lines.join("\n")
}

/// `kn_bootup`: what to know when a session begins.
pub fn bootup(memory: &Memory, now_ms: u64, project: Option<&str>) -> Result<String, String> {
    let mut lines = vec!["# Kairn Session Context".to_string(), String::new()];
    match chosen(memory, project)? {
        Some(project) => {
            let title = if project.active {
                "Active Project"
            } else {
                "Project"
            };
            lines.push(format!("## {title}: {}", project.name));
            lines.push(format!("Phase: {}", project.phase.name()));
            if !project.goals.is_empty() {
                lines.push(format!("Goals: {}", project.goals.join(", ")));
            }
            let entries = log_of(memory, &project.id).take(5);
            let entries: Vec<String> = entries
                .map(|entry| {
                    format!(
                        "  [{}] {}",
                        if entry.failed { "FAIL" } else { "OK" },
                        entry.action
                    )
                })
                .collect();
            if !entries.is_empty() {
                lines.push("\nRecent progress:".into());
                lines.extend(entries);
            }
        }
        None => lines.push("No active project. Use kn_project(action=\"create\") to create one.".into()),
    }
    let view = View::now(memory, now_ms);
    let memories: Vec<String> = relevant(&view, 0.3, 5)
        .map(|one| format!("  [{}] {}", one.sort.name(), begin(&one.content, 80)))
        .collect();
    if !memories.is_empty() {
        lines.push("\n## Key Memories".into());
        lines.extend(memories);
    }
    let ideas = memory.ideas_by(Some(Status::Implementing), None);
    let ideas: Vec<String> = ideas
        .into_iter()
        .flat_map(BTreeMap::values)
        .take(3)
        .filter_map(|id| memory.ideas.get(id))
        .map(|idea| format!("  - {} ({})", idea.title, idea.status.name()))
        .collect();
    if !ideas.is_empty() {
        lines.push("\n## Ideas in Progress".into());
        lines.extend(ideas);
    }
    Ok(joined(&lines))
}

/// `kn_review`: what was done in a session, and what comes next.
pub fn review(memory: &Memory, now_ms: u64, project: Option<&str>) -> Result<String, String> {
    let mut lines = vec!["# Session Review".to_string(), String::new()];
    match chosen(memory, project)? {
        Some(project) => {
            lines.push(format!("## Project: {} ({})", project.name, project.phase.name()));
            let entries: Vec<&LogEntry> = log_of(memory, &project.id).take(10).collect();
            let (failed, done): (Vec<&LogEntry>, Vec<&LogEntry>) =
                entries.iter().partition(|entry| entry.failed);
            if !done.is_empty() {
                lines.push(format!("\n### Completed ({})", done.len()));
            }
            for entry in done {
                lines.push(format!("  - {}", entry.action));
                lines.extend(entry.result.iter().map(|result| format!("    Result: {result}")));
            }
            if !failed.is_empty() {
                lines.push(format!("\n### Issues ({})", failed.len()));
            }
            for entry in failed {
                lines.push(format!("  - {}", entry.action));
                lines.extend(entry.result.iter().map(|result| format!("    Error: {result}")));
                lines.extend(entry.next_step.iter().map(|next| format!("    Next: {next}")));
            }
            if let Some(next) = entries.first().and_then(|entry| entry.next_step.as_ref()) {
                lines.push("\n## Suggested Next Step".into());
                lines.push(next.clone());
            }
        }
        None => lines.push("No active project to review.".into()),
    }
    let view = View::now(memory, now_ms);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for one in relevant(&view, 0.0, 50) {
        *counts.entry(one.sort.name()).or_default() += 1;
    }
    if !counts.is_empty() {
        lines.push("\n## Memory Stats".into());
        lines.extend(counts.iter().map(|(kind, count)| format!("  {kind}: {count}")));
    }
    Ok(joined(&lines))
}

/// Names of projects that begin with `text`, most recently changed first.
pub fn project_names(memory: &Memory, text: &str) -> Vec<String> {
    let names = newest(memory).map(|project| &project.name);
    names
        .filter(|name| name.starts_with(text))
        .take(PROJECTS)
        .cloned()
        .collect()
}
