/** How the lines of a language show what they declare. */
export interface DeclaringLines {
  readonly files: RegExp;
  /** Lines that say nothing about structure: comments, labels, lines for a preprocessor. */
  readonly skipped: RegExp;
  /** Returns what a line declares; `tail` is the line after its parameters. */
  nameIn(line: string, tail: () => string): string | undefined;
}

const word = '[\\p{ID_Start}$_][\\p{ID_Continue}$]*';
const scriptDeclaration = new RegExp(
  `^(?:(?:export|default|declare|abstract|async|const|return)\\s+)*(?:class|interface|enum|namespace|module|type|function\\s*\\*?)\\s+(${word}(?:\\.${word})*)`,
  'u',
);
const scriptVariable = new RegExp(`^(?:export\\s+)?(?:declare\\s+)?(?:const|let|var)\\s+(${word})`, 'u');
const scriptMember = new RegExp(
  `^(?:(?:public|private|protected|static|override|readonly|abstract|async|get|set|accessor)\\s+)*\\*?\\s*(#?${word}|\\[[^\\]]+\\])[?!]?\\s*(\\(|<|[:=])`,
  'u',
);
const titled = /^(?:await\s+)?([\w$.]+)\((['"`])((?:(?!\2).)*)\2,.*(?:=>|\bfunction\b)/;
/** The end of the parameters of a method, with its type: an argument of a call ends otherwise. */
const opensBody = /\)\s*(?::[^{}=]*)?\{$/;
const statements = new Set(
  'if for while switch catch return function await super do else try with new throw yield typeof delete void case default import export'.split(
    ' ',
  ),
);

function nameInScript(line: string, tail: () => string): string | undefined {
  const [, declared] = scriptDeclaration.exec(line) ?? scriptVariable.exec(line) ?? [];
  if (declared !== undefined) return declared;
  const [, callee, quote, title] = titled.exec(line) ?? [];
  if (callee !== undefined) return `${callee}(${quote}${title}${quote}) callback`;
  const [, member = '', mark] = scriptMember.exec(line) ?? [];
  if (member === '' || statements.has(member)) return undefined;
  if (mark === '(' || mark === '<')
    return opensBody.test(line) || opensBody.test(tail()) ? member : undefined;
  return /(?:=>\s*[{(]?|\bfunction\b.*\{|\{)$/.test(line) || /\($/.test(line) ? member : undefined;
}

const pythonDeclaration = new RegExp(`^(?:async\\s+)?(?:def|class)\\s+(${word})`, 'u');

/** Functions of C, with what may stand before their names, and types. */
const cType = new RegExp(
  `^(?:typedef\\s+|template\\s*<.*>\\s*|export\\s+|inline\\s+)*(?:class|struct|union|enum(?:\\s+class)?|namespace)\\s+(?:${word}\\s+)*?(${word}(?:::${word})*)\\s*(?:final\\s*)?(?::[^:].*)?(?:\\{|…|$)`,
  'u',
);
const cFunction = new RegExp(`(?:^|[\\s*&])((?:${word}::)*~?${word})\\s*\\(`, 'u');

function nameInC(line: string, tail: () => string): string | undefined {
  const [, type] = cType.exec(line) ?? [];
  if (type !== undefined) return type;
  const [, name = ''] = cFunction.exec(line) ?? [];
  if (name === '' || statements.has(name) || /^(?:return|else|case|goto|#)\b/.test(line)) return undefined;
  if (/[;,]$/.test(line) || /^[^(]*=/.test(line)) return undefined;
  return /\{$/.test(line) || /^\{|\{$/.test(tail()) ? name : undefined;
}

/** The languages whose layout shows what encloses a line. */
export const laidOut: readonly DeclaringLines[] = [
  { files: /\.[cm]?[jt]sx?$/, skipped: /^(?:\/[/*]|\*)/, nameIn: nameInScript },
  { files: /\.pyi?$/, skipped: /^#/, nameIn: (line) => pythonDeclaration.exec(line)?.[1] },
  {
    files: /\.(?:c|h|cc|cpp|cxx|hh|hpp|hxx)$/,
    skipped: /^(?:\/[/*]|\*(?!\w)|#|(?:public|private|protected|default)\s*:|\w+:\s*$)/,
    nameIn: nameInC,
  },
];
