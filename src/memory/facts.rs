//! The memory as Prolog facts for engines (`prolog/memory/facts.pl`).

use std::fmt::Write;

use hornbook_engine::protocol::{list, quote};

use crate::decay::HalfLives;
use crate::record::{Edge, EdgeId, Experience, Idea, Life, LogEntry, Node, Project, Record};

/// The request that gives an engine these records by key; `None` removes one. A `new` engine has no records
/// yet. Records that cannot be read are left out.
pub fn tell(records: &[(&str, Option<&str>)], new: bool, half_lives: &HalfLives, now_ms: u64) -> String {
    let read: Vec<Record> = records
        .iter()
        .filter_map(|(key, text)| Record::read_text(key, (*text)?).ok())
        .collect();
    // Nothing is known before it was recorded, whatever the clock says.
    let latest = read.iter().map(Record::touched_at).max().unwrap_or(0);
    let mut out = String::from("memory_set(");
    write_time(&mut out, now_ms.max(latest));
    out.push(',');
    let known = match new {
        true => &[],
        false => records,
    };
    list(&mut out, known, |out, (key, _)| write_key(out, key));
    out.push(',');
    let mut facts = Writer {
        out: &mut out,
        half_lives,
        first: true,
    };
    facts.out.push('[');
    for record in &read {
        facts.record(record);
    }
    out.push_str("])");
    out
}

/// The edges among these records by key, as a list of terms `edge(Source, Type, Target)`.
pub fn edges<'r>(records: impl Iterator<Item = (&'r str, &'r str)>) -> String {
    let edges: Vec<Edge> = records
        .filter_map(|(key, text)| match Record::read_text(key, text).ok()? {
            Record::Edge(edge) => Some(edge),
            _ => None,
        })
        .collect();
    let mut out = String::new();
    list(&mut out, &edges, |out, edge| {
        for (at, argument) in [&edge.source_id, &edge.kind, &edge.target_id]
            .into_iter()
            .enumerate()
        {
            out.push_str(if at == 0 { "edge(" } else { "," });
            quote(out, argument, '\'');
        }
        out.push(')');
    });
    out
}

/// A record's key, in the form by which `set_records/3` removes it.
fn write_key(out: &mut String, key: &str) {
    let (kind, id) = key.split_once('/').unwrap_or((key, ""));
    let arguments: Vec<String> = match kind {
        "edge" => {
            let EdgeId { name, since } = EdgeId::of(id);
            vec![name.source_id, name.kind, name.target_id, since_text(since)]
        }
        _ => vec![id.to_string()],
    };
    quote(out, kind, '\'');
    out.push('(');
    for (at, argument) in arguments.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        quote(out, &argument, '\'');
    }
    out.push(')');
}

/// What tells an edge from others of its name, as an atom.
fn since_text(since: Option<u64>) -> String {
    since.map_or_else(|| "none".to_owned(), |since| since.to_string())
}

/// Write seconds since 1970, as a float.
pub(crate) fn write_time(out: &mut String, ms: u64) {
    let _ = write!(out, "{}.{:03}", ms / 1000, ms % 1000);
}

/// An argument of a fact.
enum Value<'a> {
    Atom(&'a str),
    Text(&'a str),
    Float(f64),
    /// Milliseconds since 1970.
    Time(u64),
    /// When something stops holding; `None` if it does not.
    End(Option<u64>),
}

struct Writer<'a> {
    out: &'a mut String,
    half_lives: &'a HalfLives,
    first: bool,
}

impl Writer<'_> {
    fn fact(&mut self, name: &str, arguments: &[Value]) {
        if !std::mem::take(&mut self.first) {
            self.out.push(',');
        }
        self.out.push_str(name);
        for (at, argument) in arguments.iter().enumerate() {
            self.out.push(if at == 0 { '(' } else { ',' });
            match argument {
                Value::Atom(text) => quote(self.out, text, '\''),
                Value::Text(text) => quote(self.out, text, '"'),
                Value::Float(number) => {
                    let _ = write!(self.out, "{number:?}");
                }
                Value::Time(ms) | Value::End(Some(ms)) => write_time(self.out, *ms),
                Value::End(None) => self.out.push_str("inf"),
            }
        }
        self.out.push(')');
    }

    fn record(&mut self, record: &Record) {
        match record {
            Record::Node(node) => self.node(node),
            Record::Edge(edge) => self.edge(edge),
            Record::Experience(one) => self.experience(one),
            Record::Project(project) if project.removed_at.is_some() => {}
            Record::Idea(idea) if idea.removed_at.is_some() => {}
            Record::Project(project) => self.project(project),
            Record::Log(entry) => self.log(entry),
            Record::Idea(idea) => self.idea(idea),
        }
    }

    fn node(&mut self, node: &Node) {
        use Value::*;
        let id = Atom(&node.id);
        let (from, to) = (Time(node.life.begins()), End(ends(&node.life)));
        let names = [
            id,
            Atom(&node.kind),
            Atom(&node.name),
            Atom(&node.namespace),
            from,
            to,
        ];
        self.fact("node", &names);
        if let Some(text) = &node.description {
            self.fact("description", &[Atom(&node.id), Text(text)]);
        }
        self.common(&node.id, node.tags.as_deref().unwrap_or_default(), &node.life);
    }

    fn edge(&mut self, edge: &Edge) {
        use Value::*;
        let (from, to) = (Time(edge.life.begins()), End(ends(&edge.life)));
        let (source, target) = (Atom(&edge.source_id), Atom(&edge.target_id));
        let (kind, weight) = (Atom(&edge.kind), Float(edge.weight));
        let since = since_text(edge.since);
        self.fact("edge", &[source, kind, target, weight, from, to, Atom(&since)]);
    }

    fn experience(&mut self, one: &Experience) {
        use Value::*;
        let (from, to) = (Time(one.life.begins()), End(ends(&one.life)));
        let (sort, confidence) = (Atom(one.sort.name()), Atom(one.confidence.name()));
        let (id, namespace) = (Atom(&one.id), Atom(&one.namespace));
        self.fact(
            "experience",
            &[id, sort, Text(&one.content), confidence, namespace, from, to],
        );
        // Per day.
        let rate = self.half_lives.rate(one.sort, one.confidence);
        self.fact("learned", &[Atom(&one.id), Time(one.learned_at), Float(rate)]);
        if let Some(text) = &one.context {
            self.fact("context", &[Atom(&one.id), Text(text)]);
        }
        self.common(&one.id, &one.tags, &one.life);
    }

    fn common(&mut self, id: &str, tags: &[String], life: &Life) {
        use Value::*;
        for tag in tags {
            self.fact("tag", &[Atom(id), Atom(tag)]);
        }
        if let Some((new, since)) = &life.superseded_by {
            self.fact("superseded", &[Atom(id), Atom(new), Time(*since)]);
        }
    }

    fn project(&mut self, project: &Project) {
        use Value::*;
        let active = if project.active { "true" } else { "false" };
        let (id, name) = (Atom(&project.id), Atom(&project.name));
        self.fact("project", &[id, name, Atom(project.phase.name()), Atom(active)]);
        for goal in &project.goals {
            self.fact("goal", &[Atom(&project.id), Text(goal)]);
        }
    }

    fn log(&mut self, entry: &LogEntry) {
        use Value::*;
        let kind = if entry.failed { "failure" } else { "progress" };
        let (id, project) = (Atom(&entry.id), Atom(&entry.project_id));
        self.fact(
            "log",
            &[
                id,
                project,
                Atom(kind),
                Text(&entry.action),
                Time(entry.created_at),
            ],
        );
    }

    fn idea(&mut self, idea: &Idea) {
        use Value::*;
        let score = idea.score.map_or(Atom("none"), Float);
        let category = Atom(idea.category.as_deref().unwrap_or("none"));
        let (id, status) = (Atom(&idea.id), Atom(idea.status.name()));
        self.fact("idea", &[id, Text(&idea.title), status, category, score]);
    }
}

/// When something stops being visible, as in [`Life::seen_at`].
fn ends(life: &Life) -> Option<u64> {
    let superseded = life.superseded_by.as_ref().map(|(_, when)| *when);
    [life.removed_at, life.valid_to, superseded]
        .into_iter()
        .flatten()
        .min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(key: &str, text: &str) -> String {
        tell(&[(key, Some(text))], false, &HalfLives::default(), 5_000)
    }

    #[test]
    fn a_node_is_told_with_its_validity_and_odd_names_are_data() {
        let node = r#"{"id":"n1","number":1,"namespace":"k","type":"it's","name":"a)],x(\"\n","description":"d\"",
            "properties":null,"tags":["t"],"source_type":"manual","updated_at":null,
            "life":{"created_at":1500,"valid_to":9000,"removed_at":8000,"superseded_by":["n2",7001]}}"#;
        assert_eq!(
            told("node/n1", node),
            r#"memory_set(8.000,['node'('n1')],[node('n1','it\'s','a)],x("\n','k',1.500,7.001),description('n1',"d\""),tag('n1','t'),superseded('n1','n2',7.001)])"#
        );
    }

    #[test]
    fn an_edge_is_found_by_its_key_whatever_its_type_and_floats_have_a_point() {
        let edge = r#"{"source_id":"a","target_id":"b","type":"x/y","number":2,"weight":1.0,"properties":null,
            "life":{"created_at":1}}"#;
        assert_eq!(
            told("edge/a/b/x/y", edge),
            "memory_set(5.000,['edge'('a','x/y','b','none')],[edge('a','x/y','b',1.0,0.001,inf,'none')])"
        );
        let again = edge.replace("\"properties\"", "\"since\":7,\"properties\"");
        assert_eq!(
            told("edge//7/a/b/x/y", &again),
            "memory_set(5.000,['edge'('a','x/y','b','7')],[edge('a','x/y','b',1.0,0.001,inf,'7')])"
        );
    }

    #[test]
    fn what_is_gone_is_forgotten_and_a_new_engine_forgets_nothing() {
        let none = [("idea/i", None), ("edge/a/b/c", None)];
        let half_lives = HalfLives::default();
        assert_eq!(
            tell(&none, false, &half_lives, 1),
            "memory_set(0.001,['idea'('i'),'edge'('a','c','b','none')],[])"
        );
        assert_eq!(tell(&none, true, &half_lives, 1), "memory_set(0.001,[],[])");
    }
}
