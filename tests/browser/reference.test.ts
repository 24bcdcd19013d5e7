import { describeApi, describeErrors } from '@keepfirst/protocol'
import { describe, expect, test } from 'vitest'
import { serveAndLook, wordsOf } from '../support/browser.ts'

const { server, look } = serveAndLook()

describe('the reference', () => {
  test('names every field, option, error and header of the description, and this server as its address', async () => {
    const { page, close } = await look('/api')
    const words = await wordsOf(page.locator('main'))
    const { schemas } = describeApi(server().baseUrl).components
    const members = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      name === 'ValidateSummary' ? [] : Object.keys(properties),
    )
    const missing = members.filter((name) => !words.includes(name))
    expect(missing).toEqual([])
    for (const { refusal } of describeErrors(server().baseUrl)) expect(words).toContain(refusal.body.error)
    for (const header of ['Access-Control-Allow-Origin', 'Retry-After']) expect(words).toContain(header)
    expect(words).toContain(`curl ${server().baseUrl}/api/dedupe`)
    await close()
  })

  test('send works against this very server, without a key and with one, and forgets the key', async () => {
    const { token } = await server().key('reader@example.com', 'free')
    const { page, troubles, close } = await look('/api')
    const form = page.getByRole('form', { name: 'Send a request' }).first()
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('200 OK').waitFor()
    expect(await wordsOf(form.getByRole('region', { name: 'Answer' }))).toContain(
      '{"result":["Anna","Ben","Cleo"],"kept":3,"removed":2}',
    )

    await form.getByRole('button', { name: 'fuzzy' }).click()
    await form.getByLabel('Key').fill(token)
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('"removed":1').waitFor()
    expect(troubles).toEqual([])

    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    )
    expect(stored).not.toContain(token)
    await page.reload()
    expect(await form.getByLabel('Key').inputValue()).toBe('')
    await close()
  })

  test('a refused request shows its status and its message', async () => {
    const { page, close } = await look('/api')
    const form = page.getByRole('form', { name: 'Send a request' }).last()
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('401').waitFor()
    expect(await wordsOf(form.getByRole('region', { name: 'Answer' }))).toContain('an API key is required')
    await close()
  })

  test('every anchor of the navigation leads to its section', async () => {
    const { page, close } = await look('/api')
    const anchors = await page
      .locator('nav[aria-label="On this page"] a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    expect(anchors.length).toBeGreaterThan(5)
    for (const anchor of anchors) expect(await page.locator(anchor).count(), anchor).toBe(1)
    await close()
  })
})
