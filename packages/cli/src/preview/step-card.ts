import type { StepReply } from '@trestle/protocol'
import { isRecord } from '../base/is-record.ts'
import { escapeHtml } from './escape-html.ts'
import { toSmsSegments } from './sms-segments.ts'

const text = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

/**
 * Renders a step as HTML, as its recipient would see it. HTML of the app is shown in a sandboxed frame without scripts.
 */
export function toStepCard(type: string, { outputs, providers, metadata }: StepReply): string {
  const draw = Object.hasOwn(cards, type) ? cards[type] : undefined
  const warnings = (metadata.warnings ?? []).map(
    ({ code, message }) => `<p class="warning"><b>${escapeHtml(code)}</b> ${escapeHtml(message)}</p>`,
  )
  const removed = (metadata.removed ?? []).map(
    ({ kind, name, line, column }) =>
      `<p class="warning">removed: ${escapeHtml(kind)} <code>${escapeHtml(name)}</code>, line ${line}, column ${column}</p>`,
  )
  const overrides = Object.keys(providers).length === 0 ? '' : raw('Provider overrides', providers)
  return [draw?.(outputs) ?? '', ...warnings, ...removed, raw('Output', outputs), overrides].join('\n')
}

const cards: Readonly<Record<string, (outputs: Readonly<Record<string, unknown>>) => string>> = {
  email: ({ subject, preheader, from, body }) =>
    `<div class="card"><h4>${escapeHtml(text(subject))}</h4>${line(preheader)}${line(readSender(from))}</div>${frame(text(body), 'mail')}`,
  in_app: ({ subject, body, primaryAction, secondaryAction }) =>
    `<div class="card">${subject === undefined ? '' : `<h4>${escapeHtml(text(subject))}</h4>`}${frame(text(body), 'inbox')}<p>${[primaryAction, secondaryAction].map(button).join(' ')}</p></div>`,
  sms: ({ body }) => {
    const { count, alphabet } = toSmsSegments(text(body))
    return `<div class="card bubble"><p>${escapeHtml(text(body))}</p></div><p class="note">${count} ${count === 1 ? 'segment' : 'segments'}, ${alphabet}</p>`
  },
  push: ({ subject, body }) =>
    `<div class="card"><h4>${escapeHtml(text(subject))}</h4><p>${escapeHtml(text(body))}</p></div>`,
  chat: ({ body }) => `<div class="card"><p>${escapeHtml(text(body))}</p></div>`,
  tool: ({ body }) => `<div class="card"><p>${escapeHtml(text(body))}</p></div>`,
}

const line = (value: unknown): string =>
  value === undefined || value === '' ? '' : `<p class="note">${escapeHtml(text(value))}</p>`

function readSender(from: unknown): unknown {
  return isRecord(from) ? [from['name'], from['email']].filter(Boolean).join(' · ') : from
}

function button(action: unknown): string {
  return isRecord(action) ? `<span class="button">${escapeHtml(text(action['label']))}</span>` : ''
}

/** An empty sandbox: no scripts, no forms, no access to the page around. */
function frame(html: string, kind: 'mail' | 'inbox'): string {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data: https:; font-src data:"
  const source = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">${html}`
  return `<iframe class="${kind}" sandbox="" title="${kind}" srcdoc="${escapeHtml(source)}"></iframe>`
}

function raw(title: string, value: unknown): string {
  return `<details><summary>${escapeHtml(title)}</summary><pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre></details>`
}
