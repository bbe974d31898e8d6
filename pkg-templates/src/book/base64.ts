/** How many bytes are turned into characters in one call: arguments of a call are few. */
const SLICE = 0x8000;

/** Bytes as base64, in Node and in pages. */
export function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += SLICE) text += String.fromCharCode(...bytes.subarray(at, at + SLICE));
  return btoa(text);
}
