import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { visible } from '../../../core/visible.ts';
import type { PromptTemplate } from '../../../surfaces/prompt-template.ts';

/**
 * The text of a prompt for its arguments, which are data: they stand in quotes, and what could hide or forge text in
 * them is shown. Throws `invalid_input`.
 */
export function renderPrompt(prompt: PromptTemplate, given: Readonly<Record<string, string>>): string {
  const known = prompt.arguments.map(({ name }) => name);
  const stranger = Object.keys(given).find((name) => !known.includes(name));
  if (stranger !== undefined) throw wrong(prompt, `has no argument ${JSON.stringify(stranger.slice(0, 80))}`);
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

/** On one line whatever it holds. */
function quote(text: string): string {
  return JSON.stringify(visible(text));
}

function wrong({ name, arguments: args }: PromptTemplate, complaint: string): LspanError {
  const known = args.map((one) => one.name).join(', ');
  return new LspanError('invalid_input', `The prompt ${name} ${complaint}. Its arguments are: ${known}.`);
}
