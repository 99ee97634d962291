// What the campaign about held text plays: for each server the files of a project, and steps that each give files other
// texts. `null` is the text of the disk again, where a file that came meanwhile is not.

const typescript = {
  files: {
    'tsconfig.json': '{"compilerOptions":{"strict":true,"module":"esnext","moduleResolution":"bundler"}}',
    'lib.ts':
      'export interface Shape {\n  area(): number;\n}\nexport class Square implements Shape {\n  constructor(readonly side: number) {}\n  area(): number {\n    return this.side * this.side;\n  }\n}\nexport function twice(value: number): number {\n  return value * 2;\n}\n',
    'user.ts':
      "import { Square, twice } from './lib';\nexport function big(): number {\n  return twice(new Square(3).area());\n}\n",
    'other.ts':
      "import { big } from './user';\nimport { twice } from './lib';\nexport const all = twice(big());\n",
  },
  steps: [
    {
      'lib.ts':
        '// More.\n\nexport interface Shape {\n  area(): number;\n}\nexport class Square implements Shape {\n  area(): number {\n    return 1;\n  }\n}\nexport class Circle implements Shape {\n  area(): number {\n    return 3;\n  }\n}\nexport function twice(value: number, by: string): string {\n  return by.repeat(value);\n}\n',
    },
    {
      'deep/fresh.ts':
        "import { Circle } from '../lib';\nexport function thrice(value: number): number {\n  return value * 3 + new Circle().area();\n}\n",
      'user.ts':
        "import { thrice } from './deep/fresh';\nexport function big(): number {\n  return thrice(4) + thrice('5');\n}\n",
    },
    {
      'other.ts': "import { big } from './user';\nexport const all = big();\nexport const lost = twice(1);\n",
    },
    { 'lib.ts': null },
    { 'user.ts': "import { twice } from './lib';\nexport function big(: number {\n  return twice(\n}\n" },
    { 'deep/fresh.ts': null, 'other.ts': '' },
    {
      'near.ts': 'export const near = 1;\n',
      'other.ts': "import { near } from './near';\nexport const all: string = near;\n",
    },
    { 'user.ts': null, 'other.ts': null, 'near.ts': null },
  ],
};

const python = {
  files: {
    'pyproject.toml': '[project]\nname = "held"\nversion = "1"\n',
    'lib.py':
      'class Shape:\n    def area(self) -> int:\n        return 0\n\n\nclass Square(Shape):\n    def area(self) -> int:\n        return 4\n\n\ndef twice(value: int) -> int:\n    return value * 2\n',
    'user.py': 'from lib import Square, twice\n\n\ndef big() -> int:\n    return twice(Square().area())\n',
    'other.py': 'from lib import twice\nfrom user import big\n\nall_of_it = twice(big())\n',
  },
  steps: [
    {
      'lib.py':
        '# More.\n\nclass Shape:\n    def area(self) -> int:\n        return 0\n\n\nclass Square(Shape):\n    def area(self) -> int:\n        return 4\n\n\nclass Circle(Shape):\n    def area(self) -> int:\n        return 3\n\n\ndef twice(value: int, by: str) -> str:\n    return by * value\n',
    },
    {
      'deep/__init__.py': '',
      'deep/fresh.py':
        'from lib import Circle\n\n\ndef thrice(value: int) -> int:\n    return value * Circle().area()\n',
      'user.py': 'from deep.fresh import thrice\n\n\ndef big() -> int:\n    return thrice(4) + thrice("5")\n',
    },
    { 'other.py': 'from user import big\n\nall_of_it = big()\nlost = twice(1)\n' },
    { 'lib.py': null },
    { 'user.py': 'from lib import twice\n\n\ndef big( -> int:\n    return twice(\n' },
    { 'deep/fresh.py': null, 'deep/__init__.py': null, 'other.py': '' },
    { 'user.py': null, 'other.py': null },
  ],
};

const go = {
  files: {
    'go.mod': 'module held\n\ngo 1.19\n',
    'lib.go':
      'package main\n\ntype Shape interface {\n\tArea() int\n}\n\ntype Square struct{ Side int }\n\nfunc (s Square) Area() int { return s.Side * s.Side }\n\nfunc Twice(value int) int {\n\treturn value * 2\n}\n',
    'user.go': 'package main\n\nfunc Big() int {\n\treturn Twice(Square{Side: 3}.Area())\n}\n',
    'main.go': 'package main\n\nfunc main() {\n\tprintln(Twice(Big()))\n}\n',
  },
  steps: [
    {
      'lib.go':
        'package main\n\n// More.\ntype Shape interface {\n\tArea() int\n}\n\ntype Square struct{ Side int }\n\nfunc (s Square) Area() int { return s.Side * s.Side }\n\ntype Circle struct{}\n\nfunc (c Circle) Area() int { return 3 }\n\nfunc Twice(value int, by string) string {\n\treturn by\n}\n',
    },
    {
      'deep/fresh.go': 'package deep\n\nfunc Thrice(value int) int {\n\treturn value * 3\n}\n',
      'user.go':
        'package main\n\nimport "held/deep"\n\nfunc Big() int {\n\treturn deep.Thrice(4) + deep.Thrice("5")\n}\n',
    },
    { 'main.go': 'package main\n\nfunc main() {\n\tprintln(Big(), Lost())\n}\n' },
    { 'lib.go': null },
    { 'user.go': 'package main\n\nfunc Big( int {\n\treturn Twice(\n}\n' },
    { 'deep/fresh.go': null, 'main.go': 'package main\n' },
    { 'user.go': null, 'main.go': null },
  ],
};

const c = {
  files: {
    'compile_flags.txt': '-Wall\n',
    'lib.h': 'int twice(int value);\nstruct Square {\n  int side;\n};\n',
    'lib.c': '#include "lib.h"\nint twice(int value) {\n  return value * 2;\n}\n',
    'user.c':
      '#include "lib.h"\nint big(void) {\n  struct Square square = {3};\n  return twice(square.side);\n}\n',
    'main.c': '#include "lib.h"\nint big(void);\nint main(void) {\n  return twice(big());\n}\n',
  },
  steps: [
    { 'lib.h': '// More.\n\nint twice(int value, int by);\nstruct Square {\n  int length;\n};\n' },
    {
      'deep/fresh.h': 'static inline int thrice(int value) {\n  return value * 3;\n}\n',
      'user.c': '#include "deep/fresh.h"\nint big(void) {\n  return thrice(4) + thrice();\n}\n',
    },
    { 'main.c': 'int big(void);\nint main(void) {\n  return big() + twice(1);\n}\n' },
    { 'lib.h': null },
    { 'user.c': '#include "lib.h"\nint big(void {\n  return twice(\n}\n' },
    { 'deep/fresh.h': null, 'main.c': '' },
    { 'user.c': null, 'main.c': null },
  ],
};

const rust = {
  files: {
    'Cargo.toml': '[package]\nname = "held"\nversion = "0.1.0"\nedition = "2021"\n',
    'src/lib.rs': 'pub mod shapes;\npub mod user;\n',
    'src/shapes.rs':
      'pub trait Shape {\n    fn area(&self) -> i32;\n}\npub struct Square {\n    pub side: i32,\n}\nimpl Shape for Square {\n    fn area(&self) -> i32 {\n        self.side\n    }\n}\npub fn twice(value: i32) -> i32 {\n    value * 2\n}\n',
    'src/user.rs':
      'use crate::shapes::{twice, Shape, Square};\npub fn big() -> i32 {\n    twice(Square { side: 3 }.area())\n}\n',
  },
  steps: [
    {
      'src/shapes.rs':
        '// More.\n\npub trait Shape {\n    fn area(&self) -> i32;\n}\npub struct Square {\n    pub side: i32,\n}\nimpl Shape for Square {\n    fn area(&self) -> i32 {\n        self.side\n    }\n}\npub struct Circle;\nimpl Shape for Circle {\n    fn area(&self) -> i32 {\n        3\n    }\n}\npub fn twice(value: i32, by: i32) -> i32 {\n    value * by\n}\n',
    },
    {
      'src/lib.rs': 'pub mod fresh;\npub mod shapes;\npub mod user;\n',
      'src/fresh.rs': 'pub fn thrice(value: i32) -> i32 {\n    value * 3\n}\n',
      'src/user.rs': 'use crate::fresh::thrice;\npub fn big() -> i32 {\n    thrice(4)\n}\n',
    },
    { 'src/shapes.rs': null },
    { 'src/fresh.rs': null, 'src/lib.rs': null },
    { 'src/user.rs': null },
  ],
};

const vue = {
  files: {
    ...typescript.files,
    'package.json': '{"name":"held","dependencies":{"vue":"3"}}',
    'Child.vue':
      '<script setup lang="ts">\ndefineProps<{ label: string }>();\n</script>\n<template><p>{{ label }}</p></template>\n',
    'App.vue':
      '<script setup lang="ts">\nimport Child from \'./Child.vue\';\nimport { twice } from \'./lib\';\nconst size = twice(2);\n</script>\n<template><Child :label="String(size)" /></template>\n',
  },
  steps: [
    {
      'Child.vue':
        '<!-- More -->\n<script setup lang="ts">\ndefineProps<{ caption: string }>();\n</script>\n<template><p>{{ caption }}</p></template>\n',
    },
    {
      'Fresh.vue':
        '<script setup lang="ts">\nconst own = 1;\n</script>\n<template><i>{{ own }}</i></template>\n',
      'App.vue':
        "<script setup lang=\"ts\">\nimport Fresh from './Fresh.vue';\nimport { big } from './user';\nconst size: string = big();\n</script>\n<template><Fresh />{{ size }}</template>\n",
    },
    { 'Child.vue': null, 'lib.ts': typescript.steps[0]['lib.ts'] },
    { 'App.vue': null, 'Fresh.vue': null, 'lib.ts': null },
  ],
};

const svelte = {
  files: {
    ...typescript.files,
    'package.json': '{"name":"held"}',
    'Child.svelte': '<script lang="ts">\n  export let label: string;\n</script>\n<p>{label}</p>\n',
    'App.svelte':
      '<script lang="ts">\n  import Child from "./Child.svelte";\n  import { twice } from "./lib";\n  const size = twice(2);\n</script>\n<Child label={String(size)} />\n',
  },
  steps: [
    {
      'Child.svelte':
        '<script lang="ts">\n  // More\n  export let caption: string;\n</script>\n<p>{caption}</p>\n',
    },
    {
      'Fresh.svelte': '<script lang="ts">\n  const own = 1;\n</script>\n<i>{own}</i>\n',
      'App.svelte':
        '<script lang="ts">\n  import Fresh from "./Fresh.svelte";\n  import { big } from "./user";\n  const size: string = big();\n</script>\n<Fresh />{size}\n',
    },
    { 'Child.svelte': null, 'lib.ts': typescript.steps[0]['lib.ts'] },
    { 'App.svelte': null, 'Fresh.svelte': null, 'lib.ts': null },
  ],
};

const bash = {
  files: {
    'lib.sh': 'greet() {\n  echo "$1"\n}\n',
    'main.sh': '#!/bin/bash\nsource ./lib.sh\ngreet you\n',
  },
  steps: [
    { 'lib.sh': '# More.\n\nhail() {\n  echo "$1"\n}\ngreet() {\n  hail "$1"\n}\n' },
    {
      'fresh.sh': 'wave() {\n  echo bye\n}\n',
      'main.sh': '#!/bin/bash\nsource ./fresh.sh\nwave\ngreet me\n',
    },
    { 'lib.sh': null },
    { 'fresh.sh': null },
    { 'main.sh': null },
  ],
};

const json = {
  files: {
    'schema.json':
      '{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"size":{"type":"number","description":"How big."}}}\n',
    'a.json': '{ "$schema": "./schema.json", "size": 1 }\n',
  },
  steps: [
    { 'a.json': '{\n  "$schema": "./schema.json",\n  "size": "wrong"\n}\n' },
    { 'schema.json': '{"properties":{"size":{"type":"string","description":"How it is called."}}}\n' },
    { 'b.json': '{ "one": 1, }\n' },
    { 'a.json': null },
    { 'schema.json': null, 'b.json': null },
  ],
};

const yaml = {
  files: {
    'schema.json': '{"properties":{"size":{"type":"number","description":"How big."}}}\n',
    'a.yaml': '# yaml-language-server: $schema=./schema.json\nsize: 1\n',
  },
  steps: [
    {
      'a.yaml':
        '# yaml-language-server: $schema=./schema.json\n\nsize: wrong\nother: &anchor 1\nmore: *anchor\n',
    },
    { 'schema.json': '{"properties":{"size":{"type":"string","description":"How it is called."}}}\n' },
    { 'b.yaml': 'one: [1\n' },
    { 'a.yaml': null },
    { 'schema.json': null, 'b.yaml': null },
  ],
};

const biome = {
  files: {
    'biome.json': '{"linter":{"enabled":true}}\n',
    'a.ts': 'export const a = 1;\n',
    'b.ts': "import { a } from './a';\nexport const b = a;\n",
  },
  steps: [
    { 'a.ts': 'export const a = 1;\nvar unused = 2;\nif (a == 1) debugger;\n' },
    { 'new.ts': 'export let c = 1;\ndebugger;\n' },
    { 'a.ts': null },
    { 'new.ts': null },
  ],
};

/** By server. */
export const heldProjects = {
  typescript,
  'typescript-language-server': typescript,
  vtsls: typescript,
  pyright: python,
  basedpyright: python,
  pylsp: python,
  gopls: go,
  clangd: c,
  'rust-analyzer': rust,
  vue,
  svelte,
  'bash-language-server': bash,
  'vscode-json-language-server': json,
  'yaml-language-server': yaml,
  biome,
};

/** Servers that answer together with another. */
export const companions = { vue: ['vue-typescript'], svelte: ['typescript'] };
