// A real VS Code, code-server, with the packed extension, driven by Chromium.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { chromiumPath } from '../../scripts/chromium.mjs';
import { CACHE, ROOT } from '../../scripts/steps.mjs';
import { freePort } from '../support/port.mjs';

const ENTRY = join(CACHE, 'vscode', 'code-server', 'node_modules', 'code-server', 'out', 'node', 'entry.js');
const NODE = join(CACHE, 'vscode', 'node', 'node_modules', 'node', 'bin', 'node');
/** Pictures of what was looked at. */
export const PICTURES = join(ROOT, 'target', 'vscode-pictures');
/** A busy machine is slow. */
const PATIENCE_MS = 60_000;

export class Code {
  /**
   * @param packed paths of the extensions
   * @param files of the folder that is opened, texts by name
   * @param settings of the user
   * @param port of the workbench
   * @param env of the extensions
   */
  static async start(packed, files, settings = {}, { port, env = {} } = {}) {
    if (!existsSync(ENTRY)) throw new Error('VS Code is not set up: npm run vscode:test does that');
    const code = new Code();
    code.env = env;
    code.home = mkdtempSync(join(tmpdir(), 'hornbook-code-'));
    code.folder = join(code.home, 'folder');
    const user = join(code.home, 'data', 'User', 'settings.json');
    const all = {
      'workbench.startupEditor': 'none',
      'telemetry.telemetryLevel': 'off',
      'security.workspace.trust.enabled': false,
      'editor.minimap.enabled': false,
      // In a browser the editor saves by itself, unlike on a desktop.
      'files.autoSave': 'off',
      'workbench.secondarySideBar.defaultVisibility': 'hidden',
      ...settings,
    };
    const contents = {
      ...Object.fromEntries(Object.entries(files).map(([name, text]) => [join('folder', name), text])),
    };
    for (const [name, text] of [...Object.entries(contents), [user.slice(code.home.length + 1), JSON.stringify(all)]]) {
      mkdirSync(dirname(join(code.home, name)), { recursive: true });
      writeFileSync(join(code.home, name), text);
    }
    code.port = port ?? (await freePort());
    code.places = ['--user-data-dir', join(code.home, 'data'), '--extensions-dir', join(code.home, 'extensions')];
    for (const path of packed) await code.run('--install-extension', path);
    const serve = ['--auth', 'none', '--bind-addr', `127.0.0.1:${code.port}`, '--disable-telemetry'];
    code.server = code.spawned(...serve, '--disable-update-check', '--disable-workspace-trust', code.folder);
    await code.#listening();
    code.browser = await chromium.launch({
      executablePath: chromiumPath(),
      args: ['--no-sandbox'],
    });
    code.page = await code.browser.newPage({ viewport: { width: 1400, height: 850 } });
    code.page.setDefaultTimeout(PATIENCE_MS);
    await code.page.goto(`http://127.0.0.1:${code.port}/?folder=${code.folder}`);
    await code.page.locator('.monaco-workbench .part.editor').waitFor();
    return code;
  }

  spawned(...args) {
    const env = { ...process.env, ...this.env, XDG_CONFIG_HOME: join(this.home, 'config'), HOME: this.home };
    const child = spawn(NODE, [ENTRY, ...this.places, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.log = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (this.log += text));
    return child;
  }

  async run(...args) {
    const [status] = await once(this.spawned(...args), 'close');
    if (status !== 0) throw new Error(`code-server ${args[0]}: ${this.log}`);
  }

  async #listening() {
    while (!/HTTP server listening/.test(this.log)) {
      if (this.server.exitCode !== null) throw new Error(this.log);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** Run a command by its title, from the palette, which closes when something else takes the focus. */
  async command(title) {
    const input = this.page.locator('.quick-input-widget input.input');
    for (let tries = 1; ; tries += 1) {
      await this.page.keyboard.press('Escape');
      await this.page.keyboard.press('F1');
      try {
        await input.fill(`>${title}`, { timeout: 5000 });
        await this.page
          .locator('.quick-input-list .monaco-list-row', { hasText: title })
          .first()
          .waitFor({ timeout: 5000 });
        break;
      } catch (error) {
        if (tries === 6) throw error;
      }
    }
    await this.page.keyboard.press('Enter');
  }

  /** Open a file of the folder, on the left. */
  async open(name) {
    await this.page.keyboard.press('ControlOrMeta+1');
    await this.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).dblclick();
    const group = this.page.locator('.editor-group-container.active');
    await group.locator('.tab.active', { hasText: name }).waitFor();
    // Its tab is active before its text is, and a command is about the text.
    await group.locator(`.monaco-editor[data-uri$="/${name}"]`).waitFor();
  }

  async picture(name) {
    mkdirSync(PICTURES, { recursive: true });
    await this.page.screenshot({ path: join(PICTURES, `${name}.png`) });
  }

  async close() {
    await this.browser?.close();
    if (this.server && this.server.exitCode === null) {
      this.server.kill();
      await once(this.server, 'close');
    }
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}
