// The extension in a real VS Code without a window: `npm run test:vscode` runs everything, `--suites a,b` some, `--keep` leaves
// the folder of the run. Every step has a time limit.
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bundleExtension, catalogueModule, frozen, root } from '../../scripts/bundle.js';
import {
  installEditor,
  isEditorInstalled,
  openPage,
  startEditor,
  whyNoEditor,
  within,
} from './code-server.js';
import { compileAgainstEditor } from './compile.js';
import { sessions } from './sessions.js';

const { values } = parseArgs({
  options: {
    session: { type: 'string', default: '' },
    /** A folder for the pictures that the README shows. */
    pictures: { type: 'string' },
    /** Only says, by the exit code, whether VS Code is installed already. */
    installed: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});
if (values.installed) process.exit(isEditorInstalled() ? 0 : 2);
const why = whyNoEditor();
if (why !== '') {
  console.error(`NOT TESTED IN VS CODE: ${why}.`);
  process.exit(2);
}
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-vscode-')));
const extension = path.join(folder, 'extension');
let failures = 0;
try {
  if (values.session === '') await within(120_000, 'the compiler', compileAgainstEditor());
  const programs = await within(600_000, 'the installation of VS Code', installEditor()).catch(notInstalled);
  await prepareExtension();
  const chosen = sessions.filter(
    ({ name }) => values.session === '' || values.session.split(',').includes(name),
  );
  const browser = await within(60_000, 'the browser', programs.launch());
  try {
    for (const session of chosen) await runSession(programs, browser, session);
  } finally {
    await browser.close();
  }
} finally {
  if (!values.keep) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  else console.log(folder);
}
process.exit(failures > 0 ? 1 : 0);

/** Without a registry nothing can be said of the extension, which is not its fault. */
function notInstalled(error) {
  console.error(`NOT TESTED IN VS CODE: it could not be installed: ${error.message}`);
  rmSync(folder, { recursive: true, force: true });
  process.exit(2);
}

/** The built extension, with the tests and the language of words beside it. */
async function prepareExtension() {
  const own = path.join(root, 'editors/vscode');
  for (const name of ['dist', 'media'])
    cpSync(path.join(own, name), path.join(extension, name), { recursive: true });
  const manifest = JSON.parse(readFileSync(path.join(own, 'package.json'), 'utf8'));
  manifest.contributes.languages = [{ id: 'words', extensions: ['.txt'] }];
  manifest.activationEvents.push('onLanguage:words');
  writeFileSync(path.join(extension, 'package.json'), JSON.stringify(manifest));
  const replaced = { [catalogueModule]: await frozen(catalogueModule, 'catalogue') };
  const runner = path.join(import.meta.dirname, 'inside/runner.ts');
  const entries = { index: path.join(import.meta.dirname, 'inside/index.ts') };
  await bundleExtension(entries, path.join(extension, 'tests'), { replaced, alias: { vitest: runner } });
}

async function runSession(
  programs,
  browser,
  { name, suites, files, settings, trusting, outside, time = 240_000 },
) {
  const began = Date.now();
  const own = path.join(folder, name);
  const project = path.join(own, 'project');
  const results = path.join(own, 'results.jsonl');
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
    writeFileSync(path.join(project, file), text);
  }
  const env = {
    LSPAN_VSCODE_SUITES: suites.join(','),
    LSPAN_VSCODE_RESULTS: results,
    LSPAN_VSCODE_SHARED: own,
  };
  const editor = await startEditor(programs, { profile: path.join(own, 'profile'), settings, trusting, env });
  const logged = [];
  try {
    const opened = await openPage(browser, editor, {
      folder: project,
      extension,
      tests: suites.length > 0 ? path.join(extension, 'tests/index.js') : undefined,
      onLog: (type, args) => logged.push(`${type} ${JSON.stringify(args)}`),
    });
    try {
      const besides = outside?.({ ...opened, own, project, editor, browser, within });
      const code =
        suites.length > 0
          ? await within(
              time,
              `the tests of ${name}`,
              Promise.race([opened.exited, besides?.then(() => opened.exited) ?? opened.exited]),
            )
          : 0;
      await within(time, `what is tried from outside in ${name}`, besides ?? Promise.resolve());
      report(name, results, Date.now() - began);
      if (values.pictures && outside)
        for (const picture of ['menu.png', 'walkthrough.png'])
          copyFileSync(path.join(own, picture), path.join(values.pictures, picture));
      if (code !== 0 && failures === 0) throw new Error(`The tests of ${name} ended with ${code}.`);
    } catch (error) {
      await opened.page.screenshot({ path: path.join(own, 'failure.png') }).catch(() => {});
      throw error;
    } finally {
      await opened.close();
    }
  } catch (error) {
    failures += 1;
    console.error(`${name}: ${error.stack ?? error}`);
    report(name, results, Date.now() - began);
    if (values.verbose) console.error(logged.join('\n'), editor.said());
  } finally {
    await editor.close();
  }
}

function report(name, results, ms) {
  const lines = existsSync(results) ? readFileSync(results, 'utf8').trim().split('\n') : [];
  const tests = lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  rmSync(results, { force: true });
  for (const { title, state, ms: own, error } of tests) {
    console.log(`${state === 'passed' ? '✓' : state === 'skipped' ? '-' : '✗'} ${title} (${own} ms)`);
    if (error) console.log(`    ${error.replaceAll('\n', '\n    ')}`);
  }
  const count = (state) => tests.filter((test) => test.state === state).length;
  failures += count('failed');
  console.log(
    `${name}: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped, ${Math.round(ms / 1000)} s`,
  );
}
