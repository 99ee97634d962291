import path from 'node:path';
import { LspanError } from '../../../core/errors.ts';
import { resultOrError } from '../../../core/runtime/result.ts';
import {
  bundleIn,
  licenceOf,
  modulesOf,
  moduleWithBinary,
  renderBundle,
  writeBundle,
} from '../../../platform/files/bundle-file.ts';
import { type Build, buildOf } from '../../../platform/files/identity-files.ts';
import { bringHome, fileOfPackage, ownText, sqlitePackage } from '../../../platform/files/own-home.ts';
import { version } from '../../../version.ts';
import type { CommandLine } from '../parse-command-line.ts';
import { print } from '../print.ts';
import type { ProcessContext } from '../read-settings.ts';
import { usageError } from '../usage-error.ts';

type BundleCommand = Extract<CommandLine, { readonly kind: 'bundle' }>;

/** Runs `lspan bundle`: writes this lspan as one file that Node alone runs; returns the exit code. */
export async function runBundle(
  { file }: BundleCommand,
  { cwd }: Pick<ProcessContext, 'cwd'>,
  script: string,
  write: (text: string) => Promise<void> = print,
): Promise<number> {
  if (/\.[^.]*$/.exec(path.basename(file))?.[0] === '.mjs')
    throw usageError('Node takes a file that ends in .mjs for a module of another kind: use .cjs.', 'bundle');
  const target = path.resolve(cwd, file);
  const build = resultOrError(() => buildOf(script));
  if (build instanceof LspanError) throw notBuilt();
  const text = bundleText(build);
  writeBundle(target, text);
  const size = (Buffer.byteLength(text) / 1024 ** 2).toFixed(1);
  await write(
    `Wrote ${target}, ${size} MiB, lspan ${version} (build ${build.id}). It needs Node 20.9 or later and nothing else: node ${file} doctor\n`,
  );
  return 0;
}

/** A bundle is its own bundle. */
function bundleText({ executable, id }: Build): string {
  const own = bundleIn(executable);
  if (own !== undefined) return own;
  const texts = Object.fromEntries(shipped.map((name) => [name, textNamed(name)]));
  const sqlite = fileOfPackage(sqlitePackage) ?? missing(sqlitePackage);
  const modules = { ...modulesOf(executable), [sqlitePackage]: moduleWithBinary(sqlite) };
  const parts = { build: id, version, modules, texts };
  return renderBundle(
    parts,
    `${textNamed('dist/THIRD-PARTY-LICENSES.txt')}\n${sqlitePackage}\n\n${licenceOf(sqlite)}`,
  );
}

/** The files of the package that commands read: the list of `lspan install`, and what `lspan setup` writes for opencode. */
const shipped = ['dist/installable.json', 'plugins/opencode/lspan.js'];

function textNamed(name: string): string {
  return ownText(name) ?? missing(name);
}

function missing(name: string): never {
  throw new LspanError('not_found', `${name} is missing in the package of lspan.`, { nextStep: bringHome });
}

function notBuilt(): LspanError {
  return new LspanError(
    'not_supported',
    'This lspan is a part of another program, and no build of its own.',
    {
      nextStep: 'Run the lspan that npm has installed.',
    },
  );
}
