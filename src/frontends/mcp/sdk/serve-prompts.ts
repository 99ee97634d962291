import { type Server, specTypeSchemas } from '@modelcontextprotocol/server';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { visible } from '../../../core/wording/visible.ts';
import type { PromptTemplate } from '../../../surfaces/surface.ts';
import { promptTold } from '../offer.ts';
import { invalid, named } from './invalid.ts';

/** Serves the requests about prompts. */
export function servePrompts(server: Server, prompts: readonly PromptTemplate[]): void {
  const { PaginatedRequestParams, GetPromptRequestParams } = specTypeSchemas;
  server.setRequestHandler('prompts/list', { params: PaginatedRequestParams }, ({ cursor }) => {
    if (cursor !== undefined) throw invalid('Send no cursor: the list has one page.');
    return { prompts: prompts.map(promptTold) };
  });
  server.setRequestHandler('prompts/get', { params: GetPromptRequestParams }, async (params) => {
    const prompt = promptNamed(prompts, params.name);
    // Throws within a promise, so that the exception becomes a protocol error below.
    const rendering = Promise.resolve(params.arguments ?? {}).then((given) => renderPrompt(prompt, given));
    const text = await rendering.catch((error: Error) => Promise.reject(invalid(error.message)));
    return {
      description: prompt.description,
      messages: [{ role: 'user', content: { type: 'text', text } }],
    };
  });
}

/** Returns the prompt with a name. Throws a protocol error. */
export function promptNamed(prompts: readonly PromptTemplate[], name: string): PromptTemplate {
  const prompt = prompts.find((one) => one.name === name);
  if (!prompt) throw invalid(`Unknown prompt: ${named(name)}. ${theOthers(prompts)}`);
  return prompt;
}

function theOthers(prompts: readonly PromptTemplate[]): string {
  const names = prompts.map(({ name }) => name).join(', ');
  return names === '' ? 'There are none.' : `The prompts are: ${names}.`;
}

/** Renders a prompt; arguments are data: quoted, hidden or forged text shown. Throws `invalid_input`. */
function renderPrompt(prompt: PromptTemplate, given: Readonly<Record<string, string>>): string {
  const known = prompt.arguments.map(({ name }) => name);
  const stranger = Object.keys(given).find((name) => !known.includes(name));
  if (stranger !== undefined)
    throw wrong(prompt, `has no argument ${JSON.stringify(stranger.slice(0, limits.quoted.argument))}`);
  const isGiven = (name: string) => Object.hasOwn(given, name) && given[name] !== '';
  const missing = prompt.arguments.find(({ name, required }) => required && !isGiven(name));
  if (missing) throw wrong(prompt, `needs the argument ${missing.name}`);
  const long = known.find((name) => (given[name]?.length ?? 0) > limits.promptArgument);
  if (long !== undefined) throw wrong(prompt, `takes at most ${limits.promptArgument} characters as ${long}`);
  return prompt.lines
    .filter((line) => namesIn(line).every(isGiven))
    .map((line) => line.replace(placeholder, (_, name: string) => quote(given[name] ?? '')))
    .join('\n');
}

const placeholder = /\{(\w+)\}/g;

function namesIn(line: string): string[] {
  return [...line.matchAll(placeholder)].map(([, name = '']) => name);
}

/** Quotes any text on one line. */
function quote(text: string): string {
  return JSON.stringify(visible(text));
}

function wrong({ name, arguments: args }: PromptTemplate, complaint: string): LspanError {
  const known = args.map((one) => one.name).join(', ');
  return new LspanError('invalid_input', `The prompt ${name} ${complaint}. Its arguments are: ${known}.`);
}
