import type { TemplateBudget } from './template-budget.ts'
import type { TemplateVariables } from './template-variables.ts'

/** Inputs of rendering a template. */
export interface RenderOptions {
  /** JSON pointer to the control, for errors. */
  readonly path: string
  readonly variables: TemplateVariables
  readonly budget: TemplateBudget
  /** Whether a single expression returns its value instead of text. */
  readonly native: boolean
  /** Receives the name of an unknown variable, which then prints nothing. @default unknown variables are errors */
  readonly onUnknown?: ((name: string) => void) | undefined
}
