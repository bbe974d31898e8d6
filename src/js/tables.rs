//! Tables: `full` reads them, and the core asks its host to have `full` do it.

#[cfg(feature = "full")]
mod reading {
    use std::rc::Rc;

    use wasm_bindgen::prelude::*;
    use wasm_bindgen_futures::future_to_promise;

    use super::super::clock::JsClock;
    use super::super::{failed, json};
    use crate::base::Pace;
    use crate::tables::{Here, Reader, Request, Table};

    /// Read a table for the core: the JSON of what is read and the text of the file, to the JSON of what was found out
    /// or of the fault, and the text of the facts.
    #[wasm_bindgen(js_name = readTable, unchecked_return_type = "Promise<[tables: string, text: string]>")]
    pub fn read_table(request: String, text: js_sys::JsString) -> js_sys::Promise {
        future_to_promise(async move {
            failed::check()?;
            let request: Request = serde_json::from_str(&request).map_err(JsError::from)?;
            let pace = Pace::new(Rc::new(JsClock));
            let text = json::string_in_slices(text, &pace).await;
            let (tables, text) = match reader().read(request, text).await {
                Ok(Table { text, tables }) => (Ok(tables), text),
                Err(fault) => (Err(fault), String::new()),
            };
            let tables = serde_json::to_string(&tables).map_err(JsError::from)?;
            let text = json::text_in_slices(&text, &pace).await;
            Ok(js_sys::Array::of2(&tables.into(), &text).into())
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
    use std::rc::Rc;

    use futures::FutureExt;
    use futures::future::LocalBoxFuture;
    use wasm_bindgen::JsCast;

    use super::super::clock::JsClock;
    use super::super::host::JsHost;
    use super::super::json;
    use super::super::told::message;
    use crate::base::{Fault, FaultKind, Pace};
    use crate::tables::{About, Reader, Request, Table};

    /// Asks the host.
    pub struct Asking(pub JsHost);

    impl Reader for Asking {
        fn read(&self, request: Request, text: String) -> LocalBoxFuture<'static, Result<Table, Fault>> {
            let host = self.0.clone();
            async move {
                let pace = Pace::new(Rc::new(JsClock));
                let request = serde_json::to_string(&request).unwrap_or_default();
                let given = json::text_in_slices(&text, &pace).await;
                drop(text);
                let read = match host.read_table(&request, &given).await {
                    Ok(read) => js_sys::Array::from(&read),
                    Err(error) => return Err(failed(&message(&error))),
                };
                drop(given);
                let tables: Result<Vec<About>, Fault> =
                    serde_json::from_str(&read.get(0).as_string().unwrap_or_default())
                        .map_err(|error| failed(&error.to_string()))?;
                let text = json::string_in_slices(read.get(1).unchecked_into(), &pace).await;
                tables.map(|tables| Table { text, tables })
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
