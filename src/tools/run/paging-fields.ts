import { z } from 'zod';
import { limits } from '../../core/limits.ts';

/** The most tokens that the answer may take. */
export const maxTokens = z.int().min(limits.tokens.least).max(limits.tokens.most).optional();

/** Fields of every tool that returns a list: where it continues, and its budget. */
export const paging = { cursor: z.string().min(1).max(limits.input.id).optional(), max_tokens: maxTokens };
