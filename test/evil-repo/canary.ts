import path from 'node:path';

/** Code that leaves a line in a file outside the repository when it is run, in each language that a trap is written in. */
export interface Canary {
  readonly file: string;
  /** A whole script, which then fails. */
  readonly shell: string;
  /** A statement for Node, in modules of both kinds, and for Deno. */
  readonly node: string;
  readonly python: string;
  readonly rust: string;
  /** A library that runs its canary when it is loaded. */
  readonly c: string;
  /** Code of any language that can only run a command. */
  readonly command: string;
}

/** A way in which opening a repository could run something of it. */
export interface Trap {
  readonly name: string;
  /** By path in the repository; what begins with `#!` is made executable. */
  readonly files: (canary: Canary, root: string) => Readonly<Record<string, string>>;
}

/** The canary of a trap; its file lies in a folder outside the repository. */
export function canaryOf(trap: string, folder: string): Canary {
  const file = path.join(folder, trap);
  const quoted = JSON.stringify(file);
  const command = `echo run >> '${file}'`;
  return {
    file,
    command,
    shell: `#!/bin/sh\necho "$0 $*" >> '${file}'\nexit 1\n`,
    node: `(globalThis.Deno ? Deno.writeTextFileSync(${quoted}, 'deno') : process.getBuiltinModule('node:fs').appendFileSync(${quoted}, process.argv.join(' ') + '\\n'));`,
    python: `import sys\nopen(${quoted}, 'a').write(' '.join(getattr(sys, 'argv', [])) + '\\n')\n`,
    rust: `std::fs::write(${quoted}, "rust").unwrap();`,
    c: `#include <stdio.h>\n__attribute__((constructor)) static void run(void) { FILE *f = fopen(${quoted}, "a"); if (f) { fputs("loaded\\n", f); fclose(f); } }\n`,
  };
}
