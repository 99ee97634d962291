// What can be wrong with a request. Each changes a draft; one that leaves its framing in doubt says so.
import { chunked } from './drafts.js';
import { changeOnePlace, oddText, oddValue } from './odd-json.js';
import {
  chunkSizes,
  colons,
  lengths,
  methods,
  names,
  targets,
  trailers,
  values,
  valuesOf,
  versions,
} from './odd-words.js';

/** Makes the body of a draft, most of the time a message with something odd about it. */
export function writeBody(draft, chance, isMutated) {
  if (!draft.message) return;
  const { message } = draft;
  const way = isMutated ? chance.below(10) : 9;
  if (way < 5) for (let times = 1 + chance.below(3); times > 0; times -= 1) changeOnePlace(message, chance);
  const value = way === 5 ? oddValue(chance) : way === 6 ? [message, message] : message;
  draft.body = Buffer.from(oddText(value, chance));
  if (way === 7) cut(draft, chance);
}

function cut(draft, chance) {
  draft.body = draft.body.subarray(0, chance.below(draft.body.length));
}

/** Changes the head of a draft, or the way its body is framed. */
export function mutate(draft, chance) {
  draft.isWhole = false;
  chance.pick(mutations)(draft, chance);
}

/** Flips, inserts, removes and repeats bytes. */
export function mutateBytes(bytes, chance) {
  let changed = bytes;
  for (let times = 1 + chance.below(4); times > 0 && changed.length > 0; times -= 1) {
    // Half of them in the first lines, where most of the rules are.
    const at = chance.below(chance.below(2) === 0 ? Math.min(changed.length, 200) : changed.length);
    const added = Buffer.from(chance.pick(inserts), 'latin1');
    const [before, after] = [changed.subarray(0, at), changed.subarray(at)];
    const way = chance.below(4);
    if (way === 0) changed = Buffer.concat([before, Buffer.of(chance.below(256)), after.subarray(1)]);
    if (way === 1) changed = Buffer.concat([before, added, after]);
    if (way === 2) changed = Buffer.concat([before, after.subarray(1 + chance.below(8))]);
    if (way === 3) changed = Buffer.concat([before, after.subarray(0, chance.below(60)), after]);
  }
  return changed;
}

const inserts = [
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  '\0',
  ' ',
  '\t',
  ':',
  '\x7f',
  '\xff',
  '0\r\n\r\n',
  '\r\n ',
  ';a=b',
  ',',
];

/** Another request where the body of this one ends, if the wrong one of two lengths is believed. */
const smuggled = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n';

const mutations = [
  // The first line.
  (draft, { pick }) => Object.assign(draft, { method: pick(methods) }),
  (draft, { pick }) => Object.assign(draft, { target: pick(targets) }),
  (draft, { pick }) => Object.assign(draft, { version: pick(versions) }),
  (draft) => Object.assign(draft, { end: '\n' }),
  (draft) => Object.assign(draft, { end: '\r' }),
  // Headers.
  (draft, { pick }) => draft.headers.push([...pick([...draft.headers, ['X', '']])]),
  (draft, { below }) => draft.headers.splice(below(1 + draft.headers.length), 1),
  (draft, { pick }) => draft.headers.push([pick([...draft.headers, ['X', '']])[0], pick(values)]),
  (draft, chance) => replaceOne(draft, chance, ([name]) => [name, chance.pick(values)]),
  (draft, chance) => replaceOne(draft, chance, ([name, value]) => [name.toUpperCase(), value]),
  (draft, chance) => replaceOne(draft, chance, ([name, value]) => [name, value, chance.pick(colons)]),
  (draft, chance) => replaceOne(draft, chance, ([name, value]) => [name, `\r\n ${value}`]),
  (draft, chance) => replaceOne(draft, chance, ([, value]) => [chance.pick(names), value]),
  (draft, chance) => draft.headers.push([chance.pick(names), chance.pick(values)]),
  (draft, { below }) => {
    const many = Array.from({ length: below(200) }, (_, index) => [`X-${index}`, 'a']);
    draft.headers.push(...many);
  },
  ...['Host', 'Origin', 'Authorization', 'Content-Type', 'Accept', 'Expect', 'Upgrade', 'Connection'].map(
    setHeader,
  ),
  ...['Mcp-Session-Id', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Last-Event-ID'].map(setHeader),
  setHeader('Content-Encoding'),
  setHeader('Transfer-Encoding'),
  // The framing of the body.
  (draft, { pick }) => Object.assign(draft, { length: pick(lengths(draft)) }),
  (draft) => Object.assign(draft, { length: null }),
  (draft, { below }) => inChunks(draft, 1 + below(50)),
  (draft, { below }) =>
    inChunks(draft, 1 + below(50), (size) => `${size.toString(16)};a="${'b'.repeat(below(9000))}"`),
  (draft, { pick }) => inChunks(draft, 40, pick(chunkSizes)),
  (draft, { pick }) => inChunks(draft, 40, undefined, pick(trailers)),
  inDoubt((body) => [
    ['Transfer-Encoding', 'chunked'],
    ['Content-Length', body.length],
  ]),
  inDoubt((body) => [
    ['Content-Length', 5],
    ['Content-Length', body.length],
  ]),
  inDoubt((body) => [['Content-Length', `5, ${body.length}`]]),
  inDoubt((body) => [
    ['Transfer-Encoding', ' chunked, identity'],
    ['Content-Length', body.length],
  ]),
];

function setHeader(name) {
  return (draft, { pick }) => {
    draft.headers = [...draft.headers.filter(([one]) => one !== name), [name, pick(valuesOf[name])]];
  };
}

function replaceOne(draft, { below }, change) {
  const index = below(1 + draft.headers.length);
  const header = draft.headers[index];
  if (header) draft.headers[index] = change(header);
}

function inChunks(draft, size, tell, trailer) {
  if (draft.body) draft.chunks = chunked(draft.body, size, tell, trailer);
}

/** What comes after the shorter of two lengths is a request of its own, which nobody may answer. */
function inDoubt(framing) {
  return (draft) => {
    const [, host] = draft.headers.find(([name]) => name === 'Host') ?? ['', '127.0.0.1:1'];
    const body = Buffer.from(`0\r\n\r\n${smuggled.replace('127.0.0.1:PORT', host)}`, 'latin1');
    Object.assign(draft, { method: 'POST', body, length: null, isInDoubt: true });
    draft.headers = [...draft.headers, ...framing(body)];
  };
}
