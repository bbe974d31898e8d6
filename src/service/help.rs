//! The tool `help`.

use std::borrow::Cow;
use std::rc::Rc;

use futures::FutureExt;
use hornbook_mcp::{Object, Reply};
use serde_json::Value;

use crate::report::Report;
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

    pub fn call(&self, arguments: Object) -> Reply {
        let outcome = Arguments::check(&self.arguments(), arguments).map(|arguments| {
            let text = self.text(arguments.text("topic").as_deref());
            async {
                Ok(Report {
                    text,
                    ..Report::default()
                })
            }
            .boxed_local()
        });
        reply(outcome)
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
            kind: Kind::Choice(Cow::Owned(self.names())),
            required: false,
            operations: &[],
            description: "",
        }]
    }
}
