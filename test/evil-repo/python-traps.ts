import type { Trap } from './canary.ts';

/** What Python's tools take from a repository and run. */
export const pythonTraps: readonly Trap[] = [
  {
    name: 'python-environment',
    files: ({ shell, python }, root) => ({
      'pyrightconfig.json': JSON.stringify({ venvPath: '.', venv: '.venv', pythonPath: '.venv/bin/python' }),
      'pyproject.toml': '[tool.pyright]\nvenvPath = "."\nvenv = ".venv"\n[tool.pylsp-mypy]\nenabled = true\n',
      '.venv/pyvenv.cfg': `home = ${root}/.venv/bin\nversion = 3.11.2\n`,
      ...Object.fromEntries(
        ['.venv', 'venv'].flatMap((folder) => [
          ...['python', 'python3', 'pyright', 'mypy', 'ruff'].map((name) => [`${folder}/bin/${name}`, shell]),
          [`${folder}/lib/python3.11/site-packages/evil.pth`, python.replaceAll('\n', '; ')],
          [`${folder}/lib/python3.11/site-packages/sitecustomize.py`, python],
        ]),
      ),
    }),
  },
  {
    // An interpreter that is started in the repository must not look there for its own modules.
    name: 'python-shadowed-modules',
    files: ({ python }) =>
      Object.fromEntries(
        [
          ...['json', 'os', 'site', 'sitecustomize', 'usercustomize', 'typing', 'encodings', 'pylsp', 'jedi'],
          ...['parso', 'rope', 'pycodestyle', 'pyflakes', 'fortls', 'gi', 'numpy', 'pandas', 'matplotlib'],
        ].map((name) => [`${name}.py`, python]),
      ),
  },
  {
    name: 'python-linters',
    files: ({ python, command }) => ({
      '.pylintrc': `[MASTER]\ninit-hook=${python.split('\n').join(';')}\nload-plugins=evil_linter\n`,
      'setup.cfg':
        '[flake8]\nenable-extensions = X\n[flake8:local-plugins]\nextension = X = evil_linter:X\npaths = .\n[mypy]\nplugins = evil_linter.py\n',
      'mypy.ini': '[mypy]\nplugins = evil_linter.py\n',
      'evil_linter.py': python,
      'conftest.py': python,
      'setup.py': python,
      '.ropeproject/config.py': python,
      '.ropeproject/project.toml': '',
      '.jedi/project.json': `[1, {"environment_path": ".venv", "load_unsafe_extensions": true}]`,
      '.pdbrc': `import os; os.system("${command}")\n`,
    }),
  },
  {
    // Version managers put a program of theirs before the interpreter, which reads these files.
    name: 'version-managers',
    files: ({ shell }, root) => {
      const climbing = `${'../'.repeat(12)}${root.slice(1)}/versions/evil`;
      const names = ['python', 'python3', 'node', 'ruby', 'java', 'go'];
      return {
        '.python-version': `${climbing}\n`,
        '.node-version': `${climbing}\n`,
        '.nvmrc': `${climbing}\n`,
        '.ruby-version': `${climbing}\n`,
        '.tool-versions': names.map((name) => `${name} path:${root}/versions/evil\n`).join(''),
        ...Object.fromEntries(names.map((name) => [`versions/evil/bin/${name}`, shell])),
      };
    },
  },
];
