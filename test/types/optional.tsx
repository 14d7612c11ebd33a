import { createBridgeClient, createOutbound } from '@trestle/bridge-client'
import {
  actions,
  button,
  type Card as CardData,
  card,
  createBridge,
  createNonceStore,
  image,
  isFromWorkflow,
  link,
  select,
  table,
  text,
  toNodeHandler,
  workflow,
} from '@trestle/core'
import { type ActionOptions, agent, type ReplyContent } from '@trestle/core/agents'
import { toApprovedMessages } from '@trestle/core/ai'
import { Button, Card, Image, Select } from '@trestle/core/cards'
import { assertSaid, assertSent, type RunReport, signedRequest, testBridge } from '@trestle/testing'

// An optional field accepts `undefined`, even under exactOptionalPropertyTypes, so that a value that may be missing can
// be passed directly.

const maybe: string | undefined = Math.random() > 2 ? 'x' : undefined
const number: number | undefined = maybe?.length
const flag: boolean | undefined = maybe === undefined ? undefined : true
const style: 'bold' | undefined = maybe === undefined ? undefined : 'bold'
const data: object | undefined = maybe === undefined ? undefined : {}

export const plain: CardData = {
  type: 'card',
  ...{ title: maybe, subtitle: maybe, imageUrl: maybe },
  children: [
    { type: 'image', url: 'x', alt: maybe },
    { type: 'text', content: 'x', style },
    { type: 'table', headers: ['a'], rows: [['b']], align: maybe === undefined ? undefined : ['left'] },
    {
      type: 'actions',
      children: [
        { type: 'button', id: 'x', label: 'x', value: maybe, disabled: flag, style: undefined, callbackUrl: maybe },
        {
          ...{ type: 'select', id: 's', label: 's', placeholder: maybe, initialOption: maybe, optional: flag },
          options: [{ label: 'a', value: 'b', description: maybe }],
        },
      ],
    },
  ],
}
export const built: CardData = card(
  { title: maybe, subtitle: maybe },
  text('x', { style }),
  image('x', { alt: maybe }),
  table(['a'], [['b']], { align: undefined }),
  link('x', 'https://a.test'),
  actions(
    button('x', 'x', { value: maybe, disabled: flag }),
    select('s', 's', { options: [{ label: 'a', value: 'b', description: maybe }], placeholder: maybe }),
  ),
)
export const jsx: CardData = (
  <Card title={maybe} imageUrl={maybe}>
    <Image url="x" alt={maybe} key={maybe} />
    <Button id="x" value={maybe} disabled={flag}>
      x
    </Button>
    <Select id="s" label="s" placeholder={maybe}>
      {undefined}
    </Select>
  </Card>
)

export const content: ReplyContent = { text: maybe, markdown: maybe, card: maybe === undefined ? undefined : plain }
export const action: ActionOptions = { schema: undefined }

const shipped = workflow('shipped', async () => undefined)
const support = agent('support', {
  onMessage: async ({ reply, approve, ask, trigger }) => {
    await reply('x', { format: undefined })
    await approve('x', { text: 'x', labels: { approve: maybe, reject: maybe }, value: undefined })
    await ask('x', { text: 'x', value: maybe })
    await trigger(shipped, { to: maybe, transactionId: maybe, overrides: undefined, payload: undefined })
  },
  onAction: undefined,
  timeoutMs: number,
})
void shipped.trigger({ to: 'ada', payload: undefined, actor: maybe })
void toApprovedMessages({ value: { approvalIds: [], messages: [] }, answer: undefined })
createNonceStore({ maxEntries: number, now: undefined })
isFromWorkflow({ workflow: undefined, workflowId: maybe, templateIdentifier: maybe }, shipped)

const bridge = testBridge({ workflows: undefined, agents: [support], secretKey: maybe, now: maybe, replay: undefined })
void bridge.converse(
  support,
  [
    { message: 'x', afterMs: number },
    { answer: true, note: maybe, to: maybe, afterMs: number },
    { action: 'x', value: maybe },
  ],
  { platform: maybe, now: maybe, subscriber: maybe, network: undefined },
)
void bridge.run('w', { now: maybe, subscriber: maybe, payload: undefined, controls: undefined, doubles: undefined })
void bridge.run('w', { triggers: [{ payload: {}, afterMs: number }], env: undefined, context: undefined })
void bridge.execute('w', 's', { state: undefined, controls: undefined, network: undefined })
declare const run: RunReport
assertSent(run, 'sms', {}, { times: number, stepId: maybe, at: maybe, providers: data })
assertSaid({} as never, /x/, { times: number })
void signedRequest(
  { action: 'execute', workflowId: maybe, stepId: maybe },
  { secretKey: 'x', url: maybe, nowMs: number, signatureHeader: maybe },
)

const served = createBridge({ workflows: undefined })
toNodeHandler(served, { rawBodyHint: maybe, waitUntil: undefined, env: undefined })
void served.fetch(new Request('https://a.test'), { readBody: undefined, rawBodyHint: maybe, onSocket: flag })
const network = { policy: undefined, timeoutMs: number, maxAnswerBytes: number, lookup: undefined, allow: undefined }
createBridgeClient({
  ...{ secretKey: 'x', environmentName: 'Production', bridgeUrl: maybe, signatureHeader: maybe, ...network },
  ...{ tunnelHosts: undefined, ca: maybe, logger: undefined, connect: undefined, nowMs: undefined, sleep: undefined },
})
void createOutbound(network).send({ method: 'GET', url: 'https://a.test', headers: undefined, body: maybe })
