import { type Server, specTypeSchemas } from '@modelcontextprotocol/server';
import type { PromptTemplate } from '../../../surfaces/prompt-template.ts';
import { promptTold } from '../prompt-told.ts';
import { invalid, named } from './invalid.ts';
import { renderPrompt } from './render-prompt.ts';

/** Answers what is asked about prompts. */
export function servePrompts(server: Server, prompts: readonly PromptTemplate[]): void {
  const { PaginatedRequestParams, GetPromptRequestParams } = specTypeSchemas;
  server.setRequestHandler('prompts/list', { params: PaginatedRequestParams }, ({ cursor }) => {
    if (cursor !== undefined) throw invalid('No cursor was given out: the list has one page.');
    return { prompts: prompts.map(promptTold) };
  });
  server.setRequestHandler('prompts/get', { params: GetPromptRequestParams }, async (params) => {
    const prompt = promptNamed(prompts, params.name);
    // Thrown within a promise, so that what is wrong becomes an error of the protocol below.
    const rendering = Promise.resolve(params.arguments ?? {}).then((given) => renderPrompt(prompt, given));
    const text = await rendering.catch((error: Error) => Promise.reject(invalid(error.message)));
    return {
      description: prompt.description,
      messages: [{ role: 'user', content: { type: 'text', text } }],
    };
  });
}

/** The prompt of a name. Throws an error of the protocol. */
export function promptNamed(prompts: readonly PromptTemplate[], name: string): PromptTemplate {
  const prompt = prompts.find((one) => one.name === name);
  if (!prompt) throw invalid(`Unknown prompt: ${named(name)}`);
  return prompt;
}
