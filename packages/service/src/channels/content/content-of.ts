import type { Delivery } from '../base/delivery.ts'

/** The part of a delivery that determines its content. */
export type ContentOf = Pick<Delivery, 'environmentId' | 'outputs' | 'providers'> & {
  readonly run: Pick<Delivery['run'], 'workflowIdentifier' | 'payload' | 'overrides' | 'tenant' | 'tags' | 'severity'>
  readonly job: Pick<Delivery['job'], 'stepId' | 'type'>
  readonly subscriber: Delivery['subscriber']
}
