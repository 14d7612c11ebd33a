import { Plug } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useSync } from '../../session/bridge.ts'
import { useSession } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/data/code-block.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import style from './home.module.css'

const command = 'SERVICE_SECRET_KEY=sk_… npm run dev'

/** Asks for the URL of the app's bridge, and syncs it. */
export function ConnectPanel({ currentUrl }: { readonly currentUrl: string | undefined }): ReactNode {
  const { bridgeUrl = '', environment } = useSession()
  const [url, setUrl] = useState(currentUrl || bridgeUrl || 'http://127.0.0.1:4000/api/bridge')
  const sync = useSync()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    sync.mutate({ bridgeUrl: url.trim() })
  }
  return (
    <Panel title="Connect your app's bridge">
      <form className={style['connect']} onSubmit={submit}>
        <p>
          A bridge is the route in your app that serves its workflows. Start the app with the secret key of{' '}
          {environment.name}, which the terminal printed when the service started, then enter the URL of its bridge.
        </p>
        <CodeBlock text={command} label="the command that starts the app" />
        <div className={style['url']}>
          <TextField label="Bridge URL" type="url" value={url} onChange={setUrl} required mono />
          <Button needs="administer" variant="primary" type="submit" icon={<Plug size={15} />} busy={sync.isPending}>
            Connect
          </Button>
        </div>
        {sync.error && <Failure error={sync.error} title="Couldn't connect the bridge" />}
      </form>
    </Panel>
  )
}
