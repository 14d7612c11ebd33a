import { actions, button, card, divider, fields, image, linkButton, select, text } from '@trestle/core'
import { type AgentDefinition, agent } from '@trestle/core/agents'

const markdown = `## Where it is

Order **7** is _on its way_, ~~not lost~~. See [the map](https://example.com/map) &amp; <b>this</b>.

- packed
- sent with \`post\`

| Stop | Left |
| ---- | ---: |
| Hub  |  2 h |

\`\`\`js
track(7)
\`\`\`

> Thank you

[a trap](javascript:document.title='trapped') ![a picture](https://example.com/p.png)
<img src=x onerror="document.title='trapped'"><script>document.title='trapped'</script>`

const orderCard = card(
  { title: 'Order 7', subtitle: 'Two lamps' },
  fields({ Carrier: 'Post', Since: 'Monday' }),
  divider(),
  image('https://example.com/lamp.png', { alt: 'A lamp' }),
  text('Anything else?', { style: 'muted' }),
  actions(
    button('again', 'Send it again', { value: '7', style: 'primary' }),
    linkButton('Open the order', 'https://example.com/orders/7'),
    select('topic', 'Topic', {
      options: [
        { label: 'Delivery', value: 'delivery' },
        { label: 'Payment', value: 'payment' },
      ],
    }),
  ),
)

/** Waits until the test continues, so that intermediate states are visible. */
export const gate: { open(): void; passed: Promise<void> } = { open: () => undefined, passed: Promise.resolve() }

/** An agent that uses every feature, controlled by the messages it receives. */
export const concierge: AgentDefinition = agent('concierge', {
  timeoutMs: 20_000,
  onMessage: async (context) => {
    const { message, reply, typing, ask, choose, approve, react, setMetadata, resolve } = context
    const [word] = message.text.split(/\s/)
    if (word === 'markdown') await reply({ markdown })
    else if (word === 'card') await reply({ text: 'This is what I know:', card: orderCard })
    else if (word === 'name') await ask('name', { text: 'What is your name?' })
    else if (word === 'day')
      await choose('day', {
        text: 'Which day suits you?',
        options: [
          { value: 'mon', label: 'Monday' },
          { value: 'tue', label: 'Tuesday' },
        ],
      })
    else if (word === 'refund')
      await approve('refund', { text: 'Refund order 7?', labels: { approve: 'Refund', reject: 'Keep it' } })
    else if (word === 'fail') throw new Error('as asked')
    else if (word === 'file')
      await reply({
        text: 'Here it is.',
        files: [
          { name: 'note.txt', mimeType: 'text/plain', bytes: new TextEncoder().encode('Hello from a file') },
          { name: 'terms.pdf', url: 'https://example.com/terms.pdf' },
        ],
      })
    else if (word === 'typo') {
      const sent = await reply('Helo')
      const gone = await reply('Oops')
      await sent.edit('Hello')
      await gone.delete()
    } else if (word === 'wait') {
      await typing()
      await gate.passed
      await reply('Done waiting.')
    } else if (word === 'bye') {
      await resolve('They said goodbye')
    } else {
      await react('eyes')
      await setMetadata({ lastWord: word ?? '' })
      await reply(`You said: ${message.text}`)
    }
  },
  onAction: async ({ action, reply }) => {
    const { id, answer, value } = action
    if (answer?.type === 'text') await reply(`Hello ${answer.text}`)
    else if (answer?.type === 'choice') await reply(`See you on ${answer.choice}`)
    else if (answer?.type === 'approval')
      await reply(`${answer.approved ? 'Refunded' : 'Kept'}: ${answer.note ?? 'no note'}`)
    else await reply(`Clicked ${id}: ${JSON.stringify(value)}`)
  },
  onReaction: async ({ reaction, reply }) => {
    await reply(`${reaction.added ? 'Got' : 'Lost'} ${reaction.emoji}`)
  },
}) as unknown as AgentDefinition

/** An agent without conversations. */
export const quiet: AgentDefinition = agent('quiet', { onMessage: () => undefined }) as unknown as AgentDefinition
