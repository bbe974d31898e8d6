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
use hornbook_workspace::{Answers, Leaves, QueryStart, QueryStarted, Workspace};

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
        leaves: Leaves::All,
        value_chars: 0,
        exact: false,
    };
    let asked = start.assume.is_none().then(|| start.query.clone());
    let started = workspace.query_start(start, &control).await?;
    // What changes the book is an operation, and what cannot be asked will not be.
    let only_asks = |answers: &Answers| answers.fault.is_none() && answers.added + answers.removed == 0;
    if let Some(asked) = asked
        && started.answers.as_ref().is_none_or(only_asks)
    {
        workspace.note_asked(&asked);
    }
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
    let supposed = match (assumed, gone) {
        (None, _) => None,
        (Some(0), 0) => Some("Nothing assumed; the changes of this query are discarded.".to_owned()),
        (Some(0), gone) => Some(format!("Assumed: {} gone.", count(gone, "clause"))),
        (Some(_), 0) => None,
        (Some(assumed), gone) => Some(format!("Assumed: {}, and {gone} gone.", count(assumed, "clause"))),
    };
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
            let mut text = format!(
                "Query started: {}\nquery_id: {}",
                cut(&query, 200),
                ready.query_id
            );
            if let Some(supposed) = supposed {
                text.push_str(&format!("\n{supposed}"));
            }
            text.push_str("\nStatus: ready");
            let report = Report::new(text, QueryStartResult::Ready(ready));
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
            (
                solutions.report(supposed.as_deref().unwrap_or_default(), about),
                rest,
            )
        }
    }
}
