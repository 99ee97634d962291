// Works on the current folder as its parent asks: each message is a number of random operations, answered when they are done.
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

let state = Number(process.argv[2]);
const names = ['a', 'b', 'c', 'd'];

process.on('message', (count) => {
  for (let index = 0; index < count; index++) pick(operations)();
  process.send?.('done');
});

const operations = [
  () => writeFileSync(inFolder(`${pick(names)}.ts`), String(random())),
  () => writeFileSync(inFolder(`${pick(names)}.ts`), String(random())),
  () => onFile((file) => appendFileSync(file, 'x')),
  () => onFile((file) => rmSync(file)),
  () => onFile((file) => renameSync(file, inFolder(`${pick(names)}.ts`))),
  () => onFile((file) => replace(file)),
  () => mkdirSync(inFolder(pick(names)), { recursive: true }),
  () => onFolder((folder) => rmSync(folder, { recursive: true })),
  () => onFolder((folder) => move(folder, inFolder(pick(names)))),
  () => onFolder((folder) => copy(folder, inFolder(pick(names)))),
  () => writeFileSync(inFolder('ignored.log'), String(random())),
];

function replace(file) {
  const text = String(random());
  writeFileSync(`${file}.log`, text);
  renameSync(`${file}.log`, file);
}

function move(folder, target) {
  if (!target.startsWith(`${folder}/`) && !existsSync(target)) renameSync(folder, target);
}

function copy(folder, target) {
  if (!`${target}/`.startsWith(`${folder}/`) && target.split('/').length < 6)
    cpSync(folder, target, { recursive: true, preserveTimestamps: true });
}

function onFile(act) {
  const files = entries().filter((entry) => entry.isFile() && entry.name.endsWith('.ts'));
  if (files.length > 0) act(pathOf(pick(files)));
}

function onFolder(act) {
  const folders = entries().filter((entry) => entry.isDirectory());
  if (folders.length > 0) act(pathOf(pick(folders)));
}

function inFolder(name) {
  const folders = entries()
    .filter((entry) => entry.isDirectory())
    .map(pathOf);
  return path.join(pick(['.', ...folders]), name);
}

function entries() {
  return readdirSync('.', { recursive: true, withFileTypes: true });
}

function pathOf(entry) {
  return path.join(entry.parentPath ?? entry.path, entry.name);
}

function pick(list) {
  return list[Math.floor(random() * list.length)];
}

// Mulberry32: the same numbers for the same seed.
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
}
