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

/** A trigger from a conversation; without `to` it goes to the conversation's subscriber. */
export type AgentTrigger<TPayload> = Omit<TriggerRequest<unknown>, 'to' | 'payload'> & {
  /** Recipients. @default the conversation's subscriber */
  readonly to?: TriggerRequest<unknown>['to'] | undefined
} & PayloadPart<TPayload>

type TriggerArguments<TPayload> =
  Record<string, never> extends TPayload ? [request?: AgentTrigger<TPayload>] : [request: AgentTrigger<TPayload>]

/** A question with a text answer. */
export interface AskQuestion {
  /** The text of the question. */
  readonly text: string
}

/** A question with several options to choose from. */
export interface ChooseQuestion extends AskQuestion {
  /** The options; the answer contains the value of the chosen one. */
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

/** A question that is answered with yes or no. */
export interface ApproveQuestion extends AskQuestion {
  /** The button labels. @default the service's labels */
  readonly labels?: { readonly approve?: string | undefined; readonly reject?: string | undefined } | undefined
  /**
   * The only person or people allowed to answer, by `author.userId`. Set this in every channel that others can read.
   * @default everyone in the conversation
   */
  readonly by?: string | readonly string[] | undefined
}

/**
 * One turn of a conversation: the event and the agent's functions. After the turn has ended, the functions have no
 * effect: calls never settle, and a warning is logged.
 */
export interface AgentContext<TActions = ActionTable> {
  readonly agentId: string
  /** The delivery id, which stays the same when the service resends the event. */
  readonly deliveryId: string
  /** The conversation, with its unique `id`. */
  readonly conversation: AgentConversation & { readonly id: string }
  /** Earlier messages, oldest first. */
  readonly history: readonly AgentHistoryEntry[]
  /** The subscriber, if the user is one. */
  readonly subscriber: Subscriber | null
  /** The notification that started the conversation. */
  readonly notification: AgentNotification | null
  /** The chat platform: `slack`, `teams`, `web`. */
  readonly platform: string
  /** Location details of the platform, such as thread and channel. */
  readonly platformContext: JsonObject
  /** Contexts by type, each as `{ id, data }`. */
  readonly context: JsonObject
  /** Aborts when the turn ends, or its time limit is reached. */
  readonly signal: AbortSignal
  /**
   * Sends a message. A text stream is sent with its first chunk, and edited as it grows.
   *
   * @param reply - Text, content, or a text stream.
   * @param options - The format of the text.
   * @throws CodedError - `ApiRequestFailedError`.
   * @throws TypeError - The content or an option is invalid.
   */
  reply(reply: Reply, options?: ReplyOptions): Promise<SentMessage>
  /**
   * Replaces the content of one of the agent's messages.
   *
   * @param content - The new content.
   * @throws CodedError - `ApiRequestFailedError`.
   * @throws TypeError - The content is invalid.
   */
  edit(messageId: string, content: string | ReplyContent): Promise<void>
  /**
   * Deletes one of the agent's messages.
   *
   * @throws CodedError - `ApiRequestFailedError`.
   */
  delete(messageId: string): Promise<void>
  /**
   * Reacts to a message.
   *
   * @param emoji - The emoji or its name.
   * @param messageId - The message. @default the event's message
   * @throws CodedError - `ApiRequestFailedError`.
   * @throws TypeError - The event has no message.
   */
  react(emoji: string, messageId?: string): Promise<void>
  /**
   * Shows or hides the indicator that the agent is working. Sending a message also hides it.
   *
   * @param on - Whether to show it. @default true
   * @throws CodedError - `ApiRequestFailedError`.
   */
  typing(on?: boolean): Promise<void>
  /**
   * Ends the conversation.
   *
   * @param summary - A human-readable summary.
   * @throws CodedError - `ApiRequestFailedError`.
   */
  resolve(summary?: string): Promise<void>
  /**
   * Stores data with the conversation; later events contain it in `conversation.metadata`.
   *
   * @param fields - The fields to set; `null` removes one.
   * @throws CodedError - `ApiRequestFailedError`.
   */
  setMetadata(fields: JsonObject): Promise<void>
  /**
   * Asks for a text answer. The answer arrives as an `onAction` event with this id, in a separate turn.
   *
   * @param id - An action of the agent.
   * @param question - The question text, and a value to return with the answer.
   * @throws CodedError - `ApiRequestFailedError`.
   * @throws TypeError - The question is invalid.
   */
  ask<TId extends ActionId<TActions>>(
    id: TId,
    question: AskQuestion & QuestionValue<TActions[TId]>,
  ): Promise<SentQuestion>
  /**
   * Asks to choose one of several options. The answer arrives as an `onAction` event with this id, in a separate turn.
   *
   * @param id - An action of the agent.
   * @param question - The question text, the options, and a value to return with the answer.
   * @throws CodedError - `ApiRequestFailedError`.
   * @throws TypeError - The question is invalid.
   */
  choose<TId extends ActionId<TActions>>(
    id: TId,
    question: ChooseQuestion & QuestionValue<TActions[TId]>,
  ): Promise<SentQuestion>
  /**
   * Asks for an approval. The answer arrives as an `onAction` event with this id, in a separate turn.
   *
   * @param id - An action of the agent.
   * @param question - The question text, and a value to return with the answer.
   * @throws CodedError - `ApiRequestFailedError`.
   * @throws TypeError - The question is invalid.
   */
  approve<TId extends ActionId<TActions>>(
    id: TId,
    question: ApproveQuestion & QuestionValue<TActions[TId]>,
  ): Promise<SentQuestion>
  /**
   * Triggers a workflow with the bridge's secret key.
   *
   * @param request - Payload, and recipients if not the conversation's subscriber.
   * @throws CodedError - `WorkflowPayloadInvalidError`, `ApiRequestFailedError`.
   * @throws ApiError - The API returned an error or could not be reached.
   * @throws TypeError - The conversation has no subscriber, and no recipient is set.
   */
  trigger<TPayload>(workflow: Workflow<TPayload>, ...request: TriggerArguments<NoInfer<TPayload>>): Promise<Triggered>
}

/** The context of `onMessage`. */
export interface MessageContext<TActions = ActionTable> extends AgentContext<TActions> {
  readonly message: AgentMessage
}

/** The context of `onAction`. */
export interface ActionContext<TActions = ActionTable> extends AgentContext<TActions> {
  /** The action, with its value validated. */
  readonly action: ActionOf<TActions>
}

/** The context of `onReaction`. */
export interface ReactionContext<TActions = ActionTable> extends AgentContext<TActions> {
  readonly reaction: AgentReaction
}
