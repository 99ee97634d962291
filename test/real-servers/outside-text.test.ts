import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openBridge } from '../../src/bridge.ts';
import type { BridgeSettings } from '../../src/bridge-settings.ts';
import { writeTrustOf } from '../../src/config/trust/write-trust.ts';
import { silent } from '../../src/core/log.ts';
import { offerTrust } from '../../src/offline.ts';
import { servers } from '../../src/servers/index.ts';
import { missingPrograms, onServer } from '../missing-programs.ts';
import { patient } from '../patient.ts';
import { temporaryFolder } from '../workspace/sandbox.ts';

const patience = { timeout: 180_000 };
const withheld = 'The text is withheld: it may quote a file outside the workspace.';
const schema = '{"properties":{"size":{"enum":["canary"],"description":"canary"}}}';

/** A repository with one trap, which makes a server read a file outside. */
interface Trap {
  readonly server: string;
  readonly asked: string;
  /** Files of the repository; the words `<outside>` in them mean the folder outside. */
  readonly files: Readonly<Record<string, string>>;
  readonly outside: Readonly<Record<string, string>>;
  /** Links of the repository to files outside, by name. */
  readonly links?: Readonly<Record<string, string>>;
  /** What the answer contains in place of the text. */
  readonly told: string;
}

const traps: Readonly<Record<string, Trap>> = {
  'an include of any file': {
    server: 'clangd',
    asked: 'a.c',
    files: { 'a.c': '#include "<outside>/passwords"\n' },
    outside: { passwords: 'canary 1\n' },
    told: `${withheld} (clang unknown_typename)`,
  },
  'an include of a link': {
    server: 'clangd',
    asked: 'a.c',
    files: { 'a.c': '#include "link.h"\n' },
    outside: { passwords: 'canary 1\n' },
    links: { 'link.h': 'passwords' },
    told: `${withheld} (clang unknown_typename)`,
  },
  'an include by way of an include': {
    server: 'clangd',
    asked: 'a.c',
    files: { 'a.c': '#include "b.h"\n', 'b.h': '#include "<outside>/passwords"\n' },
    outside: { passwords: 'canary 1\n' },
    told: `${withheld} (clang unknown_typename)`,
  },
  'an error that a header outside writes itself': {
    server: 'clangd',
    asked: 'a.c',
    files: { 'a.c': '#include "<outside>/a.h"\n' },
    outside: { 'a.h': '#error canary\n' },
    told: `${withheld} (clang pp_hash_error)`,
  },
  'a use of what a header outside calls deprecated': {
    server: 'clangd',
    asked: 'a.c',
    files: { 'a.c': '#include "<outside>/a.h"\nint b(void) { return old(); }\n' },
    outside: { 'a.h': 'int old(void) __attribute__((deprecated("canary")));\n' },
    told: withheld,
  },
  'a macro of a header outside': {
    server: 'clangd',
    asked: 'a.c',
    files: { 'a.c': '#include "<outside>/a.h"\nconst char *b =\n  PASSWORD;\n' },
    outside: { 'a.h': '#define PASSWORD "canary"\n' },
    told: 'the text is withheld',
  },
  'a schema of JSON': {
    server: 'vscode-json-language-server',
    asked: 'a.json',
    files: { 'a.json': '{"$schema":"<outside>/schema","size":1}\n' },
    outside: { schema },
    told: 'Unable to load schema',
  },
  'a schema of JSON that is a link': {
    server: 'vscode-json-language-server',
    asked: 'a.json',
    files: { 'a.json': '{"$schema":"./schema.json","size":1}\n' },
    outside: { schema },
    links: { 'schema.json': 'schema' },
    told: 'Unable to load schema',
  },
  'a schema of YAML': {
    server: 'yaml-language-server',
    asked: 'a.yaml',
    files: { 'a.yaml': '# yaml-language-server: $schema=<outside>/schema\nsize: 1\n' },
    outside: { schema },
    told: 'Unable to load schema',
  },
  'a module of Sass': {
    server: 'some-sass-language-server',
    asked: 'a.scss',
    files: { 'a.scss': '@use "<outside>/passwords" as p;\n.a { color: p.$password; }\n' },
    outside: { '_passwords.scss': '$password: "canary";\n' },
    told: '',
  },
};

describe.each(Object.entries(traps))(
  'INF-14 the text of a file outside is not shown by %s',
  (_name, trap) => {
    const { server, asked, files, told } = trap;

    it.skipIf(missingPrograms(server) !== '')(
      onServer(server, 'that a repository has'),
      patience,
      async () => {
        const { call } = await open(trap);
        const lines = (files[asked] ?? '').split('\n').slice(0, -1);
        const places = lines.map((_, line) => ({ file_path: asked, line: line + 1, character: 3 }));
        const answers = [
          await call('get_diagnostics', { file_path: asked }),
          await call('get_code_actions', { file_path: asked }),
          ...(await Promise.all(places.map((place) => call('get_hover', place)))),
        ];
        const text = answers.map((answer) => answer.text).join('\n');
        expect(text).toContain(told);
        expect(text).not.toContain('canary');
      },
    );
  },
);

describe('what may be shown stays', () => {
  it.skipIf(missingPrograms('clangd') !== '')(
    onServer('clangd', 'of a header of the system'),
    patience,
    async () => {
      const files = { 'a.c': '#include <stdio.h>\nint printf;\n' };
      const { call } = await open({ server: 'clangd', files, outside: {} });
      const { text } = await call('get_diagnostics', { file_path: 'a.c' });
      expect(text).toContain("Redefinition of 'printf'");
    },
  );

  it.skipIf(missingPrograms('clangd') !== '')(
    onServer('clangd', 'of a header of the workspace'),
    patience,
    async () => {
      const files = { 'a.c': '#include "a.h"\n', 'a.h': 'canary 1\n' };
      const { call } = await open({ server: 'clangd', files, outside: {} });
      expect((await call('get_diagnostics', { file_path: 'a.c' })).text).toContain(
        "unknown type name 'canary'",
      );
    },
  );

  it.skipIf(missingPrograms('clangd') !== '')(
    onServer('clangd', 'of any header, if the user trusts the folder'),
    patience,
    async () => {
      const files = { 'a.c': '#include "<outside>/a.h"\n' };
      const { call } = await open({
        server: 'clangd',
        files,
        outside: { 'a.h': 'canary 1\n' },
        trusted: true,
      });
      expect((await call('get_diagnostics', { file_path: 'a.c' })).text).toContain(
        "unknown type name 'canary'",
      );
    },
  );

  it.each([
    ['vscode-json-language-server', 'a.json', '{"$schema":"./schema.json","size":1}\n'],
    ['yaml-language-server', 'a.yaml', '# yaml-language-server: $schema=./schema.json\nsize: 1\n'],
  ])('of a schema of the workspace: %s', patience, async (server, file, text) => {
    const { call } = await open({ server, files: { [file]: text, 'schema.json': schema }, outside: {} });
    expect((await call('get_diagnostics', { file_path: file })).text).toContain('"canary"');
  });

  it('of a schema outside that the settings of the user name', patience, async () => {
    const settings = { yaml: { schemas: { '<outside>/schema.json': 'a.yaml' } } };
    const given = { files: { 'a.yaml': 'size: 1\n' }, outside: { 'schema.json': schema } };
    const { call } = await open({ server: 'yaml-language-server', ...given, settings });
    expect((await call('get_diagnostics', { file_path: 'a.yaml' })).text).toContain('"canary"');
  });
});

interface Given extends Pick<Trap, 'server' | 'files' | 'outside' | 'links'> {
  readonly trusted?: boolean;
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Opens a bridge over a repository, with only this server, and without a sandbox, which would hide the folder outside. */
async function open({ server, files, outside, links = {}, trusted = false, settings }: Given) {
  const made = () => realpathSync(temporaryFolder());
  const [root, other, state] = [made(), made(), made()];
  const fill = (text: string) => text.replaceAll('<outside>', other);
  for (const [name, text] of Object.entries(outside)) writeFileSync(path.join(other, name), text);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), fill(text));
  }
  for (const [name, target] of Object.entries(links))
    symlinkSync(path.join(other, target), path.join(root, name));
  const own = settings ? [{ id: server, settings: JSON.parse(fill(JSON.stringify(settings))) }] : [];
  const bridgeSettings: BridgeSettings = {
    roots: [root],
    surface: 'lspan',
    overrides: {
      ...patient,
      disabledServers: servers.map(({ id }) => id).filter((id) => id !== server),
      servers: own,
      confine: 'never',
    },
    environment: { ...process.env, XDG_STATE_HOME: state, XDG_CACHE_HOME: path.join(state, 'cache') },
    log: silent,
  };
  if (trusted) writeTrustOf(offerTrust({ ...bridgeSettings, root }), bridgeSettings.environment ?? {});
  const bridge = await openBridge(bridgeSettings);
  onTestFinished(() => bridge.close());
  return bridge;
}
