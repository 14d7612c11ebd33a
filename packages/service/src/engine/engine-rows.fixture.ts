import type { StepType } from '@trestle/protocol'
import type { BridgeTarget } from '../bridge/bridge-target.ts'
import { blankWorkflow } from '../store/blank-rows.ts'
import { createId } from '../store/create-id.ts'
import type { Store } from '../store/store.ts'

/** A step of a test workflow. */
export interface TestStep {
  readonly stepId: string
  readonly type: StepType
  /** Steps with the same group run in parallel. */
  readonly parallelGroup?: number
}

export interface TestWorkflow {
  readonly identifier: string
  readonly steps: readonly TestStep[]
  /** 1 if the bridge decides the next step. @default 0 */
  readonly next?: 0 | 1
}

/** Stores an environment, and returns the target for calls of its bridge. */
export async function addEnvironment(store: Store, bridgeUrl: string | null): Promise<BridgeTarget> {
  const environmentId = createId(0)
  await store.db
    .insertInto('environments')
    .values({
      id: environmentId,
      name: 'Development',
      parentId: null,
      applicationIdentifier: environmentId,
      color: null,
      bridgeUrl,
      syncedAt: null,
      extra: '{}',
      createdAt: 0,
      updatedAt: 0,
    })
    .execute()
  const name = 'Development'
  return {
    environmentId,
    name,
    type: 'dev',
    secretKey: 'secret',
    bridgeUrl,
    variables: {},
    secretKeys: [],
    secrets: [],
  }
}

/** Stores a workflow as if it had been synced, and returns its row id. */
export async function addWorkflow(
  store: Store,
  { environmentId }: BridgeTarget,
  { identifier, steps, next = 0 }: TestWorkflow,
): Promise<string> {
  const id = createId(0)
  const stored = steps.map(({ stepId, type, parallelGroup }, index) => {
    const rest = { controlSchema: {}, conditional: false, extra: {} }
    return { id: `${id}${index}`, stepId, name: stepId, type, parallelGroup: parallelGroup ?? null, ...rest }
  })
  await store.db
    .insertInto('workflows')
    .values({
      id,
      environmentId,
      identifier,
      name: identifier,
      ...blankWorkflow,
      origin: 'external',
      active: 1,
      next,
      steps: JSON.stringify(stored),
      createdAt: 0,
      updatedAt: 0,
    })
    .execute()
  return id
}
