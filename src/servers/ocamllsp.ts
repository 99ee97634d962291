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
  program: [{ kind: 'path', name: 'ocamllsp' }],
  args: [],
  needsTrust: 'dune files and preprocessors',
  trustBinds: ['**/dune', '**/dune-project', '**/dune-workspace', '**/dune.inc', '**/.merlin', '**/*.opam'],
  ready: { kind: 'unknown' },
  projectMarkers: ['dune-project'],
  watchAlso: ['_build/log'],
  install: 'Install it in the switch of the project with `opam install ocaml-lsp-server`.',
};
