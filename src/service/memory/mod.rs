//! The toolset `memory`: what an agent remembers. The crate `memory` implements the tools; this module is
//! what clients see.

mod arguments;
mod keeper;

use std::rc::Rc;
use std::sync::LazyLock;

use futures::FutureExt;
use futures::future::{LocalBoxFuture, ready};
use hornbook_engine::Capability;
use hornbook_mcp::{Call, Change, Object};
use hornbook_memory::{self as remembered, Desk};
use serde_json::{Value, json};

pub use keeper::{facts, of_book, open};

use crate::budget::most_tokens;
use crate::prompt::{Prompt, Subject, Text};
use crate::report::{Outcome, Report};
use crate::resource::{Contents, Resource, page_after};
use crate::toolset::{Hints, Served, Tool, Toolset, Topic};

/// What goals may use of the memory, and which tools change it.
pub const CAPABILITY: Capability = Capability {
    name: "memory",
    changed_by: &[
        ("kn_node", "the tool kn_graph or kn_intel"),
        ("kn_description", "the tool kn_graph or kn_intel"),
        ("kn_edge", "the tool kn_graph or kn_intel"),
        ("kn_tag", "the tool kn_graph or kn_intel"),
        ("kn_superseded", "the tool kn_experience or kn_intel"),
        ("kn_experience", "the tool kn_experience or kn_intel"),
        ("kn_relevance", "the tool kn_experience or kn_intel"),
        ("kn_context", "the tool kn_experience or kn_intel"),
        ("kn_project", "the tool kn_project"),
        ("kn_active_project", "the tool kn_project"),
        ("kn_goal", "the tool kn_project"),
        ("kn_log", "the tool kn_project"),
        ("kn_idea", "the tool kn_idea"),
    ],
};

const STATUS: &str = "kn://status";
const PROJECTS: &str = "kn://projects";
const MEMORIES: &str = "kn://memories";
const EXPORT: &str = "kn://export";

/// A memory as a toolset uses it.
pub(crate) type Shared = Rc<Desk>;

/// The whole memory.
pub fn toolset(desk: Rc<Desk>) -> Rc<dyn Served> {
    served(desk, "memory", INSTRUCTIONS, &*TOOLS)
}

/// The same, read-only, for hosts that separate reading from writing.
pub fn reading(desk: Rc<Desk>) -> Rc<dyn Served> {
    served(desk, "memory-read", READING_INSTRUCTIONS, &*READING)
}

fn served(
    desk: Rc<Desk>,
    name: &'static str,
    instructions: &'static str,
    tools: &'static [&'static Tool<Shared>],
) -> Rc<dyn Served> {
    let set = Toolset {
        name,
        instructions,
        checks_itself: true,
        tools,
        resources: &RESOURCES,
        prompts: &PROMPTS,
        topics: &TOPICS,
        task_id: |_, _| None,
        on_subscribe: |_, _, _| {},
        on_change: |desk, listener| {
            desk.on_change(move |changes| {
                for (uri, kinds) in CHANGED_BY {
                    let touched = |key: &str| kinds.iter().any(|kind| key.starts_with(kind));
                    if changes.iter().any(|change| touched(&change.key)) {
                        listener(Change::Resource(uri.into()));
                    }
                }
            });
        },
    };
    set.on(desk)
}

/// The records that each resource shows, by prefix.
const CHANGED_BY: [(&str, &[&str]); 4] = [
    (STATUS, &["node/", "edge/", "experience/", "project/", "idea/"]),
    (PROJECTS, &["project/", "log/"]),
    (MEMORIES, &["experience/"]),
    (EXPORT, &[""]),
];

const INSTRUCTIONS: &str = "The kn_ tools are a memory that lasts between sessions. Begin with the prompt kn_bootup or \
kn_intel recall; store what you learn with kn_intel learn, and correct it with supersedes; log what you did with \
kn_project log.";

const READING_INSTRUCTIONS: &str = "The kn_ tools read a memory that lasts between sessions. Begin with the prompt \
kn_bootup or kn_intel recall.";

/// A tool whose arguments the memory checks, as it knows what each action takes.
macro_rules! tool {
    ($name:literal, $title:literal, $description:expr, $only_reading:literal, $hints:expr, $call:expr) => {
        // Leaked once per tool; it lives as long as the program.
        &*Box::leak(Box::new(Tool {
            name: $name,
            title: $title,
            description: $description,
            arguments: arguments::arguments($name, $only_reading).leak(),
            hints: $hints,
            run: |desk, arguments, call| $call(desk, $name, arguments.into_object(), call).boxed_local(),
        }))
    };
}

macro_rules! change {
    ($name:literal, $title:literal, $description:expr) => {
        tool!($name, $title, $description, false, Hints::Destructive, call)
    };
}

macro_rules! read {
    ($name:literal, $title:literal, $description:expr) => {
        tool!($name, $title, $description, true, Hints::ReadOnly, read)
    };
}

type Tools = LazyLock<[&'static Tool<Shared>; 5]>;

pub(crate) static TOOLS: Tools = LazyLock::new(|| {
    [
        change!("kn_graph", "Knowledge graph", include_str!("tools/graph.md")),
        change!("kn_project", "Projects", include_str!("tools/project.md")),
        change!(
            "kn_experience",
            "Experiences",
            include_str!("tools/experience.md")
        ),
        change!("kn_idea", "Ideas", include_str!("tools/idea.md")),
        change!("kn_intel", "Learn and recall", include_str!("tools/intel.md")),
    ]
});

pub(crate) static READING: Tools = LazyLock::new(|| {
    [
        read!("kn_graph", "Knowledge graph", include_str!("tools/graph_read.md")),
        read!("kn_project", "Projects", include_str!("tools/project_read.md")),
        read!(
            "kn_experience",
            "Experiences",
            include_str!("tools/experience_read.md")
        ),
        read!("kn_idea", "Ideas", include_str!("tools/idea_read.md")),
        read!("kn_intel", "Recall", include_str!("tools/intel_read.md")),
    ]
});

async fn call(desk: Shared, tool: &'static str, arguments: Object, call: Call) -> Outcome {
    Ok(report(desk.call(tool, arguments, call.control()).await))
}

async fn read(desk: Shared, tool: &'static str, arguments: Object, call: Call) -> Outcome {
    Ok(report(desk.read(tool, arguments, call.control()).await))
}

/// Text and data say the same: hosts show a model one or the other.
fn report(outcome: Result<Object, String>) -> Report {
    let is_error = outcome.is_err();
    let structured = outcome.unwrap_or_else(|message| remembered::error(&message));
    Report {
        text: Value::Object(structured.clone()).to_string(),
        structured,
        is_error,
    }
}

static RESOURCES: [Resource<Shared>; 4] = [
    Resource {
        uri: STATUS,
        name: "Memory status",
        description: "Counts, and the active project",
        mime_type: JSON,
        text: Contents::Whole(|desk| text(remembered::status(&desk.memory()))),
    },
    Resource {
        uri: PROJECTS,
        name: "Projects",
        description: "All projects with their latest progress",
        mime_type: JSON,
        text: Contents::Whole(|desk| text(remembered::projects(&desk.memory()))),
    },
    Resource {
        uri: MEMORIES,
        name: "Memories",
        description: "The most relevant experiences",
        mime_type: JSON,
        text: Contents::Whole(|desk| text(remembered::memories(&desk.memory(), desk.now_ms()))),
    },
    Resource {
        uri: EXPORT,
        name: "Export",
        description: "All of the memory, a record a line; the last line says where the next page is",
        mime_type: "application/jsonl",
        text: Contents::Paged(|desk, after| export_page(desk, after)),
    },
];

/// Tokens of a page of the export, leaving room for its last line within a reply's budget.
const PAGE: usize = 9_800;

fn export_page(desk: &Desk, after: &str) -> String {
    let (mut page, mut used, mut last) = (String::new(), 0, after.to_string());
    while let Some((key, line)) = desk.export_after(&last) {
        used += 1 + most_tokens(&line);
        if used > PAGE && !page.is_empty() {
            page.push_str(&json!({ "next": page_after(EXPORT, &last) }).to_string());
            page.push('\n');
            break;
        }
        page.push_str(&line);
        page.push('\n');
        last = key;
    }
    page
}

const JSON: &str = "application/json";

fn text(reply: Object) -> LocalBoxFuture<'static, String> {
    ready(Value::Object(reply).to_string()).boxed_local()
}

static PROMPTS: [Prompt<Shared>; 2] = [
    Prompt {
        name: "kn_bootup",
        title: "Begin a session",
        description: "The active project, its recent progress, key memories, ideas in progress",
        subject: PROJECT,
        text: Text::Made(|desk, project| remembered::bootup(&desk.memory(), desk.now_ms(), project)),
    },
    Prompt {
        name: "kn_review",
        title: "Review a session",
        description: "What was done, what failed, what is next",
        subject: PROJECT,
        text: Text::Made(|desk, project| remembered::review(&desk.memory(), desk.now_ms(), project)),
    },
];

const PROJECT: Subject<Shared> = Subject {
    name: "project",
    description: "Name or id; default: the active one",
    complete: |desk, text| remembered::project_names(&desk.memory(), text),
};

static TOPICS: [Topic; 1] = [Topic {
    name: "memory",
    text: include_str!("help.md"),
}];
