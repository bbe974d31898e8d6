/** The HTML of the extension's pages. */
import * as vscode from 'vscode';

/**
 * A page with this script of the extension. Nothing is loaded from elsewhere: scripts by nonce, which those that they
 * import inherit, the engine's files from this extension, workers from blobs.
 */
export function pageOf(webview: vscode.Webview, extension: vscode.Uri, script: 'view' | 'review'): string {
  const at = (...path: string[]) => webview.asWebviewUri(vscode.Uri.joinPath(extension, ...path));
  const nonce = crypto.randomUUID().replaceAll('-', '');
  const { cspSource } = webview;
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'wasm-unsafe-eval'`,
    'worker-src blob:',
    `style-src ${cspSource} 'unsafe-inline'`,
    `img-src ${cspSource} data:`,
    `connect-src ${cspSource}`,
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}" />
    <link rel="stylesheet" href="${at('dist', `${script}.css`)}" />
    <title>Hornbook</title>
  </head>
  <body data-server="${at('server')}/" data-dist="${at('dist')}/">
    <div id="app"></div>
    <script type="module" nonce="${nonce}" src="${at('dist', `${script}.js`)}"></script>
  </body>
</html>`;
}
