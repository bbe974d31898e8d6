//! `kn_project`: projects and their logs.

use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::budget::{Page, Total, shown};
use crate::draft::{Answer, Draft};
use crate::memory::Memory;
use crate::record::{LogEntry, Phase, Project, Record};
use crate::results::{
    LogItem, LogKind, Logged, ProjectDetails, ProjectHead, ProjectItem, ProjectList, ProjectSummary,
    ProjectsResult, Removed, Restored,
};
use crate::time::iso;

/// Projects listed if no limit is given.
const PROJECTS: usize = 50;

pub(crate) fn create(draft: &mut Draft, arguments: &Arguments) -> Answer {
    let project = Project {
        id: draft.new_id(),
        number: draft.number(),
        name: arguments.required("name"),
        phase: Phase::Planning,
        active: false,
        goals: arguments.texts("goals").unwrap_or_default(),
        stakeholders: arguments.texts("stakeholders").unwrap_or_default(),
        success_metrics: arguments.texts("success_metrics").unwrap_or_default(),
        created_at: draft.now,
        removed_at: None,
    };
    draft.insert(Record::Project(project.clone()));
    Ok(json!(summary(&project)))
}

pub(crate) fn update(draft: &mut Draft, arguments: &Arguments) -> Answer {
    let before = find(draft.memory, &arguments.required("project_id"))?;
    let phase = arguments
        .text("phase")
        .and_then(Phase::read)
        .unwrap_or(before.phase);
    if !before.phase.may_become(phase) {
        return Err(format!(
            "Invalid phase transition: {} → {}{}",
            before.phase.name(),
            phase.name(),
            allowed(before.phase)
        ));
    }
    let texts = |name, before: &[String]| arguments.texts(name).unwrap_or_else(|| before.to_vec());
    let after = Project {
        number: draft.number(),
        name: arguments.required("name"),
        phase,
        goals: texts("goals", &before.goals),
        stakeholders: texts("stakeholders", &before.stakeholders),
        success_metrics: texts("success_metrics", &before.success_metrics),
        ..before.clone()
    };
    draft.replace(Record::Project(before.clone()), Record::Project(after.clone()));
    Ok(json!(summary(&after)))
}

/// Remove a project, with its log; it is no longer the active one.
pub(crate) fn remove(draft: &mut Draft, arguments: &Arguments) -> Answer {
    let before = find(draft.memory, &arguments.required("project_id"))?;
    let after = Project {
        active: false,
        removed_at: Some(draft.now),
        ..before.clone()
    };
    draft.replace(Record::Project(before.clone()), Record::Project(after));
    Ok(json!(Removed::Project {
        id: before.id.clone()
    }))
}

pub(crate) fn restore(draft: &mut Draft, arguments: &Arguments) -> Answer {
    let id = arguments.required("project_id");
    let Some(before) = draft.memory.removed_project(&id) else {
        find(draft.memory, &id)?;
        return Err(format!("Project is not removed: {id}"));
    };
    let after = Project {
        number: draft.number(),
        removed_at: None,
        ..before.clone()
    };
    draft.replace(Record::Project(before.clone()), Record::Project(after));
    Ok(json!(Restored::Project { id }))
}

fn allowed(phase: Phase) -> String {
    let next = Phase::ALL
        .into_iter()
        .filter(|next| *next != phase && phase.may_become(*next));
    let next: Vec<&str> = next.map(Phase::name).collect();
    match next.as_slice() {
        [] => format!(". {} is final", phase.name()),
        next => format!(". From {} it may become {}", phase.name(), next.join(" or ")),
    }
}

pub(crate) fn list(draft: &mut Draft, arguments: &Arguments) -> Answer {
    let memory = draft.memory;
    let mut active = memory.active_project.clone();
    if let Some(id) = arguments.text("set_active") {
        let next = find(memory, id)?;
        if let Some(before) = active
            .and_then(|id| memory.projects.get(&id))
            .filter(|one| one.id != id)
        {
            let after = Project {
                active: false,
                ..before.clone()
            };
            draft.replace(Record::Project(before.clone()), Record::Project(after));
        }
        if !next.active {
            let after = Project {
                active: true,
                ..next.clone()
            };
            draft.replace(Record::Project(next.clone()), Record::Project(after));
        }
        active = Some(id.to_string());
    }
    let is_active = |project: &Project| Some(&project.id) == active.as_ref();
    let offset = arguments.whole("offset").unwrap_or(0);
    let limit = arguments.whole("limit").unwrap_or(PROJECTS);
    if let Some(id) = arguments.text("project_id") {
        let project = find(memory, id)?;
        return Ok(one(
            memory,
            project,
            is_active(project),
            offset,
            limit,
            arguments.budget(),
        ));
    }
    let value = |project: &Project| json!(item(project, is_active(project)));
    // The active project first, then the most recently changed.
    let first = active.as_ref().and_then(|id| memory.projects.get(id));
    let others = newest(memory).filter(|project| !arguments.flag("active_only") && !is_active(project));
    let items = first
        .into_iter()
        .chain(others)
        .skip(offset)
        .take(limit)
        .map(value)
        .collect();
    let total = match arguments.flag("active_only") {
        true => usize::from(first.is_some()),
        false => memory.projects.len(),
    };
    let page = Page {
        items,
        offset,
        total: Total::Exactly(total),
    };
    let (projects, counts) = shown(&json!({}), page, arguments.budget());
    Ok(json!(ProjectsResult::All(ProjectList { projects, counts })))
}

/// One project in full, with its log, newest entry first.
fn one(
    memory: &Memory,
    project: &Project,
    active: bool,
    offset: usize,
    limit: usize,
    budget: usize,
) -> Value {
    let head = json!(ProjectHead {
        project: item(project, active),
        goals: project.goals.clone(),
        stakeholders: project.stakeholders.clone(),
        success_metrics: project.success_metrics.clone(),
    });
    let total = memory.logs.get(&project.id).map_or(0, |log| log.len());
    let items = log_of(memory, &project.id)
        .skip(offset)
        .take(limit)
        .map(entry_value)
        .collect();
    let page = Page {
        items,
        offset,
        total: Total::Exactly(total),
    };
    let head = crate::budget::fitted(head, budget / 2);
    let (log, counts) = shown(&head, page, budget);
    json!(ProjectsResult::One(ProjectDetails { head, log, counts }))
}

fn item(project: &Project, active: bool) -> ProjectItem {
    ProjectItem {
        id: project.id.clone(),
        name: project.name.clone(),
        phase: project.phase,
        active,
    }
}

fn entry_value(entry: &LogEntry) -> Value {
    json!(LogItem {
        id: entry.id.clone(),
        kind: kind(entry),
        action: entry.action.clone(),
        created_at: iso(entry.created_at),
        result: entry.result.clone(),
        next_step: entry.next_step.clone(),
    })
}

pub(crate) fn log(draft: &mut Draft, arguments: &Arguments) -> Answer {
    let project = find(draft.memory, &arguments.required("project_id"))?;
    let entry = LogEntry {
        id: draft.new_id(),
        number: draft.number(),
        project_id: project.id.clone(),
        failed: arguments.text("type") == Some("failure"),
        action: arguments.required("action_text"),
        result: arguments.text("result").map(str::to_string),
        next_step: arguments.text("next_step").map(str::to_string),
        created_at: draft.now,
    };
    let reply = json!(Logged {
        id: entry.id.clone(),
        project_id: entry.project_id.clone(),
        kind: kind(&entry),
        action: entry.action.clone(),
    });
    draft.insert(Record::Log(entry));
    Ok(reply)
}

pub(crate) fn kind(entry: &LogEntry) -> LogKind {
    if entry.failed {
        LogKind::Failure
    } else {
        LogKind::Progress
    }
}

fn find<'a>(memory: &'a Memory, id: &str) -> Result<&'a Project, String> {
    memory
        .projects
        .get(id)
        .ok_or_else(|| format!("Project not found: {id}"))
}

/// Projects, most recently changed first.
pub(crate) fn newest(memory: &Memory) -> impl Iterator<Item = &Project> {
    memory
        .projects_by_number
        .values()
        .rev()
        .filter_map(|id| memory.projects.get(id))
}

/// A project's log, newest entry first.
pub(crate) fn log_of<'a>(memory: &'a Memory, id: &str) -> impl Iterator<Item = &'a LogEntry> {
    memory.logs.get(id).into_iter().flat_map(|log| log.values().rev())
}

fn summary(project: &Project) -> ProjectSummary {
    ProjectSummary {
        project: item(project, project.active),
        goals: project.goals.clone(),
    }
}
