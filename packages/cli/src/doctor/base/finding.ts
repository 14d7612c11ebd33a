import { type ErrorGroup, errorText } from '../../catalogue/error-texts.ts'

/** Something that is wrong with a bridge. */
export interface Finding {
  /** The name of the probe that found it. */
  readonly probe: string
  /** `error` where calls fail or are not refused; `warning` where it works and still should be looked at. */
  readonly severity: 'error' | 'warning'
  /** The code of the specification, or one of the page of errors. */
  readonly code: string
  /** The workflow, where it is about one. */
  readonly workflowId: string | null
  /** The step, where it is about one. */
  readonly stepId: string | null
  /** What was seen. */
  readonly message: string
  /** What leads to it. */
  readonly cause: string
  /** What to do. */
  readonly fix: string
}

/** What is known of a finding beside the texts of its code. */
export interface FindingParts {
  readonly code: string
  readonly message: string
  /** @default 'error' */
  readonly severity?: Finding['severity']
  /** What leads to it. @default what the page of errors says */
  readonly cause?: string
  /** What to do. @default what the page of errors says */
  readonly fix?: string
  readonly workflowId?: string
  readonly stepId?: string
  /** Whose code it is, where several have it. */
  readonly group?: ErrorGroup
}

/** Returns a finding with the texts that the page of errors has for its code. */
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
