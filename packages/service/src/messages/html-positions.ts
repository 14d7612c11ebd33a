import type { HtmlPosition } from '@trestle/html/addresses'
import type { StepType } from '@trestle/protocol'

/** Where the HTML of a step is shown; other steps have none. */
export const htmlPositions: Readonly<Partial<Record<StepType, HtmlPosition>>> = { email: 'email', in_app: 'inApp' }
