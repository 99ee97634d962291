import { LspanError } from '../../core/errors.ts';
import { type DescriptorFacts, descriptorFacts } from '../../platform/processes/descriptor-facts.ts';

/** Channels of `lspan host`. */
export type ChannelName = 'rpc' | 'mcp';

/** One direction of a channel. */
interface ChannelEnd {
  readonly channel: ChannelName;
  readonly descriptor: number;
  readonly name: string;
  readonly direction: 'readable' | 'writable';
  readonly purpose: string;
}

const ends: readonly ChannelEnd[] = [
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

/** Input and output descriptor of a channel. */
const descriptorsOf: Readonly<Record<ChannelName, readonly [number, number]>> = { rpc: [0, 1], mcp: [3, 4] };

type ReadFacts = (descriptor: number) => DescriptorFacts | undefined;

/**
 * Refuses descriptors on which a channel cannot be served, before anything else: the program that started lspan made a
 * mistake, and anything else that lspan did would hide it. Throws one sentence with the fault and the fix.
 */
export function checkDescriptors(channels: readonly ChannelName[], read: ReadFacts = descriptorFacts): void {
  const used = ends.filter(({ channel }) => channels.includes(channel));
  const known = used.map((end) => ({ end, facts: checkKind(end, read) }));
  for (const { end, facts } of known) checkDirection(end, facts, read);
  known.forEach((one, index) => {
    for (const other of known.slice(index + 1)) checkDistinct(one, other);
  });
}

interface CheckedEnd {
  readonly end: ChannelEnd;
  readonly facts: DescriptorFacts;
}

function checkKind(end: ChannelEnd, read: ReadFacts): DescriptorFacts {
  const facts = read(end.descriptor);
  if (!facts) throw refused(end, 'is not open');
  if (facts.kind !== 'a pipe' && facts.kind !== 'a socket') throw refused(end, `is ${facts.kind}`);
  return facts;
}

function checkDirection(end: ChannelEnd, facts: DescriptorFacts, read: ReadFacts): void {
  if (facts[end.direction]) return;
  const [from, to] = descriptorsOf[end.channel];
  const areSwapped = read(from)?.readable === false && read(to)?.writable === false;
  const only = end.direction === 'readable' ? 'can only be written' : 'can only be read';
  throw refused(end, areSwapped ? `${only}, and ${from} and ${to} look swapped` : only);
}

/** A pipe has one direction, and two channels on one stream would each lose bytes to the other. */
function checkDistinct(one: CheckedEnd, other: CheckedEnd): void {
  if (one.facts.identity !== other.facts.identity) return;
  const isOneChannel = one.end.channel === other.end.channel;
  if (isOneChannel && one.facts.kind === 'a socket') return;
  const what = isOneChannel
    ? `and ${other.end.name} are the two ends of one pipe`
    : `is ${other.end.name} too`;
  throw refused(one.end, what);
}

/** Returns the error for a descriptor that looked suitable but is not a stream, such as a datagram socket. */
export function noStream(descriptor: number): LspanError {
  const end = ends.find((one) => one.descriptor === descriptor);
  const what = 'is not a byte stream';
  return end ? refused(end, what) : new LspanError('invalid_input', `Descriptor ${descriptor} ${what}.`);
}

function refused({ name, purpose, channel, descriptor }: ChannelEnd, what: string): LspanError {
  const nextStep = `Start it with its own pipe or socket as descriptor ${descriptor}, or with --no-${channel}.`;
  const subject = name.charAt(0).toUpperCase() + name.slice(1);
  return new LspanError('invalid_input', `${subject} ${what}: ${purpose}. ${nextStep}`, { nextStep });
}
