import { closed, text } from '../../schema/object-schema.ts'
import type { Card } from '../cards/card.ts'
import { cardSchema } from '../cards/card-schema.ts'
import type { StepKindRow } from './step-kind.ts'

/** The output of a chat step's handler: text, a card, or both. */
export type ChatOutput =
  | {
      /** The text. */
      readonly body: string
      /** A card, such as one with buttons. */
      readonly card?: Card | undefined
    }
  | {
      /** A card, such as one with buttons. */
      readonly card: Card
      /** The text. */
      readonly body?: string | undefined
    }

/** Sends a chat message. */
export const chat: StepKindRow = {
  type: 'chat',
  output: {
    ...closed({ body: text, card: cardSchema }),
    anyOf: [{ required: ['body'] }, { required: ['card'] }],
  },
  empty: {},
  channel: 'chat',
}
