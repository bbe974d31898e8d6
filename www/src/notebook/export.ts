/** A notebook with its current answers as a standalone page, which needs no network. */
import { sentence } from '../dom.ts';

/** Controls that only work in the live page. */
const LIVE = 'button, .zoom-buttons, .views, .columns, .menu, .waiting, .last, thead th:last-child, .unseen, select';

/** A single HTML file without scripts. */
export function asHtml(title: string, shown: HTMLElement): string {
  const copy = shown.cloneNode(true) as HTMLElement;
  for (const head of copy.querySelectorAll('.sort')) head.replaceWith(head.firstChild ?? '');
  for (const one of copy.querySelectorAll(LIVE)) one.remove();
  for (const one of copy.querySelectorAll('[tabindex]')) one.removeAttribute('tabindex');
  const page = document.implementation.createHTMLDocument(title);
  const charset = page.createElement('meta');
  charset.setAttribute('charset', 'utf-8');
  const policy = page.createElement('meta');
  policy.setAttribute('http-equiv', 'Content-Security-Policy');
  policy.setAttribute('content', "default-src 'none'; style-src 'unsafe-inline'");
  const style = page.createElement('style');
  style.textContent = styles();
  page.head.prepend(charset, policy);
  page.head.append(style);
  page.documentElement.dataset.theme = 'light';
  page.body.append(page.adoptNode(copy));
  return `<!doctype html>\n${page.documentElement.outerHTML}\n`;
}

/** The styles of this page, without what they would load. */
function styles(): string {
  const rules: string[] = [];
  for (const sheet of document.styleSheets) {
    try {
      for (const rule of sheet.cssRules) if (!(rule instanceof CSSFontFaceRule)) rules.push(rule.cssText);
    } catch (error) {
      // The rules of sheets from other origins cannot be read.
      console.debug(sentence(error));
    }
  }
  rules.push('html, body { height: auto; } body { max-width: 760px; margin: 24px auto; padding: 0 16px; }');
  // A closing tag within a style sheet would end it.
  return rules.join('\n').replaceAll('</', '<\\/');
}
