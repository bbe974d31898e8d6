//! `help`: how to use all this.

use futures::FutureExt;

use super::{Hints, Report, Tool};
use crate::help::{TOPICS, help};
use crate::schema::{Argument, Kind};
use hornbook_mcp::Object;

pub const TOOL: Tool = Tool {
    name: "help",
    title: "Help",
    description: "How to use this server.",
    arguments: &[Argument {
        name: "topic",
        kind: Kind::Choice(&TOPICS),
        required: false,
        description: "",
    }],
    hints: Hints::ReadOnly,
    run: |_, arguments, _| {
        let text = help(arguments.text("topic").as_deref());
        async move {
            Ok(Report {
                text,
                structured: Object::new(),
                is_error: false,
            })
        }
        .boxed_local()
    },
};
