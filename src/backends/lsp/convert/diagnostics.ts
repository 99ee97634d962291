import type { PositionEncoding } from '../../../core/position.ts';
import { type Problem, severities } from '../../../core/problems.ts';
import { number, object, text } from '../../../core/runtime/json.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import { readManyEntries } from './entry.ts';
import { withheldMessage } from './outside-text.ts';
import { decodeRange, readRawRange } from './spans.ts';

/** Reads the diagnostics that a server sent for one document; of those to withhold, all but the message. */
export function readProblems(
  items: readonly unknown[],
  document: Document,
  encoding: PositionEncoding,
  { id: server, diagnostics: { missingPackages = {} } = {} }: Pick<ServerDefinition, 'id' | 'diagnostics'>,
  withholds: (item: unknown) => boolean = () => false,
): Promise<Problem[]> {
  return readManyEntries({ server, noun: 'problems' }, items, (value) => {
    const item = object(value);
    const raw = readRawRange(item.range);
    const message = text(item.message) ?? text(object(item.message).value);
    if (raw === undefined || message === undefined) return undefined;
    const code = typeof item.code === 'number' ? String(item.code) : text(item.code);
    const source = text(item.source);
    const missing = code === undefined ? undefined : missingPackages[code]?.exec(message)?.[1];
    return {
      range: decodeRange(document, encoding, raw),
      // https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#diagnostic
      severity: severities[(number(item.severity) ?? 1) - 1] ?? 'error',
      message: withholds(item) ? withheldMessage : message,
      ...(code === undefined ? {} : { code }),
      ...(source === undefined ? {} : { source }),
      server,
      ...(missing === undefined ? {} : { missingPackage: missing }),
    };
  });
}
