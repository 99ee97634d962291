import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { questionsAbout } from '../../evil-repo/built-lspan.ts';
import type { TracedLspan } from './traced-lspan.ts';

/** What was asked, and in which state the server was then. */
export interface Asked {
  readonly calls: number;
  /** Calls that a tool answered without an error. */
  readonly answered: number;
  /** The states of the servers after the first questions, such as `ready` or `not_trusted`. */
  readonly states: readonly string[];
}

/** The most code actions that are previewed for one file. */
const mostActions = 40;

/**
 * Asks all that lspan can ask of a server about one file: every tool, completions, hovers and signatures at each line,
 * previews of all code actions; then it changes, moves and saves the file, and takes that back.
 */
export async function askEverything(lspan: TracedLspan, root: string, file: string): Promise<Asked> {
  const text = readFileSync(path.join(root, file), 'utf8');
  let [calls, answered] = [0, 0];
  const ask = async (tool: string, input: object) => {
    const answer = await lspan.call(tool, input);
    calls += 1;
    answered += answer.isError ? 0 : 1;
    return answer.data;
  };
  // What is asked of a server that is still starting proves little of it.
  await ask('get_diagnostics', { file_path: file });
  await ask('get_document_symbols', { file_path: file });
  await Promise.all(questionsAbout(file, text).map(({ tool, input }) => ask(tool, input)));
  await Promise.all(placesIn(file, text).flatMap((place) => atPlace.map((tool) => ask(tool, place))));
  const { servers } = status.parse(await ask('get_server_status', {}));
  const whole = { file_path: file, line: 1, end_line: text.split('\n').length };
  const lists = [whole, ...placesIn(file, text)].map((range) => ask('get_code_actions', range));
  const actions = (await Promise.all(lists)).flatMap((data) => offered.parse(data).actions);
  for (const { action_id } of actions.slice(0, mostActions)) await ask('get_code_actions', { action_id });
  await changeAndUndo(ask, file, text);
  return { calls, answered, states: servers.map(({ state }) => state) };
}

const atPlace = ['get_completions', 'get_hover', 'get_signature_help', 'find_definition'] as const;
const status = z.object({ servers: z.array(z.object({ state: z.string() })).default([]) });
const offered = z.object({ actions: z.array(z.object({ action_id: z.string() })).default([]) });

/** The ends of the first lines, and the middle of what stands in them, where names and addresses are. */
function placesIn(file: string, text: string): readonly object[] {
  const lines = text.split('\n').slice(0, 3);
  return lines.flatMap((line, index) =>
    line.trim() === ''
      ? []
      : [line.length, Math.ceil(line.length * 0.6)].map((character) => ({
          file_path: file,
          line: index + 1,
          character: Math.max(1, character),
        })),
  );
}

/** Changes the disk by lspan itself, so that servers hear of texts that were saved, made and moved. */
async function changeAndUndo(
  ask: (tool: string, input: object) => Promise<Readonly<Record<string, unknown>>>,
  file: string,
  text: string,
): Promise<void> {
  const edits = [{ file_path: file, old_text: text, new_text: `${text}\n` }];
  const moved = path.posix.join(path.posix.dirname(file), 'moved', path.posix.basename(file));
  await ask('apply_workspace_edit', { edits, dry_run: false });
  await ask('get_diagnostics', { file_path: file });
  await ask('rename_file', { old_path: file, new_path: moved, dry_run: false, allow_incomplete: true });
  await ask('get_diagnostics', { file_path: moved });
  await ask('undo_edit', { dry_run: false });
}
