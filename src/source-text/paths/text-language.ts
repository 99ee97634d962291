import { basename, extname } from 'node:path';

/**
 * Returns the extension of the language that a text is in: some files of Python have names of their own, and a script
 * without an ending says in its first line what runs it.
 */
export function languageOfText(file: string, text: string): string {
  const extension = extname(file).slice(1).toLowerCase();
  if (likePython.has(extension) || namedPython.test(basename(file))) return 'py';
  if (!unsaid.has(extension) || !text.startsWith('#!')) return extension;
  const program = runner.exec(text)?.[1] ?? '';
  return languages[program] ?? extension;
}

/** True for a file whose text may be Python, though its ending is another. */
export function mayBePython(file: string): boolean {
  const extension = extname(file).slice(1).toLowerCase();
  return likePython.has(extension) || namedPython.test(basename(file)) || mayBeScript(file);
}

/** True for a file whose ending says nothing about its language: a script says in its first line what runs it. */
export function mayBeScript(file: string): boolean {
  return unsaid.has(extname(file).slice(1).toLowerCase());
}

/** Returns the path of a file with the ending of its language. */
export function inLanguage(file: string, language: string): string {
  return extname(file).slice(1).toLowerCase() === language ? file : `${file}.${language}`;
}

/** Endings of code that imports modules as Python does. */
const likePython: ReadonlySet<string> = new Set(['pyx', 'pxd', 'pxi', 'pyw', 'smk', 'wsgi']);
const namedPython = /^(?:wscript|SConstruct|SConscript|Snakefile)$/;

/** Endings that say nothing about the language. */
const unsaid: ReadonlySet<string> = new Set(['', 'in', 'cgi', 'fcgi', 'command', 'tool']);

const runner =
  /^#![^\n]{0,200}?\b(python|pypy|uv|node|deno|bun|tsx|ts-node|ruby|perl|php|(?:ba|da|k|z)?sh)(?![a-z/-])/;

const languages: Readonly<Record<string, string>> = {
  ...{ python: 'py', pypy: 'py', uv: 'py', node: 'js', deno: 'ts', bun: 'ts', tsx: 'ts', 'ts-node': 'ts' },
  ...{ ruby: 'rb', perl: 'pl', php: 'php', sh: 'sh', bash: 'sh', dash: 'sh', ksh: 'sh', zsh: 'sh' },
};
