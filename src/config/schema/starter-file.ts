import { limits } from '../../core/limits.ts';
import { type KeyFacts, type KeyTableName, keyFacts } from './key-facts.ts';
import { repositorySchema } from './schema.ts';

/** Whose file it is: a repository's has only the keys that narrow what lspan does. */
export type FileOwner = 'user' | 'repository';

/** Renders a configuration file in TOML with every key and its default, all of them commented out. */
export function starterFile(owner: FileOwner): string {
  const all = keyFacts();
  const isPlain = ({ table, name }: KeyFacts) =>
    table === undefined && !['limits', 'index', 'serve', 'servers'].includes(name);
  const plain = all.filter(isPlain);
  const inert = plain.filter(({ name }) => Object.hasOwn(repositorySchema.shape, name));
  if (owner === 'repository') return [...heads.repository, ...inert.map(keyLines)].join('\n');
  const table = (name: NonNullable<KeyTableName>) => {
    const [about] = all.filter(({ key }) => key === name);
    const own = all.filter((facts) => facts.table === name);
    // A table may be there and empty; an entry of a list would be a server.
    const header = name === 'servers' ? '# [[servers]]' : `[${name}]`;
    return [...comment(about?.meaning ?? ''), header, '', ...own.map(keyLines)].join('\n');
  };
  const parts = [...plain.map(keyLines), table('limits'), table('index'), table('serve'), table('servers')];
  return [...heads.user, ...parts].join('\n');
}

const heads: Readonly<Record<FileOwner, readonly string[]>> = {
  user: [
    '# The configuration of lspan, for all workspaces of yours. Every key is commented out and shows its default: to set one,',
    '# remove the # before it. `lspan config` prints what is in effect, `lspan config --explain KEY` what a key takes.',
    '',
  ],
  repository: [
    '# What lspan leaves out in this repository, for everybody. These keys can only narrow what a user has set. Each is commented',
    '# out and shows its default: to set one, remove the # before it. `lspan config` prints what is in effect.',
    '',
  ],
};

/** A default that says nothing by itself, or cannot be written down, has an example beside it or instead. */
function keyLines({ name, meaning, example, schema, defaultText, defaultValue }: KeyFacts): string {
  const canSay = defaultValue !== undefined && schema.safeParse(defaultValue).success;
  const isEmpty = canSay && ['[]', '{}'].includes(JSON.stringify(defaultValue));
  const about = canSay ? meaning : `${meaning} Default: ${defaultText.replaceAll('`', '')}.`;
  return [
    ...comment(about),
    ...(isEmpty ? [`# Example: ${example}`] : []),
    // Of texts, numbers, lists and empty tables, JSON is TOML.
    `# ${canSay ? `${name} = ${JSON.stringify(defaultValue)}` : example}`,
    '',
  ].join('\n');
}

function comment(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= limits.terminal.wide)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`# ${word}`);
  }
  return lines;
}
