import type { BridgeClient } from '@trestle/bridge-client'
import type { StepReply, WorkflowManifest } from '@trestle/protocol'
import { type BridgeProblem, describeFailure } from '../bridge/describe-failure.ts'
import { isRendered } from '../bridge/is-rendered.ts'
import { readFixtures } from '../preview/fixtures.ts'

/** A step of a version, rendered with a fixture. */
export interface RenderedStep {
  readonly workflowId: string
  readonly stepId: string
  readonly type: string
  readonly fixture: string
  /** Undefined if it could not be rendered. */
  readonly reply: Pick<StepReply, 'outputs' | 'providers'> | undefined
  readonly problem: BridgeProblem | undefined
}

/** A version to render. */
export interface Version {
  readonly client: Pick<BridgeClient, 'preview'>
  readonly workflows: readonly WorkflowManifest[]
  /** The folder of fixtures. */
  readonly fixtures: string
  readonly signal: AbortSignal
}

/** Returns every step of every workflow of a version with each of its fixtures, in order. */
export async function renderVersion({
  client,
  workflows,
  fixtures,
  signal,
}: Version): Promise<readonly RenderedStep[]> {
  const rendered: RenderedStep[] = []
  for (const workflow of workflows) {
    const { workflowId, steps } = workflow
    const cases = readFixtures(fixtures, workflow)
    for (const { stepId, type } of steps.filter(isRendered))
      for (const { name: fixture, event, controls } of cases) {
        const place = { workflowId, stepId, type, fixture }
        const filled = { ...event, controls: controls[stepId] ?? {} }
        try {
          const { outputs, providers } = await client.preview({ workflowId, stepId, event: filled }, { signal })
          rendered.push({ ...place, reply: { outputs, providers }, problem: undefined })
        } catch (error) {
          const problem = describeFailure(error)
          if (!problem) throw error
          rendered.push({ ...place, reply: undefined, problem })
        }
      }
  }
  return rendered
}
