/** What is to be known of a predicate before rows become its facts. */
import { atomText } from '../../../pkg-templates/src/lsp/names.ts';
import { Outline } from '../../../pkg-templates/src/lsp/outline.ts';
import type { Book } from '../book/book.ts';
import { shortName } from '../book/names.ts';
import { headsIn, isTables, shown } from './facts.ts';

export interface Standing {
  /** Why the rows cannot be its facts, as a sentence. */
  fault: string | undefined;
  notes: string[];
}

/** Longer texts, in characters, are not read for this. */
const LARGEST = 500_000;

/** @param file whose rows they are; those that the book has of it are replaced */
export async function standingOf(book: Book, name: string, arity: number, file: string): Promise<Standing> {
  const indicator = `${name}/${arity}`;
  const holes = Array.from({ length: arity }, () => '_').join(', ');
  const problems = await book.session.hornbook.check(`${atomText(name)}(${holes}).`);
  if (problems.some(({ severity }) => severity === 'error'))
    return { fault: `${indicator} belongs to the system. Choose another name.`, notes: [] };
  const notes: string[] = [];
  if (problems.some(({ kind }) => kind === 'shadowed'))
    notes.push(`${indicator} of the library is hidden by this in the whole book.`);
  const files = await filesWith(book, name, arity, file);
  if (files.length > 0)
    notes.push(`${indicator} has clauses in ${files.map(shortName).join(', ')}: these rows are added to them.`);
  return { fault: undefined, notes };
}

/** The other files that have clauses of a predicate. */
async function filesWith(book: Book, name: string, arity: number, but: string): Promise<string[]> {
  const all = book.tabs.map(async (tab) => {
    const text = tab.saved ?? '';
    if (tab.name === but || tab.isDocument || text.length > LARGEST || !text.includes(name)) return [];
    if (isTables(text))
      return headsIn(text).some(({ written, columns }) => shown(written) === name && columns.length === arity)
        ? [tab.name]
        : [];
    const outline = new Outline(tab.name, text, await book.session.hornbook.outline(text));
    const isOwn = outline.module !== undefined;
    return !isOwn && outline.defines(`${atomText(name)}/${arity}`, [undefined], false) ? [tab.name] : [];
  });
  return (await Promise.all(all)).flat();
}
