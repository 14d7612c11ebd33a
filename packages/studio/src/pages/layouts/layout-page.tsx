import { Star } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Layout, Usage } from '../../api/generated/resources.ts'
import { CodeEditor } from '../../editor/code-editor.tsx'
import { toTemplateVariables } from '../../form/values/template-variables.ts'
import { ResourceFields } from '../../resource/resource-fields.tsx'
import { Columns, DeleteResource, type ResourceKind, ResourcePage } from '../../resource/resource-page.tsx'
import { SaveRow } from '../../resource/save-row.tsx'
import { type ResourceFormState, useResourceForm } from '../../resource/use-resource-form.ts'
import { useRead, useSend } from '../../session/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/notice.tsx'
import { toast } from '../../ui/overlay/toasts.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toPathName, usePathNames } from '../../ui/path-names.ts'
import { LayoutPreview } from './layout-preview.tsx'
import style from './layouts.module.css'

const path = '/v2/layouts'
/** A layout is used by many workflows, so it has no payload or steps that are always available. */
const variables = [{ path: 'body', type: 'HTML' }, ...toTemplateVariables({})]
const kind: ResourceKind = { noun: 'layout', list: { to: '/layouts', text: 'Layouts' } }

/** Edits a layout next to its preview. */
export function LayoutPage(): ReactNode {
  const { layoutId = '' } = usePathNames<{ layoutId: string }>()
  const read = useRead<Layout>(`${path}/${encodeURIComponent(layoutId)}`)
  return (
    <ResourcePage kind={kind} title={layoutId} read={read}>
      {(layout) => <Loaded key={layout._id} layout={layout} />}
    </ResourcePage>
  )
}

function Loaded({ layout }: { readonly layout: Layout }): ReactNode {
  const { layoutId, name, isDefault, controls } = layout
  const own = `${path}/${encodeURIComponent(layoutId)}`
  const form = useResourceForm({
    initial: { name, content: controls.values.email?.body ?? '' },
    toRequest: ({ content, ...values }) => ({
      method: 'PUT',
      path: own,
      body: { ...values, controlValues: { email: { body: content, editorType: 'html' } } },
    }),
    touches: [path],
    onSaved: () => toast('Saved'),
  })
  const content = String(form.values['content'])
  return (
    <Page
      wide
      title={name}
      trail={[kind.list]}
      aside={isDefault && <Badge tone="accent">Default</Badge>}
      lead={<code>{layoutId}</code>}
      actions={
        <>
          <DeleteResource
            kind={kind}
            name={name}
            path={own}
            touches={[path]}
            consequence="Its translations are deleted too. Emails that name it are then sent without a layout."
          />
          {!isDefault && <DefaultButton layoutId={layoutId} />}
        </>
      }
    >
      <Columns
        even
        main={<Editor form={form} content={content} />}
        side={
          <>
            <LayoutPreview path={own} content={content} layoutId={layoutId} />
            <Users path={own} />
          </>
        }
      />
    </Page>
  )
}

function Editor({ form, content }: { readonly form: ResourceFormState; readonly content: string }): ReactNode {
  return (
    <Panel title="Content">
      <form className={style['form']} onSubmit={form.submit}>
        {form.error && <Failure title="Couldn't save the layout" error={form.error} />}
        <ResourceFields form={form} fields={[{ name: 'name', label: 'Name', required: true }]} />
        <div className={style['field']}>
          <p className={style['label']}>HTML</p>
          <CodeEditor
            language="html"
            label="HTML of the layout"
            value={content}
            onChange={(text) => form.set('content', text)}
            variables={variables}
            minRows={18}
            maxRows={30}
          />
          <p className={style['hint']}>
            <code>{'{{{body}}}'}</code> is replaced by the content of each email.{' '}
            <code>{'{{subscriber.firstName}}'}</code>, <code>{'{{t.key}}'}</code>, conditions, loops and filters of
            Liquid work here too.
          </p>
        </div>
        <SaveRow form={form} />
      </form>
    </Panel>
  )
}

function Users({ path: own }: { readonly path: string }): ReactNode {
  const { data } = useRead<Usage>(`${own}/usage`)
  if (!data || data.workflows.length === 0) return null
  return (
    <Panel title="Used by">
      <ul className={style['users']}>
        {data.workflows.map(({ workflowId, name }) => (
          <li key={workflowId}>
            <Link to={`/workflows/${toPathName(workflowId)}`}>{name}</Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function DefaultButton({ layoutId }: { readonly layoutId: string }): ReactNode {
  const send = useSend([path])
  const onSet = (): void =>
    send.mutate(
      { method: 'POST', path: `/v1/layouts/${encodeURIComponent(layoutId)}/default` },
      {
        onSuccess: () => toast('This layout is now the default'),
        onError: (error) => toast("Couldn't make it the default", { description: error.message, tone: 'bad' }),
      },
    )
  return (
    <Button needs="edit" icon={<Star size={15} />} busy={send.isPending} onClick={onSet}>
      Set as default
    </Button>
  )
}
