import type { TranslatedResource } from '../../api/generated/resources.ts'
import { toPathName } from '../../ui/path-names.ts'

/** The API path of translations. */
export const translationsPath = '/v2/translations'

/** The API path of the list of translated resources. */
export const listPath = '/v1/studio/translations'

/** Returns the path of the translation page of a workflow or layout. */
export function toTranslationPage(of: Pick<TranslatedResource, 'resourceType' | 'resourceId'>): string {
  return `/translations/${of.resourceType}/${toPathName(of.resourceId)}`
}
