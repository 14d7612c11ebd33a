import { Send } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { Integration, IntegrationTest } from '../../api/generated/resources.ts'
import { ownEntry } from '../../base/own-entry.ts'
import { useSend } from '../../session/queries.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Failure, Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import style from './integrations.module.css'

const labels: Readonly<Record<string, string>> = {
  email: 'Email address',
  sms: 'Phone number',
  push: 'Device token',
  chat: 'Chat or webhook',
}

/** Sends a test message through an integration, and shows the provider's response. */
export function TestPanel({ integration }: { readonly integration: Integration }): ReactNode {
  const { _id, channel = '' } = integration
  const [to, setTo] = useState('')
  const test = useSend<IntegrationTest>()
  const label = ownEntry(labels, channel)
  const isOptional = channel === 'chat'
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    test.mutate({
      method: 'POST',
      path: `/v1/studio/integrations/${_id}/test`,
      body: label === undefined ? {} : { to },
    })
  }
  return (
    <Panel title="Send a test">
      <form className={style['test']} onSubmit={onSubmit}>
        {label !== undefined && (
          <TextField
            label={label}
            mono
            required={!isOptional}
            hint={
              isOptional
                ? 'Leave empty to use the one in the settings.'
                : 'Uses the saved settings, even while inactive.'
            }
            value={to}
            onChange={setTo}
          />
        )}
        <div>
          <Button needs="administer" type="submit" icon={<Send size={15} />} busy={test.isPending}>
            Send a test
          </Button>
        </div>
        <div role="status">
          {test.data?.ok === true && (
            <Notice tone="good" title="The provider accepted the message">
              {test.data.providerMessageId && (
                <p>
                  Its id at the provider is <code className={style['id']}>{test.data.providerMessageId}</code>.
                </p>
              )}
            </Notice>
          )}
        </div>
        {test.data?.ok === false && (
          <Notice tone="bad" title="The test was not sent">
            <p>{test.data.message}</p>
          </Notice>
        )}
        {test.error && <Failure title="Couldn't send the test" error={test.error} />}
      </form>
    </Panel>
  )
}
