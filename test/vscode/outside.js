// What is tried from outside of VS Code, over HTTP: a real client of MCP, requests that must be refused, a web page of another
// origin, and what the log has kept.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** Waits for the address that the tests inside hand over, tries everything, and lets them go on. */
export async function tryFromOutside({ own, project, page, browser, within }) {
  const handover = path.join(own, 'endpoint.json');
  await within(120_000, 'the address of the server', appears(handover));
  const { url, token } = JSON.parse(readFileSync(handover, 'utf8'));
  const tried = [];
  for (const [title, attempt] of Object.entries(attempts)) {
    await within(60_000, title, attempt({ url, token, project, browser, page, own }));
    tried.push(title);
    console.log(`✓ from outside > ${title}`);
  }
  writeFileSync(path.join(own, 'done'), '');
  return tried;
}

async function appears(file) {
  while (!existsSync(file)) await pause(100);
}

const attempts = {
  'a client of MCP connects and gets the truth': async ({ url, token, project }) => {
    const client = new Client({ name: 'outside', version: '1' });
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    const { tools } = await client.listTools();
    assert.equal(tools.length, 7);
    const uri = pathToFileURL(path.join(project, 'pkg-a/src/cart.ts')).href;
    const asked = { name: 'vscode.lsp.definition', arguments: { uri, position: { line: 0, character: 12 } } };
    const { structuredContent } = await client.callTool(asked);
    const [place] = structuredContent.locations;
    assert.equal(place.uri, pathToFileURL(path.join(project, 'pkg-a/src/price.ts')).href);
    assert.deepEqual(place.range.start, { line: 1, character: 16 });
    assert.equal(structuredContent.complete, true);
    await client.close();
  },
  'requests without the token, of another host or another origin are refused': async ({ url, token }) => {
    const bearer = { authorization: `Bearer ${token}` };
    assert.equal(await statusOf(url, {}), 401);
    assert.equal(await statusOf(url, { authorization: 'Bearer wrong' }), 401);
    assert.equal(await statusOf(url, { ...bearer, origin: 'http://evil.example' }), 403);
    assert.equal(await statusOf(url, { ...bearer, host: 'evil.example' }), 403);
    assert.equal(await statusOf(`${url}x`, bearer), 404);
  },
  'a web page of another origin gets nothing, even with the token': async ({ url, token, browser }) => {
    const site = createServer((_, response) => response.end('<title>page</title>')).listen(0, '127.0.0.1');
    await once(site, 'listening');
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${site.address().port}/`);
    const got = await page.evaluate(
      ([target, secret]) =>
        fetch(target, { method: 'POST', headers: { Authorization: `Bearer ${secret}` }, body: '{}' }).then(
          (response) => response.text(),
          (error) => `failed: ${error.message}`,
        ),
      [url, token],
    );
    assert.match(got, /^failed: /);
    await context.close();
    site.close();
  },
  'the status bar counts calls': async ({ page, own }) => {
    const item = page.locator('.statusbar-item', { hasText: /MCP: \d+ calls?/ });
    await item.waitFor({ timeout: 30_000 });
    await page.screenshot({ path: path.join(own, 'status.png') });
    await item.click();
    await page.getByPlaceholder(/^Running at http:/).waitFor({ timeout: 30_000 });
    await page.screenshot({ path: path.join(own, 'menu.png') });
    await page.keyboard.press('Escape');
  },
  'the agents of VS Code itself are offered the server': async ({ page }) => {
    await command(page, 'MCP: List Servers');
    await page
      .locator('.quick-input-list .monaco-list-row', { hasText: 'MCP LSP Gateway' })
      .first()
      .waitFor({ timeout: 30_000 });
    await page.keyboard.press('Escape');
  },
  'the walkthrough is there': async ({ page, own }) => {
    await command(page, 'Welcome: Open Walkthrough...');
    await page.keyboard.type('Let agents see');
    await page.keyboard.press('Enter');
    await page
      .locator('.gettingStartedContainer', { hasText: 'Turn the server on' })
      .waitFor({ timeout: 30_000 });
    await page.screenshot({ path: path.join(own, 'walkthrough.png') });
  },
};

/** Runs a command of VS Code as a person would. */
export async function command(page, title) {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input').waitFor({ timeout: 30_000 });
  await page.keyboard.type(title);
  await page
    .locator('.quick-input-list .monaco-list-row', { hasText: title })
    .first()
    .waitFor({ timeout: 30_000 });
  await page.keyboard.press('Enter');
}

/** By hand, since `fetch` does not let a Host be given. */
function statusOf(url, headers) {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    sent.once('error', reject);
    sent.end('{}');
  });
}
