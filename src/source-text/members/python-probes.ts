/** An expression in front of a class of Python, and a member that it may have. */
export interface MemberProbe {
  /** The line of the class. */
  readonly line: number;
  readonly expression: string;
  readonly member: string;
}

/** A text in which probes can be asked about. */
export interface ProbedText {
  readonly text: string;
  /** Where the members stand, in the order of the probes. */
  readonly places: readonly { readonly line: number; readonly character: number }[];
  /** Returns the line of the original text that became a line. */
  lineBefore(line: number): number;
}

/**
 * Writes probes, which ascend by line, as decorators above the classes: a server that is asked there says what a base has,
 * since the names mean the same as in the header.
 */
export function withProbes(text: string, probes: readonly MemberProbe[]): ProbedText {
  const lines = text.split('\n');
  const written: string[] = [];
  const places: { readonly line: number; readonly character: number }[] = [];
  const origins: number[] = [];
  let next = 0;
  for (const [line, original] of lines.entries()) {
    for (let probe = probes[next]; probe?.line === line; probe = probes[next]) {
      const indent = /^\s*/.exec(original)?.[0] ?? '';
      const before = `${indent}@(lambda _: ((${probe.expression}).`.split('\n');
      const character = before.at(-1)?.length ?? 0;
      written.push(...before.slice(0, -1), `${before.at(-1)}${probe.member}, _)[1])`);
      places.push({ line: written.length - 1, character });
      origins.push(...before.map(() => line));
      next += 1;
    }
    written.push(original);
    origins.push(line);
  }
  return { text: written.join('\n'), places, lineBefore: (line) => origins[line] ?? line };
}
