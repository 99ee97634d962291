import type { PromptTemplate } from '../../surfaces/prompt-template.ts';

/** A prompt as `prompts/list` tells it. */
export function promptTold({ name, title, description, arguments: args }: PromptTemplate) {
  return { name, title, description, arguments: args.map((one) => ({ ...one })) };
}
