// The project of the soak: three languages, a server each, and what there is to ask of them.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { argumentsOf } from './conversation.js';
import { generateProject } from './project.js';
import { env, workFolder } from './work.js';

const fakeServer = path.resolve(import.meta.dirname, '../test/fake-server/fake-server.js');

/** What the fake server does when it is asked what it is else not asked: each a fault by name. */
export const fakeFaults = {
  get_hover: [{ exit: { code: 3 } }],
  search_workspace_symbols: [{ flood: { megabytes: 50, text: 'no message at all ' } }],
  get_diagnostics: [{ never: true }],
};

const methods = {
  get_hover: 'textDocument/hover',
  search_workspace_symbols: 'workspace/symbol',
  get_diagnostics: 'textDocument/diagnostic',
};

/** Writes the project and the configuration that names the fake server. */
export async function soakProject() {
  const { folder, probes } = await generateProject('typescript', 50);
  const python = await generateProject('python', 50);
  await rename(path.join(python.folder, 'app'), path.join(folder, 'app'));
  await mkdir(path.join(folder, 'notes'));
  await writeFile(path.join(folder, 'notes/a.txt'), 'function alpha\nalpha beta\n');
  await writeFile(path.join(folder, 'notes/b.txt'), 'alpha is used\nfunction beta\n');
  await writeFile(path.join(folder, 'src/target.ts'), 'export function soakTarget(): void {}\n');
  await configure();
  const asked = (of) =>
    of.map((probe) => ({ tool: probe.tool, input: argumentsOf(probe), count: probe.count }));
  return {
    folder,
    questions: {
      typescript: asked(probes),
      python: asked(python.probes),
      fake: [
        { tool: 'find_definition', input: { file_path: 'notes/b.txt', line: 1, character: 1 }, count: 1 },
      ],
    },
  };
}

async function configure() {
  const script = path.join(workFolder, 'soak-script.json');
  const rules = Object.entries(fakeFaults).map(([tool, actions]) => ({
    on: { method: methods[tool] },
    do: actions,
  }));
  await writeFile(script, JSON.stringify({ rules }));
  const command = JSON.stringify([process.execPath, fakeServer, script]);
  const config = `deadline_s = 8\n[[servers]]\nid = "fake"\ncommand = ${command}\nextensions = ["txt"]\n`;
  await mkdir(path.join(env.XDG_CONFIG_HOME, 'lspan'), { recursive: true });
  await writeFile(path.join(env.XDG_CONFIG_HOME, 'lspan/config.toml'), config);
}
