// Real sources to ask about: packages that ship theirs, copied, with lines added that hold more than ASCII.
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { workFolder } from './work.js';

const packages = path.resolve(import.meta.dirname, '../node_modules');
const pythonPackages = ['/usr/lib/python3/dist-packages', '/usr/lib/python3/site-packages'].find(existsSync);

/** Where the sources of each language come from; nothing where they are not installed. */
export const sources = {
  typescript: {
    extension: '.ts',
    folders: [
      'zod/src/v4',
      'bash-language-server/src',
      'eventsource-parser/src',
      'entities/src',
      '@jridgewell/trace-mapping/src',
      '@jridgewell/gen-mapping/src',
      '@jridgewell/sourcemap-codec/src',
    ]
      .map((name) => path.join(packages, name))
      .filter(existsSync),
    extra: { 'tsconfig.json': JSON.stringify({ compilerOptions: compilerOptions(), include: ['**/*.ts'] }) },
    declared: /^export (?:async )?(?:function|const|class) (\w+)/gm,
    probe: (name, id) => `export const probe_${id} = ["größe 𝄞 日本", ${name}];`,
  },
  python: {
    extension: '.py',
    folders: ['parso', 'packaging', 'pylsp', 'jwt', 'pyflakes']
      .map((name) => path.join(pythonPackages ?? '/none', name))
      .filter(existsSync),
    extra: {},
    declared: /^(?:def|class) (\w+)/gm,
    probe: (name, id) => `probe_${id} = ("größe 𝄞 日本", ${name})`,
  },
};

function compilerOptions() {
  return { strict: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler', noEmit: true };
}

/** Copies the sources of a language and gives the folder and the text of each file. */
export async function copySources(language) {
  const { extension, folders, extra, declared, probe } = sources[language];
  const folder = path.join(workFolder, `targets-${language}`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(extra)) await writeFile(path.join(folder, name), text);
  const texts = new Map();
  for (const [index, from] of folders.entries()) {
    const own = path.join(folder, language === 'python' ? path.basename(from) : `package_${index}`);
    await cp(from, own, {
      recursive: true,
      filter: (name) => !/__pycache__|__tests__|locales|\/tests?(\/|$)/.test(name),
    });
    for (const name of await filesBelow(own, extension)) {
      const text = withProbes(await readFile(name, 'utf8'), declared, (symbol, nth) =>
        probe(symbol, `${texts.size}_${nth}`),
      );
      await writeFile(name, text);
      texts.set(path.relative(folder, name), text);
    }
  }
  return { folder, texts };
}

/** A few more uses of what a file declares, each after characters of several widths. */
function withProbes(text, declared, probe) {
  const names = [...new Set([...text.matchAll(declared)].map(([, name]) => name))].slice(0, 4);
  return `${text.trimEnd()}\n${names.map(probe).join('\n')}\n`;
}

async function filesBelow(folder, extension) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(extension) && !entry.name.endsWith('.d.ts'))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}
