// What every answer must be, whatever was asked.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleLibrary, root } from '../../../scripts/bundle.js';

/** Loads what the door and the endpoint declare, and makes the judge of answers by it. */
export async function makeJudge({ tokens }) {
  const { refusals, refusalBody } = await load('src/frontends/http/refusals.ts');
  const { mcpCodes } = await load('src/jsonrpc/message.ts');
  const refused = Object.values(refusals);
  const statuses = new Set([...refused.map(({ status }) => status), ...served]);
  const declared = new Set([...refused.map(({ code }) => code), ...Object.values(mcpCodes), ...protocol]);
  const strangers = new Set([...refused.map((one) => refusalBody(one)), '{"status":"ok"}', '']);
  const fault = refusalBody(refusals.fault);
  const secrets = [...tokens, ...marks];

  const judgeBody = ({ status, fields, body }, { ids, bytes }) => {
    // An id may have been changed on its way, and is then that of the request all the same.
    const isOwn = (id) => ids.includes(id) || bytes.includes(JSON.stringify(id));
    const type = fields['content-type'] ?? '';
    if (type.startsWith('text/plain')) return status === 200 ? [] : ['text where JSON was due'];
    if (status === 202) return body === '' ? [] : ['a body where none was due'];
    const texts = type === 'text/event-stream' ? eventsIn(body) : body === '' ? [] : [body];
    return texts.flatMap((text) => judgeMessage(text, isOwn, declared));
  };
  /** What is wrong with an answer to a shot, in words. */
  const judgeAnswer = (answer, shot) => [
    ...(statuses.has(answer.status) ? [] : [`status ${answer.status} is not declared`]),
    ...judgeHeaders(answer),
    ...(answer.body === fault ? ['the server failed'] : []),
    ...(shot.isAnonymous && !strangers.has(answer.body) ? ['an answer without a token'] : []),
    ...(shot.isHead ? [] : judgeBody(answer, shot)),
  ];
  /** What is wrong with all that came back to a shot. */
  return (shot, { answers, open, rest, ending, raw }) => {
    const text = raw.toString('latin1');
    const echoed = secrets.filter((secret) => text.includes(secret));
    const all = open?.open ? [...answers, open] : answers;
    const [first] = answers;
    return [
      ...all.flatMap((answer) => judgeAnswer(answer, shot)),
      ...echoed.map((secret) => `it repeats ${secret}`),
      ...(shot.isWhole && all.length < shot.expected ? [`${all.length} answers, then ${ending}`] : []),
      ...(ending === 'closed' && rest > 0 && !open?.open ? ['an answer that is cut off, or is none'] : []),
      ...(shot.isInDoubt && (answers.length > 1 || (first && first.status < 400)) ? ['smuggled'] : []),
    ];
  };
}

/** Statuses of answers that are no refusals of the door. */
const served = [200, 202, 400, 404, 409, 503];

/** The codes of JSON-RPC and of both revisions of the protocol that the SDK answers with. */
const protocol = [-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022];

/** What shots have in the headers that must not come back. */
const marks = ['fuzz-host', 'fuzz-origin', 'fuzz-wrong-token'];

const known = new Set(
  'cache-control x-content-type-options content-type content-length connection keep-alive date transfer-encoding allow www-authenticate retry-after upgrade mcp-session-id x-accel-buffering'.split(
    ' ',
  ),
);

function judgeHeaders({ headers, fields }) {
  const unknown = headers.filter(([name]) => !known.has(name)).map(([name]) => `the header "${name}"`);
  const twice = headers.length === Object.keys(fields).length ? [] : ['a header twice'];
  const isGuarded = fields['cache-control'] === 'no-store' && fields['x-content-type-options'] === 'nosniff';
  return [...unknown, ...twice, ...(isGuarded ? [] : ['no-store or nosniff is missing'])];
}

function judgeMessage(text, isOwn, declared) {
  const message = parsed(text);
  if (typeof message !== 'object' || message === null) return [`no JSON: ${text.slice(0, 80)}`];
  if (message.status === 'ok') return [];
  const { jsonrpc, id, error, result, method } = message;
  const shape = [error, result, method].filter((one) => one !== undefined).length;
  return [
    ...(jsonrpc === '2.0' && shape === 1 ? [] : ['no message of JSON-RPC']),
    ...(error === undefined || declared.has(error.code) ? [] : [`code ${error.code} is not declared`]),
    ...(error === undefined || typeof error.message === 'string' ? [] : ['an error without a message']),
    // Each shot has an id of its own, so that an answer which went astray shows.
    ...(typeof id !== 'string' || !id.startsWith('shot-') || isOwn(id) ? [] : [`the id of another: ${id}`]),
  ];
}

function eventsIn(body) {
  // The last may be cut, when the client hung up.
  const events = body.split('\n\n').slice(0, -1);
  // Only these ends of lines count here; a regular expression knows others.
  const lines = events.flatMap((event) => event.split(/\r\n|\r|\n/));
  return lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice(6));
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Bundles what is declared in TypeScript, which Node does not read. */
async function load(source) {
  const folder = mkdtempSync(path.join(tmpdir(), 'lspan-fuzz-'));
  await bundleLibrary([path.join(root, source)], folder);
  const loaded = await import(path.join(folder, `${path.basename(source, '.ts')}.mjs`));
  rmSync(folder, { recursive: true });
  return loaded;
}
