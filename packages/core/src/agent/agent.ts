import { isObject } from '@trestle/protocol'
import type { Awaitable } from '../base/awaitable.ts'
import { checkOptions, type OptionRule, optionRules } from '../base/check-options.ts'
import { compileSchema, isStandard } from '../schema/compile-schema.ts'
import type { CompiledSchema } from '../schema/compiled-schema.ts'
import { checkId } from '../workflow/steps/check-id.ts'
import type { ActionTable } from './action-types.ts'
import type { ActionContext, AgentContext, MessageContext, ReactionContext } from './agent-context.ts'
import type { AgentDefinition } from './agent-definition.ts'

/** The event handlers and actions of an agent. */
export interface AgentOptions<TActions extends ActionTable> {
  /** Called for each message of a user. */
  readonly onMessage: (context: MessageContext<TActions>) => Awaitable<unknown>
  /** Called when a button is clicked, an option chosen, or a question answered. @default nothing happens */
  readonly onAction?: ((context: ActionContext<TActions>) => Awaitable<unknown>) | undefined
  /** Called when someone reacts to a message. @default ignored */
  readonly onReaction?: ((context: ReactionContext<TActions>) => Awaitable<unknown>) | undefined
  /** Called when the conversation has been ended. @default nothing happens */
  readonly onResolve?: ((context: AgentContext<TActions>) => Awaitable<unknown>) | undefined
  /**
   * Called when a turn fails or times out; it can reply for ten seconds. If it sends nothing, the service shows that
   * the agent failed.
   */
  readonly onError?: ((error: unknown, context: AgentContext<TActions>) => Awaitable<unknown>) | undefined
  /** The buttons, lists and questions of the agent, by id. @default any id and any value */
  readonly actions?: TActions | undefined
  /** The time limit of a turn, in milliseconds. @default 60000 */
  readonly timeoutMs?: number | undefined
}

const defaultTimeoutMs = 60_000
// The longest supported timer; a longer one would fire immediately.
const maxTimeoutMs = 2 ** 31 - 1

const rules: Readonly<Record<keyof AgentOptions<ActionTable>, OptionRule>> = {
  onMessage: optionRules.callback,
  onAction: optionRules.callback,
  onReaction: optionRules.callback,
  onResolve: optionRules.callback,
  onError: optionRules.callback,
  actions: {
    fits: isObject,
    form: 'an object of actions by id, each { schema } or {}',
  },
  timeoutMs: {
    fits: (value) => typeof value === 'number' && value > 0 && value <= maxTimeoutMs,
    form: `a number above 0 and at most ${maxTimeoutMs}`,
  },
}

/**
 * Defines an agent that takes part in the service's conversations.
 *
 * @param id - Unique in the bridge; 1 to 255 characters without control characters.
 * @param options - Handlers and actions. Every event runs in its own turn, in the background.
 * @throws TypeError - The id, an option or an action schema is invalid.
 * @example
 * const support = agent('support', {
 *   actions: { refund: { schema: z.object({ orderId: z.string() }) } },
 *   onMessage: async ({ message, approve }) => {
 *     await approve('refund', { text: `Refund for "${message.text}"?`, value: { orderId: '7' } })
 *   },
 *   onAction: async ({ action, reply }) => {
 *     if (action.answer?.type === 'approval') await reply(`Order ${action.value.orderId}: ${action.answer.approved}`)
 *   },
 * })
 */
export function agent<const TActions extends ActionTable = ActionTable>(
  id: string,
  options: AgentOptions<TActions>,
): AgentDefinition {
  checkId('agent', id)
  checkOptions(`Agent "${id}"`, options, rules)
  if (typeof options.onMessage !== 'function') throw new TypeError(`Agent "${id}": the option onMessage is required.`)
  const { onMessage, onAction, onReaction, onResolve, onError, actions, timeoutMs = defaultTimeoutMs } = options
  return Object.freeze({
    id,
    handlers: Object.freeze({ onMessage, onAction, onReaction, onResolve, onError }),
    actions: actions && compileActions(id, actions),
    timeoutMs,
  })
}

function compileActions(agentId: string, actions: ActionTable): ReadonlyMap<string, CompiledSchema> {
  return new Map(
    Object.entries(actions).map(([id, action]) => {
      const what = `Agent "${agentId}", action "${id}"`
      if (isStandard(action))
        throw new TypeError(`${what}: pass the schema of an action as { schema }; got the schema itself.`)
      checkOptions(what, action, { schema: optionRules.anything })
      try {
        return [id, compileSchema(action.schema)]
      } catch (error) {
        throw new TypeError(`Agent "${agentId}": the schema of action "${id}" cannot be used. ${String(error)}`, {
          cause: error,
        })
      }
    }),
  )
}
