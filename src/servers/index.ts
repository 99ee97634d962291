import { basedpyright } from './basedpyright.ts';
import { bashLanguageServer } from './bash-language-server.ts';
import { biome } from './biome.ts';
import { ccls } from './ccls.ts';
import { clangd } from './clangd.ts';
import { csharpLs } from './csharp-ls.ts';
import { dart } from './dart.ts';
import type { ServerDefinition } from './definition.ts';
import { deno } from './deno.ts';
import { dockerfileLanguageServer } from './dockerfile-language-server.ts';
import { elixirLs } from './elixir-ls.ts';
import { eslint } from './eslint.ts';
import { fortls } from './fortls.ts';
import { gopls } from './gopls.ts';
import { haskellLanguageServer } from './haskell-language-server.ts';
import { intelephense } from './intelephense.ts';
import { jdtls } from './jdtls.ts';
import { kotlinLanguageServer } from './kotlin-language-server.ts';
import { kotlinLsp } from './kotlin-lsp.ts';
import { luaLanguageServer } from './lua-language-server.ts';
import { marksman } from './marksman.ts';
import { ocamllsp } from './ocamllsp.ts';
import { oxlint } from './oxlint.ts';
import { prismaLanguageServer } from './prisma-language-server.ts';
import { pylsp } from './pylsp.ts';
import { pyright } from './pyright.ts';
import { rubyLsp } from './ruby-lsp.ts';
import { rustAnalyzer } from './rust-analyzer.ts';
import { someSassLanguageServer } from './some-sass-language-server.ts';
import { sourcekitLsp } from './sourcekit-lsp.ts';
import { svelte } from './svelte.ts';
import { taplo } from './taplo.ts';
import { terraformLs } from './terraform-ls.ts';
import { texlab } from './texlab.ts';
import { typescript } from './typescript.ts';
import { typescriptLanguageServer } from './typescript-language-server.ts';
import { vscodeCssLanguageServer } from './vscode-css-language-server.ts';
import { vscodeHtmlLanguageServer } from './vscode-html-language-server.ts';
import { vscodeJsonLanguageServer } from './vscode-json-language-server.ts';
import { vtsls } from './vtsls.ts';
import { vue, vueTypescript } from './vue.ts';
import { yamlLanguageServer } from './yaml-language-server.ts';
import { zls } from './zls.ts';

/** The definitions of all built-in servers. */
export const servers: readonly ServerDefinition[] = [
  typescript,
  typescriptLanguageServer,
  pyright,
  basedpyright,
  pylsp,
  clangd,
  ccls,
  gopls,
  rustAnalyzer,
  fortls,
  bashLanguageServer,
  dockerfileLanguageServer,
  intelephense,
  prismaLanguageServer,
  someSassLanguageServer,
  vscodeCssLanguageServer,
  vscodeHtmlLanguageServer,
  vscodeJsonLanguageServer,
  yamlLanguageServer,
  biome,
  oxlint,
  eslint,
  deno,
  vtsls,
  svelte,
  vue,
  vueTypescript,
  csharpLs,
  dart,
  elixirLs,
  haskellLanguageServer,
  jdtls,
  kotlinLanguageServer,
  kotlinLsp,
  luaLanguageServer,
  marksman,
  ocamllsp,
  rubyLsp,
  sourcekitLsp,
  taplo,
  terraformLs,
  texlab,
  zls,
];
