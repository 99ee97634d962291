// A project that another process changes at random, and what is true of it after each change.
import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chance, writeFiles } from './lspan.js';

const room = 9;
const blank = (lines) => '\n'.repeat(lines);

/** The texts of each language. The file that moves its content by lines keeps its size. */
export const languages = {
  typescript: {
    extension: 'ts',
    files: {
      'tsconfig.json': '{"compilerOptions":{"strict":true,"module":"esnext","moduleResolution":"bundler"}}',
    },
    library: (line, type) =>
      `${blank(line - 1)}export function add(a: ${type}): ${type} { return a; }\n${blank(room - line)}`,
    column: 17,
    types: ['number', 'string'],
    user: (name, line) => `import { add } from '../lib';\n${blank(line - 2)}export const ${name} = add(1);\n`,
    callColumn: (name) => `export const ${name} = `.length + 1,
    problem: (name, line, wrong) =>
      `${blank(line - 1)}export const ${name}: ${wrong ? 'string' : 'number'} = 1;\n`,
  },
  python: {
    extension: 'py',
    files: {},
    library: (line, type) =>
      `${blank(line - 1)}def add(a: ${type}) -> ${type}: return a\n${blank(room - line)}`,
    column: 5,
    types: ['int', 'str'],
    user: (name, line) => `from lib import add\n${blank(line - 2)}${name} = add(1)\n`,
    callColumn: (name) => `${name} = `.length + 1,
    problem: (name, line, wrong) => `${blank(line - 1)}${name}: ${wrong ? 'str' : 'int'} = 1\n`,
  },
};

/** The project, changed by `change` and `changeProblems`, with the truth about it. */
export class FreshnessWorld {
  /** Users of the library: the line of the call and the name that it defines, by path. */
  users = new Map();
  /** Files that may have a problem: its line and whether it is there, by path. */
  problems = new Map();
  library = { line: 1, type: 0 };
  #made = 0;

  constructor(root, language, seed) {
    this.root = root;
    this.language = languages[language];
    this.chance = chance(seed);
    writeFiles(root, this.language.files);
    this.#writeLibrary();
    for (let user = 0; user < 3; user += 1) this.#createUser();
    for (let file = 0; file < 2; file += 1) this.#createProblem();
  }

  get libraryPath() {
    return `lib.${this.language.extension}`;
  }

  /** Makes one change and names it. */
  change() {
    const { below, pick } = this.chance;
    const kinds = [
      ...(this.users.size < 6 ? ['created', 'created'] : []),
      ...(this.users.size > 2 ? ['deleted', 'folder deleted'] : []),
      ...['library changed', 'library changed in secret', 'library replaced', 'user changed'],
      ...['renamed', 'renamed', 'folder renamed'],
    ];
    const kind = pick(kinds);
    const user = pick([...this.users.keys()]);
    const acts = {
      created: () => this.#createUser(),
      deleted: () => this.#delete(user),
      'folder deleted': () => this.#deleteFolder(path.dirname(user)),
      'library changed': () => this.#moveLibrary(() => this.#writeLibrary()),
      'library changed in secret': () => this.#moveLibrary(() => this.#writeSecretly()),
      'library replaced': () => this.#moveLibrary(() => this.#replaceLibrary()),
      'user changed': () => this.#writeUser(user, { ...this.users.get(user), line: 2 + below(room) }),
      renamed: () => this.#move(this.users, user, this.#newPath('user')),
      'folder renamed': () => this.#renameFolder(path.dirname(user)),
    };
    acts[kind]();
    return kind;
  }

  /** Makes one change that brings or takes a problem, names it, and gives the file to ask about. */
  changeProblems() {
    const { below, pick } = this.chance;
    const file = pick([...this.problems.keys()]);
    const { wrong, name } = this.problems.get(file);
    const kind = pick(['written', 'written', 'written', 'created', 'renamed', 'deleted', 'by the library']);
    if (kind === 'written') this.#writeProblem(file, { name, line: 1 + below(room), wrong: !wrong });
    if (kind === 'created') return { kind, file: this.#createProblem() };
    if (kind === 'renamed') {
      const to = this.#newPath('problem');
      this.#move(this.problems, file, to);
      return { kind, file: to };
    }
    if (kind === 'deleted') {
      this.#unlink(this.problems, file);
      return { kind, file: this.problems.size < 2 ? this.#createProblem() : pick([...this.problems.keys()]) };
    }
    if (kind !== 'by the library') return { kind, file };
    this.library.type = 1 - this.library.type;
    this.#writeLibrary();
    return { kind, file: pick([...this.users.keys()]) };
  }

  /** Every reference to the library's function, as `path:line`. */
  get references() {
    const used = [...this.users].flatMap(([file, { line }]) => [`${file}:1`, `${file}:${line}`]);
    return [`${this.libraryPath}:${this.library.line}`, ...used].sort();
  }

  /** The lines with a problem in a file. */
  problemsOf(file) {
    const user = this.users.get(file);
    if (user) return this.library.type === 1 ? [user.line] : [];
    const { wrong, line } = this.problems.get(file);
    return wrong ? [line] : [];
  }

  #at(file) {
    return path.join(this.root, file);
  }

  /** Folders come and go with their files; all are one deep, so that imports stay right. */
  #newPath(stem) {
    this.#made += 1;
    const folder = `part${this.chance.below(4)}`;
    mkdirSync(this.#at(folder), { recursive: true });
    return `${folder}/${stem}${this.#made}.${this.language.extension}`;
  }

  #createUser() {
    const file = this.#newPath('user');
    this.#writeUser(file, { name: `x${this.#made}`, line: 2 + this.chance.below(room) });
  }

  #writeUser(file, user) {
    this.users.set(file, user);
    writeFileSync(this.#at(file), this.language.user(user.name, user.line));
  }

  #createProblem() {
    const file = this.#newPath('problem');
    const wrong = this.chance.below(2) === 1;
    this.#writeProblem(file, { name: `y${this.#made}`, line: 1 + this.chance.below(room), wrong });
    return file;
  }

  #writeProblem(file, problem) {
    this.problems.set(file, problem);
    writeFileSync(this.#at(file), this.language.problem(problem.name, problem.line, problem.wrong));
  }

  #delete(file) {
    this.#unlink(this.users, file);
    if (this.users.size === 0) this.#createUser();
  }

  #unlink(files, file) {
    files.delete(file);
    rmSync(this.#at(file));
  }

  #move(files, from, to) {
    files.set(to, files.get(from));
    files.delete(from);
    renameSync(this.#at(from), this.#at(to));
  }

  #deleteFolder(folder) {
    for (const files of [this.users, this.problems])
      for (const file of [...files.keys()]) if (path.dirname(file) === folder) files.delete(file);
    rmSync(this.#at(folder), { recursive: true });
    if (this.users.size === 0) this.#createUser();
    if (this.problems.size === 0) this.#createProblem();
  }

  #renameFolder(folder) {
    this.#made += 1;
    const to = `moved${this.#made}`;
    for (const files of [this.users, this.problems])
      for (const [file, fact] of [...files])
        if (path.dirname(file) === folder) {
          files.delete(file);
          files.set(`${to}/${path.basename(file)}`, fact);
        }
    renameSync(this.#at(folder), this.#at(to));
  }

  #moveLibrary(write) {
    this.library.line = 1 + this.chance.below(room);
    write();
  }

  #libraryText() {
    return this.language.library(this.library.line, this.language.types[this.library.type]);
  }

  #writeLibrary() {
    writeFileSync(this.#at(this.libraryPath), this.#libraryText());
  }

  /** The size and the time of the last change stay what they were. */
  #writeSecretly() {
    const file = this.#at(this.libraryPath);
    const { atime, mtime } = statSync(file);
    this.#writeLibrary();
    utimesSync(file, atime, mtime);
  }

  #replaceLibrary() {
    const beside = this.#at(`${this.libraryPath}.tmp`);
    writeFileSync(beside, this.#libraryText());
    renameSync(beside, this.#at(this.libraryPath));
  }
}
