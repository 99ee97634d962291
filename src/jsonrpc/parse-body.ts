import { isUtf8 } from 'node:buffer';
import { limits } from '../core/limits.ts';
import { isDeeperThan } from '../core/runtime/json-depth.ts';
import { Pace } from '../core/runtime/slices.ts';
import { LargeJson } from './large-json.ts';

/** What the body of a frame can have wrong with it, in the words of a fault. */
export const bodyFaults = {
  not_utf8: 'a message is not valid UTF-8',
  not_json: 'a message is not JSON, or its length was told wrongly',
  too_deep: `a message nests deeper than ${limits.frame.depth} levels`,
} as const;

export type BodyFault = keyof typeof bodyFaults;

/** The value of a body, or what is wrong with it. */
export type ParsedBody = { readonly value: unknown } | BodyFault;

/** Parses a body; one that is too large for that is parsed in slices, and other work goes on meanwhile. */
export function parseBody(body: Buffer): ParsedBody | Promise<ParsedBody> {
  if (!isUtf8(body)) return 'not_utf8';
  if (body.length > limits.frame.atOnce) return parseInSlices(body);
  if (isDeeperThan(body, limits.frame.depth)) return 'too_deep';
  return parseAtOnce(body);
}

/** Whether a message, blanks or a byte order mark before it can begin so: garbage is not kept until its claimed end. */
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

/** Parses a text; what is not JSON is a fault, and nothing is thrown. */
export function parseJson(json: string): { readonly value: unknown } | 'not_json' {
  try {
    return { value: JSON.parse(json) };
  } catch {
    return 'not_json';
  }
}
