import { type AgentQuestion, isObject } from '@trestle/protocol'
import type { AgentContext } from '../agent/agent-context.ts'
import type { AgentDefinition } from '../agent/agent-definition.ts'
import { replyLimits } from '../agent/reply-limits.ts'
import { checkOptions, type OptionRule, optionRules } from '../base/check-options.ts'
import type { PhaseIds } from './phase-ids.ts'
import { checkActionId, checkActionValue } from './reply/check-action.ts'
import { checkText, checkValueLength } from './reply/check-text.ts'
import { toJsonValue } from './reply/json-value.ts'
import type { Messenger } from './reply/messenger.ts'

/** The dependencies of the question functions. */
interface QuestionParts {
  readonly agent: AgentDefinition
  readonly messenger: Messenger
  readonly ids: PhaseIds
}

const { options: maxOptions, text: maxTextLength, id: maxIdLength, option: maxOptionLength } = replyLimits
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
      form: `a list of 1 to ${maxOptions} options, each { value, label } with strings`,
    },
  },
  approval: {
    ...common,
    labels: optionRules.object,
    by: {
      fits: (value) => [value].flat().length > 0 && [value].flat().length <= maxOptions && [value].flat().every(isText),
      form: `a person id, or a list of 1 to ${maxOptions} ids`,
    },
  },
}

/**
 * Creates the question functions. A question takes its position among the replies immediately; its value is validated
 * when it is sent.
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
        await checkActionValue(agent, { id: question.id, what: `The question "${question.id}"` }, question.value)
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
  if (typeof id !== 'string' || id === '' || id.length > maxIdLength)
    throw new TypeError(`The id of a question must be a string of 1 to ${maxIdLength} characters.`)
  checkText('The id of a question', id, { max: maxIdLength })
  const what = `The question "${id}"`
  checkActionId(agent, { id, what })
  checkOptions(what, given, rules[type])
  const { text, options, labels, by, value: raw } = given as Record<string, unknown> & AgentQuestion
  if (!isText(text) || text.length > maxTextLength)
    throw new TypeError(`${what} needs text of 1 to ${maxTextLength} characters.`)
  checkText(`${what}: the text`, text, { max: maxTextLength })
  if (type === 'choice' && !options) throw new TypeError(`${what} needs options to choose from.`)
  const value = toJsonValue(raw, what)
  checkValueLength(`${what}: the value`, value)
  return {
    ...{ id, type, text },
    ...(value !== undefined && { value }),
    ...(options && { options: toOptions(what, options) }),
    ...(labels && { labels: toLabels(what, labels) }),
    ...(by && { by: [by].flat().map((userId) => checkText(`${what}: an id in by`, userId, { max: maxIdLength })) }),
  }
}

type Options = NonNullable<AgentQuestion['options']>

const choiceRules = { value: optionRules.anything, label: optionRules.anything }

function toOptions(what: string, options: Options): Options {
  for (const [index, option] of options.entries()) checkOptions(`${what}: option ${index}`, option, choiceRules)
  const values = options.map(({ value }) => value)
  const repeated = values.findIndex((value, index) => values.indexOf(value) < index)
  if (repeated >= 0)
    throw new TypeError(
      `${what}: option ${repeated} has the value of option ${values.indexOf(values[repeated] ?? '')}; values must differ.`,
    )
  return options.map(({ value, label }, index) => ({
    value: checkText(`${what}: the value of option ${index}`, value, { max: maxOptionLength }),
    label: checkText(`${what}: the label of option ${index}`, label, { max: maxOptionLength }),
  }))
}

type Labels = NonNullable<AgentQuestion['labels']>

const labelRules = { approve: optionRules.anything, reject: optionRules.anything }

function toLabels(what: string, labels: Labels): Labels {
  checkOptions(`${what}: the labels`, labels, labelRules)
  const given = (['approve', 'reject'] as const).filter((name) => labels[name] !== undefined)
  return Object.fromEntries(
    given.map((name) => [name, checkText(`${what}: the label ${name}`, labels[name], { max: maxIdLength })]),
  )
}
