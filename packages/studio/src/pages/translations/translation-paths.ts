import type { TranslatedResource } from '../../api/generated/resources.ts'
import { toPathName } from '../../ui/path-names.ts'

/** The API path of translations. */
export const translationsPath = '/v2/translations'

/** The API path of the list of translated resources. */
export const listPath = '/v1/studio/translations'

/** A workflow or layout, and optionally one of its languages. */
interface Translated extends Pick<TranslatedResource, 'resourceType' | 'resourceId'> {
  readonly locale?: string
}

/** Returns the path of the translation page of a workflow or layout. */
export function toTranslationPage({ resourceType, resourceId, locale }: Translated): string {
  const page = `/translations/${resourceType}/${toPathName(resourceId)}`
  return locale === undefined ? page : `${page}?locale=${encodeURIComponent(locale)}`
}
