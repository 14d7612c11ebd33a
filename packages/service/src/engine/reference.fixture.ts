import type { JsonObject, StepType } from '@trestle/protocol'

/** The behavior of a step of a generated workflow. */
export type StepPlay =
  | { readonly kind: 'message'; readonly type: StepType }
  | { readonly kind: 'custom'; readonly output: JsonObject }
  | { readonly kind: 'skip'; readonly type: StepType }
  | { readonly kind: 'fail'; readonly type: StepType }
  | { readonly kind: 'delay'; readonly seconds: number }
  | { readonly kind: 'digest'; readonly seconds: number; readonly keyed: boolean; readonly lookBackSeconds?: number }
  | { readonly kind: 'throttle'; readonly minutes: number; readonly threshold: number; readonly keyed: boolean }
  | RetryPlay
  | { readonly kind: 'wait_for_event'; readonly seconds: number; readonly keyed: boolean }
  | ChildPlay

/** A step that fails a few times. */
export interface RetryPlay {
  readonly kind: 'retry'
  readonly type: StepType
  readonly failures: number
  readonly retries: number
  /** The wait before the first retry; it is doubled for each further one. */
  readonly seconds: number
  /** Whether the workflow function receives its failure. */
  readonly handled: boolean
}

/** A step that triggers a workflow, whose runs wait and may then fail. */
export interface ChildPlay {
  readonly kind: 'trigger'
  readonly awaits: boolean
  readonly recipients: number
  readonly seconds: number
  readonly fails: boolean
}

/** A generated event for the run of one trigger. */
export interface EventPlay {
  /** Its time after the first trigger, in milliseconds; differs from the times of all triggers and other events. */
  readonly atMs: number
  /** The index of the trigger. */
  readonly index: number
  readonly key: string
  /** The recipient; null for all. */
  readonly to: string | null
}

/** A generated workflow: waves of parallel steps, one wave after the other. */
export type WorkflowPlay = readonly (readonly StepPlay[])[]

/** A generated trigger. */
export interface TriggerPlay {
  /** Its time after the first trigger, in milliseconds; no two triggers have the same time. */
  readonly atMs: number
  /** The recipient. */
  readonly subscriber: string
  /** The keys for digests and throttles. */
  readonly key: string
}

/** The outcome of a step. */
export interface ReferenceJob {
  readonly stepId: string
  status: string
  /** How often it was retried; absent if it was not. */
  attempts?: number
  /** The time of its last bridge call; `null` if there is none. */
  calledMs: number | null
  /** The time at which it ends. */
  endedMs: number
  /** Its result; absent if it is not predicted. */
  result?: JsonObject
}

/** The outcome of a trigger. */
export interface ReferenceRun {
  status: string
  /** Its steps, in order. */
  readonly jobs: ReferenceJob[]
}

interface Run extends ReferenceRun {
  readonly trigger: TriggerPlay
  readonly index: number
  wave: number
  /** Failed steps whose failure the workflow function receives. */
  readonly handled: Set<ReferenceJob>
  /** The events that its steps have received. */
  readonly received: Set<EventPlay>
  /** Whether a throttle has ended it. */
  held?: boolean
  /** The step that waits for an event. */
  waiting?: { readonly job: ReferenceJob; readonly keyed: boolean }
}

interface Later {
  readonly atMs: number
  readonly number: number
  readonly act: () => void
}

/**
 * Runs triggers through a workflow in memory, one operation at a time. It is the simplest possible implementation of an
 * engine, used as a reference.
 *
 * @param events - The emitted events.
 * @returns The outcome of each trigger, in order.
 */
export function playReference(
  workflow: WorkflowPlay,
  triggers: readonly TriggerPlay[],
  events: readonly EventPlay[] = [],
): readonly ReferenceRun[] {
  const later: Later[] = []
  const open = new Map<string, { readonly run: Run; readonly events: number[] }>()
  const lastMs = new Map<string, number>()
  const windows = new Map<string, { endMs: number; count: number }>()
  const at = (atMs: number, act: () => void): void => {
    later.push({ atMs, number: later.length, act })
  }

  function end(run: Run, job: ReferenceJob, ended: { readonly status: string; readonly nowMs: number }): void {
    job.status = ended.status
    job.endedMs = ended.nowMs
    goOn(run, ended.nowMs)
  }

  function goOn(run: Run, nowMs: number): void {
    const waves = toWaves(workflow, run)
    const done = (jobs: readonly ReferenceJob[]): boolean => jobs.every(({ status }) => isEnd(status))
    while (run.wave < waves.length && done(waves[run.wave] ?? [])) run.wave++
    const next = waves[run.wave]
    if (!next) {
      const ends = ['merged', 'failed'].find((one) =>
        run.jobs.some((job) => job.status === one && !run.handled.has(job)),
      )
      run.status = ends ?? 'completed'
      return
    }
    if (!next.every(({ status }) => status === 'pending')) return
    for (const job of next) job.status = 'queued'
    for (const [index, job] of next.entries()) call(run, { job, play: workflow[run.wave]?.[index], nowMs })
  }

  function endRemaining(run: Run, status: string, nowMs: number): void {
    for (const job of run.jobs) if (job.status === 'pending') Object.assign(job, { status, endedMs: nowMs })
  }

  function call(
    run: Run,
    asked: { readonly job: ReferenceJob; readonly play: StepPlay | undefined; readonly nowMs: number },
  ) {
    const { job, play, nowMs } = asked
    job.calledMs = nowMs
    if (play?.kind === 'skip') return end(run, job, { status: 'skipped', nowMs })
    if (play?.kind === 'fail') return end(run, job, { status: 'failed', nowMs })
    if (play?.kind === 'custom') job.result = play.output
    if (play?.kind === 'delay') {
      job.status = 'delayed'
      job.result = { duration: play.seconds * 1000 }
      return at(nowMs + play.seconds * 1000, () =>
        end(run, job, { status: 'completed', nowMs: nowMs + play.seconds * 1000 }),
      )
    }
    if (play?.kind === 'retry') return retry(run, job, { play, nowMs })
    if (play?.kind === 'wait_for_event') return waitForEvent(run, job, { play, nowMs })
    if (play?.kind === 'trigger') return triggerChildren(run, job, { play, nowMs })
    if (play?.kind === 'digest') return digest(run, job, { play, nowMs })
    if (play?.kind === 'throttle') return throttle(run, job, { play, nowMs })
    return end(run, job, { status: 'completed', nowMs })
  }

  function retry(run: Run, job: ReferenceJob, { play, nowMs }: { readonly play: RetryPlay; readonly nowMs: number }) {
    const { attempts = 0 } = job
    job.calledMs = nowMs
    if (attempts >= play.failures) return end(run, job, { status: 'completed', nowMs })
    if (attempts >= play.retries) {
      if (play.handled && !run.held) run.handled.add(job)
      return end(run, job, { status: 'failed', nowMs })
    }
    job.status = 'delayed'
    job.attempts = attempts + 1
    const atMs = nowMs + play.seconds * 1000 * 2 ** attempts
    at(atMs, () => retry(run, job, { play, nowMs: atMs }))
  }

  function waitForEvent(
    run: Run,
    job: ReferenceJob,
    { play, nowMs }: { readonly play: StepPlay & { readonly kind: 'wait_for_event' }; readonly nowMs: number },
  ): void {
    const endMs = nowMs + play.seconds * 1000
    job.status = 'delayed'
    run.waiting = { job, keyed: play.keyed }
    const earlier = events.find((event) => event.atMs < nowMs && isFor(event, run))
    if (earlier) receive(run, earlier, nowMs)
    at(endMs, () => {
      if (job.status !== 'delayed') return
      delete run.waiting
      job.result = { received: false }
      end(run, job, { status: 'completed', nowMs: endMs })
    })
  }

  function isFor(event: EventPlay, run: Run): boolean {
    const { trigger, index, waiting, received } = run
    if (!waiting || event.atMs < trigger.atMs || received.has(event) || event.index !== index) return false
    if (event.to !== null && event.to !== trigger.subscriber) return false
    return !waiting.keyed || event.key === trigger.key
  }

  function receive(run: Run, event: EventPlay, nowMs: number): void {
    const job = run.waiting?.job
    if (!job) return
    delete run.waiting
    run.received.add(event)
    job.result = { received: true, number: events.indexOf(event) }
    end(run, job, { status: 'completed', nowMs })
  }

  function triggerChildren(
    run: Run,
    job: ReferenceJob,
    { play, nowMs }: { readonly play: ChildPlay; readonly nowMs: number },
  ): void {
    const status = play.fails ? 'failed' : 'completed'
    if (!play.awaits) {
      job.result = { status: 'triggered' }
      end(run, job, { status: 'completed', nowMs })
      return
    }
    job.status = 'delayed'
    job.result = { status, runs: Array.from({ length: play.recipients }, () => status) }
    const endMs = nowMs + play.seconds * 1000
    at(endMs, () => end(run, job, { status: 'completed', nowMs: endMs }))
  }

  function digest(
    run: Run,
    job: ReferenceJob,
    { play, nowMs }: { readonly play: StepPlay & { readonly kind: 'digest' }; readonly nowMs: number },
  ): void {
    const bucket = `${job.stepId} ${run.trigger.subscriber} ${play.keyed ? run.trigger.key : ''}`
    const before = lastMs.get(bucket)
    lastMs.set(bucket, nowMs)
    const opened = open.get(bucket)
    if (opened) {
      opened.events.push(run.index)
      endRemaining(run, 'merged', nowMs)
      end(run, job, { status: 'merged', nowMs })
      return
    }
    if (play.lookBackSeconds !== undefined && (before === undefined || before + play.lookBackSeconds * 1000 < nowMs)) {
      job.result = { eventCount: 1, indexes: [run.index] }
      end(run, job, { status: 'completed', nowMs })
      return
    }
    const events = [run.index]
    open.set(bucket, { run, events })
    job.status = 'delayed'
    const endMs = nowMs + play.seconds * 1000
    at(endMs, () => {
      open.delete(bucket)
      // Events are sorted by their triggers, regardless of which run reached the digest first.
      job.result = { eventCount: events.length, indexes: events.toSorted((left, right) => left - right) }
      end(run, job, { status: 'completed', nowMs: endMs })
    })
  }

  function throttle(
    run: Run,
    job: ReferenceJob,
    { play, nowMs }: { readonly play: StepPlay & { readonly kind: 'throttle' }; readonly nowMs: number },
  ): void {
    const bucket = `${job.stepId} ${run.trigger.subscriber} ${play.keyed ? run.trigger.key : ''}`
    const existingWindow = windows.get(bucket)
    const window =
      existingWindow && nowMs < existingWindow.endMs
        ? existingWindow
        : { endMs: nowMs + play.minutes * 60_000, count: 0 }
    windows.set(bucket, window)
    window.count++
    const held = window.count > play.threshold
    job.result = { throttled: held, executionCount: window.count }
    if (held) endRemaining(run, 'skipped', nowMs)
    run.held = held
    end(run, job, { status: held ? 'skipped' : 'completed', nowMs })
  }

  const runs = triggers.map((trigger, index): Run => {
    const jobs = workflow.flat().map((_, number): ReferenceJob => {
      return { stepId: `s${number}`, status: 'pending', calledMs: null, endedMs: Number.NaN }
    })
    const sets = { handled: new Set<ReferenceJob>(), received: new Set<EventPlay>() }
    const run: Run = { status: 'running', jobs, trigger, index, wave: 0, ...sets }
    at(trigger.atMs, () => goOn(run, trigger.atMs))
    return run
  })
  for (const event of events) {
    at(event.atMs, () => {
      for (const run of runs) if (isFor(event, run)) receive(run, event, event.atMs)
    })
  }
  for (let next = takeFirst(later); next; next = takeFirst(later)) next.act()
  return runs
}

function takeFirst(later: Later[]): Later | undefined {
  const first = later.toSorted((left, right) => left.atMs - right.atMs || left.number - right.number)[0]
  if (first) later.splice(later.indexOf(first), 1)
  return first
}

function toWaves(workflow: WorkflowPlay, { jobs }: Run): readonly (readonly ReferenceJob[])[] {
  let from = 0
  return workflow.map(({ length }) => {
    const wave = jobs.slice(from, from + length)
    from += length
    return wave
  })
}

function isEnd(status: string): boolean {
  return !['pending', 'queued', 'delayed'].includes(status)
}
