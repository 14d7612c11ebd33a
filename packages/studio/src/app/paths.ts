/**
 * The path of each page within the studio. Parameters such as `:workflowId` are read with wouter's `useParams`. The route
 * table uses only its type, so that the list is not part of the bundle.
 */
export const paths = [
  '/',
  '/workflows',
  '/workflows/:workflowId',
  '/workflows/:workflowId/steps/:stepId',
  '/trigger',
  '/runs',
  '/runs/:runId',
  '/agents',
  '/agents/:agentId',
  '/agents/:agentId/conversations/:conversationId',
  '/errors',
  '/errors/:code',
  '/outbox/:outboxId?',
  '/subscribers',
  '/subscribers/:subscriberId',
  '/topics',
  '/topics/:topicKey',
  '/domains',
  '/domains/:domain',
  '/integrations',
  '/integrations/new',
  '/integrations/:integrationId',
  '/webhooks',
  '/webhooks/:endpointId',
  '/layouts',
  '/layouts/:layoutId',
  '/translations',
  '/translations/:resourceType/:resourceId',
  '/tenants',
  '/tenants/:identifier',
  '/contexts',
  '/contexts/:type/:id',
  '/environments',
  '/environment-variables',
  '/people',
  '/audit',
  '/account',
  '*',
] as const

/** The path of a page. */
export type Path = (typeof paths)[number]
