import { basename } from 'node:path';
import { limits } from '../../core/limits.ts';
import type { ProjectFacts, SearchFacts } from '../definition.ts';
import { folderAbove } from './folder-above.ts';
import { modulesOfFreshClone } from './go-modules.ts';

/**
 * Returns whether gopls leaves a file out of a search that begins in another: its name or build constraint
 * excludes it from the build here, or it is in another module and no `go.work` joins them.
 */
export const goExcludes: NonNullable<SearchFacts['excludes']> = (facts) => {
  const tags = tagsOf(facts);
  const moduleOf = folderAbove(facts, ['go.mod']);
  const joined = folderAbove(facts, ['go.work']);
  const areJoined = modulesOfFreshClone(facts) !== undefined;
  return (file, from) => {
    if (!file.endsWith('.go')) return false;
    if (!isBuiltByName(file, tags) || !isBuiltByConstraint(facts.read(file) ?? '', tags)) return true;
    return !areJoined && moduleOf(file) !== moduleOf(from) && joined(file) === undefined;
  };
};

// https://pkg.go.dev/cmd/go#hdr-Build_constraints
const systems =
  'aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos'.split(
    ' ',
  );
const unix = 'aix android darwin dragonfly freebsd hurd illumos ios linux netbsd openbsd solaris'.split(' ');
const machines =
  '386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x sparc64 wasm'.split(
    ' ',
  );

/** Maps the names of Node that differ from Go's. */
const names: Readonly<Record<string, string>> = {
  win32: 'windows',
  sunos: 'solaris',
  x64: 'amd64',
  ia32: '386',
};

function tagsOf({ environment: { GOOS, GOARCH } }: ProjectFacts): ReadonlySet<string> {
  const system = GOOS || (names[process.platform] ?? process.platform);
  const machine = GOARCH || (names[process.arch] ?? process.arch);
  return new Set([system, machine, 'gc', 'cgo', ...(unix.includes(system) ? ['unix'] : [])]);
}

function isBuiltByName(file: string, tags: ReadonlySet<string>): boolean {
  const parts = basename(file, '.go')
    .replace(/_test$/, '')
    .split('_')
    .slice(1);
  const [before, last] = [parts.at(-2), parts.at(-1)];
  const told = [
    ...(last !== undefined && [...systems, ...machines].includes(last) ? [last] : []),
    ...(before !== undefined && systems.includes(before) && machines.includes(last ?? '') ? [before] : []),
  ];
  return told.every((tag) => tags.has(tag));
}

/** The constraint precedes the package clause. */
function isBuiltByConstraint(text: string, tags: ReadonlySet<string>): boolean {
  const head = text.slice(0, limits.projects.goHead).split(/^package\s/m)[0] ?? '';
  const [, constraint] = /^\/\/go:build\s+(.*)$/m.exec(head) ?? [];
  return constraint === undefined || holds(constraint, tags);
}

/** `!` binds tighter than `&&`, and `&&` than `||`. Each step replaces one innermost pair of parentheses. */
function holds(constraint: string, tags: ReadonlySet<string>): boolean {
  const flat = (expression: string): boolean =>
    expression.split('||').some((one) =>
      one.split('&&').every((term) => {
        const [, nots = '', tag = ''] = /^\s*((?:!\s*)*)([\w.]*)\s*$/.exec(term) ?? [];
        const isSet = tag === 'true' || tags.has(tag) || /^go1(\.\d+)?$/.test(tag);
        return (nots.split('!').length - 1) % 2 === 0 ? isSet : !isSet;
      }),
    );
  let left = constraint.slice(0, limits.projects.goConstraint);
  for (let before = ''; before !== left; ) {
    before = left;
    left = left.replace(/\(([^()]*)\)/, (_, inner: string) => String(flat(inner)));
  }
  return flat(left);
}
