//! The store provided by JavaScript, behind [`crate::store::Store`].

use std::rc::Rc;

use futures::FutureExt;
use wasm_bindgen::prelude::*;

use super::host::message;
use crate::store::{Appended, Head, Shared, Store, StoreFault, Stored};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/**
 * Keeps the bytes of a book, for one process. It is asked one thing at a time. What it cannot do it rejects with an
 * `Error` whose message says why, as a part of a sentence. Where the error is `unanswered`, which is a property of it, what was
 * asked may have been done, or be done later, all the same.
 */
export interface Store {
  /** What keeps the bytes, for messages: the path of a file. */
  readonly name: string;
  /** Take it for this process alone; rejects with who has it. Resolves with the number of bytes, 0 where there is nothing yet. */
  open(): Promise<number>;
  /** Once it is open: why it can only be read here, as a part of a sentence. Then it is only read. */
  readonly readOnly?: string;
  /** What it does for processes that share it, once it is open; without it this process has it alone. */
  readonly shared?: SharedLog;
  /** At most `count` bytes from `from`; fewer only at the end. */
  read(from: number, count: number): Promise<Uint8Array>;
  /**
   * Leave the first `at` bytes and put `bytes` behind them, and then `head` in place of as many at the start. Resolves
   * when that is durable, and what was put in place of all before it; `head` may become durable later, but never before
   * `bytes`. What rejects leaves the start as it was.
   */
  append(at: number, bytes: Uint8Array, head: Uint8Array): Promise<void>;
  /** Put `bytes` in place of all, at once: whatever happens, there is what was before or these. */
  replace(bytes: Uint8Array): Promise<void>;
  /** Keep bytes beside, for people; resolves with the name under which they are found. */
  setAside(bytes: Uint8Array): Promise<string>;
}

/** A store that several processes write to: each appends behind what it has read. Who keeps the bytes may change. */
export interface SharedLog {
  /** The id of this connection, which no other ever has. It stands in every record. */
  readonly connection: string;
  /** Whether nobody else had it when it was opened. */
  readonly wasAlone: boolean;
  /** Whether this process keeps the bytes. */
  readonly isKeeper: boolean;
  /** What was opened is whole up to `length`: others may have it. */
  settled(length: number): void;
  /** How far it goes now, and whether another goes on in its place since, which {@link Store.open} gives. */
  head(): Promise<{ length: number; replaced: boolean }>;
  /** Resolves when others have written behind `from`, or it was replaced. It may resolve sooner. */
  tail(from: number): Promise<void>;
  /** As {@link Store.append}, of all pieces at once, if the log ends at `at`; whether it does. */
  append(at: number, pieces: Uint8Array[], head: Uint8Array): Promise<boolean>;
  /** As {@link Store.replace}, if the log ends at `at`; whether it does. Only who keeps the bytes is asked. */
  replace(at: number, bytes: Uint8Array): Promise<boolean>;
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
    #[wasm_bindgen(method, getter)]
    fn shared(this: &JsStore) -> Option<JsShared>;
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

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "SharedLog")]
    #[derive(Clone)]
    pub type JsShared;

    #[wasm_bindgen(method, getter)]
    fn connection(this: &JsShared) -> String;
    #[wasm_bindgen(method, getter, js_name = wasAlone)]
    fn was_alone(this: &JsShared) -> bool;
    #[wasm_bindgen(method, getter, js_name = isKeeper)]
    fn is_keeper(this: &JsShared) -> bool;
    #[wasm_bindgen(method)]
    fn settled(this: &JsShared, length: f64);
    #[wasm_bindgen(method, catch)]
    async fn head(this: &JsShared) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    async fn tail(this: &JsShared, from: f64) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    async fn append(
        this: &JsShared,
        at: f64,
        pieces: js_sys::Array,
        head: js_sys::Uint8Array,
    ) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    async fn replace(this: &JsShared, at: f64, bytes: js_sys::Uint8Array) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(typescript_type = "{ length: number; replaced: boolean }")]
    type JsHead;
    #[wasm_bindgen(method, getter)]
    fn length(this: &JsHead) -> f64;
    #[wasm_bindgen(method, getter)]
    fn replaced(this: &JsHead) -> bool;
}

impl Shared for JsShared {
    fn connection(&self) -> Rc<str> {
        JsShared::connection(self).into()
    }

    fn was_alone(&self) -> bool {
        JsShared::was_alone(self)
    }

    fn is_keeper(&self) -> bool {
        JsShared::is_keeper(self)
    }

    fn settled(&self, length: u64) {
        JsShared::settled(self, length as f64);
    }

    fn head(&self) -> Stored<Head> {
        let shared = self.clone();
        async move {
            let head: JsHead = JsShared::head(&shared).await.map_err(fault)?.unchecked_into();
            Ok(Head {
                length: head.length() as u64,
                replaced: head.replaced(),
            })
        }
        .boxed_local()
    }

    fn tail(&self, from: u64) -> Stored<()> {
        let shared = self.clone();
        async move {
            let tail = JsShared::tail(&shared, from as f64).await;
            tail.map(drop).map_err(fault)
        }
        .boxed_local()
    }

    fn append(&self, at: u64, pieces: Vec<Vec<u8>>, head: Vec<u8>) -> Stored<Appended> {
        let shared = self.clone();
        async move {
            let bytes = |piece: Vec<u8>| js_sys::Uint8Array::from(&piece[..]);
            let head = bytes(head);
            let pieces: js_sys::Array = pieces.into_iter().map(bytes).collect();
            let done = JsShared::append(&shared, at as f64, pieces, head).await;
            Ok(appended(&done.map_err(fault)?))
        }
        .boxed_local()
    }

    fn replace(&self, at: u64, bytes: Vec<u8>) -> Stored<Appended> {
        let shared = self.clone();
        async move {
            let bytes = js_sys::Uint8Array::from(&bytes[..]);
            let done = JsShared::replace(&shared, at as f64, bytes).await;
            Ok(appended(&done.map_err(fault)?))
        }
        .boxed_local()
    }
}

fn appended(done: &JsValue) -> Appended {
    match done.is_truthy() {
        true => Appended::Done,
        false => Appended::Conflict,
    }
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

    fn shared(&self) -> Option<Rc<dyn Shared>> {
        JsStore::shared(self).map(|shared| Rc::new(shared) as Rc<dyn Shared>)
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
    let unanswered = js_sys::Reflect::get(&error, &"unanswered".into());
    StoreFault {
        why: message(&error),
        unanswered: unanswered.is_ok_and(|unanswered| unanswered.is_truthy()),
    }
}
