import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { HomePage } from '../pages/home/home-page.tsx'

/** A page, read when it is first opened. */
export type LazyPage = LazyExoticComponent<ComponentType> | ComponentType

/** A page with its path; parameters such as `:workflowId` are read by `useParams` of wouter. */
export interface Route {
  /** Path within the studio. */
  readonly path: string
  /** The page. */
  readonly page: LazyPage
}

/** All pages, a line each. Only the first page is part of the first load. */
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
  { path: '*', page: lazy(async () => ({ default: (await import('../pages/missing/missing-page.tsx')).MissingPage })) },
]
