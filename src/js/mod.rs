//! Everything that touches JavaScript: the host and the store that it gives ([`host`], [`store`]) and the classes that
//! it gets ([`facade`], [`frames`]).

mod book;
mod dml;
mod facade;
mod failed;
mod folder;
mod frames;
mod host;
mod json;
mod page;
mod store;
mod value;
mod workflow;
