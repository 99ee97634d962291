import { isUtf8 } from 'node:buffer';
import { limits } from '../core/limits.ts';
import { isDeeperThan } from '../core/runtime/json-depth.ts';
import { Pace } from '../core/runtime/slices.ts';
import { LargeJson } from './large-json.ts';

/** Faults of the body of a frame, with their texts. */
export const bodyFaults = {
  not_utf8: 'a message is not valid UTF-8',
  not_json: 'a message is not JSON, or its length is wrong',
  too_deep: `a message nests deeper than ${limits.frame.depth} levels`,
} as const;

/** Fault of a body. */
export type BodyFault = keyof typeof bodyFaults;

/** The value of a body, or its fault. */
export type ParsedBody = { readonly value: unknown } | BodyFault;

/** Parses a body; a large one is parsed in slices, between which other work goes on. */
export function parseBody(body: Buffer): ParsedBody | Promise<ParsedBody> {
  if (!isUtf8(body)) return 'not_utf8';
  if (body.length > limits.frame.atOnce) return parseInSlices(body);
  if (isDeeperThan(body, limits.frame.depth)) return 'too_deep';
  return parseAtOnce(body);
}

/** Returns whether a byte can begin JSON, blanks or a BOM: garbage is not kept until its claimed end. */
export function canBegin(byte: number | undefined): boolean {
  return beginsJson.has(byte);
}

const beginsJson: ReadonlySet<number | undefined> = new Set(
  Buffer.from(' \t\r\n{["-0123456789tfn\xef', 'latin1'),
);

async function parseInSlices(body: Buffer): Promise<ParsedBody> {
  const [json, pace] = [new LargeJson(body), new Pace()];
  try {
    for (;;) {
      await pace.rest();
      let progress = json.advance();
      while (progress === 'more' && !pace.isLate()) progress = json.advance();
      if (progress === 'too_deep') return 'too_deep';
      if (progress === 'done') return json;
    }
  } catch {
    return 'not_json';
  }
}

function parseAtOnce(body: Buffer): ParsedBody {
  const hasByteOrderMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  return parseJson(body.toString('utf8', hasByteOrderMark ? 3 : 0));
}

/** Parses a text; returns a fault if it is not JSON, and never throws. */
export function parseJson(json: string): { readonly value: unknown } | 'not_json' {
  try {
    return { value: JSON.parse(json) };
  } catch {
    return 'not_json';
  }
}
