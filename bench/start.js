// From nothing to the list of tools, beside starting Node for nothing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startMcpClient } from './mcp-client.js';
import { childrenOf, tellsFacts } from './process-facts.js';
import { generateProject } from './project.js';
import { summary, timed } from './statistics.js';
import { bin, env, workFolder } from './work.js';

const target = 1.25;

/** Most users have no configuration; the file of the bench would cost its reading. */
const unset = { ...env, XDG_CONFIG_HOME: path.join(workFolder, 'unset') };

/** Measures the start, in turn with an empty script. */
export async function measureStart({ rounds = 40 } = {}) {
  const { folder } = await generateProject('typescript', 50);
  const empty = await emptyNode(folder);
  const times = { limit: [], unset: [], set: [] };
  for (let round = -2; round < rounds; round += 1) {
    const limit = await timed(empty);
    const without = await listTools(folder, unset);
    const withFile = await listTools(folder, env);
    // The first rounds bring the files into the system's cache.
    if (round < 0) continue;
    times.limit.push(limit.time);
    times.unset.push(without);
    times.set.push(withFile);
  }
  const limit = summary(times.limit);
  const rowOf = (what, lspan) => ({
    what,
    limitIs: 'Node with an empty script',
    lspan,
    limit,
    rounds,
    target: `≤ ${target} × empty Node`,
    pass: lspan.median <= target * limit.median,
  });
  return [
    rowOf('spawn → initialize → tools/list', summary(times.unset)),
    rowOf('the same with a configuration file', summary(times.set)),
  ];
}

/** Gives what starts Node with an empty script and waits for its end. */
export async function emptyNode(cwd) {
  const script = path.join(workFolder, 'empty.cjs');
  await writeFile(script, '');
  return async () => {
    const child = spawn(process.execPath, [script], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
    await once(child, 'exit');
  };
}

async function listTools(folder, env) {
  const { time, value: lspan } = await timed(async () => {
    const client = startMcpClient({ bin, args: ['mcp', '--workspace', folder], cwd: folder, env });
    await client.initialize();
    const { tools } = await client.request('tools/list');
    if (tools.length === 0) throw new Error('lspan lists no tools.');
    return client;
  });
  // Answered by what loads after the list: whatever would be started for a list has been started by now.
  await lspan.request('ping');
  if (tellsFacts && childrenOf(lspan.pid).length > 0)
    throw new Error('lspan started a process to list its tools.');
  await lspan.stop();
  return time;
}
