import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { FakeScript, Rule } from '../../fake-server/script.ts';
import { openTestBridge, type TestBridge, type TestSetting } from '../../test-bridge.ts';

/** Places of a name, as `file:line:character`, counted from 0. */
type Places = readonly string[];

/** A server that renames what stands at these places, whatever it is asked; the words of each are that long. */
export function renamingScript(places: Places, newText: string, length = 5, ...rules: Rule[]): FakeScript {
  const documentChanges = places.map((place) => {
    const [file, line, character] = place.split(':');
    const start = { line: Number(line), character: Number(character) };
    const end = { ...start, character: start.character + length };
    return {
      textDocument: { uri: `file://<root>/${file}`, version: null },
      edits: [{ range: { start, end }, newText }],
    };
  });
  const rename: Rule = { on: { method: 'textDocument/rename' }, do: [{ replyValue: { documentChanges } }] };
  return { capabilities: { renameProvider: true }, rules: [rename, ...rules] };
}

/** Two files that use each other's words, in which `alpha` stands at `places`. */
export const project = { 'a.txt': 'function alpha\nalpha beta\n', 'b.txt': 'beta alpha\nfunction beta\n' };

/** Every place of `alpha` in them. */
export const places: Places = ['a.txt:0:9', 'a.txt:1:0', 'b.txt:0:5'];

/** A bridge over that project, or another, whose server renames them so. */
export function openRenaming(
  newText = 'gamma',
  setting: TestSetting & { readonly places?: Places; readonly rules?: readonly Rule[] } = {},
): Promise<TestBridge> {
  const { places: own = places, rules = [], ...rest } = setting;
  const script = renamingScript(own, newText, 5, ...rules);
  return openTestBridge({ files: project, servers: { fake: { lives: [script] } }, ...rest });
}

/** What is on the disk below a folder: each file with its text and its time, by path. */
export function onDisk(root: string): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
  return Object.fromEntries(
    files
      .sort()
      .map((file) => [
        path.relative(root, file),
        `${statSync(file, { bigint: true }).mtimeNs} ${readFileSync(file, 'utf8')}`,
      ]),
  );
}

/** The text of a file of a bridge. */
export function textOf({ root }: TestBridge, file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

/** The id of a plan or an edit in an answer. */
export function idOf({ data }: { readonly data: Readonly<Record<string, unknown>> }): string {
  const found = /"(?:plan|edit)_id":"([\w-]+)"/.exec(JSON.stringify(data))?.[1];
  if (found === undefined) throw new Error(`There is no id in ${JSON.stringify(data)}`);
  return found;
}
