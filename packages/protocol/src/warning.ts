/**
 * The codes of warnings: problems that do not fail a call but need a developer. Each has a short description.
 *
 * @source bridge-protocol.md#replies
 */
export const warningCodes = {
  /** The function started no step on any sample data. */
  NoStepsFound: 'The workflow starts no step.',
  /** A run on sample data was ended, because it called too many steps or read too much. */
  DiscoveryCutShort: 'A discovery run reached a limit.',
  /** Code outside the function calls steps, or step ids are computed, so that the list may lack steps. */
  DiscoveryIncomplete: 'The list of steps may be incomplete.',
  /** A step is known only from the source text: no sample data reached it. */
  StepNotReached: 'No sample data reached a step.',
  /** The function threw for all sample data, so its steps are known only from the source text. */
  SampleRunsFailed: 'The workflow function fails for all sample data.',
  /** No sample data fits the pattern of a schema. */
  SampleDoesNotFit: 'The sample data does not match the schema.',
  /** The same sample data led to other steps. */
  DiscoveryNotRepeatable: 'The steps depend on the clock, random values or I/O.',
  /** Two steps are called in different orders, depending on the data. */
  StepOrderDependsOnData: 'The order of steps depends on data.',
  /** A run reached a step that discovery had not found. */
  StepNotListed: 'A run reached a step that is not listed.',
  /** Two items of a list produced the same step id. */
  StepIdRepeated: 'A step id is repeated for the items of a list.',
  /** A delay, digest or throttle was started and its promise never used. */
  StepNotAwaited: 'A step that controls timing is not awaited.',
  /** A default of a control schema is a template that cannot be compiled. */
  ControlTemplateInvalid: 'A control default is not a valid template.',
  /** The sanitizer took something out of the HTML of a step. */
  HtmlSanitized: 'The HTML of a step was sanitized.',
  /** A field unknown to a schema was dropped, because the bridge's preset allows it. */
  UnknownFieldDropped: 'An unknown field was dropped.',
  /** A template names an unknown variable, which printed nothing, because the bridge's preset allows it. */
  UnknownVariable: 'A template names an unknown variable.',
  /** A preview could not show its step. */
  PreviewNotReached: 'The preview does not reach the step.',
} as const

/** The code of a warning. */
export type WarningCode = keyof typeof warningCodes

/** A problem that does not fail a call, for the app's developers. */
export interface Warning {
  /** A warning code. */
  readonly code: WarningCode
  /** What is wrong, where, and how to fix it. */
  readonly message: string
}
