/**
 * The warning codes: problems that do not fail a call but need a developer's attention. Each has a short description.
 *
 * @source bridge-protocol.md#replies
 */
export const warningCodes = {
  /** The function started no step with any sample data. */
  NoStepsFound: 'The workflow starts no step.',
  /** A run on sample data was stopped because it called too many steps or read too much. */
  DiscoveryCutShort: 'A discovery run reached a limit.',
  /** Code outside the function calls steps, or step ids are computed, so steps may be missing from the list. */
  DiscoveryIncomplete: 'The list of steps may be incomplete.',
  /** A step is only known from the source text, because no sample data reached it. */
  StepNotReached: 'No sample data reached a step.',
  /** The function threw for all sample data, so its steps are only known from the source text. */
  SampleRunsFailed: 'The workflow function fails for all sample data.',
  /** No sample data matches the pattern of a schema. */
  SampleDoesNotFit: 'The sample data does not match the schema.',
  /** The same sample data led to different steps. */
  DiscoveryNotRepeatable: 'The steps depend on the clock, random values or I/O.',
  /** Two steps are called in different orders, depending on the data. */
  StepOrderDependsOnData: 'The order of steps depends on data.',
  /** A run reached a step that discovery had not found. */
  StepNotListed: 'A run reached a step that is not listed.',
  /** Two items of a list produced the same step id. */
  StepIdRepeated: 'A step id is repeated for the items of a list.',
  /** A delay, digest or throttle was started but its promise was never used. */
  StepNotAwaited: 'A step that controls timing is not awaited.',
  /** A default in a control schema is a template that cannot be compiled. */
  ControlTemplateInvalid: 'A control default is not a valid template.',
  /** The bridge's service runs the listed steps, and ignores options for failed steps. */
  FailureOptionsIgnored: 'The service ignores options for failed steps.',
  /** The sanitizer removed something from a step's HTML. */
  HtmlSanitized: 'The HTML of a step was sanitized.',
  /** A field unknown to a schema was dropped, because the bridge's preset allows it. */
  UnknownFieldDropped: 'An unknown field was dropped.',
  /** A template uses an unknown variable, which printed nothing because the bridge's preset allows it. */
  UnknownVariable: 'A template names an unknown variable.',
  /** A preview could not reach its step. */
  PreviewNotReached: 'The preview does not reach the step.',
} as const

/** The code of a warning. */
export type WarningCode = keyof typeof warningCodes

/** A problem that does not fail a call, for the app's developers. */
export interface Warning {
  readonly code: WarningCode
  /** What is wrong, where, and how to fix it. */
  readonly message: string
}
