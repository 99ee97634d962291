/** What a daemon says on its stdout when it has started, or has not. */
export const startWords = { ready: 'ready', taken: 'taken', failed: 'failed' } as const;
