// What compilers that are not lspan say of a project, and what its own tests say where it ships them: one text that is the
// same as long as the code means the same. The texts of problems may name what was renamed, so they are left out.
import { cpSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { run } from '../pinned.js';
import { TypeScriptOracle } from './typescript-oracle.js';

const pyright = path.resolve(import.meta.dirname, '../../../node_modules/pyright/index.js');

/**
 * Compiles and tests the code of a language.
 * @returns {Promise<string>}
 */
export function compiled(language, made) {
  return compilers[language](made);
}

const compilers = { typescript, javascript: typescript, python, go, rust, c };

async function typescript({ project, paths, isScript }) {
  const oracle = new TypeScriptOracle({ resolved: project, paths, isScript });
  const codes = oracle.problems();
  await oracle.stop();
  return codes.sort().join('\n');
}

/** Packages that import each other are found by their sources, as for the oracle. */
async function python({ project, resolved, env, oracleEnv = env }) {
  const PYTHONPATH = oracleEnv.PYTHONPATH?.replaceAll(resolved, project);
  const { printed } = await run(
    process.execPath,
    [pyright, '--outputjson', project],
    options(project, { PYTHONPATH }),
  );
  const problems = JSON.parse(printed).generalDiagnostics;
  return problems
    .map(({ file, rule, severity }) => `${path.relative(project, file)} ${severity} ${rule}`)
    .sort()
    .join('\n');
}

/** Compiled as one tree of packages, in which modules that import each other find each other, whatever joins them. */
async function go({ project, env }) {
  const manifest = readFileSync(path.join(project, 'go.mod'), 'utf8');
  const [, name] = /^module (\S+)/m.exec(manifest);
  const replaced = [...manifest.matchAll(/^replace (\S+) => (\S+)/gm)];
  const needed = replaced.map(([, module, at]) => at.slice(0, -`/src/${module}`.length));
  const tree = `${project}-tree`;
  const copy = path.join(tree, 'src', name);
  rmSync(copy, { recursive: true, force: true });
  cpSync(project, copy, { recursive: true });
  const within = options(copy, {
    ...env,
    GOFLAGS: '',
    GO111MODULE: 'off',
    GOPATH: [tree, ...needed].join(':'),
  });
  const { printed: packages } = await run('go', ['list', '-e', './...'], within);
  const ends = [];
  // One by one: a package that lacks what it imports would keep the others from being tested.
  for (const one of packages.trim().split('\n')) {
    const { printed, told } = await run('go', ['test', '-vet=off', '-count=1', one], within);
    ends.push(...(printed.match(/^(?:ok|FAIL|\?|\s*--- FAIL:)\s+\S+/gm) ?? []));
    ends.push(...(`${printed}\n${told}`.match(/^\S+\.go:\d+(?=:)/gm) ?? []));
  }
  return ends.sort().join('\n');
}

/** The crates here are tested without what only their tests need, so tests that need it are not compiled, before and after. */
async function rust({ project, env }) {
  const cargo = options(project, { ...env, CARGO_TARGET_DIR: `${project}-target` });
  const checked = await run('cargo', ['check', '--offline', '--lib', '--message-format', 'short'], cargo);
  const tested = await run('cargo', ['test', '--offline', '--no-fail-fast'], { ...cargo, timeout: 600_000 });
  const places = checked.told.match(/^\S+\.rs:\d+(?=:\d+: (?:error|warning))/gm) ?? [];
  const tests = tested.printed.match(/^test (?:.+ \.\.\. \w+|result: \w+\. \d+ passed; \d+ failed)/gm) ?? [];
  const failed = tested.told.match(/^error\[\w+\]/gm) ?? [];
  return [...places, ...tests, ...failed].sort().join('\n');
}

/** All sources as the database says, and once more without what it defines: both sides of a condition are compiled. */
async function c({ project }) {
  const database = JSON.parse(readFileSync(path.join(project, 'compile_commands.json'), 'utf8'));
  const told = [];
  for (const { file, arguments: args } of database) {
    for (const left of [/^-c$/, /^-(?:c$|D)/]) {
      const [, ...kept] = args.filter((one) => !left.test(one));
      const { told: errors } = await run('gcc', ['-fsyntax-only', ...kept], options(project, {}));
      const places = errors.match(/^\S+?:\d+(?=:\d+: (?:fatal error|error|warning))/gm) ?? [];
      told.push(
        ...places.map((place) => `${path.relative(project, file)}: ${path.relative(project, place)}`),
      );
    }
  }
  return told.sort().join('\n');
}

function options(cwd, env) {
  return { cwd, mayFail: true, env: { ...process.env, ...env } };
}
