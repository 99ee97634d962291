import manifest from '../package.json' with { type: 'json' };

/** The version that clients, servers and users are told; the bundle holds only this string. */
export const version: string = manifest.version;
