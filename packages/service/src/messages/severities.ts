/** Severities, lowest first. */
export const severities = ['none', 'low', 'medium', 'high'] as const
