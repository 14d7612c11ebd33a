import type {
  AgentConversation,
  AgentHistoryEntry,
  AgentMessage,
  AgentNotification,
  AgentReaction,
  JsonObject,
  Subscriber,
} from '@trestle/protocol'
import type { PayloadPart, Triggered, TriggerRequest } from '../trigger/trigger-workflow.ts'
import type { Workflow } from '../workflow/workflow.ts'
import type { ActionId, ActionOf, ActionTable, QuestionValue } from './action-types.ts'
import type { Reply, ReplyContent, ReplyOptions, SentMessage, SentQuestion } from './reply-content.ts'

/** A trigger out of a conversation; without `to` it goes to the conversation's subscriber. */
export type AgentTrigger<TPayload> = Omit<TriggerRequest<unknown>, 'to' | 'payload'> & {
  /** Recipients. @default the conversation's subscriber */
  readonly to?: TriggerRequest<unknown>['to'] | undefined
} & PayloadPart<TPayload>

type TriggerArguments<TPayload> =
  Record<string, never> extends TPayload ? [request?: AgentTrigger<TPayload>] : [request: AgentTrigger<TPayload>]

/** A question that is answered with a text. */
export interface AskQuestion {
  /** What is asked. */
  readonly text: string
}

/** A question that is answered by choosing one of several options. */
export interface ChooseQuestion extends AskQuestion {
  /** The options; the answer holds the value of one. */
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

/** A question that is answered with yes or no. */
export interface ApproveQuestion extends AskQuestion {
  /** What the buttons say. @default words of the service */
  readonly labels?: { readonly approve?: string | undefined; readonly reject?: string | undefined } | undefined
  /**
   * The only person, or people, who may answer, by `author.userId`. Name them in every channel that others read.
   * @default everyone in the conversation
   */
  readonly by?: string | readonly string[] | undefined
}

/**
 * One turn of a conversation: what happened, and what the agent may do. After the end of the turn its functions do
 * nothing more: a call then never settles, and a warning tells of it.
 */
export interface AgentContext<TActions = ActionTable> {
  /** The agent's id. */
  readonly agentId: string
  /** The id of the delivery, the same when the service sends the event again. */
  readonly deliveryId: string
  /** The conversation; its `id` tells it from all others. */
  readonly conversation: AgentConversation & { readonly id: string }
  /** Earlier messages, oldest first. */
  readonly history: readonly AgentHistoryEntry[]
  /** The person, where the service knows them as a subscriber. */
  readonly subscriber: Subscriber | null
  /** The notification the conversation began with. */
  readonly notification: AgentNotification | null
  /** The chat platform: `slack`, `teams`, `web`. */
  readonly platform: string
  /** What the platform tells of the place: thread, channel and the like. */
  readonly platformContext: JsonObject
  /** Contexts by type, each `{ id, data }`. */
  readonly context: JsonObject
  /** Aborts when the turn's time is over. */
  readonly signal: AbortSignal
  /**
   * Sends a message. A text in parts is sent as soon as it begins, and edited while it grows.
   *
   * @param reply - Text, content, or the parts of a text.
   * @param options - What a text or its parts are.
   * @throws CodedError - `ApiRequestFailedError`.
   * @throws TypeError - The content or an option has the wrong form.
   */
  reply(reply: Reply, options?: ReplyOptions): Promise<SentMessage>
  /**
   * Replaces the content of a message of the agent.
   *
   * @param messageId - The message.
   * @param content - The new content.
   * @throws CodedError - `ApiRequestFailedError`.
   * @throws TypeError - The content has the wrong form.
   */
  edit(messageId: string, content: string | ReplyContent): Promise<void>
  /**
   * Deletes a message of the agent.
   *
   * @param messageId - The message.
   * @throws CodedError - `ApiRequestFailedError`.
   */
  delete(messageId: string): Promise<void>
  /**
   * Reacts to a message.
   *
   * @param emoji - The emoji or its name.
   * @param messageId - The message. @default the one of the event
   * @throws CodedError - `ApiRequestFailedError`.
   * @throws TypeError - The event has no message.
   */
  react(emoji: string, messageId?: string): Promise<void>
  /**
   * Shows that the agent is at work, or hides it. A message hides it too.
   *
   * @param on - Whether to show it. @default true
   * @throws CodedError - `ApiRequestFailedError`.
   */
  typing(on?: boolean): Promise<void>
  /**
   * Ends the conversation.
   *
   * @param summary - What was done, for people.
   * @throws CodedError - `ApiRequestFailedError`.
   */
  resolve(summary?: string): Promise<void>
  /**
   * Keeps data with the conversation; the next event brings it in `conversation.metadata`.
   *
   * @param fields - The fields to set; `null` removes one.
   * @throws CodedError - `ApiRequestFailedError`.
   */
  setMetadata(fields: JsonObject): Promise<void>
  /**
   * Asks for a text. The answer comes as an `onAction` event with this id, in a turn of its own.
   *
   * @param id - An action of the agent.
   * @param question - What is asked, and a value that comes back.
   * @throws CodedError - `ApiRequestFailedError`.
   * @throws TypeError - The question has the wrong form.
   */
  ask<TId extends ActionId<TActions>>(
    id: TId,
    question: AskQuestion & QuestionValue<TActions[TId]>,
  ): Promise<SentQuestion>
  /**
   * Asks for one of several options. The answer comes as an `onAction` event with this id, in a turn of its own.
   *
   * @param id - An action of the agent.
   * @param question - What is asked, the options, and a value that comes back.
   * @throws CodedError - `ApiRequestFailedError`.
   * @throws TypeError - The question has the wrong form.
   */
  choose<TId extends ActionId<TActions>>(
    id: TId,
    question: ChooseQuestion & QuestionValue<TActions[TId]>,
  ): Promise<SentQuestion>
  /**
   * Asks for an approval. The answer comes as an `onAction` event with this id, in a turn of its own.
   *
   * @param id - An action of the agent.
   * @param question - What is asked, and a value that comes back.
   * @throws CodedError - `ApiRequestFailedError`.
   * @throws TypeError - The question has the wrong form.
   */
  approve<TId extends ActionId<TActions>>(
    id: TId,
    question: ApproveQuestion & QuestionValue<TActions[TId]>,
  ): Promise<SentQuestion>
  /**
   * Starts a workflow, with the account of the bridge.
   *
   * @param workflow - The workflow.
   * @param request - Payload, and recipients other than the subscriber.
   * @throws CodedError - `WorkflowPayloadInvalidError`, `ApiRequestFailedError`.
   * @throws ApiError - What the API answered, or why it could not be reached.
   * @throws TypeError - The conversation has no subscriber, and no recipient is named.
   */
  trigger<TPayload>(workflow: Workflow<TPayload>, ...request: TriggerArguments<NoInfer<TPayload>>): Promise<Triggered>
}

/** The context of `onMessage`. */
export interface MessageContext<TActions = ActionTable> extends AgentContext<TActions> {
  /** The message. */
  readonly message: AgentMessage
}

/** The context of `onAction`. */
export interface ActionContext<TActions = ActionTable> extends AgentContext<TActions> {
  /** The action, its value checked. */
  readonly action: ActionOf<TActions>
}

/** The context of `onReaction`. */
export interface ReactionContext<TActions = ActionTable> extends AgentContext<TActions> {
  /** The reaction. */
  readonly reaction: AgentReaction
}
