/**
 * Replaces advice to ask get_server_status on surfaces without that tool. A shell would start another lspan, which
 * knows nothing of the servers of this one; the log of this one has what they wrote.
 */
export const logInsteadOfStatus: readonly (readonly [ours: string, theirs: string])[] = [
  ['if it takes too long again, see get_server_status', 'if it takes too long again, tell the user'],
  ['If it fails again, see get_server_status', 'If it fails again, tell the user: the log of lspan says why'],
  ['get_server_status', 'The log of lspan at level debug'],
];
