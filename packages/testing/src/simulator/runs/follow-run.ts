import type { OpenStep } from '@trestle/protocol'
import { isLeftAtEnd, toRetryWait } from '@trestle/run-rules'
import type { StepFailure } from '../../report/run-report.ts'
import { askNext, callHandedOut, type NextAnswer } from '../calls/call-step.ts'
import type { TriggerRun } from '../calls/trigger-run.ts'
import { type NextTurn, toNextTurn } from '../rules/next-turn.ts'
import { longerSilence } from '../rules/silence.ts'
import {
  closeRun,
  type FollowedRun,
  failRun,
  isCalling,
  isSleeping,
  leaveSleeping,
  noteEnd,
  openRun,
  reopenRun,
  type TakenStep,
} from './followed-run.ts'
import { type ExecutedStep, recordStep } from './record-step.ts'
import { stuckRun, tooManySteps, unreachedStep } from './run-failures.ts'
import { settleStep } from './settle-step.ts'
import type { Simulation } from './simulation.ts'
import { cancelTrigger, startChildren } from './start-children.ts'
import { startWait } from './start-wait.ts'

/** The maximum number of steps in a run. */
const maxSteps = 1000

/** The maximum number of times that a step is returned but not reached when it is called. */
const maxHandOuts = 5

/**
 * Runs the steps that the run calls: requests the next steps, calls them in parallel, and sends another request after
 * each stored result.
 *
 * @param simulation - The workflow, and the state shared by its triggers.
 * @source bridge-protocol.md#continuing-a-run
 */
export function followRun(simulation: Simulation, run: TriggerRun): Promise<void> {
  return followOn(openRun(simulation, run))
}

/** Continues a run until it has ended or all of its steps are waiting. */
async function followOn(followed: FollowedRun): Promise<void> {
  const { pending } = followed
  try {
    for (;;) {
      if (followed.isDue && !followed.isAsking && !followed.isClosed) start(followed, ask(followed))
      if (pending.size === 0) return
      await Promise.race(pending)
    }
  } finally {
    await Promise.allSettled(pending)
    noteEnd(followed)
  }
}

function start({ pending }: FollowedRun, work: Promise<void>): void {
  const call = work.finally(() => pending.delete(call))
  pending.add(call)
}

async function ask(followed: FollowedRun): Promise<void> {
  const { simulation, run, taken } = followed
  followed.isDue = false
  followed.isAsking = true
  const startedMs = run.nowMs
  const waitMs = isCalling(followed) ? 0 : followed.silenceMs
  const answer = await askNext(simulation, run, { taken: [...taken.keys()], waitMs })
  followed.isAsking = false
  if (followed.isClosed) return
  const silenceMs = answer.isWorking ? longerSilence(waitMs) : undefined
  const turn = toNextTurn(answer, {
    isKnown: (stepId) => taken.has(stepId) || run.reports.get(stepId) !== undefined,
    isStale: followed.isDue,
    isCalling: isCalling(followed),
    isSleeping: isSleeping(followed),
    isUnsettled: silenceMs !== undefined,
  })
  const isQuiet = turn.kind === 'again' || turn.kind === 'wait'
  followed.silenceMs = (isQuiet || !answer.isWorking ? silenceMs : longerSilence(0)) ?? 0
  applyTurn(followed, turn, { answer, startedMs })
}

interface Asked {
  readonly answer: NextAnswer
  readonly startedMs: number
}

function applyTurn(followed: FollowedRun, turn: NextTurn<StepFailure>, { answer, startedMs }: Asked): void {
  const { workflowId } = followed.simulation.workflow
  switch (turn.kind) {
    case 'executed':
    case 'stepFailed': {
      const { reply: _, ...rest } = answer
      const reply = turn.kind === 'executed' ? { reply: turn.reply } : {}
      if (take(followed, [turn.step])) settle(followed, { step: turn.step, answer: { ...rest, ...reply }, startedMs })
      return
    }
    case 'open':
      if (take(followed, turn.steps)) for (const step of turn.steps) start(followed, call(followed, step))
      return
    case 'again':
      followed.isDue = true
      return
    case 'done':
      if (answer.reply && 'done' in answer.reply) followed.run.handled = answer.reply.handled ?? []
      leaveSleeping(followed, 'skipped', ({ type }) => isLeftAtEnd(type))
      if (!isSleeping(followed)) followed.isClosed = true
      return
    case 'runFailed':
      failRun(followed, turn.error)
      return
    case 'stuck':
      failRun(followed, stuckRun(workflowId))
      return
    case 'wait':
  }
}

/** Adds the steps that the bridge returned. Returns whether the steps can be called. */
function take(followed: FollowedRun, steps: readonly OpenStep[]): boolean {
  const { run, taken, simulation } = followed
  const fresh = steps.filter(({ stepId }) => !run.reports.has(stepId))
  if (run.reports.size + fresh.length > maxSteps) {
    failRun(followed, tooManySteps(simulation.workflow.workflowId, maxSteps))
    return false
  }
  for (const step of steps) {
    taken.set(step.stepId, { step })
    // Reserves the position of the step's report in call order, regardless of which step ends first.
    run.reports.set(step.stepId, undefined)
  }
  return true
}

async function call(followed: FollowedRun, step: OpenStep, startedMs = followed.run.nowMs): Promise<void> {
  const { simulation, run, taken, missed } = followed
  const answer = await callHandedOut(simulation, run, { step, taken: [...taken.keys()] })
  if (answer.reply?.metadata.reached !== false) return settle(followed, { step, answer, startedMs })
  const { stepId } = step
  const times = (missed.get(stepId) ?? 0) + 1
  missed.set(stepId, times)
  if (times < maxHandOuts) {
    // The step has no result: a later call may reach it.
    taken.delete(stepId)
    followed.isDue = true
    return
  }
  const { reply: _, ...rest } = answer
  const error = unreachedStep(simulation.workflow.workflowId, stepId)
  settle(followed, { step, answer: { ...rest, error }, startedMs })
}

/** Makes a failed step wait until its next attempt. Returns whether another attempt follows. */
function retryLater(followed: FollowedRun, executed: ExecutedStep): boolean {
  const { simulation, run, taken } = followed
  const { step, answer } = executed
  const attempts = run.attempts.get(step.stepId) ?? 0
  const waitMs = followed.isClosed ? undefined : toRetryWait(answer.error?.data, attempts)
  if (waitMs === undefined) return false
  const untilMs = run.nowMs + waitMs
  const sleeping: TakenStep = { step, asleep: executed, isLeft: false }
  run.attempts.set(step.stepId, attempts + 1)
  taken.set(step.stepId, sleeping)
  followed.isDue = true
  sleeping.setAlarm = (nowMs) => {
    const atMs = Math.max(untilMs, nowMs)
    simulation.alarms.set(atMs, async () => {
      if (sleeping.isLeft) return
      sleeping.isLeft = true
      run.nowMs = atMs
      taken.set(step.stepId, { step })
      start(followed, call(followed, step, executed.startedMs))
      await followOn(followed)
    })
  }
  sleeping.setAlarm(run.nowMs)
  return true
}

/** Stores the result of a step, or makes the step wait. */
function settle(followed: FollowedRun, executed: ExecutedStep): void {
  if (retryLater(followed, executed)) return
  const { simulation, run, taken, joined } = followed
  const { stepId } = executed.step
  if (cancelTrigger(followed, executed)) return
  const settlement = settleStep(simulation, run, executed)
  const { untilMs, rest, awaitsChildren, whenPromoted } = settlement
  followed.isDue = true
  const children = startChildren(followed, settlement, followOn)
  if (untilMs !== undefined || awaitsChildren) {
    startWait(followed, { executed, settlement, children }, followOn)
    return
  }
  taken.delete(stepId)
  recordStep(run, executed, settlement)
  if (!rest) return
  // The bridge is not called again.
  run.handled = executed.answer.reply?.metadata.handled ?? []
  if (whenPromoted) joined.set(stepId, executed)
  closeRun(followed, rest)
  whenPromoted?.((atMs, promoted) => {
    reopenRun(followed, stepId, atMs)
    startWait(followed, { executed, settlement: promoted }, followOn)
    simulation.alarms.set(atMs, () => followOn(followed))
  })
}
