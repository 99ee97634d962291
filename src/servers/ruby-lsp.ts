import type { ServerDefinition } from './definition.ts';

/** Ruby LSP: it starts through Bundler, with a Gemfile of its own beside the project's. */
export const rubyLsp: ServerDefinition = {
  id: 'ruby-lsp',
  untested: true,
  extensions: { rb: 'ruby', rake: 'ruby', gemspec: 'ruby', ru: 'ruby', Gemfile: 'ruby', Rakefile: 'ruby' },
  program: { sources: [{ kind: 'path', name: 'ruby-lsp' }], args: [], initializeTimeout: 120_000 },
  ready: { kind: 'progress', title: /indexing files/ },
  trust: {
    runs: 'the Gemfile and the add-ons',
    boundTo: [
      '**/Gemfile',
      '**/Gemfile.lock',
      '**/gems.rb',
      '**/*.gemspec',
      '.bundle/config',
      '**/.rubocop.yml',
    ],
  },
  files: { watchAlso: ['Gemfile.lock'], restartsOn: ['Gemfile.lock'], writes: ['.ruby-lsp/'] },
  install: 'Install it with `gem install ruby-lsp`.',
};
