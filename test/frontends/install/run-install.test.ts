import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findProgram } from '../../../src/backends/lsp/process/find-program.ts';
import { runInstall } from '../../../src/frontends/cli/commands/run-install.ts';
import { parseCommandLine } from '../../../src/frontends/cli/parse-command-line.ts';
import { installUnits } from '../../../src/frontends/install/manifest.ts';
import { temporaryFolder } from '../../config/temporary-folder.ts';

async function run(...words: string[]): Promise<{ readonly code: number; readonly text: string }> {
  const command = parseCommandLine(['install', ...words]);
  if (command.kind !== 'install') throw new Error(command.kind);
  let text = '';
  const write = async (more: string) => {
    text += more;
  };
  const environment = { PATH: '/nowhere', HOME: '/nowhere' };
  return { code: await runInstall(command, { environment, cwd: '/', home: '/nowhere' }, write), text };
}

describe('lspan install', () => {
  it('lists the servers', async () => {
    const { code, text } = await run('--list');
    expect(code).toBe(0);
    expect(text).toMatch(/^gopls +go, go\.mod, go\.work +Install it with `go install/m);
    expect(text).toMatch(/^pyright +python +installed: package pyright of lspan's installation$/m);
  });

  it('takes a server, a language and an extension, and says what is there already', async () => {
    const texts = await Promise.all(['pyright', 'python', '.py'].map((name) => run(name)));
    expect(new Set(texts.map(({ text }) => text)).size).toBe(1);
    expect(texts[0]).toMatchObject({
      code: 0,
      text: expect.stringContaining('pyright is installed already'),
    });
  });

  it('prints how to install what npm does not have', async () => {
    const { code, text } = await run('go');
    expect({ code, text }).toMatchObject({ code: 1, text: expect.stringContaining('go install golang.org') });
  });

  it('installs what the languages of the workspace lack if nothing is named, and nothing for mere data', async () => {
    const lacking = temporaryFolder({ 'a.go': '', 'b.py': '', 'c.yaml': '' });
    const { code, text } = await run('--workspace', lacking);
    expect({ code, text }).toEqual({
      code: 1,
      text: expect.stringMatching(/^gopls cannot be installed by npm\..*\n$/),
    });
    const whole = temporaryFolder({ 'b.py': '', 'c.yaml': '' });
    expect(await run('--workspace', whole)).toEqual({
      code: 0,
      text: 'Every language of the code here has a server. lspan install --list shows all servers.\n',
    });
  });

  it('wants a name where no project is', async () => {
    await expect(run()).rejects.toThrow('No project is here: name a language or a server, or use --list.');
  });

  it('names the nearest for an unknown name, before anything is done', async () => {
    await expect(run('python', 'pyrigt')).rejects.toThrow('Did you mean pyright?');
  });
});

describe('what can be installed', () => {
  it('has a version and a hash, but for platforms whose hash the registry does not give', () => {
    for (const [server, { packages, dependencies }] of installUnits()) {
      for (const name of Object.keys(dependencies))
        expect(packages, server).toHaveProperty([`node_modules/${name}`]);
      const bare = Object.entries(packages).filter(
        ([, entry]) => !JSON.stringify(entry).includes('"integrity"'),
      );
      expect(
        bare.filter(([place]) => !/^node_modules\/(@biomejs|@oxlint)\//.test(place)),
        server,
      ).toEqual([]);
    }
  });

  it('is found by every server whose message names the command', () => {
    expect([...installUnits().keys()]).toEqual(
      expect.arrayContaining([
        'pyright',
        'bash-language-server',
        'vue',
        'svelte',
        'eslint',
        'yaml-language-server',
      ]),
    );
  });

  it('is missing with a reason where the program lacks its package', () => {
    expect(() => installUnits({})).toThrow('The list of what can be installed is missing.');
  });
});

describe('an installed server', () => {
  const source = { kind: 'package', name: 'fake-server', file: 'bin.js', run: 'node' } as const;
  const inner = 'lspan/servers/fake-server@1.0.0/node_modules/fake-server';
  const make = () => temporaryFolder({ [`${inner}/package.json`]: '{}', [`${inner}/bin.js`]: '' });
  const find = (data: string, roots: readonly string[] = []) =>
    findProgram([source], { server: 'fake', install: '', roots, environment: { XDG_DATA_HOME: data } });

  it('is found, and the status says where it comes from', () => {
    const data = make();
    expect(find(data)).toMatchObject({
      real: path.join(data, inner, 'bin.js'),
      origin: 'package fake-server, by lspan install',
    });
  });

  it('is not run out of the workspace', () => {
    const data = make();
    expect(() => find(data, [data])).toThrow('No program for fake was found.');
  });

  it.skipIf(process.platform === 'win32')('is not run out of a folder that every user may write', () => {
    const data = make();
    chmodSync(path.join(data, 'lspan/servers'), 0o777);
    expect(() => find(data)).toThrow('No program for fake was found.');
  });

  it('is not used while it is being installed', () => {
    const data = temporaryFolder({});
    const draft = inner.replace('fake-server@', '.fake-server@');
    mkdirSync(path.join(data, draft), { recursive: true });
    expect(() => find(data)).toThrow('No program for fake was found.');
  });
});
