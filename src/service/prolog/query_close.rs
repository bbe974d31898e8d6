//! The tool `query_close`: closes an open query.

use futures::FutureExt;

use super::query_next::QUERY_ID;
use super::results::{CloseStatus, QueryClose, QueryCloseResult};
use crate::report::{Outcome, Report};
use crate::schema::Arguments;
use crate::toolset::{Hints, Tool};
use hornbook_base::Control;
use hornbook_workspace::{QueryClosed, Workspace};

pub const TOOL: Tool<Workspace> = Tool {
    name: "query_close",
    title: "Close query",
    description: "Close a query.",
    arguments: &[QUERY_ID],
    hints: Hints::Tidies,
    run: |workspace, arguments, call| run(workspace, arguments, call.control()).boxed_local(),
};

async fn run(workspace: Workspace, arguments: Arguments, control: Control) -> Outcome {
    Ok(render(
        &workspace
            .query_close(arguments.text("query_id").as_deref(), &control)
            .await?,
    ))
}

/// Closing a query that is not open is not an error: the caller has what it wants.
pub(super) fn render(closed: &QueryClosed) -> Report {
    let (text, status) = match closed.was_open {
        true => ("Session closed", CloseStatus::Closed),
        false => ("No active session to close", CloseStatus::NoActiveSession),
    };
    let structured = QueryCloseResult::Close(QueryClose {
        status,
        query_id: closed.query_id.clone(),
    });
    Report::new(text, structured)
}
