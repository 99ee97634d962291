import manifest from '../package.json' with { type: 'json' };

/** Version of lspan. The bundle contains only this string of the manifest. */
export const version: string = manifest.version;
