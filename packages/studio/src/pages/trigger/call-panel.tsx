import type { ReactNode } from 'react'
import { type TriggerBody, toCurl, toTypeScript } from '../../runs/call-text.ts'
import { useSession } from '../../session/session.tsx'
import { CodeBlock } from '../../ui/data/code-block.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import style from './trigger.module.css'

/** Shows a trigger call as code, ready to copy. */
export function CallPanel({ body }: { readonly body: TriggerBody }): ReactNode {
  const { environment } = useSession()
  const apiUrl = window.location.origin
  return (
    <Panel flush>
      <Tabs
        label="The call as"
        tabs={[
          { key: 'curl', text: 'curl', content: <CodeBlock text={toCurl(apiUrl, body)} label="the call as curl" /> },
          {
            key: 'typescript',
            text: 'TypeScript',
            content: <CodeBlock text={toTypeScript(apiUrl, body)} label="the call as TypeScript" />,
          },
        ]}
      />
      <p className={style['key']}>
        <code>SERVICE_SECRET_KEY</code> is the secret key of {environment.name}. The terminal printed it when the
        service started.
      </p>
    </Panel>
  )
}
