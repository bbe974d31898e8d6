//! The tool `help`.

use std::rc::Rc;

use futures::FutureExt;
use hornbook_base::{Fault, cut};
use hornbook_mcp::{Object, Reply};
use hornbook_workspace::{Symbol, Workspace};
use serde_json::Value;

use crate::budget::{NOTE, fitted};
use crate::prolog::{named, quoted, symbol_line};
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

    /// `book` is the one that the toolsets read, if any; `most` the tokens of a reply.
    pub fn call(&self, arguments: Object, book: Option<Workspace>, most: usize) -> Reply {
        let outcome = Arguments::check(&self.arguments(), arguments).map(|arguments| {
            let help = self.clone();
            async move {
                let text = match arguments.text("topic") {
                    Some(topic) if !help.names().contains(&&*topic) => help.on(&topic, book, most).await?,
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

    /// What the book has of a predicate, which is no topic, as far as it fits into `most` tokens: for tables the names of their
    /// columns. `orders from 120` goes on where a reply was cut.
    async fn on(&self, topic: &str, book: Option<Workspace>, most: usize) -> Result<String, Fault> {
        let continued = { topic.trim().rsplit_once(" from ") }
            .and_then(|(predicate, from)| Some((predicate.trim(), from.trim().parse().ok()?)));
        let (predicate, from) = continued.unwrap_or((topic.trim(), 0_usize));
        let (name, arity) = { predicate.rsplit_once('/') }
            .and_then(|(name, arity)| Some((name, Some(arity.parse::<u32>().ok()?))))
            .unwrap_or((predicate, None));
        let symbols = match &book {
            Some(book) => {
                book.freshen().await;
                book.symbols().await
            }
            None => Vec::new(),
        };
        let (meant, others): (Vec<&Symbol>, Vec<&Symbol>) = { symbols.iter() }
            .filter(|symbol| named(&symbol.predicate) == name)
            .partition(|symbol| arity.is_none_or(|arity| arity == symbol.predicate.arity));
        if meant.is_empty() {
            let shown = cut(predicate, 100);
            if others.is_empty() {
                let next = format!(
                    "The topics are: {}. workspace list_symbols shows the predicates of the book.",
                    self.names().join(", ")
                );
                return Err(invalid_argument(format!("There is no help on '{shown}'."), next));
            }
            let others: Vec<String> = others.iter().map(|symbol| symbol_line(symbol)).collect();
            let message = format!("The book has no {shown}.");
            return Err(invalid_argument(
                message,
                format!("It has {}.", others.join("; ")),
            ));
        }
        let hint = meant.iter().find_map(|symbol| symbol.columns.as_ref()?.first());
        let hint = hint.map(|column| {
            let column = match column.parse::<u64>() {
                Ok(_) => column.clone(),
                Err(_) => quoted(column),
            };
            format!("`{name}{{{column}: X}}` names only the columns that it uses.")
        });
        let lines: Vec<String> = meant.iter().map(|symbol| symbol_line(symbol)).collect();
        let text = lines.join("\n");
        let pieces: Vec<&str> = text.split_inclusive(", ").skip(from).collect();
        let room = most.saturating_sub(2 * NOTE);
        let shown = fitted(room, pieces.iter().map(|piece| ((*piece).to_owned(), ())));
        let next = from + shown.data.len();
        let more = (shown.data.len() < pieces.len())
            .then(|| format!("… it goes on with the topic `{predicate} from {next}`"));
        let parts = [Some(shown.text), more, hint];
        Ok(parts.into_iter().flatten().collect::<Vec<_>>().join("\n"))
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
