import { isRecord } from '../../../core/runtime/json.ts';

/** How JSON is laid out where it is inserted. */
export interface JsonStyle {
  readonly ending: string;
  /** Indentation of the line on which the value begins. */
  readonly indent: string;
  readonly unit: string;
  /** All on one line. */
  readonly isInline: boolean;
  /** Nothing after colons and commas, as in minified files. */
  readonly isTight?: boolean;
}

/** Renders a value as JSON; only objects, and lists of them, take several lines. */
export function renderJson(value: unknown, style: JsonStyle): string {
  const blank = style.isTight ? '' : ' ';
  const inner = { ...style, indent: style.indent + style.unit };
  const start = `${style.ending}${inner.indent}`;
  const onLines = (lines: readonly string[]) =>
    `${start}${lines.join(`,${start}`)}${style.ending}${style.indent}`;
  if (Array.isArray(value)) {
    const isShort = style.isInline || !value.some(isRecord);
    return isShort
      ? `[${value.map((item) => renderJson(item, style)).join(`,${blank}`)}]`
      : `[${onLines(value.map((item) => renderJson(item, inner)))}]`;
  }
  if (!isRecord(value)) return JSON.stringify(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return '{}';
  const lines = entries.map(([key, item]) => `${JSON.stringify(key)}:${blank}${renderJson(item, inner)}`);
  return style.isInline ? `{${blank}${lines.join(`,${blank}`)}${blank}}` : `{${onLines(lines)}}`;
}
