//! The store provided by JavaScript, behind [`crate::store::Store`].

use std::rc::Rc;

use futures::FutureExt;
use wasm_bindgen::prelude::*;

use super::told::message;
use crate::store::{Appended, Head, Heritage, Shared, Store, StoreFault, Stored};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/**
 * Stores the bytes of a book, for one process. Calls do not overlap. Functions reject with an `Error` whose message says
 * why, as part of a sentence. If the error has the property `unanswered`, the operation may have been performed all the
 * same, or still be performed later.
 */
export interface Store {
  /** The name of the store for messages, such as the path of a file. */
  readonly name: string;
  /**
   * Open it exclusively for this process; rejects with who has it. Resolves to the number of bytes, 0 if there is
   * nothing yet.
   */
  open(): Promise<number>;
  /** Set once open if it is read-only here: the reason, as part of a sentence. */
  readonly readOnly?: string;
  /** Set once open if processes can share it; otherwise this process has it to itself. */
  readonly shared?: SharedLog;
  /** At most `count` bytes from `from`; fewer only at the end. */
  read(from: number, count: number): Promise<Uint8Array>;
  /**
   * Keep the first `at` bytes, put `bytes` after them, and then overwrite the start with `head`. Resolves when this and
   * any earlier replacement are durable; `head` may become durable later, but never before `bytes`. If it rejects, the
   * start is unchanged.
   */
  append(at: number, bytes: Uint8Array, head: Uint8Array): Promise<void>;
  /** Replace everything with `bytes`, atomically: whatever happens, either the old bytes or these remain. */
  replace(bytes: Uint8Array): Promise<void>;
  /** Save bytes separately, for people; resolves to the name under which they can be found. */
  setAside(bytes: Uint8Array): Promise<string>;
}

/** What a connection takes over from others of the same program, in whose place it is opened: see {@link SharedLog}. */
export interface Heritage {
  /** Revisions up to this one count as theirs, whoever made them. */
  readonly revision: number;
  /** Their ids. What they did, and still do, counts as this one's own, for example for an undo. */
  readonly connections: readonly string[];
}

/**
 * A store that several processes write to: each appends after what it has read. The process that keeps the bytes
 * may change.
 */
export interface SharedLog {
  /** The id of this connection, never used by another. It is part of every record. */
  readonly connection: string;
  /** Whether nobody else had it open when it was opened. */
  readonly wasAlone: boolean;
  /** What it takes over from earlier connections: their {@link Hornbook.heritage}. Default: nothing. */
  readonly heritage?: Heritage;
  /**
   * Whether this process keeps the bytes; before {@link settled}, whether it is the one to repair what it has opened,
   * which nobody else writes to until then.
   */
  readonly isKeeper: boolean;
  /** What was opened is intact up to `length`: others may use it now. */
  settled(length: number): void;
  /**
   * Its current length, and whether it has been replaced since, in which case {@link Store.open} opens the
   * replacement.
   */
  head(): Promise<{ length: number; replaced: boolean }>;
  /** Resolves when others have written after `from`, or it was replaced. May resolve early. */
  tail(from: number): Promise<void>;
  /** Like {@link Store.append} with all pieces at once, if the log ends at `at`. Resolves to whether it does. */
  append(at: number, pieces: Uint8Array[], head: Uint8Array): Promise<boolean>;
  /**
   * Like {@link Store.replace}, if the log ends at `at`. Resolves to whether it does. If another process keeps the
   * bytes, it replaces them, and {@link head} says so.
   */
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
    #[wasm_bindgen(method, getter)]
    fn heritage(this: &JsShared) -> Option<JsHeritage>;
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

    #[wasm_bindgen(typescript_type = "Heritage")]
    type JsHeritage;
    #[wasm_bindgen(method, getter)]
    fn revision(this: &JsHeritage) -> f64;
    #[wasm_bindgen(method, getter)]
    fn connections(this: &JsHeritage) -> Vec<String>;

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

    fn heritage(&self) -> Heritage {
        JsShared::heritage(self).map_or_else(Heritage::default, |heritage| Heritage {
            revision: heritage.revision() as u64,
            connections: heritage.connections().into_iter().map(Into::into).collect(),
        })
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
