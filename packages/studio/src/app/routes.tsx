import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { HomePage } from '../pages/home/home-page.tsx'
import type { Path } from './paths.ts'

/** A page, loaded when it is first opened. */
export type LazyPage = LazyExoticComponent<ComponentType> | ComponentType

/** A page and its path. */
export interface Route {
  /** Path within the studio. */
  readonly path: Path
  readonly page: LazyPage
}

/** All pages, in the order in which their paths are tried. Only the first page is part of the initial bundle. */
const pages: Readonly<Record<Path, LazyPage>> = {
  '/': HomePage,
  '/workflows': lazy(async () => ({ default: (await import('../pages/workflows/workflows-page.tsx')).WorkflowsPage })),
  '/workflows/:workflowId': lazy(async () => ({
    default: (await import('../pages/workflow/workflow-page.tsx')).WorkflowPage,
  })),
  '/workflows/:workflowId/steps/:stepId': lazy(async () => ({
    default: (await import('../pages/step/step-page.tsx')).StepPage,
  })),
  '/trigger': lazy(async () => ({ default: (await import('../pages/trigger/trigger-page.tsx')).TriggerPage })),
  '/runs': lazy(async () => ({ default: (await import('../pages/runs/runs-page.tsx')).RunsPage })),
  '/runs/:runId': lazy(async () => ({ default: (await import('../pages/run/run-page.tsx')).RunPage })),
  '/agents': lazy(async () => ({ default: (await import('../pages/agents/agents-page.tsx')).AgentsPage })),
  '/agents/:agentId': lazy(async () => ({ default: (await import('../pages/agents/agent-page.tsx')).AgentPage })),
  '/agents/:agentId/conversations/:conversationId': lazy(async () => ({
    default: (await import('../pages/conversation/conversation-page.tsx')).ConversationPage,
  })),
  '/errors': lazy(async () => ({ default: (await import('../pages/errors/errors-page.tsx')).ErrorsPage })),
  '/errors/:code': lazy(async () => ({ default: (await import('../pages/errors/error-page.tsx')).ErrorPage })),
  '/outbox/:outboxId?': lazy(async () => ({ default: (await import('../pages/outbox/outbox-page.tsx')).OutboxPage })),
  '/subscribers': lazy(async () => ({
    default: (await import('../pages/subscribers/subscribers-page.tsx')).SubscribersPage,
  })),
  '/subscribers/:subscriberId': lazy(async () => ({
    default: (await import('../pages/subscribers/subscriber-page.tsx')).SubscriberPage,
  })),
  '/topics': lazy(async () => ({ default: (await import('../pages/topics/topics-page.tsx')).TopicsPage })),
  '/topics/:topicKey': lazy(async () => ({ default: (await import('../pages/topics/topic-page.tsx')).TopicPage })),
  '/domains': lazy(async () => ({ default: (await import('../pages/domains/domains-page.tsx')).DomainsPage })),
  '/domains/:domain': lazy(async () => ({ default: (await import('../pages/domains/domain-page.tsx')).DomainPage })),
  '/integrations': lazy(async () => ({
    default: (await import('../pages/integrations/integrations-page.tsx')).IntegrationsPage,
  })),
  '/integrations/new': lazy(async () => ({
    default: (await import('../pages/integrations/new-integration-page.tsx')).NewIntegrationPage,
  })),
  '/integrations/:integrationId': lazy(async () => ({
    default: (await import('../pages/integrations/integration-page.tsx')).IntegrationPage,
  })),
  '/webhooks': lazy(async () => ({ default: (await import('../pages/webhooks/webhooks-page.tsx')).WebhooksPage })),
  '/webhooks/:endpointId': lazy(async () => ({
    default: (await import('../pages/webhooks/webhook-page.tsx')).WebhookPage,
  })),
  '/layouts': lazy(async () => ({ default: (await import('../pages/layouts/layouts-page.tsx')).LayoutsPage })),
  '/layouts/:layoutId': lazy(async () => ({ default: (await import('../pages/layouts/layout-page.tsx')).LayoutPage })),
  '/translations': lazy(async () => ({
    default: (await import('../pages/translations/translations-page.tsx')).TranslationsPage,
  })),
  '/translations/:resourceType/:resourceId': lazy(async () => ({
    default: (await import('../pages/translations/translation-page.tsx')).TranslationPage,
  })),
  '/connections': lazy(async () => ({
    default: (await import('../pages/connections/connections-page.tsx')).ConnectionsPage,
  })),
  '/connections/:identifier': lazy(async () => ({
    default: (await import('../pages/connections/connection-page.tsx')).ConnectionPage,
  })),
  '/addresses': lazy(async () => ({
    default: (await import('../pages/connections/addresses-page.tsx')).AddressesPage,
  })),
  '/addresses/:identifier': lazy(async () => ({
    default: (await import('../pages/connections/address-page.tsx')).AddressPage,
  })),
  '/tenants': lazy(async () => ({ default: (await import('../pages/tenants/tenants-page.tsx')).TenantsPage })),
  '/tenants/:identifier': lazy(async () => ({
    default: (await import('../pages/tenants/tenant-page.tsx')).TenantPage,
  })),
  '/contexts': lazy(async () => ({ default: (await import('../pages/contexts/contexts-page.tsx')).ContextsPage })),
  '/contexts/:type/:id': lazy(async () => ({
    default: (await import('../pages/contexts/context-page.tsx')).ContextPage,
  })),
  '/environments': lazy(async () => ({
    default: (await import('../pages/environments/environments-page.tsx')).EnvironmentsPage,
  })),
  '/environment-variables': lazy(async () => ({
    default: (await import('../pages/variables/variables-page.tsx')).VariablesPage,
  })),
  '/people': lazy(async () => ({ default: (await import('../pages/people/people-page.tsx')).PeoplePage })),
  '/audit': lazy(async () => ({ default: (await import('../pages/audit/audit-page.tsx')).AuditPage })),
  '/account': lazy(async () => ({ default: (await import('../pages/account/account-page.tsx')).AccountPage })),
  '*': lazy(async () => ({ default: (await import('../pages/missing/missing-page.tsx')).MissingPage })),
}

/** All routes. */
export const routes: readonly Route[] = Object.entries(pages).map(([path, page]) => ({ path: path as Path, page }))
