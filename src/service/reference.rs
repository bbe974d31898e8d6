//! What any toolset can tell about the server itself.

use futures::FutureExt;
use futures::future::ready;

use crate::help::Help;
use crate::resource::{Contents, Resource};

pub const REFERENCES: [Resource<Help>; 3] = [
    Resource {
        uri: "reference://help",
        name: "Help",
        description: "How to use this server",
        mime_type: "text/markdown",
        text: Contents::Whole(|help| ready(help.text(None)).boxed_local()),
    },
    Resource {
        uri: "reference://license",
        name: "License",
        description: "The license of Hornbook",
        mime_type: "text/plain",
        text: Contents::Whole(|_| ready(include_str!("../../LICENSE").to_string()).boxed_local()),
    },
    Resource {
        uri: "reference://logo",
        name: "Logo",
        description: "The logo of Hornbook",
        mime_type: "image/svg+xml",
        text: Contents::Whole(|_| ready(include_str!("logo.svg").to_string()).boxed_local()),
    },
];
