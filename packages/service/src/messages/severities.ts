/** How much a message matters, least first. */
export const severities = ['none', 'low', 'medium', 'high'] as const
