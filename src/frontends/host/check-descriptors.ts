import { LspanError } from '../../core/errors.ts';
import { type DescriptorFacts, descriptorFacts } from '../../platform/processes/descriptor-facts.ts';

/** The channels of `lspan host`. */
export type ChannelName = 'rpc' | 'mcp';

/** One direction of a channel. */
interface Way {
  readonly channel: ChannelName;
  readonly descriptor: number;
  readonly name: string;
  readonly direction: 'readable' | 'writable';
  readonly purpose: string;
}

const ways: readonly Way[] = [
  {
    channel: 'rpc',
    descriptor: 0,
    name: 'stdin (descriptor 0)',
    direction: 'readable',
    purpose: 'lspan host reads RPC from it',
  },
  {
    channel: 'rpc',
    descriptor: 1,
    name: 'stdout (descriptor 1)',
    direction: 'writable',
    purpose: 'lspan host writes RPC to it',
  },
  {
    channel: 'mcp',
    descriptor: 3,
    name: 'descriptor 3',
    direction: 'readable',
    purpose: 'lspan host reads MCP from it',
  },
  {
    channel: 'mcp',
    descriptor: 4,
    name: 'descriptor 4',
    direction: 'writable',
    purpose: 'lspan host writes MCP to it',
  },
];

/** The descriptors of a channel. */
const descriptorsOf: Readonly<Record<ChannelName, readonly [number, number]>> = { rpc: [0, 1], mcp: [3, 4] };

type Look = (descriptor: number) => DescriptorFacts | undefined;

/**
 * Refuses descriptors on which a channel cannot be served, before anything else is done: who started lspan made a mistake,
 * and whatever lspan did instead would hide it. Throws what is wrong in one sentence, and what to do.
 */
export function checkDescriptors(channels: readonly ChannelName[], look: Look = descriptorFacts): void {
  const used = ways.filter(({ channel }) => channels.includes(channel));
  const known = used.map((way) => ({ way, facts: suitable(way, look) }));
  for (const { way, facts } of known) checkDirection(way, facts, look);
  known.forEach((one, index) => {
    for (const other of known.slice(index + 1)) checkApart(one, other);
  });
}

interface Known {
  readonly way: Way;
  readonly facts: DescriptorFacts;
}

function suitable(way: Way, look: Look): DescriptorFacts {
  const facts = look(way.descriptor);
  if (!facts) throw refused(way, 'is not open');
  if (facts.kind !== 'a pipe' && facts.kind !== 'a socket') throw refused(way, `is ${facts.kind}`);
  return facts;
}

function checkDirection(way: Way, facts: DescriptorFacts, look: Look): void {
  if (facts[way.direction]) return;
  const [from, to] = descriptorsOf[way.channel];
  const areSwapped = look(from)?.readable === false && look(to)?.writable === false;
  const only = way.direction === 'readable' ? 'can only be written' : 'can only be read';
  throw refused(way, areSwapped ? `${only}, and ${from} and ${to} look swapped` : only);
}

/** A pipe leads one way, and what two channels share arrives at neither whole. */
function checkApart(one: Known, other: Known): void {
  if (one.facts.identity !== other.facts.identity) return;
  const isOneChannel = one.way.channel === other.way.channel;
  if (isOneChannel && one.facts.kind === 'a socket') return;
  const what = isOneChannel
    ? `and ${other.way.name} are the two ends of one pipe`
    : `is ${other.way.name} too`;
  throw refused(one.way, what);
}

/** The refusal of a descriptor that looked suitable and cannot be used as a stream, such as a socket for datagrams. */
export function noStream(descriptor: number): LspanError {
  const way = ways.find((one) => one.descriptor === descriptor);
  const what = 'carries no stream of bytes';
  return way ? refused(way, what) : new LspanError('invalid_input', `Descriptor ${descriptor} ${what}.`);
}

function refused({ name, purpose, channel, descriptor }: Way, what: string): LspanError {
  const nextStep = `Start it with a pipe or a socket of its own as descriptor ${descriptor}, or with --no-${channel}.`;
  const subject = name.charAt(0).toUpperCase() + name.slice(1);
  return new LspanError('invalid_input', `${subject} ${what}: ${purpose}. ${nextStep}`, { nextStep });
}
