import { cleanText } from '../base/clean-text.ts'
import type { Paint } from '../terminal/paint.ts'
import { differenceLines } from './describe-change.ts'
import type { ReplayedRun } from './difference.ts'
import type { ReplaySummary } from './summary.ts'

/** Returns the result of one replay as lines. */
export function runLines(
  { runId, workflowId, outcome, reason, differences }: ReplayedRun,
  paint: Paint,
): readonly string[] {
  const lines = [paint.bold(`${cleanText(workflowId)}, run ${cleanText(runId)}`)]
  for (const difference of differences) lines.push(...differenceLines(difference, paint).map((line) => `  ${line}`))
  if (outcome === 'same') lines.push(`  ${paint.green('The replay has the same steps with the same outputs.')}`)
  if (outcome === 'not-comparable') lines.push(`  ${paint.yellow('not comparable')}  ${cleanText(reason ?? '')}`)
  else if (reason !== null) lines.push(`  ${paint.yellow('in part')}   ${cleanText(reason)}`)
  return lines
}

/** Returns the result of several replays as lines: each group of differences with its first run, then the counts. */
export function summaryLines(summary: ReplaySummary, paint: Paint): readonly string[] {
  const { groups, ungrouped, reasons, messages, otherSteps } = summary
  const lines: string[] = []
  for (const { workflowId, runs, examples } of groups) {
    const [example] = examples
    const count = `${runs} ${runs === 1 ? 'run' : 'runs'}`
    lines.push(`${paint.bold(cleanText(workflowId))}  ${count}${example ? `, first ${cleanText(example.runId)}` : ''}`)
    if (example) lines.push(...differenceLines(example.difference, paint).map((line) => `  ${line}`))
  }
  if (ungrouped > 0) lines.push(`${ungrouped} more differences are not shown.`)
  const others = otherSteps.lost + otherSteps.added + otherSteps.changed
  lines.push(
    `${summary.runs} runs: ${summary.same} same, ${summary.different} different, ${summary.failing} would fail, ${summary.notComparable} not comparable`,
    `messages: ${messages.lost} lost, ${messages.added} added, ${messages.changed} changed; other steps: ${others} different`,
  )
  for (const [reason, count] of reasons) lines.push(`${paint.yellow('not comparable')}  ${count}: ${cleanText(reason)}`)
  return lines
}

/** Returns the result of several replays as JSON, without whole messages. */
export function toSummaryJson({ reasons, groups, ...counts }: ReplaySummary): object {
  return {
    ...counts,
    notComparableReasons: Object.fromEntries(reasons),
    groups: groups.map(({ examples, ...group }) => ({
      ...group,
      examples: examples.map(({ runId, difference: { code = null, message, fields = [] } }) => ({
        ...{ runId, code, message, fields },
      })),
    })),
  }
}
