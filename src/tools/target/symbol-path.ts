/** The parts of an agent's `symbol_name`: a name, perhaps its holders, perhaps which of several declarations. */
export interface SymbolPath {
  readonly given: string;
  readonly holders: readonly string[];
  readonly name: string;
  /** `run[1]`: which of adjacent declarations of that name, counted from 0. */
  readonly overload?: number;
}

/**
 * Reads `run`, `Server.run`, `Server/run`, `Server::run`, `Server#run`, `(*Server).run`, `run[1]`, what a declaration or an
 * outline puts before a name (`function run`), and how code uses it: `server?.run`, `Server["run"]`, `new Server`.
 */
export function readSymbolPath(given: string): SymbolPath {
  const [, whole = given, nth] = /^(.*[^[\]])\[(\d{1,6})\]$/s.exec(given) ?? [];
  const plain = withPoints(nameDeclared(whole) ?? nameUsed(whole) ?? whole.replace(declaring, ''));
  const parts = bareParts(plain, /^(::|[./#\\])/);
  // A name that consists of separators is one part, since no part at all would match everything.
  const name = parts.at(-1) ?? plain;
  return {
    given,
    holders: parts.slice(0, -1),
    name,
    ...(nth === undefined ? {} : { overload: Number(nth) }),
  };
}

const keywords = String.raw`^\s*(?:(?:export|default|declare|public|private|protected|abstract|static|async|pub) +)*(?:function\*?|class|interface|struct|enum|trait|type|namespace|module|method|property|field|variable|constant|const|let|var|def|fn|func) +`;

const declaring = new RegExp(String.raw`${keywords}(?=[\p{ID_Start}_$]+[^\s]*$)`, 'u');

/** Returns the name in a whole line that declares it: `export class Cart<T> extends Base {`, `func (c *Cart) total() int`. */
function nameDeclared(text: string): string | undefined {
  const found = receiving.exec(text) ?? importing.exec(text) ?? declaration.exec(text);
  const { holder, method, name } = found?.groups ?? {};
  return holder === undefined ? name : `${holder}.${method}`;
}

const receiving = /^\s*func +\((?:\w+ +)?\*?(?<holder>\w+)[^)]*\) +(?<method>\w+)/;

const importing =
  /^\s*from +(?<holder>[\w.]+) +import +(?<method>\w+)\s*$|^\s*import +(?:type +)?\{\s*(?<name>[\w$]+)\s*\} +from /u;

const declaration = new RegExp(
  String.raw`${keywords}(?<name>[\p{ID_Start}_$][\p{ID_Continue}$.:#]*)(?:<.+?>)?(?:\s*[({=]|: | +(?:extends|implements)\b)`,
  'su',
);

/** Returns the name in a use of it: `new Cart`, `@Cart`, `Cart;`, or in words about it: `the class Cart`, `Cart class`. */
function nameUsed(text: string): string | undefined {
  return used.exec(text)?.groups?.name;
}

const used =
  /^\s*(?:(?:new|await) +|@(?=[\p{ID_Start}_$])|the +(?:\w+ +)?)?(?<name>[^\s@;,]+?)(?: +(?:class|interface|struct|enum|trait|function|method|property|variable|constant))?[;,]?\s*$/u;

/** Writes the other ways to name a member with a point: `a->b`, `a?.b`, `a!.b`, `a["b"]`, `A.prototype.b`. */
function withPoints(path: string): string {
  return path
    .replace(/(?<=[\p{ID_Continue}$)\]])(?:\?->|->|\?\.|!\.)(?=[\p{ID_Start}_$#~])/gu, '.')
    .replace(/(?<=[\p{ID_Continue}$)\]])(?:\?\.)?\[((["'`])[^"'`\]]+\2)\]/gu, '.$1')
    .replace(/(?<=[\p{ID_Continue}$])\.prototype\.(?=.)/gu, '.');
}

/** Returns the holders and the name in a server's name for a symbol, such as `(*Server).run` or `"total"`. */
export function partsOfName(name: string): readonly string[] {
  const parts = bareParts(name, /^(::|\.)/);
  return parts.length === 0 ? [name] : parts;
}

/** Returns the parts of a server's name for a holder, which may be the path of a module. */
export function partsOfHolder(holder: string): readonly string[] {
  return bareParts(holder.replace(/^(["'])(.*)\1$/s, '$2'), /^(::|[./\\])/);
}

function bareParts(path: string, separator: RegExp): string[] {
  return splitPath(path, separator)
    .map(bareName)
    .filter((part) => part !== '');
}

const closing: Readonly<Record<string, string>> = {
  '(': ')',
  '[': ']',
  '<': '>',
  '"': '"',
  "'": "'",
  '`': '`',
};

/** Splits at separators that are not inside brackets or quotes. */
function splitPath(path: string, separator: RegExp): string[] {
  const parts = [''];
  const open: string[] = [];
  for (let at = 0; at < path.length; at += 1) {
    const character = path[at] ?? '';
    const [cut] = open.length === 0 ? (separator.exec(path.slice(at, at + 2)) ?? []) : [];
    if (cut !== undefined) {
      parts.push('');
      at += cut.length - 1;
      continue;
    }
    if (character === open.at(-1)) open.pop();
    else if (closing[character] && !isQuote(open.at(-1))) open.push(closing[character]);
    parts[parts.length - 1] += character;
  }
  // A bracket that is not closed is part of the name, as in `operator<`.
  return open.length === 0 ? parts : path.split(new RegExp(separator.source.slice(1)));
}

function isQuote(character: string | undefined): boolean {
  return character !== undefined && /["'`]/.test(character);
}

/** Removes what some servers and agents add to a name: quotes, receivers, type parameters, signatures and their types. */
function bareName(part: string): string {
  const trimmed = part.trim();
  const inner = /^(["'`])(.*)\1$/s.exec(trimmed)?.[2] ?? /^\([*&\s]*(.*)\)$/s.exec(trimmed)?.[1];
  if (inner !== undefined) return bareName(inner);
  const [, implemented] = /^impl\b(?:<[^>]*>)?\s+(?:.*\bfor\s+)?(.+)$/.exec(trimmed) ?? [];
  if (implemented !== undefined) return bareName(implemented);
  const [, before, signature] = /^([^(]+)(\(.*)?$/s.exec(trimmed) ?? [];
  const named = signature === undefined ? (before ?? trimmed) : lastWord(before ?? trimmed);
  return named.replace(/^#/, '').replace(/^([^<[]*[\p{ID_Continue}$])\s*[<[].*[>\]]$/su, '$1');
}

/** Drops a type before a signature: `int foo(char)`. */
function lastWord(text: string): string {
  const [, words = text] = /^(.*?)\s*$/s.exec(text) ?? [];
  return words.split(/[\s*&]+/).at(-1) ?? words;
}
