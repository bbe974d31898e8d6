//! What a node does.

use futures::StreamExt;
use futures::future::LocalBoxFuture;
use futures::stream;

use super::{Branch, Code, Kind, Runner, branch_result};
use crate::fault::{Fault, FaultKind};
use crate::json::{Json, Object};
use crate::model::{Each, ErrorMode, Language, Node, OnError, Output, Step, Work};
use crate::prolog::End;
use crate::template::is_template;

/// What a node has done.
#[derive(Default)]
pub(super) struct Done {
    pub updates: Object,
    pub output: String,
    /// The line and the goal of its Prolog that failed.
    pub failed: Option<(u32, String)>,
    pub parallel_results: Option<Json>,
    /// Where to go on after an error.
    pub fallback: Option<usize>,
}

impl Done {
    fn of(updates: Object) -> Done {
        Done {
            updates,
            ..Done::default()
        }
    }

    /// What comes after it, on top of it.
    fn and(&mut self, later: Done) {
        self.updates.extend(later.updates);
        self.output.push_str(&later.output);
        self.failed = later.failed.or(self.failed.take());
    }
}

/// What an attempt is given.
#[derive(Clone, Copy)]
struct Given<'a> {
    /// The node or the step, for actions and in events.
    name: &'a str,
    state: &'a Object,
    parallel_results: Option<&'a Json>,
    branch: Option<&'a str>,
    attempt: u64,
}

/// Why an attempt failed, and the state that it left to the next.
struct Failure {
    fault: Fault,
    state: Option<Object>,
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure { fault, state: None }
    }
}

impl Runner {
    pub(super) async fn node(
        &self,
        node: &Node,
        state: &Object,
        parallel_results: Option<&Json>,
        branch: Branch<'_>,
    ) -> Result<Done, Fault> {
        let given = Given {
            name: &node.name,
            state,
            parallel_results,
            branch: branch.name,
            attempt: 1,
        };
        self.tried(&node.work, &node.on_error, given).await
    }

    /// Do the work, as often as `on_error` says.
    fn tried<'a>(
        &'a self,
        work: &'a Work,
        on_error: &'a OnError,
        given: Given<'a>,
    ) -> LocalBoxFuture<'a, Result<Done, Fault>> {
        Box::pin(async move {
            let mut left: Option<Object> = None;
            let mut attempt = 1;
            let fault = loop {
                let tried = Given {
                    state: left.as_ref().unwrap_or(given.state),
                    attempt,
                    ..given
                };
                let failure = match self.work(work, tried).await {
                    Ok(done) => return Ok(done),
                    Err(failure) => failure,
                };
                if on_error.mode != ErrorMode::Retry || attempt > on_error.retries.most {
                    break failure.fault;
                }
                let delay_ms = on_error.retries.delay_ms(attempt);
                let retry = Kind::Retry {
                    attempt,
                    delay_ms,
                    fault: failure.fault,
                };
                self.tell(Some(given.name), given.branch, retry);
                self.hands.sleep(delay_ms).await;
                left = failure.state.or(left);
                attempt += 1;
            };
            if on_error.mode != ErrorMode::Graceful && on_error.fallback.is_none() {
                return Err(fault);
            }
            let error = [
                ("node", Json::Text(given.name.to_owned())),
                ("type", Json::Text(fault.kind.word().into())),
                ("message", Json::Text(fault.message.clone())),
            ];
            let error = error
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect();
            self.tell(Some(given.name), given.branch, Kind::Held { fault });
            Ok(Done {
                updates: [("__error__".to_owned(), error)].into(),
                fallback: on_error.fallback,
                ..Done::default()
            })
        })
    }

    async fn work(&self, work: &Work, given: Given<'_>) -> Result<Done, Failure> {
        match work {
            Work::Nothing => Ok(Done::default()),
            Work::Code {
                language: Language::Prolog,
                code,
            } => Ok(self.prolog(code, given).await?),
            Work::Code { language, code } => self.code(*language, code, given).await,
            Work::Expression { expression, key } => {
                let scope = self.scope(given.state, None, given.parallel_results);
                Ok(Done::of([(key.clone(), scope.expression(expression)?)].into()))
            }
            Work::Action { name, with, output } => Ok(self.action(name, with, output, given).await?),
            Work::Steps(steps) => Ok(self.steps(steps, given).await?),
            Work::Loop {
                condition,
                most,
                body,
            } => {
                let mut done = Done::default();
                let mut state = given.state.clone();
                for round in 0..*most {
                    if !self.holds(condition, &state, None).await? {
                        break;
                    }
                    let within = Given {
                        state: &state,
                        ..given
                    };
                    let inner = self.steps(body, within).await.map_err(|fault| Fault {
                        message: format!("In round {} of the loop: {}", round + 1, fault.message),
                        ..fault
                    })?;
                    state.extend(inner.updates.clone());
                    done.and(inner);
                }
                Ok(done)
            }
            Work::Each(each) => Ok(self.each(each, given).await?),
        }
    }

    async fn prolog(&self, code: &str, given: Given<'_>) -> Result<Done, Fault> {
        let with_results = given.parallel_results.map(|results| {
            let mut state = given.state.clone();
            state
                .entry("parallel_results".into())
                .or_insert_with(|| results.clone());
            state
        });
        let state = with_results.as_ref().unwrap_or(given.state);
        let executed = self.hands.prolog(code, state).await?;
        let (updates, failed) = match executed.end {
            End::Solutions(solutions) => (solutions.into_iter().next().unwrap_or_default(), None),
            End::Failed(place) => (Object::new(), Some((place.line, place.goal))),
        };
        Ok(Done {
            updates,
            output: executed.output,
            failed,
            ..Done::default()
        })
    }

    async fn code(&self, language: Language, code: &str, given: Given<'_>) -> Result<Done, Failure> {
        let replaced = match language {
            Language::Python if is_template(code) => {
                Some(self.scope(given.state, None, given.parallel_results).text(code)?)
            }
            _ => None,
        };
        let coded = self
            .hands
            .code(Code {
                language,
                code: replaced.as_deref().unwrap_or(code),
                state: given.state,
                variables: &self.workflow.names.variables,
                parallel_results: given.parallel_results,
            })
            .await;
        match coded.result {
            Ok(Json::Object(updates)) => Ok(Done::of(updates)),
            Ok(Json::Null) => Ok(Done::default()),
            Ok(other) => {
                let message = format!(
                    "The code of a node gives an object of values for the state, not {}.",
                    other.kind()
                );
                Err(Fault::new(FaultKind::Code(language), message).into())
            }
            Err(fault) => Err(Failure {
                fault,
                state: coded.state,
            }),
        }
    }

    async fn action(
        &self,
        name: &str,
        with: &Json,
        output: &Output,
        given: Given<'_>,
    ) -> Result<Done, Fault> {
        let with = self
            .scope(given.state, None, given.parallel_results)
            .values(with)?;
        let key = format!("{}/{}/{}", self.id, given.name, given.attempt);
        let result = self.hands.action(name, &with, given.state, &key).await?;
        Ok(Done::of(match output {
            Output::Merged => match result {
                Json::Object(members) => members,
                other => [("result".to_owned(), other)].into(),
            },
            Output::Key(key) => [(key.clone(), result)].into(),
            Output::Members(members) => {
                let scope = self.scope(given.state, Some(&result), given.parallel_results);
                members
                    .iter()
                    .map(|(key, template)| Ok((key.clone(), scope.values(template)?)))
                    .collect::<Result<_, Fault>>()?
            }
        }))
    }

    /// One after the other, each with what those before it gave.
    fn steps<'a>(&'a self, steps: &'a [Step], given: Given<'a>) -> LocalBoxFuture<'a, Result<Done, Fault>> {
        Box::pin(async move {
            let mut done = Done::default();
            let mut state = given.state.clone();
            for step in steps {
                let name = format!("{}.{}", given.name, step.name);
                let within = Given {
                    name: &name,
                    state: &state,
                    ..given
                };
                let inner = self.tried(&step.work, &step.on_error, within).await;
                let inner = inner.map_err(|fault| Fault {
                    message: format!("Step '{}': {}", step.name, fault.message),
                    ..fault
                })?;
                state.extend(inner.updates.clone());
                done.and(inner);
            }
            Ok(done)
        })
    }

    async fn each(&self, each: &Each, given: Given<'_>) -> Result<Done, Fault> {
        let items = self
            .scope(given.state, None, given.parallel_results)
            .values(&each.items)?;
        let items = match items {
            Json::Array(items) => items,
            Json::Null => Vec::new(),
            other => {
                let message = format!(
                    "The items of node '{}' are {}, and must be a list.",
                    given.name,
                    other.kind()
                );
                return Err(Fault::new(FaultKind::Template, message));
            }
        };
        let names: Vec<String> = (0..items.len())
            .map(|index| format!("{}[{index}]", given.name))
            .collect();
        self.tell(
            Some(given.name),
            given.branch,
            Kind::BranchesStart {
                branches: names.clone(),
            },
        );
        let at_once = each.at_once.unwrap_or(items.len()).max(1);
        let branches = items
            .iter()
            .enumerate()
            .zip(&names)
            .map(|((index, item), name)| async move {
                let begun = self.hands.now_ms();
                let mut state = given.state.clone();
                state.insert(each.item.clone(), item.clone());
                state.insert(each.index.clone(), Json::Int(index as i64));
                let within = Given {
                    name: given.name,
                    state: &state,
                    branch: Some(name),
                    ..given
                };
                let done = self.steps(&each.body, within).await;
                let timing_ms = self.hands.now_ms().saturating_sub(begun);
                match done {
                    Ok(done) => {
                        let mut ended = state.clone();
                        ended.extend(done.updates);
                        (true, branch_result(name, Ok(ended), timing_ms))
                    }
                    Err(fault) => (false, branch_result(name, Err((fault, state.clone())), timing_ms)),
                }
            });
        let mut running = stream::iter(branches).buffered(at_once);
        let mut results = Vec::with_capacity(items.len());
        let mut cut = false;
        while let Some((success, result)) = running.next().await {
            results.push(result);
            if !success && each.fail_fast {
                cut = true;
                break;
            }
        }
        drop(running);
        if cut {
            for name in &names[results.len()..] {
                let fault = Fault::new(
                    FaultKind::Graph,
                    "Stopped, since another branch failed and fail_fast is set.",
                );
                results.push(branch_result(name, Err((fault, Object::new())), 0));
            }
        }
        self.tell(Some(given.name), given.branch, Kind::BranchesEnd);
        Ok(Done {
            parallel_results: Some(Json::Array(results)),
            ..Done::default()
        })
    }
}
