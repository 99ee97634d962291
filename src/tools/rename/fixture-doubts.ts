import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import type { Span } from '../../core/question.ts';
import { declaredFixture, fixtureRequestAt, ownFixtures } from '../../source-text/names/pytest-fixtures.ts';
import { namePlaces } from '../mentions/mentions.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';

/** Returns a doubt if a renamed parameter of a test asks for a fixture of pytest by its name, which stays. */
export async function fixtureDoubts(
  context: ToolContext,
  spans: readonly Span[],
  name: string,
  call: Call,
): Promise<readonly Doubt[]> {
  const asking: Span[] = [];
  for (const span of spans) if (await asksForFixture(context, span)) asking.push(span);
  if (asking.length === 0 || !(await isFixture(context, name, call))) return [];
  const detail = `pytest gives the value of a parameter by its name, and has a fixture of the name ${name}, which stays: ${namePlaces(context.workspace, asking)}`;
  return [{ kind: 'unexpected_edit', detail }];
}

async function asksForFixture(context: ToolContext, { path, range }: Span): Promise<boolean> {
  const document = path.endsWith('.py') ? await documentAt(context, path) : undefined;
  if (!document) return false;
  const word = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
  return fixtureRequestAt(path, document.text, word) !== undefined;
}

async function isFixture(context: ToolContext, name: string, call: Call): Promise<boolean> {
  if (ownFixtures.has(name)) return true;
  const files = ((await context.workspace.mentioning(name, call)) ?? []).filter((one) => one.endsWith('.py'));
  for (const file of files.slice(0, limits.mentions.files)) {
    const document = await documentAt(context, file);
    if (document && declaredFixture(document.text, name) !== undefined) return true;
  }
  return false;
}
