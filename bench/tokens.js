// What a model pays before it asks anything.
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { startMcpClient } from './mcp-client.js';
import { bin, env, workFolder } from './work.js';

const target = 3000;

/** Counts the tokens of the default list of tools and of the instructions. */
export async function measureTokens() {
  const lspan = startMcpClient({ bin, args: ['mcp'], cwd: workFolder, env });
  const { instructions } = await lspan.initialize();
  const { tools } = await lspan.request('tools/list');
  await lspan.stop();
  const tokens = countTokens(JSON.stringify(tools)) + countTokens(instructions);
  return [
    {
      what: `tools/list and instructions, ${tools.length} tools`,
      measured: `${tokens} tokens`,
      target: `≤ ${target} tokens (o200k)`,
      pass: tokens <= target,
    },
  ];
}
