import { limits } from '../limits.ts';

/** Names as many things, such as places, as a doubt has room for, and counts the others; shortens a first long name. */
export function nameSome(names: readonly string[]): string {
  const room = limits.named.room;
  const [first = ''] = names;
  const shown = [first.length <= room ? first : `…${first.slice(1 - room)}`];
  const sizeWith = (name: string) => [...shown, name].join(', ').length;
  for (const name of names.slice(1)) {
    if (sizeWith(name) > room) break;
    shown.push(name);
  }
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
