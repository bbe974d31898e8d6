//! Exports and imports a memory as lines of JSON: our own format, that of
//! `@modelcontextprotocol/server-memory`, and rows of Kairn's database.
//!
//! Each of our own lines is an object with one field: the kind of record, with the record as stored.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use serde_json::{Map, Value};

use crate::draft::{CallContext, Draft};
use crate::graph::next_since;
use crate::memory::Memory;
use crate::record::{Change, Edge, EdgeName, Life, Node, Record};

mod foreign;

use foreign::{Entity, Relation};

/// The line of a record, without the newline.
pub fn line(key: &str, record: &str) -> String {
    let kind = key.split_once('/').map_or(key, |(kind, _)| kind);
    format!("{{\"{kind}\":{record}}}")
}

/// The changes of an import, and its report.
#[derive(Debug, Default)]
pub struct Import {
    pub changes: Vec<Change>,
    pub report: Report,
}

/// The result of an import.
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(rename = "MemoryImport", optional_fields)
)]
pub struct Report {
    pub added: usize,
    pub replaced: usize,
    /// Records that were already there unchanged.
    pub unchanged: usize,
    /// How many lines were not imported.
    pub not_taken: usize,
    /// The first of them, by line.
    pub problems: Vec<Problem>,
    /// How many more there are.
    #[serde(skip_serializing_if = "is_none")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<usize>"))]
    pub problems_left_out: usize,
    /// The warnings of the book's rules.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>"))]
    pub warnings: Vec<String>,
}

/// A line that was not imported.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "MemoryImportProblem"))]
pub struct Problem {
    /// From 1.
    pub line: usize,
    pub why: String,
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

/// The content of a line.
enum Line {
    Record(Box<Record>),
    Entity(Entity),
    Relation(Relation),
}

impl Line {
    fn of(record: Record) -> Line {
        Line::Record(Box::new(record))
    }
}

/// Import lines. Records keep their ids; a record whose id exists replaces the existing one.
pub fn import(memory: &Memory, text: &str, given: CallContext) -> Import {
    let mut import = Importer {
        draft: Draft::new(memory, given),
        report: Report::default(),
        names: None,
        entities: HashMap::new(),
        active: memory.active_project.clone(),
        there: HashSet::new(),
    };
    let mut lines: Vec<(usize, Line)> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() {
            continue;
        }
        match read(line) {
            Ok(Some(line)) => lines.push((at + 1, line)),
            Ok(None) => {}
            Err(why) => import.problem(at + 1, why),
        }
    }
    // Records come before those that refer to them; otherwise the order in which they were recorded is kept.
    lines.sort_by_key(|(at, line)| (rank(line), number(line), *at));
    for (at, line) in lines {
        if let Err(why) = import.take(line) {
            import.problem(at, why);
        }
    }
    let mut report = import.report;
    report.problems.sort();
    report.not_taken = report.problems.len();
    report.problems.truncate(Report::SHOWN);
    report.problems_left_out = report.not_taken - report.problems.len();
    Import {
        changes: import.draft.changes,
        report,
    }
}

fn rank(line: &Line) -> u8 {
    match line {
        Line::Record(record) if matches!(**record, Record::Edge(_) | Record::Log(_)) => 1,
        Line::Relation(_) => 2,
        _ => 0,
    }
}

fn number(line: &Line) -> u64 {
    match line {
        Line::Record(record) => record.number(),
        _ => 0,
    }
}

/// `None` for a line with nothing to import.
fn read(line: &str) -> Result<Option<Line>, String> {
    let value: Value = serde_json::from_str(line).map_err(|error| format!("it is not JSON: {error}"))?;
    let Value::Object(fields) = value else {
        return Err("it is not a JSON object".into());
    };
    if let Some(table) = fields.get("table").and_then(Value::as_str) {
        let row = fields.get("row").and_then(Value::as_object);
        let row = row.ok_or("a line with a table needs its row")?;
        return foreign::kairn(table, row).map(|record| record.map(Line::of));
    }
    match fields.get("type").and_then(Value::as_str) {
        Some("entity") => return foreign::entity(&fields).map(|entity| Some(Line::Entity(entity))),
        Some("relation") => return foreign::relation(&fields).map(|relation| Some(Line::Relation(relation))),
        _ => {}
    }
    let mut fields = fields.into_iter();
    match (fields.next(), fields.next()) {
        (Some((kind, value)), None) => Record::named(&kind, &value).map(|record| Some(Line::of(record))),
        _ => {
            Err("it is neither a record of Hornbook's, nor an entity or a relation of server-memory's".into())
        }
    }
}

struct Importer<'a, 'g> {
    draft: Draft<'a, 'g>,
    report: Report,
    /// Nodes of earlier imports, by name.
    names: Option<HashMap<&'a str, &'a Node>>,
    /// Ids of entities, by name.
    entities: HashMap<String, String>,
    active: Option<String>,
    /// Keys of records from earlier lines.
    there: HashSet<String>,
}

impl<'a> Importer<'a, '_> {
    fn problem(&mut self, line: usize, why: String) {
        self.report.problems.push(Problem { line, why });
    }

    fn take(&mut self, line: Line) -> Result<(), String> {
        match line {
            Line::Record(record) => self.record(*record),
            Line::Entity(entity) => self.entity(entity),
            Line::Relation(relation) => self.relation(relation),
        }
    }

    fn record(&mut self, mut record: Record) -> Result<(), String> {
        let key = record.key();
        if !self.there.insert(key.clone()) {
            return Err(format!("{key} is there twice"));
        }
        match &mut record {
            Record::Edge(edge) => {
                for id in [&edge.source_id, &edge.target_id] {
                    self.check_there("node", id)?;
                }
                if !(0.0..=1.0).contains(&edge.weight) {
                    return Err(format!("its weight is {}, and not from 0 to 1", edge.weight));
                }
            }
            Record::Log(entry) => self.check_there("project", &entry.project_id)?,
            Record::Project(project) => {
                let other = self.active.as_ref().is_some_and(|active| *active != project.id);
                project.active &= !other;
                if project.active {
                    self.active = Some(project.id.clone());
                }
            }
            _ => {}
        }
        let before = self.draft.memory.record(&key);
        // An existing record keeps its place among the others.
        if let Some(before) = &before {
            record.set_number(before.number());
            if *before == record {
                self.report.unchanged += 1;
                return Ok(());
            }
        }
        record.set_number(self.draft.number());
        self.put(before, record);
        Ok(())
    }

    fn put(&mut self, before: Option<Record>, after: Record) {
        match before {
            Some(before) => {
                self.report.replaced += 1;
                self.draft.replace(before, after);
            }
            None => {
                self.report.added += 1;
                self.draft.insert(after);
            }
        }
    }

    /// Check that the record exists, or that an earlier line has it.
    fn check_there(&self, kind: &str, id: &str) -> Result<(), String> {
        let key = format!("{kind}/{id}");
        if self.there.contains(&key) || self.draft.memory.record(&key).is_some() {
            return Ok(());
        }
        Err(format!("there is no {kind} {id}"))
    }

    fn imported(&mut self, name: &str) -> Option<&'a Node> {
        let memory = self.draft.memory;
        let names = self.names.get_or_insert_with(|| {
            let nodes = memory.nodes.by_id.values();
            let imported = nodes.filter(|node| node.source_type == IMPORT && node.life.is_current());
            imported.map(|node| (node.name.as_str(), node)).collect()
        });
        names.get(name).copied()
    }

    fn entity(&mut self, entity: Entity) -> Result<(), String> {
        if self.entities.contains_key(&entity.name) {
            return Err(format!("there are two entities of the name {}", entity.name));
        }
        let before = self.imported(&entity.name);
        let id = before.map_or_else(|| self.draft.new_id(), |node| node.id.clone());
        self.entities.insert(entity.name.clone(), id.clone());
        self.there.insert(format!("node/{id}"));
        let description = (!entity.observations.is_empty()).then(|| entity.observations.join("\n"));
        if let Some(before) = before
            && before.kind == entity.kind
            && before.description == description
        {
            self.report.unchanged += 1;
            return Ok(());
        }
        let node = Node {
            id,
            number: self.draft.number(),
            namespace: crate::graph::NAMESPACE.into(),
            kind: entity.kind,
            name: entity.name,
            description,
            properties: None,
            tags: None,
            source_type: IMPORT.into(),
            updated_at: before.map(|_| self.draft.now),
            supersedes: None,
            life: before.map_or_else(|| self.now(), |node| node.life.clone()),
        };
        self.put(before.cloned().map(Record::Node), Record::Node(node));
        Ok(())
    }

    fn relation(&mut self, relation: Relation) -> Result<(), String> {
        let mut end = |name: &String| {
            let known = self.entities.get(name).cloned();
            let id = known.or_else(|| self.imported(name).map(|node| node.id.clone()));
            id.ok_or_else(|| format!("there is no entity {name}"))
        };
        let name = EdgeName {
            source_id: end(&relation.from)?,
            target_id: end(&relation.to)?,
            kind: relation.kind,
        };
        let memory = self.draft.memory;
        if memory.edges_named(&name).any(|edge| edge.life.is_current()) {
            self.report.unchanged += 1;
            return Ok(());
        }
        let life = self.now();
        let edge = Edge {
            since: next_since(memory, &name, &life),
            source_id: name.source_id,
            target_id: name.target_id,
            kind: name.kind,
            number: self.draft.number(),
            weight: 1.0,
            properties: None,
            life,
        };
        let edge = Record::Edge(edge);
        if !self.there.insert(edge.key()) {
            return Err("it is there twice".into());
        }
        self.put(None, edge);
        Ok(())
    }

    fn now(&self) -> Life {
        Life {
            created_at: self.draft.now,
            ..Life::default()
        }
    }
}

const IMPORT: &str = "import";

impl Report {
    /// The most problems that are listed.
    const SHOWN: usize = 50;
}

/// A text field of a line; the error is a sentence if it is missing or not a text.
fn text(fields: &Map<String, Value>, name: &str) -> Result<String, String> {
    match fields.get(name) {
        Some(Value::String(text)) if !text.trim().is_empty() => Ok(text.clone()),
        Some(Value::String(_)) | Some(Value::Null) | None => Err(format!("it has no {name}")),
        Some(other) => Err(format!("its {name} is {other}, and no text")),
    }
}
