import { h } from './dom.ts';

/** Offer the person a file to download. */
export function download(name: string, contents: string | Blob, type: string): void {
  const url = URL.createObjectURL(new Blob([contents], { type }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
