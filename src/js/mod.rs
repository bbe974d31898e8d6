//! Everything that touches JavaScript: the host and the store that it gives ([`host`], [`store`]) and the classes that
//! it gets ([`facade`]).

mod dml;
mod facade;
mod failed;
mod host;
mod page;
mod store;
