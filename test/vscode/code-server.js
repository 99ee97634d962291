// A real VS Code without a window: code-server with a Node and a playwright of their own, and the machine's Chromium. All of it
// is installed at exact versions into the cache of the campaigns, and nothing of it runs scripts at installation.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { pinned, pinnedFolder, pinnedNode, run } from '../campaigns/pinned.js';

export const versions = {
  'code-server': '4.139.1',
  node: '24.21.0',
  'playwright-core': '1.65.0',
  '@vscode/vsce': '3.9.2',
  '@types/vscode': '1.101.0',
};

const chromium = '/usr/bin/chromium';

/** Why no VS Code can be run here; empty if one can. */
export function whyNoEditor() {
  if (process.platform !== 'linux') return 'the browser is driven as Debian installs it';
  return existsSync(chromium) ? '' : 'chromium is not installed';
}

/** True if the VS Code of the last run is still there. */
export function isEditorInstalled() {
  return existsSync(path.join(pinnedFolder('code-server', versions['code-server']), 'installed'));
}

/** Installs what is missing, and gives the programs. */
export async function installEditor() {
  const server = await pinned('code-server', versions['code-server']);
  const mark = path.join(server, 'installed');
  if (!existsSync(mark)) {
    const options = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    for (const folder of ['lib/vscode', 'lib/vscode/extensions'])
      await run('npm', ['install', ...options], { cwd: path.join(server, folder) });
    writeFileSync(mark, '');
  }
  const playwright = await pinned('playwright-core', versions['playwright-core']);
  const { chromium: browser } = await import(pathToFileURL(path.join(playwright, 'index.mjs')).href);
  return {
    server: path.join(server, 'out/node/entry.js'),
    node: await pinnedNode(versions.node),
    launch: () => browser.launch({ executablePath: chromium, args: ['--no-sandbox', '--disable-gpu'] }),
  };
}

/** Starts a VS Code with a profile of its own. `trusting`: every folder is trusted. */
export async function startEditor({ server, node }, { profile, settings = {}, trusting = true, env = {} }) {
  const port = await freePort();
  const user = path.join(profile, 'data');
  mkdirSync(path.join(user, 'Machine'), { recursive: true });
  mkdirSync(path.join(user, 'User'), { recursive: true });
  const all = { ...quietSettings, 'security.workspace.trust.enabled': !trusting };
  writeFileSync(path.join(user, 'User/settings.json'), JSON.stringify(all));
  writeFileSync(path.join(user, 'Machine/settings.json'), JSON.stringify(settings));
  const words = [
    ...['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--user-data-dir', user],
    ...['--extensions-dir', path.join(profile, 'extensions'), '--config', path.join(profile, 'config.yaml')],
    ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
    ...(trusting ? ['--disable-workspace-trust'] : []),
    ...['--vscode-option', 'enable-smoke-test-driver'],
  ];
  const child = spawn(node, [server, ...words], {
    stdio: 'pipe',
    detached: true,
    env: { PATH: process.env.PATH, HOME: profile, LANG: 'C.UTF-8', ...env },
  });
  let said = '';
  const listening = new Promise((resolve, reject) => {
    const hear = (text) => {
      said = `${said}${text}`.slice(-8000);
      if (said.includes(`HTTP server listening on http://127.0.0.1:${port}`)) resolve();
    };
    child.stdout.setEncoding('utf8').on('data', hear);
    child.stderr.setEncoding('utf8').on('data', hear);
    child.once('exit', (code) => reject(new Error(`code-server ended with ${code}: ${said}`)));
  });
  await within(60_000, 'code-server to listen', listening);
  return {
    port,
    said: () => said,
    close: async () => {
      const gone = once(child, 'exit');
      if (child.exitCode === null && child.signalCode === null) {
        process.kill(-child.pid, 'SIGKILL');
        await within(10_000, 'code-server to end', gone);
      }
    },
  };
}

const quietSettings = {
  // In a browser, VS Code saves by itself.
  'files.autoSave': 'off',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'git.enabled': false,
  'npm.fetchOnlinePackageInfo': false,
  'json.schemaDownload.enable': false,
  'typescript.surveys.enabled': false,
  'typescript.disableAutomaticTypeAcquisition': true,
  'chat.commandCenter.enabled': false,
};

/** Opens a folder in the page; with `tests`, the extension in `extension` runs the function `run` of that module. */
export async function openPage(browser, { port }, { folder, extension, tests, onLog = () => {} }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  let settle;
  const exited = new Promise((resolve) => {
    settle = resolve;
  });
  await page.exposeFunction('codeAutomationLog', (type, args) => onLog(type, args));
  await page.exposeFunction('codeAutomationExit', (code) => settle(code));
  const remote = (file) => `vscode-remote://127.0.0.1:${port}${file}`;
  const payload = [
    ...(extension ? [['extensionDevelopmentPath', remote(extension)]] : []),
    ...(tests ? [['extensionTestsPath', remote(tests)]] : []),
  ];
  const query = new URLSearchParams({ folder, payload: JSON.stringify(payload) });
  await page.goto(`http://127.0.0.1:${port}/?${query}`, { timeout: 60_000 });
  return { page, exited, close: () => context.close() };
}

/** Waits for an event, but not longer than this. */
export function within(time, what, event) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Waited ${time / 1000} s in vain for ${what}.`)), time);
  });
  return Promise.race([event, late]).finally(() => clearTimeout(timer));
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
