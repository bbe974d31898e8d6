/** The colours of the editor, light or dark. */

/** Follow them from now on. */
export function followTheme(): void {
  const follow = () => {
    const { classList } = document.body;
    const isDark =
      classList.contains('vscode-dark') ||
      (classList.contains('vscode-high-contrast') && !classList.contains('vscode-high-contrast-light'));
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  };
  follow();
  new MutationObserver(follow).observe(document.body, { attributes: true, attributeFilter: ['class'] });
}
