import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';
import { expect, it } from 'vitest';
import { clientFormats } from '../../editors/vscode/src/people/client-formats.ts';
import { openGatewayLog } from '../../editors/vscode/src/people/gateway-log.ts';

const extension = path.resolve(import.meta.dirname, '../../editors/vscode');
const manifest = JSON.parse(readFileSync(path.join(extension, 'package.json'), 'utf8'));
const endpoint = { url: 'http://127.0.0.1:3939/mcp', token: 'a'.repeat(43) };

it.each(clientFormats.map((format) => [format.client, format] as const))(
  'the configuration for %s can be read, and has the address and the token',
  (_client, { command, render }) => {
    const text = render(endpoint);
    const value = command === 'copyCodexConfig' ? parse(text) : JSON.parse(text);
    expect(JSON.stringify(value)).toContain(endpoint.url);
    expect(JSON.stringify(value)).toContain(`Bearer ${endpoint.token}`);
    const listed: readonly { command: string; title: string }[] = manifest.contributes.commands;
    expect(listed.find((one) => one.command === `mcpLspGateway.${command}`)?.title).toContain(
      '(Token Inline)',
    );
  },
);

it('SUP-10 the extension does not support untrusted workspaces, and no setting names a program', () => {
  expect(manifest.capabilities.untrustedWorkspaces.supported).toBe(false);
  const names = Object.keys(manifest.contributes.configuration.properties);
  expect(names.filter((name) => /command|program|executable|args/i.test(name))).toEqual([]);
});

it('every setting is one of the machine, and the README has it with its default', () => {
  const readme = readFileSync(path.join(extension, 'README.md'), 'utf8');
  const properties: Readonly<Record<string, { scope: string; default: unknown }>> =
    manifest.contributes.configuration.properties;
  for (const [name, { scope, default: value }] of Object.entries(properties)) {
    expect(scope, name).toBe('machine');
    const shown = typeof value === 'string' ? value : JSON.stringify(value);
    expect(readme).toContain(`| \`${name}\` | \`${shown}\` |`);
  }
});

it('the log has no token, no text and no path outside', () => {
  const lines: string[] = [];
  const log = openGatewayLog((line) => lines.push(line), { debug: false }, ['/home/me/project']);
  log('info', 'http.refused', { status: 401, why: `Bearer ${endpoint.token}`, body: 'const secret = 1' });
  log('warn', 'unsaved_text_refused', {
    file: '/home/me/project/a.ts',
    error: new Error('const secret = 1'),
  });
  log('warn', 'unsaved_text_refused', { file: '/home/me/private.ts' });
  log('debug', 'http.answered', { status: 200 });
  expect(lines).toHaveLength(3);
  const all = lines.join('\n');
  expect(all).toContain('status=401');
  expect(all).toContain('a.ts');
  for (const hidden of [endpoint.token, 'secret', 'private.ts']) expect(all).not.toContain(hidden);
});
