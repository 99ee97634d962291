/** Where a secret was found, and in which form. */
export interface Sighting {
  readonly where: string;
  readonly form: string;
}

/** Looks for a secret in texts: as it is, in every usual encoding, backwards, and any eight characters of it. */
export function canaryScan(secret: string, texts: Readonly<Record<string, string>>): readonly Sighting[] {
  const forms = formsOf(secret);
  return Object.entries(texts).flatMap(([where, text]) =>
    [...new Set(forms.filter(({ sought }) => text.includes(sought)).map(({ form }) => form))].map((form) => ({
      where,
      form,
    })),
  );
}

interface Form {
  readonly form: string;
  readonly sought: string;
}

function formsOf(secret: string): readonly Form[] {
  const reversed = [...secret].reverse().join('');
  const hex = Buffer.from(secret).toString('hex');
  const percent = hex.replace(/../g, (pair) => `%${pair}`);
  const whole: readonly Form[] = [
    { form: 'plain', sought: secret },
    { form: 'reversed', sought: reversed },
    { form: 'hex', sought: hex },
    { form: 'HEX', sought: hex.toUpperCase() },
    { form: 'percent', sought: percent },
    { form: 'PERCENT', sought: percent.toUpperCase() },
    { form: 'URL-encoded', sought: encodeURIComponent(secret) },
    ...(['base64', 'base64url'] as const).flatMap((encoding) => encodings(secret, encoding)),
  ];
  return [...whole, ...windows(secret, 'window'), ...windows(reversed, 'reversed window')];
}

/** In base64 a text looks different by where it stands among the bytes around it; what depends on those is left out. */
function encodings(secret: string, encoding: 'base64' | 'base64url'): readonly Form[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const steady = bytes.toString(encoding).replace(/=+$/, '');
    return {
      form: encoding,
      sought: steady.slice(Math.ceil((before * 4) / 3), Math.floor((bytes.length * 4) / 3)),
    };
  });
}

function windows(text: string, form: string): readonly Form[] {
  return Array.from({ length: Math.max(0, text.length - 7) }, (_, index) => ({
    form,
    sought: text.slice(index, index + 8),
  }));
}
