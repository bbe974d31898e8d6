/** Looks for a text in all books: in their files, also what is not saved yet, and in the clauses that are in none. */
import { createHornbook } from '../../../pkg/web.js';
import type { FileList } from '../../../pkg/generated/tools.js';
import { LOOSE } from '../book/book.ts';
import { keptJson, textsIn } from '../kept.ts';
import { connected } from '../session.ts';
import { type Shelved, partOf } from '../shelf.ts';
import { Traffic } from '../traffic.ts';

export interface Found {
  file: string;
  /** From 1. */
  line: number;
  /** The line, or what is around the match in a long one: before it, it, and after it. */
  around: [string, string, string];
}

/** How many matches of a book are shown. */
export const MOST = 50;
/** How much of a line is shown before and after a match, in characters. */
const BEFORE = 40;
const AFTER = 120;

export class Search {
  /** The texts of books that were read, by file. */
  #texts = new Map<string, Map<string, string>>();

  /** Where a book has the text, in any case; one more than {@link MOST} if there are more. Rejects with a sentence. */
  async in(book: Shelved, text: string): Promise<Found[]> {
    let texts = this.#texts.get(book.id);
    if (!texts) {
      texts = await textsOf(book.id);
      this.#texts.set(book.id, texts);
    }
    const found: Found[] = [];
    const wanted = new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'giu');
    for (const [file, whole] of texts) {
      let [line, begin] = [1, 0];
      for (const { index, 0: match } of whole.matchAll(wanted)) {
        for (let end = whole.indexOf('\n', begin); end >= 0 && end < index; end = whole.indexOf('\n', begin)) {
          line += 1;
          begin = end + 1;
        }
        // One per line.
        const last = found.at(-1);
        if (last?.file === file && last.line === line) continue;
        const [rest = ''] = whole.slice(index + match.length, index + match.length + AFTER).split('\n');
        const before = whole.slice(Math.max(begin, index - BEFORE), index).trimStart();
        found.push({ file, line, around: [before, match, rest] });
        if (found.length > MOST) return found;
      }
    }
    return found;
  }
}

/** The texts of a book, by file. The book is opened for that, and closed again. */
async function textsOf(id: string): Promise<Map<string, string>> {
  const web = await createHornbook({ book: id });
  try {
    const client = await connected(web, new Traffic(), 'search', { replyTokens: 1e9, host: true });
    const { structuredContent } = await client.callTool({ name: 'files', arguments: { operation: 'list' } });
    const { files } = structuredContent as unknown as FileList;
    const texts = new Map(files.map(({ filename }) => [filename, web.hornbook.source(filename) ?? '']));
    for (const [name, draft] of textsIn(keptJson(partOf('hornbook.drafts', id)))) texts.set(name, draft);
    const loose = web.hornbook.loose();
    if (loose) texts.set(LOOSE, loose);
    return texts;
  } finally {
    await web.close();
  }
}
