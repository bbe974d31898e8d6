/** Dark and light: as the system has it, until somebody chooses. */

const KEY = 'hornbook.theme';
const system = window.matchMedia('(prefers-color-scheme: dark)');

/** The page has its colours by `data-theme`; calls `drawn` whenever they change. */
export function followTheme(drawn: () => void): void {
  const draw = () => {
    document.documentElement.dataset.theme = localStorage.getItem(KEY) ?? (system.matches ? 'dark' : 'light');
    drawn();
  };
  system.addEventListener('change', draw);
  themeChanged = draw;
  draw();
}

let themeChanged = (): void => {};

export function isDark(): boolean {
  return document.documentElement.dataset.theme === 'dark';
}

export function toggleTheme(): void {
  localStorage.setItem(KEY, isDark() ? 'light' : 'dark');
  themeChanged();
}
