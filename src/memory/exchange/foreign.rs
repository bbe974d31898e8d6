//! Lines written by other memories.

use serde_json::{Map, Value};

use super::text;
use crate::decay::{Confidence, Sort};
use crate::graph::NAMESPACE;
use crate::record::{Edge, Experience, Idea, Life, LogEntry, Node, Phase, Project, Record, Status};
use crate::time::read_iso;

type Fields = Map<String, Value>;

/// An entity of `@modelcontextprotocol/server-memory`.
pub struct Entity {
    pub name: String,
    pub kind: String,
    pub observations: Vec<String>,
}

pub struct Relation {
    pub from: String,
    pub to: String,
    pub kind: String,
}

pub fn entity(fields: &Fields) -> Result<Entity, String> {
    let observations = match fields.get("observations") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(items)) => {
            let texts: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
            let texts = texts.ok_or("its observations are not all texts")?;
            texts.into_iter().map(str::to_owned).collect()
        }
        Some(_) => return Err("its observations are no array".into()),
    };
    Ok(Entity {
        name: text(fields, "name")?,
        kind: text(fields, "entityType")?,
        observations,
    })
}

pub fn relation(fields: &Fields) -> Result<Relation, String> {
    Ok(Relation {
        from: text(fields, "from")?,
        to: text(fields, "to")?,
        kind: text(fields, "relationType")?,
    })
}

/// A row of Kairn's database; `None` for a table that is not imported.
pub fn kairn(table: &str, row: &Fields) -> Result<Option<Record>, String> {
    let record = match table {
        "nodes" => Record::Node(Node {
            id: id(row, "id")?,
            number: 0,
            namespace: text(row, "namespace").unwrap_or_else(|_| NAMESPACE.into()),
            kind: text(row, "type")?,
            name: text(row, "name")?,
            description: text(row, "description").ok(),
            properties: json(row, "properties"),
            tags: texts(row, "tags"),
            source_type: text(row, "source_type").unwrap_or_else(|_| "manual".into()),
            updated_at: time(row, "updated_at")?,
            supersedes: None,
            life: life(row)?,
        }),
        "edges" => Record::Edge(Edge {
            source_id: id(row, "source_id")?,
            target_id: id(row, "target_id")?,
            kind: text(row, "type")?,
            number: 0,
            weight: row.get("weight").and_then(Value::as_f64).unwrap_or(1.0),
            properties: json(row, "properties"),
            since: None,
            life: life(row)?,
        }),
        "experiences" => {
            let life = life(row)?;
            Record::Experience(Experience {
                id: id(row, "id")?,
                number: 0,
                namespace: NAMESPACE.into(),
                sort: named(row, "type", Sort::read)?,
                content: text(row, "content")?,
                context: text(row, "context").ok(),
                confidence: named(row, "confidence", Confidence::read)?,
                tags: texts(row, "tags").unwrap_or_default(),
                learned_at: life.created_at,
                times: 1,
                node_id: text(row, "promoted_to_node_id").ok(),
                supersedes: None,
                life,
            })
        }
        "projects" => Record::Project(Project {
            id: id(row, "id")?,
            number: 0,
            name: text(row, "name")?,
            phase: named(row, "phase", Phase::read)?,
            active: row
                .get("active")
                .is_some_and(|active| *active == 1 || *active == true),
            goals: texts(row, "goals").unwrap_or_default(),
            stakeholders: texts(row, "stakeholders").unwrap_or_default(),
            success_metrics: texts(row, "success_metrics").unwrap_or_default(),
            created_at: created(row)?,
            removed_at: None,
        }),
        "progress" => Record::Log(LogEntry {
            id: id(row, "id")?,
            number: 0,
            project_id: id(row, "project_id")?,
            failed: text(row, "type")? == "failure",
            action: text(row, "action")?,
            result: text(row, "result").ok(),
            next_step: text(row, "next_step").ok(),
            created_at: created(row)?,
        }),
        "ideas" => Record::Idea(Idea {
            id: id(row, "id")?,
            number: 0,
            title: text(row, "title")?,
            status: named(row, "status", Status::read)?,
            category: text(row, "category").ok(),
            score: row.get("score").and_then(Value::as_f64),
            created_at: created(row)?,
            removed_at: None,
        }),
        _ => return Ok(None),
    };
    Ok(Some(record))
}

/// An id, which becomes part of a key.
fn id(row: &Fields, name: &str) -> Result<String, String> {
    let id = text(row, name)?;
    match id.contains('/') {
        true => Err(format!("its {name} has a slash: {id}")),
        false => Ok(id),
    }
}

fn named<T>(row: &Fields, name: &str, read: impl Fn(&str) -> Option<T>) -> Result<T, String> {
    let value = text(row, name)?;
    read(&value).ok_or_else(|| format!("its {name} is {value}, which is not a known one"))
}

/// SQLite stores JSON as text.
fn json(row: &Fields, name: &str) -> Option<Value> {
    let value = match row.get(name)? {
        Value::String(text) => serde_json::from_str(text).ok()?,
        other => other.clone(),
    };
    (!value.is_null()).then_some(value)
}

fn texts(row: &Fields, name: &str) -> Option<Vec<String>> {
    let items = json(row, name)?;
    let texts = items.as_array()?.iter().filter_map(Value::as_str);
    Some(texts.map(str::to_owned).collect())
}

fn time(row: &Fields, name: &str) -> Result<Option<u64>, String> {
    let Ok(text) = text(row, name) else {
        return Ok(None);
    };
    let read = read_iso(&text.replacen(' ', "T", 1));
    read.map(Some)
        .ok_or_else(|| format!("its {name} is {text}, which is not an ISO 8601 time"))
}

fn created(row: &Fields) -> Result<u64, String> {
    time(row, "created_at")?.ok_or_else(|| "it has no created_at".into())
}

fn life(row: &Fields) -> Result<Life, String> {
    Ok(Life {
        created_at: created(row)?,
        valid_from: time(row, "valid_from")?,
        valid_to: time(row, "valid_to")?,
        removed_at: time(row, "deleted_at")?,
        superseded_by: None,
    })
}
