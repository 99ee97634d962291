import { type Call, cancelSignalOf } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import type { Span } from '../../core/question.ts';
import { linkAt } from '../../source-text/imports.ts';
import type { Document } from '../../workspace/texts/document.ts';
import { ImportFollower } from '../mentions/import-follower.ts';
import { namePlaces } from '../mentions/mentions.ts';
import type { ToolContext } from '../run/tool.ts';
import { plural } from '../show/render-location.ts';

/** A call that a server leaves out since it cannot follow an import, and the sources of what is called. */
export interface FollowedCall {
  readonly site: Span;
  readonly sources: readonly Span[];
}

/** What the calls that a server does not list call behind imports of packages that are not built. */
export interface UnfollowedCalls {
  readonly followed: readonly FollowedCall[];
  readonly doubts: readonly Doubt[];
}

/**
 * Follows calls that a server does not list since it knows no source of a package of the workspace that is not built. A call
 * of a member of such a value stays in doubt; what is called of a library is not asked for.
 */
export async function unfollowedCalls(
  context: ToolContext,
  document: Document,
  sites: readonly Span[],
  call: Call,
): Promise<UnfollowedCalls> {
  const follower = new ImportFollower(context);
  if (sites.length === 0 || !(await importsUnfollowed(context, document, follower, call))) return none;
  const asked = sites.slice(0, limits.callers.outlines);
  const calls = await Promise.all(asked.map((site) => followCall(context, document, follower, site, call)));
  const followed = calls.flatMap((one) => (one && one.sources.length > 0 ? [one] : []));
  const unknown = calls.flatMap((one) => (one?.sources.length === 0 ? [one.site] : []));
  const left = [...unknown, ...sites.slice(asked.length)];
  return { followed, doubts: left.length > 0 ? [unknownCalls(context, left)] : [] };
}

const none: UnfollowedCalls = { followed: [], doubts: [] };

function unknownCalls({ workspace }: ToolContext, sites: readonly Span[]): Doubt {
  const detail = `The server cannot follow an import of this file, nor ${plural('call', sites.length)} here: ${namePlaces(workspace, sites)}`;
  return { kind: 'unverified', detail };
}

/** True if a file imports from a package with sources in the workspace, and the server finds nothing there. */
async function importsUnfollowed(
  context: ToolContext,
  document: Document,
  follower: ImportFollower,
  call: Call,
): Promise<boolean> {
  const packages = await follower.packages();
  const links = follower
    .linksIn(document)
    .filter(({ local, module }) => local !== undefined && !module.startsWith('.'));
  const byModule = new Map(links.map((link) => [link.module, link]));
  const own = [...byModule.values()].filter(
    ({ module }) => packages.sources(module, document.path).length > 0,
  );
  const resolved = await Promise.all(
    own
      .slice(0, limits.candidates.asked)
      .map(({ start }) => isResolved(context, document, document.positionAt(start), call)),
  );
  return resolved.includes(false);
}

/** True if a server finds what is at a place outside of the imports of the file. */
async function isResolved(
  { backend }: ToolContext,
  document: Document,
  position: Span['range']['start'],
  call: Call,
): Promise<boolean | undefined> {
  const { path, text } = document;
  const reply = await backend
    .ask({ kind: 'definition', place: { path, position } }, call)
    .catch(() => undefined);
  cancelSignalOf(call).throwIfAborted();
  return reply?.answer.some(
    (one) => one.path !== path || !linkAt(path, text, document.offsetAt(one.range.start)),
  );
}

/** Returns what a call calls, with no source if that is unknown; `undefined` if the server knows it, or it is of a library. */
async function followCall(
  context: ToolContext,
  document: Document,
  follower: ImportFollower,
  site: Span,
  call: Call,
): Promise<FollowedCall | undefined> {
  if ((await isResolved(context, document, site.range.start, call)) !== false) return undefined;
  const found = await follower.followUse(document, document.offsetAt(site.range.start));
  return found?.isForeign ? undefined : { site, sources: found?.sources ?? [] };
}
