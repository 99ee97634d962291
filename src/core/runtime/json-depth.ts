/** Returns whether JSON nests deeper than `most`, in one pass over its bytes, without walking a value. */
export function isDeeperThan(json: Uint8Array, most: number): boolean {
  // Each level needs at least one byte.
  if (json.length <= most) return false;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === quote) at = endOfString(json, at);
    else if (byte === openBrace || byte === openBracket) {
      if (++depth > most) return true;
    } else if (byte === closeBrace || byte === closeBracket) depth--;
  }
  return false;
}

/** Returns whether JSON has too many members in one object or values in total: walking either takes long. */
export function isWiderThan(
  json: Uint8Array,
  most: { readonly members: number; readonly values: number },
): boolean {
  // Each value needs at least one byte and a separator.
  if (json.length <= 2 * Math.min(most.members, most.values)) return false;
  const outer: number[] = [];
  // Members of the open object; a list is bounded only by the total of values.
  let here = 0;
  let all = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case quote:
        at = endOfString(json, at);
        break;
      case comma:
        here++;
        all++;
        break;
      case openBrace:
      case openBracket:
        outer.push(here);
        here = json[at] === openBrace ? 1 : Number.NEGATIVE_INFINITY;
        all++;
        break;
      case closeBrace:
      case closeBracket:
        here = outer.pop() ?? 0;
    }
    if (here > most.members || all > most.values) return true;
  }
  return false;
}

/** Bytes of a multi-byte character are all above 0x7f, so none is mistaken for a quote. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1;
  return at;
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
