/** The names under which a workflow function finds the kinds of step. */
export type StepKind =
  | 'email'
  | 'sms'
  | 'push'
  | 'chat'
  | 'inApp'
  | 'tool'
  | 'digest'
  | 'delay'
  | 'throttle'
  | 'custom'
  | 'httpRequest'
