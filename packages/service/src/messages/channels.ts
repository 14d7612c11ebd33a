/** What messages go through. */
export const channels = ['in_app', 'email', 'sms', 'chat', 'push', 'tool'] as const
