import { type ErrorGroup, errorText } from '../../catalogue/error-texts.ts'

/** A problem found in a bridge. */
export interface Finding {
  /** The name of the probe that found it. */
  readonly probe: string
  /** `error` if valid calls fail or invalid ones are not rejected; `warning` if it works but should be checked. */
  readonly severity: 'error' | 'warning'
  /** An error code of the specification or of the error page. */
  readonly code: string
  /** The workflow, if the finding concerns one. */
  readonly workflowId: string | null
  /** The step, if the finding concerns one. */
  readonly stepId: string | null
  /** What was observed. */
  readonly message: string
  readonly cause: string
  /** How to fix it. */
  readonly fix: string
}

/** The parts of a finding that do not come from its code. */
export interface FindingParts {
  readonly code: string
  readonly message: string
  /** @default 'error' */
  readonly severity?: Finding['severity']
  /** The cause. @default from the error page */
  readonly cause?: string
  /** How to fix it. @default from the error page */
  readonly fix?: string
  readonly workflowId?: string
  readonly stepId?: string
  /** The group of the code, if several have it. */
  readonly group?: ErrorGroup
}

/** Returns a finding with the texts of the error page for its code. */
export function createFinding(probe: string, parts: FindingParts): Finding {
  const text = errorText(parts.code, parts.group) ?? errorText(parts.code)
  return {
    probe,
    severity: parts.severity ?? 'error',
    code: parts.code,
    workflowId: parts.workflowId ?? null,
    stepId: parts.stepId ?? null,
    message: parts.message,
    cause: parts.cause ?? (text?.why || (text?.when ?? '')),
    fix: parts.fix ?? text?.fix ?? '',
  }
}
