//! Everything that touches JavaScript: the host and the store it provides ([`host`], [`store`]), and the
//! classes it gets ([`facade`], [`frames`]). The feature `full` adds what pages load only on use.

mod book;
mod clock;
#[cfg(feature = "full")]
mod desk;
#[cfg(feature = "full")]
mod dml;
mod facade;
#[cfg(feature = "full")]
mod facts;
mod failed;
#[cfg(feature = "full")]
mod folder;
mod frames;
mod host;
mod json;
#[cfg(feature = "full")]
mod memory;
#[cfg(feature = "full")]
mod operations;
#[cfg(feature = "full")]
mod other_books;
mod page;
#[cfg(feature = "full")]
mod past;
#[cfg(feature = "full")]
mod review;
#[cfg(feature = "full")]
mod room;
mod settings;
mod store;
mod tables;
mod told;
mod toolsets;
#[cfg(feature = "full")]
mod value;
#[cfg(feature = "full")]
mod workflow;
