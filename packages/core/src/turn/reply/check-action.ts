import type { AgentDefinition } from '../../agent/agent-definition.ts'
import type { Card } from '../../workflow/cards/card.ts'

/** What is named in a question or a card. */
interface NamedAction {
  /** Its id. */
  readonly id: string
  /** What it is, for messages. */
  readonly what: string
}

/**
 * Refuses an id that the agent has not declared.
 *
 * @param agent - The agent.
 * @param named - The id.
 * @throws TypeError - The agent declares its actions, and this is none.
 */
export function checkActionId({ id, actions }: AgentDefinition, named: NamedAction): void {
  if (actions && !actions.has(named.id))
    throw new TypeError(
      `${named.what} is not an action of agent "${id}", which has: ${[...actions.keys()].join(', ')}.`,
    )
}

/**
 * What comes back is checked by the same schema: a wrong value is told now, and not when somebody has answered.
 *
 * @param agent - The agent.
 * @param named - The id.
 * @param value - What will come back.
 * @throws TypeError - The value does not fit the schema of the action.
 */
export async function checkActionValue(
  { actions }: AgentDefinition,
  named: NamedAction,
  value: unknown,
): Promise<void> {
  const schema = actions?.get(named.id)
  const verdict = schema?.given ? await schema.check(value) : undefined
  if (!verdict?.issues) return
  const [{ path, message }] = verdict.issues
  throw new TypeError(`${named.what}: its value does not match the schema. ${path && `${path}: `}${message}.`)
}

/**
 * Refuses a card with a button or list that the agent could not be told of: whoever clicked it would be answered by a failure.
 *
 * @param card - The card, in the right form.
 * @param agent - The agent, which declares its actions.
 * @throws TypeError - An id that is no action, or a value that does not fit the schema of its action.
 */
export async function checkCardActions(card: Card, agent: AgentDefinition): Promise<void> {
  for (const { type, id, value, options } of clickableOf(card.children)) {
    const named = { id, what: `The ${type} "${id}" of a card` }
    checkActionId(agent, named)
    for (const choice of options ?? [{ value }]) await checkActionValue(agent, named, choice.value)
  }
}

/** What parts of a card have, whatever their type. */
interface Part {
  readonly type: string
  readonly id?: string | undefined
  readonly value?: string | undefined
  readonly callbackUrl?: string | undefined
  readonly disabled?: boolean | undefined
  readonly options?: readonly { readonly value: string }[] | undefined
  readonly children?: readonly Part[] | undefined
}

/** What a person can click or choose, and the agent is told of. */
function clickableOf(parts: readonly Part[]): (Part & { readonly id: string })[] {
  return parts.flatMap((part) => {
    if (part.children) return clickableOf(part.children)
    const { id, type, callbackUrl, disabled } = part
    return id === undefined || type === 'link-button' || callbackUrl || disabled ? [] : [{ ...part, id }]
  })
}
