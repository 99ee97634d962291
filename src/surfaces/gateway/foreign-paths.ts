/** Whether a path lies in an allowed root. */
export type Opens = (path: string) => boolean;

/** Hides the absolute paths in a text that lie outside the allowed roots: servers and the system speak of their own. */
export function withoutForeignPaths(text: string, opens: Opens = () => false): string {
  return text.replace(absolutePath, (path) => {
    const plain = path.replace(/[.,:;]+$/, '');
    const isOpen = !plain.includes('..') && opens(plain.replace(/^file:\/\//, ''));
    return isOpen ? path : `<path>${path.slice(plain.length)}`;
  });
}

/** At the beginning of a word; a slash within one stands between alternatives, and an address of the web is none. */
const absolutePath =
  /(?<![\w~.<>/)\]-])(?<!\bhttps?:)(?:(?:file:\/\/|~)?\/|[A-Za-z]:[\\/])[^\s"'`()[\]<>|]+/g;
