import { expect, it } from 'vitest';
import { mayBeUnserved } from '../../../../src/tools/mentions/unserved/unserved-code.ts';
import { openTestBridge } from '../../../test-bridge.ts';

/** A bridge whose server knows of no use of what is declared in the first line of a file but itself. */
function open(extension: string, files: Readonly<Record<string, string>>) {
  const [first = ''] = Object.keys(files);
  const own = {
    uri: `file://<root>/${first}`,
    range: { start: { line: 0, character: 9 }, end: { line: 0, character: 14 } },
  };
  const rules = [{ on: { method: 'textDocument/references' }, do: [{ replyValue: [own] }] }];
  return openTestBridge({ files, servers: { only: { extensions: [extension], lives: [{ rules }] } } });
}

it('code for the same machine that imports a package of the workspace may use what is in it', async () => {
  const bridge = await open('java', {
    'src/shop/cart/Cart.java': 'function alpha\n',
    'src/Page.kt': 'import shop.cart.Cart\nval a = alpha()\n',
    'src/shop/cart/Near.groovy': 'package shop.cart\nalpha()\n',
    'web/page.jsp': '<%@ page import="shop.cart.Cart" %>\n<%= alpha() %>\n',
    'src/Other.kt': 'import java.util.List\nval a = alpha()\n',
    'notes.txt': 'import shop.cart.Cart\nalpha\n',
  });
  const question = { file_path: 'src/shop/cart/Cart.java', line: 1, character: 10 };
  const { data } = await bridge.call('find_references', question);
  expect(data).toMatchObject({ complete: false, mention_counts: { unverified: 3, other_language: 2 } });
});

it('a template of Ruby may use what its code names', async () => {
  const bridge = await open('rb', {
    'cart.rb': 'function alpha\n',
    'page.erb': '<p><%= cart.alpha %></p>\n',
    'other.erb': '<p>alpha <%= cart %></p>\n',
  });
  const { data } = await bridge.call('find_references', { file_path: 'cart.rb', line: 1, character: 10 });
  expect(data).toMatchObject({ complete: false, mention_counts: { unverified: 1, other_language: 1 } });
});

/** Asks for the references of what is declared first in the first file. */
async function referencesIn(extension: string, files: Readonly<Record<string, string>>) {
  const bridge = await open(extension, files);
  const [first = ''] = Object.keys(files);
  const { data } = await bridge.call('find_references', { file_path: first, line: 1, character: 10 });
  return data;
}

it.each([
  ['Page.jsp', '<%@ page import="java.util.List, com.acme.Cart" %>\n<%= alpha() %>\n'],
  ['Page.jsp', '<%= com.acme.Cart.alpha() %>\n'],
  ['Page.jsp', '<jsp:useBean id="cart" class="com.acme.Cart"/>\n<%= cart.alpha() %>\n'],
  ['build.gradle.kts', 'tasks.register("x") { com.acme.Cart.alpha() }\n'],
  ['Page.kt', 'val a = com.acme.alpha()\n'],
  ['Page.scala', 'import com.acme._\nval a = alpha()\n'],
  ['Page.scala', 'import com.acme.{Cart, Other}\nval a = alpha()\n'],
])('%s reaches a package of the workspace: %j', async (name, text) => {
  const files = { 'src/main/java/com/acme/Cart.java': 'function alpha\n', [name]: text };
  expect(await referencesIn('java', files)).toMatchObject({ mention_counts: { unverified: 1 } });
});

it.each([
  ['Page.kt', 'import java.util.*\nval a = alpha()\n'],
  ['Page.kt', 'import javax.inject\nval a = alpha()\n'],
  ['Page.kt', 'import com.acme.ext.Lib\nval a = Lib.alpha()\n'],
  ['Page.kt', 'package com.acme.web\nval a = acme.alpha()\n'],
  ['build.gradle.kts', 'plugins { id("java") }\nval alpha = project.acme\n'],
])('%s reaches none: %j', async (name, text) => {
  const files = {
    'src/main/java/com/acme/Cart.java': 'function alpha\n',
    'src/main/java/Main.java': 'function main\n',
    [name]: text,
  };
  expect(await referencesIn('java', files)).toMatchObject({ complete: true });
});

it('code without a package sees what its folder has', async () => {
  const files = { 'Cart.java': 'function alpha\n', 'Page.kt': 'val a = Cart.alpha()\n' };
  expect(await referencesIn('java', files)).toMatchObject({ mention_counts: { unverified: 1 } });
  const apart = { 'Cart.java': 'function alpha\n', 'Page.kt': 'package web\nval a = Cart.alpha()\n' };
  expect(await referencesIn('java', apart)).toMatchObject({ complete: true });
});

it.each([
  ['page.haml', '%p= cart.alpha\n', true],
  ['page.haml', '-# alpha\n  alpha\n%p text\n', false],
  ['page.slim', 'p = cart.alpha\n', true],
  ['page.slim', '/ alpha\np text\n', false],
  ['page.json.jbuilder', 'json.total cart.alpha\n', true],
  ['page.json.jbuilder', '# alpha\n', false],
  ['page.rabl', 'node(:total) { |cart| cart.alpha }\n', true],
  ['page.erb', '<%# alpha %><%= cart %>\n', false],
  ['page.erb', '<%= cart.alpha', true],
])('%s may use what Ruby declares or not: %j', async (name, text, expected) => {
  const data = await referencesIn('rb', { 'cart.rb': 'function alpha\n', [name]: text });
  expect(data).toMatchObject({ complete: !expected });
});

it.each([
  ['#!/usr/bin/env python3\nfrom shop.cart import alpha\n', true],
  ['#!/bin/sh\nfrom shop.cart import alpha\n', false],
])('a script without an ending is of Python or not: %j', async (text, expected) => {
  const data = await referencesIn('py', { 'shop/cart.py': 'function alpha\n', 'bin/run': text });
  expect(data).toMatchObject({ complete: !expected });
});

const aliases = '{ "compilerOptions": { "paths": { "@site/*": ["./*"], "shop": ["./lib/cart.ts"] } } }';

it.each([
  [
    'a module of a page',
    'web/a.html',
    '<script type="module">import { alpha } from "../lib/cart.ts"; alpha();</script>',
  ],
  ['a path of the compiler', 'a.mdx', 'import { alpha } from "@site/lib/cart"\n\n# {alpha()}\n'],
  [
    'a script that a page loads',
    'web/a.html',
    '<script src="../lib/cart.ts"></script><a onclick="alpha()">alpha</a>',
  ],
  [
    'a script by its place on the server',
    'a.htm',
    "<script defer src='/cart.ts?v=1'></script>\n<i>alpha</i> alpha()",
  ],
])('a script is used by %s', async (_title, name, text) => {
  const files = { 'lib/cart.ts': 'function alpha\n', 'tsconfig.json': aliases, [name]: text };
  expect(await referencesIn('ts', files)).toMatchObject({ mention_counts: { unverified: 2 } });
});

it.each([
  ['another script that a page loads', 'web/a.html', '<script src="../lib/other.ts"></script><i>alpha</i>'],
  [
    'a module that a page loads',
    'web/a.html',
    '<script type="module" src="../lib/cart.ts"></script><i>alpha</i>',
  ],
  ['a sample in prose', 'a.mdx', '# Use\n\n```ts\nimport { alpha } from "@site/lib/cart"\n```\n'],
])('a script is not used by %s', async (_title, name, text) => {
  const files = {
    'lib/cart.ts': 'function alpha\n',
    'tsconfig.json': aliases,
    'lib/other.ts': '',
    [name]: text,
  };
  expect(await referencesIn('ts', files)).toMatchObject({ mention_counts: { other_language: 1 } });
});

it('hostile templates and pages are read in linear time', async () => {
  await referencesIn('rb', {
    'cart.rb': 'function alpha\n',
    'page.erb': `${'<% '.repeat(500_000)}%>alpha`,
    'page.haml': `${'-# '.repeat(300_000)}\n${'/\n'.repeat(300_000)}alpha`,
  });
  await referencesIn('java', {
    'src/com/acme/Cart.java': 'function alpha\n',
    'a.jsp': `${'import '.repeat(200_000)}${'x.'.repeat(500_000)} alpha`,
    'b.jsp': `import${' '.repeat(1_000_000)}"alpha ${'package static '.repeat(50_000)}`,
  });
  await referencesIn('ts', {
    'cart.ts': 'function alpha\n',
    'a.html': `import${' '.repeat(1_000_000)} alpha require${' '.repeat(1_000_000)}`,
    'd.html': `${'<script '.repeat(100_000)}${'<script src='.repeat(100_000)} alpha`,
    'b.vue': `${'import '.repeat(200_000)}${'require ( '.repeat(200_000)} alpha`,
    'c.mdx': `${'```\n~~~\n'.repeat(100_000)}${'export {'.repeat(100_000)} alpha`,
  });
});

it.each([
  ['a.vue', 'b.ts', true],
  ['a.mdx', 'b.ts', true],
  ['a.py', 'b.ts', false],
  ['a.y', 'b.c', true],
  ['a.pyx', 'b.py', true],
  ['run', 'b.py', true],
  ['a.txt', 'b.py', false],
  ['a.c', 'b.go', true],
  ['a.h', 'b.rs', true],
  ['a.go', 'b.rs', false],
  ['a.kt', 'b.java', true],
  ['a.slim', 'b.rb', true],
  ['a.txt', 'b.rb', false],
  ['a.c', 'b.css', false],
])('whether %s may be unserved code for what %s defines: %j', (path, definedIn, expected) => {
  expect(mayBeUnserved(`/project/${path}`, `/project/${definedIn}`)).toBe(expected);
});
