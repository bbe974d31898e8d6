//! The folder of a run: what a program and its models may do with the files in it, and only those.

use std::rc::Rc;

use futures::future::LocalBoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::event::Event;
use hornbook_base::FileFault;
use hornbook_base::Limits;
use hornbook_base::paths::{is_absolute, is_inside};

const READ: &str = "read_file";
const WRITE: &str = "write_file";
const LIST: &str = "list_files";
/// The tools for files: name, operation, description and parameters.
pub const TOOLS: [(&str, FileOperation, &str, &[&str]); 3] = [
    (
        READ,
        FileOperation::Read,
        "Read a text file of the workspace.",
        &["path"],
    ),
    (
        WRITE,
        FileOperation::Write,
        "Write a text file of the workspace, as a whole.",
        &["path", "text"],
    ),
    (
        LIST,
        FileOperation::List,
        "The names in a directory of the workspace, \"\" for the workspace itself; those of directories end in /.",
        &["path"],
    ),
];
/// Tools that exist only if the host provides a function for them.
const OFF: [&str; 2] = ["web_search", "fetch_url"];

/// The files that a program may use. Paths are absolute, in the host's notation, and real, except that of
/// [`Folder::resolve`]. If a path has since come to lead elsewhere, through a symbolic link, the function
/// fails.
pub trait Folder {
    /// The folder's path.
    fn root(&self) -> String;
    /// The real path, with symbolic links resolved.
    fn resolve(&self, path: String) -> LocalBoxFuture<'static, Result<String, FileFault>>;
    /// The text of a file of at most `most` bytes.
    fn read(&self, path: String, most: usize) -> LocalBoxFuture<'static, Result<String, FileFault>>;
    /// Write the whole file, or append to it.
    fn write(
        &self,
        path: String,
        text: String,
        append: bool,
    ) -> LocalBoxFuture<'static, Result<(), FileFault>>;
    /// The names in a directory; those of directories end in `/`.
    fn list(&self, path: String) -> LocalBoxFuture<'static, Result<Vec<String>, FileFault>>;
}

/// An operation on a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FileUse {
    pub operation: FileOperation,
    /// As the program gave it.
    pub path: String,
    /// The text to write.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum FileOperation {
    Read,
    Write,
    Append,
    Exists,
    List,
}

/// The result; all else are plain sentences.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum FileReply {
    Result(Value),
    /// There is no such file.
    Missing(String),
    /// The file is none that a program may use.
    Refused(String),
    /// The file is one that it may use, but could not be read or written.
    Failed(String),
}

impl FileOperation {
    /// The tool whose policy applies.
    pub fn tool(self) -> &'static str {
        match self {
            FileOperation::Read | FileOperation::Exists => READ,
            FileOperation::Write | FileOperation::Append => WRITE,
            FileOperation::List => LIST,
        }
    }
}

impl FileUse {
    /// The operation that a call of a file tool means.
    pub fn of(operation: FileOperation, args: &Value) -> Result<FileUse, String> {
        let text = |name: &str| match args.get(name) {
            Some(Value::String(text)) => Ok(text.clone()),
            _ => Err(format!("`{name}` must be a string.")),
        };
        Ok(FileUse {
            operation,
            path: match (operation, args.get("path")) {
                (FileOperation::List, None) => String::new(),
                _ => text("path")?,
            },
            text: match operation {
                FileOperation::Write => text("text")?,
                _ => String::new(),
            },
        })
    }

    pub fn event(&self) -> Event {
        let mut args = json!({ "path": self.path });
        if let FileOperation::Write | FileOperation::Append = self.operation {
            args["text"] = json!(self.text);
        }
        if self.operation == FileOperation::Append {
            args["append"] = json!(true);
        }
        let tool = self.operation.tool().into();
        Event::ToolCall { tool, args }
    }
}

/// Whether a tool is one of the file tools.
pub fn is_for_files(name: &str) -> bool {
    TOOLS.iter().any(|(known, ..)| *known == name)
}

/// Why an unregistered tool cannot be called.
pub fn missing_tool(name: &str) -> String {
    if is_for_files(name) {
        format!("The tool {name} needs a workspace, a folder whose files may be used: this run has none.")
    } else if OFF.contains(&name) {
        format!("The tool {name} is off: the host switches it on with a function of its own.")
    } else {
        format!("There is no tool {name}.")
    }
}

/// Perform the operation.
pub async fn done(folder: Rc<dyn Folder>, asked: FileUse, limits: &Limits) -> FileReply {
    let most = limits.file_bytes;
    let done = match asked.operation {
        FileOperation::Read => read(&*folder, &asked.path, most).await,
        FileOperation::Write => write(&*folder, &asked.path, asked.text, false, most).await,
        FileOperation::Append => write(&*folder, &asked.path, asked.text, true, most).await,
        FileOperation::Exists => exists(&*folder, &asked.path).await,
        FileOperation::List => list(&*folder, &asked.path).await,
    };
    match done {
        Ok(value) => FileReply::Result(value),
        Err(refusal) => refusal,
    }
}

async fn read(folder: &dyn Folder, name: &str, most: usize) -> Result<Value, FileReply> {
    let real = find(folder, name).await?;
    let text = folder.read(real, most).await.map_err(|fault| match fault {
        FileFault::TooLarge => too_large(name, most),
        fault => refusal(name, fault),
    })?;
    if text.len() > most {
        return Err(too_large(name, most));
    }
    Ok(Value::String(text))
}

async fn write(
    folder: &dyn Folder,
    name: &str,
    text: String,
    append: bool,
    most: usize,
) -> Result<Value, FileReply> {
    if text.len() > most {
        return Err(too_long(name, most));
    }
    let real = find_new(folder, name).await?;
    let written = folder.write(real, text, append).await;
    written.map_err(|fault| refusal(name, fault))?;
    Ok(Value::Bool(true))
}

async fn exists(folder: &dyn Folder, name: &str) -> Result<Value, FileReply> {
    match find(folder, name).await {
        // A path whose names cannot be listed is not a directory.
        Ok(real) => Ok(Value::Bool(folder.list(real).await.is_err())),
        Err(FileReply::Missing(_)) => Ok(Value::Bool(false)),
        Err(refusal) => Err(refusal),
    }
}

async fn list(folder: &dyn Folder, name: &str) -> Result<Value, FileReply> {
    let real = find(folder, name).await?;
    let names = folder.list(real).await;
    let mut names = names.map_err(|fault| match fault {
        FileFault::NotFound | FileFault::NotAFile => {
            FileReply::Missing(format!("There is no directory {name} in the workspace."))
        }
        fault => refusal(name, fault),
    })?;
    names.sort_unstable();
    Ok(json!(names))
}

/// The real path of an existing file or directory inside the folder.
async fn find(folder: &dyn Folder, name: &str) -> Result<String, FileReply> {
    let (root, path) = placed(folder, name).await?;
    match folder.resolve(path.clone()).await {
        Ok(real) if is_inside(&real, &root) => Ok(real),
        Err(fault) if may_hold(folder, &root, &path).await => Err(refusal(name, fault)),
        _ => Err(outside(name)),
    }
}

/// The real path of a file inside the folder that exists or may be created.
async fn find_new(folder: &dyn Folder, name: &str) -> Result<String, FileReply> {
    let (root, path) = placed(folder, name).await?;
    match folder.resolve(path.clone()).await {
        Ok(real) if is_inside(&real, &root) => return Ok(real),
        Err(fault) if may_hold(folder, &root, &path).await => match fault {
            FileFault::NotFound => {}
            fault => return Err(refusal(name, fault)),
        },
        _ => return Err(outside(name)),
    }
    let (directory, file) = path.rsplit_once(['/', '\\']).unwrap_or((&root[0], &path));
    let no_directory = || FileReply::Missing(format!("The directory of {name} is not in the workspace."));
    if matches!(file, "" | "." | "..") {
        return Err(no_directory());
    }
    let directory = match directory {
        "" => "/",
        directory => directory,
    };
    match folder.resolve(directory.to_owned()).await {
        Ok(real) if is_inside(&real, &root) => Ok(format!("{}/{file}", real.trim_end_matches(['/', '\\']))),
        _ => Err(no_directory()),
    }
}

/// Whether a path at which nothing was found is inside the folder: true if its nearest existing ancestor is.
/// Outside the folder, missing and existing files are reported alike.
async fn may_hold(folder: &dyn Folder, root: &[String; 1], path: &str) -> bool {
    let mut path = path;
    while let Some((above, _)) = path.rsplit_once(['/', '\\']) {
        let directory = if above.is_empty() { "/" } else { above };
        if let Ok(real) = folder.resolve(directory.to_owned()).await {
            return is_inside(&real, root);
        }
        path = above;
    }
    false
}

/// The real root, and the path of `name` in it.
async fn placed(folder: &dyn Folder, name: &str) -> Result<([String; 1], String), FileReply> {
    if name.contains('\0') {
        return Err(FileReply::Refused(
            "A file name cannot contain a NUL character.".into(),
        ));
    }
    let most = Limits::DEFAULT.file_name_chars;
    if name.chars().count() > most {
        return Err(FileReply::Refused(format!(
            "A file name has no more than {most} characters."
        )));
    }
    let root = folder.resolve(folder.root()).await;
    let root = root.map_err(|_| FileReply::Refused("The workspace folder does not exist.".into()))?;
    if is_absolute(name) {
        return Ok(([root], name.to_owned()));
    }
    if leaves(name) {
        return Err(outside(name));
    }
    let path = match name {
        "" => root.clone(),
        name => format!("{}/{name}", root.trim_end_matches(['/', '\\'])),
    };
    Ok(([root], path))
}

/// Whether a relative path leads above its starting point.
fn leaves(name: &str) -> bool {
    let mut depth = 0_usize;
    for part in name.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." if depth == 0 => return true,
            ".." => depth -= 1,
            _ => depth += 1,
        }
    }
    false
}

fn outside(name: &str) -> FileReply {
    FileReply::Refused(format!(
        "{name} is outside of the workspace, the only folder that a program may use."
    ))
}

fn too_large(name: &str, most: usize) -> FileReply {
    FileReply::Failed(format!(
        "{name} has more than {most} bytes (limit: file_bytes = {most})."
    ))
}

fn too_long(name: &str, most: usize) -> FileReply {
    FileReply::Failed(format!(
        "{name} would have more than {most} bytes (limit: file_bytes = {most})."
    ))
}

fn refusal(name: &str, fault: FileFault) -> FileReply {
    let refused = FileReply::Refused;
    let failed = FileReply::Failed;
    match fault {
        FileFault::NotFound => FileReply::Missing(format!("There is not a file {name} in the workspace.")),
        FileFault::NotAFile => refused(format!("{name} is not a file, but a directory or the like.")),
        FileFault::NotSupported => refused("This host has no files.".into()),
        FileFault::TooLarge => failed(format!("{name} is too large.")),
        FileFault::Unreadable(reason) => failed(format!("{name} cannot be used: {reason}.")),
        FileFault::NotText => failed(format!("{name} is not UTF-8 text.")),
    }
}
