import { z } from 'zod';
import { symbolKinds } from '../../core/symbol-kinds.ts';
import { diagnostic } from '../show/diagnostic.ts';
import { location } from '../show/location.ts';
import { piece } from '../target/symbol-definition.ts';

/** The parts of an inspection. */
export const partNames = [
  'definition',
  'hover',
  'callers',
  'references',
  'implementations',
  'problems',
] as const;

export type InspectedPart = (typeof partNames)[number];

const place = location.omit({ text: true, in: true });

/** A caller as in a call hierarchy, with the first of its calls. */
const caller = location.omit({ in: true }).extend({
  name: z.string(),
  kind: z.enum(symbolKinds),
  sites: z.array(location.omit({ in: true })).optional(),
  more_sites: z.int().optional(),
});

const usedFile = z.object({ file_path: z.string(), count: z.int(), lines: z.array(location) });

/** The answer of inspect_symbol; a part is absent if it was not asked for, or does not apply to the kind of symbol. */
export const inspection = z.object({
  symbol: place.extend({ name: z.string(), kind: z.enum(symbolKinds).optional() }),
  definitions: z.array(location),
  source: z.array(piece).optional(),
  hover: z.string().optional(),
  diagnostics: z.array(diagnostic).optional(),
  calls: z.array(caller).optional(),
  implementations: z.array(location).optional(),
  references: z.array(usedFile).optional(),
  /** Uses in other repositories, if they were asked for. */
  elsewhere: z.array(location).optional(),
  /** The number of each, shown or not. */
  totals: z.object({
    lines: z.int().optional(),
    diagnostics: z.int().optional(),
    calls: z.int().optional(),
    implementations: z.int().optional(),
    references: z.int().optional(),
    files: z.int().optional(),
    elsewhere: z.int().optional(),
  }),
  not_available: z.array(z.object({ part: z.enum(partNames), reason: z.string() })).optional(),
});

export type Inspection = z.output<typeof inspection>;

export type Caller = z.output<typeof caller>;

export type UsedFile = z.output<typeof usedFile>;
