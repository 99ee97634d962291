/** One step of a scenario, in the order of the file. */
export type Step =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'call'; readonly tool: string; readonly input: unknown; readonly golden: Golden };

/** The expected answer, and where its text stands in the file so that it can be written anew. */
export interface Golden {
  readonly text: string;
  readonly data: unknown;
}

/** A scenario: a sentence, the servers it holds on, a project, and calls with their golden answers. */
export interface Scenario {
  readonly sentence: string;
  readonly servers: readonly string[];
  readonly steps: readonly Step[];
}

interface Section {
  readonly title: string;
  readonly body: string;
}

/**
 * Reads a scenario archive: a sentence, a line `servers: …`, then sections that begin with `-- title --`.
 * Titles: `file PATH`, `delete PATH`, `call TOOL`, and below a call `text` and optionally `data`.
 */
export function readArchive(source: string): Scenario {
  const { head, sections } = split(source);
  const [sentence = '', servers = ''] = head.trim().split('\n');
  const steps: Step[] = [];
  for (const [index, { title, body }] of sections.entries()) {
    const [kind = '', ...rest] = title.split(' ');
    const subject = rest.join(' ');
    if (kind === 'file') steps.push({ kind: 'write', path: subject, text: body });
    if (kind === 'delete') steps.push({ kind: 'delete', path: subject });
    if (kind === 'call') steps.push({ kind: 'call', tool: subject, input: JSON.parse(body), golden: goldenAfter(sections, index) });
  }
  return { sentence, servers: servers.replace('servers:', '').trim().split(/\s+/), steps };
}

/** The archive with the answers that the calls really gave. */
export function writeAnswers(source: string, answers: readonly Golden[]): string {
  const { head, sections } = split(source);
  const left = [...answers];
  let current: Golden | undefined;
  const written = sections.flatMap(({ title, body }) => {
    if (title.startsWith('call ')) {
      current = left.shift();
      return [`-- ${title} --\n${body}-- text --\n${current?.text ?? ''}\n`];
    }
    if (title === 'text') return [];
    if (title === 'data') return [`-- data --\n${JSON.stringify(current?.data, null, 1)}\n`];
    return [`-- ${title} --\n${body}`];
  });
  return head + written.join('');
}

function goldenAfter(sections: readonly Section[], call: number): Golden {
  const golden = { text: '', data: undefined as unknown };
  for (const { title, body } of sections.slice(call + 1)) {
    if (title === 'text') golden.text = body.replace(/\n$/, '');
    else if (title === 'data') golden.data = JSON.parse(body);
    else break;
  }
  return golden;
}

function split(source: string): { readonly head: string; readonly sections: readonly Section[] } {
  const [head = '', ...parts] = source.split(/^-- (.+) --\n/m);
  const sections = parts.flatMap((title, index) =>
    index % 2 === 0 ? [{ title, body: parts[index + 1] ?? '' }] : [],
  );
  return { head, sections };
}
