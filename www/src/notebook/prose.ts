/** Markdown as elements. The contents are text: markup in a notebook never becomes markup of the page. */
import type { Token, Tokens } from 'marked';
import { h, type Child } from '../dom.ts';
import { seen } from '../odd.ts';

/** Render a markdown token. */
export function prose(token: Token): HTMLElement {
  switch (token.type) {
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading;
      return h(`h${Math.min(6, depth + 1)}` as 'h2', {}, ...inline(tokens));
    }
    case 'hr':
      return h('hr', {});
    case 'code':
      return h('pre', { tabindex: 0, 'aria-label': 'Text' }, ...seen((token as Tokens.Code).text));
    case 'blockquote':
      return h('blockquote', {}, ...(token as Tokens.Blockquote).tokens.map(prose));
    case 'list': {
      const { ordered, start, items } = token as Tokens.List;
      const list = items.map(({ tokens }) => h('li', {}, ...tokens.flatMap(inItem)));
      return ordered ? h('ol', { start: start === '' ? 1 : start }, ...list) : h('ul', {}, ...list);
    }
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return h(
        'div',
        { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Table' },
        h(
          'table',
          {},
          h('thead', {}, h('tr', {}, ...header.map(({ tokens }) => h('th', { scope: 'col' }, ...inline(tokens))))),
          h('tbody', {}, ...rows.map((row) => h('tr', {}, ...row.map(({ tokens }) => h('td', {}, ...inline(tokens)))))),
        ),
      );
    }
    default:
      return h('p', {}, ...inline('tokens' in token && token.tokens ? token.tokens : [token]));
  }
}

const inItem = (token: Token): Child[] =>
  token.type === 'text'
    ? inline((token as Tokens.Text).tokens ?? [token])
    : token.type === 'space'
      ? []
      : [prose(token)];

function inline(tokens: Token[]): Child[] {
  return tokens.flatMap((token): Child[] => {
    const inner = () => inline(('tokens' in token && token.tokens) || []);
    switch (token.type) {
      case 'strong':
        return [h('strong', {}, ...inner())];
      case 'em':
        return [h('em', {}, ...inner())];
      case 'del':
        return [h('del', {}, ...inner())];
      case 'codespan':
        return [h('code', {}, ...seen((token as Tokens.Codespan).text))];
      case 'br':
        return [h('br', {})];
      case 'link': {
        const { href } = token as Tokens.Link;
        const isSafe = /^(?:https?:\/\/|mailto:)/i.test(href);
        return [
          isSafe
            ? h('a', { href, target: '_blank', rel: 'noopener noreferrer' }, ...inner())
            : h('span', {}, ...inner()),
        ];
      }
      case 'escape':
      case 'text':
        if ('tokens' in token && token.tokens) return inner();
        return seen((token as Tokens.Text).text);
      // Images would load from elsewhere, and markup is shown as text.
      default:
        return seen('text' in token && token.type === 'image' ? String(token.text) : token.raw);
    }
  });
}
