//! The toolsets that a host can select by name. The core has only that of Prolog.

use std::rc::Rc;

use wasm_bindgen::prelude::*;

use super::host::JsHost;
use crate::base::Limits;
use crate::engine::Pool;
use crate::service::{self, Served};
use crate::workspace::Workspace;

/// Makes a toolset, given the served toolsets that precede it in [`TOOLSETS`].
type Serve = fn(&Ground, &[Rc<dyn Served>]) -> Rc<dyn Served>;

/// A toolset and its name.
pub struct NamedToolset {
    name: &'static str,
    pub serve: Serve,
}

/// What toolsets are made from; that of Prolog only needs the workspace.
#[cfg_attr(not(feature = "full"), expect(dead_code))]
pub struct Ground {
    pub workspace: Workspace,
    pub host: Rc<JsHost>,
    pub pool: Pool,
    pub limits: Limits,
    /// Whether programs of `dml_run` may change the book; `None` if they may not use it at all.
    pub dml_writes: Option<bool>,
    #[cfg(feature = "full")]
    pub runs: crate::workflow::runs::Runs,
    #[cfg(feature = "full")]
    pub memory: super::desk::LazyDesk,
}

/// All toolsets; the first is served by default.
static TOOLSETS: &[NamedToolset] = &[
    NamedToolset {
        name: "prolog",
        serve: |ground, _| service::prolog::toolset(ground.workspace.clone()),
    },
    #[cfg(feature = "full")]
    full::DML,
    #[cfg(feature = "full")]
    full::MEMORY,
    #[cfg(feature = "full")]
    full::MEMORY_READ,
    #[cfg(feature = "full")]
    full::WORKFLOW,
];

/// The toolsets with these names, in the order of [`TOOLSETS`].
pub fn toolsets(names: &[String]) -> Result<Vec<&'static NamedToolset>, JsError> {
    let known: Vec<&str> = TOOLSETS.iter().map(|set| set.name).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
        let message = format!(
            "there is no set of tools '{name}'; the sets are: {}",
            known.join(", ")
        );
        return Err(JsError::new(&message));
    }
    let asked_for = |name: &str| names.iter().any(|one| one == name);
    if asked_for("memory") && asked_for("memory-read") {
        // Their tools have the same names.
        let message = "memory-read is the reading part of memory; ask for one of them";
        return Err(JsError::new(message));
    }
    if names.is_empty() {
        return Ok(vec![&TOOLSETS[0]]);
    }
    Ok(TOOLSETS.iter().filter(|set| asked_for(set.name)).collect())
}

#[cfg(feature = "full")]
mod full {
    use std::rc::Rc;

    use super::super::clock::{JsClock, new_id};
    use super::super::folder::shared;
    use super::NamedToolset;
    use crate::dml::Dml;
    use crate::{service, workflow};

    fn access(writes: bool) -> service::dml::BookAccess {
        match writes {
            true => service::dml::BookAccess::Write,
            false => service::dml::BookAccess::Read,
        }
    }

    pub const DML: NamedToolset = NamedToolset {
        name: "dml",
        serve: |ground, _| {
            service::dml::toolset(service::dml::DmlTools {
                dml: Rc::new(Dml::new(ground.pool.clone(), ground.limits.clone())),
                clock: Rc::new(JsClock),
                folder: ground.host.folder().map(shared),
                book: ground
                    .dml_writes
                    .map(|writes| (ground.workspace.clone(), access(writes))),
            })
        },
    };

    pub const MEMORY: NamedToolset = NamedToolset {
        name: "memory",
        serve: |ground, _| service::memory::toolset(ground.memory.desk()),
    };

    pub const MEMORY_READ: NamedToolset = NamedToolset {
        name: "memory-read",
        serve: |ground, _| service::memory::reading(ground.memory.desk()),
    };

    /// Engines for the nodes of workflows, each started when first needed.
    const WORKFLOW_ENGINES: usize = 2;

    pub const WORKFLOW: NamedToolset = NamedToolset {
        name: "workflow",
        serve: |ground, before| {
            let limits = ground.limits.clone();
            service::workflow::toolset(service::workflow::WorkflowTools {
                workspace: ground.workspace.clone(),
                runs: ground.runs.clone(),
                prolog: workflow::prolog::Prolog::new(ground.pool.clone(), limits, WORKFLOW_ENGINES),
                clock: Rc::new(JsClock),
                new_id,
                user_ms: ground.limits.user_ms,
                sets: before.to_vec(),
            })
        },
    };
}
