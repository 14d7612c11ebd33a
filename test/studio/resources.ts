import type { Stage } from './stage.ts'

/** Stores one resource of each kind through the API. */
export async function storeResources({ call }: Stage): Promise<void> {
  await call('POST', '/v1/tenants', { identifier: 'acme', name: 'Acme', data: { plan: 'pro', seats: 12 } })
  await call('POST', '/v1/tenants', { identifier: 'globex', name: 'Globex' })
  await call('POST', '/v2/contexts', { type: 'project', id: 'apollo', data: { owner: 'ada' } })
  const mail = { host: 'smtp.example.com', port: '587', user: 'shop', password: 'x', from: 'shop@example.com' }
  const common = { active: true, channel: 'email', providerId: 'nodemailer' }
  await call('POST', '/v1/integrations', { ...common, name: 'Shop mail', identifier: 'shop', credentials: mail })
  await call('POST', '/v1/integrations', {
    ...{ providerId: 'twilio', channel: 'sms', name: 'Texts', identifier: 'texts', active: false },
    credentials: { accountSid: 'AC1', token: 'x', from: '+15005550006' },
  })
  const slack = { name: 'Slack', identifier: 'slack', providerId: 'slack', channel: 'chat', active: false }
  await call('POST', '/v1/integrations', { ...slack, credentials: {} })
  await call('POST', '/v1/channel-connections', {
    ...{ identifier: 'acme-slack', integrationIdentifier: 'slack', connectionMode: 'shared' },
    ...{ workspace: { id: 'T1', name: 'Acme' }, auth: { accessToken: 'xoxb-1' } },
  })
  await call('POST', '/v1/channel-endpoints', {
    ...{
      identifier: 'ada-slack',
      subscriberId: 'ada',
      createSubscriberIfMissing: true,
      integrationIdentifier: 'slack',
    },
    ...{ connectionIdentifier: 'acme-slack', type: 'slack_user', endpoint: { userId: 'U1' } },
  })
  await call('POST', '/v1/webhook-endpoints', { url: 'http://127.0.0.1:9/events', eventTypes: ['run.failed'] })
  await call('POST', '/v2/layouts', { layoutId: 'shop', name: 'Shop', isTranslationEnabled: true })
  await call('PUT', '/v2/layouts/shop', {
    name: 'Shop',
    isTranslationEnabled: true,
    controlValues: { email: { editorType: 'html', body: layout } },
  })
  const texts = { resourceType: 'layout', resourceId: 'shop' }
  await call('POST', '/v2/translations', {
    ...texts,
    locale: 'en_US',
    content: { hello: 'Good to see you', footer: { address: 'Acme Inc, Berlin' } },
  })
  await call('POST', '/v2/translations', { ...texts, locale: 'de_DE', content: { hello: 'Willkommen zurück' } })
  await call('POST', '/v2/workflows', {
    ...{ name: 'Stored order', workflowId: 'stored-order', description: 'Stored through the API', active: true },
    steps: [
      {
        stepId: 'mail',
        name: 'Mail',
        type: 'email',
        controlValues: { subject: 'Order {{ payload.number }}', body: '<p>Thank you, {{ subscriber.firstName }}.</p>' },
      },
    ],
  })
}

const layout = `<!doctype html>
<html>
  <body style="margin:0;background:#f3f5f8;font-family:sans-serif">
    <div style="max-width:560px;margin:24px auto;background:#fff;border-radius:12px;overflow:hidden">
      <div style="padding:20px 28px;background:#1d5fd1;color:#fff;font-weight:600">Acme Shop</div>
      <div style="padding:28px">
        <p>{{ t.hello }}, {{ subscriber.firstName }}.</p>
        {{{ body }}}
      </div>
      <div style="padding:16px 28px;color:#667;font-size:12px">{{ t.footer.address }}</div>
    </div>
  </body>
</html>
`
