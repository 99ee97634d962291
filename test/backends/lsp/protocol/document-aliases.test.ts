import { beforeEach, describe, expect, it } from 'vitest';
import { aliasOf, DocumentAliases } from '../../../../src/backends/lsp/protocol/document-aliases.ts';
import { PathMapping } from '../../../../src/backends/lsp/protocol/path-mapping.ts';

const part = 'file:///p/lib/part.c';
const alias = 'file:///p/lib/part.lspan.c';
const other = 'file:///p/lib/other.h';
const otherAlias = 'file:///p/lib/other.lspan.h';
const whole = 'file:///p/lib/whole.c';

let aliases: DocumentAliases;

beforeEach(() => {
  aliases = new DocumentAliases();
  aliases.add(part);
  aliases.add(other);
});

/** The answer to a request about a document. */
function answer(method: string, about: string, result: unknown): unknown {
  const message = aliases.toNear({ jsonrpc: '2.0', id: 1, result }, method, { textDocument: { uri: about } });
  return JSON.parse(JSON.stringify(message)).result;
}

function range(line: number) {
  return { start: { line, character: 0 }, end: { line, character: 3 } };
}

const place = (uri: string, line: number) => ({ uri, range: range(line) });
const edit = (line: number) => ({ range: range(line), newText: 'name' });

describe('the alias of a document', () => {
  it.each([
    ['file:///p/a.c', 'file:///p/a.lspan.c'],
    ['file:///p.d/a.b.h', 'file:///p.d/a.b.lspan.h'],
    ['file:///p.d/README', 'file:///p.d/README.lspan'],
  ])('of %s is %s', (uri, expected) => {
    expect(aliasOf(uri)).toBe(expected);
  });

  it('is what the server gets, while the document is open, but for what happens on the disk', () => {
    const message = { method: 'textDocument/hover', params: { textDocument: { uri: part } } };
    expect(aliases.toFar(message, message.method)).toMatchObject({
      params: { textDocument: { uri: alias } },
    });
    const event = {
      method: 'workspace/didChangeWatchedFiles',
      params: { changes: [{ uri: part, type: 2 }] },
    };
    expect(aliases.toFar(event, event.method)).toBe(event);
    aliases.remove(part);
    expect(aliases.toFar(message, message.method)).toEqual(message);
  });

  it('is the file in what the server says, also after the document was closed', () => {
    aliases.remove(part);
    const method = 'textDocument/publishDiagnostics';
    const told = aliases.toNear({ method, params: { uri: alias, version: 3, diagnostics: [] } }, method);
    expect(told).toEqual({ method, params: { uri: part, version: 3, diagnostics: [] } });
  });

  it('is mapped with the paths of a server elsewhere', () => {
    aliases = new DocumentAliases(new PathMapping([{ near: '/p', far: '/far' }]));
    aliases.add(part);
    expect(aliases.toFar({ params: { uri: part } }, undefined)).toEqual({
      params: { uri: 'file:///far/lib/part.lspan.c' },
    });
    const said = { params: { uri: 'file:///far/lib/part.lspan.c' } };
    expect(aliases.toNear(said, undefined)).toEqual({ params: { uri: part } });
  });

  it('changes nothing in messages that do not name it', () => {
    const message = { id: 1, result: [place(whole, 1), place(whole, 1)] };
    expect(aliases.toNear(message, 'textDocument/definition', {})).toStrictEqual(message);
  });

  it('stays where only the server understands it', () => {
    const action = { command: { arguments: [{ file: alias }] }, data: { uri: alias } };
    expect(answer('textDocument/codeAction', part, [action])).toEqual([action]);
  });
});

describe('a place that the server knows by both names', () => {
  it('is told once', () => {
    const found = [place(alias, 1), place(part, 1), place(part, 2), place(whole, 1)];
    const expected = [place(part, 1), place(part, 2), place(whole, 1)];
    expect(answer('textDocument/references', part, found)).toEqual(expected);
  });

  it('is told of another document only as the files that include it have it', () => {
    const found = [place(alias, 1), place(part, 2), place(otherAlias, 3), place(other, 4)];
    expect(answer('textDocument/references', whole, found)).toEqual([place(part, 2), place(other, 4)]);
    expect(answer('textDocument/references', part, found)).toEqual([
      place(part, 1),
      place(part, 2),
      place(other, 4),
    ]);
  });

  it('is defined in the file, whoever asks', () => {
    expect(answer('textDocument/definition', whole, [place(alias, 1)])).toEqual([place(part, 1)]);
  });

  it('is edited once', () => {
    const changes = { [alias]: [edit(1), edit(2)], [part]: [edit(2), edit(3)], [otherAlias]: [edit(4)] };
    expect(answer('textDocument/rename', part, { changes })).toEqual({
      changes: { [part]: [edit(1), edit(2), edit(3)] },
    });
    expect(answer('textDocument/rename', whole, { changes })).toEqual({
      changes: { [part]: [edit(2), edit(3)] },
    });
  });

  it('is edited once in a list of documents too', () => {
    const documentChanges = [
      { textDocument: { uri: alias, version: 2 }, edits: [edit(1), edit(2)] },
      { textDocument: { uri: part, version: null }, edits: [edit(2), edit(3)] },
      { textDocument: { uri: otherAlias, version: 1 }, edits: [edit(4)] },
    ];
    expect(answer('textDocument/rename', part, { documentChanges })).toEqual({
      documentChanges: [{ textDocument: { uri: part, version: 2 }, edits: [edit(1), edit(2), edit(3)] }],
    });
  });

  it('is one call of one caller', () => {
    const caller = (uri: string, data: string) => ({ name: 'run', uri, selectionRange: range(1), data });
    const calls = [
      { from: caller(alias, 'a'), fromRanges: [range(2)] },
      { from: caller(part, 'b'), fromRanges: [range(2), range(3), range(3)] },
    ];
    expect(answer('callHierarchy/incomingCalls', whole, calls)).toEqual([
      { from: caller(part, 'a'), fromRanges: [range(2), range(3)] },
    ]);
  });

  it('is one symbol, however it is ranked', () => {
    const symbol = (uri: string, score: number) => ({
      name: 'run',
      kind: 12,
      location: place(uri, 1),
      score,
    });
    expect(answer('workspace/symbol', whole, [symbol(alias, 2), symbol(part, 1)])).toEqual([symbol(part, 2)]);
  });
});
