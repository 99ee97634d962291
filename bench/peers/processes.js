// Which processes a client has started, and which of them are left when it has gone.
import { readFileSync } from 'node:fs';
import { childrenOf, residentMemory } from '../process-facts.js';

/** Ends a client as the kernel does when memory runs out, waits, and gives the names of what it has left running. */
export async function leftAfterKill(client, wait) {
  const started = descendantsOf(client).map((pid) => ({ pid, ...facts(pid) }));
  process.kill(client, 'SIGKILL');
  await new Promise((resolve) => setTimeout(resolve, wait));
  const left = started.filter(({ pid, since }) => since !== undefined && facts(pid).since === since);
  for (const { pid } of left) process.kill(pid, 'SIGKILL');
  return left.map(({ name }) => name);
}

/** The resident memory of a process and all that it has started, in bytes. */
export function memoryOfAll(pid) {
  return [pid, ...descendantsOf(pid)].reduce((sum, one) => sum + memoryOf(one), 0);
}

function memoryOf(pid) {
  return facts(pid).since === undefined ? 0 : residentMemory(pid);
}

function descendantsOf(pid) {
  const children = childrenOf(pid);
  return [...children, ...children.flatMap(descendantsOf)];
}

/** The name and the start of a process that runs; one that has ended and is not waited for has no start. */
function facts(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = stat.lastIndexOf(')');
    const [state, ...fields] = stat.slice(end + 2).split(' ');
    return { name: stat.slice(stat.indexOf('(') + 1, end), since: state === 'Z' ? undefined : fields[18] };
  } catch {
    return {};
  }
}
