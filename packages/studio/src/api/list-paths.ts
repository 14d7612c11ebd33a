/** The paths of the subscribers: of single ones, and of the list. */
export const subscriberPaths: readonly string[] = ['/v2/subscribers', '/v1/studio/subscribers']

/** The paths of the topics: of single ones, and of the list. */
export const topicPaths: readonly string[] = ['/v2/topics', '/v1/studio/topics']

/** The path of the integrations. */
export const integrationsPath = '/v1/integrations'
