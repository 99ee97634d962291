import { keyFacts } from '../../../src/config/schema/key-facts.ts';

/** Regenerates the page's tables of keys from the schema; each is between `<!-- keys of X -->` and `<!-- end -->`. */
export function renderConfigurationPage(page: string): string {
  return page.replace(
    /(<!-- keys of (\w+) -->\n).*?(<!-- end -->)/gs,
    (_, begin: string, name: string, end: string) => `${begin}${render(name)}${end}`,
  );
}

function render(name: string): string {
  const own = keyFacts().filter(({ table }) => (table ?? 'file') === name);
  const rows = own.map(
    (facts) => `| \`${facts.name}\` | ${facts.defaultText} | ${facts.meaning} | \`${facts.example}\` |\n`,
  );
  return ['| Key | Default | Meaning | Example |\n', '|---|---|---|---|\n', ...rows].join('');
}
