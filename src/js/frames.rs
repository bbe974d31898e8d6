//! The class with which JavaScript serves other windows.

use std::rc::Rc;

use wasm_bindgen::prelude::*;

use super::facade::Hornbook;
use super::{failed, json};
use crate::mcp::{self, Window};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** The window that a message comes from or goes to, as seen from this one. */
export type Which = "own" | "parent" | "other";
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "(to: Which, origin: string, message: object) => void")]
    pub type PostTo;
    #[wasm_bindgen(typescript_type = "Which")]
    pub type Which;
}

/// The clients in other windows.
#[wasm_bindgen]
pub struct Frames(mcp::Frames);

#[wasm_bindgen]
impl Hornbook {
    /// Serve windows of these origins. `own` is the origin of this window, `parents` are those its parent may
    /// have; `post` posts to a window if it has the given origin. Throws if an origin is invalid.
    #[wasm_bindgen(js_name = serveFrames)]
    pub fn serve_frames(
        &self,
        origins: Vec<String>,
        own: String,
        parents: Vec<String>,
        post: PostTo,
    ) -> Result<Frames, JsError> {
        failed::check()?;
        let post: js_sys::Function = post.unchecked_into();
        let send = move |to: Window, origin: &str, message: String| {
            // A window that is gone receives nothing.
            let _ = post.call3(
                &JsValue::NULL,
                &name(to).into(),
                &origin.into(),
                &json::parse(&message),
            );
        };
        let parents = parents.into_iter().map(|origin| (Window::Parent, origin));
        let near: Vec<(Window, String)> = [(Window::Own, own)].into_iter().chain(parents).collect();
        mcp::Frames::new(self.server(), origins, &near, Rc::new(send))
            .map(Frames)
            .map_err(|message| JsError::new(&message))
    }
}

#[wasm_bindgen]
impl Frames {
    /// Take what a window of this origin has posted. If it returns an object, post that back together with a
    /// served port.
    #[wasm_bindgen(unchecked_return_type = "object | undefined")]
    pub fn receive(&self, from: Which, origin: &str, data: &JsValue) -> Result<JsValue, JsError> {
        failed::check()?;
        let from = match JsValue::from(from).as_string().as_deref() {
            Some("own") => Window::Own,
            Some("parent") => Window::Parent,
            _ => Window::Other,
        };
        if !self.0.allows(origin) {
            return Ok(JsValue::UNDEFINED);
        }
        let answer = json::text(data).and_then(|text| self.0.receive(from, origin, &text));
        Ok(answer.map_or(JsValue::UNDEFINED, |answer| json::parse(&answer)))
    }

    /// Cancel everything that runs for clients without a port, and notify them.
    pub fn close(self) {
        self.0.close();
    }
}

fn name(window: Window) -> &'static str {
    match window {
        Window::Own => "own",
        Window::Parent => "parent",
        Window::Other => "other",
    }
}
