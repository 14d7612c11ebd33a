import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { HomePage } from '../pages/home/home-page.tsx'

/** A page, loaded when it is first opened. */
export type LazyPage = LazyExoticComponent<ComponentType> | ComponentType

/** A page and its path. Parameters such as `:workflowId` are read with wouter's `useParams`. */
export interface Route {
  /** Path within the studio. */
  readonly path: string
  readonly page: LazyPage
}

/** All pages. Only the first page is part of the initial bundle. */
export const routes: readonly Route[] = [
  { path: '/', page: HomePage },
  {
    path: '/workflows',
    page: lazy(async () => ({ default: (await import('../pages/workflows/workflows-page.tsx')).WorkflowsPage })),
  },
  {
    path: '/workflows/:workflowId',
    page: lazy(async () => ({ default: (await import('../pages/workflow/workflow-page.tsx')).WorkflowPage })),
  },
  {
    path: '/workflows/:workflowId/steps/:stepId',
    page: lazy(async () => ({ default: (await import('../pages/step/step-page.tsx')).StepPage })),
  },
  {
    path: '/trigger',
    page: lazy(async () => ({ default: (await import('../pages/trigger/trigger-page.tsx')).TriggerPage })),
  },
  { path: '/runs', page: lazy(async () => ({ default: (await import('../pages/runs/runs-page.tsx')).RunsPage })) },
  { path: '/runs/:runId', page: lazy(async () => ({ default: (await import('../pages/run/run-page.tsx')).RunPage })) },
  {
    path: '/agents',
    page: lazy(async () => ({ default: (await import('../pages/agents/agents-page.tsx')).AgentsPage })),
  },
  {
    path: '/agents/:agentId',
    page: lazy(async () => ({ default: (await import('../pages/agents/agent-page.tsx')).AgentPage })),
  },
  {
    path: '/agents/:agentId/conversations/:conversationId',
    page: lazy(async () => ({
      default: (await import('../pages/conversation/conversation-page.tsx')).ConversationPage,
    })),
  },
  {
    path: '/errors',
    page: lazy(async () => ({ default: (await import('../pages/errors/errors-page.tsx')).ErrorsPage })),
  },
  {
    path: '/errors/:code',
    page: lazy(async () => ({ default: (await import('../pages/errors/error-page.tsx')).ErrorPage })),
  },
  {
    path: '/outbox/:outboxId?',
    page: lazy(async () => ({ default: (await import('../pages/outbox/outbox-page.tsx')).OutboxPage })),
  },
  {
    path: '/subscribers',
    page: lazy(async () => ({ default: (await import('../pages/subscribers/subscribers-page.tsx')).SubscribersPage })),
  },
  {
    path: '/subscribers/:subscriberId',
    page: lazy(async () => ({ default: (await import('../pages/subscribers/subscriber-page.tsx')).SubscriberPage })),
  },
  {
    path: '/topics',
    page: lazy(async () => ({ default: (await import('../pages/topics/topics-page.tsx')).TopicsPage })),
  },
  {
    path: '/topics/:topicKey',
    page: lazy(async () => ({ default: (await import('../pages/topics/topic-page.tsx')).TopicPage })),
  },
  {
    path: '/domains',
    page: lazy(async () => ({ default: (await import('../pages/domains/domains-page.tsx')).DomainsPage })),
  },
  {
    path: '/domains/:domain',
    page: lazy(async () => ({ default: (await import('../pages/domains/domain-page.tsx')).DomainPage })),
  },
  {
    path: '/integrations',
    page: lazy(async () => ({
      default: (await import('../pages/integrations/integrations-page.tsx')).IntegrationsPage,
    })),
  },
  {
    path: '/integrations/new',
    page: lazy(async () => ({
      default: (await import('../pages/integrations/new-integration-page.tsx')).NewIntegrationPage,
    })),
  },
  {
    path: '/integrations/:integrationId',
    page: lazy(async () => ({ default: (await import('../pages/integrations/integration-page.tsx')).IntegrationPage })),
  },
  {
    path: '/webhooks',
    page: lazy(async () => ({ default: (await import('../pages/webhooks/webhooks-page.tsx')).WebhooksPage })),
  },
  {
    path: '/webhooks/:endpointId',
    page: lazy(async () => ({ default: (await import('../pages/webhooks/webhook-page.tsx')).WebhookPage })),
  },
  {
    path: '/layouts',
    page: lazy(async () => ({ default: (await import('../pages/layouts/layouts-page.tsx')).LayoutsPage })),
  },
  {
    path: '/layouts/:layoutId',
    page: lazy(async () => ({ default: (await import('../pages/layouts/layout-page.tsx')).LayoutPage })),
  },
  {
    path: '/translations',
    page: lazy(async () => ({
      default: (await import('../pages/translations/translations-page.tsx')).TranslationsPage,
    })),
  },
  {
    path: '/translations/:resourceType/:resourceId',
    page: lazy(async () => ({ default: (await import('../pages/translations/translation-page.tsx')).TranslationPage })),
  },
  {
    path: '/tenants',
    page: lazy(async () => ({ default: (await import('../pages/tenants/tenants-page.tsx')).TenantsPage })),
  },
  {
    path: '/tenants/:identifier',
    page: lazy(async () => ({ default: (await import('../pages/tenants/tenant-page.tsx')).TenantPage })),
  },
  {
    path: '/contexts',
    page: lazy(async () => ({ default: (await import('../pages/contexts/contexts-page.tsx')).ContextsPage })),
  },
  {
    path: '/contexts/:type/:id',
    page: lazy(async () => ({ default: (await import('../pages/contexts/context-page.tsx')).ContextPage })),
  },
  {
    path: '/environments',
    page: lazy(async () => ({
      default: (await import('../pages/environments/environments-page.tsx')).EnvironmentsPage,
    })),
  },
  {
    path: '/environment-variables',
    page: lazy(async () => ({ default: (await import('../pages/variables/variables-page.tsx')).VariablesPage })),
  },
  {
    path: '/people',
    page: lazy(async () => ({ default: (await import('../pages/people/people-page.tsx')).PeoplePage })),
  },
  {
    path: '/audit',
    page: lazy(async () => ({ default: (await import('../pages/audit/audit-page.tsx')).AuditPage })),
  },
  {
    path: '/account',
    page: lazy(async () => ({ default: (await import('../pages/account/account-page.tsx')).AccountPage })),
  },
  { path: '*', page: lazy(async () => ({ default: (await import('../pages/missing/missing-page.tsx')).MissingPage })) },
]
