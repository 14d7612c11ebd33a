import type { AgentQuestion, AgentReply, JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import { filledText, isStorable, jsonObject, text } from '../../api/input.ts'
import { conversationLimits as limits } from '../base/conversation-limits.ts'
import { type Content, contentFields, fitsFiles, saysNothing, saysSomething, tooManyBytes } from './content-schema.ts'

const content = z.strictObject(contentFields).refine(saysSomething, saysNothing).refine(fitsFiles, tooManyBytes)

const edit = z
  .strictObject({ messageId: filledText(), ...contentFields })
  .refine(saysSomething, saysNothing)
  .refine(fitsFiles, tooManyBytes)

const isShort = (value: unknown): boolean => (JSON.stringify(value) ?? '').length <= limits.valueLength
const tooLong = `must have at most ${limits.valueLength} characters as JSON`

/** Any JSON that both databases can store, up to the limit. */
const value = z.unknown().refine(isShort, tooLong)

const options = z
  .array(z.strictObject({ value: filledText(2000), label: filledText(2000) }))
  .min(1, 'must have at least one option')
  .max(100, 'must have at most 100 options')
  .refine((all) => new Set(all.map((option) => option.value)).size === all.length, 'must have different values')

const question = z
  .strictObject({
    questionId: filledText(1024),
    id: filledText(),
    type: z.enum(['text', 'choice', 'approval'], 'must be text, choice or approval'),
    text: filledText(limits.textLength),
    value: value.optional(),
    options: options.optional(),
    labels: z.strictObject({ approve: text(255).optional(), reject: text(255).optional() }).optional(),
    by: z.array(filledText()).min(1, 'must name at least one user').max(100, 'must have at most 100 ids').optional(),
  })
  .refine((asked) => (asked.type === 'choice') === (asked.options !== undefined), {
    path: ['options'],
    message: 'is required for a choice, and not allowed otherwise',
  })
  .refine((asked) => asked.type === 'approval' || asked.labels === undefined, {
    path: ['labels'],
    message: 'is only allowed for an approval',
  })
  .refine((asked) => asked.type === 'approval' || asked.by === undefined, {
    path: ['by'],
    message: 'is only allowed for an approval',
  })

const metadata = jsonObject()
  .refine((fields) => Object.keys(fields).every((name) => name.length <= 255 && isStorable(name)), {
    message: 'must have names of at most 255 characters',
  })
  .refine(isShort, tooLong)

const actions = {
  reply: content.optional(),
  question: question.optional(),
  edit: edit.optional(),
  deleteMessages: z.array(filledText()).min(1, 'must not be empty').max(100, 'must have at most 100 ids').optional(),
  addReactions: z
    .array(z.strictObject({ messageId: filledText(), emoji: filledText(100) }))
    .min(1, 'must not be empty')
    .max(100, 'must have at most 100 reactions')
    .optional(),
  typing: z.boolean('must be true or false').optional(),
  resolve: z.strictObject({ summary: text(10_000).optional() }).optional(),
  metadata: metadata.optional(),
  error: z
    .strictObject({
      code: z.enum(['TurnFailed', 'TurnTimedOut'], 'must be TurnFailed or TurnTimedOut'),
      message: filledText(10_000),
    })
    .optional(),
} as const

/** The possible actions of a reply, by field. */
export const replyFields: readonly string[] = Object.freeze(Object.keys(actions))

/** The action of a reply. @source protocol.md#replies */
export interface ReplyActions {
  readonly reply?: Content | undefined
  readonly question?: AskedQuestion | undefined
  /** Replaces the content of a message. */
  readonly edit?: (Content & { readonly messageId: string }) | undefined
  readonly deleteMessages?: readonly string[] | undefined
  readonly addReactions?: readonly { readonly messageId: string; readonly emoji: string }[] | undefined
  /** Shows or hides the typing indicator of the agent. */
  readonly typing?: boolean | undefined
  readonly resolve?: { readonly summary?: string | undefined } | undefined
  /** Sets metadata fields; `null` removes one. */
  readonly metadata?: JsonObject | undefined
  /** Reports that the turn failed. */
  readonly error?: { readonly code: 'TurnFailed' | 'TurnTimedOut'; readonly message: string } | undefined
}

/** A question, as the schema returns it: absent parts may be undefined. */
export interface AskedQuestion extends Pick<AgentQuestion, 'questionId' | 'id' | 'type' | 'text'> {
  /** A value that is returned with the answer. */
  readonly value?: unknown
  /** The options of a choice. */
  readonly options?: AgentQuestion['options'] | undefined
  /** The labels of an approval's buttons. */
  readonly labels?: { readonly approve?: string | undefined; readonly reject?: string | undefined } | undefined
  /** The only users who may answer an approval. */
  readonly by?: readonly string[] | undefined
}

/** A validated reply. */
export interface Reply extends Omit<AgentReplyHead, 'version'>, ReplyActions {}

/** Fields of every reply. */
type AgentReplyHead = Pick<
  AgentReply,
  'version' | 'agentId' | 'conversationId' | 'integrationIdentifier' | 'deliveryId' | 'turnId' | 'sequence'
>

/** The body of a reply. @source protocol.md#replies */
export const replySchema: z.ZodType<Reply> = z
  .strictObject({
    version: z.literal(1, 'must be 1'),
    agentId: filledText(),
    conversationId: filledText(),
    integrationIdentifier: filledText(),
    deliveryId: filledText(),
    turnId: filledText(200),
    sequence: z.number('must be a number').int('must be a whole number').min(0).max(1_000_000),
    ...actions,
  })
  .refine(
    (reply) => replyFields.filter((name) => Reflect.get(reply, name) !== undefined).length === 1,
    `must have exactly one of ${replyFields.join(', ')}`,
  )
