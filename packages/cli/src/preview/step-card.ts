import { escapeHtml } from '@trestle/html/escape'
import { isObject, type StepReply } from '@trestle/protocol'
import { toSmsSegments } from './sms-segments.ts'

const text = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

/** The parts of a reply that are shown. */
export interface CardContent extends Pick<StepReply, 'outputs' | 'providers'> {
  /** @default no warnings */
  readonly metadata?: Pick<StepReply['metadata'], 'warnings' | 'removed'>
}

/** How a step is shown. */
export interface CardOptions {
  /** The images that the page loads: all, or only those within the HTML. @default 'remote' */
  readonly images?: 'remote' | 'inline'
}

/**
 * Renders a step as HTML, as its recipient would see it. HTML from the app is shown in a sandboxed frame without
 * scripts.
 */
export function toStepCard(
  type: string,
  { outputs, providers, metadata = {} }: CardContent,
  { images = 'remote' }: CardOptions = {},
): string {
  const draw = Object.hasOwn(cards, type) ? cards[type] : undefined
  const warnings = (metadata.warnings ?? []).map(
    ({ code, message }) => `<p class="warning"><b>${escapeHtml(code)}</b> ${escapeHtml(message)}</p>`,
  )
  const removed = (metadata.removed ?? []).map(
    ({ kind, name, line, column }) =>
      `<p class="warning">removed: ${escapeHtml(kind)} <code>${escapeHtml(name)}</code>, line ${line}, column ${column}</p>`,
  )
  const overrides = Object.keys(providers).length === 0 ? '' : raw('Provider overrides', providers)
  return [draw?.(outputs, images) ?? '', ...warnings, ...removed, raw('Output', outputs), overrides].join('\n')
}

type Images = NonNullable<CardOptions['images']>
type Draw = (outputs: Readonly<Record<string, unknown>>, images: Images) => string

const cards: Readonly<Record<string, Draw>> = {
  email: ({ subject, preheader, from, body }, images) =>
    `<div class="card"><h4>${escapeHtml(text(subject))}</h4>${line(preheader)}${line(readSender(from))}</div>${frame(text(body), { kind: 'mail', images })}`,
  in_app: ({ subject, body, primaryAction, secondaryAction }, images) =>
    `<div class="card">${subject === undefined ? '' : `<h4>${escapeHtml(text(subject))}</h4>`}${frame(text(body), { kind: 'inbox', images })}<p>${[primaryAction, secondaryAction].map(button).join(' ')}</p></div>`,
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
  return isObject(from) ? [from['name'], from['email']].filter(Boolean).join(' · ') : from
}

function button(action: unknown): string {
  return isObject(action) ? `<span class="button">${escapeHtml(text(action['label']))}</span>` : ''
}

/** Uses an empty sandbox: no scripts, no forms, no access to the surrounding page. */
function frame(html: string, { kind, images }: { readonly kind: 'mail' | 'inbox'; readonly images: Images }): string {
  const imageSources = images === 'remote' ? 'data: https:' : 'data:'
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src ${imageSources}; font-src data:`
  const source = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">${html}`
  return `<iframe class="${kind}" sandbox="" title="${kind}" srcdoc="${escapeHtml(source)}"></iframe>`
}

function raw(title: string, value: unknown): string {
  return `<details><summary>${escapeHtml(title)}</summary><pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre></details>`
}
