/**
 * Invisible characters, and those that reverse the text around them, are shown by their code points. Of a long run
 * only the first are: a text may hold many thousands.
 */
// biome-ignore-all lint/suspicious/noControlCharactersInRegex: these are the characters to find
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import { h } from './dom.ts';

// Control characters except tabs and line ends; direction marks; zero-width characters; tags; unusual line separators.
const ODD =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffc\u{e0000}-\u{e007f}]+/gu;

export const hasOdd = (text: string): boolean => text.search(ODD) >= 0;

/** How many characters of a run are shown. */
const SHOWN = 4;

/** The label of a run of odd characters. */
function numbered(run: string): HTMLElement {
  const all = [...run];
  const codes = all.slice(0, SHOWN).map((char) => char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0'));
  const more = all.length > SHOWN ? ` … ${all.length} characters` : '';
  return h(
    'span',
    { class: 'odd', title: all.length > 1 ? 'Invisible characters' : 'Invisible character' },
    `${codes.map((code) => `U+${code}`).join(' ')}${more}`,
  );
}

/** The text, with odd characters made visible. */
export function seen(text: string): (string | HTMLElement)[] {
  if (!hasOdd(text)) return [text];
  const parts: (string | HTMLElement)[] = [];
  let at = 0;
  for (const match of text.matchAll(ODD)) {
    if (match.index > at) parts.push(text.slice(at, match.index));
    parts.push(numbered(match[0]));
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

class OddWidget extends WidgetType {
  constructor(readonly run: string) {
    super();
  }
  override eq(other: OddWidget): boolean {
    return other.run === this.run;
  }
  override toDOM(): HTMLElement {
    return numbered(this.run);
  }
}

const MATCHES = new MatchDecorator({
  regexp: ODD,
  decoration: ([run]) => Decoration.replace({ widget: new OddWidget(run!) }),
  // A run may be longer than what is in view.
  maxLength: 10_000,
});

/** The same in an editor. */
export const oddInEditor = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = MATCHES.createDeco(view);
    }
    update(update: ViewUpdate): void {
      this.decorations = MATCHES.updateDeco(update, this.decorations);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);
