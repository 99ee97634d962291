import type { ServerDefinition } from './definition.ts';

/** TexLab: LaTeX and BibTeX. It builds nothing unless it is asked to. */
export const texlab: ServerDefinition = {
  id: 'texlab',
  untested: true,
  extensions: { tex: 'latex', sty: 'latex', cls: 'latex', bib: 'bibtex' },
  program: { sources: [{ kind: 'path', name: 'texlab' }], args: [] },
  handshake: {
    settings: () => ({
      texlab: {
        build: { onSave: false, forwardSearchAfter: false },
        chktex: { onOpenAndSave: false, onEdit: false },
      },
    }),
  },
  ready: { kind: 'unknown' },
  projects: { markers: ['.texlabroot', 'latexmkrc', '.latexmkrc', 'Tectonic.toml'] },
  install: 'Install it with `brew install texlab`, or see https://github.com/latex-lsp/texlab',
};
