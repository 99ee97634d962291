// Real sources of others for the young bench; what is fetched is kept outside of the tree.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeState } from '../test/campaigns/corpus/states.js';
import { cache } from '../test/campaigns/pinned.js';
import { workFolder } from './work.js';

/** Packages of 60 to 120 files. */
const entries = {
  typescript: { language: 'typescript', name: '@reduxjs/toolkit', version: '2.14.0', files: 'src' },
  python: { language: 'python', name: 'python3-werkzeug', files: 'werkzeug', needs: ['python3-markupsafe'] },
  cpp: { language: 'c', name: 'cmark-gfm', version: '0.9.0', files: 'vendor/cmark' },
};

const sources = { typescript: /\.tsx?$/, python: /\.py$/, cpp: /\.[ch](pp)?$/ };

/** Fetches the sources of a language, as they come, and gives their folder. */
export async function realProject(language) {
  const entry = entries[language];
  const made = await makeState(entry, 'fetched', path.join(workFolder, `real-${language}`), cache);
  return { name: entry.name, folder: made.project, environment: made.env };
}

/** The sources in a folder, by path relative to it, without those of dependencies. */
export function sourcesIn(folder, language) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && sources[language].test(one.name))
    .map((one) => path.relative(folder, path.join(one.parentPath, one.name)))
    .filter((file) => !file.split(path.sep).includes('node_modules'))
    .sort()
    .map((file) => ({ file, text: readFileSync(path.join(folder, file), 'utf8') }));
}
