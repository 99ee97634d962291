/** Nothing listens there: whatever is fetched through it fails at once. */
export const nowhere = 'http://127.0.0.1:9';

/** Variables that keep a server from fetching where no setting of its own does. */
export const noNetwork = { HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, NO_PROXY: '' } as const;
