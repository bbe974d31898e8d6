//! Parses a workflow from its text, and reports errors with line and column.

mod begins;
mod edges;
mod graph;
mod hash;
mod keys;
mod node;
mod schema;
mod uses;
mod wait;
mod work;

use std::collections::BTreeMap;

use super::fault::LoadFault;
use super::json::{Json, Object};
use super::language::Language;
use super::model::Workflow;
use super::template::Names;
use super::yaml::{self, Place, Tree, Yaml};
pub(crate) use hash::hash;
use keys::Keys;
pub(crate) use keys::nearest;
pub use uses::{Uses, uses};

/// What the host offers to nodes.
#[derive(Debug, Clone, Default)]
pub struct Installed {
    /// Besides Prolog.
    pub languages: Vec<Language>,
    /// Whether nodes can be in Prolog only, whatever packages there are: an MCP server has no other languages.
    pub only_prolog: bool,
    pub actions: Vec<String>,
    /// Books that nodes can name. If `None`, every name means the run's own book, if there is one.
    pub books: Option<Vec<String>>,
    /// Whether DML programs can be run.
    pub programs: bool,
    /// The texts of the DML programs and the workflows that nodes name, by name.
    pub files: BTreeMap<String, String>,
    pub secrets: Object,
    pub env: Object,
}

const KEYS: [&str; 14] = [
    "name",
    "description",
    "version",
    "language",
    "book",
    "variables",
    "on",
    "state_schema",
    "initial_state",
    "settings",
    "data",
    "config",
    "nodes",
    "edges",
];

const CONFIG_KEYS: [&str; 4] = [
    "raise_exceptions",
    "interrupt_before",
    "interrupt_after",
    "prolog_timeout",
];

/// What nodes refer to.
#[derive(Clone)]
struct Context<'a> {
    installed: &'a Installed,
    /// The default language of the file.
    language: Option<Language>,
    /// The default book for the Prolog of nodes.
    book: UsedBook,
    /// Indices of the nodes.
    names: BTreeMap<&'a str, usize>,
    /// The workflows it is within.
    outer: Outer,
}

/// The workflows that a workflow is within.
#[derive(Clone, Default)]
struct Outer {
    levels: usize,
    /// Those that have files, by their names.
    files: Vec<String>,
}

pub fn load(text: &str, installed: &Installed) -> Result<Workflow, LoadFault> {
    let yaml = yaml::parse(text)?;
    let top = Keys::of(&yaml, "the workflow", &KEYS)?;
    let defaults = (None, UsedBook::None);
    let mut workflow = graph(&top, installed, defaults, Outer::default())?;
    let used = uses::files(&yaml, &installed.files);
    let files = installed.files.iter().filter(|(name, _)| used.contains(*name));
    workflow.files = files.map(|(name, text)| (name.clone(), text.clone())).collect();
    hash::fill(&mut workflow, text, top.list("nodes")?.unwrap_or_default(), &top)?;
    Ok(workflow)
}

/// A workflow. The language and the book are those of nodes without their own, unless it says others.
fn graph(
    top: &Keys<'_>,
    installed: &Installed,
    (language, book): (Option<Language>, UsedBook),
    outer: Outer,
) -> Result<Workflow, LoadFault> {
    let config = match top.get("config") {
        Some(config) => Some(Keys::of(config, "'config'", &CONFIG_KEYS)?),
        None => None,
    };
    let items = top.list("nodes")?.ok_or_else(|| top.lacks("nodes"))?;
    let context = Context {
        installed,
        language: match top.get("language") {
            Some(_) => self::language(top)?,
            None => language,
        },
        book: used_book(top, installed)?.unwrap_or(book),
        names: names(items, top.at)?,
        outer,
    };
    let begins = begins::begins(top, &context)?;
    let mut workflow = Workflow {
        name: top.text("name")?.map(str::to_owned),
        names: Names {
            variables: top.object("variables")?,
            settings: top.object("settings")?,
            data: top.object("data")?,
            secrets: installed.secrets.clone(),
            env: installed.env.clone(),
        },
        initial_state: top.object("initial_state")?,
        follows: begins.follows,
        schedule: begins.schedule,
        schema: schema::schema(top)?,
        ..Workflow::default()
    };
    for item in items {
        workflow.nodes.push(node::node(item, &context)?);
    }
    if let Some(config) = &config {
        workflow.raises = config.truth("raise_exceptions")?.unwrap_or(false);
        workflow.timeout_ms = config
            .number("prolog_timeout")?
            .map(|seconds| (seconds * 1_000.0) as u64);
        for index in interrupts(config, "interrupt_before", &context)? {
            workflow.nodes[index].interrupt_before = true;
        }
        for index in interrupts(config, "interrupt_after", &context)? {
            workflow.nodes[index].interrupt_after = true;
        }
    }
    check_waits(&workflow)?;
    edges::connect(&mut workflow, items, top, &context)?;
    Ok(workflow)
}

/// A node waits for one thing at a time.
fn check_waits(workflow: &Workflow) -> Result<(), LoadFault> {
    let mut nodes = workflow.nodes.iter();
    match nodes.find(|node| node.wait.is_some() && node.interrupt_before) {
        Some(node) => {
            let message = format!(
                "'wait' and the interrupt before node '{}' cannot be combined: let a node before it wait.",
                node.name
            );
            Err(LoadFault::new(message, node.at))
        }
        None => Ok(()),
    }
}

/// The names of the nodes, each with its index.
fn names(items: &[Yaml], at: Place) -> Result<BTreeMap<&str, usize>, LoadFault> {
    if items.is_empty() {
        return Err(LoadFault::new("The workflow has no nodes.", at));
    }
    let mut names = BTreeMap::new();
    for (index, item) in items.iter().enumerate() {
        let Tree::Map(entries) = &item.tree else {
            return Err(LoadFault::new(
                format!("A node must be a map, not {}.", item.kind()),
                item.at,
            ));
        };
        let name = entries.iter().find(|entry| entry.key == "name");
        let Some((name, at)) = name.and_then(|name| match &name.value.tree {
            Tree::Scalar(Json::Text(text)) => Some((text.as_str(), name.value.at)),
            _ => None,
        }) else {
            return Err(LoadFault::new("A node needs a 'name', which is a text.", item.at));
        };
        if name.is_empty() || matches!(name, "__start__" | "__end__") {
            return Err(LoadFault::new(
                format!("A node cannot have the name '{name}'."),
                at,
            ));
        }
        if names.insert(name, index).is_some() {
            return Err(LoadFault::new(
                format!("There are two nodes with the name '{name}'."),
                at,
            ));
        }
    }
    Ok(names)
}

fn language(keys: &Keys<'_>) -> Result<Option<Language>, LoadFault> {
    let Some(word) = keys.text("language")? else {
        return Ok(None);
    };
    named_language(word, keys.get("language").map_or(keys.at, |value| value.at))
}

/// The book that a node's Prolog uses.
#[derive(Debug, Clone, PartialEq, Default)]
enum UsedBook {
    #[default]
    None,
    OfTheRun,
    Named(String),
}

/// The value of `book`, if given.
fn used_book(keys: &Keys<'_>, installed: &Installed) -> Result<Option<UsedBook>, LoadFault> {
    let Some(value) = keys.get("book") else {
        return Ok(None);
    };
    let name = match &value.tree {
        Tree::Scalar(Json::Bool(false)) => return Ok(Some(UsedBook::None)),
        Tree::Scalar(Json::Bool(true)) => return Ok(Some(UsedBook::OfTheRun)),
        Tree::Scalar(Json::Text(name)) => name,
        _ => return Err(keys.wrong("book", value, "true, false, or the name of a book")),
    };
    let Some(books) = &installed.books else {
        return Ok(Some(UsedBook::OfTheRun));
    };
    if books.contains(name) {
        return Ok(Some(UsedBook::Named(name.clone())));
    }
    let hint = match nearest(name, books.iter().map(String::as_str)) {
        Some(nearest) => format!("Did you mean '{nearest}'?"),
        None => format!("There are: {}. Give it in the option `books`.", books.join(", ")),
    };
    let what = keys::capital(&keys.what);
    Err(LoadFault::new(
        format!("{what} uses the book '{name}', which does not exist. {hint}"),
        value.at,
    ))
}

/// `None` for `auto`.
fn named_language(word: &str, at: Place) -> Result<Option<Language>, LoadFault> {
    let word = match word {
        "auto" => return Ok(None),
        "js" => "javascript",
        "py" => "python",
        word => word,
    };
    if let Some(language) = Language::ALL.into_iter().find(|language| language.word() == word) {
        return Ok(Some(language));
    }
    let words = Language::ALL.map(Language::word);
    let hint = match nearest(word, words) {
        Some(name) => format!("Did you mean '{name}'?"),
        None => format!("There are {} and auto.", words.join(", ")),
    };
    Err(LoadFault::new(
        format!("'{word}' is not a node language. {hint}"),
        at,
    ))
}

fn interrupts(config: &Keys<'_>, key: &str, context: &Context<'_>) -> Result<Vec<usize>, LoadFault> {
    let Some(items) = config.list(key)? else {
        return Ok(Vec::new());
    };
    items
        .iter()
        .map(|item| match &item.tree {
            Tree::Scalar(Json::Text(name)) => context.index(name, &format!("{key} names"), item.at),
            _ => Err(config.wrong(key, item, "a list of names of nodes")),
        })
        .collect()
}

impl Context<'_> {
    /// The index of a node; `who` is named in the error.
    fn index(&self, name: &str, who: &str, at: Place) -> Result<usize, LoadFault> {
        if let Some(&index) = self.names.get(name) {
            return Ok(index);
        }
        let hint = match nearest(name, self.names.keys().copied()) {
            Some(nearest) => format!("Did you mean '{nearest}'?"),
            None => {
                let names: Vec<&str> = self.names.keys().copied().take(20).collect();
                format!("There are: {}.", names.join(", "))
            }
        };
        Err(LoadFault::new(
            format!("{who} '{name}', which is not a node. {hint}"),
            at,
        ))
    }
}
