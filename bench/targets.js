// How well lspan finds what is meant: symbols of real sources, said in every way, beside the raw server's own answer.
import { recordConversation, startLspan, startRaw } from './conversation.js';
import { forms } from './targets-forms.js';
import { copySources, sources } from './targets-project.js';
import { sampleSymbols } from './targets-sample.js';

/** Right at once, or listed as a candidate whose id then gave the right answer. */
const passes = new Set(['right', 'listed']);

const tools = {
  definitions: 'find_definition',
  references: 'find_references',
};

/** Asks about symbols of every language that has sources here; with `failures` each miss is printed. */
export async function measureTargets({ count = 200, seed = 1, failures = false } = {}) {
  console.log(`Seed ${seed}.`);
  const rows = [];
  for (const language of Object.keys(sources)) {
    if (sources[language].folders.length === 0) console.log(`No sources of ${language} are installed here.`);
    else rows.push(...(await measureLanguage(language, { count, random: seeded(seed), failures })));
  }
  return rows;
}

async function measureLanguage(language, { count, random, failures }) {
  const copied = await copySources(language);
  const raw = await startSpeaking(language, copied);
  const symbols = await sampleSymbols(copied, raw, { count, random });
  await raw.stop();
  const lspan = await startLspan(copied);
  const ask = remembering(lspan);
  await untilReady(lspan, symbols[0]);
  const asked = forms.flatMap((form) => symbols.flatMap((symbol) => questionsOf(form, symbol, copied.texts)));
  const results = await inTurns(asked, (question) => judge(ask, question));
  await lspan.stop();
  if (failures)
    for (const { verdict, question } of results) if (!passes.has(verdict)) printMiss(question, verdict);
  const silent = results.filter(({ verdict }) => verdict === 'silently wrong').length;
  return [
    ...forms.map((form) => rowOf(language, form, results)),
    {
      what: `${language}: wrong answers of ${results.length} without \`adjusted\` or candidates`,
      measured: String(silent),
      target: '0',
      pass: silent === 0,
    },
  ];
}

/** What a start takes is measured elsewhere. */
async function untilReady(lspan, { file, line, character }) {
  const input = { file_path: file, line: line + 1, character: character + 1 };
  for (let left = 10; left > 0; left -= 1) {
    const { complete } = await lspan.outcome('find_references', input);
    if (complete) return;
  }
  throw new Error('lspan does not get ready.');
}

/** A raw client that was told what lspan tells its server, but counts in UTF-16. */
async function startSpeaking(language, copied) {
  const [file] = copied.texts.keys();
  const probes = [{ tool: 'get_document_symbols', input: { file_path: file } }];
  const conversation = await recordConversation(language, { folder: copied.folder, probes });
  const initialize = conversation.find(({ method }) => method === 'initialize');
  initialize.params.capabilities.general.positionEncodings = ['utf-16'];
  const told = conversation.filter(({ method }) => method !== 'textDocument/didOpen');
  return startRaw(language, copied, told);
}

function questionsOf(form, symbol, texts) {
  const lines = texts.get(symbol.file).split(/\r\n?|\n/);
  return form.inputs({ ...symbol, lines }).flatMap(({ line, character, name }) =>
    Object.entries(tools).map(([noun, tool]) => ({
      form,
      symbol,
      noun,
      tool,
      input: {
        ...(name === undefined ? {} : { symbol_name: name }),
        ...(line === undefined ? {} : { file_path: symbol.file, line: line + 1, character: character + 1 }),
        max_tokens: 20_000,
      },
    })),
  );
}

/** Several forms may say the same; what says that it may succeed later is asked again, as agents do. */
function remembering(lspan) {
  const known = new Map();
  const ask = async (tool, input, left) => {
    const answer = await lspan.request('tools/call', { name: tool, arguments: input });
    return answer.isError && answer.structuredContent.error.retryable && left > 0
      ? ask(tool, input, left - 1)
      : answer;
  };
  return (tool, input) => {
    const key = JSON.stringify([tool, input]);
    const asking = known.get(key) ?? ask(tool, input, 3);
    known.set(key, asking);
    return asking;
  };
}

async function judge(ask, question) {
  const { tool, input, noun, symbol } = question;
  const { isError, structuredContent } = await ask(tool, input);
  if (!isError) {
    const isRight = same(structuredContent[noun], truthOf(question), symbol.name);
    const wrong = structuredContent.adjusted === undefined ? 'silently wrong' : 'wrong, adjusted';
    return { question: { ...question, answer: structuredContent }, verdict: isRight ? 'right' : wrong };
  }
  const { error } = structuredContent;
  const own = [...symbol.definitions, `${symbol.file}\0${symbol.line}\0${symbol.character}`];
  const meant = error.candidates?.flatMap(targetsIn).find(({ place }) => own.includes(place));
  const followed = meant && (await ask(tool, { ...meant.target, max_tokens: 20_000 }));
  const isRight =
    followed && !followed.isError && same(followed.structuredContent[noun], symbol[noun], symbol.name);
  return { question: { ...question, answer: error }, verdict: isRight ? 'listed' : error.code };
}

/** What the raw server says; without a place it is asked about each declaration. */
function truthOf({ noun, input, symbol }) {
  return noun === 'references' && input.line === undefined ? symbol.everywhere : symbol[noun];
}

/** The targets for the next call that a candidate stands for: by its id, or one for each place in a file. */
function targetsIn({ id, file_path, at }) {
  if (id !== undefined) {
    const [, file, line, character] = /^(.+?):(\d+):(\d+)#/.exec(id);
    return [{ target: { id }, place: `${file}\0${line - 1}\0${character - 1}` }];
  }
  return at.split(' ').map((each) => {
    const [line, character] = each.split(':').map(Number);
    return { target: { file_path, line, character }, place: `${file_path}\0${line - 1}\0${character - 1}` };
  });
}

/**
 * Uses under a name that an import gives (`import a as b`) are more than pyright tells: it takes them for another symbol.
 * What has another length than the name is such a use, and is not held against the answer.
 */
function same(answered, places, name) {
  const known = new Set(places);
  const own = answered
    .map((one) => ({
      place: `${one.file_path}\0${one.line - 1}\0${one.character - 1}`,
      length: one.end_character - one.character,
    }))
    .filter(({ place, length }) => known.has(place) || length === name.length)
    .map(({ place }) => place)
    .sort();
  return own.length === places.length && own.every((place, index) => place === places[index]);
}

function rowOf(language, form, results) {
  const own = results.filter(({ question }) => question.form === form);
  const right = own.filter(({ verdict }) => passes.has(verdict)).length;
  const listed = own.filter(({ verdict }) => verdict === 'listed').length;
  const share = own.length === 0 ? 0 : right / own.length;
  return {
    what: `${language}: ${form.name}`,
    measured: `${right} of ${own.length} (${(share * 100).toFixed(1)} %)${listed > 0 ? `, ${listed} among candidates` : ''}`,
    target: form.least === 1 ? '100 %' : `≥ ${(form.least * 100).toFixed(1)} %`,
    pass: share >= form.least,
  };
}

function printMiss({ form, symbol, tool, input, noun, answer }, verdict) {
  const { file, line, character, name, kind } = symbol;
  const told =
    answer.message ?? answer[noun]?.slice(0, 3).map((one) => `${one.file_path}:${one.line}:${one.character}`);
  console.log(
    `${verdict}: ${form.name}, ${kind} ${name} at ${file}:${line + 1}:${character + 1}\n  ${tool} ${JSON.stringify(input)}\n` +
      `  ${answer.adjusted ?? ''} → ${told} instead of ${truthOf({ noun, input, symbol }).slice(0, 3).join(' ').replaceAll('\0', ':')} (from 0)`,
  );
}

/** A few at a time, as agents do. */
async function inTurns(list, work) {
  const results = [];
  let next = 0;
  const one = async () => {
    while (next < list.length) {
      const index = next++;
      results[index] = await work(list[index]);
    }
  };
  await Promise.all(Array.from({ length: 4 }, one));
  return results;
}

/** The same numbers for the same seed. */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
