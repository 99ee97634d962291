import { type ApiItem, entries, readApi } from './read-api.ts';

/** Renders names and signatures of everything that a program can import: a change here affects its users. */
export function renderSurface(): string {
  return entries()
    .map(({ name, module }) => {
      const signatures = readApi(module).map(({ signature }) => signature);
      return `# ${name}\n\n${signatures.join('\n\n')}\n`;
    })
    .join('\n');
}

/** Renders the reference for people: like the surface, but with comments, and with shared declarations once. */
export function renderReference(): string {
  const chapters = readChapters();
  const link = linker(chapters);
  const contents = chapters.map(({ title, items }) => {
    const names = items.map(({ name }) => link(name, title));
    return `- [${title}](#${anchorOf(title)}): ${names.join(', ')}`;
  });
  const told = chapters.map((chapter) => renderChapter(chapter, (name) => link(name, chapter.title)));
  return `${[head, '## Contents', contents.join('\n'), ...told].join('\n\n')}\n`;
}

/** A section of the page with its items in order. */
interface Chapter {
  readonly title: string;
  readonly about: string;
  readonly items: readonly ApiItem[];
}

function readChapters(): readonly Chapter[] {
  const all = entries().map(({ name, module }) => ({ name, items: readApi(module) }));
  const holders = (item: ApiItem) => all.filter(({ items }) => items.some((other) => isSame(item, other)));
  const isShared = (item: ApiItem) => holders(item).length > 1;
  const own = all.flatMap(({ name, items }) => chaptersOf(name, items, isShared));
  const shared = new Map(all.flatMap(({ items }) => items.filter(isShared).map((item) => [item.name, item])));
  const where = [...new Set([...shared.values()].flatMap(holders).map(({ name }) => `\`${name}\``))];
  const about = `Exported by both ${where.join(' and ')}.`;
  return [...own, { title: 'Shared', about, items: [...shared.values()].sort(byName) }];
}

function chaptersOf(entry: string, all: readonly ApiItem[], isShared: (item: ApiItem) => boolean): Chapter[] {
  const items = all.filter((item) => !isShared(item));
  const values = items.filter(({ kind }) => kind === 'value');
  const types = items.filter(({ kind }) => kind !== 'value');
  const near = types.filter((type) => values.some(({ signature }) => speaksOf(signature, type.name)));
  const rest = types.filter((type) => !near.includes(type)).sort(byName);
  const chapters = [
    { title: entry, about: '', items: [...values, ...near] },
    {
      title: `Further types of ${entry}`,
      about: 'Types that the declarations above use, in alphabetical order.',
      items: rest.filter((type) => !isOfCall(type)),
    },
    {
      title: `Arguments and data of the tools of ${entry}`,
      about: 'Listed by tool in [ToolCalls](#toolcalls).',
      items: rest.filter(isOfCall),
    },
  ];
  return chapters.filter((chapter) => chapter.items.length > 0);
}

/** Links a name from a chapter; prefers the declaration of the same entry if two entries declare it differently. */
function linker(chapters: readonly Chapter[]): (name: string, from: string) => string {
  const seen = new Map<string, number>();
  const places = chapters.flatMap(({ title, items }) =>
    [title, ...items.map(({ name }) => name)].map((heading) => {
      const count = seen.get(anchorOf(heading)) ?? 0;
      seen.set(anchorOf(heading), count + 1);
      return { heading, title, anchor: anchorOf(heading) + (count === 0 ? '' : `-${count}`) };
    }),
  );
  return (name, from) => {
    const meant = places.filter(({ heading }) => heading === name);
    const near = meant.find(({ title }) => entryOf(title) === entryOf(from)) ?? meant[0];
    return `[${name}](#${near?.anchor})`;
  };

  function entryOf(title: string): string {
    return title.match(/lspan\S*/)?.[0] ?? '';
  }
}

/** Returns GitHub's anchor of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

function isSame(one: ApiItem, other: ApiItem): boolean {
  return one.name === other.name && one.about === other.about && one.commented === other.commented;
}

function byName(one: ApiItem, other: ApiItem): number {
  return one.name < other.name ? -1 : 1;
}

function speaksOf(signature: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(signature);
}

const head = `# The library

Everything that programs can import from lspan. This page is generated from the declarations and their comments
(\`UPDATE_GOLDEN=1 npx vitest run test/pins\` after a build). [Embedding](embedding.md#the-library) explains the use, with
examples. Begin with [createBridge](#createbridge) and [Bridge](#bridge); for \`lspan/lsp\` with
[startClient](#startclient) and [Client](#client); for \`lspan/testing\` with [fakeServer](#fakeserver). The other types are
those that these use.`;

function isOfCall({ name }: ApiItem): boolean {
  return /(Args|Data)$/.test(name) && !/^Tool(Args|Data)$/.test(name);
}

function renderChapter({ title, about, items }: Chapter, link: (name: string) => string): string {
  return [`## ${title}`, about, ...items.map(renderItem)].filter((part) => part !== '').join('\n\n');

  function renderItem({ name, about: comment, commented, signature }: ApiItem): string {
    const [told = '', ...tags] = comment.split(/\n?@param /);
    const listed = tags.map((tag) => tag.replace(/^(\w+) ([\s\S]*)$/, '- `$1`: $2').trim());
    const code = `\`\`\`ts\n${commented.replace(/^export /, '').replace(/^declare /, '')}\n\`\`\``;
    const named = typeNames.filter((other) => other !== name && speaksOf(signature, other)).map(link);
    const see = named.length === 0 ? '' : `See ${named.join(', ')}.`;
    const parts = [`### ${name}`, told.trim(), code, listed.join('\n'), see];
    return parts.filter((part) => part !== '').join('\n\n');
  }
}

/** Types only: names of values also occur as names of fields. */
const typeNames = [...new Set(entries().flatMap(({ module }) => namesOfTypes(readApi(module))))].sort();

function namesOfTypes(items: readonly ApiItem[]): string[] {
  return items.filter(({ kind }) => kind === 'type').map(({ name }) => name);
}
