/** A kind of history entry. */
export interface DetailKind {
  /** The human-readable text. */
  readonly detail: string
  readonly status: 'Success' | 'Warning' | 'Failed' | 'Pending' | 'Queued'
}

const success = (detail: string): DetailKind => ({ detail, status: 'Success' })
const pending = (detail: string): DetailKind => ({ detail, status: 'Pending' })
const warning = (detail: string): DetailKind => ({ detail, status: 'Warning' })
const failed = (detail: string): DetailKind => ({ detail, status: 'Failed' })

/**
 * The history entries that the engine writes.
 *
 * @source service-api.md#execution-details
 */
export const details: Readonly<Record<DetailName, DetailKind>> = Object.freeze({
  created: pending('Step created'),
  reused: success('Result was copied from an earlier run'),
  queued: { detail: 'Step queued', status: 'Queued' },
  bridgeAnswered: success('Successful bridge response received'),
  bridgeFailed: failed('Bridge execution failed'),
  bridgeRetried: warning('Bridge call is retried'),
  stepRetried: warning('Step failed and is retried'),
  retryStarted: pending('Step is retried'),
  skipped: success('Step was skipped by its own condition'),
  filtered: success('Step was filtered by preferences'),
  unreachable: success('Step was skipped: the recipient has no address for it'),
  delayed: pending('Step delayed'),
  delayFinished: success('Delay is finished'),
  digested: pending('Step digested'),
  digestMerged: success('Digest was merged with an open digest'),
  digestPassed: success('Digest passed its event on: no recent events'),
  digestLeft: success('Digest was skipped: no steps follow it'),
  digestFinished: success('Digest triggered events'),
  digestPromoted: pending('Digest continues that of a run that ended early'),
  waitInvalid: failed('Wait has no valid end time'),
  messageInvalid: failed('Message cannot be sent'),
  eventAwaited: pending('Step waits for an event'),
  eventReceived: success('Event received'),
  eventRefused: warning('Event was not received: its payload does not match the schema of the step'),
  eventMissed: success('Wait ended without the event'),
  eventLeft: success('Wait for an event was skipped: the run ended without it'),
  childrenTriggered: success('Workflow was triggered'),
  childrenAwaited: pending('Step waits for the runs that it triggered'),
  childrenEnded: success('All runs that the step triggered have ended'),
  childrenRefused: failed('Workflow cannot be triggered'),
  throttlePassed: success('Throttle allowed the run'),
  throttled: success('Throttle limit exceeded'),
  throttleIncomplete: warning('Throttle is incomplete and was not applied'),
  skippedAfterThrottle: success('Step was skipped by a throttle'),
  digestOfFailedRun: success('Digest was skipped: the run failed'),
  sending: pending('Start sending'),
  stored: success('Step result was stored'),
  waitsForStep: warning('Step waits for another step requested by the bridge'),
  timezoneInvalid: warning('Time zone of the subscriber is unknown; UTC was used'),
  canceled: success('Step was canceled'),
  waitSkipped: success('Wait was skipped on request'),
  faulted: failed('Step failed in the service'),
  notReached: warning('Step was not reached: the bridge may request it again'),
  failureHandled: success('Failure was handled by the workflow function'),
  neverReached: success('Step was skipped: the run ended without reaching it'),
  delayLeft: success('Delay was skipped: the run ended without it'),
  nextRepeated: warning('Call for the next steps failed and is repeated'),
  runEnded: success('Run ended'),
  runFailed: failed('Run failed: the bridge could not decide the next step'),
  runStuck: failed('Run failed: it waits for steps that the bridge does not return'),
  tooManySteps: failed('Run failed: it has too many steps'),
  runFaulted: failed('Run failed in the service'),
  runCanceled: success('Run was canceled'),
})

/** The names of history entries. */
export type DetailName =
  | 'created'
  | 'reused'
  | 'queued'
  | 'bridgeAnswered'
  | 'bridgeFailed'
  | 'bridgeRetried'
  | 'stepRetried'
  | 'retryStarted'
  | 'skipped'
  | 'filtered'
  | 'unreachable'
  | 'delayed'
  | 'delayFinished'
  | 'digested'
  | 'digestMerged'
  | 'digestPassed'
  | 'digestLeft'
  | 'digestFinished'
  | 'digestPromoted'
  | 'waitInvalid'
  | 'messageInvalid'
  | 'eventAwaited'
  | 'eventReceived'
  | 'eventRefused'
  | 'eventMissed'
  | 'eventLeft'
  | 'childrenTriggered'
  | 'childrenAwaited'
  | 'childrenEnded'
  | 'childrenRefused'
  | 'throttlePassed'
  | 'throttled'
  | 'throttleIncomplete'
  | 'skippedAfterThrottle'
  | 'digestOfFailedRun'
  | 'sending'
  | 'stored'
  | 'waitsForStep'
  | 'timezoneInvalid'
  | 'canceled'
  | 'waitSkipped'
  | 'faulted'
  | 'notReached'
  | 'failureHandled'
  | 'neverReached'
  | 'delayLeft'
  | 'nextRepeated'
  | 'runEnded'
  | 'runFailed'
  | 'runStuck'
  | 'tooManySteps'
  | 'runFaulted'
  | 'runCanceled'
