//! `wasm-bindgen IN.wasm OUT_DIR NAME`: writes `NAME.js`, `NAME.d.ts` and `NAME_bg.wasm` for the web.

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || {
        arguments
            .next()
            .context("usage: wasm-bindgen IN.wasm OUT_DIR NAME")
    };
    let (input, directory, name) = (next()?, next()?, next()?);
    Bindgen::new()
        .input_path(input)
        .web(true)?
        .typescript(true)
        .out_name(&name)
        .generate(directory)
}
