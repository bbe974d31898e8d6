//! The folder of a run: which of its files a program may read and write, and the tools for them.

use std::collections::BTreeMap;
use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use serde_json::{Value, json};

use super::engine::{Answer, FileOperation, FileRequest};
use super::model::ToolHost;
use super::output::said;
use super::session::{Session, Stop};
use super::tools::Tool;
use crate::engine::FileFault;
use crate::workspace::paths::{is_absolute, is_inside, without_dots};

pub const READ: &str = "read_file";
pub const WRITE: &str = "write_file";
pub const LIST: &str = "list_files";
/// Tools that are there when the host gives a function for them.
const OFF: [&str; 2] = ["web_search", "fetch_url"];

/// The files that a program may use. Paths are absolute, in the words of the host.
pub trait Folder {
    /// Where the folder is.
    fn root(&self) -> String;
    /// The real path, symbolic links resolved.
    fn resolve(&self, path: String) -> LocalBoxFuture<'static, Result<String, FileFault>>;
    fn read(&self, path: String) -> LocalBoxFuture<'static, Result<String, FileFault>>;
    /// Write the whole file. A symbolic link in its place is not followed.
    fn write(&self, path: String, text: String) -> LocalBoxFuture<'static, Result<(), FileFault>>;
    /// The names in a directory; those of directories end in `/`.
    fn list(&self, path: String) -> LocalBoxFuture<'static, Result<Vec<String>, FileFault>>;
}

/// Why a tool that nobody has registered cannot be called.
pub fn missing_tool(name: &str) -> String {
    if [READ, WRITE, LIST].contains(&name) {
        format!("The tool {name} needs a workspace, a folder: this run has none.")
    } else if OFF.contains(&name) {
        format!("The tool {name} is off: the host switches it on with a function of its own.")
    } else {
        format!("There is no tool {name}.")
    }
}

/// The tools of a folder, but for those that the host has itself.
pub fn add_tools(tools: &mut BTreeMap<String, Tool>) {
    let text = || json!({ "type": "string" });
    let all = [
        (READ, "Read a text file of the workspace.", vec![("path", text())]),
        (
            WRITE,
            "Write a text file of the workspace, as a whole.",
            vec![("path", text()), ("text", text())],
        ),
        (
            LIST,
            "The names in a directory of the workspace, \"\" for the workspace itself; those of directories end in /.",
            vec![("path", text())],
        ),
    ];
    for (name, description, parameters) in all {
        let names: Vec<String> = parameters.iter().map(|(name, _)| (*name).to_owned()).collect();
        let properties: serde_json::Map<String, Value> = parameters
            .into_iter()
            .map(|(name, schema)| (name.to_owned(), schema))
            .collect();
        tools.entry(name.to_owned()).or_insert_with(|| Tool {
            description: description.into(),
            parameters: json!({ "type": "object", "properties": properties, "required": names }),
            names,
        });
    }
}

impl Session {
    /// What a program does with a file is a call of the tool for it: the policy and the budgets are the same.
    pub(super) async fn file(&self, request: FileRequest) -> Result<Answer, Stop> {
        let FileRequest {
            operation,
            path,
            text,
        } = request;
        let result = match operation {
            FileOperation::Read => self.file_tool(READ, json!({ "path": path })).await?,
            FileOperation::Write => {
                self.file_tool(WRITE, json!({ "path": path, "text": text }))
                    .await?
            }
            FileOperation::Append => {
                let before = match self.file_tool(READ, json!({ "path": path })).await? {
                    Ok(before) => Ok(said(&before)),
                    Err(message) if is_missing(&message) => Ok(String::new()),
                    Err(message) => Err(message),
                };
                match before {
                    Ok(before) => {
                        let args = json!({ "path": path, "text": before + &text });
                        self.file_tool(WRITE, args).await?
                    }
                    Err(message) => Err(message),
                }
            }
            FileOperation::Exists => match self.file_tool(READ, json!({ "path": path })).await? {
                Ok(_) => Ok(Value::Bool(true)),
                Err(message) if message.ends_with(NOT_TEXT) => Ok(Value::Bool(true)),
                Err(message) if is_missing(&message) || message.ends_with(NOT_A_FILE) => {
                    return Ok(Answer::Failed);
                }
                Err(message) => Err(message),
            },
        };
        Ok(match result {
            Ok(value) => Answer::Done(value),
            Err(message) => Answer::Refused(is_missing(&message), message),
        })
    }

    async fn file_tool(&self, tool: &str, args: Value) -> Result<Result<Value, String>, Stop> {
        match self.tools.find(tool) {
            Ok(_) => self.call_tool(tool, args).await,
            Err(message) => Ok(Err(message)),
        }
    }
}

/// The host's tools, with those of a folder.
pub struct FileTools {
    pub host: Rc<dyn ToolHost>,
    pub folder: Rc<dyn Folder>,
    /// The names that the host has registered itself.
    pub own: Vec<String>,
}

impl ToolHost for FileTools {
    fn call(&self, tool: &str, args: Value) -> LocalBoxFuture<'static, Result<Value, String>> {
        if self.own.iter().any(|own| own == tool) {
            return self.host.call(tool, args);
        }
        let folder = self.folder.clone();
        let path = args["path"].as_str().map(str::to_owned);
        let path = move || path.clone().ok_or_else(|| "`path` must be a string.".to_owned());
        match tool {
            READ => async move {
                let name = path()?;
                let real = find(&*folder, &name).await?;
                let text = folder.read(real).await.map_err(|fault| told(&name, fault))?;
                Ok(Value::String(text))
            }
            .boxed_local(),
            WRITE => async move {
                let name = path()?;
                let text = match &args["text"] {
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                let real = find_new(&*folder, &name).await?;
                folder
                    .write(real, text)
                    .await
                    .map_err(|fault| told(&name, fault))?;
                Ok(Value::Bool(true))
            }
            .boxed_local(),
            LIST => async move {
                let name = args["path"].as_str().unwrap_or_default().to_owned();
                let real = find(&*folder, &name).await?;
                let mut names = folder.list(real).await.map_err(|fault| told(&name, fault))?;
                names.sort_unstable();
                Ok(json!(names))
            }
            .boxed_local(),
            _ => self.host.call(tool, args),
        }
    }
}

/// The real path of a file or directory that is there, inside the folder.
async fn find(folder: &dyn Folder, name: &str) -> Result<String, String> {
    let (root, path) = placed(folder, name).await?;
    match folder.resolve(path.clone()).await {
        Ok(real) if is_inside(&real, &root) => Ok(real),
        // What is missing outside is not told from what is there.
        Err(fault) if is_inside(&without_dots(&path), &root) => Err(told(name, fault)),
        _ => Err(outside(name)),
    }
}

/// The real path of a file that is there or may be made, inside the folder.
async fn find_new(folder: &dyn Folder, name: &str) -> Result<String, String> {
    let (root, path) = placed(folder, name).await?;
    match folder.resolve(path.clone()).await {
        Ok(real) if is_inside(&real, &root) => return Ok(real),
        Ok(_) => return Err(outside(name)),
        Err(FileFault::NotFound) => {}
        Err(fault) if is_inside(&without_dots(&path), &root) => return Err(told(name, fault)),
        Err(_) => return Err(outside(name)),
    }
    let (directory, file) = path.rsplit_once(['/', '\\']).unwrap_or((&root[0], &path));
    if matches!(file, "" | "." | "..") {
        return Err(outside(name));
    }
    match folder.resolve(directory.to_owned()).await {
        Ok(real) if is_inside(&real, &root) => Ok(format!("{}/{file}", real.trim_end_matches(['/', '\\']))),
        Err(_) if is_inside(&without_dots(&path), &root) => {
            Err(format!("The directory of {name} is not in the workspace."))
        }
        _ => Err(outside(name)),
    }
}

/// The real root, and the path of a name in it.
async fn placed(folder: &dyn Folder, name: &str) -> Result<([String; 1], String), String> {
    if name.contains('\0') {
        return Err("A file name has no NUL character.".into());
    }
    let root = folder.resolve(folder.root()).await;
    let root = root.map_err(|_| "The workspace, a folder, is not there.".to_owned())?;
    let path = if is_absolute(name) {
        name.to_owned()
    } else {
        format!("{}/{name}", root.trim_end_matches(['/', '\\']))
    };
    Ok(([root], path))
}

fn outside(name: &str) -> String {
    format!("{name} is outside of the workspace, which is all that a program may use.")
}

/// What [`Session::file`] knows the faults of files by.
const MISSING: &str = "There is no file ";
const NOT_A_FILE: &str = " is not a file.";
const NOT_TEXT: &str = " is not UTF-8 text.";

fn told(name: &str, fault: FileFault) -> String {
    match fault {
        FileFault::NotFound => format!("{MISSING}{name} in the workspace."),
        FileFault::NotAFile => format!("{name}{NOT_A_FILE}"),
        FileFault::Unreadable(reason) => format!("{name} cannot be used: {reason}."),
        FileFault::NotText => format!("{name}{NOT_TEXT}"),
        FileFault::NotSupported => "This host has no files.".into(),
    }
}

/// Whether a refusal says that the file is not there.
fn is_missing(message: &str) -> bool {
    message.contains(MISSING)
}
