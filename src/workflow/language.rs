//! The languages of nodes.

/// The language of a node's code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    Prolog,
    Python,
    Lua,
    JavaScript,
}

impl Language {
    pub const ALL: [Language; 4] = [
        Language::Prolog,
        Language::Python,
        Language::Lua,
        Language::JavaScript,
    ];

    /// The name as written in workflows.
    pub fn word(self) -> &'static str {
        match self {
            Language::Prolog => "prolog",
            Language::Python => "python",
            Language::Lua => "lua",
            Language::JavaScript => "javascript",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Language::Prolog => "Prolog",
            Language::Python => "Python",
            Language::Lua => "Lua",
            Language::JavaScript => "JavaScript",
        }
    }

    /// The npm package that runs it.
    pub fn package(self) -> &'static str {
        match self {
            Language::Prolog => "hornbook",
            Language::Python => "pyodide",
            Language::Lua => "wasmoon",
            Language::JavaScript => "quickjs-emscripten",
        }
    }
}
