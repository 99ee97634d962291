import { z } from 'zod';
import { limits } from '../../core/limits.ts';

/** How many tokens the answer may take. */
export const maxTokens = z.int().min(limits.tokens.least).max(limits.tokens.most).optional();

/** Fields of every tool that lists things: how much of the list, and where it goes on. */
export const paging = { cursor: z.string().max(limits.input.id).optional(), max_tokens: maxTokens };
