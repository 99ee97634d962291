import {
  chmodSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { LspanError } from '../../core/errors.ts';
import { resultOrError } from '../../core/runtime/result.ts';

/** A program in one file: its modules, and the texts that ship with it. */
export interface BundleParts {
  readonly build: string;
  readonly version: string;
  /** The text of each module, by its path below the folder of the entry. */
  readonly modules: Readonly<Record<string, string>>;
  readonly texts: Readonly<Record<string, string>>;
}

/** Returns the modules of a built program: its entry, and what it loads. */
export function modulesOf(entry: string): Readonly<Record<string, string>> {
  const folder = path.dirname(entry);
  const chunks = readdirSync(path.join(folder, 'chunks')).filter((name) => name.endsWith('.js'));
  const names = [path.basename(entry), ...chunks.map((name) => `chunks/${name}`)];
  return Object.fromEntries(names.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
}

/** Returns the module of a package compiled by Emscripten, which has its WebAssembly in it instead of beside it. */
export function moduleWithBinary(script: string): string {
  const binary = readFileSync(script.replace(/\.js$/, '.wasm'));
  const packed = deflateRawSync(binary, { level: 9 }).toString('base64');
  const unpack = `require('node:zlib').inflateRawSync(Buffer.from(${JSON.stringify(packed)}, 'base64'))`;
  return `var Module = { wasmBinary: ${unpack} };\n${readFileSync(script, 'utf8')}`;
}

/** Returns the licence of a package by its script, which lies in a folder of it. */
export function licenceOf(script: string): string {
  return readFileSync(path.join(path.dirname(script), '../LICENSE'), 'utf8');
}

/**
 * Returns a CommonJS program of one file. Each module is a function under its name, so that what is not needed is not run;
 * nothing is unpacked. Licences come as the last comment.
 */
export function renderBundle({ build, version, modules, texts }: BundleParts, licences: string): string {
  const wrapped = Object.entries(modules).map(
    ([name, text]) =>
      `${JSON.stringify(name)}: function (module, exports, require, ${bundleName}) {${text.replace(/^#!.*/, '')}\n}`,
  );
  return [
    '#!/usr/bin/env node',
    `${mark}${build} ${version}`,
    `const modules = {${wrapped.join(',\n')}};`,
    `const texts = ${JSON.stringify(texts)};`,
    loader,
    // A line of it that ends a comment would end this one.
    `/*\n${licences.replaceAll('*/', '* /')}*/`,
    '',
  ].join('\n');
}

/** What modules find the bundle under. */
const bundleName = 'lspanBundle';

const mark = '// lspan bundle ';

/** `require` of Node is for its own modules only. */
const loader = `const { posix } = require('node:path');
const loaded = new Map();
function load(name) {
  const known = loaded.get(name);
  if (known) return known.exports;
  const module = { exports: {} };
  loaded.set(name, module);
  const folder = posix.dirname(name);
  const inner = (id) => (id.startsWith('.') ? load(posix.join(folder, id)) : require(id));
  modules[name](module, module.exports, inner, { texts, load });
  return module.exports;
}
load('bin.js');`;

/** Returns the id of the build that a file bundles; `undefined` if it is no bundle. */
export function bundledBuild(file: string): string | undefined {
  const descriptor = openSync(file, 'r');
  try {
    const head = Buffer.alloc(256);
    const length = readSync(descriptor, head, 0, head.length, 0);
    const [, line = ''] = head.toString('utf8', 0, length).split('\n');
    return line.startsWith(mark) ? line.slice(mark.length).split(' ')[0] : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the text of a bundle; `undefined` if a file is none. */
export function bundleIn(file: string): string | undefined {
  return bundledBuild(file) === undefined ? undefined : readFileSync(file, 'utf8');
}

/** Writes a bundle that its owner may run. Replaces a bundle, and no other file. */
export function writeBundle(file: string, text: string): void {
  const there = resultOrError(() => bundledBuild(file) ?? '');
  if (there === '') throw otherFile(file);
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, text, { flag: 'wx' });
    chmodSync(draft, 0o755);
    renameSync(draft, file);
  } catch (cause) {
    rmSync(draft, { force: true });
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new LspanError('refused', `${file} cannot be written: ${why}.`, {
      cause,
      nextStep: 'Name a file in a folder that you can write to.',
    });
  }
}

function otherFile(file: string): LspanError {
  return new LspanError('refused', `${file} exists and is no bundle of lspan: nothing was written.`, {
    nextStep: 'Name another file, or move that one away.',
  });
}
