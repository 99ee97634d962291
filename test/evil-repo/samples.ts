/** An honest source of a language: it defines `greet` on its first line that has the word, and uses it on a later one. */
export interface Sample {
  readonly name: string;
  readonly text: string;
}

/** The sample of a language as a server's definition names it: by extension, by whole name, or by the first part of one. */
export function sampleOf(key: string, language: string): Sample {
  const name = /^[a-z0-9+_-]+$/.test(key) ? `sample.${key}` : key.replace('*', 'sample');
  return { name, text: texts[language] ?? 'greet = 1\nother = greet\n' };
}

const script = 'export function greet(name) {\n  return name;\n}\nexport const hello = greet("you");\n';
const typed =
  'export function greet(name: string): string {\n  return name;\n}\nexport const hello = greet("you");\n';
const c = 'int greet(int a) { return a; }\nint hello(void) { return greet(1); }\n';
const style = '.greet { color: red; }\n.hello { composes: greet; }\n';

/** By language id. */
const texts: Readonly<Record<string, string>> = {
  typescript: typed,
  typescriptreact: typed,
  javascript: script,
  javascriptreact: script,
  python: 'import numpy\n\ndef greet(name: str) -> str:\n    return name\n\nhello = greet("you")\n',
  c,
  cpp: c,
  'objective-c': c,
  'objective-cpp': c,
  go: 'package main\n\nfunc greet(name string) string { return name }\n\nfunc main() { _ = greet("you") }\n',
  'go.mod': 'module example.com/evil\n\ngo 1.19\n',
  'go.work': 'go 1.19\n\nuse .\n',
  rust: 'pub fn greet(name: u32) -> u32 { name }\npub fn hello() -> u32 { greet(1) }\nevil_macro::evil! { pub struct Made; }\n',
  shellscript: '#!/bin/bash\ngreet() { echo "$1"; }\nsource ./sourced.sh\ngreet you\n',
  json: '{ "$schema": "./schema.json", "greet": 1, "hello": "greet" }\n',
  jsonc: '{ "greet": 1 }\n',
  yaml: 'greet: &greet 1\nhello: *greet\n',
  css: style,
  scss: '@import "evil";\n$greet: red;\n.hello { color: $greet; }\n',
  less: '@greet: red;\n.hello { color: @greet; }\n',
  html: '<p id="greet">x</p>\n<a href="#greet">y</a>\n<script src="evil-plugin.js"></script>\n',
  php: '<?php\nfunction greet($name) { return $name; }\n$hello = greet("you");\n',
  svelte:
    '<script lang="ts">\n  function greet(n: number) { return n; }\n  const hello = greet(1);\n</script>\n<p>{hello}</p>\n',
  vue: '<script setup lang="ts">\nfunction greet(n: number) { return n; }\nconst hello = greet(1);\n</script>\n<template><p>{{ hello }}</p></template>\n',
  prisma: 'model greet {\n  id Int @id\n}\ngenerator client {\n  provider = "./bin/node"\n}\n',
  dockerfile: 'FROM scratch AS greet\nFROM greet\n',
  fortran:
    'module greet\n  integer :: hello = 1\nend module greet\nprogram main\n  use greet\nend program main\n',
};
