import type {
  GetPromptResult,
  InputRequiredResult,
  PromptMessage,
  Server,
  ServerContext,
} from '@modelcontextprotocol/server';
import { image } from './fixture-media.ts';

type Arguments = Readonly<Record<string, string>>;

const prompts: Readonly<
  Record<string, { arguments?: string[]; messages: (args: Arguments) => PromptMessage[] }>
> = {
  test_simple_prompt: { messages: () => [says('This is a simple prompt for testing.')] },
  test_prompt_with_arguments: {
    arguments: ['arg1', 'arg2'],
    messages: ({ arg1, arg2 }) => [says(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    arguments: ['resourceUri'],
    messages: ({ resourceUri: uri = '' }) => [
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
      },
      says('Please process the embedded resource above.'),
    ],
  },
  test_prompt_with_image: {
    messages: () => [{ role: 'user', content: image }, says('Please analyze the image above.')],
  },
};

const asking = 'test_input_required_result_prompt';

/** Answers what the suite asks about prompts; `ask` stands for the one that asks back. */
export function fixturePrompts(
  server: Server,
  ask: (context: ServerContext) => InputRequiredResult | string,
): void {
  server.setRequestHandler('prompts/list', () => ({
    prompts: [...Object.entries(prompts), [asking, {}] as const].map(([name, prompt]) => ({
      name,
      description: `For the suite: ${name}`,
      ...('arguments' in prompt && {
        arguments: prompt.arguments?.map((argument) => ({ name: argument, required: true })),
      }),
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params }, context): GetPromptResult | InputRequiredResult => {
    if (params.name === asking) {
      const words = ask(context);
      return typeof words === 'string' ? { messages: [says(words)] } : words;
    }
    const prompt = prompts[params.name];
    if (!prompt) throw new Error(`Unknown prompt: ${params.name}`);
    return { messages: prompt.messages(params.arguments ?? {}) };
  });
  server.setRequestHandler('completion/complete', ({ params }) => {
    const values = ['paris', 'park', 'party'].filter((word) => word.startsWith(params.argument.value));
    return { completion: { values, total: values.length, hasMore: false } };
  });
}

function says(words: string): PromptMessage {
  return { role: 'user', content: { type: 'text', text: words } };
}
