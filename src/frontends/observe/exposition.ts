/** Labels of a sample, in output order. */
export type Labels = Readonly<Record<string, string>>;

/** One line of a metric. */
export interface Sample {
  /** Appended to the name of the family, such as `_bucket`. */
  readonly suffix?: string;
  readonly labels?: Labels;
  readonly value: number;
}

/** A metric with all its lines. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

/** Content type of {@link exposition}. */
export const expositionType = 'text/plain; version=0.0.4; charset=utf-8';

/** Renders metrics in the text format of Prometheus; omits families without samples. */
export function exposition(families: readonly Family[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) =>
      [
        `# HELP ${name} ${help.replace(/[\\\n]/g, escaped)}`,
        `# TYPE ${name} ${type}`,
        ...samples.map((sample) => line(name, sample)),
        '',
      ].join('\n'),
    )
    .join('');
}

function line(name: string, { suffix = '', labels = {}, value }: Sample): string {
  const pairs = Object.entries(labels).map(
    ([label, text]) => `${label}="${text.replace(/[\\"\n]/g, escaped)}"`,
  );
  return `${name}${suffix}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${shown(value)}`;
}

function escaped(character: string): string {
  return character === '\n' ? '\\n' : `\\${character}`;
}

function shown(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
