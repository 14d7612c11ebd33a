import type { AgentDefinition } from '../../agent/agent-definition.ts'
import type { Card } from '../../workflow/cards/card.ts'

/** The action of a question or a card. */
interface NamedAction {
  readonly id: string
  /** What the action belongs to, for error messages. */
  readonly what: string
}

/**
 * Rejects an action id that the agent has not declared.
 *
 * @throws TypeError - The agent declares actions, and this is not one of them.
 */
export function checkActionId({ id, actions }: AgentDefinition, named: NamedAction): void {
  if (actions && !actions.has(named.id))
    throw new TypeError(
      `${named.what} is not an action of agent "${id}", which has: ${[...actions.keys()].join(', ')}.`,
    )
}

/**
 * Validates the value of an action. Its answer is validated with the same schema, so a wrong value is reported now
 * instead of after someone has answered.
 *
 * @throws TypeError - The value does not match the schema of the action.
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
 * Rejects a card with a button or list whose action the agent does not have, because a click on it would fail.
 *
 * @param card - The card, whose shape is already validated.
 * @param agent - The agent, which declares its actions.
 * @throws TypeError - An action id is unknown, or a value does not match the schema of its action.
 */
export async function checkCardActions(card: Card, agent: AgentDefinition): Promise<void> {
  for (const { type, id, value, options } of clickableOf(card.children)) {
    const named = { id, what: `The ${type} "${id}" of a card` }
    checkActionId(agent, named)
    for (const choice of options ?? [{ value }]) await checkActionValue(agent, named, choice.value)
  }
}

/** Fields shared by all parts of a card. */
interface Part {
  readonly type: string
  readonly id?: string | undefined
  readonly value?: string | undefined
  readonly callbackUrl?: string | undefined
  readonly disabled?: boolean | undefined
  readonly options?: readonly { readonly value: string }[] | undefined
  readonly children?: readonly Part[] | undefined
}

/** Returns the parts that a person can click or choose. */
function clickableOf(parts: readonly Part[]): (Part & { readonly id: string })[] {
  return parts.flatMap((part) => {
    if (part.children) return clickableOf(part.children)
    const { id, type, callbackUrl, disabled } = part
    return id === undefined || type === 'link-button' || callbackUrl || disabled ? [] : [{ ...part, id }]
  })
}
