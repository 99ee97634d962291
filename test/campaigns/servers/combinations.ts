import { projects, type ServerProject } from './projects.ts';
import type { ServerTrap } from './trap.ts';
import { trapsAnywhere } from './traps/anywhere.ts';
import { cTraps } from './traps/c-family.ts';
import { documentTraps } from './traps/documents.ts';
import { goAndRustTraps } from './traps/go-and-rust.ts';
import { javascriptTraps } from './traps/javascript.ts';
import { linterTraps } from './traps/linters.ts';
import { pythonTraps } from './traps/python.ts';
import { scriptTraps } from './traps/scripts.ts';

/** A server and one trap that it meets. */
export interface Combination {
  readonly project: ServerProject;
  readonly trap: ServerTrap;
}

const traps: readonly ServerTrap[] = [
  ...documentTraps,
  ...scriptTraps,
  ...pythonTraps,
  ...goAndRustTraps,
  ...linterTraps,
  ...cTraps,
  ...trapsAnywhere,
  ...javascriptTraps,
];

/** Every trap with every server of its families. */
export const combinations: readonly Combination[] = traps.flatMap((trap) =>
  projects
    .filter(({ families }) => trap.families.some((family) => family === 'any' || families.includes(family)))
    .map((project) => ({ project, trap })),
);
