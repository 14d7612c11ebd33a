import type { AgentDefinition } from '../agent/agent-definition.ts'
import type { Card, CardButton, CardChild, CardSelect } from '../workflow/cards/card.ts'

/**
 * Refuses a card with a button or list that the agent could not be told of: whoever clicked it would be answered by a failure.
 *
 * @param content - What is sent, its card in the right form.
 * @param agent - The agent.
 * @throws TypeError - An id that is no action, or a value that does not fit the schema of its action.
 */
export async function checkCardActions(content: { readonly card?: unknown }, agent: AgentDefinition): Promise<void> {
  const { actions, id } = agent
  if (!actions || !content.card) return
  for (const part of partsOf((content.card as Card).children)) {
    const what = `The ${part.type} "${part.id}" of a card`
    const schema = actions.get(part.id)
    if (!schema)
      throw new TypeError(`${what} is not an action of agent "${id}", which has: ${[...actions.keys()].join(', ')}.`)
    if (!schema.given) continue
    for (const value of 'options' in part ? part.options.map((option) => option.value) : [part.value]) {
      const { issues } = await schema.check(value)
      if (!issues) continue
      const [{ path, message }] = issues
      throw new TypeError(`${what}: its value does not fit the schema: ${path && `${path} `}${message}.`)
    }
  }
}

/** What a person can click or choose, and the agent is told of. */
function partsOf(children: readonly CardChild[]): (CardButton | CardSelect)[] {
  return children.flatMap((child) => {
    if (child.type === 'section') return partsOf(child.children)
    if (child.type !== 'actions') return []
    return child.children.filter(
      (part) => part.type !== 'link-button' && !('callbackUrl' in part) && !('disabled' in part && part.disabled),
    ) as (CardButton | CardSelect)[]
  })
}
