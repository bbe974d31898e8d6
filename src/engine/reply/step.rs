//! What a goal did.

use serde::Deserialize;
use serde_json::Value;

use super::{BadReply, EngineError, Parts, Reply, predicate};
use hornbook_book::Predicate;

/// The reply to `query`, `next` and `run`.
#[derive(Debug, Default)]
pub struct Step {
    pub answers: Vec<Answer>,
    pub more: bool,
    /// What the host must answer before the step continues; until then it reports no changes.
    pub question: Option<Value>,
    /// It was stopped before doing something that only the engine that changes the book may do.
    pub leaves: bool,
    pub output: String,
    pub error: Option<EngineError>,
    /// The variables that lambdas have copied without their constraints: their names, or where they are.
    pub copied: Vec<String>,
    pub changes: Changes,
    pub undone: usize,
    /// All of the query so far; 0 if the engine does not know.
    pub inferences: u64,
    /// Of a query that is opened: how many texts suppose that clauses are gone, and how many are.
    pub away: (usize, usize),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    pub bindings: Vec<(String, String, Value)>,
    pub residual: Vec<String>,
    pub output: String,
    /// Neither true nor false, by the well-founded semantics.
    #[serde(default)]
    pub undefined: bool,
}

/// What running code did to the clauses.
#[derive(Debug, Default)]
pub struct Changes {
    pub added: Vec<AddedClause>,
    pub removed: Vec<i64>,
    /// Predicates whose clauses the engine needs again.
    pub reload: Vec<Predicate>,
    /// Predicates that have come into being.
    pub declared: Vec<Predicate>,
}

/// A clause added by running code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedClause {
    pub id: i64,
    pub text: String,
    pub predicate: Predicate,
}

/// What a control line says about changes. Their parts come after all others.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ChangesControl {
    pub undone: usize,
    /// Id and arity.
    pub added: Vec<(i64, u32)>,
    pub removed: Vec<i64>,
    /// Arities.
    pub reload: Vec<u32>,
    pub declared: Vec<u32>,
}

/// The reply to a request that runs the user's goals, with what they did to the clauses.
pub trait Changing: Reply {
    /// Take the changes out, leaving none.
    fn take_changes(&mut self) -> Changes;
}

impl Changes {
    pub fn assemble(control: ChangesControl, parts: &mut Parts<'_>) -> Result<Changes, BadReply> {
        let kept = !(control.added.is_empty() && control.removed.is_empty() && control.declared.is_empty());
        let taken_back = control.undone > 0 || !control.reload.is_empty();
        if kept && taken_back {
            return Err(BadReply::new("it contradicts itself"));
        }
        let added = control.added.into_iter().map(|(id, arity)| {
            let (name, text) = parts.take()?;
            let predicate = predicate(name, arity)?;
            Ok(AddedClause { id, text, predicate })
        });
        Ok(Changes {
            added: added.collect::<Result<_, BadReply>>()?,
            removed: control.removed,
            reload: parts.predicates(control.reload)?,
            declared: parts.predicates(control.declared)?,
        })
    }

    /// Whether any of them are to be kept.
    pub fn kept(&self) -> bool {
        !(self.added.is_empty() && self.removed.is_empty() && self.declared.is_empty())
    }

    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.reload.is_empty() && self.declared.is_empty()
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepControl {
    answers: usize,
    #[serde(default)]
    inferences: u64,
    #[serde(default)]
    more: bool,
    #[serde(default)]
    asks: bool,
    #[serde(default)]
    leaves: bool,
    #[serde(default)]
    output: bool,
    #[serde(default)]
    error: bool,
    #[serde(default)]
    copied: bool,
    #[serde(default)]
    away: (usize, usize),
    #[serde(flatten)]
    changes: ChangesControl,
}

impl Reply for Step {
    type Control = StepControl;

    fn assemble(control: StepControl, parts: &mut Parts<'_>) -> Result<Self, BadReply> {
        let answers = parts.several(control.answers)?;
        let question = parts.take_if(control.asks)?;
        let output = parts.take_if(control.output)?.unwrap_or_default();
        let error = parts.take_if(control.error)?;
        let copied = parts.take_if(control.copied)?.unwrap_or_default();
        if control.more && control.error {
            return Err(BadReply::new("it contradicts itself"));
        }
        let undone = control.changes.undone;
        let changes = Changes::assemble(control.changes, parts)?;
        if control.asks && (control.more || control.error || !changes.is_empty() || undone > 0) {
            return Err(BadReply::new("it asks the host and has ended"));
        }
        Ok(Step {
            question,
            leaves: control.leaves,
            answers,
            more: control.more,
            output,
            error,
            copied,
            changes,
            undone,
            inferences: control.inferences,
            away: control.away,
        })
    }
}

/// The reply to `query`.
#[derive(Debug)]
pub struct Opened {
    /// The names of its variables.
    pub variables: Vec<String>,
    pub step: Step,
}

impl Reply for Opened {
    type Control = StepControl;

    fn assemble(control: StepControl, parts: &mut Parts<'_>) -> Result<Self, BadReply> {
        Ok(Opened {
            variables: parts.take()?,
            step: Step::assemble(control, parts)?,
        })
    }
}

/// How goals of the user's ended whose changes are all undone.
#[derive(Debug, Default)]
pub struct TakenBack {
    pub error: Option<EngineError>,
    /// Predicates whose clauses the engine needs again.
    pub reload: Vec<Predicate>,
}

/// What a control line says about that. The parts come after all others.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TakenBackControl {
    error: bool,
    #[serde(rename = "undone")]
    _undone: usize,
    /// Arities.
    reload: Vec<u32>,
}

/// The reply to a request that runs the user's goals and undoes all their changes.
pub trait Reverting: Reply {
    fn taken_back(&mut self) -> &mut TakenBack;
}

impl TakenBack {
    pub fn assemble(control: TakenBackControl, parts: &mut Parts<'_>) -> Result<TakenBack, BadReply> {
        Ok(TakenBack {
            error: parts.take_if(control.error)?,
            reload: parts.predicates(control.reload)?,
        })
    }
}

/// The reply to a request that may ask for linked data on its way.
#[derive(Debug)]
pub enum MayAsk<T> {
    /// It goes on when the host has answered this.
    Asks(Value),
    Ended(T),
}

impl<T> MayAsk<T> {
    /// Check what it has ended with.
    ///
    /// # Errors
    /// That of `believe`.
    pub fn believed<U>(self, believe: impl FnOnce(T) -> Result<U, BadReply>) -> Result<MayAsk<U>, BadReply> {
        Ok(match self {
            MayAsk::Asks(question) => MayAsk::Asks(question),
            MayAsk::Ended(reply) => MayAsk::Ended(believe(reply)?),
        })
    }
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum MayAskControl<C> {
    Asks(AsksControl),
    Ended(C),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AsksControl {
    asks: bool,
}

impl<T: Reply> Reply for MayAsk<T> {
    type Control = MayAskControl<T::Control>;

    fn assemble(control: Self::Control, parts: &mut Parts<'_>) -> Result<Self, BadReply> {
        match control {
            MayAskControl::Asks(AsksControl { asks: true }) => Ok(MayAsk::Asks(parts.take()?)),
            MayAskControl::Asks(_) => Err(BadReply::new("it neither asks nor has ended")),
            MayAskControl::Ended(control) => Ok(MayAsk::Ended(T::assemble(control, parts)?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Proof, Raised, decode, sealed};
    use super::*;
    use hornbook_base::FaultKind;

    fn read(reply: &str) -> Result<Step, BadReply> {
        decode::<Step>(&sealed(reply)).map(|reply| reply.expect("it is no refusal"))
    }

    #[test]
    fn a_reply_may_end_with_an_error_after_its_answers() {
        let step = read(
            r#"ok {"answers":1,"inferences":7,"output":true,"error":true,"undone":2,"reload":[1]}
{"bindings":[["X","f(Y)",{"functor":"f","args":[{"variable":"Y"}]}]],"residual":[],"output":""}
"x"
{"kind":"timeout","message":"late"}
"p"
"#,
        )
        .unwrap();
        assert_eq!(step.answers[0].bindings[0].1, "f(Y)");
        assert_eq!(step.error.unwrap().kind, FaultKind::Timeout);
        let reload = Predicate {
            name: "p".into(),
            arity: 1,
        };
        assert_eq!((step.changes.reload, step.undone), (vec![reload], 2));
        assert_eq!((&*step.output, step.inferences), ("x", 7));
    }

    #[test]
    fn an_error_says_where_it_was_raised_and_a_proof_how_many_answers_there_are() {
        let step = read(
            r#"ok {"answers":0,"error":true}
{"kind":"type_error","message":"m","raised":["p/1",4,null,"sum_list/2"]}
"#,
        )
        .unwrap();
        let error = step.error.unwrap();
        let raised = Raised("p/1".into(), Some(4), None, Some("sum_list/2".into()));
        assert_eq!((error.raised, &*error.detail), (Some(raised), ""));
        let proof =
            |reply: &str| decode::<Proof>(&sealed(reply)).map(|reply| reply.expect("it is no refusal"));
        let found = proof("ok {\"nodes\":[[0,null,3]],\"cut\":false}\n[\"p\",\"fails\"]\n").unwrap();
        assert_eq!((found.nodes[0].count, found.answers), (3, None));
        let few = proof("ok {\"nodes\":[],\"cut\":false,\"answers\":2}\n").unwrap();
        assert_eq!(few.answers, Some(2));
        assert!(proof("ok {\"nodes\":[[0,null]],\"cut\":false}\n[\"p\",\"fails\"]\n").is_err());
    }

    #[test]
    fn a_word_that_is_not_known_is_an_error_beside_those_of_changes() {
        for reply in [
            "ok {\"answers\":0,\"undone\":1,\"lost\":1}\n",
            "ok {\"answers\":0,\"lost\":[]}\n",
        ] {
            assert!(read(reply).is_err(), "{reply}");
        }
        let proof =
            |words: &str| decode::<Proof>(&sealed(&format!("ok {{\"nodes\":[],\"cut\":false{words}}}\n")));
        assert!(proof(",\"undone\":1").is_ok());
        assert!(proof(",\"undone\":1,\"added\":[]").is_err());
    }

    #[test]
    fn changes_are_kept_or_taken_back() {
        let added = "\"added\":[[5,0]],\"removed\":[],\"declared\":[]";
        let part = "[\"p\",\"p.\"]\n";
        let step = read(&format!("ok {{\"answers\":0,{added}}}\n{part}")).unwrap();
        assert_eq!(
            (step.changes.added[0].id, &*step.changes.added[0].text),
            (5, "p.")
        );
        for both in ["\"undone\":1", "\"reload\":[0]"] {
            assert!(read(&format!("ok {{\"answers\":0,{both},{added}}}\n{part}\"p\"\n")).is_err());
        }
        // The goal of a directive keeps its changes, however it ends.
        let error = "{\"kind\":\"timeout\",\"message\":\"\"}\n";
        assert!(
            read(&format!(
                "ok {{\"answers\":0,\"error\":true,{added}}}\n{error}{part}"
            ))
            .is_ok()
        );
    }

    #[test]
    fn numbers_that_are_none_are_errors() {
        for control in [
            "\"answers\":-1",
            "\"answers\":1e3",
            "\"answers\":0,\"inferences\":-1",
            "\"answers\":0,\"removed\":[9223372036854775808]",
            "\"answers\":0,\"removed\":[\"1\"]",
            "\"answers\":0,\"answers\":0",
            "\"answers\":0,\"removal\":[1]",
            "\"answers\":18446744073709551615",
        ] {
            assert!(read(&format!("ok {{{control}}}\n")).is_err(), "{control}");
        }
    }
}
