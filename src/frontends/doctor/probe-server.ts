import path from 'node:path';
import type { Bridge } from '../../bridge.ts';
import { type Doubt, uniqueDoubts } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import { list, number, object, text } from '../../core/runtime/json.ts';
import type { Outcome } from '../../tools/run/tool.ts';
import type { Probe, ProbeStep } from './report.ts';

/** What a server is asked about. */
export interface ProbeTarget {
  readonly server: string;
  readonly root: string;
  /** Files that it serves, the best first. */
  readonly samples: readonly string[];
  /** True if it only checks files, and does not know the symbols in them. */
  readonly isLinter: boolean;
}

/** How a probe is run. */
export interface ProbeOptions {
  readonly signal: AbortSignal;
  readonly report: (message: string) => void;
}

/** Asks a server about the user's own code, with the tools that agents use; starts it. Never rejects. */
export async function probeServer(
  bridge: Pick<Bridge, 'call'>,
  target: ProbeTarget,
  options: ProbeOptions,
): Promise<Probe> {
  const asker = new Asker(bridge, target.server, options);
  const [first = ''] = target.samples;
  const { file, symbol } = target.isLinter ? { file: first } : await findSymbol(asker, target.samples);
  const isSilent = asker.steps.some(({ outcome }) => outcome === 'failed');
  if (!target.isLinter && !isSilent) {
    const place = symbol && { file_path: file, line: symbol.line, character: symbol.character };
    await asker.ask('definition', 'find_definition', place);
    await asker.ask('references', 'find_references', place);
  }
  // A server that gave no outline in the time for a call has none for its problems either.
  if (!isSilent) await asker.ask('problems', 'get_diagnostics', { file_path: file });
  return {
    file_path: path.relative(target.root, file).replaceAll(path.sep, '/'),
    ...(symbol ? { symbol: symbol.name } : {}),
    steps: asker.steps,
    doubts: asker.doubts,
  };
}

/** A symbol of an outline that can be asked about. */
interface ProbedSymbol {
  readonly name: string;
  readonly line: number;
  readonly character: number;
}

/** Takes the first file that declares a symbol with a name; one that declares none is as good an answer. */
async function findSymbol(
  asker: Asker,
  samples: readonly string[],
): Promise<{ readonly file: string; readonly symbol?: ProbedSymbol }> {
  for (const file of samples) {
    const outcome = await asker.ask('outline', 'get_document_symbols', { file_path: file });
    const symbol = symbolIn(outcome);
    if (symbol) return { file, symbol };
    if (outcome?.isError !== false) return { file };
  }
  return { file: samples[0] ?? '' };
}

/** Kinds that are declared where they stand, unlike a variable, which may be an import. */
const declared: ReadonlySet<unknown> = new Set([
  'function',
  'class',
  'method',
  'interface',
  'struct',
  'enum',
  'constructor',
  'type_parameter',
  'module',
  'namespace',
]);

/** Kinds in the outline of data, whose names have no definition. */
const ofData: ReadonlySet<unknown> = new Set([
  ...['module', 'namespace', 'object', 'array', 'key', 'property'],
  ...['string', 'number', 'boolean', 'null'],
]);

function symbolIn(outcome: Outcome | undefined): ProbedSymbol | undefined {
  const symbols = list(outcome?.data.symbols).map(object);
  if (symbols.every(({ kind }) => ofData.has(kind))) return undefined;
  const named = symbols.filter(({ name }) => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(text(name) ?? ''));
  const best = named.find(({ kind }) => declared.has(kind)) ?? named[0];
  const [name, line, character] = [text(best?.name), number(best?.line), number(best?.character)];
  return name === undefined || line === undefined || character === undefined
    ? undefined
    : { name, line, character };
}

/** Asks questions one after the other, and notes how each went. */
class Asker {
  readonly #bridge: Pick<Bridge, 'call'>;
  readonly #server: string;
  readonly #options: ProbeOptions;
  readonly #steps = new Map<ProbeStep['question'], ProbeStep>();
  readonly #doubts = new Map<ProbeStep['question'], readonly Doubt[]>();

  constructor(bridge: Pick<Bridge, 'call'>, server: string, options: ProbeOptions) {
    this.#bridge = bridge;
    this.#server = server;
    this.#options = options;
  }

  get steps(): readonly ProbeStep[] {
    return [...this.#steps.values()];
  }

  /** The doubts about this server; those about another one of the same files are its own. */
  get doubts(): readonly Doubt[] {
    const all = [...this.#doubts.values()].flat();
    return uniqueDoubts(all.filter(({ server }) => server === undefined || server === this.#server));
  }

  /** Asks again while the server is not ready: each call waits for that as long as an agent's would. */
  async ask(
    question: ProbeStep['question'],
    tool: string,
    input: object | undefined,
  ): Promise<Outcome | undefined> {
    if (input === undefined) {
      this.#steps.set(question, { question, outcome: 'skipped', ms: 0 });
      return undefined;
    }
    const { signal, report } = this.#options;
    report(`asking for the ${question}`);
    for (let attempt = 1; ; attempt += 1) {
      const since = performance.now();
      const options = { signal, report, shown: 'data', surface: 'lspan' } as const;
      const outcome = await this.#bridge.call(tool, input, options);
      this.#steps.set(question, toStep(question, outcome, Math.round(performance.now() - since)));
      this.#doubts.set(question, outcome.doubts ?? []);
      const isIndexing = outcome.doubts?.some(({ kind }) => kind === 'indexing') === true;
      if (!isIndexing || signal.aborted || attempt === limits.doctor.attempts) return outcome;
    }
  }
}

function toStep(question: ProbeStep['question'], outcome: Outcome, ms: number): ProbeStep {
  const { error, data } = outcome;
  if (!outcome.isError) return { question, outcome: 'answered', ms, found: number(data.total) ?? 0 };
  const told = object(data.error);
  const code = error?.code ?? text(told.code) ?? 'internal';
  if (code === 'not_supported') return { question, outcome: 'not_offered', ms };
  const next = error?.nextStep ?? text(told.next_step);
  const message = error?.message ?? text(told.message) ?? outcome.text;
  const failure = { code, message, ...(next === undefined ? {} : { next_step: next }) };
  return { question, outcome: 'failed', ms, error: failure };
}
