//! The tool `query_next`: the next answers of an open query.

use futures::FutureExt;

use super::results::QueryAnswers;
use super::solutions::Solutions;
use crate::person;
use crate::report::Outcome;
use crate::schema::{Argument, Arguments, Kind};
use crate::toolset::{Hints, Tool};
use hornbook_base::Control;
use hornbook_workspace::{QueryNext, Workspace};

pub(super) const QUERY_ID: Argument = Argument {
    name: "query_id",
    kind: Kind::Text,
    required: false,
    operations: &[],
    description: "",
};

pub(super) const TAKE: Argument = Argument {
    name: "take",
    kind: Kind::Integer(1),
    required: false,
    operations: &[],
    description: "",
};

pub(super) const TIMEOUT_MS: Argument = Argument {
    name: "timeout_ms",
    kind: Kind::Integer(1),
    required: false,
    operations: &[],
    description: "",
};

pub const TOOL: Tool<Workspace> = Tool {
    name: "query_next",
    title: "Next solutions",
    description: "Get the next solution(s); query_id defaults to the newest.",
    arguments: &[QUERY_ID, TAKE, TIMEOUT_MS],
    hints: Hints::Destructive,
    run: |workspace, arguments, call| {
        let workspace = workspace.with_reply_tokens(call.reply_tokens());
        run(workspace, arguments, person::control(&call)).boxed_local()
    },
};

async fn run(workspace: Workspace, arguments: Arguments, control: Control) -> Outcome {
    let next = QueryNext {
        query_id: arguments.text("query_id"),
        take: take(&arguments),
        timeout_ms: arguments.integer("timeout_ms"),
    };
    // A caller that did not name the query is told which one it was.
    let named = next.query_id.is_some();
    let answers = workspace.query_next(next, &control).await?;
    let id = answers.query_id.clone();
    let (solutions, rest) = Solutions::of(answers, workspace.reply_tokens());
    rest.into_iter().for_each(|rest| workspace.hold(rest));
    let heading = match named {
        true => String::new(),
        false => format!("query_id: {id}"),
    };
    let about = QueryAnswers {
        query_id: id,
        ..QueryAnswers::default()
    };
    Ok(solutions.report(&heading, about))
}

/// How many answers to return.
pub(super) fn take(arguments: &Arguments) -> Option<usize> {
    let take = arguments.integer("take")?;
    Some(take.try_into().unwrap_or(usize::MAX))
}
