/** The build puts the bytes of the file in its place. */
declare module '@jitl/quickjs-wasmfile-release-sync/wasm' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}
