import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { folder, key, text, texts } from './key-shapes.ts';

const { configuration } = limits;

/** Schema of the `[serve]` table: the settings of `lspan serve` that are also flags, which override them. */
export const serveSchema = z.strictObject({
  port: key(z.int().min(0).max(configuration.portMost), 'The port; 0 takes a free one.', 'port = 4000'),
  host: key(z.enum(['127.0.0.1', '::1']), 'The loopback address to listen on.', 'host = "::1"'),
  endpoint: key(text, 'The path of the MCP endpoint.', 'endpoint = "/lspan"'),
  allow_origins: key(
    texts,
    'Origin headers to accept, as browser extensions send them.',
    'allow_origins = ["http://localhost:6274"]',
  ),
  sessions: key(
    z.boolean(),
    'false: keep no sessions for clients of the 2025 revisions.',
    'sessions = false',
  ),
  protocol: key(z.enum(['2025-11-25']), 'Serve this revision of MCP only.', 'protocol = "2025-11-25"'),
  surface: key(text, 'The names and forms of the tools.', 'surface = "gateway"'),
  additional_roots: key(
    z.array(folder).max(configuration.entries),
    'More folders whose files may be read and named, never changed; absolute paths.',
    'additional_roots = ["/opt/shared"]',
  ),
});

/** The settings of `lspan serve` in a user's file. */
export type ServeKeys = z.output<typeof serveSchema>;
