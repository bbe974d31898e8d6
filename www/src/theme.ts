/** Dark and light: as the system has it, until somebody chooses. */
import { keep, kept } from './kept.ts';

const KEY = 'hornbook.theme';
const system = window.matchMedia('(prefers-color-scheme: dark)');

/** The page has its colours by `data-theme`; calls `drawn` whenever they change. */
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
