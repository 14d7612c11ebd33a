import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { ApiFailure } from '../../api/api-failure.ts'
import type { JsonObject, Preview, TranslationGroup } from '../../api/generated/resources.ts'
import { MailFrame } from '../../preview/mail-frame.tsx'
import { useRead } from '../../session/queries.ts'
import { useSession } from '../../session/session.tsx'
import { useSettled } from '../../session/settled.ts'
import { LastResult } from '../../ui/data/last-result.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { Failure, Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import style from './layouts.module.css'

/** Props of the layout preview. */
export interface LayoutPreviewProps {
  /** The path of the layout in the API. */
  readonly path: string
  /** The edited content. @default the saved content */
  readonly content?: string | undefined
  /** The identifier of the layout. */
  readonly layoutId: string
  /** The edited translation, in whose language the layout is shown. @default saved ones, in a selectable language */
  readonly texts?: EditedTexts | undefined
}

/** Unsaved texts of one language. */
export interface EditedTexts {
  readonly locale: string
  readonly content: JsonObject
}

/** Shows a layout around a sample email during editing. */
export function LayoutPreview({ path, content, layoutId, texts }: LayoutPreviewProps): ReactNode {
  const [width, setWidth] = useState<'desktop' | 'phone'>('desktop')
  const [locale, setLocale] = useState('')
  const { data, error, isFetching } = usePreview(path, { content, locale: texts?.locale ?? locale, texts })
  const fault = error?.details.fields?.['controlValues.email.body']
  const html = (data?.result['preview'] as { readonly body?: string } | undefined)?.body
  return (
    <Panel
      title="Preview"
      actions={
        <Segments
          label="Width of the preview"
          value={width}
          onChange={setWidth}
          options={[
            { value: 'desktop', text: <Monitor size={14} />, label: 'Desktop' },
            { value: 'phone', text: <Smartphone size={14} />, label: 'Phone' },
          ]}
        />
      }
    >
      <div className={style['preview']} aria-busy={isFetching} aria-live="polite">
        {!texts && <Languages layoutId={layoutId} value={locale} onChange={setLocale} />}
        {error && fault === undefined && <Failure title="Couldn't render the layout" error={error} />}
        {fault !== undefined && (
          <Notice tone="bad" title="The layout cannot be rendered">
            <p>{fault.join(' ')}</p>
          </Notice>
        )}
        {!html && !error && <Skeleton rows={8} height={28} />}
        <LastResult current={error ? undefined : html}>
          {(shown) => (
            <MailFrame html={shown} images={false} width={width === 'desktop' ? 720 : 375} title="A sample email" />
          )}
        </LastResult>
      </div>
    </Panel>
  )
}

interface PreviewInput extends Pick<LayoutPreviewProps, 'content' | 'texts'> {
  readonly locale: string
}

function usePreview(path: string, input: PreviewInput) {
  const { api, environment } = useSession()
  const settled = useSettled(input)
  return useQuery<Preview, ApiFailure>({
    queryKey: [environment.id, `${path}/preview`, settled],
    queryFn: ({ signal }) => {
      const { content, locale, texts } = settled
      const body = {
        ...(content !== undefined && { controlValues: { email: { body: content } } }),
        ...(locale !== '' && { previewPayload: { subscriber: { locale } } }),
        ...(texts && { translations: { [texts.locale]: texts.content } }),
      }
      return api.send<Preview>({ method: 'POST', path: `${path}/preview`, body }, signal)
    },
    placeholderData: keepPreviousData,
    retry: false,
  })
}

interface LanguagesProps {
  readonly layoutId: string
  readonly value: string
  onChange(locale: string): void
}

/** A layout without translations has no group, so the service returns 404. */
function Languages({ layoutId, value, onChange }: LanguagesProps): ReactNode {
  const { data } = useRead<TranslationGroup>(`/v2/translations/group/layout/${encodeURIComponent(layoutId)}`)
  if (!data) return null
  const options = data.locales.map((locale) => ({ value: locale, text: locale }))
  return (
    <SelectField
      label="Language of the subscriber"
      value={value}
      options={[{ value: '', text: 'Not set' }, ...options]}
      onChange={onChange}
    />
  )
}
