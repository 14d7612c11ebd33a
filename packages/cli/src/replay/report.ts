import { sanitizeHtml } from '@trestle/html/clean'
import { escapeHtml } from '@trestle/html/escape'
import { toPage } from '../preview/pages.ts'
import { toStepCard } from '../preview/step-card.ts'
import { toExcerpts } from './describe-change.ts'
import type { Difference, ShownReply } from './difference.ts'
import type { DifferenceGroup, ReplaySummary } from './summary.ts'

/**
 * Returns the report of replayed runs as a page that needs no scripts and loads nothing. Emails are shown in sandboxed
 * frames, without anything that could run code.
 *
 * @param subject - The bridge, and whether values are masked.
 */
export function toReport(
  summary: ReplaySummary,
  { bridgeUrl, isMasked }: { readonly bridgeUrl: string; readonly isMasked: boolean },
): string {
  const { runs, groups, ungrouped, reasons } = summary
  const workflows = [...new Set(groups.map(({ workflowId }) => workflowId))]
  const sections = workflows.map((workflowId) => {
    const own = groups.filter((group) => group.workflowId === workflowId)
    return `<h2>${escapeHtml(workflowId)}</h2>\n${own.map(toGroup).join('\n')}`
  })
  const mask = isMasked ? ' Values of the runs are replaced by their paths.' : ''
  const rest = ungrouped === 0 ? '' : `<p>${ungrouped} more differences are not shown.</p>`
  const parts = [
    `<h1>Replay of ${runs} ${runs === 1 ? 'run' : 'runs'}</h1>`,
    `<p class="note">Against ${escapeHtml(bridgeUrl)}. Nothing was sent.${mask}</p>`,
    toTable(summary),
    reasons.size === 0 ? '' : `<h2>Not comparable</h2>\n<ul>${[...reasons].map(toReason).join('')}</ul>`,
    ...sections,
    rest,
  ]
  return toPage('Replay', parts.join('\n'), { isWide: true })
}

function toTable({ messages, otherSteps, ...counts }: ReplaySummary): string {
  const rows: readonly (readonly [string, number])[] = [
    ['Runs without differences', counts.same],
    ['Runs with differences', counts.different],
    ['Runs that would fail', counts.failing],
    ['Runs that are not comparable', counts.notComparable],
    ['Partially compared runs', counts.partly],
    ['Messages lost', messages.lost],
    ['Messages added', messages.added],
    ['Messages changed', messages.changed],
    ['Other steps lost, added or changed', otherSteps.lost + otherSteps.added + otherSteps.changed],
  ]
  const cells = rows.map(([name, count]) => `<tr><th>${name}</th><td>${count}</td></tr>`)
  return `<table>${cells.join('')}</table>`
}

const toReason = ([reason, count]: readonly [string, number]): string =>
  `<li>${count} ${count === 1 ? 'run' : 'runs'}: ${escapeHtml(reason)}</li>`

function toGroup({ kind, stepId, type, message, runs, examples }: DifferenceGroup): string {
  const name = stepId === null ? 'Workflow' : `${stepId} (${type})`
  const head = `<h3>${escapeHtml(name)}: <span class="${kind === 'changed' ? 'warning' : 'failed'}">${kind}</span></h3>`
  const text = `<p>${escapeHtml(message)}. ${runs} ${runs === 1 ? 'run' : 'runs'}.</p>`
  const exampleDetails = examples.map(
    ({ runId, difference }, index) =>
      `<details${index === 0 ? ' open' : ''}><summary>Run ${escapeHtml(runId)}</summary>${toExample(difference)}</details>`,
  )
  return [head, text, ...exampleDetails].join('\n')
}

function toExample({ type, code, message, fields = [], before, after }: Difference): string {
  const failure = code === undefined ? '' : `<p class="failed"><b>${escapeHtml(code)}</b> ${escapeHtml(message)}</p>`
  const rows = fields.map((field) => {
    const texts = toExcerpts(field)
    return `<tr><th>${escapeHtml(field.path)}</th><td><del>${escapeHtml(texts.before)}</del></td><td><ins>${escapeHtml(texts.after)}</ins></td></tr>`
  })
  const table = rows.length === 0 ? '' : `<table>${rows.join('')}</table>`
  if (!before && !after) return failure + table
  const cards = [toSide('Before', type, before), toSide('After', type, after)]
  return `${failure}${table}<div class="pair">${cards.join('')}</div>`
}

function toSide(title: string, type: string | null, reply: ShownReply | undefined): string {
  const card = reply ? toStepCard(type ?? '', toSafe(reply), { images: 'inline' }) : '<p class="note">Not sent.</p>'
  return `<section><h4>${title}</h4>${card}</section>`
}

/** The bridge may have turned its sanitizer off. */
function toSafe({ outputs, providers }: ShownReply): ShownReply {
  const { body } = outputs
  return { outputs: typeof body === 'string' ? { ...outputs, body: sanitizeHtml(body) } : outputs, providers }
}
