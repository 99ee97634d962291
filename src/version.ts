import manifest from '../package.json' with { type: 'json' };

/** The version of lspan. The bundle holds only this string of the manifest. */
export const version: string = manifest.version;
