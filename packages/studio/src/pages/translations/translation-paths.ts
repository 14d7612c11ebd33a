import type { TranslatedResource } from '../../api/generated/resources.ts'
import { toPathName } from '../../ui/path-names.ts'

/** The path of translations in the API. */
export const translationsPath = '/v2/translations'

/** The path of the list of what has translations. */
export const listPath = '/v1/studio/translations'

/** Returns the page of the texts of a workflow or layout. */
export function toTranslationPage(of: Pick<TranslatedResource, 'resourceType' | 'resourceId'>): string {
  return `/translations/${of.resourceType}/${toPathName(of.resourceId)}`
}
