/** The tables whose rows are removed with their run. */
export const runTables = [
  'jobs',
  'executionDetails',
  'messages',
  'deliveryReports',
  'outbox',
  'bridgeCalls',
  'cancelWatches',
] as const

/** The tables whose rows are removed with their conversation. */
export const conversationTables = [
  'conversationMessages',
  'conversationQuestions',
  'conversationDeliveries',
  'conversationReplies',
] as const

/** The tables whose rows are removed with their subscriber, and have no index of the environment. */
export const subscriberTables = ['preferences', 'inboxPositions', 'inboxChanges'] as const
