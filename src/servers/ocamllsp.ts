import type { ServerDefinition } from './definition.ts';

/** OCaml-LSP: it reads what `dune build` has left; without a build it knows one file at a time. */
export const ocamllsp: ServerDefinition = {
  id: 'ocamllsp',
  untested: true,
  extensions: {
    ml: 'ocaml',
    mli: 'ocaml.interface',
    mll: 'ocaml.ocamllex',
    mly: 'ocaml.menhir',
    re: 'reason',
    rei: 'reason',
  },
  program: { sources: [{ kind: 'path', name: 'ocamllsp' }], args: [] },
  ready: { kind: 'unknown' },
  trust: {
    runs: 'dune files and preprocessors',
    boundTo: ['**/dune', '**/dune-project', '**/dune-workspace', '**/dune.inc', '**/.merlin', '**/*.opam'],
  },
  files: { watchAlso: ['_build/log'] },
  projects: { markers: ['dune-project'] },
  install: 'Install it in the switch of the project with `opam install ocaml-lsp-server`.',
};
