//! Everything that touches JavaScript: the host that it gives ([`host`]) and the classes that it gets ([`facade`]).

mod dml;
mod facade;
mod failed;
mod host;
