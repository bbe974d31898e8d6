//! The folder whose files DML programs may use, behind the trait [`Folder`].

use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use wasm_bindgen::prelude::*;

use super::told::{fault, file_names, real_path};
use crate::agent::Folder;
use crate::base::FileFault;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/**
 * A folder whose files DML programs may use. Paths are absolute; except for that of `resolvePath`, they are paths the
 * folder has returned, or such a directory with the name of a new file. Functions reject with a {@link FileFault}.
 */
export interface Folder {
  /** The folder's path. */
  readonly root: string;
  /** The real path of an existing file or directory, with symbolic links resolved. */
  resolvePath(path: string): Promise<string>;
  /** The contents of a file of at most `most` bytes. */
  readFile(path: string, most: number): Promise<Uint8Array>;
  /**
   * Write a whole file, or append to it. Must not follow a symbolic link: one at this path has appeared since it
   * was resolved.
   */
  writeFile(path: string, text: string, append: boolean): Promise<void>;
  /** The names in a directory; those of directories end in `/`. */
  listDirectory(path: string): Promise<string[]>;
}
"#;

#[wasm_bindgen]
extern "C" {
    #[derive(Clone)]
    pub type JsFolder;

    #[wasm_bindgen(method, getter)]
    fn root(this: &JsFolder) -> String;
    #[wasm_bindgen(method, catch, js_name = resolvePath)]
    async fn resolve_path(this: &JsFolder, path: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = readFile)]
    async fn read_file(this: &JsFolder, path: &str, most: f64) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = writeFile)]
    async fn write_file(this: &JsFolder, path: &str, text: &str, append: bool) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = listDirectory)]
    async fn list_directory(this: &JsFolder, path: &str) -> Result<JsValue, JsValue>;
}

pub fn shared(folder: JsFolder) -> Rc<dyn Folder> {
    Rc::new(folder)
}

impl Folder for JsFolder {
    fn root(&self) -> String {
        JsFolder::root(self)
    }

    fn resolve(&self, path: String) -> LocalBoxFuture<'static, Result<String, FileFault>> {
        let folder = self.clone();
        async move {
            let real = folder.resolve_path(&path).await.map_err(|error| fault(&error))?;
            real_path(&real)
        }
        .boxed_local()
    }

    fn read(&self, path: String, most: usize) -> LocalBoxFuture<'static, Result<String, FileFault>> {
        let folder = self.clone();
        async move {
            let read = folder
                .read_file(&path, most as f64)
                .await
                .map_err(|error| fault(&error))?;
            String::from_utf8(js_sys::Uint8Array::from(read).to_vec()).map_err(|_| FileFault::NotText)
        }
        .boxed_local()
    }

    fn write(
        &self,
        path: String,
        text: String,
        append: bool,
    ) -> LocalBoxFuture<'static, Result<(), FileFault>> {
        let folder = self.clone();
        async move {
            let written = folder.write_file(&path, &text, append).await;
            written.map(drop).map_err(|error| fault(&error))
        }
        .boxed_local()
    }

    fn list(&self, path: String) -> LocalBoxFuture<'static, Result<Vec<String>, FileFault>> {
        let folder = self.clone();
        async move {
            let names = folder
                .list_directory(&path)
                .await
                .map_err(|error| fault(&error))?;
            file_names(names)
        }
        .boxed_local()
    }
}
