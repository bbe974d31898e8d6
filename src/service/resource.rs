//! Resources that clients can read.

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use hornbook_mcp::{Object, object};
use serde_json::{Value, json};

/// A resource of a toolset.
pub struct Resource<C> {
    pub uri: &'static str,
    pub name: &'static str,
    pub description: &'static str,
    pub mime_type: &'static str,
    pub text: Contents<C>,
}

/// How a resource's text is made.
pub enum Contents<C> {
    Whole(fn(&C) -> LocalBoxFuture<'static, String>),
    /// The page after the given item, or the first page for an empty text. The page says how to get the next
    /// one, with `?after=`.
    Paged(fn(&C, &str) -> String),
    /// Of each text that stands in the URI in place of the parameter of this name.
    Each(&'static str, fn(&C, String) -> LocalBoxFuture<'static, String>),
}

const AFTER: &str = "?after=";

impl<C: Clone + 'static> Resource<C> {
    /// As listed by `resources/list`; `None` for a template.
    pub fn declaration(&self) -> Option<Value> {
        let key = match self.text {
            Contents::Each(..) => return None,
            _ => "uri",
        };
        Some(self.declared(key, self.uri.to_owned()))
    }

    /// As listed by `resources/templates/list`, if it is one.
    pub fn template(&self) -> Option<Value> {
        match self.text {
            Contents::Each(parameter, _) => {
                Some(self.declared("uriTemplate", format!("{}{{{parameter}}}", self.uri)))
            }
            _ => None,
        }
    }

    fn declared(&self, key: &str, uri: String) -> Value {
        json!({
            key: uri,
            "name": self.name,
            "description": self.description,
            "mimeType": self.mime_type,
        })
    }

    /// The text in a URI of this template.
    pub fn parameter(&self, uri: &str) -> Option<String> {
        match self.text {
            Contents::Each(..) => unescaped(uri.strip_prefix(self.uri)?),
            _ => None,
        }
    }

    /// A `ReadResourceResult`; `None` if `uri` does not belong to this resource.
    pub fn contents(&self, uri: &str, context: &C) -> Option<LocalBoxFuture<'static, Object>> {
        let text = match (&self.text, uri.strip_prefix(self.uri)?) {
            (Contents::Whole(text), "") => text(context),
            (Contents::Paged(text), "") => page(*text, context, String::new()),
            (Contents::Each(_, text), rest) => text(context, unescaped(rest)?),
            (Contents::Paged(text), rest) => {
                let after = unescaped(rest.strip_prefix(AFTER)?)?;
                page(*text, context, after)
            }
            _ => return None,
        };
        let (uri, mime_type) = (uri.to_string(), self.mime_type);
        let contents = move |text: String| {
            object(json!({
                "contents": [{ "uri": uri, "mimeType": mime_type, "text": text }],
            }))
        };
        Some(text.map(contents).boxed_local())
    }
}

/// A page, made when the future runs.
fn page<C: Clone + 'static>(
    text: fn(&C, &str) -> String,
    context: &C,
    after: String,
) -> LocalBoxFuture<'static, String> {
    let context = context.clone();
    async move { text(&context, &after) }.boxed_local()
}

/// The URI of the page after `after`.
pub fn page_after(uri: &str, after: &str) -> String {
    let mut address = format!("{uri}{AFTER}");
    for byte in after.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'/' => {
                address.push(char::from(byte))
            }
            byte => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address
}

fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'%' => {
                let digit = |byte: u8| char::from(byte).to_digit(16);
                let (high, low) = (digit(rest.next()?)?, digit(rest.next()?)?);
                bytes.push((high * 16 + low) as u8);
            }
            byte => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_found_by_its_address() {
        for after in ["edge/a/b/x y%?&\u{e9}\"", "plain", ""] {
            let address = page_after("kn://export", after);
            let rest = address.strip_prefix("kn://export?after=").expect("it begins so");
            assert_eq!(unescaped(rest).as_deref(), Some(after), "{address}");
        }
        assert_eq!(unescaped("a%2"), None);
        assert_eq!(unescaped("%zz"), None);
    }
}
