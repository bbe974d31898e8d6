//! Time and chance.

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use gloo_timers::future::TimeoutFuture;
#[cfg(feature = "full")]
use wasm_bindgen::prelude::*;

use crate::base::Clock;

/// JavaScript's clock.
pub struct JsClock;

impl Clock for JsClock {
    fn now_ms(&self) -> u64 {
        js_sys::Date::now() as u64
    }

    /// Dropping the future cancels the timer.
    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()> {
        // JavaScript timers fire at once if the time is beyond their range.
        TimeoutFuture::new(ms.min(i32::MAX as u64) as u32).boxed_local()
    }
}

#[cfg(feature = "full")]
#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = crypto, js_name = getRandomValues)]
    fn fill_with_random(bytes: &mut [u8]);
}

/// A unique id of sixteen letters and digits: 80 random bits.
#[cfg(feature = "full")]
pub fn new_id() -> String {
    const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let mut bytes = [0; 16];
    fill_with_random(&mut bytes);
    bytes
        .iter()
        .map(|byte| LETTERS[usize::from(byte % 32)] as char)
        .collect()
}
