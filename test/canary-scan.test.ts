import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { canaryScan } from './canary-scan.ts';

it('finds a secret in every form that it looks for, and nothing where there is none', () => {
  const secret = randomBytes(32).toString('base64url');
  const hex = Buffer.from(secret).toString('hex');
  const texts = {
    plain: `x${secret}y`,
    part: `…${secret.slice(10, 18)}…`,
    backwards: [...secret].reverse().join(''),
    hex,
    upper: hex.toUpperCase(),
    percent: hex.replace(/../g, (pair) => `%${pair}`),
    ...Object.fromEntries(
      ['', 'a', 'ab', 'abc'].map((before) => [
        `base64 after ${before}`,
        Buffer.from(`${before}${secret}tail`).toString('base64'),
      ]),
    ),
    nothing: randomBytes(64).toString('base64'),
  };
  const found = new Set(canaryScan(secret, texts).map(({ where }) => where));
  expect([...found]).toEqual(Object.keys(texts).filter((where) => where !== 'nothing'));
});
