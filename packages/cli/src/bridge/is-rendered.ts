import { isOfClass, type StepManifest } from '@trestle/protocol'

/**
 * Returns whether a step is rendered together with others. Handlers of steps that store data run code of the app, which
 * may save something or send a request, so they only run if the user names the step.
 */
export const isRendered = ({ type }: Pick<StepManifest, 'type'>): boolean => !isOfClass(type, 'data')
