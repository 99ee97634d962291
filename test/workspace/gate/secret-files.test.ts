import { expect, test } from 'vitest';
import { holdsSecrets } from '../../../src/workspace/gate/secret-files.ts';

test.each([
  ...['.git/config', '.git/hooks/pre-commit', 'sub/.git/config', '.env', '.env.local', 'app/.env.production'],
  ...['.ssh//config', 'sub/.env/', 'sub\\.aws\\config', 'a/.kube/config', 'deep/er/id_rsa/'],
  ...['server.pem', 'keys/server.key', '.ssh/config', 'id_rsa', '.npmrc', 'credentials.json', 'secrets.yaml'],
])('INF-13 %s is meant for secrets', (inside) => {
  expect(holdsSecrets(inside)).toBe(true);
});

test.each([
  '.GIT/config',
  '.Git/CONFIG',
  '.ENV',
  'ID_RSA',
  'Server.PEM',

  '.ｇit/config',
  '/.env',
])('BND-15 %s is meant for secrets too, since the disk may not distinguish the spelling', (inside) => {
  expect(holdsSecrets(inside)).toBe(true);
});

test.each([
  ...['src/git/config.ts', '.gitignore', '.github/workflows/ci.yml', 'env.ts', '.env.example', '.env.d.ts'],
  ...['keyboard.ts', 'src/secrets.ts', 'id_rsa.ts', 'monkey.key.ts', '.envrc.ts', ''],
])('%s is a file like any other', (inside) => {
  expect(holdsSecrets(inside)).toBe(false);
});
