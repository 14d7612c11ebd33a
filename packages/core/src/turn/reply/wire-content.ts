import type { AgentContent, JsonObject } from '@trestle/protocol'
import type { AgentDefinition } from '../../agent/agent-definition.ts'
import type { ReplyContent } from '../../agent/reply-content.ts'
import { replyLimits } from '../../agent/reply-limits.ts'
import { checkOptions, optionRules } from '../../base/check-options.ts'
import { compileSchema } from '../../schema/compile-schema.ts'
import type { Card } from '../../workflow/cards/card.ts'
import { cardSchema } from '../../workflow/cards/card-schema.ts'
import { checkCardActions } from './check-action.ts'
import { checkText } from './check-text.ts'
import { toJsonValue } from './json-value.ts'
import { toWireFiles } from './wire-files.ts'

const cards = compileSchema(cardSchema)
const rules = {
  text: optionRules.text,
  markdown: optionRules.text,
  card: optionRules.object,
  files: { fits: Array.isArray, form: 'an array of files' },
}

/** Returns captured content in wire format; throws a `TypeError` if its card is invalid. */
export type TakenContent = () => Promise<AgentContent>

/**
 * Captures the current state of content: a reply waits for earlier ones, and later changes to its data must not be
 * sent.
 *
 * @param agent - The agent whose actions its card can use.
 * @throws TypeError - The content is invalid, empty, or too large.
 */
export function takeContent(content: string | ReplyContent, agent?: AgentDefinition): TakenContent {
  const given: unknown = typeof content === 'string' ? { text: content } : content
  checkOptions('A reply', given, rules)
  const { text, markdown, card, files } = given as ReplyContent
  for (const [name, value] of Object.entries({ text, markdown }))
    if (value !== undefined) checkText(`A reply: ${name}`, value, { max: replyLimits.text })
  if (!text && !markdown && !card && !files?.length)
    throw new TypeError('A reply needs text, markdown, a card or files; this one is empty.')
  const taken = card && toJsonValue(card, 'A reply: the card')
  const wireFiles = files?.length ? toWireFiles(files) : undefined
  return async () => ({
    ...(text !== undefined && { text }),
    ...(markdown !== undefined && { markdown }),
    ...(card && { card: await checkCard(taken, agent) }),
    ...(wireFiles && { files: wireFiles }),
  })
}

async function checkCard(card: unknown, agent: AgentDefinition | undefined): Promise<JsonObject> {
  const { issues } = await cards.check(card)
  if (issues)
    throw new TypeError(`A reply: the card is invalid at ${issues[0].path || 'its root'}: ${issues[0].message}.`)
  const { length } = JSON.stringify(card)
  if (length > replyLimits.card)
    throw new TypeError(`A reply: the card has ${length} characters as JSON; the maximum is ${replyLimits.card}.`)
  if (agent?.actions) await checkCardActions(card as Card, agent)
  return card as JsonObject
}
