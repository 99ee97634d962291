import { expect, it } from 'vitest';
import { isInstalledPlace } from '../../../src/platform/files/installed-place.ts';

it.each([
  '/usr/include/stdio.h',
  '/usr/lib/gcc/aarch64-linux-gnu/12/include/stddef.h',
  '/opt/gcc-13/lib/gcc/include/stddef.h',
  '/nix/store/x-glibc/include/stdio.h',
  '/home/me/.cargo/registry/src/index/serde/src/lib.rs',
  '/home/me/go/pkg/mod/example.com/x@v1/x.go',
  '/home/me/other/node_modules/@types/node/fs.d.ts',
  '/home/me/miniconda3/lib/python3.12/typing.py',
  '/srv/venv/lib/python3.12/site-packages/attr/__init__.pyi',
])('%s is installed', (file) => {
  expect(isInstalledPlace(file, '/home/me')).toBe(true);
});

it.each([
  '/etc/passwd',
  '/usr/includes/x.h',
  '/opt/app/passwords',
  '/home/me/.ssh/id_ed25519',
  '/home/me/.config/gh/hosts.yml',
  '/home/me/other/src/a.h',
  '/home/other/.cargo/registry/a.rs',
  '/home/me/.cargo/credentials.toml',
  '/home/me/.m2/settings.xml',
  '/tmp/a.h',
])('%s is not', (file) => {
  expect(isInstalledPlace(file, '/home/me')).toBe(false);
});
