import { type Card as CardData, workflow } from '@trestle/core'
import { agent } from '@trestle/core/agents'
import { Actions, Button, Card, type CardNode, Divider, Image, Option, Select, Table, Text } from '@trestle/core/cards'

// Cards in JSX as users write them: what compiles and what does not.

const condition: boolean = Math.random() > 2
const maybe: string | undefined = condition ? 'bold' : undefined

export const whole: CardData = (
  <Card title="Order" subtitle={maybe}>
    <Text>
      {1} of {'two'} {condition && 'or three'}
    </Text>
    {condition ? <Image url="https://example.com/x.png" alt={maybe} /> : null}
    <Actions>
      {['a', 'b'].map((id) => (
        <Button id={id} key={id} disabled={condition}>
          {id}
        </Button>
      ))}
    </Actions>
    {condition && (
      <>
        <Table headers={['A']} rows={[['1']]} align={['left']} />
        <Divider />
      </>
    )}
  </Card>
)

function Line({ label, children }: { label: string; children?: CardNode }) {
  return (
    <Text style="bold">
      {label}: {children}
    </Text>
  )
}
const Lines = ({ labels }: { labels: readonly string[] }) => labels.map((label) => <Line label={label} key={label} />)
const Nothing = (): null => null

export const own: CardData = (
  <Card>
    <Line label="a">b</Line>
    <Lines labels={['a']} />
    <Nothing />
  </Card>
)

export const chat = workflow('chat', async ({ step }) => {
  await step.chat('tell', () => ({ card: <Card title="x" /> }))
})
export const support = agent('support', { onMessage: async ({ reply }) => void (await reply({ card: <Card /> })) })

export const wrong = {
  // @ts-expect-error an attribute that is missing
  w1: <Image />,
  // @ts-expect-error a value that is not one of them
  w2: <Text style="loud">x</Text>,
  // @ts-expect-error an attribute there is not
  w3: <Text colour="red">x</Text>,
  // @ts-expect-error the attribute of another type
  w4: <Button id={1}>x</Button>,
  // @ts-expect-error a tag of HTML
  w5: <div />,
  // @ts-expect-error children where there are none
  w6: <Image url="x">x</Image>,
  // @ts-expect-error the text of a table
  w7: <Table headers={['A']} rows={[[1]]} />,
  // @ts-expect-error a function as a child of a text is no text, nor is a symbol
  w8: <Text>{Symbol('x')}</Text>,
  // @ts-expect-error an attribute of a component of one's own
  w9: <Line>x</Line>,
  // @ts-expect-error the choices are children
  w10: <Select id="a" label="b" options={[]} />,
  // @ts-expect-error a choice needs a value
  w11: <Option>x</Option>,
}
