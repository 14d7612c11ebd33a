import type { BridgeOptions } from './bridge/bridge-options.ts'
import { createBridge } from './http/create-bridge.ts'
import type { Step } from './workflow/steps/step-kinds.ts'
import { type WorkflowDefinition, workflow } from './workflow/workflow.ts'

/** A bridge reply with its parsed JSON body. */
export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape.
  readonly body: any
}

/** The parts of an event that a test cares about. */
export interface Ask {
  readonly step?: string
  readonly workflow?: string
  readonly action?: string
  readonly payload?: unknown
  readonly controls?: unknown
  readonly subscriber?: unknown
  readonly env?: unknown
  readonly context?: unknown
  readonly actor?: unknown
  readonly jobId?: string
  /** Stored outputs by step id, newest first; a string is a status without outputs. */
  readonly state?: Readonly<Record<string, unknown>>
  readonly options?: BridgeOptions
}

/** Sends one call to a bridge that accepts unsigned calls. */
export async function ask(
  workflows: WorkflowDefinition | readonly WorkflowDefinition[],
  asked: Ask = {},
): Promise<Answer> {
  const list = Array.isArray(workflows) ? workflows : [workflows]
  const bridge = createBridge({ workflows: list, strictAuthentication: false, logger: silent, ...asked.options })
  return askBridge(bridge, { workflow: list[0]?.id, ...asked })
}

/** Sends one call to a given bridge. */
export async function askBridge(bridge: ReturnType<typeof createBridge>, asked: Ask): Promise<Answer> {
  const { action = 'execute', step, workflow: workflowId, state = {}, options: _options, ...event } = asked
  const query = new URLSearchParams({ action })
  if (workflowId !== undefined) query.set('workflowId', workflowId)
  if (step !== undefined) query.set('stepId', step)
  const get = action === 'discover' || action === 'health-check'
  const reply = await bridge.handle({
    method: get ? 'GET' : 'POST',
    url: `/?${query}`,
    header: (name) => (name === 'content-type' ? 'application/json' : undefined),
    readBody: () => ({
      bytes: new TextEncoder().encode(JSON.stringify({ payload: {}, ...event, state: toState(state) })),
      exact: true,
    }),
  })
  return { status: reply.status, body: JSON.parse(reply.body) }
}

/**
 * Discovers a workflow, and continues if a busy machine did not have time for all of it at once.
 *
 * @param wanted - The requested steps: discovery ends once all of them are found. @default all steps
 */
export async function discoverWhole(workflow: WorkflowDefinition, wanted?: readonly string[]): Promise<Answer> {
  // The results of discovery are cached per bridge.
  const bridge = createBridge({ workflows: [workflow], strictAuthentication: false, logger: silent })
  const discover = (): Promise<Answer> => askBridge(bridge, { workflow: workflow.id, action: 'discover' })
  const isLate = ({ body }: Answer): boolean => !body.workflows || JSON.stringify(body).includes('ran out of time')
  const isEnough = ({ body }: Answer): boolean => {
    const ids: readonly string[] = body.workflows?.[0]?.steps.map(({ stepId }: { stepId: string }) => stepId) ?? []
    return wanted?.every((id) => ids.includes(id)) ?? false
  }
  let answer = await discover()
  for (let again = 0; again < 12 && isLate(answer) && !isEnough(answer); again++) answer = await discover()
  return answer
}

function toState(state: Readonly<Record<string, unknown>>): unknown[] {
  return Object.entries(state).map(([stepId, outputs]) =>
    typeof outputs === 'string'
      ? { stepId, outputs: {}, state: { status: outputs } }
      : { stepId, outputs, state: { status: 'completed' } },
  )
}

/** A logger that prints nothing. */
export const silent = { warn: () => undefined, error: () => undefined }

/** A workflow with only a function, without schemas. */
export function flow(
  run: (context: { step: Step; payload: Record<string, unknown> }) => unknown,
  id = 'flow',
): WorkflowDefinition {
  return workflow(id, run as never)
}

/** A custom step handler that returns the step's id. */
export const gives = (id: string) => (): Record<string, unknown> => ({ id })
