//! Nodes that are workflows of their own.

use std::rc::Rc;

use super::keys::{Keys, capital};
use super::work::{file, output, parameters};
use super::{Context, KEYS, Outer, UsedBook, graph};
use crate::fault::LoadFault;
use crate::json::Json;
use crate::model::{Work, Workflow};
use crate::yaml::{self, Tree, Yaml};

/// How many workflows may be within each other.
const MOST_LEVELS: usize = 8;

pub(super) fn nested(keys: &Keys<'_>, context: &Context<'_>) -> Result<Work, LoadFault> {
    let other = ["steps", "language", "script", "output_key"];
    if let Some((key, value)) = other.into_iter().find_map(|key| Some((key, keys.get(key)?))) {
        let why = "a workflow stands in 'run', or 'uses' names its file, and 'output' says what it gives";
        return Err(keys.meaningless(key, value, why));
    }
    let levels = context.outer.levels + 1;
    if levels > MOST_LEVELS {
        let message = format!(
            "{} nests deeper than {MOST_LEVELS} workflows.",
            capital(&keys.what)
        );
        return Err(LoadFault::new(message, keys.at));
    }
    let outer = Outer {
        levels,
        ..context.outer.clone()
    };
    let workflow = match (keys.get("uses"), keys.get("run")) {
        (Some(_), Some(run)) => {
            let message = format!("'uses' and 'run' of {} cannot be combined.", keys.what);
            return Err(LoadFault::new(message, run.at));
        }
        (Some(uses), None) => of_file(keys, uses, context, outer)?,
        (None, Some(run)) if matches!(run.tree, Tree::Map(_)) => {
            let top = Keys::of(run, format!("the workflow of {}", keys.what), &KEYS)?;
            graph(
                &top,
                context.installed,
                (context.language, context.book.clone()),
                outer,
            )?
        }
        (None, Some(run)) => return Err(keys.wrong("run", run, "a workflow: a map with 'nodes'")),
        (None, None) => {
            let message = format!(
                "{} needs 'run', a workflow, or 'uses', the name of its file.",
                capital(&keys.what)
            );
            return Err(LoadFault::new(message, keys.at));
        }
    };
    Ok(Work::Graph {
        workflow: Rc::new(workflow),
        file: keys.text("uses")?.map(str::to_owned),
        with: match keys.get("with") {
            Some(_) => Some(Json::Object(parameters(keys)?)),
            None => None,
        },
        output: output(keys)?,
    })
}

/// The workflow in a file. Its errors are told at the node that names it.
fn of_file(keys: &Keys<'_>, uses: &Yaml, context: &Context<'_>, outer: Outer) -> Result<Workflow, LoadFault> {
    let name = keys.needed("uses")?;
    let mut files = outer.files;
    files.push(name.to_owned());
    if files[..files.len() - 1].iter().any(|other| other == name) {
        let message = format!(
            "The workflow '{name}' is within itself: {}.",
            files.join(" uses ")
        );
        return Err(LoadFault::new(message, uses.at));
    }
    let text = file(keys, "workflow", uses.at, context)?;
    let outer = Outer { files, ..outer };
    let read = || {
        let yaml = yaml::parse(text)?;
        let top = Keys::of(&yaml, "the workflow", &KEYS)?;
        graph(&top, context.installed, (None, UsedBook::None), outer)
    };
    read().map_err(|fault: LoadFault| LoadFault::new(format!("In {name}, {fault}"), uses.at))
}
