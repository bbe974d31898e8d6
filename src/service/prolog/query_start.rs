//! The tool `query_start`: opens a query.

use futures::FutureExt;

use super::query_next::{QUERY_ID, TAKE, TIMEOUT_MS, take};
use super::results::{QueryAnswers, QueryMode, QueryReady, QueryStartResult, Ready};
use super::solutions::Solutions;
use crate::person;
use crate::report::{Outcome, Report, count};
use crate::schema::{Argument, Arguments, Kind};
use crate::toolset::{Hints, Tool};
use hornbook_base::{Control, cut};
use hornbook_workspace::{Answers, QueryStart, QueryStarted, Workspace};

pub const TOOL: Tool<Workspace> = Tool {
    name: "query_start",
    title: "Start query",
    description: "Start a Prolog query; set take to get that many solutions at once, else call query_next.",
    arguments: &[
        Argument {
            name: "query",
            kind: Kind::Text,
            required: true,
            operations: &[],
            description: "",
        },
        Argument {
            name: "assume",
            kind: Kind::Texts,
            required: false,
            operations: &[],
            description: "clauses for this query alone",
        },
        Argument {
            name: "use_engine",
            kind: Kind::Flag,
            required: false,
            operations: &[],
            description: "",
        },
        QUERY_ID,
        TAKE,
        TIMEOUT_MS,
    ],
    hints: Hints::Destructive,
    run: |workspace, arguments, call| {
        let workspace = workspace.with_reply_tokens(call.reply_tokens());
        run(workspace, arguments, person::control(&call)).boxed_local()
    },
};

async fn run(workspace: Workspace, arguments: Arguments, control: Control) -> Outcome {
    let start = QueryStart {
        query: arguments.text("query").unwrap_or_default(),
        assume: arguments.texts("assume"),
        use_engine: arguments.flag("use_engine"),
        query_id: arguments.text("query_id"),
        take: take(&arguments),
        timeout_ms: arguments.integer("timeout_ms"),
        shown_as: None,
        awaited: false,
    };
    let started = workspace.query_start(start, &control).await?;
    let (report, rest) = render(started, workspace.reply_tokens());
    rest.into_iter().for_each(|rest| workspace.hold(rest));
    Ok(report)
}

/// The reply, and the answers that did not fit in it.
pub(super) fn render(started: QueryStarted, budget: usize) -> (Report, Option<Answers>) {
    let QueryStarted {
        query_id,
        query,
        assumed,
        gone,
        use_engine,
        variables,
        answers,
        notices,
    } = started;
    let mut heading = format!("Query started: {}\nquery_id: {query_id}", cut(&query, 200));
    match assumed {
        None => {}
        Some(0) if gone == 0 => {
            heading.push_str("\nNothing assumed; what this query changes is gone with it.")
        }
        Some(assumed) => {
            let clauses = match (assumed, gone) {
                (_, 0) => count(assumed, "clause"),
                (0, _) => format!("{} gone", count(gone, "clause")),
                _ => format!("{}, and {gone} gone", count(assumed, "clause")),
            };
            heading.push_str(&format!(
                "\nAssumed for this query alone: {clauses}; what it changes is gone with it."
            ));
        }
    }
    match answers {
        None => {
            let ready = QueryReady {
                query_id,
                mode: match use_engine {
                    true => QueryMode::Engine,
                    false => QueryMode::Standard,
                },
                status: Ready::Ready,
                variables,
                assumed,
                engine_ready: use_engine.then_some(true),
            };
            let report = Report::new(
                format!("{heading}\nStatus: ready"),
                QueryStartResult::Ready(ready),
            );
            (report.notices(&notices), None)
        }
        Some(mut answers) => {
            answers.notices.extend(notices);
            let (solutions, rest) = Solutions::of(answers, budget);
            let about = QueryAnswers {
                query_id,
                variables: Some(variables),
                assumed,
                ..QueryAnswers::default()
            };
            (solutions.report(&heading, about), rest)
        }
    }
}
