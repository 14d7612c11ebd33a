import type { AgentQuestion } from '@trestle/protocol'
import type { AgentContext } from '../agent/agent-context.ts'
import type { AgentDefinition } from '../agent/agent-definition.ts'
import { checkOptions, type OptionRule, optionRules } from '../base/check-options.ts'
import { isObject } from '../base/json.ts'
import { toJsonValue } from './json-value.ts'
import type { PhaseIds } from './phase-ids.ts'
import type { Messenger } from './reply/messenger.ts'
import { maxTextLength } from './reply/wire-content.ts'

/** What questions are asked with. */
interface QuestionParts {
  readonly agent: AgentDefinition
  readonly messenger: Messenger
  readonly ids: PhaseIds
}

const maxOptions = 100
const common = { text: optionRules.text, value: optionRules.anything }
const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

const rules: Readonly<Record<AgentQuestion['type'], Readonly<Record<string, OptionRule>>>> = {
  text: common,
  choice: {
    ...common,
    options: {
      fits: (value) =>
        Array.isArray(value) &&
        value.length > 0 &&
        value.length <= maxOptions &&
        value.every((option) => isObject(option) && isText(option['value']) && isText(option['label'])),
      form: `a list of 1 to ${maxOptions} options, each { value, label } of texts`,
    },
  },
  approval: { ...common, labels: optionRules.object },
}

/**
 * Creates the functions that ask. A question takes its place among the replies at once, its value is checked when it is
 * its turn.
 *
 * @param parts - What they work with.
 */
export function createQuestions({
  agent,
  messenger,
  ids,
}: QuestionParts): Pick<AgentContext, 'ask' | 'choose' | 'approve'> {
  const send =
    (type: AgentQuestion['type']): AgentContext['ask'] =>
    async (id, given) => {
      const question = toQuestion(agent, id, { type, given })
      const questionId = ids.nextQuestion(id)
      const { messageId } = await messenger.send(async () => {
        await checkValue(agent, question)
        return { question: { questionId, ...question } }
      })
      const noId = async (): Promise<never> => {
        throw new TypeError('A question cannot be edited or deleted by the agent; the service closes it when answered.')
      }
      return { questionId, messageId, edit: noId, delete: noId }
    }
  return { ask: send('text'), choose: send('choice'), approve: send('approval') }
}

type Question = Omit<AgentQuestion, 'questionId'>

function toQuestion(
  agent: AgentDefinition,
  id: unknown,
  { type, given }: { readonly type: AgentQuestion['type']; readonly given: unknown },
): Question {
  if (typeof id !== 'string' || id === '' || id.length > 255)
    throw new TypeError('A question: its id must be a text of 1 to 255 characters.')
  const what = `The question "${id}"`
  if (agent.actions && !agent.actions.has(id))
    throw new TypeError(
      `${what} is not an action of agent "${agent.id}", which has: ${[...agent.actions.keys()].join(', ')}.`,
    )
  checkOptions(what, given, rules[type])
  const { text, options, labels, value: raw } = given as Record<string, unknown> & AgentQuestion
  if (!isText(text) || text.length > maxTextLength)
    throw new TypeError(`${what} needs a text of 1 to ${maxTextLength} characters.`)
  if (type === 'choice' && !options) throw new TypeError(`${what} needs options to choose from.`)
  const value = toJsonValue(raw, what)
  return {
    ...{ id, type, text },
    ...(value !== undefined && { value }),
    ...(options && { options: options.map((option) => ({ value: option.value, label: option.label })) }),
    ...(labels && { labels: toLabels(labels) }),
  }
}

/** What comes back is checked by the same schema: a wrong value is told now, and not when somebody has answered. */
async function checkValue({ actions }: AgentDefinition, { id, value }: Question): Promise<void> {
  const schema = actions?.get(id)
  const verdict = schema?.given ? await schema.check(value) : undefined
  if (verdict?.issues)
    throw new TypeError(
      `The question "${id}": its value does not fit the schema. ${verdict.issues[0].path}: ${verdict.issues[0].message}.`,
    )
}

function toLabels({ approve, reject }: NonNullable<AgentQuestion['labels']>): NonNullable<AgentQuestion['labels']> {
  return {
    ...(approve !== undefined && { approve: String(approve) }),
    ...(reject !== undefined && { reject: String(reject) }),
  }
}
