import { z } from 'zod';
import { limits } from '../../core/limits.ts';

/** The most tokens that the answer may take. */
export const maxTokens = z.int().min(limits.tokens.least).max(limits.tokens.most).optional();

<<<<<<< HEAD
/** Fields of every tool that lists things: how much of the list, and where it goes on. */
export const paging = { cursor: z.string().max(limits.input.id).optional(), max_tokens: maxTokens };
=======
/** Fields of every tool that returns a list: where it continues, and its budget. */
export const paging = { cursor: z.string().max(100).optional(), max_tokens: maxTokens };
>>>>>>> 012d19e (Write the comments of src/tools/run in plain English; the renderers and the guard against forged lines share one table)
