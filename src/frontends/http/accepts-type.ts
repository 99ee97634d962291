/** Whether an Accept header names a media type itself; a wildcard is no promise to understand it. */
export function acceptsType(accept: string, type: string): boolean {
  return accept.split(',').some((range) => {
    const [name = '', ...parameters] = range.split(';');
    return name.trim().toLowerCase() === type && !parameters.some(isZeroQuality);
  });
}

/** Whether a Content-Type is JSON in UTF-8; any parameter but that charset is refused. */
export function isJsonType(contentType: string): boolean {
  if (contentType === 'application/json') return true;
  const [name = '', ...parameters] = contentType.toLowerCase().split(';');
  return name.trim() === 'application/json' && parameters.every((one) => utf8.has(one.trim()));
}

const utf8: ReadonlySet<string> = new Set(['charset=utf-8', 'charset="utf-8"']);

function isZeroQuality(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=');
  return name.trim().toLowerCase() === 'q' && Number(value.trim()) === 0;
}
