// JSON that is allowed by its grammar and meant by nobody.

/** A value of any type, some of them large, deep or named after what every object has. */
export function oddValue(chance, depth = 0) {
  if (depth > 3 || chance.below(3) > 0) return chance.pick(leaves)(chance);
  const size = chance.below(4);
  if (chance.below(2) === 0) return Array.from({ length: size }, () => oddValue(chance, depth + 1));
  return withFields(Array.from({ length: size }, () => [oddKey(chance), oddValue(chance, depth + 1)]));
}

/** Changes one place of a value: what stands there is replaced, left out, wrapped or given company. */
export function changeOnePlace(value, chance) {
  const places = placesIn(value);
  if (places.length === 0) return;
  const { holder, key } = chance.pick(places);
  const change = chance.below(5);
  if (change === 0) delete holder[key];
  else if (change === 1) define(holder, oddKey(chance), oddValue(chance));
  else if (change === 2) holder[key] = [holder[key]];
  else if (change === 3) holder[key] = JSON.stringify(holder[key]) ?? '';
  else holder[key] = oddValue(chance);
}

/** The JSON of a value; numbers that no number of JavaScript is come in through marks. */
export function oddText(value, chance) {
  const text = JSON.stringify(value) ?? '';
  return text
    .replace(/"@number (\d+)"/g, (_mark, index) => numbers[index])
    .replaceAll('"@deep"', deep(chance));
}

const numbers = [
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740993',
  '-0',
  '1.0',
  '1E+2',
  '123456789012345678901234567890',
];

const leaves = [
  () => null,
  () => true,
  ({ below }) => below(1000) - 500,
  ({ below }) => `@number ${below(numbers.length)}`,
  () => '',
  () => '\ud800',
  () => 'a\udfffb\u0000c\u2028',
  ({ below }) => 'x'.repeat(below(20_000)),
  () => '__proto__',
  () => '../../../../etc/passwd',
  () => 'file:///etc/passwd',
  () => '@deep',
  () => [],
  () => ({}),
  () => '2026-07-28',
  () => '2025-11-25',
  () => 'a.txt',
];

const keys = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'then',
  'toJSON',
  'length',
  '',
  '\ud800',
  'id',
  'method',
  'params',
  'result',
  'error',
  'jsonrpc',
  '_meta',
  'progressToken',
  'io.modelcontextprotocol/protocolVersion',
  'io.modelcontextprotocol/related-task',
  'task',
  'cursor',
  'uri',
  'name',
  'arguments',
  'requestState',
  'inputResponses',
];

function oddKey(chance) {
  return chance.pick(keys);
}

/** As a field of its own, where a plain assignment would change the prototype. */
function define(holder, key, value) {
  if (Array.isArray(holder)) holder.push(value);
  else Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
}

function withFields(entries) {
  const made = {};
  for (const [key, value] of entries) define(made, key, value);
  return made;
}

function placesIn(value) {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((key) => [{ holder: value, key }, ...placesIn(value[key])]);
}

function deep({ below }) {
  const depth = below(600);
  return below(2) === 0
    ? `${'['.repeat(depth)}${']'.repeat(depth)}`
    : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}
