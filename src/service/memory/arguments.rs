//! The tools' arguments, as their schemas show them. The memory itself checks what each action takes.

use std::borrow::Cow;

use hornbook_memory::{Kind as Declared, TOOLS};

use crate::schema::{Argument, Kind};

/// The arguments of a tool, or only those of its actions that read.
pub fn arguments(tool: &str, only_reading: bool) -> Vec<Argument> {
    let tool = TOOLS
        .iter()
        .find(|known| known.name == tool)
        .expect("the memory has the tool");
    let actions = tool.actions(only_reading).map(|action| action.name);
    let action = Argument {
        required: true,
        ..argument("action", Kind::Choice(Cow::Owned(actions.collect())))
    };
    let parameters = tool.parameters(only_reading);
    let own = parameters.map(|(name, declared)| argument(name, kind(declared)));
    [action].into_iter().chain(own).collect()
}

fn kind(declared: &Declared) -> Kind {
    match declared {
        Declared::Text | Declared::Time => Kind::Text,
        Declared::Texts => Kind::List,
        Declared::Flag => Kind::Flag,
        Declared::Whole(..) | Declared::Number(..) => Kind::Number,
        Declared::Choice(_, values) => Kind::choice(values),
    }
}

fn argument(name: &'static str, kind: Kind) -> Argument {
    Argument {
        name,
        kind,
        required: false,
        operations: &[],
        description: "",
    }
}
