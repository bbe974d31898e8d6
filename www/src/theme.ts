/** Dark and light: follows the system until somebody chooses. */
import { keep, kept } from './kept.ts';

const KEY = 'hornbook.theme';
const system = window.matchMedia('(prefers-color-scheme: dark)');

/** Keep `data-theme`, which selects the colours, up to date; calls `drawn` whenever they change. */
export function followTheme(drawn: () => void): void {
  const draw = () => {
    document.documentElement.dataset.theme = chosen() ?? (system.matches ? 'dark' : 'light');
    drawn();
  };
  system.addEventListener('change', draw);
  themeChanged = draw;
  draw();
}

let themeChanged = (): void => {};

function chosen(): string | undefined {
  const theme = kept(KEY);
  return theme === 'dark' || theme === 'light' ? theme : undefined;
}

export function isDark(): boolean {
  return document.documentElement.dataset.theme === 'dark';
}

export function toggleTheme(): void {
  keep(KEY, isDark() ? 'light' : 'dark');
  themeChanged();
}
