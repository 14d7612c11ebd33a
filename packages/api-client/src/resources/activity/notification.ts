import type { Severity } from '../channel.ts'
import type { JsonObject } from '../json-object.ts'
import type { StepType } from '../workflow.ts'
import type { WorkflowTrigger } from '../workflow-v1.ts'

/** A type of step, as runs name it. */
export type JobType = StepType | 'trigger'

/** The outcome of one thing that happened in a run. */
export type ExecutionStatus = 'Success' | 'Warning' | 'Failed' | 'Pending' | 'Queued' | 'ReadConfirmation'

/** The origin of an execution detail. */
export type ExecutionSource = 'Credentials' | 'Internal' | 'Payload' | 'Webhook'

/** One thing that happened in a job. */
export interface JobExecutionDetail {
  /** The service's id. */
  readonly _id: string
  /** The outcome. */
  readonly status: ExecutionStatus
  /** The event, in words. */
  readonly detail: string
  /** Whether it was a retry. */
  readonly isRetry: boolean
  /** Whether it was a test. */
  readonly isTest: boolean
  /** Where it comes from. */
  readonly source: ExecutionSource
  /** The provider. */
  readonly providerId?: string
  /** Further data, as text. */
  readonly raw?: string | null
  /** When it happened. */
  readonly createdAt?: string
}

/** One thing that happened in a run. */
export interface ExecutionDetail extends JobExecutionDetail {
  /** The organization. */
  readonly _organizationId: string
  /** The environment. */
  readonly _environmentId: string
  /** The job. */
  readonly _jobId: string
  /** The run. */
  readonly _notificationId: string
  /** The workflow. */
  readonly _notificationTemplateId: string
  /** The subscriber, by the service's id. */
  readonly _subscriberId: string
  /** The message. */
  readonly _messageId?: string
  /** The transaction. */
  readonly transactionId: string
  /** The channel. */
  readonly channel?: string
}

/** One step of a run. */
export interface Job {
  /** The service's id. */
  readonly _id: string
  /** The type of step. */
  readonly type: JobType
  /** The events of the job. */
  readonly executionDetails: readonly JobExecutionDetail[]
  /** The step; its fields beside these are not specified. */
  readonly step: JsonObject & {
    readonly _id: string
    readonly active: boolean
    readonly filters: readonly JsonObject[]
    readonly _templateId: string
  }
  /** The provider. */
  readonly providerId: string
  /** The state: pending, queued, running, completed, failed, delayed, canceled, merged or skipped. */
  readonly status: string
  /** The digest, where the step is one; its fields are not specified. */
  readonly digest?: JsonObject
  /** Overrides of the trigger. */
  readonly overrides?: JsonObject
  /** The payload of the trigger. */
  readonly payload?: JsonObject
  /** When it last changed. */
  readonly updatedAt?: string
  /** How often a schedule put it off. */
  readonly scheduleExtensionsCount?: number
}

/** The recipient of a run. */
export interface NotificationSubscriber {
  /** The service's id. */
  readonly _id: string
  /** The customer's own id. */
  readonly subscriberId: string
  /** Given name. */
  readonly firstName?: string
  /** Family name. */
  readonly lastName?: string
  /** Mail address. */
  readonly email?: string
  /** Phone number. */
  readonly phone?: string
}

/** The run of a workflow for one recipient. */
export interface Notification {
  /** The service's id. */
  readonly _id?: string
  /** The environment. */
  readonly _environmentId: string
  /** The organization. */
  readonly _organizationId: string
  /** The subscriber, by the service's id. */
  readonly _subscriberId: string
  /** The transaction. */
  readonly transactionId: string
  /** The workflow. */
  readonly _templateId?: string
  /** The run whose digest took this one in. */
  readonly _digestedNotificationId?: string
  /** When it was created. */
  readonly createdAt?: string
  /** When it last changed. */
  readonly updatedAt?: string
  /** The types of its steps. */
  readonly channels?: readonly string[]
  /** The recipient. */
  readonly subscriber?: NotificationSubscriber
  /** The workflow. */
  readonly template?: {
    readonly _id?: string
    readonly name: string
    readonly triggers: readonly WorkflowTrigger[]
    readonly origin?: string
  }
  /** The steps. */
  readonly jobs?: readonly Job[]
  /** The payload of the trigger. */
  readonly payload?: JsonObject
  /** Tags of the workflow. */
  readonly tags?: readonly string[]
  /** Control values of the run. */
  readonly controls?: JsonObject
  /** The recipient as the trigger resolved it. */
  readonly to?: JsonObject
  /** The topics it was sent to. */
  readonly topics?: readonly { readonly _topicId: string; readonly topicKey: string }[]
  /** How urgent it is. */
  readonly severity?: Severity
  /** Whether preferences cannot hold it back. */
  readonly critical?: boolean
  /** The contexts of the run. */
  readonly contextKeys?: readonly string[]
}

/** The numbers of one day. */
export interface DayStatistics {
  /** The day, as `YYYY-MM-DD`. */
  readonly _id: string
  /** Number of messages. */
  readonly count: number
  /** The workflows. */
  readonly templates: readonly string[]
  /** The channels. */
  readonly channels: readonly string[]
}
