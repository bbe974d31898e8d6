//! What a server says of itself.

#[derive(Debug, Clone)]
pub struct About {
    pub name: String,
    pub title: String,
    pub version: String,
    /// How a model should use the server.
    pub instructions: String,
    pub features: Features,
}

/// The optional parts of the protocol that a service uses.
#[derive(Debug, Clone, Copy, Default)]
pub struct Features {
    /// It sends log messages.
    pub logging: bool,
    /// It notifies clients of updated resources.
    pub subscriptions: bool,
    /// It notifies clients when the list of tools, resources or prompts changes.
    pub tools_change: bool,
    pub resources_change: bool,
    pub prompts_change: bool,
    /// Some tools may run as tasks.
    pub tasks: bool,
}
