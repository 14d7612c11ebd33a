import { createBridge, workflow } from '@trestle/core'
import { Actions, Button, Card, Divider, Field, Fields, LinkButton, Option, Select, Text } from '@trestle/core/cards'

interface Item {
  readonly id: number
  readonly name: string
  readonly count: number
}

function Items({ items }: { items: readonly Item[] }) {
  if (items.length === 0) return <Text style="muted">Nothing was ordered.</Text>
  return (
    <>
      <Text style="bold">
        {items.length} {items.length === 1 ? 'item' : 'items'}, on its way:
      </Text>
      <Fields>
        {items.map((item) => {
          const attributes = { label: item.name }
          return (
            <Field {...attributes} key={item.id}>
              {item.count}
            </Field>
          )
        })}
      </Fields>
    </>
  )
}

export function orderCard(items: readonly Item[], url?: string) {
  return (
    <Card title="Order shipped" subtitle={url}>
      <Items items={items} />
      {items.length > 1 && <Divider />}
      <Actions>
        {url ? <LinkButton url={url}>Track it</LinkButton> : null}
        <Button id="call" style="primary">
          Call me
        </Button>
        <Select id="when" label="When?">
          <Option value="am">In the morning</Option>
        </Select>
      </Actions>
    </Card>
  )
}

export const bridge = createBridge({
  workflows: [
    workflow('shipped', async ({ step, payload }) => {
      await step.chat('tell', () => ({ card: orderCard(payload['items'] as Item[]) }))
    }),
  ],
  strictAuthentication: false,
  logger: { warn: () => undefined, error: () => undefined },
})
