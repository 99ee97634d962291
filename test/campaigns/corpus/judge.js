// Compares what lspan answers with what the oracle knows.
import { key } from './typescript-oracle.js';

const most = 20_000;

/** Asks everything of one symbol; each answer is judged on its own. */
export async function questionsAbout(symbol, oracle, chance) {
  const listed = await oracle.references(symbol);
  // lspan tells what stands in a comment as such; a server may list the links of JSDoc beside the uses.
  const isOtherName = ({ file, line, text }) =>
    text !== symbol.name &&
    [...listed.values()].some((one) => one.file === file && one.line === line && one.text === symbol.name);
  const truth = new Map([...listed].filter(([, place]) => !place.isComment && !isOtherName(place)));
  const unknown = await oracle.unknown(symbol.name);
  const at = { file_path: symbol.file, line: symbol.line, character: symbol.character };
  const uses = [...truth.values()].filter(
    (place) => key(place) !== key(symbol) && place.text === symbol.name,
  );
  const use = uses.length > 0 ? chance.pick(uses) : undefined;
  const title = `${symbol.kind} ${symbol.name} (${key(symbol)})`;
  // What leads to a place of the symbol may be listed: a use under another name, or the other half of a declaration.
  const also = new Map([...listed, ...(await oracle.aliasUses(truth))]);
  // So may a place that leads where the symbol leads: what two files call the same module.
  const led = new Set([...truth.keys(), ...(await oracle.definitions(symbol))]);
  let left = [...(await oracle.mentions(symbol.name))].filter(([place]) => !also.has(place));
  for (let before = -1; before !== left.length; ) {
    before = left.length;
    const others = [];
    for (const [place, mention] of left) {
      const isLed = (await oracle.definitions(mention)).some((one) => led.has(one));
      if (isLed) {
        also.set(place, mention);
        led.add(place);
      } else others.push([place, mention]);
    }
    left = others;
  }
  // Servers also rename what a comment says.
  const written = new Map([...also, ...unknown, ...(await oracle.comments(symbol.name))]);
  const calls = new Map([...truth].filter(([, place]) => place.call));
  const list = [
    {
      title: `references of ${title}`,
      ask: (lspan) => references(lspan, at),
      judge: (answer) => judgePlaces(answer, truth, unknown, also),
    },
    {
      title: `rename of ${title}`,
      ask: (lspan) => rename(lspan, at, `${symbol.name}Zq`),
      judge: (answer) => judgeRename(answer, truth, symbol, unknown, written),
    },
  ];
  if (isCallable(symbol))
    list.push({
      title: `callers of ${title}`,
      ask: (lspan) => callers(lspan, at),
      judge: (answer) => judgePlaces(answer, calls, unknown, also),
    });
  if (use !== undefined) {
    const expected = await oracle.definitions(use);
    const mentions = await oracle.mentions(symbol.name);
    const nearer = new Set(
      [...mentions]
        .filter(([, { file, isImport }]) => file === use.file && !isImport)
        .map(([place]) => place),
    );
    list.push({
      title: `definition at ${key(use)} of ${title}`,
      ask: (lspan) => definition(lspan, { file_path: use.file, line: use.line, character: use.character }),
      judge: (answer) =>
        judgeDefinition(answer, [...expected, ...truth.keys()], nearer, oracle.isScript === true),
    });
  }
  return list;
}

const isCallable = ({ kind }) =>
  /Function|Method|function|method|constructor/.test(kind) && !/Signature/.test(kind);

async function references(lspan, at) {
  const places = [];
  let answer = await lspan.outcome('find_references', { ...at, include_declaration: true, max_tokens: most });
  const first = answer;
  for (;;) {
    if (answer.error) return answer;
    places.push(...answer.references);
    if (answer.next_cursor === undefined || answer.references.length === 0) break;
    answer = await lspan.outcome('find_references', { cursor: answer.next_cursor, max_tokens: most });
  }
  return { places: keysOf(places), ...facts(first) };
}

async function callers(lspan, at) {
  const places = [];
  const input = { ...at, direction: 'incoming', max_tokens: most };
  let answer = await lspan.outcome('get_call_hierarchy', input);
  const first = answer;
  let unnamed = 0;
  for (;;) {
    if (answer.error) return answer;
    places.push(...answer.calls.flatMap(({ sites }) => sites ?? []));
    for (const { more_sites = 0 } of answer.calls) unnamed += more_sites;
    if (answer.next_cursor === undefined || answer.calls.length === 0) break;
    answer = await lspan.outcome('get_call_hierarchy', { cursor: answer.next_cursor, max_tokens: most });
  }
  return { places: keysOf(places), unnamed, ...facts(first) };
}

async function rename(lspan, at, name) {
  const answer = await lspan.outcome('rename_symbol', {
    ...at,
    new_name: name,
    check: false,
    max_tokens: most,
  });
  if (answer.error) return answer;
  return {
    edits: Object.fromEntries(answer.plan.files.map((file) => [file.file_path, file.edits])),
    ...facts(answer),
  };
}

async function definition(lspan, at) {
  const answer = await lspan.outcome('find_definition', { ...at, max_tokens: most });
  if (answer.error) return answer;
  return { places: keysOf(answer.definitions), ...facts(answer) };
}

const keysOf = (list) =>
  [
    ...new Set(list.map((one) => key({ file: one.file_path, line: one.line, character: one.character }))),
  ].sort();

const facts = ({ complete, doubts, mentions = [] }) => ({
  complete,
  doubts: doubts.map(({ kind, detail }) => `${kind}: ${detail}`),
  told: keysOf(mentions.filter(({ reason }) => reason === 'unverified')),
});

/** All places must be listed, or the answer must be in doubt. `also` may be listed and need not be. */
function judgePlaces({ places, unnamed = 0, complete, doubts }, truth, unknown, also = truth) {
  const unlisted = [...truth.keys()].filter((place) => !places.includes(place));
  // Of many calls in one function, some are counted only.
  const missing = unlisted.length === unnamed ? [] : unlisted;
  const extra = places.filter((place) => !place.startsWith('/') && !also.has(place) && !unknown.has(place));
  const open = [...unknown.keys()].filter((place) => !places.includes(place));
  if (missing.length > 0 && complete) return { verdict: 'silently wrong', why: `missing ${sample(missing)}` };
  if (extra.length > 0) return { verdict: 'extra', why: `extra ${sample(extra)}` };
  if (missing.length > 0)
    return { verdict: 'honest', why: `missing ${sample(missing)}; ${doubts.join(' | ')}` };
  if (open.length > 0) return { verdict: complete ? 'unproven' : 'honest', why: `unknown ${sample(open)}` };
  return complete ? { verdict: 'right' } : { verdict: 'doubted', why: doubts.join(' | ') };
}

function judgeRename({ edits, complete, doubts }, truth, symbol, unknown, written) {
  const expected = countsByFile(truth, symbol.name);
  const allowed = countsByFile(written, symbol.name);
  const missing = Object.keys(expected).filter((file) => (edits[file] ?? 0) < expected[file]);
  const extra = Object.keys(edits).filter((file) => edits[file] > (allowed[file] ?? 0));
  const counts = (files) =>
    files.map((file) => `${file} ${edits[file] ?? 0} of ${expected[file] ?? 0}`).join(', ');
  if (missing.length > 0 && complete) return { verdict: 'silently wrong', why: `edits ${counts(missing)}` };
  if (extra.length > 0) return { verdict: 'extra', why: `edits ${counts(extra)}` };
  if (missing.length > 0) return { verdict: 'honest', why: `${counts(missing)}; ${doubts.join(' | ')}` };
  // A macro that stands for the name keeps its own.
  const open = [...unknown].flatMap(([place, { text }]) =>
    truth.has(place) || text !== symbol.name ? [] : [place],
  );
  if (open.length > 0) return { verdict: complete ? 'unproven' : 'honest', why: `unknown ${sample(open)}` };
  // A server that renames one member of a family is told of, and rightly so.
  if (!complete && doubts.every((doubt) => doubt.includes('related classes')))
    return { verdict: 'honest', why: doubts.join(' | ') };
  return complete ? { verdict: 'right' } : { verdict: 'doubted', why: doubts.join(' | ') };
}

function countsByFile(places, name) {
  const counts = {};
  for (const { file, text } of places.values()) {
    if (text === name) counts[file] = (counts[file] ?? 0) + 1;
  }
  return counts;
}

/** A declaration of a library, or one in the same file that is not an import, may stand between. */
function judgeDefinition({ places, complete, doubts }, expected, nearer, isScript) {
  const isAtImport = doubts.every((doubt) => doubt.includes('this is the import, not the definition'));
  if (places.some((place) => expected.includes(place))) {
    const verdict = complete ? 'right' : isAtImport ? 'honest' : 'doubted';
    return { verdict, why: doubts.join(' | ') };
  }
  // What a script calls a module leads into its file, or into a package.
  const files = new Set(expected.map(fileOf));
  const isInModule = (place) => fileOf(place).startsWith('node_modules/') || files.has(fileOf(place));
  if (isScript && complete && places.length > 0 && places.every(isInModule))
    return { verdict: 'nearer', why: sample(places) };
  if (places.length > 0 && places.every((place) => place.startsWith('/') || nearer.has(place)))
    return { verdict: 'nearer', why: sample(places) };
  const why = `got ${sample(places)}, expected ${sample(expected)}; ${doubts.join(' | ')}`;
  return { verdict: complete ? 'silently wrong' : 'honest', why };
}

/** An error says that nothing is known, or claims that there is nothing. */
export function judgeError({ error, message }) {
  if (['server_unverified', 'timed_out', 'refused', 'outside_workspace'].includes(error))
    return { verdict: 'honest', why: message };
  return { verdict: error === 'not_found' ? 'silently wrong' : 'error', why: `${error}: ${message}` };
}

const sample = (list) => `${list.length}: ${list.slice(0, 4).join(' ')}`;

const fileOf = (place) => place.replace(/:\d+:\d+$/, '');
