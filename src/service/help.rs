//! The tool `help`.

use std::rc::Rc;

use futures::FutureExt;
use hornbook_base::{Fault, cut};
use hornbook_mcp::{Object, Reply};
use hornbook_workspace::Workspace;
use serde_json::Value;

use crate::prolog::{named, symbol_line};
use crate::report::{Report, invalid_argument};
use crate::schema::{Argument, Arguments, Kind};
use crate::toolset::{Hints, Served, Topic, declaration, reply};

pub const NAME: &str = "help";

/// The topics of all toolsets, in order.
#[derive(Clone)]
pub struct Help(Vec<&'static Topic>);

impl Help {
    pub fn of(sets: &[Rc<dyn Served>]) -> Help {
        Help(sets.iter().flat_map(|set| set.topics()).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn declaration(&self) -> Value {
        declaration(
            NAME,
            "Help",
            "How to use this server.",
            &self.arguments(),
            Hints::ReadOnly,
        )
    }

    /// `book` is the one that the toolsets read, if any.
    pub fn call(&self, arguments: Object, book: Option<Workspace>) -> Reply {
        let outcome = Arguments::check(&self.arguments(), arguments).map(|arguments| {
            let help = self.clone();
            async move {
                let text = match arguments.text("topic") {
                    Some(topic) if !help.names().contains(&&*topic) => help.on(&topic, book).await?,
                    topic => help.text(topic.as_deref()),
                };
                Ok(Report {
                    text,
                    ..Report::default()
                })
            }
            .boxed_local()
        });
        reply(outcome)
    }

    /// What the book has of a predicate, which is no topic: for tables the names of their columns.
    async fn on(&self, predicate: &str, book: Option<Workspace>) -> Result<String, Fault> {
        let mut lines = Vec::new();
        if let Some(book) = book {
            book.freshen().await;
            let symbols = book.symbols().await;
            let name = predicate
                .trim()
                .rsplit_once('/')
                .map_or(predicate.trim(), |(name, _)| name);
            for symbol in symbols.iter().filter(|symbol| named(&symbol.predicate) == name) {
                lines.push(symbol_line(symbol));
                let row = symbol.columns.iter().filter_map(|columns| columns.first());
                lines.extend(
                    row.map(|column| format!("`{name}{{{column}: X}}` names only the columns that it uses.")),
                );
            }
        }
        if lines.is_empty() {
            let message = format!("There is no help on '{}'.", cut(predicate, 100));
            let next = format!(
                "The topics are: {}. workspace list_symbols shows the predicates of the book.",
                self.names().join(", ")
            );
            return Err(invalid_argument(message, next));
        }
        Ok(lines.join("\n"))
    }

    /// The text of one topic; of all topics for `None` or an unknown topic. The first topic ends with the
    /// list of topics.
    pub fn text(&self, topic: Option<&str>) -> String {
        match self.0.iter().position(|known| Some(known.name) == topic) {
            Some(at) => self.text_at(at),
            None => {
                let texts: Vec<String> = (0..self.0.len()).map(|at| self.text_at(at)).collect();
                texts.join("\n")
            }
        }
    }

    fn text_at(&self, at: usize) -> String {
        let text = self.0[at].text;
        match at {
            0 => format!("{text}\nHelp topics: {}.\n", self.names().join(", ")),
            _ => text.to_string(),
        }
    }

    fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|topic| topic.name).collect()
    }

    pub fn arguments(&self) -> [Argument; 1] {
        [Argument {
            name: "topic",
            kind: Kind::Text,
            required: false,
            operations: &[],
            description: "overview lists them; or a predicate",
        }]
    }
}
