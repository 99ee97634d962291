import { limits } from '../../../core/limits.ts';
import { object, text } from '../../../core/runtime/json.ts';
import { inertMarkup } from './markup.ts';

/** Reads documentation that is a string or MarkupContent; nothing where there is none. */
export function readDocumentation(value: unknown): string | undefined {
  const whole = text(value) ?? text(object(value).value);
  const shown = whole?.slice(0, limits.completions.text).trim();
  return shown ? inertMarkup(shown) : undefined;
}
