/** One step of a scenario, in the order of the file. */
export type Step =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'install'; readonly name: string }
  | { readonly kind: 'call'; readonly tool: string; readonly input: unknown; readonly golden: Golden };

/** The expected answer: the whole text, and the data where the scenario pins it. */
export interface Golden {
  readonly text: string;
  readonly data: unknown;
}

/** A scenario: a sentence, the servers it holds on, a project, and calls with their golden answers. */
export interface Scenario {
  readonly sentence: string;
  readonly servers: readonly string[];
  /** Whether the user has trusted the project as it is at the first call. */
  readonly trusted: boolean;
  /** The surface whose tools are called. */
  readonly surface: string;
  readonly steps: readonly Step[];
}

interface Section {
  readonly title: string;
  readonly body: string;
}

/**
 * Reads a scenario archive: a sentence, a line `servers: …` (`a+b` is both at once), perhaps the lines `trusted: yes` and
 * `surface: NAME`, then sections that begin with `-- title --`.
 * Titles: `file PATH` (`<root>` in its text is where the project is), `delete PATH`, `package NAME` (linked into node_modules), `call TOOL`, and below a call `text` and optionally `data`;
 * `text@SERVER` is what one server answers differently. `<since>`, `<plan>` and `<edit>` in a call are the tokens of
 * the answers before.
 */
export function readArchive(source: string, server = ''): Scenario {
  const { head, sections } = split(source);
  const [sentence = '', servers = '', ...others] = head.trim().split('\n');
  const surface = others.find((line) => line.startsWith('surface:')) ?? 'surface: lspan';
  const steps: Step[] = [];
  for (const [index, { title, body }] of sections.entries()) {
    const [kind = '', ...rest] = title.split(' ');
    const subject = rest.join(' ');
    if (kind === 'file') steps.push({ kind: 'write', path: subject, text: body });
    if (kind === 'delete') steps.push({ kind: 'delete', path: subject });
    if (kind === 'package') steps.push({ kind: 'install', name: subject });
    if (kind === 'call')
      steps.push({
        kind: 'call',
        tool: subject,
        input: JSON.parse(body),
        golden: goldenAfter(sections, index, server),
      });
  }
  return {
    sentence,
    servers: servers.replace('servers:', '').trim().split(/\s+/),
    trusted: others.some((line) => line.trim() === 'trusted: yes'),
    surface: surface.replace('surface:', '').trim(),
    steps,
  };
}

/** The archive with the answers that the calls really gave on a server; the first server's are everybody's. */
export function writeAnswers(source: string, server: string, answers: readonly Golden[]): string {
  const { head, sections } = split(source);
  const first = readArchive(source).servers[0] === server;
  const left = [...answers];
  let current: Golden | undefined;
  const written = sections.map(({ title, body }) => {
    if (title.startsWith('call ')) current = left.shift();
    if (title === `text@${server}`) return '';
    if (title === 'text') return writeText(server, first, body, current?.text ?? '');
    if (title === 'data' && first) return `-- data --\n${JSON.stringify(current?.data, null, 1)}\n`;
    return `-- ${title} --\n${body}`;
  });
  return head + written.join('');
}

function writeText(server: string, first: boolean, known: string, answered: string): string {
  if (first) return `-- text --\n${answered}\n`;
  const own = known === `${answered}\n` ? '' : `-- text@${server} --\n${answered}\n`;
  return `-- text --\n${known}${own}`;
}

function goldenAfter(sections: readonly Section[], call: number, server: string): Golden {
  const below = sections.slice(call + 1);
  const end = below.findIndex(({ title }) => !/^(text|data)\b/.test(title));
  const own = end < 0 ? below : below.slice(0, end);
  const body = (title: string) => own.find((section) => section.title === title)?.body;
  const text = body(`text@${server}`) ?? body('text') ?? '';
  const data = body(`text@${server}`) === undefined ? body('data') : undefined;
  return { text: text.replace(/\n$/, ''), data: data === undefined ? undefined : JSON.parse(data) };
}

function split(source: string): { readonly head: string; readonly sections: readonly Section[] } {
  const [head = '', ...parts] = source.split(/^-- (.+) --\n/m);
  const sections = parts.flatMap((title, index) =>
    index % 2 === 0 ? [{ title, body: parts[index + 1] ?? '' }] : [],
  );
  return { head, sections };
}
