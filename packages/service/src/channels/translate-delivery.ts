import { findFilledAddress } from '@trestle/html/addresses'
import type { JsonObject } from '@trestle/protocol'
import { toObject } from '../json/json.ts'
import { htmlPositions } from '../messages/html-positions.ts'
import type { Session } from '../store/store.ts'
import { unmarkBraces } from '../templates/data-braces.ts'
import { createRenderBudget } from '../templates/render-budget.ts'
import { readTexts, type TextDrafts, type TextResource } from '../translations/read-texts.ts'
import { type Translator, translateText } from '../translations/translate-text.ts'
import type { Delivery, Problem } from './base/delivery.ts'
import { unsafeAddressProblem } from './base/unsafe-address-problem.ts'

/** A delivery with translated texts. */
export interface TranslatedDelivery {
  readonly delivery: Delivery
  /** Keys without a text in any locale. */
  readonly missing: readonly string[]
  /** Why it cannot be sent. */
  readonly problem?: Problem
}

const htmlFields: Readonly<Record<string, ReadonlySet<string>>> = {
  email: new Set(['body', 'html']),
  in_app: new Set(['body']),
}
const maxDepth = 100

/**
 * Inserts the translations of the workflow into the outputs of the bridge, in the recipient's language. Escaped braces
 * are data: they are not translated, and their escapes are removed.
 */
export async function translateDelivery(tx: Session, delivery: Delivery): Promise<TranslatedDelivery> {
  const { outputs, providers, run, job } = delivery
  if (!JSON.stringify([outputs, providers]).includes('{{')) return { delivery: unmark(delivery), missing: [] }
  const translator = await readTranslator(tx, delivery, {
    resourceType: 'workflow',
    resourceId: run.workflowIdentifier,
    drafts: delivery.textDrafts,
  })
  const missing = new Set<string>()
  const fields = htmlFields[job.type] ?? new Set()
  const position = htmlPositions[job.type]
  let problem: Problem | undefined

  function translate(value: unknown, name: string, depth: number): unknown {
    if (typeof value === 'string') {
      const translated = translateText(value, translator, fields.has(name))
      for (const key of translated.missing) missing.add(key)
      const unsafe = position && fields.has(name) ? findFilledAddress(value, translated.text, position) : undefined
      if (unsafe) problem ??= unsafeAddressProblem(`translation of "${name}"`, unsafe)
      return translated.text
    }
    if (typeof value !== 'object' || value === null || depth > maxDepth) return value
    if (Array.isArray(value)) return value.map((item) => translate(item, name, depth + 1))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, translate(item, key, depth + 1)]))
  }

  const translated = {
    ...delivery,
    outputs: toObject(translate(outputs, '', 0)),
    providers: toObject(translate(providers, '', 0)),
  }
  return { delivery: unmark(translated), missing: [...missing], ...(problem && { problem }) }
}

/** Returns a delivery without translations. */
export const unmark = ({ outputs, providers, ...rest }: Delivery): Delivery => ({
  ...rest,
  outputs: unmarkBraces(outputs),
  providers: unmarkBraces(providers),
})

/** The owner of the texts of a translator. */
export interface TranslatorResource extends Omit<TextResource, 'environmentId'> {
  /** Texts that replace the saved ones of their locale. */
  readonly drafts?: TextDrafts | undefined
}

/**
 * Reads the translations of a resource.
 *
 * @param delivery - The delivery, whose subscriber determines the locale.
 * @param resource - The resource of the texts.
 */
export async function readTranslator(
  tx: Session,
  delivery: Delivery,
  { drafts, ...resource }: TranslatorResource,
): Promise<Translator> {
  const { environmentId } = delivery
  const translations = await readTexts(tx, { environmentId, ...resource }, drafts)
  const environment = await tx
    .selectFrom('environments')
    .select('name')
    .where('id', '=', environmentId)
    .executeTakeFirst()
  return {
    translations,
    locale: delivery.subscriber.locale,
    variables: toVariables(delivery, environment?.name),
    budget: createRenderBudget(),
  }
}

/** Returns the variables for layouts and translations. */
function toVariables({ subscriber, run, outputs }: Delivery, environmentName: string | undefined): JsonObject {
  return {
    subscriber,
    payload: run.payload,
    tenant: run.tenant,
    environment: { name: environmentName },
    workflow: { workflowId: run.workflowIdentifier, tags: run.tags, severity: run.severity },
    subject: outputs['subject'],
    preheader: outputs['preheader'],
  }
}
