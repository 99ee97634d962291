import type { Bait, ServerTrap } from '../trap.ts';

const families = ['python'] as const;
const source = (module: string) =>
  `import ${module}\n\n\ndef greet(name: str) -> str:\n    return ${module}.x(name)\n\n\nhello = greet("you")\n`;
const environment = (folder: string, { shell, root, python }: Bait) => ({
  [`${folder}/pyvenv.cfg`]: `home = ${root}/${folder}/bin\nversion = 3.11.2\n`,
  ...Object.fromEntries(
    ['python', 'python3', 'python3.11', 'mypy', 'ruff', 'black', 'pylint', 'flake8'].map((name) => [
      `${folder}/bin/${name}`,
      shell,
    ]),
  ),
  [`${folder}/lib/python3.11/site-packages/evil.pth`]: `import sys; exec(${JSON.stringify(python)})\n`,
  [`${folder}/lib/python3.11/site-packages/sitecustomize.py`]: python,
});

/** What Python's language servers and their plugins read of a repository. */
export const pythonTraps: readonly ServerTrap[] = [
  { name: 'interpreter-in-.venv', families, files: (bait) => environment('.venv', bait) },
  { name: 'interpreter-in-venv', families, files: (bait) => environment('venv', bait) },
  { name: 'interpreter-in-env', families, files: (bait) => environment('env', bait) },
  {
    name: 'interpreter-of-the-active-environment',
    families,
    files: (bait) => environment('active', bait),
    environment: ({ root }) => ({
      VIRTUAL_ENV: `${root}/active`,
      CONDA_PREFIX: `${root}/active`,
      PYTHONHOME: '',
    }),
  },
  {
    name: 'interpreter-in-pyrightconfig',
    families,
    files: (bait) => ({
      ...environment('.venv', bait),
      'pyrightconfig.json':
        '{ "venvPath": ".", "venv": ".venv", "pythonPath": ".venv/bin/python", "extraPaths": ["."] }',
    }),
  },
  {
    name: 'interpreter-in-pyproject',
    families,
    files: (bait) => ({
      ...environment('.venv', bait),
      'pyproject.toml':
        '[tool.pyright]\nvenvPath = "."\nvenv = ".venv"\n[tool.basedpyright]\nvenvPath = "."\nvenv = ".venv"\n[tool.poetry]\nname = "x"\n',
    }),
  },
  {
    name: 'interpreter-of-a-package-manager',
    families,
    files: (bait) => ({
      ...environment('.pixi/envs/default', bait),
      ...environment('.conda', bait),
      Pipfile: '[packages]\nx = "*"\n',
      'poetry.toml': '[virtualenvs]\nin-project = true\n',
      'uv.lock': '',
      'pixi.toml': '[workspace]\nname = "x"\n',
      'environment.yml': 'name: x\n',
    }),
  },
  {
    name: 'pylint-hook',
    families,
    files: ({ python }) => ({
      '.pylintrc': `[MASTER]\ninit-hook=${python.trim().split('\n').join(';')}\nload-plugins=evil\n`,
      'evil.py': python,
    }),
  },
  {
    name: 'flake8-plugins',
    families,
    files: ({ python }) => {
      const text =
        '[flake8]\nenable-extensions = X\n[flake8:local-plugins]\nextension =\n  X = evil:X\npaths = .\n';
      return { 'setup.cfg': text, '.flake8': text, 'tox.ini': text, 'evil.py': python };
    },
  },
  {
    name: 'mypy-plugins',
    families,
    files: ({ python }) => ({
      'mypy.ini': '[mypy]\nplugins = evil.py\npython_executable = .venv/bin/python\n',
      'setup.cfg': '[mypy]\nplugins = evil.py\n',
      'evil.py': python,
    }),
  },
  {
    name: 'rope-project',
    families,
    files: ({ python }) => ({
      '.ropeproject/config.py': `${python}\ndef set_prefs(prefs):\n    ${python.trim().split('\n').join(';')}\n`,
      'pyproject.toml': '[tool.rope]\nignored_resources = []\nautoimport.underlined = true\n',
    }),
  },
  {
    name: 'jedi-project',
    families,
    files: (bait) => ({
      ...environment('.venv', bait),
      '.jedi/project.json':
        '[1, {"environment_path": ".venv", "load_unsafe_extensions": true, "sys_path": ["."]}]',
    }),
  },
  {
    name: 'set-up-programs',
    families,
    files: ({ python }) => ({
      'setup.py': python,
      'conftest.py': python,
      'manage.py': python,
      'noxfile.py': python,
      'a/__init__.py': python,
    }),
  },
  {
    name: 'modules-in-place-of-the-system',
    families,
    files: ({ python }) =>
      Object.fromEntries(
        [
          'sitecustomize',
          'usercustomize',
          'site',
          'json',
          'typing',
          'os',
          'encodings',
          'pylsp',
          'jedi',
          'parso',
          'pluggy',
          'ujson',
        ].map((name) => [`${name}.py`, python]),
      ),
  },
  {
    name: 'module-that-jedi-imports',
    families,
    files: ({ python }) => ({ 'gi.py': python, 'gi/__init__.py': python, 'a.py': source('gi') }),
  },
  {
    name: 'compiled-module',
    families,
    libraries: [
      'evil.so',
      'evil.cpython-311-aarch64-linux-gnu.so',
      'evil.cpython-311-x86_64-linux-gnu.so',
      'evil.abi3.so',
    ],
    files: () => ({ 'a.py': source('evil') }),
  },
  {
    name: 'compiled-module-in-the-environment',
    families,
    libraries: [
      '.venv/lib/python3.11/site-packages/numpy/evil.so',
      '.venv/lib/python3.11/site-packages/evil.abi3.so',
    ],
    files: () => ({
      'a.py': source('evil'),
      '.venv/pyvenv.cfg': 'home = /usr/bin\n',
      '.venv/lib/python3.11/site-packages/numpy/__init__.py': 'from . import evil\n',
    }),
  },
  {
    name: 'imported-module',
    families,
    files: ({ python }) => ({
      'evil.py': python,
      'numpy.py': python,
      'a.py': `import numpy\n${source('evil')}`,
    }),
  },
  {
    name: 'formatter-settings',
    families,
    files: ({ python }) => ({
      'pyproject.toml':
        '[tool.black]\nrequired-version = "1"\n[tool.autopep8]\nexperimental = true\n[tool.yapf]\nbased_on_style = "evil.py"\n[tool.isort]\nprofile = "evil"\n',
      '.style.yapf': '[style]\nbased_on_style = evil.py\n',
      'evil.py': python,
      'ruff.toml': 'cache-dir = "ruff-cache"\n',
    }),
  },
  {
    name: 'baseline-of-known-problems',
    families,
    files: () => ({
      '.basedpyright/baseline.json':
        '{ "files": { "./a.py": [{ "code": "reportAttributeAccessIssue", "range": { "startColumn": 0, "endColumn": 3, "lineCount": 1 } }] } }\n',
      'pyproject.toml': '[tool.basedpyright]\nbaselineFile = ".basedpyright/baseline.json"\n',
    }),
  },
  {
    name: 'stub-folder-outside',
    families,
    outside: { 'stubs/evil.pyi': 'def x(a: str) -> str: ...\n' },
    files: ({ outside }) => ({
      'pyrightconfig.json': `{ "stubPath": "${outside}/stubs", "typeshedPath": "${outside}" }`,
      'a.py': source('evil'),
    }),
  },
];
