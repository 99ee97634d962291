import { type JSONRPCMessage, ProtocolErrorCode, type Transport } from '@modelcontextprotocol/server';
import { isRecord, list } from '../../../core/runtime/json.ts';

/** Makes a transport send errors in our words where the SDK quotes the issues of its schema library. */
export function withPlainErrors(transport: Transport): Transport {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => send(inPlainWords(message), options);
  return transport;
}

function inPlainWords(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message)) return message;
  const issues = issuesIn(message.error.message);
  if (issues.length === 0) return message;
  const error = {
    code: ProtocolErrorCode.InvalidParams,
    message: [...new Set(issues.map(explain))].join(' '),
  };
  return { ...message, error };
}

/** Returns the issues that a message of the SDK ends with, as a list in JSON or as words in one line. */
function issuesIn(message: string): readonly unknown[] {
  const [, line] = /^Invalid params for [\w/ ]+: (.+)$/s.exec(message) ?? [];
  if (line !== undefined) return line.split(/, (?=[\w.[\]-]+: [A-Z])/).map(wordedIssue);
  const start = message.search(/\[\s*\{/);
  const end = message.lastIndexOf(']');
  if (start < 0 || end < start) return [];
  return list(parsed(message.slice(start, end + 1))).filter((issue) => isRecord(issue) && 'path' in issue);
}

/** Reads `uri: Invalid input: expected string, received number`. */
function wordedIssue(text: string): unknown {
  const [, place = '', message = ''] = /^([\w.[\]-]+): (.*)$/s.exec(text) ?? [];
  const [, expected] = /\bexpected (\w+)/.exec(message) ?? [];
  return { path: place === '' ? [] : [place], expected, message };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function explain(issue: unknown): string {
  const { path, expected, message } = isRecord(issue) ? issue : {};
  const names = list(path).map(String);
  const field = names.length === 0 ? 'A parameter' : `\`${names.join('.')}\``;
  // The issue has no other sign that nothing was given.
  if (typeof message === 'string' && message.endsWith('received undefined')) return `${field} is missing.`;
  const kind = typeof expected === 'string' ? kinds.get(expected) : undefined;
  return kind === undefined ? `${field} is not valid.` : `${field} must be ${kind}.`;
}

const kinds: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
]);
