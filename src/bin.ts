import { main } from './frontends/cli/main.ts';

main(process.argv.slice(2)).then((code) => process.exit(code));
