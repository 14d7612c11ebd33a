import { transformSync } from 'esbuild'
import { type Dice, toData, toDone } from './draw.ts'
import { type Numbered, returnsFailure, type StepNode } from './program.ts'
import { type Data, type Done, empty, play } from './reference.ts'
import { type Answer, type Faults, type Mounted, mount, retries, shownOf, stepsOf } from './service.ts'
import { toSource } from './source.ts'

// A program pauses for a few milliseconds, and the machine may be busy.
const waitMs = { steps: 0, pauses: 250 }
const maxCalls = 2000
// How often a call of a run may exceed its time limit on a busy machine. The service repeats such a call.
const maxTimeouts = 5
const lengths = [0, 1, 2, 17, 50]

/** Runs a program through its bridge as a run-driven service does. */
export async function judgeByNext(numbered: Numbered, dice: Dice): Promise<Faults> {
  const source = vary(toSource(numbered), dice)
  const mounted = mount(source, numbered.schema)
  const steps = stepsOf(numbered)
  const hasPauses = source.includes('sleep(') || source.includes('turn()')
  const faults: Faults = []
  for (let round = 0; round < 2 && faults.length === 0; round++) {
    const data = toData(numbered, dice, lengths)
    const results = new Map([...steps].map(([id, { kind }]) => [id, toDone({ id, kind }, numbered, dice)]))
    await playRun({ numbered, mounted, steps, data, results, hasPauses, dice, faults })
  }
  return faults
}

/** Returns the same function with helpers that receive `step`, or as printed by a bundler. */
function vary(source: string, dice: Dice): string {
  const passed = dice.pick([true, false])
    ? source
        .replaceAll(/const (h\d+) = async \(\) =>/g, 'const $1 = async (step) =>')
        .replaceAll(/await (h\d+)\(\)/g, 'await $1(step)')
    : source
  if (dice.pick([true, true, false])) return passed
  return transformSync(`it = ${passed}`, { minify: true }).code.trim().replace(/^it=/, '').replace(/;$/, '')
}

/** How often a bridge reported the final step. */
export const finals = { count: 0 }

interface FinalReply {
  readonly step: { readonly stepId: string }
  readonly outputs: Done['outputs']
  readonly doneSteps: readonly Done[]
}

interface Run {
  readonly numbered: Numbered
  readonly mounted: Mounted
  readonly steps: ReadonlyMap<string, StepNode>
  readonly data: Data
  readonly results: ReadonlyMap<string, Done>
  readonly hasPauses: boolean
  readonly dice: Dice
  readonly faults: Faults
}

/** `failed`: it waits for its next attempt. */
type TakenStatus = 'called' | 'asleep' | 'failed'

async function playRun(run: Run): Promise<void> {
  const { numbered, mounted, data, results, dice, faults } = run
  const done: Done[] = []
  const taken = new Map<string, TakenStatus>()
  /** How often each step still fails. */
  const failures = new Map([...results.keys()].map((id) => [id, dice.pick([0, 0, 0, 0, 0, 1, 2, retries])]))
  const failingNow = (): ReadonlySet<string> => new Set([...failures.keys()].filter((id) => failures.get(id) !== 0))
  let changed: () => void = () => undefined
  const store = (id: string): void => {
    taken.delete(id)
    const result = results.get(id)
    if (result) done.push(result)
    changed()
  }
  /** An executed step has its result, or waits until the service wakes it. */
  const finish = (id: string): void => {
    if (!isSleeper(run, id)) store(id)
    else {
      taken.set(id, 'asleep')
      changed()
    }
  }
  /** Lets a step that failed wait for its next attempt. Returns whether it failed. */
  const retryLater = (id: string, { status, body, ran }: Answer, failing: ReadonlySet<string>): boolean => {
    if (!failing.has(id)) return false
    const { data: { stepId, retries: most } = {} as { stepId?: string; retries?: number } } = body
    if (status === 200 || stepId !== id || most !== retries || ran.join() !== id)
      faults.push(`"${id}" did not fail: ${status} ${JSON.stringify(body)}, ran ${ran.join()}`)
    failures.set(id, (failures.get(id) ?? 1) - 1)
    taken.set(id, 'failed')
    changed()
    return true
  }
  const callById = async (id: string): Promise<void> => {
    const doneSteps = [...done]
    const failing = failingNow()
    const asked = { stepId: id, data, done: doneSteps, results, taken: [...taken.keys()], wait: 0, failing }
    const answer = await mounted.next(asked)
    const { status, body, ran } = answer
    if (status === 200 && body.metadata.reached === false) {
      if (ran.length > 0) faults.push(`"${id}" ran and was not reached`)
      taken.delete(id)
      changed()
      return
    }
    if (retryLater(id, answer, failing)) return
    check(run, id, { answer, doneSteps })
    finish(id)
  }
  const call = (id: string): void => {
    taken.set(id, 'called')
    void callById(id).catch((error: unknown) => {
      faults.push(String(error))
      // Otherwise the run would wait for this step forever.
      changed()
    })
  }
  let timeouts = 0
  for (let count = 0; faults.length === 0; count++) {
    if (count > maxCalls) return void faults.push('the run does not end')
    const doneSteps = [...done]
    const isCalling = [...taken.values()].includes('called')
    const wait = isCalling ? 0 : run.hasPauses ? waitMs.pauses : waitMs.steps
    const failing = failingNow()
    const asked = { data, done: doneSteps, results, taken: [...taken.keys()], wait, failing }
    const answer = await mounted.next(asked)
    if (dice.pick([...Array.from({ length: 9 }, () => false), true])) continue
    const { status, body } = answer
    const failed: unknown = status === 200 ? undefined : body.data?.stepId
    if (typeof failed === 'string' && retryLater(failed, answer, failing)) continue
    if (status === 504 && run.hasPauses && answer.ran.length === 0 && ++timeouts <= maxTimeouts) continue
    if (status !== 200) return void faults.push(`failed: ${status} ${body.code} ${body.message}`)
    if (body.step) {
      check(run, body.step.stepId, { answer, doneSteps })
      if (body.metadata.final) checkFinal(run, { ...body, doneSteps })
      finish(body.step.stepId)
      continue
    }
    if (answer.ran.length > 0) faults.push(`ran unasked: ${answer.ran.join()}`)
    const open: readonly string[] = (body.open ?? []).map(({ stepId }: { stepId: string }) => stepId)
    checkOpen(run, open, doneSteps)
    for (const id of open) call(id)
    // A reply that returns no step counts only if no result was stored since the call.
    if (open.length > 0 || done.length !== doneSteps.length) continue
    if ([...taken.values()].includes('called')) {
      await new Promise<void>((resolve) => {
        changed = resolve
      })
      continue
    }
    // When the run is done, failed steps are not left open; delays are.
    if (body.done && ![...taken.values()].includes('failed')) {
      checkHandled(run, body.handled ?? [], doneSteps)
      break
    }
    const asleep = [...taken.keys()]
    if (asleep.length === 0) return void faults.push('nothing is handed out, and the run is not done')
    const woken = dice.pick(asleep)
    if (taken.get(woken) === 'failed') call(woken)
    else store(woken)
  }
  // Waiting steps that are not awaited are canceled.
  const left = play(numbered, data, done).open.filter((id) => !taken.has(id))
  if (left.length > 0 && faults.length === 0) faults.push(`LOST: ${left.join()}`)
  const twice = done.map(({ id }) => id).filter((id, at, all) => all.indexOf(id) !== at)
  if (twice.length > 0) faults.push(`ran twice: ${twice.join()}`)
}

/** The bridge names the failed steps whose failure the function received, so that the run is not failed. */
function checkHandled({ steps, faults }: Run, handled: readonly string[], doneSteps: readonly Done[]): void {
  const expected = doneSteps.filter(({ id, status }) => {
    const step = steps.get(id)
    return status === 'failed' && step !== undefined && returnsFailure(step)
  })
  const [named, wanted] = [
    [...handled].sort().join(),
    expected
      .map(({ id }) => id)
      .sort()
      .join(),
  ]
  if (named !== wanted) faults.push(`handled ${named} instead of ${wanted}`)
}

/** After the final step, the run must be done, with the result that a service stores if the step completes. */
function checkFinal(
  { numbered, data, steps, faults }: Run,
  { step: { stepId: id }, outputs, doneSteps }: FinalReply,
): void {
  finals.count++
  const kind = steps.get(id)?.kind ?? 'custom'
  const result = kind === 'custom' ? outputs : (empty[kind] ?? {})
  const { open } = play(numbered, data, [...doneSteps, { id, status: 'completed', outputs: result }])
  if (open.length > 0) faults.push(`"${id}" was reported as final, but ${open.join()} follows`)
}

function isSleeper({ steps }: Run, id: string): boolean {
  const kind = steps.get(id)?.kind
  return kind === 'delay' || kind === 'digest' || kind === 'waitForEvent' || kind === 'trigger'
}

function checkOpen({ numbered, data, faults }: Run, open: readonly string[], doneSteps: readonly Done[]): void {
  const expected = play(numbered, data, doneSteps).open
  const wrong = open.filter((id) => !expected.includes(id))
  if (wrong.length > 0) faults.push(`handed out and not open: ${wrong.join()}`)
}

function check(
  run: Run,
  id: string,
  { answer, doneSteps }: { readonly answer: Answer; readonly doneSteps: readonly Done[] },
): void {
  const { faults, numbered, data, steps } = run
  const { status, body, ran } = answer
  checkOpen(run, [id], doneSteps)
  if (status !== 200 || body.options.skip)
    faults.push(`"${id}" did not run: ${status} ${body.code ?? ''} ${body.message ?? ''}`)
  else if (ran.join() !== id) faults.push(`"${id}": its handlers ran otherwise: ${ran.join()}`)
  else {
    const seen = shownOf(steps.get(id)?.kind ?? 'sms', body.outputs)
    const sees = JSON.stringify(play(numbered, data, doneSteps).sees.get(id))
    if (seen !== undefined && seen !== sees) faults.push(`"${id}" saw ${seen} instead of ${sees}`)
  }
}
