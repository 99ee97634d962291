// One measurement of a store of indexes, in a process of its own: node repositories-probe.js BUNDLE WORK STORE FILE [COUNT]
import { readFileSync } from 'node:fs';

const [bundle, work, place, file, count = '0'] = process.argv.slice(2);
const occurrencesOfOne = 20_000;
const asked = 2_000;
const index = await import(bundle);
const open = () =>
  place.startsWith('postgres:') ? index.openPostgresStore(place, '') : index.openEmbeddedStore(place);
const works = { import: importOnce, fill, keys: keysOf, query };
console.log(JSON.stringify(await works[work]()));

/** Adds the file as it is. */
async function importOnce() {
  const store = await open();
  const reader = new index.ByteReader(file);
  const options = { repository: 'real', commit: '', mustFit: false, keepsTexts: false };
  const [begin, cpu] = [performance.now(), process.cpuUsage()];
  const added = await index.importIndex(store, {
    ...options,
    file: reader,
    read: () => undefined,
    report: () => {},
  });
  const seconds = (performance.now() - begin) / 1000;
  const busy = process.cpuUsage(cpu).user / 1e6;
  await store.close();
  return { occurrences: added.occurrences, seconds, busy, memory: process.resourceUsage().maxRSS / 1024 };
}

/** Adds many repositories, each a part of the real one under another package name. */
async function fill() {
  const documents = [...index.readScip(new index.ByteReader(file))].filter(({ kind }) => kind === 'document');
  const store = await open();
  const [begin, wanted] = [performance.now(), Number(count)];
  let [all, at] = [0, 0];
  for (let repository = 0; repository < wanted; repository++) {
    const writer = await store.write({ repository: `r${repository}`, commit: '' });
    let own = 0;
    let paths = 0;
    const known = new Map();
    while (own < occurrencesOfOne) {
      const document = documents[at++ % documents.length];
      own += document.occurrences.length;
      await addCopy(writer, document, { repository: `r${repository}`, number: paths++, known });
    }
    await writer.publish({ tool: 'generated 1', documents: paths, occurrences: own, unverified: 0 });
    all += own;
  }
  await store.close();
  return { repositories: wanted, occurrences: all, seconds: (performance.now() - begin) / 1000 };
}

function remember(known, given, repository) {
  const symbol = given.replace(' npm lspan ', ` npm ${repository} `);
  const own = { symbol, key: index.symbolKey(symbol, repository) };
  known.set(given, own);
  return own;
}

async function addCopy(writer, { path, occurrences }, { repository, number, known }) {
  const byKey = new Map();
  const symbols = [];
  for (const one of occurrences) {
    if (one.symbol.startsWith('local ')) continue;
    const { symbol, key } = known.get(one.symbol) ?? remember(known, one.symbol, repository);
    const isDefinition = one.isDefinition;
    if (!byKey.has(key) || isDefinition) {
      const { name } = index.symbolName(index.parseSymbol(symbol));
      const own = { key, symbol, name, kind: 'function', documentation: '', isDefined: isDefinition };
      symbols.push({ ...own, implements: [] });
    }
    const { startLine, startColumn, endLine, endColumn } = one;
    const places = byKey.get(key) ?? [];
    places.push({ startLine, startColumn, endLine, endColumn, isDefinition });
    byKey.set(key, places);
  }
  for (const places of byKey.values())
    places.sort((a, b) => a.startLine - b.startLine || a.startColumn - b.startColumn);
  await writer.addSymbols(symbols);
  await writer.addDocument({
    ...{ path: `${number}/${path}`, language: 'typescript', hash: '', text: undefined, locals: [] },
    symbols: [...byKey].map(([key, places]) => ({ key, occurrences: places })),
  });
}

/** Chooses the symbols that are asked about. */
async function keysOf() {
  const documents = [...index.readScip(new index.ByteReader(file))].filter(({ kind }) => kind === 'document');
  const names = [...new Set(documents.flatMap(({ occurrences }) => occurrences.map(({ symbol }) => symbol)))];
  const keys = [];
  for (let at = 0; keys.length < asked; at++) {
    const symbol = names[(at * 7919) % names.length];
    const repository = `r${(at * 31) % Number(count)}`;
    if (symbol.startsWith('local ')) continue;
    keys.push(String(index.symbolKey(symbol.replace(' npm lspan ', ` npm ${repository} `), repository)));
  }
  return keys;
}

/** Asks for the uses of symbols, one after the other and by 32 clients at once. The file has their keys. */
async function query() {
  const keys = JSON.parse(readFileSync(file, 'utf8')).map(BigInt);
  // As every process that answers.
  index.tuneAtStart();
  new index.EngineTuner().onCallRemoved(0);
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const store = await open();
  let found = 0;
  const ask = async (key) => {
    const begin = performance.now();
    found += (await store.postings([key], 5_000)).length;
    return performance.now() - begin;
  };
  for (const key of keys.slice(0, 100)) await ask(key);
  const alone = [];
  for (const key of keys) alone.push(await ask(key));
  const together = [];
  const clients = Array.from({ length: 32 }, async (_, client) => {
    for (let at = client; at < keys.length; at += 32) together.push(await ask(keys[at]));
  });
  await Promise.all(clients);
  globalThis.gc?.();
  const memory = (process.memoryUsage.rss() - before) / 1e6;
  await store.close();
  return {
    alone: summary(alone),
    together: summary(together),
    memory,
    found: found / (2 * keys.length + 100),
  };
}

function summary(times) {
  times.sort((a, b) => a - b);
  return { median: times[Math.floor(times.length / 2)], late: times[Math.floor(times.length * 0.95)] };
}
