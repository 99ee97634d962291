import type { Call } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import { isPython } from '../../source-text/imports.ts';
import {
  type DerivedName,
  derivedNames,
  mayDeclareMember,
} from '../../source-text/members/python-derived.ts';
import { occurrences } from '../../source-text/words.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { type Class, classesIn, type SearchedMember } from './holding-classes.ts';

/** Returns the classes of Python with bases and with a member of a name, except what is renamed. */
export async function derivedClassesWith(
  context: ToolContext,
  member: SearchedMember,
  call: Call,
): Promise<readonly Class[]> {
  const { name } = member;
  const texts = await textsWith(context, name, call);
  const declaring = [...texts].filter(([, text]) =>
    occurrences(text, name).some((offset) => mayDeclareMember(text, offset, name)),
  );
  const paths = declaring.slice(0, limits.overrides.files).map(([path]) => path);
  const classes = await classesIn(context, paths, member, call);
  return classes.filter(({ bases, kept }) => bases.length > 0 && kept.length > 0);
}

/** Returns the classes with several bases of which one may derive from one of some classes, according to the texts. */
export async function joiningClasses(
  context: ToolContext,
  from: readonly Class[],
  member: SearchedMember,
  call: Call,
): Promise<readonly Class[]> {
  const names = new Set(from.map(({ name }) => name));
  const paths = new Set<string>();
  let latest: readonly string[] = [...names];
  for (let round = 0; latest.length > 0 && round < limits.overrides.rounds; round += 1) {
    const found = await derivedFrom(context, latest, call);
    for (const { path } of found.filter(({ isJoining }) => isJoining)) paths.add(path);
    latest = found.map(({ name }) => name).filter((name) => !names.has(name));
    for (const name of latest) names.add(name);
  }
  const searched = [...paths].slice(0, limits.overrides.files);
  const classes = await classesIn(context, searched, member, call);
  return classes.filter(({ name, bases }) => bases.length > 1 && names.has(name));
}

async function derivedFrom(
  context: ToolContext,
  names: readonly string[],
  call: Call,
): Promise<readonly (DerivedName & { readonly path: string })[]> {
  const found: (DerivedName & { readonly path: string })[] = [];
  for (const name of new Set(names))
    for (const [path, text] of await textsWith(context, name, call))
      found.push(...derivedNames(text, name).map((one) => ({ ...one, path })));
  return found;
}

async function textsWith(
  context: ToolContext,
  name: string,
  call: Call,
): Promise<ReadonlyMap<string, string>> {
  const files = (await context.workspace.mentioning(name, call)) ?? [];
  const python = files.filter(isPython);
  const documents = await Promise.all(python.map((path) => documentAt(context, path)));
  return new Map(documents.flatMap((one) => (one ? [[one.path, one.text] as const] : [])));
}
