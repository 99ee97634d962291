/** Something that servers do to the machine whatever the repository says, and why that is no harm. */
export interface Allowance {
  readonly servers: 'all' | readonly string[];
  /** Programs that may be run, by whole path, and with which words. */
  readonly runs?: RegExp;
  readonly words?: RegExp;
  /** True if the words may name files of the repository. */
  readonly aboutRepository?: true;
  /** Addresses that may be named, as strace writes them. */
  readonly connects?: RegExp;
  /** Files that may be written, by whole path; `<cache>`, `<state>` and `<home>` are folders of the user. */
  readonly writes?: RegExp;
  readonly why: string;
}

const tsservers = ['typescript-language-server', 'vtsls', 'vue', 'vue-typescript'];
const node = /^\/usr\/(local\/)?bin\/node$/;
const python = /^\/usr\/(local\/)?bin\/python3[.\d]*$/;

/** All that lspan and the servers do besides what every program may do. */
export const allowances: readonly Allowance[] = [
  {
    servers: 'all',
    runs: /\/node$/,
    words: /"mcp", "--workspace"/,
    aboutRepository: true,
    why: 'lspan itself',
  },
  {
    servers: 'all',
    runs: /^\/bin\/sh$/,
    words: /"(lspan-server|watchdog)"/,
    aboutRepository: true,
    why: 'lspan starts servers by a shell so that they end with it',
  },
  {
    servers: 'all',
    runs: /^\/usr\/bin\/(grep|sleep)$/,
    why: 'the watchdog looks for processes that a server left behind',
  },
  {
    servers: 'all',
    runs: /^\/usr\/bin\/rm$/,
    words: /"-rf", "--", "\/tmp\/lspan(-[0-9a-z]+){3}-\w{6}"/,
    why: 'the watchdog removes the temporary folders of the servers',
  },
  {
    servers: 'all',
    runs: /^\/usr\/bin\/bwrap$/,
    aboutRepository: true,
    why: 'a confined server is started in a sandbox',
  },
  {
    servers: 'all',
    runs: node,
    words: /node_modules\/[^"]*(server|cli\.mjs|vtsls|intelephense|langserver|bin\.js)/,
    why: 'servers that are written for Node, from the packages beside lspan',
  },
  {
    servers: ['typescript', 'deno', 'biome', 'oxlint'],
    runs: /\/node_modules\/(@typescript|@deno|@biomejs|@oxlint)\/[^/]+\/(lib\/)?(tsc|deno|biome|oxlint)$/,
    why: 'servers that are programs, from the packages beside lspan',
  },
  {
    servers: tsservers,
    runs: node,
    words: /node_modules\/typescript-5\/lib\/tsserver\.js/,
    why: 'they answer by the tsserver that ships with lspan',
  },
  {
    servers: ['clangd', 'ccls', 'gopls', 'rust-analyzer'],
    runs: /^\/usr\/bin\/(clangd(-\d+)?|ccls|gopls|rust-analyzer)$/,
    aboutRepository: true,
    why: 'servers of Debian',
  },
  {
    servers: ['pylsp', 'fortls'],
    runs: /^\/usr\/bin\/(pylsp|fortls|fortran-language-server)$/,
    why: 'servers of Debian that are written in Python',
  },
  {
    servers: ['pyright', 'basedpyright'],
    runs: python,
    words: /orig_sys_path/,
    why: 'they ask the Python of the system where its libraries are',
  },
  {
    servers: ['pylsp'],
    runs: python,
    words: /"\/usr\/lib\/python3\/dist-packages\/jedi\/inference\/compiled\/subprocess\/__main__\.py"/,
    why: 'jedi looks into modules of the system in a process of its own',
  },
  {
    servers: ['bash-language-server'],
    runs: /^\/usr\/bin\/bash$/,
    words: /"--noprofile", "--norc", "-c", "(help|man -P cat) [\w.-]+ \| col -bx"/,
    why: 'the hover of a command of the system is its help or its manual; no setting turns it off, and only a name is passed',
  },
  {
    servers: ['bash-language-server'],
    runs: /^\/usr\/bin\/(col|man|groff|troff|grotty|preconv|tbl|nroff|locale|gzip|cat)$|^\/usr\/lib(exec)?\/man-db\/\w+$/,
    words: /^"\/usr\/bin\/(?!cat")|"cat"\]|man-db/,
    why: 'what `man` runs',
  },
  {
    servers: ['bash-language-server'],
    writes: /^\/var\/cache\/man\//,
    why: 'a manual that is shown to root stays formatted',
  },
  {
    servers: ['bash-language-server'],
    runs: /\/node_modules\/bash-language-server\/out\/get-options\.sh$|^\/usr\/bin\/(env|bash|mktemp|pkg-config|uname|dirname|rm)$/,
    words: /get-options\.sh"|^"\/usr\/bin\/(mktemp|pkg-config|uname|dirname|rm)"/,
    why: 'its script for the options of commands, which stops before it would ask a command',
  },
  {
    servers: ['gopls'],
    runs: /^\/usr\/bin\/go$|^\/usr\/lib\/go-[\d.]+\/(bin\/go|pkg\/tool\/[^/]+\/\w+)$/,
    aboutRepository: true,
    why: 'it asks go about packages; go asks its own tools for their versions, and runs cgo',
  },
  {
    servers: ['gopls'],
    runs: /^\/usr\/bin\/(gcc|g\+\+|as|ld|pkg-config)$|^\/usr\/lib\/gcc\/[^/]+\/\d+\/(cc1|cc1plus|collect2)$/,
    aboutRepository: true,
    why: 'cgo has the C compiler of the system read C in Go files; go refuses options that load or write. Without cgo, packages that use C have no files, and every use of them would be told as an error',
  },
  {
    servers: ['gopls'],
    writes: /^<cache>\/(go-build|gopls)(\/|$)|^<home>\/go(\/pkg(\/mod(\/cache(\/lock)?)?)?)?$/,
    why: 'caches that go and gopls share with the user: they are addressed by content, and without them everything is compiled again, or cannot be, for lack of the modules',
  },
  {
    servers: ['rust-analyzer'],
    runs: /^\/usr\/bin\/(cargo|rustc)$|\/cache\/lspan\/[^/]+\/(confined\/rust-analyzer\/)?rust-toolchain\/bin\/(cargo|rustc)$/,
    aboutRepository: true,
    why: 'it asks cargo about packages, outside the repository, and rustc about the target',
  },
  {
    servers: ['rust-analyzer'],
    writes: /^<home>\/\.cargo(\/\.(package-cache|global-cache)[^/]*|\/(git|registry)(\/.*)?)?$/,
    why: 'the package cache that cargo shares with the user, and its locks: another one would be empty, and nothing may be fetched',
  },
  {
    servers: ['deno'],
    writes: /^<cache>\/deno(\/|$)/,
    why: 'its own cache of modules, which it shares with the user: another one would be empty, and nothing may be fetched',
  },
  {
    servers: 'all',
    writes: /^\/tmp\/lspan(-[0-9a-z]+){3}-\w{6}(\/|$)/,
    why: 'the temporary folder of one run of a server, whose path must be short for the sockets in it',
  },
  {
    servers: ['deno'],
    connects: /htons\(9\), sin_addr=inet_addr\("127\.0\.0\.1"\)/,
    why: 'it has no setting against the network, so it asks a proxy where nothing listens',
  },
];
