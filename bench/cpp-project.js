// The files of a generated C++ project, in the same shape as the TypeScript one, with its compilation database.
import path from 'node:path';
import { folderOf, numbered, users } from './layout.js';

/** @param {number} size how many modules @param {string} folder where it will lie @returns {Map<string, string>} */
export function cppProject(size, folder) {
  const files = new Map([['src/shared.hpp', shared]]);
  const using = users(size);
  for (let index = 0; index < size; index += 1) {
    files.set(cppModule(index).replace(/cpp$/, 'hpp'), header(index));
    files.set(cppModule(index), module(index, using.has(index)));
  }
  files.set('src/shared.cpp', sharedBody);
  const sources = [...files.keys()].filter((file) => file.endsWith('.cpp'));
  files.set('build/compile_commands.json', commands(sources, folder));
  return files;
}

/** The path of a module. */
export function cppModule(index) {
  return `src/${folderOf(index)}/module_${numbered(index)}.cpp`;
}

function commands(sources, folder) {
  const directory = path.join(folder, 'build');
  const entries = sources.map((file) => ({
    directory,
    file: `../${file}`,
    arguments: ['c++', '-std=c++17', '-c', `../${file}`],
  }));
  return `${JSON.stringify(entries, null, 1)}\n`;
}

const shared = `#pragma once
/// What everybody measures with.
int shared_measure(int value, int unit);
`;

const sharedBody = `#include "shared.hpp"

int shared_measure(int value, int unit) { return value * unit; }
`;

function header(index) {
  const name = numbered(index);
  return `#pragma once
/// Keeps the entries of part ${name}.
class Store${name} {
public:
  explicit Store${name}(int limit) : limit_(limit) {}
  void add(int value);
  int total() const { return total_; }

private:
  int limit_;
  int total_ = 0;
};

/// Works out part ${name}.
int compute_${name}(int input);
`;
}

function module(index, usesShared) {
  const name = numbered(index);
  const before = index === 0 ? undefined : numbered(index - 1);
  return `#include "module_${name}.hpp"
${usesShared ? '#include "../shared.hpp"\n' : ''}${before === undefined ? '' : `#include "../${folderOf(index - 1)}/module_${before}.hpp"\n`}
void Store${name}::add(int value) {
  if (total_ < limit_) total_ += value;
}

int compute_${name}(int input) {
  Store${name} store(10);
  for (int step = 0; step < 3; ++step) store.add(input * step);
  return store.total()${before === undefined ? '' : ` + compute_${before}(input)`};
}
${usesShared ? sharedUses(name) : ''}`;
}

/** Three uses, as in the other languages, where one of them is the import. */
const sharedUses = (name) => `
int report_${name}() {
  int first = shared_measure(compute_${name}(1), 2);
  int second = shared_measure(compute_${name}(2), 3);
  return shared_measure(first, second);
}
`;
