import { limits } from '../limits.ts';

/** Names as many things, such as places, as a doubt has room for, and counts the others; shortens a first long name. */
export function nameSome(names: readonly string[]): string {
  const room = limits.named.room;
  const [first = ''] = names;
  const shown = [first.length <= room ? first : `…${first.slice(1 - room)}`];
  for (const name of names.slice(1)) {
    const all = [...shown, name].join(', ');
    if (all.length > room || pieces(all) > limits.named.pieces) break;
    shown.push(name);
  }
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Counts words, numbers and signs, each of which takes at least one token. */
function pieces(text: string): number {
  return text.match(/\w+|[^\w\s]/g)?.length ?? 0;
}
