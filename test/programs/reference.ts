import type { Bound, BoundAtom, Node, Numbered, StepNode, Test } from './program.ts'

/** The data of a run. */
export interface Data {
  readonly payload: Readonly<Record<string, unknown>> & { readonly items: readonly unknown[] }
  readonly subscriber: Readonly<Record<string, unknown>> & { readonly data?: Readonly<Record<string, unknown>> }
  readonly env: Readonly<Record<string, string>>
}

/** How a step ended. */
export interface Done {
  readonly id: string
  readonly status: string
  readonly outputs: Readonly<Record<string, unknown>>
}

/** The steps that must have been called once the given steps are done, in that order. */
export interface Outcome {
  /** The steps that were called, in the order of their calls. */
  readonly called: readonly string[]
  /** The earlier results that the handler of each called step receives. */
  readonly sees: ReadonlyMap<string, readonly unknown[]>
  readonly open: readonly string[]
}

/** The results of steps that did not complete. */
export const empty: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  sms: {},
  custom: {},
  inApp: { seen: false, read: false, lastSeenDate: null, lastReadDate: null },
  digest: { events: [], eventCount: 0 },
  delay: { duration: 0 },
  waitForEvent: { received: false, payload: null },
  trigger: { status: 'skipped', transactionId: null, runs: [] },
  throttle: { throttled: false },
}

type Wait = () => boolean
type Routine = Generator<Wait, void, void>
const ended = (): boolean => true

interface World {
  readonly data: Data
  readonly done: Map<string, Done>
  readonly kinds: Map<string, string>
  readonly called: string[]
  readonly sees: Map<string, readonly unknown[]>
  readonly routines: { readonly routine: Routine; wait: Wait; over: boolean }[]
}

class Return extends Error {}
class Thrown extends Error {}

/**
 * Simulates a program: every branch runs as far as it can; then the next step completes, in the given order. The
 * simulation has no event loop, so the result does not depend on one.
 *
 * @param done - The completed steps, oldest first.
 */
export function play(program: Numbered, data: Data, done: readonly Done[]): Outcome {
  const world: World = { data, done: new Map(), kinds: new Map(), called: [], sees: new Map(), routines: [] }
  start(world, program.body)
  drain(world)
  for (const one of done) {
    world.done.set(one.id, one)
    drain(world)
  }
  const { called, sees } = world
  return { called, sees, open: called.filter((id) => !world.done.has(id)) }
}

function start(world: World, nodes: readonly Node[]): World['routines'][number] {
  const entry = { routine: branch(world, nodes), wait: ended, over: false }
  world.routines.push(entry)
  return entry
}

function drain({ routines }: World): void {
  for (let moved = true; moved; ) {
    moved = false
    for (const entry of routines)
      while (!entry.over && entry.wait()) {
        moved = true
        const { done, value } = entry.routine.next()
        if (done) entry.over = true
        else entry.wait = value
      }
  }
}

function* branch(world: World, nodes: readonly Node[]): Routine {
  try {
    yield* block(world, nodes)
  } catch (error) {
    if (!(error instanceof Return)) throw error
  }
}

function* block(world: World, nodes: readonly Node[]): Routine {
  for (const node of nodes) yield* one(world, node)
}

function* one(world: World, node: Node): Routine {
  switch (node.do) {
    case 'step':
      yield call(world, node.step)
      return
    case 'if':
      yield* block(world, holds(world, node.when) ? node.then : node.otherwise)
      return
    case 'repeat':
      for (let index = 0; index < node.times; index++) yield call(world, node.step, `-k${index}`)
      return
    case 'until':
      yield* until(world, node)
      return
    case 'each': {
      const { items } = world.data.payload
      for (const index of items.slice(0, node.most).keys()) yield call(world, node.step, `-${index}`)
      return
    }
    case 'fan': {
      const all = [...world.data.payload.items.keys()].map((index) => call(world, node.step, `-${index}`))
      yield () => all.every((isDone) => isDone())
      return
    }
    case 'and':
      if (holds(world, node.when)) yield call(world, node.step)
      return
    case 'switch': {
      const [first = [], second = []] = node.cases
      const value = world.data.payload[`choice${node.index}`]
      if (value === 'a') yield* block(world, first)
      if (value === 'b' || (value === 'a' && node.falls)) yield* block(world, second)
      if (value !== 'a' && value !== 'b') yield* block(world, node.otherwise)
      return
    }
    case 'helper':
      yield* branch(world, node.body)
      return
    case 'catch':
      try {
        yield* block(world, node.body)
      } catch (error) {
        if (!(error instanceof Thrown)) throw error
        yield* block(world, node.last)
      }
      return
    case 'throw':
      if (holds(world, node.when)) throw new Thrown()
      return
    case 'all': {
      const all = node.branches.map((nodes) => start(world, nodes))
      yield () => all.every(({ over }) => over)
      return
    }
    case 'race': {
      const first = call(world, node.racer)
      const timeout = call(world, node.timeout)
      yield () => first() || timeout()
      yield* block(world, isFirst(world, node.racer.id, node.timeout.id) ? node.won : node.lost)
      return
    }
    case 'return':
      if (holds(world, node.when)) throw new Return()
      return
    case 'finally':
      try {
        yield* block(world, node.body)
      } finally {
        yield* block(world, node.last)
      }
      return
    case 'later': {
      const step = call(world, node.step)
      yield* block(world, node.between)
      yield step
      return
    }
    case 'pause':
      yield ended
  }
}

function* until(world: World, { step, times }: Extract<Node, { do: 'until' }>): Routine {
  for (let index = 0; index < times; index++) {
    yield call(world, step, `-k${index}`)
    const bound = { ...step, id: `${step.id}-k${index}` }
    if (holdsAtom(world, { on: 'result', bound, more: 0 })) return
  }
}

function isFirst({ done }: World, id: string, other: string): boolean {
  const order = [...done.keys()]
  return done.has(id) && (!done.has(other) || order.indexOf(id) < order.indexOf(other))
}

function call(world: World, step: StepNode, suffix = ''): Wait {
  const id = `${step.id}${suffix}`
  world.called.push(id)
  world.kinds.set(id, step.kind)
  world.sees.set(
    id,
    step.sees.map((bound) => see(world, bound)),
  )
  return () => world.done.has(id)
}

function resultOf({ done, kinds }: World, id: string): Readonly<Record<string, unknown>> {
  const entry = done.get(id)
  const outputs = entry?.status === 'completed' ? entry.outputs : empty[kinds.get(id) ?? '']
  return outputs ?? {}
}

function see(world: World, { id, kind }: Bound): unknown {
  const result = resultOf(world, id)
  switch (kind) {
    case 'inApp':
      return result['read']
    case 'digest':
      return (result['events'] as unknown[]).length
    case 'delay':
      return result['duration']
    case 'waitForEvent':
      return result['received']
    case 'trigger':
      return result['status']
    case 'throttle':
      return result['throttled']
    default:
      return result['tier'] ?? null
  }
}

function holds(world: World, test: Test): boolean {
  const held = test.atoms.map(({ atom, not }) => holdsAtom(world, atom) !== not)
  return test.any ? held.includes(true) : !held.includes(false)
}

function holdsAtom(world: World, atom: BoundAtom): boolean {
  const { payload, subscriber, env } = world.data
  switch (atom.on) {
    case 'flag':
      return Boolean(payload[`flag${atom.index}`])
    case 'choice':
      return payload[`choice${atom.index}`] === atom.value
    case 'text':
      return payload[`text${atom.index}`] === atom.value
    case 'oneOf':
      return atom.values.includes(String(payload[`text${atom.index}`]))
    case 'starts':
      return String(payload[`text${atom.index}`]).startsWith(atom.value)
    case 'equal':
      return payload[`count${atom.index}`] === atom.value
    case 'above':
      return Number(payload[`count${atom.index}`]) > atom.value
    case 'below':
      return Number(payload[`count${atom.index}`]) < atom.value
    case 'between': {
      const count = Number(payload[`count${atom.index}`])
      return count > atom.low && count < atom.high
    }
    case 'length':
      return payload.items.length > atom.more
    case 'locale':
      return subscriber['locale'] === atom.value
    case 'plan':
      return subscriber.data?.['plan'] === atom.value
    case 'mode':
      return env['MODE'] === atom.value
    case 'phone':
      return Boolean(subscriber['phone'])
    case 'status':
      return world.done.get(atom.bound.id)?.status === atom.value
    case 'result': {
      const seen = see(world, atom.bound)
      if (atom.bound.kind === 'digest') return Number(seen) > atom.more
      if (atom.bound.kind === 'delay') return Number(seen) > atom.more * 1000
      if (atom.bound.kind === 'trigger') return seen === 'completed'
      return atom.bound.kind === 'custom' ? seen === 'pro' : Boolean(seen)
    }
  }
}
