// One small project a language: a function, its users, and a file with one error; with what is true of it.

const count = 24;
const numbers = Array.from({ length: count }, (_, index) => String(index).padStart(2, '0'));
const json = (content) => `${JSON.stringify(content)}\n`;

/** By server: the files, where the function is declared, and who uses it on which lines. */
const projects = {
  typescript: () => ({
    // Three projects, of which the server knows only those that a file was opened of.
    files: {
      ...projectFiles(
        ['a', 'b', 'c'].map((name) => `${name}/tsconfig.json`),
        json({ compilerOptions: { strict: true } }),
      ),
      'a/lib.ts': '\nexport function addNumbers(a: number): number {\n  return a;\n}\n',
      'c/problem.ts': 'export const wrong: string = 1;\n',
    },
    declared: ['a/lib.ts:2'],
    user: (number) => ({
      file: `${Number(number) % 2 === 0 ? 'b' : 'c'}/user${number}.ts`,
      text: `import { addNumbers } from '../a/lib';\nexport const user${number} = addNumbers(1);\n`,
      lines: [1, 2],
    }),
    problem: { file: 'c/problem.ts', line: 1 },
    name: 'addNumbers',
  }),
  pyright: () => ({
    files: {
      'lib.py': '\ndef add_numbers(a: int) -> int:\n    return a\n',
      'problem.py': 'wrong: str = 1\n',
    },
    declared: ['lib.py:2'],
    user: (number) => ({
      file: `users/user${number}.py`,
      text: `from lib import add_numbers\nuser${number} = add_numbers(1)\n`,
      lines: [1, 2],
    }),
    problem: { file: 'problem.py', line: 1 },
    name: 'add_numbers',
  }),
  clangd: (folder) => ({
    files: {
      'compile_commands.json': json(
        ['lib.cpp', 'problem.cpp', ...numbers.map((number) => `user${number}.cpp`)].map((file) => ({
          directory: folder,
          file,
          command: `c++ -std=c++17 -c ${file}`,
        })),
      ),
      'lib.h': '#pragma once\nint addNumbers(int a);\n',
      'lib.cpp': '#include "lib.h"\nint addNumbers(int a) { return a; }\n',
      'problem.cpp': 'int *wrong = "text";\n',
    },
    declared: ['lib.cpp:2', 'lib.h:2'],
    user: (number) => ({
      file: `user${number}.cpp`,
      text: `#include "lib.h"\nint user${number} = addNumbers(1);\n`,
      lines: [2],
    }),
    problem: { file: 'problem.cpp', line: 1 },
    name: 'addNumbers',
  }),
  gopls: () => ({
    files: {
      'go.mod': 'module example.com/cold\n\ngo 1.18\n',
      'lib/lib.go': 'package lib\nfunc AddNumbers(a int) int { return a }\n',
      'problem/problem.go': 'package problem\nvar Wrong string = 1\n',
    },
    declared: ['lib/lib.go:2'],
    user: (number) => ({
      file: `user${number}/user.go`,
      text: `package user${number}\nimport "example.com/cold/lib"\nvar User${number} = lib.AddNumbers(1)\n`,
      lines: [3],
    }),
    problem: { file: 'problem/problem.go', line: 2 },
    name: 'AddNumbers',
  }),
  'rust-analyzer': () => ({
    files: {
      'Cargo.toml': '[package]\nname = "cold"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': ['library', 'problem', ...numbers.map((number) => `user_${number}`)]
        .map((name) => `pub mod ${name};\n`)
        .join(''),
      'src/library.rs': '\npub fn add_numbers(a: i32) -> i32 {\n    a\n}\n',
      'src/problem.rs': 'pub fn wrong() -> bool { 1i32 }\n',
    },
    declared: ['src/library.rs:2'],
    user: (number) => ({
      file: `src/user_${number}.rs`,
      text: `use crate::library::add_numbers;\npub fn user_${number}() -> i32 { add_numbers(1) }\n`,
      lines: [1, 2],
    }),
    problem: { file: 'src/problem.rs', line: 1 },
    name: 'add_numbers',
  }),
};
projects['typescript-language-server'] = projects.typescript;

/** The project of a server in a folder: its files, and questions with their right answers as `path:line`. */
export function coldProject(server, folder) {
  const { files, declared, user, problem, name } = projects[server](folder);
  const users = numbers.map(user);
  const all = { ...files, ...Object.fromEntries(users.map(({ file, text }) => [file, text])) };
  const [source] = declared[0].split(':');
  const at = placeOf(all[source], name);
  const last = users.at(-1);
  const call = placeOf(last.text, `${name}(`);
  const references = [
    ...declared,
    ...users.flatMap(({ file, lines }) => lines.map((line) => `${file}:${line}`)),
  ].sort();
  return {
    files: all,
    questions: [
      ['find_references', { file_path: source, ...at }, references],
      ['find_references', { symbol_name: name }, references],
      ['find_definition', { file_path: last.file, ...call }, declared.slice(0, 1)],
      // Some give the definition alone, which comes first.
      ['search_workspace_symbols', { query: name }, declared.slice(0, 1)],
      [
        'get_diagnostics',
        { file_path: problem.file, min_severity: 'error' },
        [`${problem.file}:${problem.line}`],
      ],
    ],
  };
}

function projectFiles(names, text) {
  return Object.fromEntries(names.map((name) => [name, text]));
}

/** Where a name is last, from 1. */
function placeOf(text, name) {
  const before = text.slice(0, text.lastIndexOf(name)).split('\n');
  return { line: before.length, character: before.at(-1).length + 1 };
}
