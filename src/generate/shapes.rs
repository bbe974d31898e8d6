//! TypeScript types for what crosses to JavaScript, from the Rust types.

use std::any::TypeId;
use std::collections::{BTreeMap, HashSet};

use hornbook_base::options;
use ts_rs::{Config, TS, TypeVisitor};

const NOTICE: &str = "// Generated from the crates by `cargo run -p hornbook-generate`.\n";

/// The name `ts-rs` gives [`serde_json::Value`] and its own stand-in type for it.
const JSON: &str = "JsonValue";

/// TypeScript declarations, one after the other.
pub struct Module {
    config: Config,
    pub text: String,
    /// Types already visited.
    known: HashSet<TypeId>,
    /// Declarations to come, sorted by type name: the order of visits differs from build to build.
    found: BTreeMap<String, String>,
}

impl Module {
    /// `imports` is the text before the declarations.
    pub fn new(imports: &str) -> Module {
        Module {
            config: Config::new().with_large_int("number"),
            text: format!("{NOTICE}{imports}"),
            known: HashSet::new(),
            found: BTreeMap::new(),
        }
    }

    fn with<T: TS>(mut self) -> Module {
        let declared = self.declared::<T>();
        self.text.push_str(&declared);
        self
    }

    /// Add a type and every type it refers to.
    pub fn with_all<T: TS + 'static>(mut self) -> Module {
        self.visit::<T>();
        let found = std::mem::take(&mut self.found);
        self.text.extend(found.into_values());
        self
    }

    fn declared<T: TS + ?Sized>(&self) -> String {
        let docs = T::docs().unwrap_or_default();
        // What crosses as JSON can be any JSON value.
        let declared = T::decl(&self.config).replace(JSON, "unknown");
        format!("\n{docs}export {declared}\n")
    }
}

/// Declares each type it meets, once.
impl TypeVisitor for Module {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if !self.known.insert(TypeId::of::<T>()) || T::name(&self.config) == JSON {
            return;
        }
        // Only types that have a declaration have an output path.
        if T::output_path().is_some() {
            let declared = self.declared::<T>();
            self.found.insert(T::name(&self.config), declared);
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

/// A constant `list` with the names of an interface's members.
fn names(list: &str, interface: &str, names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    format!(
        "\nexport const {list} = [{}] as const satisfies (keyof {interface})[];\n",
        names.join(", ")
    )
}

/// `pkg-templates/src/generated/dml.ts`.
pub fn dml(_: &str) -> String {
    use hornbook_agent::*;
    use hornbook_dml::{Finding, Inspected, Parameter, RunSettings};
    let types = Module::new("")
        .with::<Event>()
        .with::<Traced>()
        .with::<Trace>()
        .with::<WantedOutput>()
        .with::<Usage>()
        .with::<Role>()
        .with::<Message>()
        .with::<Call>()
        .with::<ModelTool>()
        .with::<ModelRequest>()
        .with::<Cut>()
        .with::<Turn>()
        .with::<ModelFailure>()
        .with::<PlainMessage>()
        .with::<PlainRequest>()
        .with::<PolicyMode>()
        .with::<Outages>()
        .with::<Policy>()
        .with::<Parameter>()
        .with::<Finding>()
        .with::<Inspected>()
        .with::<FileOperation>()
        .with::<Choice>()
        .with::<Trouble>()
        .with::<Remedy>()
        .with::<Price>()
        .with::<BookUse>()
        .with::<BookReply>()
        .with::<BookError>()
        .with::<Start>()
        .with::<Entry>()
        .with::<RunSettings>();
    types.text + &names("RUN_SETTINGS", "RunSettings", options::names::<RunSettings>())
}

/// `pkg-templates/src/generated/hornbook.ts`.
pub fn hornbook(_: &str) -> String {
    use hornbook_service::package::*;
    use hornbook_workspace::{
        Changes, Event, FileInfo, OutlineItem, OutlineKind, OutlineMark, OutlineMarkKind, Past, PastEntry,
        Port, Problem, Proof, ProofClause, ProofNode, Proposal, ProposedCell, ProposedClause,
        ProposedOperation, Replay, RevisionInfo, Severity,
    };
    let types = Module::new("import type { Limits } from './limits.js';\n")
        .with::<Options>()
        .with::<Severity>()
        .with::<Problem>()
        .with::<OutlineKind>()
        .with::<OutlineItem>()
        .with::<OutlineMarkKind>()
        .with::<OutlineMark>()
        .with::<ProofNode>()
        .with::<ProofClause>()
        .with::<Proof>()
        .with::<Port>()
        .with::<Replay>()
        .with::<Saved>()
        .with::<ImportedColumn>()
        .with::<ImportedTable>()
        .with::<Imported>()
        .with::<Unimported>()
        .with::<PredicateInfo>()
        .with::<UpsertCounts>()
        .with::<FileInfo>()
        .with::<Event>()
        .with::<RevisionInfo>()
        .with::<Past>()
        .with::<PastEntry>()
        .with::<Proposal>()
        .with::<ProposedOperation>()
        .with::<ProposedClause>()
        .with::<ProposedCell>()
        .with::<Revisions>()
        .with::<Changes>()
        .with::<Failure>()
        .with::<StepAnswer>()
        .with::<Step>()
        .with::<WatchedStep>()
        .with::<Failed>()
        .with::<Outcomes>()
        .with::<Reversed>();
    types.text
}

/// `pkg-templates/src/generated/memory.ts`.
pub fn memory(_: &str) -> String {
    use hornbook_memory::record::{Edge, Experience, Node};
    use hornbook_memory::results::{Envelope, Failed, ProjectDetails, ProjectHead, Replies};
    Module::new("")
        .with_all::<hornbook_memory::Report>()
        .with_all::<Replies>()
        // `Replies` mentions these only as text.
        .with_all::<ProjectHead>()
        .with_all::<ProjectDetails>()
        .with_all::<Envelope>()
        .with_all::<Failed>()
        .with_all::<Node>()
        .with_all::<Edge>()
        .with_all::<Experience>()
        .text
}

/// `pkg-templates/src/generated/workflow.ts`.
pub fn workflow(_: &str) -> String {
    use hornbook_workflow::code::{NodeCode, Part};
    use hornbook_workflow::drawing::{Drawing, Edge, Kind, Node, Shape};
    use hornbook_workflow::fault::{WorkflowFault, WorkflowFaultKind};
    use hornbook_workflow::prolog::Place;
    use hornbook_workflow::run::{Event, LoopEnd};
    use hornbook_workflow::runs::{Checkpoint, Listed, Origin, Status};
    use hornbook_workflow::state::{Interrupt, RefusedKind, When};
    let types = Module::new(
        "import type { DMLEvent } from './dml.js';\nimport type { Checkpoint, State } from '../workflow/state.js';\n",
    )
        .with::<Place>()
        .with::<WorkflowFault>()
        .with::<LoopEnd>()
        .with::<When>()
        .with::<Interrupt>()
        .with::<Event>()
        .with::<Shape>()
        .with::<Node>()
        .with::<Kind>()
        .with::<Edge>()
        .with::<Drawing>()
        .with::<Part>()
        .with::<NodeCode>()
        .with::<Status>()
        .with::<Origin>()
        .with::<Listed>()
        .with::<Checkpoint>();
    let quoted = |word: &str| format!("\"{word}\"");
    let kinds = WorkflowFaultKind::ALL.map(|kind| quoted(kind.word())).join(" | ");
    let refused = RefusedKind::ALL.map(|kind| quoted(kind.word())).join(" | ");
    format!(
        "{}\n/**\n * What went wrong: the language of the code that did, or another cause.\n */\nexport type WorkflowFaultKind = {kinds};\n\n/**\n * Why a run cannot be resumed.\n */\nexport type ResumeErrorKind = {refused};\n",
        types.text
    )
}

#[cfg(test)]
mod tests {
    use hornbook_memory::TOOLS;
    use serde_json::Value;

    use super::*;

    #[derive(TS)]
    #[expect(dead_code, reason = "only its declaration is looked at")]
    struct Holder {
        list: Vec<Value>,
        perhaps: Option<Value>,
    }

    #[test]
    fn values_of_json_are_unknown_and_declare_nothing() {
        let text = Module::new("").with_all::<Holder>().text;
        let declared = "\nexport type Holder = { list: Array<unknown>, perhaps: unknown | null, };\n";
        assert_eq!(text, format!("{NOTICE}{declared}"));
    }

    #[test]
    fn each_action_of_the_memory_has_a_reply() {
        let text = memory("");
        for tool in &TOOLS {
            for action in tool.actions(false) {
                let member = format!("\"{} {}\": ", tool.name, action.name);
                assert!(text.contains(&member), "{member}");
            }
        }
    }
}
