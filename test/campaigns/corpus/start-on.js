// Starts lspan on a project of the corpus, with folders of its own.
import { writeFileSync } from 'node:fs';
import { connectLspan, ownHome } from '../lspan.js';

export function startOn({ project, env }, own, { daemon }) {
  const { env: atHome } = ownHome(own);
  // A confined server would not see what a package needs, which is kept among the caches of the user.
  const config = `${own}.toml`;
  writeFileSync(config, 'confine = "never"\n');
  return connectLspan({ project, env: { ...atHome, ...env }, flags: ['--config', config], daemon });
}
