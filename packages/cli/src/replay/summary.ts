import { type Difference, type DifferenceKind, isMessage, type ReplayedRun } from './difference.ts'

/** Identical differences in several runs. */
export interface DifferenceGroup extends Pick<Difference, 'kind' | 'stepId' | 'type' | 'message'> {
  readonly workflowId: string
  /** The number of runs. */
  runs: number
  /** The differences of the first runs. */
  readonly examples: { readonly runId: string; readonly difference: Difference }[]
}

/** The result of replaying several runs. */
export interface ReplaySummary {
  /** The number of runs, and the number with each outcome. */
  runs: number
  same: number
  different: number
  failing: number
  notComparable: number
  /** Runs for which only the start was compared. */
  partly: number
  /** Differences between messages, by kind. */
  readonly messages: Counts
  /** Differences of other steps, and of workflow functions. */
  readonly otherSteps: Counts
  /** Why runs are not comparable, with the number of runs for each reason. */
  readonly reasons: Map<string, number>
  readonly groups: DifferenceGroup[]
  /** How many differences belong to no group, because there are too many groups. */
  ungrouped: number
}

type Counts = Record<DifferenceKind, number>

const maxGroups = 200
const maxExamples = 3
/** Emails can be large; after this many characters, examples are only counted. */
const maxExampleLength = 16 * 1024 * 1024
const maxReasons = 50
const otherReasons = 'other reasons'

/** Counts replayed runs. Memory is bounded, however many runs there are. */
export interface Tally {
  readonly summary: ReplaySummary
  add(run: ReplayedRun): void
}

/** Creates an empty tally. */
export function createTally(): Tally {
  const zero = (): Counts => ({ lost: 0, added: 0, changed: 0, failing: 0, fixed: 0 })
  const outcomes = { runs: 0, same: 0, different: 0, failing: 0, notComparable: 0, partly: 0, ungrouped: 0 }
  const summary: ReplaySummary = {
    ...outcomes,
    messages: zero(),
    otherSteps: zero(),
    reasons: new Map<string, number>(),
    groups: [],
  }
  const groups = new Map<string, DifferenceGroup>()
  let room = maxExampleLength
  const addDifference = ({ runId, workflowId }: ReplayedRun, difference: Difference): void => {
    const { kind, stepId, type, message, code } = difference
    summary[isMessage(difference) ? 'messages' : 'otherSteps'][kind]++
    const key = JSON.stringify([workflowId, kind, stepId, type, code ?? message])
    const group = groups.get(key)
    if (!group && groups.size >= maxGroups) {
      summary.ungrouped++
      return
    }
    const targetGroup: DifferenceGroup = group ?? { workflowId, kind, stepId, type, message, runs: 0, examples: [] }
    if (!group) {
      groups.set(key, targetGroup)
      summary.groups.push(targetGroup)
    }
    targetGroup.runs++
    if (targetGroup.examples.length >= maxExamples || room <= 0) return
    room -= JSON.stringify(difference).length
    targetGroup.examples.push({ runId, difference })
  }
  return {
    summary,
    add(run) {
      summary.runs++
      summary[run.outcome === 'not-comparable' ? 'notComparable' : run.outcome]++
      if (run.outcome === 'not-comparable') countReason(summary.reasons, run.reason ?? otherReasons)
      else if (run.reason !== null) summary.partly++
      for (const difference of run.differences) addDifference(run, difference)
    },
  }
}

function countReason(reasons: Map<string, number>, reason: string): void {
  const key = reasons.has(reason) || reasons.size < maxReasons ? reason : otherReasons
  reasons.set(key, (reasons.get(key) ?? 0) + 1)
}
