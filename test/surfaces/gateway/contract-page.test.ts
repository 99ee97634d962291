import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { errorCodes } from '../../../src/core/errors.ts';
import { limits } from '../../../src/core/limits.ts';
import { catalogue } from '../../../src/surfaces/catalogue.ts';
import { failureCodes, failureNumbers } from '../../../src/surfaces/gateway/failure.ts';

const page = (name: string) => readFileSync(path.resolve(import.meta.dirname, '../../../docs', name), 'utf8');
const contract = page('CONTRACT.md');
const surface = catalogue.find(({ name }) => name === 'gateway');

/** The cells of the table whose first columns have these titles. */
function rowsOf(text: string, ...titles: string[]): string[][] {
  const [, table = ''] = text.split(`| ${titles.join(' | ')} |`);
  const [, , ...lines] = (table.split('\n\n')[0] ?? '').split('\n');
  return lines.filter((line) => line.startsWith('|')).map((line) => line.slice(2, -2).split(' | '));
}

const unquoted = (cell = '') => cell.replaceAll('`', '');

it('the contract has exactly one row for every tool, with its fields', () => {
  const told = rowsOf(contract, 'Tool', 'Pages', 'Input', 'Payload').map(
    ([name, pages, input = '', payload = '']) => ({
      name: unquoted(name),
      isPaged: pages === 'yes',
      input: [...input.matchAll(/`(\w+)`/g)].map(([, field]) => field),
      payload: [...payload.matchAll(/`(\w+)`/g)].map(([, field]) => field),
    }),
  );
  const ownFields = (schema: Readonly<Record<string, unknown>>, beside: readonly string[]) =>
    Object.keys(Object(schema.properties)).filter((field) => !beside.includes(field));
  const paging = ['cursor', 'pageSize'];
  const envelope = ['complete', 'doubts', 'filtered', 'total', 'pageSize', 'nextCursor'];
  const offered = surface?.tools.map(({ name, inputSchema, outputSchema }) => ({
    name,
    isPaged: Object.hasOwn(Object(inputSchema.properties), 'cursor'),
    input: ownFields(inputSchema, paging),
    payload: ownFields(outputSchema, envelope),
  }));
  const listed = told.map(({ payload, ...row }) => ({ ...row, payload: payload.filter(isOwn(row.name)) }));
  expect(listed).toEqual(offered);
});

/** Beside the fields of an answer, a cell may name those of what it lists. */
function isOwn(tool: string) {
  const schema = surface?.tools.find(({ name }) => name === tool)?.outputSchema;
  return (field: string | undefined) => Object.hasOwn(Object(schema?.properties), field ?? '');
}

it('the contract lists exactly the codes of failures, with their numbers', () => {
  const told = rowsOf(contract, 'Code', 'Number', 'When').map(([code, number]) => [
    unquoted(code),
    Number(number),
  ]);
  expect(Object.fromEntries(told)).toEqual(failureNumbers);
});

it('the contract says what each of our codes becomes', () => {
  const told = rowsOf(contract, 'Code', 'Of').flatMap(([code, of = '']) =>
    unquoted(of)
      .split(', ')
      .map((own) => [own, unquoted(code)]),
  );
  expect(told).toHaveLength(errorCodes.length);
  expect(Object.fromEntries(told)).toEqual(failureCodes);
});

it('the contract lists the bounds that are enforced', () => {
  const { page: most, response, uri } = limits.gateway;
  const { query } = limits.input;
  const { unused } = limits.listSnapshots;
  const told = rowsOf(contract, 'Limit', 'Value').map(([, value]) => Number(value));
  expect(told).toEqual([
    most,
    limits.results.total,
    response,
    limits.call.deadline,
    unused,
    uri,
    query,
    limits.document,
  ]);
  expect(contract).toContain(`more than\n  ${limits.gateway.problemsOfItem} diagnostics`);
});

it('the page of the schemas has a row for every surface', () => {
  const told = rowsOf(page('SCHEMA.md'), 'Folder', 'Surface').map(([folder]) => unquoted(folder));
  expect(told).toEqual(catalogue.map(({ name }) => `schemas/${name}`));
});
