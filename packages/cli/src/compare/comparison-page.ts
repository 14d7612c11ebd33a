import { escapeHtml } from '@trestle/html/escape'
import { toPage } from '../preview/pages.ts'
import { toStepCard } from '../preview/step-card.ts'
import { toExcerpts } from '../replay/describe-change.ts'
import type { ComparedStep } from './compare-versions.ts'
import type { RenderedStep } from './render-version.ts'

/**
 * Returns a page with both versions of each step next to each other. Unchanged steps are folded.
 *
 * @param steps - The steps, compared.
 * @param ref - The earlier version, as named by the user.
 */
export function toComparisonPage(steps: readonly ComparedStep[], ref: string): string {
  const count = (kind: ComparedStep['kind']): number => steps.filter((step) => step.kind === kind).length
  const failed = steps.filter(isFailed).length
  const failures = failed === 0 ? '' : `${failed} failed, `
  const counts = `${failures}${count('changed')} changed, ${count('added')} added, ${count('removed')} removed, ${count('same')} unchanged`
  const workflows = [...new Set(steps.map(({ workflowId }) => workflowId))]
  const sections = workflows.map((workflowId) => {
    const own = steps.filter((step) => step.workflowId === workflowId)
    return `<h2>${escapeHtml(workflowId)}</h2>\n${own.map((step) => toSection(step, ref)).join('\n')}`
  })
  const head = `<h1>Comparison with ${escapeHtml(ref)}</h1>\n<p class="note">${counts}</p>`
  return toPage(`Comparison with ${ref}`, [head, ...sections].join('\n'), { isWide: true })
}

function toSection({ kind, stepId, type, fixture, before, after, fields }: ComparedStep, ref: string): string {
  const name = `${escapeHtml(stepId)} <code>${escapeHtml(type)}</code> › ${escapeHtml(fixture)}`
  const failed = isFailed({ after })
  if (kind === 'same' && !failed) return `<details><summary>${name}: unchanged</summary>${toCard(after)}</details>`
  const rows = fields.map((field) => {
    const texts = toExcerpts(field)
    return `<tr><th>${escapeHtml(field.path)}</th><td><del>${escapeHtml(texts.before)}</del></td><td><ins>${escapeHtml(texts.after)}</ins></td></tr>`
  })
  const table = rows.length === 0 ? '' : `<table>${rows.join('')}</table>`
  const pair = `<div class="pair"><section><h4>${escapeHtml(ref)}</h4>${toCard(before)}</section><section><h4>Now</h4>${toCard(after)}</section></div>`
  const state = failed ? `failed, ${kind === 'same' ? 'as before' : kind}` : kind
  const color = kind === 'changed' && !failed ? 'warning' : 'failed'
  return `<h3>${name}: <span class="${color}">${state}</span></h3>${table}${pair}`
}

const isFailed = ({ after }: Pick<ComparedStep, 'after'>): boolean => after?.problem !== undefined

function toCard(step: RenderedStep | undefined): string {
  if (!step) return '<p class="note">The step does not exist in this version.</p>'
  const { type, reply, problem } = step
  if (reply) return toStepCard(type, reply)
  return `<div class="card failed"><b>${escapeHtml(problem?.code ?? '')}</b>\n${escapeHtml(problem?.message ?? '')}</div>`
}
