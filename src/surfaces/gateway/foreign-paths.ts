/** Returns whether a path is in an allowed root. */
export type IsAllowed = (path: string) => boolean;

/** Hides absolute paths outside the allowed roots, which servers and the system put into their messages. */
export function withoutForeignPaths(text: string, opens: IsAllowed = () => false): string {
  return text.replace(absolutePath, (path) => {
    const plain = path.replace(/[.,:;]+$/, '');
    const isOpen = !plain.includes('..') && opens(plain.replace(/^file:\/\//, ''));
    return isOpen ? path : `<path>${path.slice(plain.length)}`;
  });
}

/** Matches at the beginning of a word; a slash within one separates alternatives, and a web address is not a path. */
const absolutePath =
  /(?<![\w~.<>/)\]-])(?<!\bhttps?:)(?:(?:file:\/\/|~)?\/|[A-Za-z]:[\\/])[^\s"'`()[\]<>|]+/g;
