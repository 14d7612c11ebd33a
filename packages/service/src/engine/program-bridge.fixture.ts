import {
  isOfClass,
  type JsonObject,
  type NextEvent,
  type NextReply,
  type RetryData,
  type StepManifest,
  type StepReply,
  type StepType,
} from '@trestle/protocol'
import { toEmptyResult } from '@trestle/run-rules'
import type { BridgeFailure, BridgeOutcome, BridgePort } from '../bridge/bridge-call.ts'

/**
 * Calls a step in a program. The handler returns the outputs, returns `undefined` to skip the step, or throws to fail
 * it.
 */
export type StepCall = (
  stepId: string,
  type: StepType,
  handler?: () => Handled | Promise<Handled>,
) => Promise<JsonObject>

type Handled = JsonObject | undefined

/** The error of a handler whose step is retried. */
export class RetriedError extends Error {
  readonly retry: Partial<RetryData>

  constructor(retry: Partial<RetryData>) {
    super('not now')
    this.retry = retry
  }
}

/** A test's workflow function. */
export type Program = (run: {
  readonly step: StepCall
  readonly payload: JsonObject
  /** Says that the program receives the failure of a step, as with `onFailure: 'return'`. */
  readonly handleFailure: (stepId: string) => unknown
}) => unknown

/** A call that the bridge received. */
export interface ProgramCall {
  /** The requested step; `undefined` if the call asked for the next one. */
  readonly stepId: string | undefined
  /** The event of the call. */
  readonly event: Omit<Partial<NextEvent>, 'env'>
}

/** A bridge that runs programs and decides the next step. */
export interface ProgramBridge extends BridgePort {
  /** The programs by workflow. */
  readonly programs: Map<string, Program>
  /** The calls, in order. */
  readonly calls: ProgramCall[]
  /** The step ids of the handlers that ran, in order. */
  readonly ran: string[]
  /** Whether replies report the final step, as a bridge does for functions that await only steps. @default false */
  reportsFinal: boolean
  /** Called before each reply. May return an outcome to replace that of the program. */
  onCall: (call: ProgramCall) => unknown
}

const looseMs = 30

export function createProgramBridge(programs: Readonly<Record<string, Program>> = {}): ProgramBridge {
  async function answer<TReply>(
    call: ProgramCall,
    play: () => Promise<Answer<TReply>>,
  ): Promise<BridgeOutcome<TReply>> {
    bridge.calls.push(call)
    const record = { url: 'program', request: {}, reply: {}, status: 200, durationMs: 0, attempts: [] }
    const instead = (await bridge.onCall(call)) as Answer<TReply> | undefined
    return { record, ...(instead ?? (await play())) }
  }
  const open = (workflowId: string, event: ProgramCall['event']) => {
    const program = bridge.programs.get(workflowId)
    if (!program) throw new Error(`There is no program "${workflowId}".`)
    return replay(program, event, bridge)
  }
  const bridge: ProgramBridge = {
    programs: new Map(Object.entries(programs)),
    calls: [],
    ran: [],
    reportsFinal: false,
    onCall: () => undefined,
    callStep: ({ workflowId, stepId, event }) =>
      answer<StepReply>({ stepId, event }, () => open(workflowId, event).runStep(stepId)),
    callRun: ({ workflowId, event }) =>
      answer<NextReply>({ stepId: undefined, event }, () => open(workflowId, event).goOn()),
  }
  return bridge
}

interface Answer<TReply> {
  readonly reply?: TReply
  readonly failure?: BridgeFailure
}

interface OpenCall {
  readonly stepId: string
  readonly type: StepType
  readonly handler: () => Handled | Promise<Handled>
}

const metadata = { status: 'success', error: false, duration: 0 } as const
const turn = () => new Promise((resolve) => setImmediate(resolve))
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Runs a program with the results of an event. */
function replay(
  program: Program,
  event: ProgramCall['event'],
  { ran, reportsFinal }: Pick<ProgramBridge, 'ran' | 'reportsFinal'>,
) {
  const history = [...(event.state ?? [])].reverse()
  const taken = new Set((event.taken ?? []).map(({ stepId }) => stepId))
  const called = new Map<string, OpenCall & { readonly deliver: (result: JsonObject) => void }>()
  const delivered = new Set<string>()
  const handling = new Set<string>()
  let ended: { readonly error?: unknown } | undefined
  let changes = 0

  const step: StepCall = (stepId, type, handler = () => ({})) => {
    changes++
    return new Promise((resolve) => called.set(stepId, { stepId, type, handler, deliver: resolve }))
  }
  Promise.resolve()
    .then(() => program({ step, payload: event.payload ?? {}, handleFailure: (stepId) => handling.add(stepId) }))
    .then(
      () => ({}),
      (error: unknown) => ({ error }),
    )
    .then((end) => {
      ended = end
      changes++
    })

  /**
   * Delivers results in the order in which they were stored, one per turn of the event loop. Returns once nothing
   * changes.
   */
  async function rest(): Promise<void> {
    for (let still = 0; still < 3; still++) {
      const before = changes
      await turn()
      const next = history.find(({ stepId }) => !delivered.has(stepId))
      const call = next && called.get(next.stepId)
      if (next && call) {
        delivered.add(next.stepId)
        call.deliver(next.outputs)
        changes++
      }
      if (changes !== before) still = -1
    }
  }

  /** Waits until the program has been inactive for this long. */
  async function silence(ms: number): Promise<void> {
    for (let endMs = Date.now() + ms; ; ) {
      const before = changes
      await rest()
      if (changes !== before) endMs = Date.now() + ms
      const isHeld = history.some(({ stepId }) => !delivered.has(stepId))
      if (findOpen().length > 0 || (Date.now() >= endMs && (ended !== undefined || awaitsTaken()) && !isHeld)) return
      if (isHeld && Date.now() >= endMs + looseMs) {
        // A step was removed from the program, so its stored result is dropped.
        const lost = history.findIndex(({ stepId }) => !delivered.has(stepId))
        history.splice(lost, 1)
        continue
      }
      await pause(1)
    }
  }
  const findOpen = () =>
    [...called.values()].filter(({ stepId }) => !taken.has(stepId) && !history.some((one) => one.stepId === stepId))
  const awaitsTaken = () => [...called.keys()].some((stepId) => taken.has(stepId))
  const findHandled = (): { readonly handled?: readonly string[] } => {
    const failed = (event.state ?? []).filter(({ state }) => state.status === 'failed').map(({ stepId }) => stepId)
    const handled = failed.filter((stepId) => handling.has(stepId))
    return handled.length > 0 ? { handled } : {}
  }
  const describe = (): { readonly steps?: readonly StepManifest[] } => {
    const steps = (event.describe ?? []).flatMap((stepId) => called.get(stepId) ?? []).map(toManifest)
    return steps.length > 0 ? { steps } : {}
  }

  async function run({ stepId, type, handler }: OpenCall): Promise<Answer<StepReply>> {
    ran.push(stepId)
    try {
      const outputs = await handler()
      return {
        reply: {
          outputs: outputs ?? {},
          providers: {},
          options: { skip: outputs === undefined },
          metadata: { ...metadata, ...findHandled() },
        },
      }
    } catch (error) {
      const message = `Step "${stepId}" failed: ${String(error)}`
      const data = { stepId, type, ...(error instanceof RetriedError && error.retry) }
      return { failure: { code: 'StepExecutionFailedError', status: 502, message, data } }
    }
  }

  /** Returns whether the program ends, without another step, once a step has completed. */
  async function isFinal({ stepId, type }: OpenCall, reply: StepReply | undefined): Promise<boolean> {
    if (!reportsFinal || event.final !== true || !reply || reply.options.skip) return false
    const outputs = isOfClass(type, 'message') ? toEmptyResult(type) : reply.outputs
    const state = [{ stepId, outputs, state: { status: 'completed' } }, ...(event.state ?? [])]
    return replay(program, { ...event, state }, { ran, reportsFinal: false }).ends()
  }

  return {
    async ends(): Promise<boolean> {
      await rest()
      return ended !== undefined && !('error' in ended) && findOpen().length === 0
    },
    async goOn(): Promise<Answer<NextReply>> {
      await rest()
      if (findOpen().length === 0) await silence(event.wait ?? 0)
      const open = findOpen().map(({ stepId, type }) => ({ stepId, type }))
      const [only] = findOpen()
      const replyMetadata = { ...metadata, ...describe() }
      if (only && open.length === 1 && taken.size === 0) {
        const { reply, failure } = await run(only)
        const { stepId, type } = only
        return failure
          ? { failure }
          : {
              reply: {
                step: { stepId, type },
                ...reply,
                metadata: {
                  ...replyMetadata,
                  ...findHandled(),
                  ...((await isFinal(only, reply)) && { final: true }),
                },
              } as NextReply,
            }
      }
      if (open.length > 0) return { reply: { open, metadata: replyMetadata } }
      const isThrown = ended !== undefined && 'error' in ended
      if (isThrown && taken.size === 0) return { failure: toFailure(ended?.error) }
      return {
        reply:
          ended && !isThrown
            ? { done: true, ...findHandled(), metadata: replyMetadata }
            : { open: [], metadata: replyMetadata },
      }
    },
    async runStep(stepId: string): Promise<Answer<StepReply>> {
      for (let endMs = Date.now() + looseMs; ; ) {
        const before = changes
        await rest()
        const call = called.get(stepId)
        if (call) return run(call)
        if (changes !== before || ended === undefined) endMs = Date.now() + looseMs
        if (Date.now() >= endMs)
          return {
            reply: { outputs: {}, providers: {}, options: { skip: true }, metadata: { ...metadata, reached: false } },
          }
        await pause(1)
      }
    },
  }
}

function toFailure(error: unknown): BridgeFailure {
  return { code: 'WorkflowExecutionFailedError', status: 502, message: String(error), data: null }
}

function toManifest({ stepId, type }: OpenCall): StepManifest {
  const schema = { schema: { title: stepId } }
  return {
    ...{ stepId, type, controls: schema, outputs: schema, results: schema, providers: [] },
    ...{ options: { disableOutputSanitization: false }, conditional: false, parallelGroup: 0 },
  }
}
