//! The store that JavaScript gives, behind [`crate::store::Store`].

use futures::FutureExt;
use wasm_bindgen::prelude::*;

use super::host::message;
use crate::store::{Store, StoreFault, Stored};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/**
 * Keeps the bytes of a book, for one process. It is asked one thing at a time. What it cannot do it rejects with an
 * `Error` whose message says why, as a part of a sentence.
 */
export interface Store {
  /** What keeps the bytes, for messages: the path of a file. */
  readonly name: string;
  /** Take it for this process alone; rejects with who has it. Resolves with the number of bytes, 0 where there is nothing yet. */
  open(): Promise<number>;
  /** Once it is open: why it can only be read here, as a part of a sentence. Then it is only read. */
  readonly readOnly?: string;
  /** At most `count` bytes from `from`; fewer only at the end. */
  read(from: number, count: number): Promise<Uint8Array>;
  /**
   * Leave the first `at` bytes and put `bytes` behind them, and then `head` in place of as many at the begin. Resolves
   * when that is durable, and what was put in place of all before it; `head` may become durable later, but never before
   * `bytes`. What rejects leaves the begin as it was.
   */
  append(at: number, bytes: Uint8Array, head: Uint8Array): Promise<void>;
  /** Put `bytes` in place of all, at once: whatever happens, there is what was before or these. */
  replace(bytes: Uint8Array): Promise<void>;
  /** Keep bytes beside, for people; resolves with the name under which they are found. */
  setAside(bytes: Uint8Array): Promise<string>;
}
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "Store")]
    #[derive(Clone)]
    pub type JsStore;

    #[wasm_bindgen(method, getter)]
    fn name(this: &JsStore) -> String;
    #[wasm_bindgen(method, catch)]
    async fn open(this: &JsStore) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, js_name = readOnly)]
    fn read_only(this: &JsStore) -> Option<String>;
    #[wasm_bindgen(method, catch)]
    async fn read(this: &JsStore, from: f64, count: f64) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    async fn append(
        this: &JsStore,
        at: f64,
        bytes: js_sys::Uint8Array,
        head: js_sys::Uint8Array,
    ) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    async fn replace(this: &JsStore, bytes: js_sys::Uint8Array) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = setAside)]
    async fn set_aside(this: &JsStore, bytes: js_sys::Uint8Array) -> Result<JsValue, JsValue>;
}

impl Store for JsStore {
    fn name(&self) -> String {
        JsStore::name(self)
    }

    fn open(&self) -> Stored<u64> {
        let store = self.clone();
        async move {
            let length = JsStore::open(&store).await.map_err(fault)?;
            Ok(length.as_f64().unwrap_or_default() as u64)
        }
        .boxed_local()
    }

    fn read_only(&self) -> Option<String> {
        JsStore::read_only(self)
    }

    fn read(&self, from: u64, count: u64) -> Stored<Vec<u8>> {
        let store = self.clone();
        async move {
            let bytes = JsStore::read(&store, from as f64, count as f64).await;
            Ok(js_sys::Uint8Array::new(&bytes.map_err(fault)?).to_vec())
        }
        .boxed_local()
    }

    fn append(&self, at: u64, bytes: Vec<u8>, head: Vec<u8>) -> Stored<()> {
        let store = self.clone();
        async move {
            let bytes = js_sys::Uint8Array::from(&bytes[..]);
            let head = js_sys::Uint8Array::from(&head[..]);
            JsStore::append(&store, at as f64, bytes, head)
                .await
                .map_err(fault)?;
            Ok(())
        }
        .boxed_local()
    }

    fn replace(&self, bytes: Vec<u8>) -> Stored<()> {
        let store = self.clone();
        async move {
            let bytes = js_sys::Uint8Array::from(&bytes[..]);
            JsStore::replace(&store, bytes).await.map_err(fault)?;
            Ok(())
        }
        .boxed_local()
    }

    fn set_aside(&self, bytes: Vec<u8>) -> Stored<String> {
        let store = self.clone();
        async move {
            let bytes = js_sys::Uint8Array::from(&bytes[..]);
            let name = JsStore::set_aside(&store, bytes).await.map_err(fault)?;
            Ok(name.as_string().unwrap_or_default())
        }
        .boxed_local()
    }
}

fn fault(error: JsValue) -> StoreFault {
    StoreFault(message(&error))
}
