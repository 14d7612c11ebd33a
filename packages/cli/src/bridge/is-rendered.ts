import type { StepManifest } from '@trestle/protocol'

/**
 * Returns whether a step is rendered together with others. The handler of `step.custom` runs code of the app, which may
 * store or charge something, so it only runs if the user names the step.
 */
export const isRendered = ({ type }: Pick<StepManifest, 'type'>): boolean => type !== 'custom'
