import { limits } from '../../core/limits.ts';
import { inertMarkup } from './inert-markup.ts';
import { object, text } from './json.ts';

/** Reads documentation that is a string or MarkupContent; nothing where there is none. */
export function readDocumentation(value: unknown): string | undefined {
  const whole = text(value) ?? text(object(value).value);
  const shown = whole?.slice(0, limits.completions.text).trim();
  return shown ? inertMarkup(shown) : undefined;
}
