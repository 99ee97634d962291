import { z } from 'zod';
import { key, plain, text } from './key-shapes.ts';

/** Schema of the `[index]` table: where indexes of repositories are kept. */
export const indexSchema = z.strictObject({
  store: key(
    text.regex(/^(?:embedded|postgres(?:ql)?:\/\/.+)$/, 'must be "embedded" or begin with postgres://'),
    "Where indexes are kept: embedded (in lspan's state folder) or a PostgreSQL database. LSPAN_INDEX_STORE overrides it.",
    'store = "postgres://reader@db.example/index"',
  ),
  tenant: key(
    plain.regex(/^[\w.-]{0,63}$/, 'must consist of letters, digits, `.`, `_` and `-`'),
    'The tenant of the database under which this user adds indexes, if there are several.',
    'tenant = "payments"',
  ),
});

/** The settings of indexes in a user's file. */
export type IndexKeys = z.output<typeof indexSchema>;
