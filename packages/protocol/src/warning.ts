/**
 * The codes of warnings: what does not fail a call, and still needs a developer. A row each, with what it means.
 *
 * @source Protocol, "Replies", `warnings`.
 */
export const warningCodes = {
  /** The function started no step on any sample data. */
  NoStepsFound: 'The workflow starts no step.',
  /** A run on sample data was ended, because it called too many steps or read too much. */
  DiscoveryCutShort: 'A run at discovery reached a limit.',
  /** There was more data to try than discovery has runs. */
  DiscoveryIncomplete: 'Conditional steps may be missing.',
  /** The same sample data led to other steps. */
  DiscoveryNotRepeatable: 'The clock, chance or I/O decides which steps there are.',
  /** Two steps come in one order for some data and in the other for other data. */
  StepOrderDependsOnData: 'No listed order fits all data.',
  /** A run reached a step that discovery had not found. */
  StepNotListed: 'A step was reached that is not listed.',
  /** A step id holds a value of the sample data. */
  StepIdFromData: 'A step id is made of data.',
  /** Two items of a list gave the same step id. */
  StepIdRepeated: 'A step id repeats in a list.',
  /** A delay, digest or throttle was started and its promise never used. */
  StepNotAwaited: 'A step that decides about time is not awaited.',
  /** A default of a control schema is a template that cannot be compiled. */
  ControlTemplateInvalid: 'A default of the controls is not a template that works.',
  /** The sanitizer took something out of the HTML of a step. */
  HtmlSanitized: 'The HTML of a step was sanitized.',
  /** A preview could not show its step. */
  PreviewNotReached: 'The preview does not reach the step.',
} as const

/** The code of a warning. */
export type WarningCode = keyof typeof warningCodes

/** Something that does not fail a call, and that the app's developers should know. */
export interface Warning {
  /** One of the codes of the table. */
  readonly code: WarningCode
  /** Says what is wrong, where, and what to do. */
  readonly message: string
}
