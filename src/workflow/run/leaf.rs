//! What a node does by itself: code, a block in a book, an action, a DML program.

use std::rc::Rc;

use super::done::Done;
use super::node::Given;
use super::runner::Runner;
use super::{Code, CodeFailure, Event, Kind};
use crate::fault::{WorkflowFault, WorkflowFaultKind};
use crate::json::{Json, Object};
use crate::language::Language;
use crate::model::Output;
use crate::prolog::{Block, End, Executed};
use crate::state::{Did, Record};
use crate::template::is_template;

impl Runner {
    pub(super) async fn prolog(&self, code: &str, given: Given<'_>) -> Result<Done, WorkflowFault> {
        let Some(answers) = given.answers() else {
            return Ok(Done::waiting());
        };
        let block = Block {
            code,
            state: &given.seen(),
            answers: &answers,
            timeout_ms: given.limit_ms,
        };
        let executed = self.means.prolog.block(block).await?;
        if let End::Asks(question) = &executed.end {
            self.note(given, || given.asks(question.clone())).await?;
        }
        Ok(Done::of_block(executed))
    }

    /// Run Prolog in the run's book; its effects and its record are stored together.
    pub(super) async fn in_book(&self, code: &str, given: Given<'_>) -> Result<Done, WorkflowFault> {
        let Some(ledger) = &self.ledger else {
            return Err(WorkflowFault::no_book(given.name));
        };
        let Some(answers) = given.answers() else {
            return Ok(Done::waiting());
        };
        let block = Block {
            code,
            state: &given.seen(),
            answers: &answers,
            timeout_ms: given.limit_ms,
        };
        let done = |executed: &Executed| self.reduced_at_once(Done::of_block(executed.clone()), given);
        let record = |executed: &Executed| {
            let did: Did = match &executed.end {
                End::Asks(question) => given.asks(question.clone()),
                _ => (given.effect)(&done(executed)?)?,
            };
            Ok(Record {
                at_ms: self.means.clock.now_ms(),
                branch: given.branch.path.to_vec(),
                did,
            })
        };
        let (executed, number) = ledger.append_block(block, record).await?;
        if let End::Asks(question) = &executed.end {
            given.noted.borrow_mut().push(given.asks(question.clone()));
        }
        Ok(Done {
            recorded: Some(number),
            ..done(&executed)?
        })
    }

    /// Run Prolog in another book. Its effects are stored there together with its result, so that a resumed
    /// run finds it done.
    pub(super) async fn in_other_book(
        &self,
        name: &str,
        code: &str,
        given: Given<'_>,
    ) -> Result<Done, WorkflowFault> {
        let Some(book) = self.means.books.get(name) else {
            let message = format!("The book '{name}' does not exist: give it in the option `books`.");
            return Err(WorkflowFault::new(WorkflowFaultKind::Book, message));
        };
        let Some(answers) = given.answers() else {
            return Ok(Done::waiting());
        };
        let block = Block {
            code,
            state: &given.seen(),
            answers: &answers,
            timeout_ms: given.limit_ms,
        };
        let Given { branch, path, .. } = given;
        // A run that is not stored cannot be resumed.
        let key = self.ledger.as_ref();
        let key = key.map(|_| format!("{}/{}{path}", self.id, branch.prefix));
        let action = format!("run {}: node {}", self.id, given.name);
        let done = |executed: &Executed| self.reduced_at_once(Done::of_block(executed.clone()), given);
        let check = |executed: &Executed| (given.effect)(&done(executed)?).map(drop);
        let executed = book.run_for_other(key.as_deref(), &action, block, &check).await?;
        if let End::Asks(question) = &executed.end {
            self.note(given, || given.asks(question.clone())).await?;
        }
        done(&executed)
    }

    pub(super) async fn code(
        &self,
        language: Language,
        code: &str,
        given: Given<'_>,
    ) -> Result<Done, CodeFailure> {
        let replaced = match language {
            Language::Python if is_template(code) => {
                Some(self.scope(given.state, None, given.parallel_results).text(code)?)
            }
            _ => None,
        };
        let given = self
            .means
            .host
            .code(Code {
                language,
                code: replaced.as_deref().unwrap_or(code),
                state: given.state,
                variables: &self.workflow.names.variables,
                parallel_results: given.parallel_results,
                timeout_ms: given.limit_ms,
            })
            .await?;
        match given {
            Json::Object(updates) => Ok(Done::of(updates)),
            Json::Null => Ok(Done::default()),
            other => {
                let message = format!(
                    "The code of a node gives an object of values for the state, not {}.",
                    other.kind()
                );
                Err(WorkflowFault::new(WorkflowFaultKind::Code(language), message).into())
            }
        }
    }

    pub(super) async fn action(
        &self,
        name: &str,
        with: &Json,
        output: &Output,
        given: Given<'_>,
    ) -> Result<Done, WorkflowFault> {
        let with = self
            .scope(given.state, None, given.parallel_results)
            .values(with)?;
        let Given {
            branch,
            path,
            attempt,
            ..
        } = given;
        let key = format!("{}/{}{path}/{attempt}", self.id, branch.prefix);
        let (host, tell) = (&self.means.host, self.teller(given));
        let result = host.action(name, &with, given.state, &key, tell).await?;
        Ok(Done::of(match output {
            Output::Merged => match result {
                Json::Object(members) => members,
                other => [("result".to_owned(), other)].into(),
            },
            Output::Key(key) => [(key.clone(), result)].into(),
            Output::Members(members) => self.members(members, &result, given)?,
        }))
    }

    pub(super) async fn program(
        &self,
        code: &str,
        with: Option<&Json>,
        output: &Output,
        given: Given<'_>,
    ) -> Result<Done, WorkflowFault> {
        let params = match with {
            Some(with) => self
                .scope(given.state, None, given.parallel_results)
                .values(with)?,
            None => Json::Object(given.seen().into_owned()),
        };
        let tell = self.teller(given);
        let result = self.means.host.program(code, &params, tell).await?;
        Ok(Done::of(match (output, result) {
            (Output::Members(members), result) => self.members(members, &result, given)?,
            (Output::Key(key), Json::Object(mut result)) => {
                [(key.clone(), result.remove("answer").unwrap_or_default())].into()
            }
            (_, Json::Object(result)) => result,
            (_, _) => Object::new(),
        }))
    }

    /// What a node says while it runs becomes events of the run.
    fn teller(&self, given: Given<'_>) -> Rc<dyn Fn(Json)> {
        let (events, branch) = (self.events.clone(), given.branch.name.map(str::to_owned));
        let node = given.name.to_owned();
        Rc::new(move |event| {
            let event = Event {
                kind: Kind::NodeEvent {
                    node: node.clone(),
                    event,
                },
                branch: branch.clone(),
            };
            // If nobody listens any more, the run is being dropped.
            let _ = events.unbounded_send(event);
        })
    }

    /// Evaluate templates that may refer to `result`.
    pub(super) fn members(
        &self,
        members: &Object,
        result: &Json,
        given: Given<'_>,
    ) -> Result<Object, WorkflowFault> {
        let scope = self.scope(given.state, Some(result), given.parallel_results);
        members
            .iter()
            .map(|(key, template)| Ok((key.clone(), scope.values(template)?)))
            .collect()
    }
}
