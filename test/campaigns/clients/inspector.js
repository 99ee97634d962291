import path from 'node:path';
import { pinned, pinnedNode, run } from '../pinned.js';

const name = '@modelcontextprotocol/inspector';
const version = '2.12.0';

/** The Inspector on the command line: lists the tools by its strict rules and calls one, in one era. */
export const inspector = {
  name,
  version,
  async look({ url, token, era, tool, args, env, cwd }) {
    const node = await pinnedNode('22.23.3');
    const program = path.join(await pinned(name, version), 'clients/launcher/build/index.js');
    const ask = async (...words) => {
      const header = ['--header', `Authorization: Bearer ${token}`];
      const to = [url, '--transport', 'http', ...header, '--protocol-era', era, ...words];
      const { printed, told } = await run(node, [program, '--cli', ...to], { env, cwd });
      return { result: JSON.parse(printed), told };
    };
    const listed = await ask('--method', 'tools/list', '--strict');
    const called = await ask(
      '--method',
      'tools/call',
      '--tool-name',
      tool,
      '--tool-args-json',
      JSON.stringify(args),
    );
    return {
      offered: listed.result.tools.map((one) => one.name),
      remarks: listed.told.trim(),
      shown: [JSON.stringify(called.result)],
    };
  },
};
