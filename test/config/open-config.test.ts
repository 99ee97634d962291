import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isConfigured } from '../../src/config/config-files.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { effectiveConfig, openConfig } from '../../src/effective-config.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A workspace and a home of their own, with some files. */
function settingsWith(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder({ 'work/a.txt': '', ...files });
  const environment = { XDG_CONFIG_HOME: path.join(folder, 'home') };
  return { roots: [path.join(folder, 'work')], environment, log: () => {} };
}

/** The files that a source imports when it is loaded, and those that they import. */
function loadedWith(file: string, loaded = new Set<string>()): ReadonlySet<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, names = '', from = ''] of text.matchAll(
    /^(?:im|ex)port (?!type )([^;]*?) from '(\.[^']+)';/gm,
  ))
    if (names.split(',').some((name) => !name.replace('{', '').trim().startsWith('type ')))
      loadedWith(path.resolve(path.dirname(file), from), loaded);
  return loaded;
}

describe('the configuration when a workspace is opened', () => {
  it('is the usual one if there is no file, for which nothing is loaded that checks files', async () => {
    const settings = settingsWith({ 'work/src/lspan.toml': 'exclude = ["a"]\n' });
    expect(isConfigured(settings)).toBe(false);
    const loaded = [...loadedWith(path.resolve('src/bridge.ts'))].map((file) => path.relative('src', file));
    expect(loaded.length).toBeGreaterThan(100);
    expect(loaded.filter((file) => /^config.schema.*schema\.ts$|load-config/.test(file))).toEqual([]);
    expect(await openConfig(settings)).toEqual(effectiveConfig(settings, loadConfig));
    const overrides = { maxTokens: 1234 };
    expect(await openConfig({ ...settings, overrides })).toMatchObject(overrides);
  });

  it.each(['home/lspan/config.toml', 'work/lspan.toml', 'work/.lspan/config.toml'])(
    'is read where there is a file: %s',
    async (name) => {
      const settings = settingsWith({ [name]: 'exclude = ["made"]\n' });
      expect(isConfigured(settings)).toBe(true);
      const config = await openConfig(settings);
      expect(config.exclude).toContain('made');
      expect(config).toEqual(effectiveConfig(settings, loadConfig));
    },
  );

  it('is read where it is given, as a file or as a value', async () => {
    const settings = settingsWith({ 'elsewhere.toml': 'exclude = ["made"]\n' });
    const configFile = path.join(settings.roots[0] ?? '', '../elsewhere.toml');
    expect(await openConfig({ ...settings, configFile })).toMatchObject({ exclude: ['made'] });
    const configValue = { name: 'given', value: { exclude: ['made'] } };
    expect(await openConfig({ ...settings, configValue })).toMatchObject({ exclude: ['made'] });
  });

  it('is refused if a file that is named does not exist, or a file is faulty', async () => {
    const settings = settingsWith({ 'home/lspan/config.toml': 'exclude = 1\n' });
    await expect(openConfig(settings)).rejects.toMatchObject({ code: 'invalid_input' });
    const missing = { ...settingsWith({}), configFile: '/there/is/none.toml' };
    await expect(openConfig(missing)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
