//! Tables: `full` reads them, and the core asks its host to have `full` do it.

#[cfg(feature = "full")]
mod reading {
    use std::rc::Rc;

    use wasm_bindgen::prelude::*;
    use wasm_bindgen_futures::future_to_promise;

    use super::super::clock::JsClock;
    use super::super::{failed, json};
    use crate::tables::{Here, Reader, Request};

    /// Read a table for the core: the JSON of what is read and the text of the file, to the JSON of the table or of the
    /// fault.
    #[wasm_bindgen(js_name = readTable, unchecked_return_type = "Promise<string>")]
    pub fn read_table(request: String, text: js_sys::JsString) -> js_sys::Promise {
        future_to_promise(async move {
            failed::check()?;
            let request: Request = serde_json::from_str(&request).map_err(JsError::from)?;
            let table = reader().read(request, json::string(&text)).await;
            Ok(serde_json::to_string(&table).map_err(JsError::from)?.into())
        })
    }

    /// What reads tables in this part of the crate.
    pub fn reader() -> Here {
        Here(Rc::new(JsClock))
    }
}

#[cfg(feature = "full")]
pub use reading::reader;

#[cfg(not(feature = "full"))]
mod asking {
    use futures::FutureExt;
    use futures::future::LocalBoxFuture;

    use super::super::host::JsHost;
    use super::super::told::message;
    use crate::base::{Fault, FaultKind};
    use crate::tables::{Reader, Request, Table};

    /// Asks the host.
    pub struct Asking(pub JsHost);

    impl Reader for Asking {
        fn read(&self, request: Request, text: String) -> LocalBoxFuture<'static, Result<Table, Fault>> {
            let host = self.0.clone();
            async move {
                let request = serde_json::to_string(&request).unwrap_or_default();
                let read = match host.read_table(&request, &text).await {
                    Ok(table) => table.as_string().unwrap_or_default(),
                    Err(error) => return Err(failed(&message(&error))),
                };
                serde_json::from_str(&read).unwrap_or_else(|error| Err(failed(&error.to_string())))
            }
            .boxed_local()
        }
    }

    fn failed(why: &str) -> Fault {
        let message = format!("The part of Hornbook that reads tables could not be used: {why}");
        Fault::new(FaultKind::FileError, message)
    }
}

#[cfg(not(feature = "full"))]
pub use asking::Asking;
