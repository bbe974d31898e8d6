//! What a message may do.

use std::rc::Rc;

use hornbook_base::Who;

/// Whom the rules of a book take a client for.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Acting {
    /// Whoever it says that it is.
    #[default]
    Itself,
    /// Whom the host knows it to be.
    As(Rc<Who>),
    /// The host, whom they do not bind: whom it knows by this name, if it has one.
    Host(Option<Rc<str>>),
}

/// What a message may do. It is decided when the message arrives.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Rights {
    /// Whether it may only read the book.
    pub read_only: bool,
    pub acting: Acting,
}

impl Rights {
    /// Whether a message with these rights may decide for a call that has others.
    pub fn reach(&self, others: &Rights) -> bool {
        let is_as_free = matches!(self.acting, Acting::Host(_)) || self.acting == others.acting;
        others.read_only || (!self.read_only && is_as_free)
    }
}
