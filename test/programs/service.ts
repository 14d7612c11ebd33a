import { AsyncLocalStorage } from 'node:async_hooks'
import { createBridge, type WorkflowDefinition, workflow } from '@trestle/core'
import type { StepManifest, StepState } from '@trestle/protocol'
import { signedRequest } from '@trestle/testing'
import { z } from 'zod'
import { type Dice, hasEach, toData, toDone } from './draw.ts'
import type { Kind, Node, Numbered, StepNode } from './program.ts'
import { type Data, type Done, play } from './reference.ts'
import { toSource } from './source.ts'

const secretKey = 'programs-secret'
// A run that awaits other work in addition to steps may get its response only at the deadline.
const timeoutMs = { steps: 4500, other: 2500 }

// How often the service retries if a busy machine exceeded the time limit of a call.
const maxAttempts = 50

/**
 * The handlers that ran in a call, and the outcomes of steps. One storage for all bridges, because each async storage
 * slows down every promise in the process.
 */
const calls = new AsyncLocalStorage<{
  readonly ran: string[]
  readonly results: ReadonlyMap<string, Done>
  readonly failing?: ReadonlySet<string> | undefined
}>()

/** How often a failed step is called again, which the failure says. */
export const retries = 3

/** A bridge that serves one program, and its responses. */
export interface Mounted {
  discover(): Promise<{
    readonly complete: boolean
    readonly steps: readonly StepManifest[]
    readonly warnings: readonly { code: string; message: string }[]
    readonly text: string
  }>
  ask(stepId: string, event: AskEvent): Promise<Answer>
  preview(stepId: string): Promise<Answer>
  /** Calls the bridge as a run-driven service does: for the next steps, or for a named step. */
  next(asked: NextAsk): Promise<Answer>
  readonly log: string[]
}

/** The data of a call. */
export interface AskEvent {
  readonly data: Data
  readonly done: readonly Done[]
  readonly results: ReadonlyMap<string, Done>
}

/** A call made by a run-driven service. */
export interface NextAsk extends AskEvent {
  /** The named step; if omitted, the call requests the next steps. */
  readonly stepId?: string
  readonly taken: readonly string[]
  readonly wait: number
  /** The steps whose handlers throw. @default none */
  readonly failing?: ReadonlySet<string>
}

/** A response, and the handlers that ran for it. */
export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: an answer of any shape.
  readonly body: any
  readonly ran: readonly string[]
}

const flag = { type: 'boolean' }
const text = { type: 'string' }
const jsonSchema = {
  type: 'object',
  properties: {
    ...{ flag0: flag, flag1: flag, flag2: flag, text0: text, text1: text, text2: text },
    ...Object.fromEntries([0, 1, 2].map((at) => [`choice${at}`, { enum: ['a', 'b', 'c'] }])),
    ...Object.fromEntries([0, 1, 2].map((at) => [`count${at}`, { type: 'number' }])),
    items: { type: 'array', items: { type: 'object', properties: { id: text }, required: ['id'] } },
  },
}
const required = Object.keys(jsonSchema.properties)
const choice = z.enum(['a', 'b', 'c'])
const zodSchema = z.object({
  ...{ flag0: z.boolean(), flag1: z.boolean(), flag2: z.boolean(), text0: z.string(), text1: z.string() },
  ...{ text2: z.string(), choice0: choice, choice1: choice, choice2: choice, count0: z.number(), count1: z.number() },
  count2: z.number(),
  items: z.array(z.object({ id: z.string() })),
})
const schemas = { json: { ...jsonSchema, required }, zod: zodSchema, none: undefined }

/** Creates a workflow from a program's text, so that its source contains the literals as in an app. */
export function toWorkflow(id: string, source: string, schema: Numbered['schema']): WorkflowDefinition {
  const helpers = {
    turn: () => new Promise((resolve) => setImmediate(resolve)),
    sleep: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
    ran: (id: string) => {
      calls.getStore()?.ran.push(id)
      if (calls.getStore()?.failing?.has(id)) throw new Error('not now')
    },
    result: (id: string) => calls.getStore()?.results.get(id)?.outputs ?? {},
  }
  const run = new Function(...Object.keys(helpers), `return ${source}`)(...Object.values(helpers))
  const payloadSchema = schemas[schema] as typeof zodSchema
  return workflow(id, run, { retries, ...(payloadSchema && { payloadSchema }) })
}

/** Mounts a program like an app, and calls it like the service. */
export function mount(source: string, schema: Numbered['schema']): Mounted {
  const log: string[] = []
  const bridge = createBridge({
    workflows: [toWorkflow('program', source, schema)],
    secretKey,
    strictAuthentication: true,
    timeoutMs: source.includes('await sleep(') || source.includes('await turn()') ? timeoutMs.other : timeoutMs.steps,
    logger: {
      warn: (_details, message) => void log.push(message),
      error: (_details, message) => void log.push(message),
    },
  })
  const send = async (call: Parameters<typeof signedRequest>[0]): Promise<{ status: number; text: string }> => {
    const { url, ...rest } = await signedRequest(call, { secretKey })
    const reply = await bridge.fetch(new Request(url, rest))
    return { status: reply.status, text: await reply.text() }
  }
  const callStep = async (
    action: 'execute' | 'preview',
    stepId: string,
    event: AskEvent | undefined,
  ): Promise<Answer> => {
    const ran: string[] = []
    const body = event ? { ...event.data, state: toState(event.done) } : {}
    const reply = await calls.run({ ran, results: event?.results ?? new Map() }, () =>
      send({ action, workflowId: 'program', stepId, body }),
    )
    return { status: reply.status, body: JSON.parse(reply.text), ran }
  }
  const next = async ({ stepId, data, done, results, taken, wait, failing }: NextAsk): Promise<Answer> => {
    const ran: string[] = []
    const form = { next: true, runId: 'run', taken: taken.map((id) => ({ stepId: id })), wait, final: true }
    const reply = await calls.run({ ran, results, failing }, () =>
      send({
        action: 'execute',
        workflowId: 'program',
        ...(stepId !== undefined && { stepId }),
        body: { ...data, state: toState(done), ...form },
      }),
    )
    return { status: reply.status, body: JSON.parse(reply.text), ran }
  }
  return {
    log,
    next,
    async discover() {
      let reply = await send({ action: 'discover' })
      // Discovery continues after the deadline of a call has passed.
      for (let attempt = 1; attempt < maxAttempts && reply.text.includes('could not be discovered in time'); attempt++)
        reply = await send({ action: 'discover' })
      const body = JSON.parse(reply.text)
      if (reply.status !== 200) throw new Error(`discover: ${reply.status} ${body.message}`)
      const [{ steps, complete, warnings = [] }] = body.workflows
      return { steps, complete, warnings, text: reply.text }
    },
    ask: (stepId, event) => callStep('execute', stepId, event),
    preview: (stepId) => callStep('preview', stepId, undefined),
  }
}

function toState(done: readonly Done[]): StepState[] {
  return done
    .map(({ id, status, outputs }) => ({ stepId: id, outputs, state: { status } }) as unknown as StepState)
    .toReversed()
}

interface Case {
  readonly numbered: Numbered
  readonly mounted: Mounted
  readonly steps: ReadonlyMap<string, StepNode>
  readonly data: Data
  readonly results: ReadonlyMap<string, Done>
  readonly listed: readonly string[]
  /** The steps that discovery found; other listed steps were learned from calls. */
  readonly discovered: ReadonlySet<string>
  readonly hasPauses: boolean
  /** Whether the list is declared complete. */
  readonly isComplete: boolean
}

/** The differences from the reference, in words. */
export type Faults = string[]

/** The prefix for faults that are reported: the bridge rejected a call with 400 and named the missing step. */
export const refused = 'refused: '

/** Runs a program through its bridge like a correct service. */
export async function judge(numbered: Numbered, dice: Dice): Promise<Faults> {
  const source = toSource(numbered)
  const mounted = mount(source, numbered.schema)
  const faults: Faults = []
  const discovery = await mounted.discover()
  const hasPauses = source.includes('await sleep(') || source.includes('await turn()')
  // Another process must produce the same bytes; not checked for every program, because it is half of the work. If a
  // timer and the event loop decide which of two branches is first, the function itself differs.
  const isRepeatable = !source.includes('await sleep(')
  const again = dice.pick([true, false, false, false]) && isRepeatable ? mount(source, numbered.schema) : undefined
  const other = await again?.discover()
  if (other && discovery.text !== other.text) faults.push('discover differs in another process')
  const steps = stepsOf(numbered)
  let listed = discovery.steps.map(({ stepId }) => stepId)
  const discovered = new Set(listed)
  const groups = new Map(discovery.steps.map(({ stepId, parallelGroup }) => [stepId, parallelGroup]))
  const warned = discovery.warnings.map(({ code }) => code)
  for (let round = 0; round < 2; round++) {
    const data = toData(numbered, dice)
    const results = new Map([...steps].map(([id, { kind }]) => [id, toDone({ id, kind }, numbered, dice)]))
    const base = { numbered, mounted, steps, data, results, discovered, hasPauses, isComplete: discovery.complete }
    for (let attempt = 0; attempt < 12; attempt++) {
      const roundResult = await playRound(
        { ...base, listed },
        { dice, faults, isOrdered: discovery.complete && !warned.includes('StepOrderDependsOnData') },
      )
      if (!roundResult.learned) break
      const next = (await mounted.discover()).steps.map(({ stepId }) => stepId)
      if (!next.includes(roundResult.learned)) {
        faults.push(`"${roundResult.learned}" was reached and is still not listed`)
        break
      }
      listed = next
    }
    if (faults.length > 0) break
  }
  faults.push(...checkGroups(numbered, groups))
  return faults
}

interface Expected {
  readonly stepId: string
  readonly done: readonly Done[]
  readonly must: 'run' | 'skip' | 'block' | 'never'
  readonly sees: readonly unknown[] | undefined
}

async function playRound(
  input: Case,
  { dice, faults, isOrdered }: { readonly dice: Dice; readonly faults: Faults; readonly isOrdered: boolean },
): Promise<{ readonly learned?: string }> {
  const { numbered, data, results, listed } = input
  const asks: Expected[] = []
  const done: Done[] = []
  for (const stepId of listed) {
    const outcome = play(numbered, data, done)
    const unlisted = outcome.open.find((id) => !listed.includes(id))
    if (unlisted !== undefined && !outcome.open.includes(stepId)) {
      // Steps that discovery missed must be reported, and listed from then on.
      const { status, body } = await input.mounted.ask(stepId, { data, done, results })
      if (status === 400 && body.data?.stepId === unlisted) {
        if (!mayMiss(input, unlisted)) faults.push(`${refused}"${unlisted}" was not listed`)
        return { learned: unlisted }
      }
    }
    const runs = outcome.open.includes(stepId)
    const isLater = !runs && comes(input, done, stepId)
    // In an incomplete list, a step may be too early; the bridge then rejects it.
    if (isLater && unlisted === undefined && isOrdered && !input.hasPauses)
      faults.push(`${refused}"${stepId}" is listed before what it waits for`)
    const must = runs ? 'run' : isLater ? 'block' : unlisted === undefined ? 'skip' : 'never'
    asks.push({ stepId, done: [...done], must, sees: outcome.sees.get(stepId) })
    // No code runs after a rejected step.
    if (must === 'block') break
    const result = results.get(stepId)
    if (runs && result) done.push(result)
    else if (dice.pick([true, false])) done.push({ id: stepId, status: 'skipped', outputs: {} })
  }
  const end = play(numbered, data, done)
  const isBlocked = asks.some(({ must }) => must === 'block')
  for (const id of isBlocked ? [] : end.open) if (!mayMiss(input, id)) faults.push(`"${id}" must run and is not listed`)
  if (faults.length > 0) return {}
  const more = Array.from({ length: listed.length > 0 ? 6 : 0 }, () => outOfOrder(input, done, dice))
  // Twice, in parallel, and in any order.
  const all = [...asks, ...asks.filter(() => dice.pick([true, false])), ...more]
  await inParallel(all, async (asked) => {
    const fault = await check(input, asked)
    if (fault)
      faults.push(
        `${fault} [asked "${asked.stepId}" with ${asked.done.map(({ id, status }) => `${id}:${status}`).join(' ')}, must ${asked.must}]`,
      )
  })
  return {}
}

/** Creates a call with missing entries, or for a step that is out of order. */
function outOfOrder({ numbered, data, results, listed }: Case, all: readonly Done[], dice: Dice): Expected {
  const ran = all.filter(({ id, status }) => !(status === 'skipped' && results.get(id)?.status !== 'skipped'))
  const count = dice.pick([0, 1, 2, 3, ran.length - 1, ran.length])
  const kept = ran.slice(0, Math.max(0, count))
  const done = dice.pick([true, false]) ? kept : kept.filter(() => dice.pick([true, true, false]))
  const stepId = dice.pick(listed)
  const usable = done.filter(({ id }) => id !== stepId)
  const outcome = play(numbered, data, usable)
  const sees = outcome.sees.get(stepId)
  if (outcome.open.includes(stepId)) return { stepId, done: usable, must: 'run', sees }
  return { stepId, done: usable, must: comes({ numbered, data, results }, usable, stepId) ? 'block' : 'never', sees }
}

/** Whether a step comes after the open steps, in any order. */
function comes(
  { numbered, data, results }: Pick<Case, 'numbered' | 'data' | 'results'>,
  from: readonly Done[],
  stepId: string,
): boolean {
  const done = [...from]
  for (let count = 0; count < 200; count++) {
    const { open, called } = play(numbered, data, done)
    if (called.includes(stepId)) return true
    const next = open.map((id) => results.get(id)).find((one) => one !== undefined)
    if (!next) return false
    done.push(next)
  }
  return false
}

async function check(input: Case, { stepId, done, must, sees }: Expected): Promise<string | undefined> {
  const ask = (): Promise<Answer> => input.mounted.ask(stepId, { data: input.data, done, results: input.results })
  let answer = await ask()
  // A busy machine may exceed the time limit of a call: then the service retries, as long as nothing has run.
  for (let attempt = 1; attempt < maxAttempts && answer.status === 504 && answer.ran.length === 0; attempt++) {
    if (must !== 'run' && input.hasPauses) break
    answer = await ask()
  }
  const { status, body, ran } = answer
  const said = `${status} ${body.code ?? JSON.stringify(body.options)} ${body.message ?? ''}`
  const skipped = status === 200 && body.options.skip === true
  if (must === 'run') {
    if (skipped) return 'LOST: it was skipped'
    if (status === 400 && body.code === 'ExecutionStateCorruptError') return `${refused}it did not run: ${said}`
    if (status !== 200) return `did not run: ${said}`
    if (ran.join() !== stepId) return `its handlers ran otherwise: ${ran.join()}`
    const { kind } = stepOf(input.steps, stepId)
    const seen = shownOf(kind, body.outputs)
    if (seen !== undefined && seen !== JSON.stringify(sees)) return `saw ${seen} instead of ${JSON.stringify(sees)}`
    return undefined
  }
  if (ran.length > 0) return `ran and must not: ${ran.join()}`
  if (must === 'skip' && (skipped || (status === 504 && input.hasPauses))) return undefined
  if (must === 'skip') {
    if (await isSkippedLater(input, { stepId, done }, answer)) return undefined
    const isRefused = status === 400 && body.code === 'ExecutionStateCorruptError'
    return `${isRefused ? refused : ''}was not skipped: ${said}`
  }
  if (skipped) return must === 'block' ? 'LOST: it was skipped and comes later' : undefined
  if (status === 400 && body.code === 'ExecutionStateCorruptError') return undefined
  // If other work runs in parallel to the steps, only the deadline decides.
  return status === 504 && input.hasPauses ? undefined : `was neither skipped nor blocked: ${said}`
}

/**
 * A step that discovery never found, in a function that can only run four times: the bridge cannot prove that it is not
 * reached, and names the open step instead. According to the protocol, the service then runs that one first. The bridge
 * can name open steps one by one; at the end the step is skipped and all others have run.
 */
async function isSkippedLater(
  input: Case,
  { stepId, done }: Pick<Expected, 'stepId' | 'done'>,
  { status, body }: Answer,
): Promise<boolean> {
  const { mounted, numbered, data, results, discovered, hasPauses, listed } = input
  const named: string = body.data?.stepId
  const result = results.get(named)
  const isNext = play(numbered, data, done).open.includes(named) && listed.includes(named)
  if (!(hasPauses && !discovered.has(stepId) && status === 400 && isNext && result)) return false
  const fault = await check(input, {
    stepId: named,
    done,
    must: 'run',
    sees: play(numbered, data, done).sees.get(named),
  })
  if (fault) return false
  const more = [...done, result]
  const next = await mounted.ask(stepId, { data, done: more, results })
  if (next.ran.length > 0) return false
  const isOver = next.status === 200 ? next.body.options.skip === true : next.status === 504
  return isOver || isSkippedLater(input, { stepId, done: more }, next)
}

/** The earlier results that a handler received. */
export function shownOf(kind: Kind, outputs: Record<string, unknown>): unknown {
  if (kind === 'custom') return outputs['see']
  if (kind === 'digest') return outputs['digestKey']
  if (kind === 'throttle') return outputs['throttleKey']
  if (kind === 'trigger') return outputs['to']
  if (kind === 'waitForEvent') return (outputs['match'] as Record<string, unknown>)['see']
  return outputs['body']
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += 16) await Promise.all(items.slice(start, start + 16).map(work))
}

function stepOf(steps: ReadonlyMap<string, StepNode>, id: string): StepNode {
  return steps.get(id) as StepNode
}

/**
 * Returns whether an incomplete list can omit a step: those after more than three conditions, and items. These steps
 * must be learned from calls.
 */
function mayMiss({ steps, numbered: { body }, isComplete }: Case, id: string): boolean {
  if (isComplete) return false
  const { conditions } = stepOf(steps, id)
  const text = JSON.stringify(body)
  // 32 runs do not combine lists with all other conditions of a function.
  const isItemAmongMany = id.startsWith('item') && text.split('"atom":').length - 1 > 3
  // A function that awaits more than steps is run only four times.
  return (
    isItemAmongMany ||
    text.includes('"do":"pause"') ||
    conditions > 3 ||
    (id.startsWith('item') && hasEach(body) && conditions > 2)
  )
}

/** All steps of a program by id. */
export function stepsOf({ body }: Numbered): ReadonlyMap<string, StepNode> {
  const steps = new Map<string, StepNode>()
  const add = (step: StepNode, suffix = ''): void => void steps.set(`${step.id}${suffix}`, step)
  const look = (node: Node): void => {
    if (node.do === 'repeat' || node.do === 'until') for (let at = 0; at < node.times; at++) add(node.step, `-k${at}`)
    else if (node.do === 'each' || node.do === 'fan') for (let at = 0; at < 60; at++) add(node.step, `-${at}`)
    else if (node.do === 'race') {
      add(node.racer)
      add(node.timeout)
    } else if ('step' in node) add(node.step)
    for (const list of Object.values(node).filter(Array.isArray).flat() as readonly (Node | Node[])[])
      for (const inner of [list].flat()) if (typeof inner === 'object' && 'do' in inner) look(inner)
  }
  body.forEach(look)
  return steps
}

/** Steps of one sequence are never in the same group. */
function checkGroups({ body }: Numbered, groups: ReadonlyMap<string, number>): Faults {
  const faults: Faults = []
  const look = (nodes: readonly Node[]): void => {
    const sequence = nodes.flatMap((node) => (node.do === 'step' ? [node.step.id] : []))
    const numbers = sequence.flatMap((id) => (groups.has(id) ? [groups.get(id)] : []))
    if (new Set(numbers).size < numbers.length)
      faults.push(`steps one after the other share a group: ${sequence.join()}`)
    for (const node of nodes)
      for (const list of Object.values(node).filter(Array.isArray) as readonly (readonly Node[] | readonly Node[][])[])
        for (const inner of list)
          if (Array.isArray(inner)) look(inner)
          else if (typeof inner === 'object' && 'do' in inner) {
            look(list as readonly Node[])
            break
          }
  }
  look(body)
  return faults
}
